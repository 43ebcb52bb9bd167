#include "dialects/graph/GraphFile.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/KnownAttributes.h"
#include "dialects/graph/Names.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

//===----------------------------------------------------------------------===//
// Bounds: what MLIR's parser does not survive must not reach it
//===----------------------------------------------------------------------===//

namespace {

struct Refusal {
  size_t at;
  Code code;
  std::string message;
};

// Walks over the text once, outside of strings and comments.
class BoundsScan {
public:
  explicit BoundsScan(StringRef text) : text_(text) {}

  // The first place that the parser must not see.
  std::optional<Refusal> run() {
    for (position_ = 0; position_ < text_.size(); ++position_) {
      size_t begin = position_;
      if (auto [code, message] = visit(text_[position_]); !message.empty())
        return Refusal{begin, code, message};
    }
    return std::nullopt;
  }

private:
  using Complaint = std::pair<Code, std::string>;

  Complaint visit(char c) {
    StringRef rest = text_.substr(position_);
    bool isArray = std::exchange(followsArray_, false);
    if (llvm::isSpace(c) || rest.starts_with("//")) {
      followsArray_ = isArray;
      if (c == '/')
        position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '"') {
      skipString();
    } else if (rest.starts_with("->")) {
      ++position_; // no bracket
    } else if (StringRef("([{<").contains(c)) {
      return open(rest, isArray);
    } else if (StringRef(")]}>").contains(c)) {
      depth_ -= depth_ > 0;
    } else if (rest.consume_front("array")) {
      followsArray_ = true;
      position_ += 4;
    } else if (c == '#') {
      return number(rest.drop_front());
    } else if (llvm::isDigit(c)) {
      return exponent(rest);
    } else if (rest.starts_with("affine_map") ||
               rest.starts_with("affine_set")) {
      // Their parser recurses without brackets.
      return {Code::TooLarge,
              "affine maps and sets have no place in a graph file"};
    }
    return {};
  }

  Complaint open(StringRef rest, bool isArray) {
    if (++depth_ > maxBracketDepth)
      return {Code::TooLarge, "brackets are nested more than " +
                                  std::to_string(maxBracketDepth) + " deep"};
    // The parser asks others, as index, for a width that they do not have.
    StringRef element = rest.drop_front().ltrim().take_while(
        [](char c) { return llvm::isAlnum(c) || c == '!'; });
    constexpr StringLiteral elements[] = {"i1",  "i8",  "i16", "i32",
                                          "i64", "f32", "f64"};
    if (isArray && !llvm::is_contained(elements, element))
      return {Code::BadAttribute,
              "array<…> holds i1, i8, i16, i32, i64, f32 or f64"};
    return {};
  }

  // The 2 of %h#2, for which the parser makes room.
  static Complaint number(StringRef rest) {
    StringRef digits = rest.take_while(llvm::isDigit);
    unsigned index = 0;
    if (digits.empty() ||
        (!digits.getAsInteger(10, index) && index < maxResults))
      return {};
    return {Code::TooLarge, "no op has " + digits.str() + " results; at most " +
                                std::to_string(maxResults) + " have a name"};
  }

  // 1e-4, which the parser takes for a 1 and a word, and says so in its way.
  Complaint exponent(StringRef rest) {
    StringRef whole = rest.take_while(llvm::isDigit);
    char before = position_ ? text_[position_ - 1] : ' ';
    position_ += whole.size() - 1;
    StringRef power = rest.drop_front(whole.size());
    if (llvm::isAlnum(before) || StringRef("_.$%#@!^").contains(before) ||
        !power.consume_front_insensitive("e"))
      return {};
    StringRef sign =
        power.take_while([](char c) { return c == '-' || c == '+'; });
    StringRef digits = power.drop_front(sign.size()).take_while(llvm::isDigit);
    if (sign.size() > 1 || digits.empty())
      return {};
    std::string mended = (whole + ".0e" + sign + digits).str();
    return {Code::Syntax,
            "a number with an exponent has a point; write " + mended};
  }

  void skipString() {
    for (++position_; position_ < text_.size(); ++position_) {
      if (text_[position_] == '"' || text_[position_] == '\n')
        return;
      if (text_[position_] == '\\')
        ++position_;
    }
  }

  StringRef text_;
  size_t position_ = 0;
  unsigned depth_ = 0;
  bool followsArray_ = false;
};

} // namespace

// Checks the bounds of the header.
static LogicalResult checkBounds(const llvm::SourceMgr &sources,
                                 MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  StringRef name = buffer->getBufferIdentifier(), text = buffer->getBuffer();
  if (text.size() > maxFileBytes)
    return coded(emitError(FileLineColLoc::get(context, name, 1, 1)),
                 Code::TooLarge)
           << "the file has " << text.size() << " bytes; at most "
           << maxFileBytes << " are read";
  std::optional<Refusal> refusal = BoundsScan(text).run();
  if (!refusal)
    return success();
  auto [line, column] =
      sources.getLineAndColumn(SMLoc::getFromPointer(text.data() + refusal->at),
                               sources.getMainFileID());
  return coded(emitError(FileLineColLoc::get(context, name, line, column)),
               refusal->code)
         << refusal->message;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// "h1" of the range of "%h1"; "" of a number.
static StringRef nameIn(SMRange range) {
  const char *begin = range.Start.getPointer(), *end = range.End.getPointer();
  StringRef name(begin, end - begin);
  name.consume_front("%");
  return !name.empty() && llvm::isDigit(name.front()) ? StringRef() : name;
}

// Names the results that `%a, %b:2 = …` defines: "a", "b.0", "b.1".
static void nameResults(const AsmParserState::OperationDefinition &definition) {
  unsigned end = definition.op->getNumResults();
  for (const auto &group : llvm::reverse(definition.resultGroups)) {
    StringRef name = nameIn(group.definition.loc);
    unsigned size = end - group.startIndex;
    for (unsigned index = 0; index < size && !name.empty(); ++index)
      setName(definition.op->getResult(group.startIndex + index),
              size == 1 ? name.str() : (name + "." + Twine(index)).str());
    end = group.startIndex;
  }
}

static void nameValues(const AsmParserState &state) {
  for (const auto &definition : state.getOpDefs())
    nameResults(definition);
  for (const auto &definition : state.getBlockDefs())
    for (auto [argument, name] :
         llvm::zip(definition.block->getArguments(), definition.arguments))
      if (StringRef text = nameIn(name.loc); !text.empty())
        setName(argument, text);
}

//===----------------------------------------------------------------------===//
// Checks of what was read
//===----------------------------------------------------------------------===//

// Reports what is wrong with every op, where MLIR's verifier stops at the
// first; else what is wrong with the whole. A right module is verified once.
static LogicalResult checkOps(ModuleOp module) {
  MLIRContext *context = module.getContext();
  std::vector<Diagnostic> ofWhole;
  bool isVerified;
  {
    ScopedDiagnosticHandler keep(context, [&](Diagnostic &diagnostic) {
      ofWhole.push_back(std::move(diagnostic));
    });
    isVerified = succeeded(verify(module));
  }
  bool areRight = true;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    areRight &= succeeded(checkAttributes(op));
    if (!isVerified && op != module)
      areRight &= succeeded(verify(op, /*verifyRecursively=*/false));
  });
  if (areRight)
    for (Diagnostic &diagnostic : ofWhole)
      context->getDiagEngine().emit(std::move(diagnostic));
  return success(areRight && isVerified);
}

//===----------------------------------------------------------------------===//
// In and out
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> dtc::graph::parseGraph(const llvm::SourceMgr &sources,
                                             MLIRContext *context) {
  if (failed(checkBounds(sources, context)))
    return nullptr;
  Block block;
  AsmParserState state;
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return nullptr;
  nameValues(state);
  StringRef name =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  OwningOpRef<ModuleOp> module =
      mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
          &block, context, FileLineColLoc::get(context, name, 1, 1));
  if (!module || failed(checkOps(*module)))
    return nullptr;
  module->walk<WalkOrder::PreOrder>([](Operation *scope) {
    if (isa<ModuleOp>(scope))
      return WalkResult::advance();
    assignNames(scope, /*renameTaken=*/false);
    return WalkResult::skip();
  });
  return module;
}

OwningOpRef<ModuleOp> dtc::graph::parseGraph(StringRef text, StringRef name,
                                             MLIRContext *context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                             SMLoc());
  return parseGraph(sources, context);
}

std::string dtc::graph::printGraph(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << "\n";
  return text;
}

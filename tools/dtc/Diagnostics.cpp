#include "tools/dtc/Diagnostics.h"

#include <set>

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/KnownAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "runtime/base/Status.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// What MLIR says when it means one of our codes. The first that fits counts;
/// where both texts are given, both must be in the message.
struct Pattern {
  StringRef begin, part;
  Code code;
};
constexpr Pattern patterns[] = {
    {"custom op '", "is unknown", Code::UnknownOp},
    {"Dialect `", "for custom op", Code::UnknownOp},
    {"unregistered operation", "", Code::UnknownOp},
    {"", "allow-unregistered", Code::UnknownOp},
    {"", "may only have dialect attributes", Code::UnknownAttribute},
    {"", "expected non-empty function body", Code::BadEntry},
    {"'graph.func' op region #0", "", Code::BadEntry},
    {"expected non-function type", "", Code::UnknownType},
    {"invalid tensor element type", "", Code::UnknownType},
    {"unknown attribute `", "", Code::UnknownKeyword},
    {"", "to be one of", Code::UnknownKeyword},
    {"", "does not dominate this use", Code::UndefinedValue},
    {"use of undeclared SSA value", "", Code::UndefinedValue},
    {"use of undefined", "", Code::UndefinedValue},
    {"use of value '", "expects different type", Code::OperandType},
    {"redefinition of ", "", Code::NameTaken},
    {"region entry argument '", "already in use", Code::NameTaken},
    {"custom op 'dist.", "", Code::BadPhase},
    {"custom op 'plan.", "", Code::BadPhase},
    {"edge '", "", Code::BadPhase},
    {"operand \"", "inside a partition", Code::BadPhase},
    {"is wrong inside, on ", "", Code::BadPhase},
    {"'dist.", "", Code::BadPhase},
    {"'plan.", "", Code::BadPhase},
    {"'", "inferred type", Code::ResultType},
    {"'", "' op operand #", Code::OperandType},
    {"'", "have same type", Code::OperandType},
    {"'", "have same element type", Code::OperandType},
    {"'", "' op result #", Code::ResultType},
    {"'", "expects parent op", Code::BadEntry},
    {"'", "' op attribute '", Code::BadAttribute},
    {"'", "' op requires attribute", Code::BadAttribute},
    {"struct is missing", "", Code::BadAttribute},
    {"failed to infer returned types", "", Code::ShapeMismatch},
};

std::optional<Code> codeByWords(StringRef message) {
  for (const Pattern &pattern : patterns)
    if (message.starts_with(pattern.begin) && message.contains(pattern.part))
      return pattern.code;
  return std::nullopt;
}

/// What MLIR adds to an error that a shape rule or a parser of ours has given.
bool isEcho(StringRef message) {
  return message.ends_with("op failed to infer returned types") ||
         message.starts_with("failed to parse Graph_");
}

/// The op's name in MLIR's "custom op 'x' is unknown", "Dialect `d' not found
/// for custom op 'd.x'", "unregistered operation 'x' …" and our "'x' is no op
/// …", or "".
StringRef unknownOp(StringRef message) {
  if (message.consume_front("unregistered operation '"))
    return message.split("'").first;
  if (message.contains("' is no op of the graph dialect"))
    return message.split("'").second.split("'").first;
  auto [before, rest] = message.split("custom op '");
  auto [name, after] = rest.split("'");
  return after.contains("unknown") || before.starts_with("Dialect") ? name : "";
}

/// The op's name where MLIR's "operation being parsed with an unregistered
/// dialect" points behind `"d.x"`; the place moves to it. Or "".
std::string unregisteredOp(StringRef message, Place &place) {
  StringRef line = place.sourceLine;
  if (!message.contains("allow-unregistered") || place.column == 0)
    return "";
  line = line.take_front(place.column - 1).rtrim();
  if (!line.consume_back("\""))
    return "";
  place.column = line.rfind('"') + 2;
  return line.rsplit('"').second.str();
}

/// "bias_add" of "tf.BiasAdd".
std::string asMnemonic(StringRef name) {
  std::string words;
  for (char c : name.substr(name.rfind('.') + 1)) {
    if (llvm::isUpper(c) && !words.empty() && words.back() != '_')
      words += '_';
    words += llvm::toLower(c);
  }
  return words;
}

/// The name in "unknown attribute `sdg` in dialect `graph`", or "".
StringRef unknownKeyword(StringRef message) {
  auto [before, rest] = message.split("unknown attribute `");
  return before.empty() ? rest.split("`").first : "";
}

/// MLIR's parser speaks to those who build compilers; what dtc says instead.
std::string inOurWords(StringRef message) {
  if (message.contains("' is no op of the graph dialect"))
    return message.str();
  if (StringRef name = unknownOp(message); !name.empty())
    return ("there is no op '" + name + "'").str();
  if (StringRef name = unknownKeyword(message); !name.empty())
    return ("there is no #graph." + name).str();
  if (message == "use of undeclared SSA value name")
    return "nothing above defines this value";
  if (message == "expected non-function type")
    return "expected a type, such as tensor<32x64xf32>; the element types are "
           "f32, f64, f16, bf16, i1, i8, ui8, i32 and i64";
  if (message.ends_with("expected non-empty function body"))
    return "func: an entry point without ops does nothing; give what it "
           "computes a name with graph.output";
  if (message.starts_with("'graph.func' op region #0"))
    return "func: a function has a body; write { … } behind it";
  if (message.ends_with("may only have dialect attributes"))
    return "func: feeds and results have no attributes; leave them out";
  if (message.consume_front("struct is missing required parameter: "))
    return (message + " is missing; write " + message + " = …").str();
  if (auto [op, rest] = message.split("' op attribute '"); !rest.empty()) {
    auto [name, constraint] = rest.split("' failed to satisfy constraint: ");
    if (!constraint.empty())
      return (name + " must be " + constraint).str();
  }
  // "custom op 'graph.x' …": the place shows which.
  if (message.consume_front("custom op '"))
    message = message.split("' ").second;
  return message.str();
}

/// "; …" at the end of a message that says what to do rather than what is.
size_t adviceAt(StringRef message) {
  size_t at = message.rfind("; ");
  if (at == StringRef::npos)
    return at;
  StringRef advice = message.substr(at + 2);
  for (StringRef verb : {"did you mean ", "graph.", "use ", "write ", "give ",
                         "run ", "reduce it ", "leave ", "cast ", "axes "})
    if (advice.starts_with(verb))
      return at;
  return StringRef::npos;
}

/// "%h1" of "%h1, %w : …"; "" if no value's name stands there.
StringRef valueAt(StringRef text) {
  if (!text.starts_with("%"))
    return "";
  size_t size = text.drop_front()
                    .take_while([](char c) {
                      return llvm::isAlnum(c) || StringRef("_.$-").contains(c);
                    })
                    .size();
  return text.take_front(1 + size);
}

/// The names of values in a text but `word`, each once.
std::vector<std::string> otherValues(StringRef text, StringRef word) {
  std::set<std::string> names;
  for (size_t at = text.find('%'); at != StringRef::npos;
       at = text.find('%', at + 1))
    if (StringRef name = valueAt(text.substr(at)); name != word)
      names.insert(name.str());
  return {names.begin(), names.end()};
}

/// The ops that `name` can be a slip of: a graph's, or those of its dialect.
std::vector<std::string> opNames(MLIRContext &context, StringRef name) {
  std::vector<std::string> names;
  StringRef dialect = name.split('.').first;
  if (dialect != "dist" && dialect != "plan")
    dialect = "graph";
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == dialect)
      names.push_back(op.getStringRef().str());
  llvm::sort(names);
  return names;
}

} // namespace

Diagnostics::Diagnostics(MLIRContext &context)
    : context_(context), handler_(&context, [this](Diagnostic &diagnostic) {
        handle(diagnostic);
        return success();
      }) {}

void Diagnostics::addSource(const std::string &text, const std::string &name) {
  sources_[name] = text;
}

void Diagnostics::handle(Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  if (errors_ && isEcho(diagnostic.str()))
    return;
  unsigned most = reportStyle().maxErrors;
  errors_ += isError;
  if (isError && most && errors_ > most) {
    if (errors_ == most + 1)
      print({.severity = Report::Severity::Remark,
             .place = {.file = "dtc"},
             .message = strCat(most, " errors are printed, no more; "
                                     "--max-errors 0 prints all"),
             .notes = {}});
    return;
  }
  print(describe(diagnostic));
}

Place Diagnostics::placeOf(Location location) const {
  auto range = location->findInstanceOf<FileLineColRange>();
  if (!range)
    return {};
  Place place{.file = range.getFilename().str(),
              .line = range.getStartLine(),
              .column = range.getStartColumn()};
  auto source = sources_.find(place.file);
  if (source == sources_.end())
    return place;
  StringRef rest = source->second;
  for (unsigned line = 1; line < place.line && !rest.empty(); ++line)
    rest = rest.split('\n').second;
  place.sourceLine = rest.split('\n').first.rtrim('\r').str();
  return place;
}

Report Diagnostics::describe(Diagnostic &diagnostic) const {
  std::string original = diagnostic.str();
  Report report{.place = placeOf(diagnostic.getLocation()),
                .message = inOurWords(original)};
  std::string unregistered = unregisteredOp(original, report.place);
  if (!unregistered.empty())
    report.message = "there is no op '" + unregistered + "'";
  if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    report.severity = Report::Severity::Warning;
  else if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    report.severity = Report::Severity::Remark;
  std::optional<Code> code = codeOf(diagnostic);
  if (!code)
    code = codeByWords(original);
  report.code = code.value_or(isReading_ ? Code::Syntax : Code::Bug);
  if (report.place.file.empty())
    report.place.file = "dtc";
  std::set<std::pair<std::string, const void *>> seen;
  for (Diagnostic &note : diagnostic.getNotes()) {
    std::string text = note.str();
    // Nobody who writes a graph registers dialects.
    if (StringRef(text).starts_with("Available dialects"))
      continue;
    if (!seen.insert({text, note.getLocation().getAsOpaquePointer()}).second)
      continue;
    if (StringRef(text).consume_front("help: "))
      report.notes.push_back({.isHelp = true, .text = text.substr(6)});
    else
      report.notes.push_back(
          {.place = note.getLocation() == diagnostic.getLocation()
                        ? Place()
                        : placeOf(note.getLocation()),
           .text = text});
  }
  if (size_t at = adviceAt(report.message); at != std::string::npos) {
    report.notes.push_back(
        {.isHelp = true, .text = report.message.substr(at + 2)});
    report.message.resize(at);
  }
  if (unregistered.empty())
    addGuess(report, original);
  else
    guessOp(report, unregistered);
  return report;
}

void Diagnostics::guessOp(Report &report, StringRef name) const {
  std::vector<std::string> ops = opNames(context_, name);
  std::string guess = mostLike(name.str(), ops);
  if (guess.empty()) { // another dialect's, or none's
    for (std::string &op : ops)
      op = StringRef(op).split('.').second.str();
    if (std::string mnemonic = mostLike(asMnemonic(name), ops);
        !mnemonic.empty())
      guess = "graph." + mnemonic;
  }
  report.notes.push_back(
      {.isHelp = true,
       .text = (guess.empty() ? "" : "did you mean '" + guess + "'? ") +
               "(all ops: dtc explain ops)"});
}

void Diagnostics::addGuess(Report &report, const std::string &original) const {
  auto help = [&](const std::string &text) {
    report.notes.push_back({.isHelp = true, .text = text});
  };
  if (StringRef name = unknownOp(original); !name.empty()) {
    guessOp(report, name);
  } else if (StringRef name = unknownKeyword(original); !name.empty()) {
    std::vector<std::string> words = graph::attributeNames();
    std::string guess = mostLike(name.str(), words);
    help(guess.empty() ? "there are " + llvm::join(words, ", ")
                       : "did you mean '#graph." + guess + "'?");
  } else if (report.code == Code::UndefinedValue && report.place.column &&
             report.place.column <= report.place.sourceLine.size()) {
    StringRef word = valueAt(
        StringRef(report.place.sourceLine).substr(report.place.column - 1));
    std::string guess =
        mostLike(word.str(),
                 otherValues(sources_.find(report.place.file)->second, word));
    if (!word.empty() && !guess.empty())
      help("did you mean " + guess + "?");
  }
}

} // namespace dtc::tool

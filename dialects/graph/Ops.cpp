// What TableGen cannot say about the ops: text forms and verifiers. The shape
// rules are in Shapes.cpp.
#include "dialects/graph/Ops.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Syntax.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

// A type whose mistake is said where it stands, and before its value's.
static ParseResult parseTensorType(OpAsmParser &parser, TypeAttr &attribute) {
  SMLoc location = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  attribute = TypeAttr::get(type);
  if (std::optional<TypeMistake> mistake = mistakeOf(type))
    return coded(parser.emitError(location, "the variable's type "),
                 mistake->code)
           << mistake->text;
  return success();
}

static void printTensorType(OpAsmPrinter &printer, Operation *, TypeAttr type) {
  printer << type.getValue();
}

#include "dialects/graph/Interfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/graph/Ops.cpp.inc"

// Begins the report of a mistake at `op`: "reshape: …".
static InFlightDiagnostic report(Operation *op,
                                 Code code = Code::BadAttribute) {
  return coded(op->emitError(), code) << op->getName().stripDialect() << ": ";
}

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   TypeRange feeds) {
  auto type = builder.getFunctionType(feeds, {});
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Region *body = state.addRegion();
  body->emplaceBlock().addArguments(
      feeds, SmallVector<Location>(feeds.size(), state.location));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

// Names go into keys of edges and into paths of files: "layer1/w", but neither
// "../w" nor "/w".
static bool isName(StringRef name) {
  auto isCharacter = [](char c) {
    return llvm::isAlnum(c) || StringRef("_-./$").contains(c);
  };
  return !name.empty() && llvm::all_of(name, isCharacter) &&
         llvm::all_of(llvm::split(name, '/'), [](StringRef part) {
           return !part.empty() && part != "." && part != "..";
         });
}

// Variables are saved to files of their names, in which '/' and '$' take three
// characters; and file systems stop at 255.
static constexpr size_t longestName = 240;

static LogicalResult verifyName(Operation *op, StringRef name, StringRef what) {
  if (!isName(name))
    return report(op, Code::BadName)
           << "\"" << name << "\" cannot name " << what
           << "; use letters, digits, '_', '-', '.', '$', and '/' between "
              "parts";
  if (name.size() + 2 * (name.count('/') + name.count('$')) > longestName)
    return report(op, Code::BadName)
           << "a name of " << name.size() << " characters is too long for a "
           << "file; give " << what << " a shorter one";
  return success();
}

// The type of a feed, or of what a private function returns.
static LogicalResult verifyTensor(Location location, StringRef what,
                                  size_t index, Type type) {
  std::optional<TypeMistake> mistake = mistakeOf(type);
  // Placement puts types of its own around feeds.
  if (!mistake || !isa<BuiltinDialect>(type.getDialect()))
    return success();
  return coded(emitError(location), mistake->code)
         << "func: " << what << " " << index << " " << mistake->text;
}

LogicalResult FuncOp::verify() {
  if (failed(verifyName(*this, getSymName(), "a function")))
    return failure();
  if (!isPrivate() && !getFunctionType().getResults().empty())
    return report(*this, Code::BadEntry)
           << "an entry point returns nothing; graph.output "
              "names what a step returns";
  for (auto [index, type] : llvm::enumerate(getFunctionType().getInputs()))
    if (failed(verifyTensor(getArgument(index).getLoc(), "feed", index, type)))
      return failure();
  for (auto [index, type] : llvm::enumerate(getFunctionType().getResults()))
    if (failed(verifyTensor(getLoc(), "result", index, type)))
      return failure();
  if (Attribute epochs = getOperation()->getAttr(epochsAttrName)) {
    auto count = dyn_cast<IntegerAttr>(epochs);
    if (!count || !count.getType().isSignlessInteger(64) || count.getInt() < 1)
      return report(*this) << epochsAttrName
                           << " must be a whole number above 0, got " << epochs
                           << "; write graph.epochs = 20";
  }
  return success();
}

// Reports the second op that claims `key`, and where the first is.
static LogicalResult claim(llvm::StringMap<Operation *> &claimed, StringRef key,
                           Operation *op, const Twine &mistake) {
  auto [first, isNew] = claimed.try_emplace(key, op);
  if (isNew)
    return success();
  InFlightDiagnostic diagnostic = report(op, Code::NameTaken) << mistake;
  diagnostic.attachNote(first->second->getLoc()) << "first here";
  return diagnostic;
}

// A private function is a block of its callers: it computes, and nothing else.
static LogicalResult verifyBlock(FuncOp func) {
  Block &body = func.getBody().front();
  for (Operation &op : body)
    if (isa<AssignOp, AssignAddOp, OutputOp, MinimizeOp, InputOp>(op)) {
      InFlightDiagnostic diagnostic =
          report(&op, Code::BadEntry)
          << "stands in a private function, which only computes; "
             "put it into the entry point that calls it";
      diagnostic.attachNote(func.getLoc())
          << "@" << func.getSymName() << " is private";
      return diagnostic;
    }
  auto last = body.empty() ? ReturnOp() : dyn_cast<ReturnOp>(body.back());
  if (!last)
    return report(func, Code::BadEntry)
           << "@" << func.getSymName()
           << " is private, so it ends with graph.return";
  if (TypeRange(last.getValues()) == TypeRange(func.getResultTypes()))
    return success();
  InFlightDiagnostic diagnostic = report(last, Code::BadEntry)
                                  << "returns " << last.getValues().getTypes()
                                  << ", not what the function declares";
  diagnostic.attachNote(func.getLoc())
      << "@" << func.getSymName() << " returns " << func.getResultTypes();
  return diagnostic;
}

LogicalResult FuncOp::verifyRegions() {
  if (isPrivate())
    return verifyBlock(*this);
  llvm::StringMap<Operation *> assigned, named;
  for (Operation &op : getBody().front()) {
    if (auto assign = dyn_cast<AssignOp>(op)) {
      if (failed(claim(assigned, assign.getVariable(), assign,
                       "@" + assign.getVariable() +
                           " is assigned twice in one step")))
        return failure();
    } else if (auto output = dyn_cast<OutputOp>(op)) {
      if (failed(claim(named, output.getOutputName(), output,
                       "\"" + output.getOutputName() +
                           "\" names two outputs; give each its own name")))
        return failure();
    } else if (isa<ReturnOp>(op)) {
      return report(&op, Code::BadEntry)
             << "an entry point returns nothing; graph.output "
                "names what a step returns";
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (getScope() && failed(verifyName(*this, *getScope(), "a call")))
    return failure();
  auto callee = tables.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return report(*this, Code::BadEntry)
           << "there is no function " << getCalleeAttr();
  auto complain = [&](const Twine &mistake, const Twine &note) {
    InFlightDiagnostic diagnostic = report(*this, Code::BadEntry) << mistake;
    diagnostic.attachNote(callee.getLoc()) << note;
    return diagnostic;
  };
  std::string name = ("@" + callee.getSymName()).str();
  if (!callee.isPrivate())
    return complain(name + " is an entry point; write graph.func private to "
                           "call it",
                    name + " is declared here");
  auto type = FunctionType::get(getContext(), getInputs().getTypes(),
                                getValues().getTypes());
  if (type == callee.getFunctionType())
    return success();
  std::string text;
  llvm::raw_string_ostream(text)
      << type << ", but " << name << " has " << callee.getFunctionType();
  return complain("is called as " + text, name + " is declared here");
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

// A fill must be one of the elements' values.
static LogicalResult verifyFill(VariableOp op, FillAttr fill, Type element) {
  if (isElement(element, fill.getValue()))
    return success();
  return report(op, Code::BadInitializer)
         << "fill value " << fill.getValue().convertToDouble()
         << " is not a value of " << element;
}

// What draws random numbers must not make infinite ones.
static LogicalResult verifyRandom(VariableOp op, Attribute how, Type element) {
  SmallVector<APFloat, 2> numbers;
  llvm::TypeSwitch<Attribute>(how)
      .Case<UniformAttr>([&](auto uniform) {
        numbers.append({uniform.getLow(), uniform.getHigh()});
        if (APFloat width = uniform.getHigh() - uniform.getLow();
            !width.isFinite())
          numbers.push_back(width);
      })
      .Case<NormalAttr, TruncatedNormalAttr>([&](auto normal) {
        numbers.append({normal.getMean(), normal.getStddev()});
      });
  for (const APFloat &number : numbers)
    if (!holdsNumber(element, number))
      return report(op, Code::BadInitializer)
             << "the initial values would be infinite: "
             << number.convertToDouble() << " is beyond " << element;
  return success();
}

LogicalResult VariableOp::verify() {
  if (failed(verifyName(*this, getSymName(), "a variable")))
    return failure();
  auto type = cast<RankedTensorType>(getType());
  if (auto constant = dyn_cast<ElementsAttr>(getInitializer())) {
    if (constant.getType() != type)
      return report(*this, Code::VariableType)
             << "@" << getSymName() << " is " << type
             << ", but its initial value is " << constant.getType();
    return success();
  }
  if (auto fill = dyn_cast<FillAttr>(getInitializer()))
    return verifyFill(*this, fill, type.getElementType());
  if (!isFloatTensor(type))
    return report(*this, Code::BadInitializer)
           << "random initializers make floats, but @" << getSymName() << " is "
           << type << "; use #graph.fill or a dense constant";
  return verifyRandom(*this, getInitializer(), type.getElementType());
}

// The variable's name that is most like `name`, or "".
static StringRef mostLike(Operation *symbolTable, StringRef name) {
  StringRef best;
  unsigned bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  for (auto variable : symbolTable->getRegion(0).getOps<VariableOp>()) {
    unsigned distance = name.edit_distance_insensitive(variable.getSymName());
    if (distance < bestDistance) {
      best = variable.getSymName();
      bestDistance = distance;
    }
  }
  return best;
}

// The variable that `op` means, or a report.
static FailureOr<VariableOp> findVariable(Operation *op, FlatSymbolRefAttr name,
                                          SymbolTableCollection &tables) {
  if (auto variable = tables.lookupNearestSymbolFrom<VariableOp>(op, name))
    return variable;
  InFlightDiagnostic diagnostic = report(op, Code::UnknownVariable)
                                  << "there is no variable " << name;
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  if (StringRef guess = table ? mostLike(table, name.getValue()) : "";
      !guess.empty())
    diagnostic << "; did you mean @" << guess << "?";
  return diagnostic;
}

// Checks that `type` is the type of the variable that `op` means.
static LogicalResult verifyAccess(Operation *op, FlatSymbolRefAttr name,
                                  Type type, SymbolTableCollection &tables) {
  FailureOr<VariableOp> variable = findVariable(op, name, tables);
  if (failed(variable))
    return failure();
  if (variable->getType() == type)
    return success();
  InFlightDiagnostic diagnostic = report(op, Code::VariableType)
                                  << name << " is " << variable->getType()
                                  << ", not " << type;
  diagnostic.attachNote(variable->getLoc()) << name << " is declared here";
  return diagnostic;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyAccess(*this, getVariableAttr(), getValue().getType(), tables);
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyAccess(*this, getVariableAttr(), getValue().getType(), tables);
}

LogicalResult AssignAddOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyAccess(*this, getVariableAttr(), getValue().getType(), tables);
}

//===----------------------------------------------------------------------===//
// Data and results
//===----------------------------------------------------------------------===//

// Checks one column against the tensor that it becomes.
static LogicalResult verifyColumn(InputOp op, ColumnAttr column,
                                  RankedTensorType type, int64_t batch) {
  auto complain = [&]() {
    return report(op, Code::BadInput)
           << "column \"" << column.getName() << "\": ";
  };
  if (type.getRank() < 1 || type.getDimSize(0) != batch)
    return complain() << "every column has the batch as its first dimension, "
                      << batch << ", got " << type;
  if (batch == 0)
    return complain() << "a batch has at least one row, got " << type;
  int64_t fields = column.getEnd() - column.getFirst();
  int64_t elements = type.getNumElements() / batch;
  if (fields != elements)
    return complain() << fields << " fields cannot make " << elements
                      << " elements a row of " << type;
  if (type.getElementType().isInteger(1))
    return complain() << "fields are numbers; compare with graph.equal to "
                         "make i1";
  if (isIndexTensor(type) && column.getScale().convertToDouble() != 1)
    return complain() << "integers are not scaled; make it a float column, or "
                         "scale 1.0";
  if (!holdsNumber(type.getElementType(), column.getScale()))
    return complain() << "scale " << column.getScale().convertToDouble()
                      << " is beyond " << type.getElementType();
  return success();
}

LogicalResult InputOp::verify() {
  if (failed(verifyName(*this, getDataset(), "a data set")))
    return failure();
  if (getColumns().size() != getNumResults() || getNumResults() == 0)
    return report(*this, Code::BadInput)
           << getColumns().size() << " columns, but " << getNumResults()
           << " results; each column makes one";
  int64_t first = getFirstRow(), end = getEndRow();
  if (first < 0 || end <= first)
    return report(*this, Code::BadInput)
           << "rows " << first << " to " << end
           << " are none; `rows A to B` means A <= row < B";
  auto leading = cast<RankedTensorType>(getResult(0).getType());
  int64_t batch = leading.getRank() ? leading.getDimSize(0) : 0;
  llvm::StringSet<> names;
  for (auto [attribute, type] :
       llvm::zip_equal(getColumns(), getResultTypes())) {
    auto column = cast<ColumnAttr>(attribute);
    if (failed(
            verifyColumn(*this, column, cast<RankedTensorType>(type), batch)))
      return failure();
    if (!names.insert(column.getName()).second)
      return report(*this, Code::BadInput)
             << "two columns are named \"" << column.getName() << "\"";
  }
  if (end - first < batch)
    return report(*this, Code::BadInput)
           << "a batch of " << batch << " needs more than the " << end - first
           << " rows given";
  return success();
}

LogicalResult OutputOp::verify() {
  return verifyName(*this, getOutputName(), "an output");
}

//===----------------------------------------------------------------------===//
// MinimizeOp
//===----------------------------------------------------------------------===//

LogicalResult MinimizeOp::verify() {
  if (getLoss().getType().getRank() != 0)
    return report(*this, Code::NotTrainable)
           << "the loss must be a scalar, got " << getLoss().getType()
           << "; reduce it with graph.reduce_mean";
  if (getVariables() && getVariables()->empty())
    return report(*this, Code::NotTrainable)
           << "names no variable; without `for` it trains all "
              "that the loss depends on";
  if (getWeightDecay() && getWeightDecay()->convertToDouble() < 0)
    return report(*this, Code::BadAttribute)
           << "weight_decay must not be negative";
  for (auto [name, bound] :
       {std::pair("clip_by_value", getClipByValue()),
        std::pair("clip_by_global_norm", getClipByGlobalNorm())})
    if (bound && !(bound->convertToDouble() > 0))
      return report(*this, Code::BadAttribute)
             << name << " must be above 0, got " << bound->convertToDouble();
  return success();
}

LogicalResult MinimizeOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (!getVariables())
    return success();
  llvm::StringSet<> names;
  for (Attribute attribute : getVariablesAttr()) {
    auto name = cast<FlatSymbolRefAttr>(attribute);
    FailureOr<VariableOp> variable = findVariable(*this, name, tables);
    if (failed(variable))
      return failure();
    if (!names.insert(name.getValue()).second)
      return report(*this, Code::NameTaken) << "names " << name << " twice";
    if (!isFloatTensor(variable->getType()))
      return report(*this, Code::NotTrainable)
             << name << " is " << variable->getType()
             << "; only floats can be trained";
  }
  return success();
}

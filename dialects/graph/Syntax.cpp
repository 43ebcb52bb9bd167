#include "dialects/graph/Syntax.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Dialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace dtc::graph {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The number that an attribute is, as 0.1, 1 or -2; null if it is none.
static FloatAttr realOf(Attribute attribute) {
  auto number = dyn_cast_if_present<FloatAttr>(attribute);
  if (number && number.getType().isF64() && number.getValue().isFinite())
    return number;
  auto whole = dyn_cast_if_present<IntegerAttr>(attribute);
  constexpr int64_t most = int64_t{1} << 53; // exact in f64
  if (!whole || !whole.getType().isSignlessInteger(64) ||
      whole.getInt() < -most || whole.getInt() > most)
    return {};
  return FloatAttr::get(Float64Type::get(whole.getContext()),
                        static_cast<double>(whole.getInt()));
}

/// Leaves null where no attribute begins; fails where one is broken.
static LogicalResult parseAnything(AsmParser &parser, Attribute &attribute) {
  OptionalParseResult result = parser.parseOptionalAttribute(attribute);
  return failure(result.has_value() && failed(*result));
}

FailureOr<llvm::APFloat> parseReal(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  Attribute attribute;
  if (failed(parseAnything(parser, attribute)))
    return failure();
  if (FloatAttr number = realOf(attribute))
    return number.getValue();
  return coded(parser.emitError(location, "expected a finite number, as 0.1"),
               Code::BadAttribute);
}

FailureOr<DenseF64ArrayAttr> parseReals(AsmParser &parser) {
  SmallVector<double> numbers;
  auto parseOne = [&]() -> ParseResult {
    FailureOr<llvm::APFloat> number = parseReal(parser);
    if (succeeded(number))
      numbers.push_back(number->convertToDouble());
    return failure(failed(number));
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            parseOne)))
    return failure();
  return DenseF64ArrayAttr::get(parser.getContext(), numbers);
}

ParseResult parseReal(OpAsmParser &parser, FloatAttr &number) {
  SMLoc location = parser.getCurrentLocation();
  Type f64 = parser.getBuilder().getF64Type();
  // Any attribute would take the colon behind it for its own, so that the text
  // says which one to ask for. Sources end with a 0.
  const char *text = location.getPointer();
  text += *text == '-';
  if (text[0] == '0' && text[1] == 'x')
    return parser.parseAttribute(number, f64);
  if (!llvm::isDigit(*text))
    return coded(parser.emitError(location, "expected a number, as 0.1"),
                 Code::BadAttribute);
  while (llvm::isDigit(*text))
    ++text;
  double value = 0;
  int64_t whole = 0;
  if (*text == '.' ? parser.parseFloat(value) : parser.parseInteger(whole))
    return failure();
  number = FloatAttr::get(f64, *text == '.' ? value : whole);
  return success();
}

void printReal(OpAsmPrinter &printer, Operation *, FloatAttr number) {
  printer.printAttributeWithoutType(number);
}

FailureOr<bool> parseSwitch(AsmParser &parser) {
  bool isOn = succeeded(parser.parseOptionalKeyword("true"));
  if (!isOn && failed(parser.parseKeyword("false", " or 'true'")))
    return failure();
  return isOn;
}

static bool isSchedule(Attribute attribute) {
  return isa<PiecewiseConstantAttr, ExponentialDecayAttr, CosineDecayAttr,
             WarmUpAttr>(attribute);
}

FailureOr<Attribute> parseRate(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  Attribute schedule;
  if (failed(parseAnything(parser, schedule)))
    return failure();
  if (FloatAttr number = realOf(schedule))
    return Attribute(number);
  if (schedule && isSchedule(schedule))
    return schedule;
  return coded(parser.emitError(location), Code::UnknownKeyword)
         << "expected a number, as 0.1, or a schedule: "
            "#graph.piecewise_constant, #graph.exponential_decay, "
            "#graph.cosine_decay or #graph.warm_up";
}

void printRate(AsmPrinter &printer, Attribute rate) {
  if (auto number = dyn_cast<FloatAttr>(rate))
    printer.printFloat(number.getValue());
  else
    printer.printAttribute(rate);
}

//===----------------------------------------------------------------------===//
// Parameters of attributes
//===----------------------------------------------------------------------===//

/// Up to the comma or the bracket that ends the parameter which begins here.
/// Sources end with a 0.
static StringRef parameterAt(const char *text) {
  unsigned depth = 0;
  size_t size = 0;
  for (char c; (c = text[size]) != '\0'; ++size) {
    if (depth == 0 && (c == ',' || c == '>'))
      break;
    depth += StringRef("<[({").contains(c);
    depth -= depth > 0 && StringRef(">])}").contains(c);
  }
  return {text, size};
}

ParseResult parseNames(AsmParser &parser, StringRef owner, StringRef names) {
  SmallVector<StringRef> known, seen;
  names.split(known, ',');
  const char *text = parser.getCurrentLocation().getPointer();
  for (bool more = true; more;) {
    StringRef parameter = parameterAt(text);
    more = *parameter.end() == ',';
    text = parameter.end() + more;
    StringRef name = parameter.ltrim().take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (parameter.ltrim().starts_with("//")) // what follows is the parser's
      return success();
    SMLoc location = SMLoc::getFromPointer(name.data());
    if (name.empty() || llvm::isDigit(name.front()))
      return coded(parser.emitError(location, "expected a parameter"),
                   Code::BadAttribute)
             << "; write " << owner << "<" << known.front() << " = …>";
    if (!llvm::is_contained(known, name))
      return coded(parser.emitError(location), Code::UnknownKeyword)
             << owner << " has no parameter '" << name << "'; it takes "
             << llvm::join(known, ", ");
    if (llvm::is_contained(seen, name))
      return coded(parser.emitError(location), Code::BadAttribute)
             << owner << ": " << name << " is given twice";
    seen.push_back(name);
  }
  return success();
}

ParseResult parseNoParameters(AsmParser &parser, StringRef owner) {
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLess()))
    return success();
  return coded(parser.emitError(location), Code::BadAttribute)
         << owner << " takes no parameters; write #graph." << owner;
}

} // namespace dtc::graph

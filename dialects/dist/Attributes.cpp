#include "dialects/dist/AsmParts.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Shared pieces of text
//===----------------------------------------------------------------------===//

namespace dtc::dist {

ParseResult parseBareDevice(AsmParser &parser, DeviceAttr &device) {
  StringRef job, type;
  int64_t task = -1, index = 0;
  if (parser.parseKeyword(&job) || parser.parseColon())
    return failure();
  if (failed(parser.parseOptionalStar()) && parser.parseInteger(task))
    return failure();
  if (parser.parseSlash() || parser.parseKeyword(&type) ||
      parser.parseColon() || parser.parseInteger(index))
    return failure();
  device = DeviceAttr::get(parser.getContext(), job, task, type, index);
  return success();
}

void printBareDevice(AsmPrinter &printer, DeviceAttr device) {
  printer << device.toString();
}

ParseResult parseDeviceInAngles(AsmParser &parser, DeviceAttr &device) {
  return failure(parser.parseLess() || parseBareDevice(parser, device) ||
                 parser.parseGreater());
}

void printDeviceInAngles(AsmPrinter &printer, DeviceAttr device) {
  printer << '<' << device.toString() << '>';
}

ParseResult parseBareActivation(AsmParser &parser, ActivationAttr &activation) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Activation> value = symbolizeActivation(word);
  if (!value)
    return parser.emitError(where, "expected step, serve or apply, got '")
           << word << "'";
  activation = ActivationAttr::get(parser.getContext(), *value);
  return success();
}

ParseResult parseBareUpdate(AsmParser &parser, UpdateAttr &update) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Update> value = symbolizeUpdate(word);
  if (!value)
    return parser.emitError(where, "expected sync or async, got '")
           << word << "'";
  update = UpdateAttr::get(parser.getContext(), *value);
  return success();
}

static ParseResult parseJobName(AsmParser &parser, std::string &name) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  name = word.str();
  return success();
}

static void printJobName(AsmPrinter &printer, StringRef name) {
  printer << name;
}

} // namespace dtc::dist

#include "dialects/dist/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dist/Attributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dist/Types.cpp.inc"

namespace dtc::dist {

//===----------------------------------------------------------------------===//
// Devices and clusters
//===----------------------------------------------------------------------===//

std::string DeviceAttr::taskString() const {
  return getJob().str() + ":" +
         (isTemplate() ? "*" : std::to_string(getTask()));
}

std::string DeviceAttr::toString() const {
  return taskString() + "/" + getType().str() + ":" +
         std::to_string(getIndex());
}

Attribute DeviceAttr::parse(AsmParser &parser, Type) {
  DeviceAttr device;
  return succeeded(parseDeviceInAngles(parser, device)) ? device : DeviceAttr();
}

void DeviceAttr::print(AsmPrinter &printer) const {
  printDeviceInAngles(printer, *this);
}

Attribute ClusterAttr::parse(AsmParser &parser, Type) {
  SmallVector<JobAttr> jobs;
  auto parseJob = [&]() -> ParseResult {
    StringRef name;
    int64_t tasks = 0;
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseInteger(tasks))
      return failure();
    jobs.push_back(JobAttr::get(parser.getContext(), name, tasks));
    return success();
  };
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseJob))
    return {};
  return ClusterAttr::getChecked([&] { return parser.emitError(where); },
                                 parser.getContext(), jobs);
}

void ClusterAttr::print(AsmPrinter &printer) const {
  printer << '<';
  interleaveComma(getJobs(), printer, [&](JobAttr job) {
    printer << job.getName() << " = " << job.getTasks();
  });
  printer << '>';
}

void DistDialect::registerAttributesAndTypes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dist/Attributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/dist/Types.cpp.inc"
      >();
}

} // namespace dtc::dist

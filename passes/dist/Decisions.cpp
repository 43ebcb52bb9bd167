#include "passes/dist/Decisions.h"
#include "dialects/diagnostics/Coded.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

static ModuleOp moduleOf(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module ? module : op->getParentOfType<ModuleOp>();
}

ClusterAttr clusterOf(Operation *op) {
  return moduleOf(op)->getAttrOfType<ClusterAttr>(clusterAttrName);
}

Mode modeOf(Operation *op) {
  return moduleOf(op)->getAttrOfType<ModeAttr>(modeAttrName).getValue();
}

bool isAsync(Operation *op) {
  auto update = moduleOf(op)->getAttrOfType<UpdateAttr>(updateAttrName);
  return update && update.getValue() == Update::Async;
}

Type wireTypeOf(Operation *op) {
  auto wire = moduleOf(op)->getAttrOfType<TypeAttr>(wireTypeAttrName);
  return wire ? wire.getValue() : Type();
}

LogicalResult requireHeader(ModuleOp module) {
  if (module->getAttrOfType<ClusterAttr>(clusterAttrName) &&
      module->getAttrOfType<ModeAttr>(modeAttrName))
    return success();
  return coded(module.emitError("the module has no "), Code::BadPhase)
         << clusterAttrName << " and " << modeAttrName
         << "; dist-assign-jobs writes them";
}

bool hasUpdates(graph::FuncOp func) {
  return !func.getBody().getOps<graph::AssignOp>().empty();
}

bool isReplicated(graph::FuncOp func) {
  return modeOf(func) == Mode::BetweenGraph && hasUpdates(func);
}

void write(Operation *op, ArrayRef<Decision> decisions) {
  NamedAttrList attributes(op->getDiscardableAttrDictionary());
  for (auto [name, value] : decisions) {
    if (value)
      attributes.set(name, value);
    else
      attributes.erase(name);
  }
  op->setDiscardableAttrs(attributes.getDictionary(op->getContext()));
}

/// A decision, which no op has among its own attributes.
template <typename Attr>
static Attr decided(Operation *op, StringRef name) {
  return dyn_cast_or_null<Attr>(op->getDiscardableAttr(name));
}

void setReason(Operation *op, const llvm::Twine &text) {
  op->setDiscardableAttr(reasonAttrName,
                         ReasonAttr::get(op->getContext(), text.str()));
}

StringRef reasonOf(Operation *op) {
  auto reason = decided<ReasonAttr>(op, reasonAttrName);
  return reason ? reason.getText() : "";
}

void setActivation(Operation *op, Activation activation) {
  op->setDiscardableAttr(activationAttrName,
                         ActivationAttr::get(op->getContext(), activation));
}

std::optional<Activation> activationOf(Operation *op) {
  auto attr = decided<ActivationAttr>(op, activationAttrName);
  return attr ? std::optional(attr.getValue()) : std::nullopt;
}

DeviceAttr deviceOf(Operation *op) {
  return decided<DeviceAttr>(op, deviceAttrName);
}

StringRef jobOf(Operation *op) {
  auto job = decided<StringAttr>(op, jobAttrName);
  return job ? job.getValue() : "";
}

FailureOr<DeviceSpec> wishOf(Operation *op) {
  Attribute attr = op->getDiscardableAttr(wishAttrName);
  if (!attr)
    return DeviceSpec{};
  auto text = dyn_cast<StringAttr>(attr);
  if (!text)
    return coded(op->emitError("attribute 'device' is a string, as in "
                               "\"/job:worker/task:0\", not "),
                 Code::BadDevice)
           << attr;
  ParsedDeviceSpec parsed = parseDeviceSpec(text.getValue());
  if (!parsed.spec)
    return coded(op->emitError(parsed.error), Code::BadDevice);
  return *parsed.spec;
}

StringRef wishTextOf(Operation *op) {
  auto text = decided<StringAttr>(op, wishAttrName);
  return text ? text.getValue() : "";
}

std::string describe(Operation *op) {
  if (auto output = dyn_cast<graph::OutputOp>(op))
    return "output '" + output.getOutputName().str() + "'";
  if (auto assign = dyn_cast<graph::AssignOp>(op))
    return "the update of '" + assign.getVariable().str() + "'";
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return (isAsync(op)              ? "the push of '"
            : accumulate.getConcat() ? "the replicas' rows of '"
                                     : "the replicas' mean of '") +
           accumulate.getAccumulator().str() + "'";
  if (auto variable = dyn_cast<graph::VariableOp>(op))
    return "variable '" + variable.getSymName().str() + "'";
  std::string name = graph::nameOf(op);
  return name.empty() ? op->getName().getStringRef().str() : "'" + name + "'";
}

} // namespace dtc::dist

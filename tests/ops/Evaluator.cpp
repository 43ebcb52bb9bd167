#include "tests/ops/Evaluator.h"

#include "runtime/kernels/Elements.h"
#include <cstring>

using namespace mlir;

namespace dtc::ops {

ElementType elementTypeOf(Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isInteger(1))
    return ElementType::I1;
  if (type.isInteger(8))
    return type.isUnsignedInteger() ? ElementType::U8 : ElementType::I8;
  return type.isInteger(32) ? ElementType::I32 : ElementType::I64;
}

Tensor emptyTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  ElementType element = elementTypeOf(tensor.getElementType());
  return {element, tensor.getShape().vec(),
          std::vector<std::byte>(tensor.getNumElements() * sizeBytes(element))};
}

size_t countOf(const Tensor &tensor) {
  return tensor.bytes.size() / sizeBytes(tensor.element);
}

double at(const Tensor &tensor, size_t index) {
  double value = 0;
  (void)visitElement(tensor.element, [&]<typename T>(std::type_identity<T>) {
    value = double(
        load(reinterpret_cast<const T *>(tensor.bytes.data()), int64_t(index)));
    return Status::ok();
  }).isOk();
  return value;
}

void setAt(Tensor &tensor, size_t index, double value) {
  (void)visitElement(tensor.element, [&]<typename T>(std::type_identity<T>) {
    store(reinterpret_cast<T *>(tensor.bytes.data()), int64_t(index),
          Compute<T>(value));
    return Status::ok();
  }).isOk();
}

static std::vector<std::byte> constantBytes(graph::ConstantOp op) {
  Tensor tensor = emptyTensor(op.getType());
  auto value = cast<DenseElementsAttr>(op.getValue());
  size_t size = sizeBytes(tensor.element);
  for (size_t i = 0; i < countOf(tensor); ++i) {
    std::byte *place = tensor.bytes.data() + i * size;
    if (tensor.element == ElementType::I1)
      *place = std::byte(value.getValues<bool>()[i]);
    else
      std::memcpy(place,
                  value.getRawData().data() + (value.isSplat() ? 0 : i * size),
                  size);
  }
  return tensor.bytes;
}

/// An op's attributes as the runtime sees them.
static Attributes attributesOf(Operation *op) {
  Attributes result;
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    result["value"] = constantBytes(constant);
    return result;
  }
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    std::string name = attribute.getName().str();
    Attribute value = attribute.getValue();
    if (isa<UnitAttr>(value))
      result[name] = true;
    else if (auto integer = dyn_cast<IntegerAttr>(value))
      result[name] = integer.getInt();
    else if (auto real = dyn_cast<FloatAttr>(value))
      result[name] = real.getValueAsDouble();
    else if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
      result[name] = std::vector<int64_t>(list.asArrayRef());
    else if (auto text = dyn_cast<StringAttr>(value))
      result[name] = text.str();
  }
  return result;
}

Evaluator::Evaluator(graph::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    feeds_[graph::nameOf(argument)] = places_[argument] = tensors_.size();
    tensors_.push_back(emptyTensor(argument.getType()));
  }
  for (Operation &op : func.getBody().front())
    if (auto output = dyn_cast<graph::OutputOp>(op))
      outputs_[output.getOutputName().str()] =
          places_.lookup(output.getValue());
    else
      addStep(&op);
}

void Evaluator::addStep(Operation *op) {
  Step step{op->getName().getStringRef().str(), attributesOf(op), {}, {}};
  for (Value operand : op->getOperands())
    step.operands.push_back(places_.lookup(operand));
  for (Value result : op->getResults()) {
    step.results.push_back(places_[result] = tensors_.size());
    tensors_.push_back(emptyTensor(result.getType()));
  }
  if (!isa<graph::ConstantOp>(op))
    steps_.push_back(std::move(step));
  else if (Status status = runStep(step); !status.isOk())
    constants_ = status;
}

Status Evaluator::runStep(const Step &step) {
  auto refs = [&](const std::vector<size_t> &places) {
    std::vector<TensorRef> result;
    for (size_t place : places) {
      Tensor &tensor = tensors_[place];
      result.push_back({tensor.element, tensor.shape, tensor.bytes.data()});
    }
    return result;
  };
  return runReferenceKernel(step.op, refs(step.operands), refs(step.results),
                            step.attributes);
}

Result<Tensors> Evaluator::run(const Tensors &feeds) {
  DTC_RETURN_IF_ERROR(constants_);
  for (const auto &[name, place] : feeds_) {
    auto found = feeds.find(name);
    if (found == feeds.end() || found->second.shape != tensors_[place].shape ||
        found->second.element != tensors_[place].element)
      return Status::invalidArgument("feed '" + name + "' does not fit");
    tensors_[place] = found->second;
  }
  for (const Step &step : steps_)
    DTC_RETURN_IF_ERROR(runStep(step));
  Tensors outputs;
  for (const auto &[name, place] : outputs_)
    outputs[name] = tensors_[place];
  return outputs;
}

} // namespace dtc::ops

#include "runtime/executor/ReferenceBody.h"

#include <cstring>
#include <memory>

#include "runtime/plan/TensorType.h"

namespace dtc {
namespace {

AttributeValue toValue(const proto::Attribute &attribute) {
  switch (attribute.kind_case()) {
  case proto::Attribute::kI:
    return int64_t(attribute.i());
  case proto::Attribute::kF:
    return attribute.f();
  case proto::Attribute::kB:
    return attribute.b();
  case proto::Attribute::kS:
    return attribute.s();
  case proto::Attribute::kInts:
    return std::vector<int64_t>(attribute.ints().values().begin(),
                                attribute.ints().values().end());
  case proto::Attribute::kType:
    return int64_t(attribute.type());
  case proto::Attribute::kData:
  case proto::Attribute::KIND_NOT_SET:
    break;
  }
  auto data = std::as_bytes(std::span(attribute.data()));
  return std::vector<std::byte>(data.begin(), data.end());
}

// No machine holds more; a few such sums still fit in 64 bits.
constexpr uint64_t maxScratchBytes = uint64_t(1) << 48;

struct AlignedFree {
  void operator()(std::byte *bytes) const { std::free(bytes); }
};

} // namespace

Result<ReferenceBody> ReferenceBody::create(const proto::Kernel &kernel) {
  if (kernel.body_size() == 0)
    return Status::failedPrecondition(
        strCat("kernel '", kernel.name(), "' has no body to interpret"));
  ReferenceBody body;
  auto add = [&](const proto::TensorType &proto, Value::Where where) {
    TensorType type = TensorType::create(proto).take();
    uint64_t offset =
        where == Value::Argument ? body.values_.size() : body.scratchBytes_;
    if (where == Value::Scratch)
      body.scratchBytes_ += (type.bytes + 63) / 64 * 64;
    body.values_.push_back(
        {where, offset, type.element, type.shape, type.bytes});
  };
  for (const proto::TensorType &input : kernel.inputs())
    add(input, Value::Argument);
  for (const proto::Node &node : kernel.body()) {
    if (!hasReferenceKernel(node.op()))
      return Status::unimplemented(strCat(
          "kernel '", kernel.name(), "', ", node.name(), " (", node.location(),
          "): there is no reference kernel for ", node.op()));
    Node copy{node.op(),
              node.name(),
              node.location(),
              {node.operands().begin(), node.operands().end()},
              {},
              {}};
    for (const auto &[name, attribute] : node.attributes())
      copy.attributes[name] = toValue(attribute);
    for (const proto::TensorType &result : node.results()) {
      copy.results.push_back(body.values_.size());
      add(result, Value::Scratch);
      if (body.scratchBytes_ > maxScratchBytes)
        return Status::resourceExhausted(
            strCat("kernel '", kernel.name(), "' needs more than ",
                   maxScratchBytes, " bytes for intermediate values"));
    }
    body.nodes_.push_back(std::move(copy));
  }
  for (int i = 0; i < kernel.results_size(); ++i)
    body.copies_.push_back({kernel.results(i), kernel.inputs_size() + i});
  return body;
}

TensorRef ReferenceBody::tensor(uint32_t value, void *const *arguments,
                                std::byte *scratch) const {
  const Value &v = values_[value];
  std::byte *data = v.where == Value::Argument
                        ? static_cast<std::byte *>(arguments[v.offset])
                        : scratch + v.offset;
  return {v.element, v.shape, data};
}

Status ReferenceBody::run(void *const *arguments) const {
  std::unique_ptr<std::byte, AlignedFree> scratch(static_cast<std::byte *>(
      std::aligned_alloc(64, std::max<uint64_t>(scratchBytes_, 64))));
  if (!scratch)
    return Status::resourceExhausted(
        strCat("no ", scratchBytes_, " bytes for intermediate values"));
  for (const Node &node : nodes_) {
    std::vector<TensorRef> operands, results;
    for (uint32_t value : node.operands)
      operands.push_back(tensor(value, arguments, scratch.get()));
    for (uint32_t value : node.results)
      results.push_back(tensor(value, arguments, scratch.get()));
    Status status =
        runReferenceKernel(node.op, operands, results, node.attributes);
    if (!status.isOk())
      return status.withPrefix(strCat(node.name, " (", node.location, "): "));
  }
  for (auto [value, argument] : copies_)
    if (values_[value].bytes > 0)
      std::memcpy(arguments[argument],
                  tensor(value, arguments, scratch.get()).data,
                  values_[value].bytes);
  return Status::ok();
}

} // namespace dtc

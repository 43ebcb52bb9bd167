#include "runtime/executor/LabelCheck.h"

#include "runtime/kernels/Labels.h"
#include "runtime/plan/TensorType.h"

namespace dtc {
namespace {

/// The node that makes value `value`, or null for an input.
const proto::Node *definerOf(const proto::Kernel &kernel, uint32_t value) {
  uint32_t next = kernel.inputs_size();
  for (const proto::Node &node : kernel.body()) {
    if (value >= next && value < next + node.results_size())
      return &node;
    next += node.results_size();
  }
  return nullptr;
}

TensorType typeOf(const proto::Kernel &kernel, uint32_t value) {
  const proto::Node *definer = definerOf(kernel, value);
  return TensorType::create(definer ? definer->results(0)
                                    : kernel.inputs(value))
      .take();
}

const proto::Attribute *attributeOf(const proto::Node &node,
                                    const std::string &name) {
  auto found = node.attributes().find(name);
  return found == node.attributes().end() ? nullptr : &found->second;
}

} // namespace

LabelCheck::LabelCheck(const proto::Kernel &kernel) {
  for (const proto::Node &node : kernel.body()) {
    if (node.op() == "graph.softmax_cross_entropy" &&
        node.operands_size() == 2) {
      TensorType logits = typeOf(kernel, node.operands(0));
      if (logits.shape.size() == 2)
        add(kernel, node, node.operands(1), logits.shape[1]);
    }
    const proto::Attribute *depth = attributeOf(node, "depth");
    if (node.op() == "graph.one_hot" && node.operands_size() == 1 && depth &&
        attributeOf(node, "strict"))
      add(kernel, node, node.operands(0), depth->i());
  }
}

void LabelCheck::add(const proto::Kernel &kernel, const proto::Node &node,
                     uint32_t operand, int64_t classes) {
  Labels labels;
  labels.where = strCat(node.name(), " (", node.location(), "): ");
  labels.op = node.op();
  labels.input = operand;
  labels.classes = classes;
  const proto::Node *definer = definerOf(kernel, operand);
  const proto::Attribute *value =
      definer ? attributeOf(*definer, "value") : nullptr;
  if (definer && !value)
    return; // computed in the kernel: generated code reads no such labels
  TensorType type = typeOf(kernel, operand);
  labels.element = type.element;
  labels.count = int64_t(type.elements);
  if (value) { // all elements, or one for all
    labels.constant = value->data();
    labels.count = int64_t(value->data().size() / sizeBytes(type.element));
  }
  labels_.push_back(std::move(labels));
}

Status LabelCheck::run(void *const *arguments) const {
  for (const Labels &labels : labels_) {
    const void *data = labels.constant.empty() ? arguments[labels.input]
                                               : labels.constant.data();
    TensorRef tensor{labels.element,
                     {labels.count},
                     static_cast<std::byte *>(const_cast<void *>(data))};
    Status status = checkLabels(labels.op, tensor, labels.classes);
    if (!status.isOk())
      return status.withPrefix(labels.where);
  }
  return Status::ok();
}

} // namespace dtc

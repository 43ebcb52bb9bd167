// What is rounded on its way is f32, leaves its task, and was asked for: a plan
// says so of each edge (TensorFlow's rule G7). One edge has one wire type, so
// its two ends agree.
#include "runtime/plan/PlanCheck.h"
#include "runtime/plan/WireType.h"

namespace dtc {
namespace {

constexpr uint64_t maxMemoryBytes = uint64_t(1) << 48;

std::string nameOf(int element) {
  std::optional<ElementType> type = elementTypeFromNumber(element);
  return type ? std::string(name(*type)) : strCat("element type ", element);
}

/// "" or what is wrong with it.
std::string wrongWire(const proto::Edge &edge, const TensorType &type) {
  if (edge.wire() == proto::ELEMENT_TYPE_UNSPECIFIED)
    return "";
  std::string crosses = strCat("crosses as ", nameOf(edge.wire()));
  if (edge.wire() != proto::BF16)
    return crosses + "; only bf16 is possible";
  if (type.element != ElementType::F32)
    return strCat(crosses, ", but is ", type, "; only f32 is narrowed");
  if (toTaskId(edge.source()) == toTaskId(edge.target()))
    return strCat(crosses, ", but stays on ", toTaskId(edge.source()),
                  "; nothing is rounded within a task");
  return "";
}

} // namespace

Status checkWire(const proto::Edge &edge, const TensorType &type) {
  if (std::string wrong = wrongWire(edge, type); !wrong.empty())
    return Status::dataLoss(wrong);
  if (uint64_t bytes = wireBytes(edge, type.bytes); edge.bytes() != bytes)
    return Status::dataLoss(strCat(
        "has ", edge.bytes(), " bytes, ", type,
        edge.wire() ? " as " + nameOf(edge.wire()) : "", " has ", bytes));
  return Status::ok();
}

Status checkPackBytes(const proto::Entry &entry,
                      const std::vector<ActivationSite> &sites) {
  for (const ActivationSite &site : sites)
    if (memoryBytes(entry, *site.activation) > maxMemoryBytes)
      return Status::dataLoss(
          strCat(site.where, ": an arena of ", site.activation->arena_bytes(),
                 " bytes and what its sends pack are over the limit of ",
                 maxMemoryBytes));
  return Status::ok();
}

} // namespace dtc

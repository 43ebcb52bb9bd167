// Reasons: no run needs them, but whoever reads a plan follows their numbers.
#include <tuple>

#include "runtime/plan/PlanCheck.h"

namespace dtc {
namespace {

/// The instruction that a decision is about, or nullptr.
const proto::Instruction *instructionOf(const proto::Entry &entry,
                                        const proto::Decision &decision) {
  if (decision.program() >= uint32_t(entry.programs_size()))
    return nullptr;
  const proto::Program &program = entry.programs(decision.program());
  if (decision.activation() >= uint32_t(program.activations_size()))
    return nullptr;
  const proto::Activation &activation =
      program.activations(decision.activation());
  return decision.instruction() < uint32_t(activation.instructions_size())
             ? &activation.instructions(decision.instruction())
             : nullptr;
}

Status checkDecision(const proto::Plan &plan, const proto::Entry &entry,
                     const proto::Decision &decision) {
  const proto::Instruction *instruction = instructionOf(entry, decision);
  if (!instruction)
    return Status::dataLoss(strCat("is about program ", decision.program(),
                                   ", activation ", decision.activation(),
                                   ", instruction ", decision.instruction(),
                                   ", which does not exist"));
  // checkTables and checkActivation have passed: the kernel exists.
  uint32_t nodes =
      instruction->has_launch()
          ? plan.kernels(instruction->launch().kernel()).body_size()
          : 1;
  if (decision.node() >= nodes)
    return Status::dataLoss(
        strCat("is about node ", decision.node(), " of ", nodes));
  if (decision.reason() > uint32_t(plan.reasons_size()))
    return Status::dataLoss(strCat("names reason ", decision.reason(), " of ",
                                   plan.reasons_size()));
  return Status::ok();
}

} // namespace

Status checkDecisions(const proto::Plan &plan, const proto::Entry &entry) {
  std::tuple<uint32_t, uint32_t, uint32_t> previous;
  for (const proto::Decision &decision : entry.decisions()) {
    std::string where = strCat("entry '", entry.name(), "': the decision on '",
                               decision.op(), "' ");
    DTC_RETURN_IF_ERROR(checkDecision(plan, entry, decision).withPrefix(where));
    std::tuple at{decision.program(), decision.activation(),
                  decision.instruction()};
    if (at < previous)
      return Status::dataLoss(where +
                              "is not in the order of the instructions");
    previous = at;
  }
  return Status::ok();
}

} // namespace dtc

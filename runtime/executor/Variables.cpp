#include "runtime/executor/Variables.h"

#include <cassert>
#include <cstring>

#include "runtime/executor/Initializer.h"
#include "runtime/plan/Plan.h"

namespace dtc {

Result<std::unique_ptr<Variables>>
Variables::create(std::shared_ptr<const Plan> plan, const TaskId &self,
                  Device &device) {
  std::unique_ptr<Variables> result(new Variables());
  result->slots_.resize(plan->proto().variables_size());
  for (uint32_t v = 0; v < result->slots_.size(); ++v) {
    const proto::Variable &declared = plan->proto().variables(v);
    if (toTaskId(declared.home()) != self)
      continue;
    auto buffer = device.allocate(plan->variableType(v).bytes);
    if (!buffer.isOk())
      return buffer.status().withPrefix(
          strCat("variable '", declared.name(), "': "));
    result->slots_[v].buffer = buffer.take();
    result->slots_[v].isHere = true;
  }
  result->plan_ = std::move(plan);
  return result;
}

bool Variables::holds(uint32_t variable) const {
  return variable < slots_.size() && slots_[variable].isHere;
}

bool Variables::isInitialized(uint32_t variable) const {
  return holds(variable) && slots_[variable].isInitialized;
}

std::span<std::byte> Variables::bytes(uint32_t variable) {
  assert(holds(variable));
  return slots_[variable].buffer.span();
}

void Variables::initialize(uint64_t seed, double spread) {
  for (uint32_t v = 0; v < slots_.size(); ++v)
    if (slots_[v].isHere && !slots_[v].isInitialized) {
      initialValue(*plan_, v, seed, spread, bytes(v));
      slots_[v].isInitialized = true;
    }
}

Status Variables::set(uint32_t variable, std::span<const std::byte> value) {
  if (variable >= slots_.size())
    return Status::notFound(strCat("there is no variable ", variable));
  const proto::Variable &declared = plan_->proto().variables(variable);
  if (!holds(variable))
    return Status::notFound(strCat("variable '", declared.name(), "' lives on ",
                                   toTaskId(declared.home())));
  if (value.size() != bytes(variable).size())
    return Status::invalidArgument(strCat(
        "variable '", declared.name(), "': got ", value.size(), " bytes, ",
        plan_->variableType(variable), " has ", bytes(variable).size()));
  if (!value.empty())
    std::memcpy(bytes(variable).data(), value.data(), value.size());
  slots_[variable].isInitialized = true;
  return Status::ok();
}

} // namespace dtc

#include "runtime/executor/Accumulator.h"

#include <cassert>
#include <cstring>

#include "runtime/kernels/Elements.h"

namespace dtc {
namespace {

/// As graph.replica_mean computes it, bit for bit: dtc verify compares the two.
template <typename T>
void meanOf(const std::vector<Buffer> &values, uint64_t elements, T *result) {
  using C = Compute<T>;
  for (uint64_t i = 0; i < elements; ++i) {
    C sum = load(reinterpret_cast<const T *>(values[0].data()), i);
    for (size_t replica = 1; replica < values.size(); ++replica)
      sum += load(reinterpret_cast<const T *>(values[replica].data()), i);
    store(result, i, sum / static_cast<C>(values.size()));
  }
}

} // namespace

Result<std::unique_ptr<Accumulator>> Accumulator::create(std::string name,
                                                         TensorType type,
                                                         uint32_t replicas,
                                                         Device &device) {
  assert(replicas > 0 && "the plan was checked");
  std::unique_ptr<Accumulator> result(new Accumulator());
  for (uint32_t replica = 0; replica < replicas; ++replica) {
    DTC_ASSIGN_OR_RETURN(Buffer buffer, device.allocate(type.bytes));
    result->values_.push_back(std::move(buffer));
  }
  result->given_.resize(replicas);
  result->name_ = std::move(name);
  result->type_ = std::move(type);
  return result;
}

Status Accumulator::accept(uint32_t replica, uint64_t step,
                           std::span<const std::byte> value) {
  assert(replica < values_.size() && value.size() == type_.bytes);
  std::lock_guard lock(mutex_);
  if (given_[replica] == step)
    return Status::alreadyExists(strCat("accumulator '", name_,
                                        "' got two values of replica ", replica,
                                        " for step ", step));
  if (given_[replica])
    return Status::failedPrecondition(
        strCat("accumulator '", name_, "' got a value for step ", step,
               " while it collects step ", *given_[replica]));
  given_[replica] = step;
  if (!value.empty())
    std::memcpy(values_[replica].data(), value.data(), value.size());
  return Status::ok();
}

Status Accumulator::mean(std::span<std::byte> result) const {
  assert(isFloat(type_.element) && result.size() == type_.bytes);
  return visitElement(type_.element, [&](auto identity) {
    using T = typename decltype(identity)::type;
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                  std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      meanOf(values_, type_.elements, reinterpret_cast<T *>(result.data()));
    return Status::ok();
  });
}

void Accumulator::concat(std::span<std::byte> result) const {
  assert(result.size() == type_.bytes * values_.size());
  for (size_t replica = 0; type_.bytes && replica < values_.size(); ++replica)
    std::memcpy(result.data() + replica * type_.bytes, values_[replica].data(),
                type_.bytes);
}

Status Accumulator::expect(uint32_t replica, uint64_t step) const {
  if (given_[replica] == step)
    return Status::ok();
  return Status::failedPrecondition(strCat("accumulator '", name_,
                                           "' has no value of replica ",
                                           replica, " for step ", step));
}

Status Accumulator::take(uint64_t step, std::span<std::byte> result,
                         Combine combine) {
  std::lock_guard lock(mutex_);
  for (size_t replica = 0; replica < given_.size(); ++replica)
    DTC_RETURN_IF_ERROR(expect(replica, step));
  given_.assign(given_.size(), std::nullopt);
  if (combine == Mean)
    return mean(result);
  concat(result);
  return Status::ok();
}

Status Accumulator::takeOne(uint32_t replica, uint64_t step,
                            std::span<std::byte> result) {
  assert(replica < values_.size() && result.size() == type_.bytes);
  std::lock_guard lock(mutex_);
  DTC_RETURN_IF_ERROR(expect(replica, step));
  given_[replica] = std::nullopt;
  if (!result.empty())
    std::memcpy(result.data(), values_[replica].data(), result.size());
  return Status::ok();
}

} // namespace dtc

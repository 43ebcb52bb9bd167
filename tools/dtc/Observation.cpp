#include "tools/dtc/Observation.h"

#include <mutex>

#include "tools/dtc/Oracle.h"
#include "tools/dtc/Values.h"

namespace dtc::tool {

static Tensor tensorOf(const proto::TensorType &declared,
                       std::span<const std::byte> bytes) {
  TensorType type = *TensorType::create(declared);
  return {type.element, type.shape, {bytes.begin(), bytes.end()}};
}

Result<Observation> observe(const Plan::Ptr &plan, const proto::Entry &entry,
                            RunOptions run, int64_t turns,
                            KernelListener ranKernel) {
  Observation observed;
  std::mutex mutex; // guards observed
  auto isLast = [turns, steps = *run.steps](uint64_t step) {
    return step / turns + 1 == static_cast<uint64_t>(steps / turns);
  };
  run.tap = [&](const SentTensor &sent) {
    if (!isLast(sent.step))
      return;
    std::lock_guard lock(mutex);
    observed.sent[{sent.edge, sent.replica}] =
        tensorOf(entry.edges(sent.edge).type(), sent.bytes);
  };
  run.fetched = [&](uint32_t fetch, uint64_t step, uint32_t replica,
                    std::span<const std::byte> bytes) {
    if (!isLast(step))
      return;
    const proto::Fetch &declared = entry.fetches(fetch);
    std::lock_guard lock(mutex);
    observed.fetches[{declared.name(), replica}] =
        tensorOf(declared.type(), bytes);
  };
  if (ranKernel)
    run.ranKernel = [&](const KernelRun &kernel) {
      if (isLast(kernel.step))
        ranKernel(kernel);
    };
  DTC_ASSIGN_OR_RETURN(observed.summary, runInProcess(plan, run));
  return observed;
}

const Observation::Fetches::value_type *
watched(const Observation &oracle, const std::string &name, uint32_t replica) {
  // In towers; with update async in the replica's own turn; or one value for
  // all blocks: a variable.
  for (const auto &key : {std::pair(watchName(name, replica), 0u),
                          std::pair(watchName(name, 0), replica),
                          std::pair(watchName(name, 0), 0u)})
    if (auto found = oracle.fetches.find(key); found != oracle.fetches.end())
      return &*found;
  return nullptr;
}

std::string bitDifference(const Tensor &actual, const Tensor &expected) {
  if (actual == expected)
    return "";
  std::string numbers = compareTensors(actual, expected, 0, 0);
  return numbers.empty() ? "the bits differ" : numbers;
}

} // namespace dtc::tool

#include "tools/dtc/ValueCheck.h"

#include <algorithm>

namespace dtc::tool {
namespace {

/// An op of several results is called "dx, dw".
std::vector<std::string> namesOf(const proto::Instruction &launch) {
  std::vector<std::string> names;
  constexpr std::string_view comma = ", ";
  size_t begin = 0;
  for (size_t end; begin <= launch.name().size(); begin = end + comma.size()) {
    end = std::min(launch.name().find(comma, begin), launch.name().size());
    names.push_back(launch.name().substr(begin, end - begin));
  }
  return names;
}

uint32_t countValues(const proto::Kernel &kernel) {
  uint32_t count = kernel.inputs_size();
  for (const proto::Node &node : kernel.body())
    count += node.results_size();
  return count;
}

} // namespace

std::vector<std::string> launchedValues(const proto::Entry &entry) {
  std::vector<std::string> values;
  for (const proto::Program &program : entry.programs())
    for (const proto::Activation &activation : program.activations())
      for (const proto::Instruction &it : activation.instructions())
        if (it.has_launch())
          for (std::string &name : namesOf(it))
            values.push_back(std::move(name));
  return values;
}

ValueCheck::ValueCheck(Plan::Ptr plan, const proto::Entry &oracle,
                       const Observation &shown)
    : plan_(std::move(plan)), shown_(shown) {
  for (const proto::Fetch &fetch : oracle.fetches())
    order_.emplace(fetch.name(), order_.size());
}

void ValueCheck::check(const KernelRun &run) {
  const proto::Kernel &kernel =
      plan_->proto().kernels(run.launch.launch().kernel());
  if (kernel.body().empty())
    return;
  std::vector<std::string> names = namesOf(run.launch);
  const proto::Node &last = *kernel.body().rbegin();
  if (names.size() != static_cast<size_t>(last.results_size()))
    return;
  uint32_t first = countValues(kernel) - last.results_size();
  for (int i = 0; i < kernel.results_size(); ++i)
    if (kernel.results(i) >= first)
      compare(names[kernel.results(i) - first], run, kernel.outputs(i),
              run.arguments[kernel.inputs_size() + i]);
}

void ValueCheck::compare(const std::string &name, const KernelRun &run,
                         const proto::TensorType &declared, const void *bytes) {
  const auto *expected = watched(shown_, name, run.replica);
  if (!expected)
    return; // made by partitioning itself
  TensorType type = *TensorType::create(declared);
  auto data = static_cast<const std::byte *>(bytes);
  std::string difference = bitDifference(
      {type.element, type.shape, {data, data + type.bytes}}, expected->second);
  Place place{order_.at(expected->first.first), run.replica};
  std::lock_guard lock(mutex_);
  checked_.insert(place);
  if (!difference.empty())
    differences_.emplace(place, strCat("value '", name, "' of replica ",
                                       run.replica, ": ", difference));
}

std::string ValueCheck::difference() const {
  return differences_.empty() ? "" : differences_.begin()->second;
}

} // namespace dtc::tool

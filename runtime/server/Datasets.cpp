#include "runtime/server/Datasets.h"

#include <algorithm>

namespace dtc {
namespace {

/// Does any instruction that `self` executes in the entry satisfy `isIt`?
template <typename Predicate>
bool executesAny(const Plan &plan, const proto::Entry &entry,
                 const TaskId &self, Predicate isIt) {
  for (const proto::Program &program : entry.programs())
    if (plan.executes(self, entry, program))
      for (const proto::Activation &activation : program.activations())
        for (const proto::Instruction &instruction : activation.instructions())
          if (isIt(instruction))
            return true;
  return false;
}

} // namespace

struct Datasets::Impl {
  const proto::Entry *entry = nullptr;
  uint32_t replica = 0;
  decltype(RunOptions::rows) rows;
};

bool readsInput(const Plan &plan, const proto::Entry &entry, const TaskId &self,
                uint32_t input) {
  return executesAny(plan, entry, self, [&](const proto::Instruction &it) {
    return it.has_read_input() && it.read_input().input() == input;
  });
}

bool readsFeed(const Plan &plan, const proto::Entry &entry, const TaskId &self,
               uint32_t feed) {
  return executesAny(plan, entry, self, [&](const proto::Instruction &it) {
    return it.has_read_feed() && it.read_feed().feed() == feed;
  });
}

Datasets::Datasets() : impl_(std::make_unique<Impl>()) {}
Datasets::~Datasets() = default;

Result<std::unique_ptr<Datasets>>
Datasets::open(const Plan &plan, const proto::Entry &entry, const TaskId &self,
               const RunOptions &options, uint64_t seed) {
  std::unique_ptr<Datasets> datasets(new Datasets());
  Impl &impl = *datasets->impl_;
  impl.entry = &entry;
  impl.rows = options.rows;
  std::vector<TaskId> replicas = plan.replicas(entry);
  auto me = std::find(replicas.begin(), replicas.end(), self);
  impl.replica = me == replicas.end() ? 0 : me - replicas.begin();
  return datasets;
}

int64_t Datasets::stepsPerEpoch() const { return 0; }
int64_t Datasets::droppedPerEpoch() const { return 0; }

Status Datasets::read(uint32_t input, uint64_t step,
                      std::span<const std::span<std::byte>> columns) const {
  return impl_->rows(impl_->entry->inputs(input), step, impl_->replica,
                     columns);
}

} // namespace dtc

#include "runtime/server/Worker.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "runtime/plan/AsyncEntry.h"

namespace dtc {
namespace {

/// What a task does in an entry, and as whom.
class Part {
public:
  Part(const Plan &plan, const proto::Entry &entry, const TaskId &task)
      : plan_(plan), entry_(entry), task_(task),
        replicas_(plan.replicas(entry)), isAsync_(plan.isAsync(entry)) {
    auto me = std::find(replicas_.begin(), replicas_.end(), task);
    isReplica_ = me != replicas_.end();
    own_ = isReplica_ ? me - replicas_.begin() : 0;
  }

  size_t lanes() const { return isAsync_ ? replicas_.size() : 1; }

  /// Calls visit(lane, activation, replica, peer) for each execution in a step.
  template <typename Visit>
  Status visit(Visit visit) const {
    for (const proto::Program &program : entry_.programs())
      if (plan_.executes(task_, entry_, program))
        for (const proto::Activation &activation : program.activations())
          DTC_RETURN_IF_ERROR(visitOne(activation, visit));
    return Status::ok();
  }

private:
  template <typename Visit>
  Status visitOne(const proto::Activation &activation, Visit visit) const {
    bool isServe = activation.kind() == proto::Activation::SERVE;
    bool isPush = isAsync_ && activation.kind() == proto::Activation::APPLY;
    if (!isServe && !isPush) {
      // Its counterpart: itself, or for others the only replica (with several,
      // only serve activations have one).
      TaskId peer = isReplica_ ? task_ : replicas_.front();
      return visit(isAsync_ ? own_ : 0, activation, own_, peer);
    }
    for (uint32_t r = 0; r < replicas_.size(); ++r)
      DTC_RETURN_IF_ERROR(visit(isAsync_ ? r : 0, activation, r, replicas_[r]));
    return Status::ok();
  }

  const Plan &plan_;
  const proto::Entry &entry_;
  const TaskId task_;
  const std::vector<TaskId> replicas_;
  const bool isAsync_;
  bool isReplica_ = false;
  uint32_t own_ = 0;
};

} // namespace

std::vector<uint32_t> Worker::lanesOf(const Plan &plan,
                                      const proto::Entry &entry,
                                      const TaskId &task) {
  std::set<uint32_t> lanes;
  (void)Part(plan, entry, task)
      .visit([&](uint32_t lane, const proto::Activation &, uint32_t,
                 const TaskId &) {
        lanes.insert(lane);
        return Status::ok();
      });
  return {lanes.begin(), lanes.end()};
}

Result<std::unique_ptr<Worker>> Worker::create(Plan::Ptr plan,
                                               const proto::Entry &entry,
                                               TaskContext &context,
                                               const Options &options) {
  std::unique_ptr<Worker> worker(new Worker());
  worker->options_ = options;
  Part part(*plan, entry, context.self);
  for (size_t lane = 0; lane < part.lanes(); ++lane)
    worker->loops_.push_back(
        std::make_unique<StepLoop>(*context.pool, options.stepTimeout));
  std::map<const proto::Activation *, Executor *> executors;
  DTC_RETURN_IF_ERROR(part.visit([&](uint32_t lane,
                                     const proto::Activation &activation,
                                     uint32_t replica, const TaskId &peer) {
    Executor *&executor = executors[&activation];
    if (!executor) {
      auto made = Executor::create(plan, entry, activation, context);
      if (!made.isOk())
        return made.status();
      worker->executors_.push_back(made.take());
      executor = worker->executors_.back().get();
      bool isServe = activation.kind() == proto::Activation::SERVE;
      DTC_RETURN_IF_ERROR(executor->reserve(isServe ? entry.replicas() : 1));
    }
    worker->loops_[lane]->add({executor, replica, peer},
                              activation.kind() == proto::Activation::APPLY);
    return Status::ok();
  }));
  if (plan->isAsync(entry))
    worker->makeQueue(*plan, entry, context.self);
  return worker;
}

uint64_t Worker::arenaBytes() const {
  uint64_t bytes = 0;
  for (const std::unique_ptr<Executor> &executor : executors_)
    bytes += executor->arenaBytes();
  return bytes;
}

void Worker::makeQueue(const Plan &plan, const proto::Entry &entry,
                       const TaskId &self) {
  size_t lanes = lanesOf(plan, entry, self).size();
  isReplay_ = options_.isReplay && lanes > 1;
  // In a replay the lanes themselves are in order.
  std::optional<TaskId> leader = applyLeader(plan, entry);
  bool follows = leader && *leader != self && !options_.isReplay;
  leads_ = leader && *leader == self && !options_.isReplay;
  applies_ = std::make_unique<ApplyQueue>(
      follows ? ApplyQueue::OfTurns : ApplyQueue::OfArrival,
      [this](uint32_t lane) { return loops_[lane]->apply(); });
}

bool Worker::hasWork() const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [](const auto &loop) { return loop->hasWork(); });
}

void Worker::start(uint64_t first, uint64_t steps, Hooks hooks) {
  hooks_ = std::move(hooks);
  loopsRunning_ = loops_.size();
  if (isReplay_)
    loops_[0]->setLimit(first + 1);
  for (uint32_t lane = 0; lane < loops_.size(); ++lane) {
    StepLoop::Hooks of{
        .stepDone = [this, lane](uint64_t step) { stepDone(lane, step); },
        .isWhole = {},
        .ended = [this](Status status) { loopEnded(std::move(status)); },
        .replicaAt = options_.replicaAt};
    if (applies_)
      of.isWhole = [this, lane] { isWhole(lane); };
    loops_[lane]->start(first, steps, std::move(of));
  }
}

void Worker::setLimit(uint32_t lane, uint64_t step) {
  if (lane < loops_.size() && !isReplay_)
    loops_[lane]->setLimit(step);
}

void Worker::turn(uint32_t lane) {
  if (applies_ && lane < loops_.size())
    applies_->turn(lane);
}

void Worker::abort(Status why) {
  for (const auto &loop : loops_)
    loop->abort(why);
}

void Worker::isWhole(uint32_t lane) {
  applies_->whole(lane, [&] {
    if (leads_ && hooks_.turn)
      hooks_.turn(lane);
  });
}

void Worker::stepDone(uint32_t lane, uint64_t step) {
  if (applies_)
    applies_->applied();
  if (hooks_.stepDone)
    hooks_.stepDone(lane, step);
  if (!isReplay_)
    return;
  // The next lane does the step that this one has done, or after the last lane
  // the first one the next.
  uint32_t next = (lane + 1) % loops_.size();
  loops_[next]->setLimit(next ? step + 1 : step + 2);
}

/// The first error ends all lanes; the last lane ends the worker.
void Worker::loopEnded(Status status) {
  bool isFirst = false;
  {
    std::lock_guard lock(mutex_);
    isFirst = status_.isOk() && !status.isOk();
    if (isFirst)
      status_ = status;
  }
  if (isFirst)
    abort(status);
  Hooks hooks;
  {
    std::lock_guard lock(mutex_);
    if (--loopsRunning_ > 0)
      return;
    hooks = std::move(hooks_);
    status = status_;
  }
  hooks.ended(std::move(status));
}

} // namespace dtc

#include "runtime/server/Worker.h"

#include <algorithm>

namespace dtc {

Result<std::unique_ptr<Worker>> Worker::create(Plan::Ptr plan,
                                               const proto::Entry &entry,
                                               TaskContext &context,
                                               Duration stepTimeout) {
  std::unique_ptr<Worker> worker(new Worker());
  worker->context_ = &context;
  worker->stepTimeout_ = stepTimeout;
  std::vector<TaskId> replicas = plan->replicas(entry);
  auto me = std::find(replicas.begin(), replicas.end(), context.self);
  bool isReplica = me != replicas.end();
  uint32_t own = isReplica ? me - replicas.begin() : 0;
  // Its counterpart: itself, or for others the only replica (with several, only
  // serve activations have one).
  TaskId peer = isReplica ? context.self : replicas.front();
  for (const proto::Program &program : entry.programs()) {
    if (!plan->executes(context.self, entry, program))
      continue;
    for (const proto::Activation &activation : program.activations()) {
      DTC_ASSIGN_OR_RETURN(auto executor,
                           Executor::create(plan, entry, activation, context));
      Executor *e = executor.get();
      worker->executors_.push_back(std::move(executor));
      bool isServe = activation.kind() == proto::Activation::SERVE;
      DTC_RETURN_IF_ERROR(e->reserve(isServe ? replicas.size() : 1));
      if (activation.kind() == proto::Activation::APPLY)
        worker->late_.push_back({e, own, peer});
      else if (activation.kind() == proto::Activation::STEP)
        worker->early_.push_back({e, own, peer});
      else
        for (uint32_t r = 0; r < replicas.size(); ++r)
          worker->early_.push_back({e, r, replicas[r]});
    }
  }
  return worker;
}

uint64_t Worker::arenaBytes() const {
  uint64_t bytes = 0;
  for (const std::unique_ptr<Executor> &executor : executors_)
    bytes += executor->arenaBytes();
  return bytes;
}

void Worker::start(uint64_t first, uint64_t steps, Hooks hooks) {
  hooks_ = std::move(hooks);
  step_ = first;
  end_ = first + steps;
  beginStep();
}

void Worker::setLimit(uint64_t step) {
  {
    std::lock_guard lock(mutex_);
    limit_ = std::max(limit_, step);
    if (!isParked_ || step_ >= limit_)
      return;
    isParked_ = false;
  }
  beginStep();
}

void Worker::abort(Status why) {
  {
    std::lock_guard lock(mutex_);
    if (status_.isOk())
      status_ = why;
    if (!isParked_)
      return;
    isParked_ = false;
  }
  end(why);
}

void Worker::beginStep() {
  Status status;
  {
    std::lock_guard lock(mutex_);
    status = status_;
    if (status.isOk() && step_ < end_ && hasWork() && step_ >= limit_) {
      isParked_ = true;
      return;
    }
  }
  if (!status.isOk() || step_ >= end_ || !hasWork())
    return end(status);
  // On a pool thread of its own: activations that end at once would otherwise
  // nest one step in the other.
  context_->pool->schedule([this] { beginPhase(early_, /*isLate=*/false); });
}

void Worker::beginPhase(const std::vector<Unit> &units, bool isLate) {
  {
    std::lock_guard lock(mutex_);
    running_ = units.size() + 1; // and this loop
  }
  for (const Unit &unit : units)
    unit.executor->start(
        {.step = step_,
         .replica = unit.replica,
         .peer = unit.peer,
         .recvDeadline = Deadline::after(stepTimeout_)},
        [this, isLate](Status status) { unitDone(std::move(status), isLate); });
  unitDone(Status::ok(), isLate);
}

void Worker::unitDone(Status status, bool isLate) {
  {
    std::lock_guard lock(mutex_);
    if (status_.isOk() && !status.isOk())
      status_ = std::move(status);
    if (--running_ > 0)
      return;
    status = status_;
  }
  if (!status.isOk())
    return end(status);
  phaseDone(isLate);
}

void Worker::phaseDone(bool isLate) {
  if (!isLate && !late_.empty()) {
    // unitDone may be on a transport's thread; applying is work.
    context_->pool->schedule([this] { beginPhase(late_, /*isLate=*/true); });
    return;
  }
  if (hooks_.stepDone)
    hooks_.stepDone(step_);
  {
    std::lock_guard lock(mutex_);
    ++step_;
  }
  beginStep();
}

void Worker::end(Status status) {
  Hooks hooks = std::move(hooks_);
  hooks.ended(std::move(status));
}

} // namespace dtc

#include "runtime/server/StepLoop.h"

#include <algorithm>

namespace dtc {

void StepLoop::start(uint64_t first, uint64_t steps, Hooks hooks) {
  hooks_ = std::move(hooks);
  step_ = first;
  end_ = first + steps;
  beginStep();
}

void StepLoop::setLimit(uint64_t step) {
  {
    std::lock_guard lock(mutex_);
    limit_ = std::max(limit_, step);
    if (state_ != AtLimit || step_ >= limit_)
      return;
    state_ = Running;
  }
  beginStep();
}

bool StepLoop::apply() {
  {
    std::lock_guard lock(mutex_);
    if (state_ != Whole)
      return false;
    state_ = Running;
  }
  // Whoever calls may be on a transport's thread; applying is work.
  pool_.schedule([this] { beginPhase(late_, /*isLate=*/true); });
  return true;
}

void StepLoop::abort(Status why) {
  {
    std::lock_guard lock(mutex_);
    if (status_.isOk())
      status_ = why;
    if (state_ == Running || isHandingOver_)
      return;
    state_ = Running;
  }
  end(why);
}

void StepLoop::beginStep() {
  Status status;
  {
    std::lock_guard lock(mutex_);
    status = status_;
    if (status.isOk() && step_ < end_ && hasWork() && step_ >= limit_) {
      state_ = AtLimit;
      return;
    }
  }
  if (!status.isOk() || step_ >= end_ || !hasWork())
    return end(status);
  // On a pool thread of its own: activations that end at once would otherwise
  // nest one step in the other.
  pool_.schedule([this] { beginPhase(early_, /*isLate=*/false); });
}

void StepLoop::beginPhase(const std::vector<Unit> &units, bool isLate) {
  {
    std::lock_guard lock(mutex_);
    running_ = units.size() + 1; // and this loop
    isLateDone_ = false;
  }
  for (const Unit &unit : units)
    unit.executor->start(
        {.step = step_,
         .replica = hooks_.replicaAt ? hooks_.replicaAt(step_) : unit.replica,
         .peer = unit.peer,
         .recvDeadline = Deadline::after(stepTimeout_)},
        [this, isLate](Status status) { unitDone(std::move(status), isLate); });
  unitDone(Status::ok(), isLate);
}

void StepLoop::unitDone(Status status, bool isLate) {
  {
    std::lock_guard lock(mutex_);
    if (status_.isOk() && !status.isOk())
      status_ = std::move(status);
    if (--running_ > 0)
      return;
    isLateDone_ = isLate;
    if (isHandingOver_)
      return; // handOver() goes on
    status = status_;
  }
  if (!status.isOk())
    return end(status);
  isLate || late_.empty() ? stepDone() : handOver();
}

/// Says that the step is whole. apply() may come meanwhile, and all of it end.
void StepLoop::handOver() {
  if (!hooks_.isWhole) {
    {
      std::lock_guard lock(mutex_);
      state_ = Whole;
    }
    return void(apply());
  }
  {
    std::lock_guard lock(mutex_);
    state_ = Whole;
    isHandingOver_ = true;
  }
  hooks_.isWhole();
  Status status;
  {
    std::lock_guard lock(mutex_);
    isHandingOver_ = false;
    status = status_;
    bool isAborted = state_ == Whole && !status.isOk();
    if (!isLateDone_ && !isAborted)
      return; // apply() comes, or is under way
    state_ = Running;
  }
  status.isOk() ? stepDone() : end(status);
}

void StepLoop::stepDone() {
  if (hooks_.stepDone)
    hooks_.stepDone(step_);
  {
    std::lock_guard lock(mutex_);
    ++step_;
  }
  beginStep();
}

void StepLoop::end(Status status) {
  Hooks hooks = std::move(hooks_);
  hooks.ended(std::move(status));
}

} // namespace dtc

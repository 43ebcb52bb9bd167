#include "runtime/server/Follower.h"

#include "runtime/server/Protocol.h"

namespace dtc {
namespace {
using namespace std::chrono_literals;
constexpr Duration settleTime = 2s;    // for the chief's verdict
constexpr Duration arriveTime = 500ms; // for what it sent before it left
} // namespace

Follower::Follower(Site site) : Member(std::move(site)) {
  chief_ = site_.plan->chief();
}

std::string Follower::chiefText() const {
  return strCat("the chief, ", named(chief_));
}

/// After its own part a task needs the chief alone; others may have left.
bool Follower::needs(const TaskId &peer) const {
  return !hasEnd_ && (peer == chief_ || !isDone_);
}

void Follower::onControl(const TaskId &from, const proto::Control &control) {
  if (onTurn(from, control))
    return;
  if (from != chief_)
    return fail(Status::dataLoss(strCat(
        named(from), " gives orders, but the chief is ", named(chief_))));
  using C = proto::Control;
  switch (control.kind_case()) {
  case C::kHello:
    return onHello(control.hello());
  case C::kPrepare:
    prepare_ = control.prepare();
    return;
  case C::kStart:
    start_ = control.start();
    return;
  case C::kLimit:
    if (worker_)
      worker_->setLimit(control.limit().lane(), control.limit().step());
    return;
  case C::kCollect:
    return sendVariables();
  case C::kEnd:
    hasEnd_ = true;
    return;
  case C::kAbort:
    verdict_ = statusOf(control.abort());
    return fail(*verdict_);
  default:
    return fail(Status::dataLoss(strCat(
        named(from), " sent a message that is not the chief's to send")));
  }
}

void Follower::onHello(const proto::Hello &hello) {
  proto::Control answer;
  answer.mutable_hello()->set_plan_sha256(site_.plan->sha256());
  answer.mutable_hello()->set_protocol(protocolVersion);
  (void)send(chief_, answer); // a broken link is reported by itself
  hasHello_ = true;           // the chief compares, and tells everybody
}

Result<RunSummary> Follower::takePart() {
  DTC_RETURN_IF_ERROR(form());
  DTC_RETURN_IF_ERROR(makeReady());
  DTC_RETURN_IF_ERROR(execute());
  // Bounded by the chief: it ends the run, or its link breaks.
  DTC_RETURN_IF_ERROR(waitUntil([&] { return hasEnd_; }, Deadline::infinite(),
                                [] { return std::string(); }));
  return RunSummary();
}

Status Follower::form() {
  auto what = [&] { return strCat("waiting for ", chiefText()); };
  Status status =
      waitUntil([&] { return hasHello_; }, formationDeadline(), what);
  if (status.code() == StatusCode::DeadlineExceeded && failure_.isOk())
    return Status::unavailable(
        strCat("gave up after ",
               std::chrono::duration<double>(options().timeout).count(),
               " s: ", chiefText(),
               ", never came\nhelp: is it running? wait longer with "
               "--timeout"));
  DTC_RETURN_IF_ERROR(status);
  // Bounded by the chief, which gives up on others by itself.
  return waitUntil(
      [&] { return prepare_.has_value(); },
      Deadline::after(options().timeout + 10s),
      [&] { return strCat(chiefText(), ", is waiting for other tasks"); });
}

Status Follower::makeReady() {
  Status status = openEntry(prepare_->entry(), prepare_->seed());
  if (status.isOk())
    status = prepare(prepare_->seed(), prepare_->load());
  if (!status.isOk())
    failHere(status);
  DTC_RETURN_IF_ERROR(waitUntil(
      [&] { return isPrepared(); }, Deadline::after(options().timeout + 10s),
      [] { return std::string("connecting to other tasks"); }));
  reportEvery_ = std::max<uint64_t>(window() / 4, 1);
  proto::Control ready;
  ready.mutable_ready();
  for (const InputRows &input : datasets_->inputs()) {
    proto::Rows &rows = *ready.mutable_ready()->add_rows();
    rows.set_input(input.input);
    rows.set_steps_per_epoch(input.steps);
    rows.set_dropped_per_epoch(input.dropped);
    rows.set_digest(input.digest);
  }
  DTC_RETURN_IF_ERROR(send(chief_, ready));
  return waitUntil(
      [&] { return start_.has_value(); },
      Deadline::after(options().timeout + 10s),
      [&] { return strCat(chiefText(), ", is waiting for other tasks"); });
}

Status Follower::execute() {
  if (start_->first_step() > maxSteps || start_->steps() > maxSteps)
    return Status::dataLoss(
        strCat(named(chief_), " asks for ", start_->steps(), " steps"));
  uint64_t before = tensorBytesSent();
  startWorker(start_->first_step(), start_->steps());
  // Bounded: each receive has a deadline, and broken links are reported.
  DTC_RETURN_IF_ERROR(waitUntil([&] { return !isWorkerRunning_; },
                                Deadline::infinite(),
                                [] { return std::string(); }));
  isDone_ = true;
  proto::Control done;
  Staleness stale = staleness();
  done.mutable_done()->set_tensor_bytes(tensorBytesSent() - before);
  done.mutable_done()->set_arena_bytes(worker_->arenaBytes());
  done.mutable_done()->set_pushes(stale.pushes);
  done.mutable_done()->set_staleness_sum(stale.sum);
  done.mutable_done()->set_staleness_max(stale.max);
  return send(chief_, done);
}

void Follower::stepDone(uint32_t lane, uint64_t step) {
  if ((step + 1) % reportEvery_ != 0)
    return;
  proto::Control progress;
  progress.mutable_progress()->set_step(step + 1);
  progress.mutable_progress()->set_lane(lane);
  (void)send(chief_, progress); // a broken link is reported by itself
}

/// They stay as they are: the steps are over.
void Follower::sendVariables() {
  if (!variables_)
    return; // there was no memory for them; the chief has asked too early
  for (int v = 0; v < site_.plan->proto().variables_size(); ++v)
    if (variables_->holds(v))
      site_.transport->sendTensor(
          chief_, {collectStep, static_cast<uint32_t>(v), site_.self},
          variables_->bytes(v), [](Status) {}); // the chief waits for it
}

Status Follower::settle(Status own) {
  if (verdict_)
    return *verdict_;
  if (lost_.count(chief_))
    return lost_.at(chief_);
  bool isReported = send(chief_, abortOf(own)).isOk();
  if (!isReported && !hasHello_)
    return own; // we never met
  // A chief that has left already said why; it only has to get here.
  Deadline deadline = Deadline::after(isReported ? settleTime : arriveTime);
  if (!handleUntil([&] { return verdict_ || lost_.count(chief_) > 0; },
                   deadline))
    return own;
  // When the chief is gone too, its end is likelier the cause than ours.
  return verdict_ ? *verdict_ : lost_.at(chief_);
}

} // namespace dtc

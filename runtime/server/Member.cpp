#include "runtime/server/Member.h"

#include <algorithm>
#include <cassert>

#include "runtime/plan/AsyncEntry.h"
#include "runtime/plan/QuietParse.h"
#include "runtime/server/Protocol.h"

namespace dtc {
namespace {

using namespace std::chrono_literals;

constexpr Duration leaveTime = 1s;     // to send what is queued
constexpr Duration weakTime = 1s;      // for a broken link to be reported
constexpr Duration firstLogAfter = 3s; // before a person wonders
constexpr Duration logEvery = 5s;
constexpr uint64_t windowBytes = 64 << 20;

Deadline earlier(Deadline a, Deadline b) { return a.when() < b.when() ? a : b; }

} // namespace

proto::Control abortOf(const Status &why) {
  proto::Control control;
  control.mutable_abort()->set_code(static_cast<int>(why.code()));
  control.mutable_abort()->set_message(why.message());
  return control;
}

Status statusOf(const proto::Abort &abort) {
  bool isCode = abort.code() > 0 &&
                abort.code() <= static_cast<int>(StatusCode::DataLoss);
  return {isCode ? static_cast<StatusCode>(abort.code()) : StatusCode::Unknown,
          abort.message()};
}

Member::Member(Site site)
    : site_(std::move(site)), device_(site_.self.toString()) {
  context_.self = site_.self;
  context_.pool = site_.pool;
  context_.device = &device_;
  context_.rendezvous = &rendezvous_;
  context_.transport = site_.transport;
  context_.kernels = site_.kernels;
  context_.isWireExact = options().isWireExact;
  context_.tap = options().tap;
  context_.ranKernel = options().ranKernel;
  context_.readInput = [this](uint32_t input, uint64_t step, auto columns) {
    return datasets_->read(input, step, columns);
  };
  context_.readFeed = [this](uint32_t feed) {
    return std::span<const std::byte>(feeds_[feed]);
  };
  context_.failed = [this](const Status &why) {
    mailbox_.post([this, why] {
      // What a broken link does to a send or a receive; the link itself says
      // more, and soon.
      if (why.code() == StatusCode::Unavailable ||
          why.code() == StatusCode::Cancelled)
        failWeakly(why);
      else
        failHere(why);
    });
  };
}

Member::~Member() = default;

void Member::cancel(Status why) {
  mailbox_.post([this, why = std::move(why)] { fail(why); });
}

std::string Member::address(const TaskId &task) const {
  auto found = site_.addresses.find(task);
  return found == site_.addresses.end() ? "" : strCat(" (", found->second, ")");
}

std::string Member::named(const TaskId &task) const {
  return task.toString() + address(task);
}

Status Member::send(const TaskId &to, const proto::Control &control) {
  return site_.transport->sendMessage(to, control.SerializeAsString());
}

void Member::onMessage(const TaskId &from, std::string message) {
  mailbox_.post([this, from, message = std::move(message)] {
    proto::Control control;
    if (!parseQuietly(control, message) ||
        control.kind_case() == proto::Control::KIND_NOT_SET)
      return fail(Status::dataLoss(
          strCat(named(from), " sent a message that is none of ours")));
    onControl(from, control);
  });
}

void Member::onTensor(const RendezvousKey &key, uint64_t totalBytes,
                      uint64_t offset, std::span<const std::byte> bytes) {
  rendezvous_.deliver(key, totalBytes, offset, bytes);
}

void Member::onPeerLost(const TaskId &peer, Status why) {
  mailbox_.post([this, peer, why = std::move(why)] {
    Status lost =
        Status::unavailable(strCat("lost ", named(peer), ": ", why.message()));
    lost_.emplace(peer, lost);
    if (needs(peer))
      fail(lost);
  });
}

void Member::fail(Status why) {
  assert(!why.isOk());
  if (!failure_.isOk())
    return;
  failure_ = std::move(why);
  rendezvous_.abort(failure_);
  if (worker_)
    worker_->abort(failure_);
}

void Member::failHere(const Status &why) {
  // The echo of a failure that is known is not one's own.
  if (!failure_.isOk())
    return;
  bool isAlone = site_.plan->tasks().size() == 1;
  fail(isAlone ? why : why.withPrefix(site_.self.toString() + ": "));
}

void Member::failWeakly(Status why) {
  if (!failure_.isOk() || weakDeadline_)
    return;
  weakFailure_ = std::move(why);
  weakDeadline_ = Deadline::after(weakTime);
}

Status Member::waitUntil(const std::function<bool()> &isDone, Deadline deadline,
                         const std::function<std::string()> &what) {
  Deadline log = Deadline::after(firstLogAfter);
  while (true) {
    if (!failure_.isOk())
      return failure_;
    if (isDone())
      return Status::ok();
    Deadline next = earlier(deadline, log);
    if (weakDeadline_)
      next = earlier(next, *weakDeadline_);
    if (Mailbox::Event event = mailbox_.take(next)) {
      event();
    } else if (weakDeadline_ && weakDeadline_->hasPassed()) {
      failHere(weakFailure_);
    } else if (deadline.hasPassed()) {
      return Status::deadlineExceeded(what());
    } else {
      std::string text = what();
      if (options().log && !text.empty())
        options().log(text);
      log = Deadline::after(logEvery);
    }
  }
}

bool Member::handleUntil(const std::function<bool()> &isDone,
                         Deadline deadline) {
  while (!isDone()) {
    Mailbox::Event event = mailbox_.take(deadline);
    if (!event)
      return false;
    event();
  }
  return true;
}

Result<RunSummary> Member::run() {
  DTC_RETURN_IF_ERROR(site_.transport->start(*this));
  if (options().interrupt)
    options().interrupt->listen(this, [this](Status why) {
      mailbox_.post([this, why] { failHere(why); });
    });
  RunSummary summary;
  Status status = takePartAndSettle(summary);
  leave(status);
  if (!status.isOk())
    return status;
  return summary;
}

Status Member::takePartAndSettle(RunSummary &summary) {
  auto variables = Variables::create(site_.plan, site_.self, device_);
  if (!variables.isOk())
    failHere(variables.status());
  else
    variables_ = variables.take();
  context_.variables = variables_.get();
  Result<RunSummary> result =
      failure_.isOk() ? takePart() : Result<RunSummary>(failure_);
  if (result.isOk()) {
    summary = result.take();
    return Status::ok();
  }
  Status own = failure_.isOk() ? result.status() : failure_;
  fail(own); // what waits here ends now
  return settle(own);
}

/// Ends everything of this task. Takes leaveTime at most, and what a kernel
/// that is running still needs.
void Member::leave(const Status &status) {
  if (options().interrupt)
    options().interrupt->forget(this);
  rendezvous_.abort(status.isOk() ? Status::cancelled("the run is over")
                                  : status);
  site_.transport->stop(Deadline::after(leaveTime));
  while (isWorkerRunning_) // the rendezvous and the transport let go of it
    mailbox_.take(Deadline::infinite())();
  worker_.reset();
}

Completion Member::pendingCompletion() {
  ++pending_;
  return [this](Status status) {
    mailbox_.post([this, status] {
      --pending_;
      if (!status.isOk())
        failHere(status);
    });
  };
}

Status Member::openEntry(const std::string &name, uint64_t seed) {
  DTC_ASSIGN_OR_RETURN(uint32_t index, site_.plan->entryIndex(name));
  entry_ = &site_.plan->entry(index);
  DTC_ASSIGN_OR_RETURN(datasets_,
                       Datasets::open(*site_.plan, *entry_, site_.self,
                                      options(), seed, *site_.tables));
  return Status::ok();
}

Status Member::prepare(uint64_t seed, bool load) {
  if (site_.plan->isAsync(*entry_)) {
    gate_ = std::make_unique<UpdateGate>(entry_->replicas());
    context_.gate = gate_.get();
    leader_ = applyLeader(*site_.plan, *entry_);
    if (leader_ == site_.self)
      led_ = applyTasks(*site_.plan, *entry_);
    std::erase(led_, site_.self);
  }
  DTC_ASSIGN_OR_RETURN(worker_,
                       Worker::create(site_.plan, *entry_, context_,
                                      {.stepTimeout = options().stepTimeout,
                                       .isReplay = options().replay,
                                       .replicaAt = options().replicaAt}));
  connectPeers();
  prepareVariables(seed, load);
  receiveFeeds();
  return Status::ok();
}

/// Links to the tasks at the other ends of this task's edges, and to those
/// whose turns it says.
void Member::connectPeers() {
  std::set<TaskId> peers(led_.begin(), led_.end());
  for (const proto::Edge &edge : entry_->edges())
    for (const auto &[source, target] : edgeEnds(*site_.plan, *entry_, edge)) {
      if (source == site_.self)
        peers.insert(target);
      if (target == site_.self)
        peers.insert(source);
    }
  peers.erase(site_.self);
  for (const TaskId &peer : peers)
    site_.transport->connect(peer, formationDeadline(), pendingCompletion());
}

void Member::prepareVariables(uint64_t seed, bool load) {
  if (!load)
    return variables_->initialize(seed, options().spread);
  TaskId chief = site_.plan->chief();
  if (chief == site_.self)
    return; // the master sets its own
  for (int v = 0; v < site_.plan->proto().variables_size(); ++v)
    if (variables_->holds(v))
      rendezvous_.recv({loadStep, static_cast<uint32_t>(v), chief},
                       variables_->bytes(v), formationDeadline(),
                       pendingCompletion());
}

void Member::receiveFeeds() {
  TaskId chief = site_.plan->chief();
  feeds_.resize(entry_->feeds_size());
  for (int f = 0; f < entry_->feeds_size(); ++f) {
    if (chief == site_.self || !readsFeed(*site_.plan, *entry_, site_.self, f))
      continue;
    feeds_[f].resize(TensorType::create(entry_->feeds(f).type())->bytes);
    rendezvous_.recv({feedStep, static_cast<uint32_t>(f), chief}, feeds_[f],
                     formationDeadline(), pendingCompletion());
  }
}

void Member::startWorker(uint64_t first, uint64_t steps) {
  isWorkerRunning_ = true;
  for (uint32_t lane : Worker::lanesOf(*site_.plan, *entry_, site_.self))
    worker_->setLimit(lane, first + window());
  worker_->start(first, steps,
                 {.stepDone = [this](uint32_t lane,
                                     uint64_t step) { stepDone(lane, step); },
                  .turn = [this](uint32_t lane) { sayTurn(lane); },
                  .ended =
                      [this](Status status) {
                        mailbox_.post([this, status] {
                          isWorkerRunning_ = false;
                          // Executors told us of their errors themselves.
                          if (!status.isOk())
                            failWeakly(status);
                        });
                      }});
}

void Member::sayTurn(uint32_t lane) {
  proto::Control control;
  control.mutable_turn()->set_lane(lane);
  for (const TaskId &task : led_)
    (void)send(task, control); // a broken link is reported by itself
}

bool Member::onTurn(const TaskId &from, const proto::Control &control) {
  if (!control.has_turn())
    return false;
  if (!worker_ || leader_ != from)
    fail(Status::dataLoss(
        strCat(named(from), " says whose turn it is, but it does not lead")));
  else
    worker_->turn(control.turn().lane());
  return true;
}

Staleness Member::staleness() const {
  return gate_ ? gate_->staleness() : Staleness();
}

/// Only tasks that nothing feeds back to run ahead, and only so far that what
/// they send fits in memory.
uint64_t Member::window() const {
  uint64_t bytes = std::max<uint64_t>(site_.plan->bytesPerStep(*entry_), 1);
  return std::clamp<uint64_t>(windowBytes / bytes, 4, 64);
}

uint64_t Member::tensorBytesSent() const {
  uint64_t total = 0;
  for (const auto &[peer, bytes] : site_.transport->tensorBytesSent())
    total += bytes;
  return total;
}

} // namespace dtc

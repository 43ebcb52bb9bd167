#include "runtime/server/Master.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "runtime/checkpoint/Saver.h"
#include "runtime/plan/Sha256.h"
#include "runtime/server/Protocol.h"

namespace dtc {
namespace {

using namespace std::chrono_literals;

constexpr Duration meetTime = 1s; // for tasks that have begun to answer

std::string seconds(Duration d) {
  return strCat(std::chrono::duration<double>(d).count(), " s");
}

std::string noWord() { return ""; }

std::map<std::string, VariableShape> shapesOf(const Plan &plan) {
  std::map<std::string, VariableShape> shapes;
  for (int v = 0; v < plan.proto().variables_size(); ++v)
    shapes[plan.proto().variables(v).name()] = {plan.variableType(v).element,
                                                plan.variableType(v).shape};
  return shapes;
}

/// Feeds: those that the entry has, all of them, of its types.
Status checkFeeds(const proto::Entry &entry,
                  const std::map<std::string, Tensor> &feeds) {
  std::string known;
  std::map<std::string, TensorType> types;
  for (const proto::Feed &feed : entry.feeds()) {
    types[feed.name()] = TensorType::create(feed.type()).take();
    known += strCat(known.empty() ? "" : ", ", feed.name(), " (",
                    types[feed.name()], ")");
  }
  std::string where = strCat("entry '", entry.name(), "'");
  for (const auto &[name, tensor] : feeds) {
    auto type = types.find(name);
    if (type == types.end())
      return Status::invalidArgument(strCat(
          where, " has no feed '", name,
          "'\nhelp: ", known.empty() ? "it takes none" : "it takes " + known));
    TensorType given{tensor.element, tensor.shape, 0, 0};
    if (tensor.element != type->second.element ||
        tensor.shape != type->second.shape)
      return Status::invalidArgument(strCat("feed '", name, "' is ", given,
                                            ", ", where, " takes ",
                                            type->second));
    if (tensor.bytes.size() != type->second.bytes)
      return Status::invalidArgument(
          strCat("feed '", name, "' has ", tensor.bytes.size(), " bytes, ",
                 type->second, " has ", type->second.bytes));
  }
  for (const auto &[name, type] : types)
    if (!feeds.count(name))
      return Status::invalidArgument(strCat(where, " needs feed '", name, "' (",
                                            type, ")\nhelp: --feed ", name,
                                            "=@", name, ".npy"));
  return Status::ok();
}

Status checkCounts(const RunOptions &options) {
  if (options.steps && options.epochs)
    return Status::invalidArgument("give steps or epochs, not both");
  for (auto [name, value] :
       {std::pair("steps", options.steps), std::pair("epochs", options.epochs)})
    if (value && (*value < 1 || *value > int64_t(1) << 40))
      return Status::invalidArgument(
          strCat(*value, " ", name, " cannot be run; give 1 or more"));
  return Status::ok();
}

} // namespace

Master::Master(Site site) : Member(std::move(site)) {
  for (const TaskId &task : site_.plan->tasks())
    if (task != site_.self)
      others_.push_back(task);
}

void Master::onControl(const TaskId &from, const proto::Control &control) {
  if (onTurn(from, control))
    return;
  using C = proto::Control;
  switch (control.kind_case()) {
  case C::kHello:
    hellos_[from] = control.hello();
    return;
  case C::kReady:
    ready_[from] = control.ready();
    return;
  case C::kProgress:
    return reported(from, control.progress().lane(), control.progress().step());
  case C::kDone:
    done_[from] = control.done();
    return reportedAll(from);
  case C::kAbort:
    return fail(statusOf(control.abort()));
  default:
    return fail(Status::dataLoss(
        strCat(named(from), " sent a message that is the chief's to send")));
  }
}

void Master::broadcast(const proto::Control &control) {
  for (const TaskId &task : others_)
    (void)send(task, control); // a broken link is reported by itself
}

/// "2 of 3 tasks: ps:0 (h:1), worker:1 (h:2)": those that are not here.
std::string
Master::missing(const std::function<bool(const TaskId &)> &isHere) const {
  std::string list;
  int count = 0;
  for (const TaskId &task : others_)
    if (!isHere(task)) {
      list += (count ? ", " : "") + named(task);
      ++count;
    }
  return strCat("waiting for ", count, " of ", others_.size() + 1,
                " tasks: ", list);
}

Result<RunSummary> Master::takePart() {
  // What the user got wrong is said at once, not when the cluster has formed.
  DTC_RETURN_IF_ERROR(checkCounts(options()));
  DTC_RETURN_IF_ERROR(checkDatasetNames(*site_.plan, options().data));
  DTC_RETURN_IF_ERROR(openEntry(options().entry, options().seed));
  DTC_RETURN_IF_ERROR(checkFeeds(*entry_, options().feeds));
  if (!options().saveDirectory.empty())
    DTC_RETURN_IF_ERROR(checkSaveDirectory(options().saveDirectory));
  if (!options().loadDirectory.empty()) {
    DTC_ASSIGN_OR_RETURN(
        loaded_, loadVariables(options().loadDirectory, shapesOf(*site_.plan)));
  }
  DTC_RETURN_IF_ERROR(form());
  DTC_RETURN_IF_ERROR(meet());
  DTC_RETURN_IF_ERROR(makeReady());
  DTC_RETURN_IF_ERROR(execute());
  return conclude();
}

/// Links to everybody. Names all who are missing when time is up.
Status Master::form() {
  isForming_ = true;
  for (const TaskId &task : others_)
    site_.transport->connect(task, formationDeadline(), [this, task](Status s) {
      mailbox_.post([this, task, s] {
        connected_[task] = s;
        if (s.isOk())
          greet(task);
      });
    });
  auto isHere = [&](const TaskId &task) {
    auto found = connected_.find(task);
    return found != connected_.end() && found->second.isOk();
  };
  // Bounded: connecting ends at its own deadline.
  DTC_RETURN_IF_ERROR(
      waitUntil([&] { return connected_.size() == others_.size(); },
                Deadline::infinite(), [&] { return missing(isHere); }));
  std::string gone, notes;
  for (const auto &[task, status] : connected_) {
    if (status.isOk())
      continue;
    if (status.code() != StatusCode::DeadlineExceeded)
      return status; // refused: it will not get better
    gone += (gone.empty() ? "" : ", ") + named(task);
    notes += "\nnote: " + status.message();
  }
  if (gone.empty())
    return Status::ok();
  return Status::unavailable(strCat("gave up after ",
                                    seconds(options().timeout), ": ", gone,
                                    " never answered", notes,
                                    "\nhelp: is it running? wait longer with "
                                    "--timeout"));
}

/// At once, so that the task waits for the others and no more for the chief.
void Master::greet(const TaskId &task) {
  proto::Control hello;
  hello.mutable_hello()->set_plan_sha256(site_.plan->sha256());
  hello.mutable_hello()->set_protocol(protocolVersion);
  (void)send(task, hello); // a broken link is reported by itself
}

Status Master::meet() {
  auto what = [&] {
    return missing([&](const TaskId &task) { return hellos_.count(task) > 0; });
  };
  Status status = waitUntil([&] { return hellos_.size() == others_.size(); },
                            formationDeadline(), what);
  if (status.code() == StatusCode::DeadlineExceeded && failure_.isOk())
    return Status::unavailable(
        strCat("gave up after ", seconds(options().timeout), " ", what()));
  DTC_RETURN_IF_ERROR(status);
  return comparePlans();
}

Status Master::comparePlans() {
  for (const auto &[task, hello] : hellos_) {
    if (hello.protocol() != protocolVersion)
      return Status::failedPrecondition(
          strCat(named(task), " speaks protocol ", hello.protocol(), ", ",
                 named(site_.self), " speaks ", protocolVersion,
                 "\nhelp: use one version of dtc on all tasks"));
    if (hello.plan_sha256() != site_.plan->sha256())
      return Status::failedPrecondition(strCat(
          named(task), " has another plan: SHA-256 ", hello.plan_sha256(), ", ",
          named(site_.self), " has ", site_.plan->sha256(),
          "\nhelp: give all tasks the same plan file"));
  }
  return Status::ok();
}

Status Master::makeReady() {
  bool isLoad = !options().loadDirectory.empty();
  proto::Control control;
  control.mutable_prepare()->set_entry(options().entry);
  control.mutable_prepare()->set_seed(options().seed);
  control.mutable_prepare()->set_load(isLoad);
  broadcast(control);
  if (Status own = prepare(options().seed, isLoad); !own.isOk())
    failHere(own);
  DTC_RETURN_IF_ERROR(failure_);
  if (isLoad)
    DTC_RETURN_IF_ERROR(sendVariables());
  DTC_RETURN_IF_ERROR(sendFeeds());
  auto what = [&] {
    return missing([&](const TaskId &task) { return ready_.count(task) > 0; }) +
           " to be ready";
  };
  Status status =
      waitUntil([&] { return isPrepared() && ready_.size() == others_.size(); },
                Deadline::after(options().timeout + 5s), what);
  if (status.code() == StatusCode::DeadlineExceeded && failure_.isOk())
    return Status::unavailable(strCat("gave up ", what()));
  return status;
}

Status Master::sendVariables() {
  for (int v = 0; v < site_.plan->proto().variables_size(); ++v) {
    const proto::Variable &variable = site_.plan->proto().variables(v);
    const std::vector<std::byte> &value = loaded_.at(variable.name()).bytes;
    TaskId home = toTaskId(variable.home());
    if (home == site_.self)
      DTC_RETURN_IF_ERROR(variables_->set(v, value));
    else
      site_.transport->sendTensor(
          home, {loadStep, static_cast<uint32_t>(v), site_.self}, value,
          pendingCompletion());
  }
  return Status::ok();
}

Status Master::sendFeeds() {
  for (int f = 0; f < entry_->feeds_size(); ++f) {
    feeds_[f] = options().feeds.at(entry_->feeds(f).name()).bytes;
    for (const TaskId &task : others_)
      if (readsFeed(*site_.plan, *entry_, task, f))
        site_.transport->sendTensor(
            task, {feedStep, static_cast<uint32_t>(f), site_.self}, feeds_[f],
            pendingCompletion());
  }
  return Status::ok();
}

/// What all tasks say of their rows, put together.
Status Master::agreeOnEpoch() {
  Epoch epoch;
  for (const InputRows &rows : datasets_->inputs())
    DTC_RETURN_IF_ERROR(epoch.add(named(site_.self), rows));
  for (const auto &[task, ready] : ready_)
    for (const proto::Rows &rows : ready.rows())
      DTC_RETURN_IF_ERROR(
          epoch.add(named(task), {rows.input(), rows.steps_per_epoch(),
                                  rows.dropped_per_epoch(), rows.digest()}));
  stepsPerEpoch_ = epoch.steps();
  droppedPerEpoch_ = epoch.dropped();
  return Status::ok();
}

Result<uint64_t> Master::countSteps() {
  DTC_RETURN_IF_ERROR(agreeOnEpoch());
  if (options().steps)
    return static_cast<uint64_t>(*options().steps);
  if (stepsPerEpoch_ == 0 && options().epochs)
    return Status::invalidArgument(strCat("entry '", entry_->name(),
                                          "' reads no data set, so it has no "
                                          "epochs\nhelp: give --steps"));
  int64_t epochs =
      options().epochs.value_or(std::max<int64_t>(entry_->default_epochs(), 1));
  uint64_t steps = 0;
  if (!checkedMul(epochs, std::max<int64_t>(stepsPerEpoch_, 1), steps) ||
      steps > maxSteps)
    return Status::invalidArgument(
        strCat(epochs, " epochs of ", stepsPerEpoch_, " steps cannot be run"));
  return steps;
}

Status Master::execute() {
  DTC_ASSIGN_OR_RETURN(uint64_t steps, countSteps());
  recorder_ = std::make_unique<Recorder>(site_.plan, *entry_, options());
  // Of asynchronous replicas the chief's own outputs count.
  bool isAsync = site_.plan->isAsync(*entry_);
  context_.writeFetch = [this, isAsync](uint32_t fetch, uint64_t step,
                                        uint32_t replica, auto bytes) {
    if (options().fetched)
      options().fetched(fetch, step, replica, bytes);
    if (!isAsync || replica == 0)
      recorder_->fetch(fetch, bytes);
  };
  reportEvery_ = std::max<uint64_t>(window() / 4, 1);
  findLanes();
  uint64_t before = tensorBytesSent();
  proto::Control start;
  start.mutable_start()->set_first_step(0);
  start.mutable_start()->set_steps(steps);
  broadcast(start);
  recorder_->begin(steps, stepsPerEpoch_, droppedPerEpoch_);
  bool hasWork = worker_->hasWork();
  startWorker(0, steps);
  if (!hasWork)
    reportedAll(site_.self);
  // Bounded: each receive has a deadline, and broken links are reported.
  DTC_RETURN_IF_ERROR(waitUntil(
      [&] { return !isWorkerRunning_ && done_.size() == others_.size(); },
      Deadline::infinite(), noWord));
  recorder_->end();
  own_ = {tensorBytesSent() - before, worker_->arenaBytes()};
  return Status::ok();
}

void Master::stepDone(uint32_t lane, uint64_t step) {
  if (lane == 0)
    recorder_->stepDone(step);
  if ((step + 1) % reportEvery_ == 0)
    mailbox_.post([this, lane, step] { reported(site_.self, lane, step + 1); });
}

void Master::findLanes() {
  for (const TaskId &task : site_.plan->tasks())
    for (uint32_t lane : Worker::lanesOf(*site_.plan, *entry_, task)) {
      lanes_[lane].progress[task] = 0;
      lanes_[lane].limit = window();
    }
}

/// Raises the lane's limit once the slowest that takes part in it has come far
/// enough.
void Master::reported(const TaskId &task, uint32_t number, uint64_t step) {
  auto found = lanes_.find(number);
  if (found == lanes_.end() || !found->second.progress.count(task) || !worker_)
    return;
  Lane &lane = found->second;
  lane.progress[task] = std::max(lane.progress[task], step);
  uint64_t slowest = maxSteps;
  for (const auto &[id, done] : lane.progress)
    slowest = std::min(slowest, done);
  if (slowest + window() <= lane.limit)
    return;
  lane.limit = slowest + window();
  proto::Control control;
  control.mutable_limit()->set_step(lane.limit);
  control.mutable_limit()->set_lane(number);
  for (const auto &[id, done] : lane.progress)
    if (id == site_.self)
      worker_->setLimit(number, lane.limit);
    else
      (void)send(id, control); // a broken link is reported by itself
}

void Master::reportedAll(const TaskId &task) {
  for (const auto &[number, lane] : lanes_)
    reported(task, number, maxSteps);
}

/// Asks the homes for their variables' values.
Status Master::collectVariables() {
  int count = site_.plan->proto().variables_size();
  collected_.resize(count);
  for (int v = 0; v < count; ++v) {
    TaskId home = toTaskId(site_.plan->proto().variables(v).home());
    if (home == site_.self) {
      auto own = variables_->bytes(v);
      collected_[v].assign(own.begin(), own.end());
      continue;
    }
    collected_[v].resize(site_.plan->variableType(v).bytes);
    rendezvous_.recv({collectStep, static_cast<uint32_t>(v), home},
                     collected_[v], Deadline::after(options().stepTimeout),
                     pendingCompletion());
  }
  proto::Control collect;
  collect.mutable_collect();
  broadcast(collect);
  // Bounded by the receives.
  return waitUntil([&] { return pending_ == 0; }, Deadline::infinite(),
                   [] { return std::string("collecting the variables"); });
}

Result<RunSummary> Master::conclude() {
  DTC_RETURN_IF_ERROR(collectVariables());
  RunSummary summary = recorder_->summary();
  summary.tasks[site_.self] = own_;
  summary.bytesTotal = own_.tensorBytes;
  Staleness stale = staleness();
  for (const auto &[task, done] : done_) {
    summary.tasks[task] = {done.tensor_bytes(), done.arena_bytes()};
    summary.bytesTotal += done.tensor_bytes();
    stale.add({done.pushes(), done.staleness_sum(), done.staleness_max()});
  }
  if (site_.plan->isAsync(*entry_))
    summary.staleness = stale;
  if (summary.steps > 0)
    summary.bytesPerStep = double(summary.bytesTotal) / summary.steps;
  summary.target = site_.kernels->target();
  Sha256 digest;
  for (size_t v = 0; v < collected_.size(); ++v) { // in name order
    const TensorType &type = site_.plan->variableType(v);
    digest.update(collected_[v]);
    summary.variables[site_.plan->proto().variables(v).name()] = {
        type.element, type.shape, std::move(collected_[v])};
  }
  summary.variablesSha256 = digest.hex();
  if (!options().saveDirectory.empty())
    DTC_RETURN_IF_ERROR(
        saveVariables(options().saveDirectory, summary.variables));
  if (!options().keepVariables)
    summary.variables.clear();
  hasEnded_ = true;
  proto::Control end;
  end.mutable_end();
  broadcast(end);
  return summary;
}

Status Master::settle(Status own) {
  hasEnded_ = true;
  // Who is on the way would wait for a chief that has left.
  if (isForming_)
    handleUntil([&] { return connected_.size() == others_.size(); },
                Deadline::after(meetTime));
  broadcast(abortOf(own));
  return own;
}

} // namespace dtc

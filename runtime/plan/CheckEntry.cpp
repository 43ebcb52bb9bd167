#include <algorithm>
#include <map>
#include <set>

#include "runtime/plan/PlanCheck.h"

namespace dtc {
namespace {

/// Where one end of an edge, or of an accumulator, stands.
struct End {
  const ActivationSite *site = nullptr;
  const proto::Instruction *instruction = nullptr;
  uint32_t index = 0;
  uint32_t buffer = 0;
};

class EntryChecker {
public:
  EntryChecker(const Plan &plan, const proto::Entry &entry,
               const std::vector<ActivationSite> &sites)
      : plan_(plan), entry_(entry), sites_(sites),
        replicas_(plan.replicas(entry)), isAsync_(plan.isAsync(entry)) {}

  Status check() {
    DTC_RETURN_IF_ERROR(checkShape());
    DTC_RETURN_IF_ERROR(checkNames());
    DTC_RETURN_IF_ERROR(checkInputs());
    for (const ActivationSite &site : sites_)
      DTC_RETURN_IF_ERROR(checkSite(site));
    DTC_RETURN_IF_ERROR(checkEdges());
    DTC_RETURN_IF_ERROR(checkAccumulators());
    DTC_RETURN_IF_ERROR(checkStores());
    return isAsync_ ? checkPushes() : Status::ok();
  }

private:
  Status fail(const std::string &what) const {
    return Status::dataLoss(strCat("entry '", entry_.name(), "': ", what));
  }
  Status failAt(const End &end, const std::string &what) const {
    return Status::dataLoss(strCat(end.site->where, ": ",
                                   describe(*end.instruction, end.index), ": ",
                                   what));
  }

  Status checkShape();
  Status checkNames();
  Status checkInputs();
  Status checkSite(const ActivationSite &site);
  Status note(const End &end);
  Status noteEdge(std::map<uint32_t, End> &ends, uint32_t edge, const End &end,
                  const char *what);
  Status expectHome(uint32_t variable, const End &end);
  Status checkEdges();
  Status checkEnds(const proto::Edge &edge, const End &send, const End &recv);
  Status checkOnce(uint32_t edge, const End &send, const End &recv);
  Status expectOwn(const proto::Task &named, const End &end,
                   const proto::Edge &edge, const char *side);
  Status checkAccumulators();
  Status checkTaken(const End &given, const End &take);
  Status checkAccumulatorNames();
  Status checkStores();
  Status checkPushes();
  bool onlyOnce(const End &end) const;
  bool isOfReplica(const End &end) const;

  const Plan &plan_;
  const proto::Entry &entry_;
  const std::vector<ActivationSite> &sites_;
  std::vector<TaskId> replicas_;
  const bool isAsync_;
  std::map<uint32_t, End> sends_, recvs_, fetches_; // by edge, by fetch
  // What crosses (from, buffer, to, name) → the edge that carries it.
  std::map<std::tuple<const ActivationSite *, uint32_t, const ActivationSite *,
                      std::string>,
           uint32_t>
      crossings_;
  std::map<std::pair<std::string, std::string>, End> accumulates_, takes_;
  std::map<uint32_t, End> stores_; // by variable
  std::multimap<uint32_t, End> loads_;
};

Status EntryChecker::checkShape() {
  if (entry_.replicas() == 0 || replicas_.size() != entry_.replicas())
    return fail(strCat("wants ", entry_.replicas(),
                       " replicas, the cluster has ",
                       "a chief and workers for 1 to ",
                       std::max<size_t>(replicas_.size(), 1)));
  for (const ActivationSite &site : sites_) {
    TaskId task = toTaskId(site.program->task());
    bool known =
        task.index >= 0 ? plan_.hasTask(task) : plan_.hasTask({task.job, 0});
    if (!known || task.index < -1)
      return fail(
          strCat("has a program for ", task, ", which is not in the cluster"));
    if (site.activation->kind() < proto::Activation::STEP ||
        site.activation->kind() > proto::Activation::APPLY)
      return fail(strCat("an activation of ", task, " has no kind"));
  }
  return Status::ok();
}

Status EntryChecker::checkNames() {
  std::set<std::string> keys, feeds, fetches;
  for (const proto::Edge &edge : entry_.edges())
    if (!keys.insert(edge.key()).second)
      return fail(strCat("there are two edges '", edge.key(), "'"));
  for (const proto::Feed &feed : entry_.feeds()) {
    if (!feeds.insert(feed.name()).second)
      return fail(strCat("there are two feeds '", feed.name(), "'"));
    auto type = TensorType::create(feed.type()); // it may be read by nobody
    if (!type.isOk())
      return fail(
          strCat("feed '", feed.name(), "': ", type.status().message()));
  }
  for (const proto::Fetch &fetch : entry_.fetches())
    if (!fetches.insert(fetch.name()).second)
      return fail(strCat("there are two fetches '", fetch.name(), "'"));
  return Status::ok();
}

Status EntryChecker::checkInputs() {
  for (const proto::Input &input : entry_.inputs()) {
    std::string where = strCat("data set '", input.dataset(), "': ");
    if (input.dataset().empty())
      return fail("a data set has no name");
    if (input.first_row() < 0 || input.end_row() < input.first_row())
      return fail(strCat(where, "rows ", input.first_row(), " to ",
                         input.end_row(), " are no range"));
    int64_t blocks = std::max<int64_t>(input.blocks(), 1);
    uint64_t rows = 0; // that a step takes
    if (input.batch() < 1 || input.blocks() < 0 || input.block() < 0 ||
        input.block() >= blocks ||
        !checkedMul(entry_.replicas(), blocks, rows) ||
        !checkedMul(rows, input.batch(), rows) || rows > INT64_MAX)
      return fail(strCat(where, "block ", input.block(), " of ", input.blocks(),
                         " with ", input.batch(), " rows is not possible"));
    for (const proto::Column &column : input.columns()) {
      auto type = TensorType::create(column.type());
      std::string name = strCat(where, "column '", column.name(), "': ");
      if (!type.isOk())
        return fail(name + type.status().message());
      uint64_t elements = 0;
      if (column.fields() < 0 || column.first_field() < 0 ||
          !checkedMul(column.fields(), input.batch(), elements) ||
          type->shape.empty() || type->shape[0] != input.batch() ||
          elements != type->elements)
        return fail(strCat(name, column.fields(), " fields of ", input.batch(),
                           " rows do not fill ", *type));
    }
  }
  return Status::ok();
}

/// Collects what the activation's instructions do to things beyond it.
Status EntryChecker::checkSite(const ActivationSite &site) {
  for (int i = 0; i < site.activation->instructions_size(); ++i) {
    const proto::Instruction &it = site.activation->instructions(i);
    Operands operands = operandsOf(it);
    uint32_t buffer = !operands.reads.empty()    ? operands.reads[0]
                      : !operands.writes.empty() ? operands.writes[0]
                                                 : 0;
    DTC_RETURN_IF_ERROR(note({&site, &it, static_cast<uint32_t>(i), buffer}));
  }
  return Status::ok();
}

Status EntryChecker::note(const End &end) {
  using I = proto::Instruction;
  const proto::Instruction &it = *end.instruction;
  proto::Activation::Kind kind = end.site->activation->kind();
  std::string job = toTaskId(end.site->program->task()).toString();
  switch (it.kind_case()) {
  case I::kSend:
    return noteEdge(sends_, it.send().edge(), end, "sent");
  case I::kRecv:
    return noteEdge(recvs_, it.recv().edge(), end, "received");
  case I::kAccumulate:
    if (kind != proto::Activation::SERVE && replicas_.size() > 1)
      return failAt(end, "only a serve activation may accumulate");
    if (!accumulates_
             .emplace(std::pair(job, it.accumulate().accumulator()), end)
             .second)
      return failAt(end, strCat("accumulator '", it.accumulate().accumulator(),
                                "' is given two values a replica"));
    return Status::ok();
  case I::kTake:
    if (kind != proto::Activation::APPLY)
      return failAt(end, "only an apply activation may take");
    if (!takes_.emplace(std::pair(job, it.take().accumulator()), end).second)
      return failAt(end, strCat("accumulator '", it.take().accumulator(),
                                "' is taken twice"));
    return Status::ok();
  case I::kReplicaIndex:
    if (!isOfReplica(end))
      return failAt(end, "only what each replica runs has a replica's number");
    return Status::ok();
  case I::kLoadVariable:
    loads_.emplace(it.load_variable().variable(), end);
    return expectHome(it.load_variable().variable(), end);
  case I::kStoreVariable:
    if (!stores_.emplace(it.store_variable().variable(), end).second)
      return failAt(end, "the variable is stored twice a step");
    return expectHome(it.store_variable().variable(), end);
  case I::kWriteFetch:
    if (!fetches_.emplace(it.write_fetch().fetch(), end).second)
      return failAt(end, "the fetch is written twice a step");
    if (!plan_.executes(plan_.chief(), entry_, *end.site->program) ||
        !onlyOnce(end))
      return failAt(end, strCat("fetches live on the chief, ", plan_.chief()));
    return Status::ok();
  default:
    return Status::ok();
  }
}

/// Is the instruction executed by one task, once a step?
bool EntryChecker::onlyOnce(const End &end) const {
  TaskId task = toTaskId(end.site->program->task());
  bool oneTask =
      task.index >= 0 || (isReplicaJob(task.job) && replicas_.size() == 1);
  return oneTask && (end.site->activation->kind() != proto::Activation::SERVE ||
                     replicas_.size() == 1);
}

/// Is the instruction executed once a step for each replica?
bool EntryChecker::isOfReplica(const End &end) const {
  TaskId task = toTaskId(end.site->program->task());
  proto::Activation::Kind kind = end.site->activation->kind();
  bool isReplica = task.index < 0 && isReplicaJob(task.job) &&
                   kind == proto::Activation::STEP;
  return replicas_.size() == 1 || isReplica || kind == proto::Activation::SERVE;
}

Status EntryChecker::noteEdge(std::map<uint32_t, End> &ends, uint32_t edge,
                              const End &end, const char *what) {
  auto [found, fresh] = ends.emplace(edge, end);
  if (!fresh)
    return failAt(
        end, strCat("edge '", entry_.edges(edge).key(), "' is ", what,
                    " twice, also by ", found->second.site->where, ", ",
                    describe(*found->second.instruction, found->second.index)));
  return Status::ok();
}

Status EntryChecker::expectHome(uint32_t variable, const End &end) {
  const proto::Variable &declared = plan_.proto().variables(variable);
  TaskId home = toTaskId(declared.home());
  TaskId task = toTaskId(end.site->program->task());
  bool isHome = task.index >= 0 ? task == home
                                : onlyOnce(end) && replicas_.front() == home;
  if (!isHome)
    return failAt(end, strCat("variable '", declared.name(), "' lives on ",
                              home, ", not on ", task));
  return Status::ok();
}

Status EntryChecker::checkEdges() {
  for (int e = 0; e < entry_.edges_size(); ++e) {
    const proto::Edge &edge = entry_.edges(e);
    auto type = TensorType::create(edge.type());
    if (!type.isOk())
      return fail(strCat("edge '", edge.key(), "': ", type.status().message()));
    if (Status wire = checkWire(edge, *type); !wire.isOk())
      return fail(strCat("edge '", edge.key(), "' ", wire.message()));
    auto send = sends_.find(e), recv = recvs_.find(e);
    if (send == sends_.end())
      return fail(strCat("edge '", edge.key(), "' of '", edge.tensor(),
                         "' has no send"));
    if (recv == recvs_.end())
      return fail(strCat("edge '", edge.key(), "' of '", edge.tensor(),
                         "' has no recv"));
    DTC_RETURN_IF_ERROR(checkEnds(edge, send->second, recv->second));
    DTC_RETURN_IF_ERROR(checkOnce(e, send->second, recv->second));
  }
  return checkPackBytes(entry_, sites_);
}

/// A value crosses to an activation once, however many take it there.
Status EntryChecker::checkOnce(uint32_t edge, const End &send,
                               const End &recv) {
  const std::string &tensor = entry_.edges(edge).tensor();
  auto [found, isFirst] = crossings_.emplace(
      std::tuple(send.site, send.buffer, recv.site, tensor), edge);
  if (!isFirst)
    return fail(strCat("edge '", entry_.edges(edge).key(), "' carries '",
                       tensor, "' once more; edge '",
                       entry_.edges(found->second).key(),
                       "' brings it to the same activation"));
  return Status::ok();
}

Status EntryChecker::expectOwn(const proto::Task &named, const End &end,
                               const proto::Edge &edge, const char *side) {
  TaskId expected = toTaskId(named);
  TaskId actual = toTaskId(end.site->program->task());
  if (expected.index < -1 ||
      !plan_.hasTask({expected.job, std::max(expected.index, 0)}))
    return fail(strCat("edge '", edge.key(), "': its ", side, " ", expected,
                       " is not in the cluster"));
  auto resolve = [&](const TaskId &task) { // with one replica, `*` is that one
    bool isOne =
        task.index < 0 && isReplicaJob(task.job) && replicas_.size() == 1;
    return isOne ? replicas_[0] : task;
  };
  if (resolve(actual) != resolve(expected))
    return failAt(end, strCat("edge '", edge.key(), "' has ", side, " ",
                              expected, ", but the program is ", actual, "'s"));
  return Status::ok();
}

/// Each execution of the send must meet one of the recv.
Status EntryChecker::checkEnds(const proto::Edge &edge, const End &send,
                               const End &recv) {
  DTC_RETURN_IF_ERROR(expectOwn(edge.source(), send, edge, "source"));
  DTC_RETURN_IF_ERROR(expectOwn(edge.target(), recv, edge, "target"));
  auto perReplica = [&](const End &end) { // by a template, or by serve
    bool isTemplate = end.site->program->task().index() < 0;
    bool isServe = end.site->activation->kind() == proto::Activation::SERVE;
    return int(isTemplate) + int(isServe);
  };
  bool anyTemplate = edge.source().index() < 0 || edge.target().index() < 0;
  for (const proto::Task *task : {&edge.source(), &edge.target()})
    if (task->index() < 0 && !isReplicaJob(task->job()))
      return fail(strCat("edge '", edge.key(), "': ", toTaskId(*task),
                         " stands for the replicas, but they are workers"));
  int wanted = anyTemplate ? 1 : 0;
  if (replicas_.size() > 1 &&
      (perReplica(send) != wanted || perReplica(recv) != wanted))
    return fail(strCat("edge '", edge.key(), "' of '", edge.tensor(), "' from ",
                       toTaskId(edge.source()), " to ", toTaskId(edge.target()),
                       ": ", send.site->where, " and ", recv.site->where,
                       " do not run equally often"));
  return Status::ok();
}

/// Whether `all` is `replicas` values of type `one`, which has rows, one behind
/// the other.
static bool isJoined(const TensorType &one, const TensorType &all,
                     uint64_t replicas) {
  uint64_t rows = 0;
  std::vector<int64_t> shape = one.shape;
  if (!checkedMul(shape[0], replicas, rows) || rows > INT64_MAX)
    return false;
  shape[0] = static_cast<int64_t>(rows);
  return all.element == one.element && all.shape == shape;
}

/// A mean has the type of what it is made of, joined rows that of more rows.
Status EntryChecker::checkTaken(const End &given, const End &take) {
  auto typeOf = [](const End &end) {
    return TensorType::create(end.site->activation->buffers(end.buffer).type())
        .take();
  };
  TensorType from = typeOf(given), to = typeOf(take);
  const proto::Take &how = take.instruction->take();
  std::string name = strCat("accumulator '", how.accumulator(), "' is ");
  if (how.concat() && from.shape.empty())
    return failAt(given,
                  strCat(name, from, ", but only rows can be concatenated"));
  // Of one push, or of all replicas.
  uint64_t values = isAsync_ ? 1 : replicas_.size();
  if (how.concat() ? !isJoined(from, to, values) : from != to)
    return failAt(given, strCat(name, "given ", from, ", but taken as ", to));
  if (!isAsync_ && !how.concat() && !isFloat(from.element))
    return failAt(given, strCat(name, from, ", but a mean needs a float type"));
  return Status::ok();
}

Status EntryChecker::checkAccumulators() {
  for (const auto &[key, end] : accumulates_) {
    auto take = takes_.find(key);
    if (take == takes_.end())
      return failAt(end,
                    strCat("accumulator '", key.second, "' is never taken"));
    DTC_RETURN_IF_ERROR(checkTaken(end, take->second));
  }
  for (const auto &[key, end] : takes_)
    if (!accumulates_.count(key))
      return failAt(
          end, strCat("nothing is given to accumulator '", key.second, "'"));
  return checkAccumulatorNames();
}

/// Accumulators belong to a task: two programs that one task executes may not
/// call theirs alike.
Status EntryChecker::checkAccumulatorNames() {
  for (const auto &[key, end] : takes_) {
    TaskId task = toTaskId(end.site->program->task());
    for (const std::string &job :
         {task.job, std::string("chief"), std::string("master"),
          std::string("worker"), std::string("local")}) {
      TaskId other{job, -1};
      auto found = takes_.find({other.toString(), key.second});
      if (other == task || found == takes_.end())
        continue;
      bool isShared =
          task.index < 0
              ? isReplicaJob(task.job) && isReplicaJob(job)
              : plan_.executes(task, entry_, *found->second.site->program);
      if (isShared)
        return failAt(end, strCat("accumulator '", key.second,
                                  "' is also taken by ", other));
    }
  }
  return Status::ok();
}

/// Reads see the step's start: a store runs after every activation that loads.
Status EntryChecker::checkStores() {
  for (const auto &[variable, store] : stores_) {
    const std::string &name = plan_.proto().variables(variable).name();
    if (!entry_.has_updates())
      return failAt(store,
                    strCat("stores variable '", name, "', but entry '",
                           entry_.name(), "' is said to update nothing"));
    auto kind = store.site->activation->kind();
    if (kind != proto::Activation::APPLY && !onlyOnce(store))
      return failAt(store,
                    strCat("variable '", name, "' is stored by each replica"));
    for (auto [it, end] = loads_.equal_range(variable); it != end; ++it) {
      const End &load = it->second;
      bool ordered =
          load.site == store.site ||
          (kind == proto::Activation::APPLY &&
           load.site->activation->kind() != proto::Activation::APPLY);
      if (!ordered)
        return failAt(store,
                      strCat("variable '", name, "' may be stored while ",
                             load.site->where, " reads it"));
    }
  }
  for (int fetch = 0; fetch < entry_.fetches_size(); ++fetch)
    if (!fetches_.count(fetch))
      return fail(strCat("fetch '", entry_.fetches(fetch).name(),
                         "' is never written"));
  return Status::ok();
}

/// Update async: a task applies a push when it is whole, so it must get some
/// part of each, and it does so in one activation. Meanwhile nobody reads the
/// variables, so nobody may take long for it.
Status EntryChecker::checkPushes() {
  std::map<std::string, const ActivationSite *> applies;
  std::set<std::string> pushed;
  for (const auto &[key, end] : accumulates_)
    pushed.insert(key.first);
  for (const ActivationSite &site : sites_) {
    std::string task = toTaskId(site.program->task()).toString();
    bool isApply = site.activation->kind() == proto::Activation::APPLY;
    if (isApply && !applies.emplace(task, &site).second)
      return fail(
          strCat("update async: ", task, " applies a push in two activations"));
    if (isApply && !pushed.count(task))
      return fail(strCat("update async: ", task,
                         " applies pushes, but no part of a push comes there"));
  }
  std::set<std::pair<const ActivationSite *, uint32_t>> storage;
  for (const auto &[variable, load] : loads_)
    if (load.site->activation->kind() != proto::Activation::APPLY)
      storage.emplace(load.site, load.buffer);
  for (const auto &[edge, send] : sends_)
    if (storage.count({send.site, send.buffer}))
      return failAt(send, "update async: sends a variable's storage, which a "
                          "push may change meanwhile; send a copy");
  return Status::ok();
}

} // namespace

Status checkEntry(const Plan &plan, const proto::Entry &entry,
                  const std::vector<ActivationSite> &sites) {
  return EntryChecker(plan, entry, sites).check();
}

} // namespace dtc

#include "runtime/plan/Proof.h"

#include <algorithm>
#include <map>

namespace dtc {
namespace {

constexpr size_t representatives = 3;
// A circle is searched from so many places only; it is found at any rate, but
// in a plan with thousands of circles it may not be the very shortest.
constexpr size_t maxSearches = 1000;

/// One activation as one task (and for one replica) executes it.
struct Instance {
  const proto::Program *program;
  const proto::Activation *activation;
  TaskId task;
  size_t replica;
  bool perReplica;
  uint32_t firstNode = 0;
};

/// What is waited for: an instruction's end (even numbers), or that a receive
/// has been posted (odd; the same as its end for other instructions).
class WaitGraph {
public:
  WaitGraph(const Plan &plan, const proto::Entry &entry)
      : plan_(plan), entry_(entry), isAsync_(plan.isAsync(entry)) {
    addInstances();
    waits_.resize(nodes_ + instances_.size());
    for (const Instance &instance : instances_)
      addDataflow(instance);
    addChannels();
    isAsync_ ? addPushes() : addBarriers();
  }

  Status prove() const {
    std::vector<uint32_t> circle = shortestCircle(stuckNodes());
    if (circle.empty())
      return Status::ok();
    std::string text =
        strCat("entry '", entry_.name(), "' would wait for ever:");
    std::string previous;
    for (size_t i = 0; i <= circle.size(); ++i) {
      std::string line = describeNode(circle[i % circle.size()]);
      if (line == previous)
        continue; // a receive's two moments
      text += (i == 0 ? "\n  " : "\n  waits for ") + line;
      previous = line;
    }
    return Status::failedPrecondition(text);
  }

private:
  static uint32_t done(const Instance &instance, uint32_t i) {
    return instance.firstNode + 2 * i;
  }
  static uint32_t posted(const Instance &instance, uint32_t i) {
    return instance.firstNode + 2 * i + 1;
  }
  void wait(uint32_t node, uint32_t other) { waits_[node].push_back(other); }

  void addInstances();
  void addDataflow(const Instance &instance);
  void addChannels();
  void addChannel(std::vector<std::pair<uint32_t, uint32_t>> edges,
                  const Instance &source, const Instance &target);
  void addBarriers();
  void addPushes();
  void addReads(const Instance &instance, uint32_t push);
  std::vector<bool> stuckNodes() const;
  std::vector<uint32_t> shortestCircle(const std::vector<bool> &stuck) const;
  std::vector<uint32_t> circleThrough(uint32_t start,
                                      const std::vector<bool> &stuck,
                                      size_t shorterThan) const;
  std::string describeNode(uint32_t node) const;

  const Plan &plan_;
  const proto::Entry &entry_;
  const bool isAsync_;
  std::vector<Instance> instances_;
  uint32_t nodes_ = 0; // of instructions
  std::vector<std::vector<uint32_t>>
      waits_; // then one barrier per instance: before a
              // push, or before what reads
};

void WaitGraph::addInstances() {
  std::vector<TaskId> replicas = plan_.replicas(entry_);
  size_t count = std::min(replicas.size(), representatives);
  for (const proto::Program &program : entry_.programs())
    for (const proto::Activation &activation : program.activations()) {
      TaskId task = toTaskId(program.task());
      bool isTemplate = task.index < 0 && isReplicaJob(task.job);
      bool perReplica =
          isTemplate || activation.kind() == proto::Activation::SERVE ||
          (isAsync_ && activation.kind() == proto::Activation::APPLY);
      for (size_t r = 0; r < (perReplica ? count : 1); ++r) {
        TaskId self = isTemplate ? replicas[r]
                                 : TaskId{task.job, std::max(task.index, 0)};
        instances_.push_back(
            {&program, &activation, self, r, perReplica, nodes_});
        nodes_ += 2 * activation.instructions_size();
      }
    }
}

void WaitGraph::addDataflow(const Instance &instance) {
  const proto::Activation &activation = *instance.activation;
  std::vector<uint32_t> definer(activation.buffers_size());
  for (int i = 0; i < activation.instructions_size(); ++i) {
    const proto::Instruction &it = activation.instructions(i);
    uint32_t begins = posted(instance, i);
    wait(done(instance, i), begins);
    for (uint32_t before : it.after())
      wait(begins, done(instance, before));
    Operands operands = operandsOf(it);
    for (uint32_t buffer : operands.reads)
      wait(begins, done(instance, definer[buffer]));
    for (uint32_t buffer : operands.writes)
      definer[buffer] = i;
  }
}

void WaitGraph::addChannels() {
  struct Ends {
    std::vector<std::pair<const Instance *, uint32_t>> sends, recvs;
  };
  std::map<uint32_t, Ends> ends; // by edge; instances in replica order
  for (const Instance &instance : instances_)
    for (int i = 0; i < instance.activation->instructions_size(); ++i) {
      const proto::Instruction &it = instance.activation->instructions(i);
      if (it.has_send())
        ends[it.send().edge()].sends.push_back({&instance, i});
      if (it.has_recv())
        ends[it.recv().edge()].recvs.push_back({&instance, i});
    }
  // (source, target) → (send, recv) instruction numbers.
  std::map<std::pair<const Instance *, const Instance *>,
           std::vector<std::pair<uint32_t, uint32_t>>>
      channels;
  for (const auto &[edge, both] : ends)
    for (size_t r = 0; r < std::min(both.sends.size(), both.recvs.size()); ++r)
      channels[{both.sends[r].first, both.recvs[r].first}].push_back(
          {both.sends[r].second, both.recvs[r].second});
  for (const auto &[channel, edges] : channels)
    addChannel(edges, *channel.first, *channel.second);
}

void WaitGraph::addChannel(std::vector<std::pair<uint32_t, uint32_t>> edges,
                           const Instance &source, const Instance &target) {
  for (auto [send, recv] : edges)
    wait(done(target, recv), done(source, send));
  std::sort(edges.begin(), edges.end());
  for (size_t k = 1; k < edges.size(); ++k) {
    auto [send, recv] = edges[k - 1];
    uint32_t next = posted(source, edges[k].first);
    wait(next, done(source, send));
    wait(next, posted(target, recv)); // the channel is free again
  }
  std::sort(edges.begin(), edges.end(),
            [](auto &a, auto &b) { return a.second < b.second; });
  for (size_t k = 1; k < edges.size(); ++k)
    wait(posted(target, edges[k].second), done(target, edges[k - 1].second));
}

/// Apply activations run after all others of their task.
void WaitGraph::addBarriers() {
  std::map<TaskId, std::vector<size_t>> before, apply;
  for (size_t n = 0; n < instances_.size(); ++n)
    (instances_[n].activation->kind() == proto::Activation::APPLY
         ? apply
         : before)[instances_[n].task]
        .push_back(n);
  for (const auto &[task, applies] : apply) {
    uint32_t barrier = nodes_ + applies[0];
    for (size_t n : before[task])
      for (int i = 0; i < instances_[n].activation->instructions_size(); ++i)
        wait(barrier, done(instances_[n], i));
    for (size_t n : applies)
      for (int i = 0; i < instances_[n].activation->instructions_size(); ++i)
        wait(posted(instances_[n], i), barrier);
  }
}

/// Update async: a replica's push is applied after what the task does for this
/// replica, and one push after the other. Which comes first depends on the run,
/// but all tasks agree where one takes what another sends (see applyLeader),
/// and replicas differ in their numbers only: so the order of the numbers
/// stands for any other. What a serve reads may wait for the push before, too.
void WaitGraph::addPushes() {
  std::map<TaskId, std::map<size_t, std::vector<size_t>>> before, apply;
  for (size_t n = 0; n < instances_.size(); ++n)
    (instances_[n].activation->kind() == proto::Activation::APPLY
         ? apply
         : before)[instances_[n].task][instances_[n].replica]
        .push_back(n);
  auto waitForAll = [&](uint32_t node, const std::vector<size_t> &instances) {
    for (size_t n : instances)
      for (int i = 0; i < instances_[n].activation->instructions_size(); ++i)
        wait(node, done(instances_[n], i));
  };
  for (const auto &[task, pushes] : apply)
    for (const auto &[replica, applies] : pushes) {
      uint32_t barrier = nodes_ + applies[0];
      waitForAll(barrier, before[task][replica]);
      if (replica > 0)
        waitForAll(barrier, pushes.at(replica - 1));
      for (size_t n : applies)
        for (int i = 0; i < instances_[n].activation->instructions_size(); ++i)
          wait(posted(instances_[n], i), barrier);
    }
  for (size_t n = 0; n < instances_.size(); ++n)
    if (instances_[n].activation->kind() != proto::Activation::APPLY &&
        instances_[n].replica > 0) {
      waitForAll(nodes_ + n,
                 apply[instances_[n].task][instances_[n].replica - 1]);
      addReads(instances_[n], nodes_ + n);
    }
}

/// What reads a variable's storage in `instance` waits for `push`.
void WaitGraph::addReads(const Instance &instance, uint32_t push) {
  const proto::Activation &activation = *instance.activation;
  std::vector<bool> isStorage(activation.buffers_size());
  for (int i = 0; i < activation.instructions_size(); ++i) {
    const proto::Instruction &it = activation.instructions(i);
    if (it.has_load_variable())
      isStorage[it.load_variable().buffer()] = true;
    Operands operands = operandsOf(it);
    if (std::any_of(operands.reads.begin(), operands.reads.end(),
                    [&](uint32_t buffer) { return isStorage[buffer]; }))
      wait(posted(instance, i), push);
  }
}

/// What is left when everything that can happen has happened.
std::vector<bool> WaitGraph::stuckNodes() const {
  std::vector<std::vector<uint32_t>> wakes(waits_.size());
  std::vector<uint32_t> pending(waits_.size()), ready;
  for (uint32_t node = 0; node < waits_.size(); ++node) {
    pending[node] = waits_[node].size();
    if (pending[node] == 0)
      ready.push_back(node);
    for (uint32_t other : waits_[node])
      wakes[other].push_back(node);
  }
  std::vector<bool> stuck(waits_.size(), true);
  while (!ready.empty()) {
    uint32_t node = ready.back();
    ready.pop_back();
    stuck[node] = false;
    for (uint32_t other : wakes[node])
      if (--pending[other] == 0)
        ready.push_back(other);
  }
  return stuck;
}

/// The shortest way from `start` through stuck nodes back to it, unless it has
/// `shorterThan` nodes or more.
std::vector<uint32_t> WaitGraph::circleThrough(uint32_t start,
                                               const std::vector<bool> &stuck,
                                               size_t shorterThan) const {
  std::map<uint32_t, uint32_t> cameFrom;
  std::vector<uint32_t> frontier = {start};
  for (size_t length = 1; length < shorterThan && !frontier.empty(); ++length) {
    std::vector<uint32_t> next;
    for (uint32_t node : frontier)
      for (uint32_t other : waits_[node]) {
        if (other == start) {
          std::vector<uint32_t> circle = {node};
          while (circle.back() != start)
            circle.push_back(cameFrom[circle.back()]);
          std::reverse(circle.begin(), circle.end());
          return circle;
        }
        if (stuck[other] && cameFrom.emplace(other, node).second)
          next.push_back(other);
      }
    frontier = std::move(next);
  }
  return {};
}

std::vector<uint32_t>
WaitGraph::shortestCircle(const std::vector<bool> &stuck) const {
  std::vector<uint32_t> best;
  size_t searches = 0;
  // Any stuck node leads to a circle: walk until a node comes twice, so that
  // the first search already has one.
  auto first = std::find(stuck.begin(), stuck.end(), true);
  if (first == stuck.end())
    return best;
  uint32_t node = first - stuck.begin();
  std::vector<bool> walked(stuck.size());
  while (!walked[node]) {
    walked[node] = true;
    for (uint32_t other : waits_[node])
      if (stuck[other]) {
        node = other;
        break;
      }
  }
  best = circleThrough(node, stuck, SIZE_MAX);
  for (uint32_t start = 0; start < stuck.size() && searches < maxSearches;
       ++start) {
    if (!stuck[start])
      continue;
    ++searches;
    auto circle = circleThrough(start, stuck, best.size());
    if (!circle.empty())
      best = std::move(circle);
  }
  return best;
}

std::string WaitGraph::describeNode(uint32_t node) const {
  if (node >= nodes_) {
    const Instance &waiting = instances_[node - nodes_];
    if (waiting.activation->kind() != proto::Activation::APPLY)
      return strCat("the push before, on ", waiting.task);
    return strCat("the end of what ", waiting.task, " does before apply");
  }
  size_t n = instances_.size() - 1;
  while (instances_[n].firstNode > node)
    --n;
  // Instances without instructions share their first node with the next one.
  const Instance &instance = instances_[n];
  uint32_t i = (node - instance.firstNode) / 2;
  const proto::Instruction &it = instance.activation->instructions(i);
  std::string text =
      strCat(instance.task, " ", kindName(instance.activation->kind()));
  bool isOfReplica =
      instance.activation->kind() == proto::Activation::SERVE ||
      (isAsync_ && instance.activation->kind() == proto::Activation::APPLY);
  if (isOfReplica)
    text += strCat(" of replica ", instance.replica);
  text += ": " + describe(it, i);
  if (it.has_send() || it.has_recv()) {
    const proto::Edge &edge =
        entry_.edges(it.has_send() ? it.send().edge() : it.recv().edge());
    text += strCat(" over edge '", edge.key(), "'");
  }
  return text;
}

} // namespace

Status proveNoWaitCycle(const Plan &plan) {
  for (const proto::Entry &entry : plan.proto().entries())
    DTC_RETURN_IF_ERROR(
        WaitGraph(plan, entry).prove().withPrefix(plan.path() + ": "));
  return Status::ok();
}

} // namespace dtc

#include "runtime/plan/Proof.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "runtime/plan/WaitGraph.h"

namespace dtc {
namespace {

constexpr size_t representatives = 3;

enum Why : uint8_t { Own, Data, After, Arrival, Turn, Room, Barrier };

/// One activation as one task (and for one replica) executes it.
struct Instance {
  const proto::Activation *activation;
  TaskId task;
  size_t replica;
  uint32_t taskNumber = 0;
  uint32_t firstNode = 0;

  bool isApply() const {
    return activation->kind() == proto::Activation::APPLY;
  }
};

/// A send or a receive, as one instance makes it.
struct Call {
  uint32_t instance, instruction;
};
/// An edge as one replica has it.
struct Message {
  Call send, recv;
};

/// Proves one entry. A node is an instruction's end (even numbers), or that it
/// has begun (odd); then there is one barrier per instance: before an apply, or
/// with update async before what reads variables.
class EntryProof {
public:
  EntryProof(const Plan &plan, const proto::Entry &entry)
      : entry_(entry), isAsync_(plan.isAsync(entry)),
        graph_(addInstances(plan)) {
    for (const Instance &instance : instances_)
      addDataflow(instance);
    addChannels();
    isAsync_ ? addPushes() : addBarriers();
  }

  Status prove() const {
    std::vector<WaitGraph::Wait> circle = graph_.shortestCircle();
    if (circle.empty())
      return Status::ok();
    // Begin where something is waited for, not between a call's two moments.
    auto tells = [](const WaitGraph::Wait &w) { return w.why != Own; };
    std::rotate(circle.begin(),
                std::find_if(circle.begin(), circle.end(), tells),
                circle.end());
    std::string text =
        strCat("entry '", entry_.name(), "' would wait for ever:\n  ",
               describeNode(circle.front().node));
    for (const WaitGraph::Wait &wait : circle)
      if (tells(wait))
        text += strCat("\n  ", describeWait(wait), describeNode(wait.other));
    return Status::failedPrecondition(text);
  }

private:
  uint32_t done(Call call) const {
    return instances_[call.instance].firstNode + 2 * call.instruction;
  }
  uint32_t begun(Call call) const { return done(call) + 1; }

  uint32_t addInstances(const Plan &plan);
  void addDataflow(const Instance &instance);
  std::vector<Message> messages() const;
  void addChannels();
  uint64_t peerOf(const Call &call, const Call &other) const;
  void addRoom(std::vector<Message> messages);
  bool endsBefore(uint32_t n, uint32_t other) const;
  void addBarriers();
  void addPushes();
  void addReads(uint32_t n, uint32_t push);
  void waitForAll(uint32_t barrier, const std::vector<uint32_t> &instances);
  void holdBack(uint32_t n, uint32_t barrier);
  std::string describeNode(uint32_t node) const;
  std::string describeWait(const WaitGraph::Wait &wait) const;
  const Instance &instanceOf(uint32_t node) const;

  const proto::Entry &entry_;
  const bool isAsync_;
  std::vector<Instance> instances_;
  uint32_t nodes_ = 0; // of instructions
  WaitGraph graph_;
};

/// Returns the number of nodes, barriers included.
uint32_t EntryProof::addInstances(const Plan &plan) {
  std::vector<TaskId> replicas = plan.replicas(entry_);
  size_t count = std::min(replicas.size(), representatives);
  std::map<TaskId, uint32_t> numbers;
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
        uint32_t number = numbers.emplace(self, numbers.size()).first->second;
        instances_.push_back({&activation, self, r, number, nodes_});
        nodes_ += 2 * activation.instructions_size();
      }
    }
  return nodes_ + instances_.size();
}

void EntryProof::addDataflow(const Instance &instance) {
  const proto::Activation &activation = *instance.activation;
  std::vector<uint32_t> definer(activation.buffers_size());
  auto end = [&](uint32_t i) { return instance.firstNode + 2 * i; };
  for (int i = 0; i < activation.instructions_size(); ++i) {
    const proto::Instruction &it = activation.instructions(i);
    uint32_t begins = end(i) + 1;
    graph_.wait(end(i), begins, Own);
    for (uint32_t before : it.after())
      graph_.wait(begins, end(before), After);
    Operands operands = operandsOf(it);
    for (uint32_t buffer : operands.reads)
      graph_.wait(begins, end(definer[buffer]), Data);
    for (uint32_t buffer : operands.writes)
      definer[buffer] = i;
  }
}

/// Every edge as often as the representatives have it.
std::vector<Message> EntryProof::messages() const {
  std::vector<std::vector<Call>> sends(entry_.edges_size()),
      recvs(entry_.edges_size()); // by edge; in replica order
  for (uint32_t n = 0; n < instances_.size(); ++n) {
    const proto::Activation &activation = *instances_[n].activation;
    for (int i = 0; i < activation.instructions_size(); ++i) {
      const proto::Instruction &it = activation.instructions(i);
      if (it.has_send())
        sends[it.send().edge()].push_back({n, uint32_t(i)});
      if (it.has_recv())
        recvs[it.recv().edge()].push_back({n, uint32_t(i)});
    }
  }
  std::vector<Message> all;
  for (size_t edge = 0; edge < sends.size(); ++edge)
    for (size_t r = 0; r < std::min(sends[edge].size(), recvs[edge].size());
         ++r)
      all.push_back({sends[edge][r], recvs[edge][r]});
  return all;
}

/// A peer is a task, or another activation of the own task.
uint64_t EntryProof::peerOf(const Call &call, const Call &other) const {
  const Instance &own = instances_[call.instance];
  const Instance &far = instances_[other.instance];
  return own.taskNumber == far.taskNumber ? instances_.size() + other.instance
                                          : far.taskNumber;
}

void EntryProof::addChannels() {
  // Calls by (instance, peer), messages by (sending task or instance, peer).
  std::map<std::pair<uint64_t, uint64_t>, std::vector<Call>> calls;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<Message>> channels;
  for (const Message &message : messages()) {
    const auto &[send, recv] = message;
    graph_.wait(done(recv), done(send), Arrival);
    uint64_t to = peerOf(send, recv), from = peerOf(recv, send);
    calls[{send.instance, to}].push_back(send);
    calls[{recv.instance, from}].push_back(recv);
    channels[{from, to}].push_back(message);
  }
  for (auto &[ends, sequence] : calls) {
    std::sort(sequence.begin(), sequence.end(),
              [](auto &a, auto &b) { return a.instruction < b.instruction; });
    for (size_t k = 1; k < sequence.size(); ++k)
      graph_.wait(begun(sequence[k]), done(sequence[k - 1]), Turn);
  }
  for (auto &[ends, messages] : channels)
    addRoom(std::move(messages));
}

/// Whether all that instance `n` does ends before `other`, an apply of the same
/// task, begins.
bool EntryProof::endsBefore(uint32_t n, uint32_t other) const {
  const Instance &one = instances_[n], &next = instances_[other];
  if (!next.isApply() || (one.isApply() && !isAsync_))
    return false;
  return !isAsync_ || one.replica + one.isApply() == next.replica;
}

/// A channel holds one message. Which of two activations that run side by side
/// sends first is not known, so only what follows is made to wait.
void EntryProof::addRoom(std::vector<Message> messages) {
  auto isEarlier = [this](const Message &a, const Message &b) {
    const Call &x = a.send, &y = b.send;
    return std::tuple(instances_[x.instance].isApply(), x.instance,
                      x.instruction) <
           std::tuple(instances_[y.instance].isApply(), y.instance,
                      y.instruction);
  };
  std::sort(messages.begin(), messages.end(), isEarlier);
  std::vector<Message> lasts;
  for (size_t k = 0; k < messages.size(); ++k) {
    const auto &[send, recv] = messages[k];
    bool isFirst = k == 0 || messages[k - 1].send.instance != send.instance;
    bool isLast = k + 1 == messages.size() ||
                  messages[k + 1].send.instance != send.instance;
    if (!isFirst)
      graph_.wait(begun(send), begun(messages[k - 1].recv), Room);
    else
      for (const Message &last : lasts)
        if (endsBefore(last.send.instance, send.instance))
          graph_.wait(begun(send), begun(last.recv), Room);
    if (isLast)
      lasts.push_back(messages[k]);
  }
}

/// `barrier` waits for the ends of `instances`.
void EntryProof::waitForAll(uint32_t barrier,
                            const std::vector<uint32_t> &instances) {
  for (uint32_t n : instances)
    for (int i = 0; i < instances_[n].activation->instructions_size(); ++i)
      graph_.wait(barrier, done({n, uint32_t(i)}), Barrier);
}

/// All that instance `n` does waits for `barrier`.
void EntryProof::holdBack(uint32_t n, uint32_t barrier) {
  for (int i = 0; i < instances_[n].activation->instructions_size(); ++i)
    graph_.wait(begun({n, uint32_t(i)}), barrier, Barrier);
}

/// Apply activations run after all others of their task.
void EntryProof::addBarriers() {
  std::map<uint32_t, std::vector<uint32_t>> before, apply; // by task
  for (uint32_t n = 0; n < instances_.size(); ++n)
    (instances_[n].isApply() ? apply : before)[instances_[n].taskNumber]
        .push_back(n);
  for (const auto &[task, applies] : apply) {
    uint32_t barrier = nodes_ + applies[0];
    waitForAll(barrier, before[task]);
    for (uint32_t n : applies)
      holdBack(n, barrier);
  }
}

/// Update async: a replica's push is applied after what the task does for this
/// replica, and one push after the other. Which comes first depends on the run,
/// but all tasks agree where one takes what another sends (see applyLeader),
/// and replicas differ in their numbers only: so the order of the numbers
/// stands for any other. What a serve reads may wait for the push before, too.
void EntryProof::addPushes() {
  using ByReplica = std::map<size_t, std::vector<uint32_t>>;
  std::map<uint32_t, ByReplica> before, apply; // by task
  for (uint32_t n = 0; n < instances_.size(); ++n)
    (instances_[n].isApply()
         ? apply
         : before)[instances_[n].taskNumber][instances_[n].replica]
        .push_back(n);
  for (const auto &[task, pushes] : apply)
    for (const auto &[replica, applies] : pushes) {
      uint32_t barrier = nodes_ + applies[0];
      waitForAll(barrier, before[task][replica]);
      if (replica > 0)
        waitForAll(barrier, pushes.at(replica - 1));
      for (uint32_t n : applies)
        holdBack(n, barrier);
    }
  for (uint32_t n = 0; n < instances_.size(); ++n)
    if (!instances_[n].isApply() && instances_[n].replica > 0) {
      waitForAll(nodes_ + n,
                 apply[instances_[n].taskNumber][instances_[n].replica - 1]);
      addReads(n, nodes_ + n);
    }
}

/// What reads a variable's storage in instance `n` waits for `push`.
void EntryProof::addReads(uint32_t n, uint32_t push) {
  const proto::Activation &activation = *instances_[n].activation;
  std::vector<bool> isStorage(activation.buffers_size());
  for (int i = 0; i < activation.instructions_size(); ++i) {
    const proto::Instruction &it = activation.instructions(i);
    if (it.has_load_variable())
      isStorage[it.load_variable().buffer()] = true;
    Operands operands = operandsOf(it);
    if (std::any_of(operands.reads.begin(), operands.reads.end(),
                    [&](uint32_t buffer) { return isStorage[buffer]; }))
      graph_.wait(begun({n, uint32_t(i)}), push, Barrier);
  }
}

const Instance &EntryProof::instanceOf(uint32_t node) const {
  if (node >= nodes_)
    return instances_[node - nodes_];
  // Instances without instructions share their first node with the next one.
  size_t n = instances_.size() - 1;
  while (instances_[n].firstNode > node)
    --n;
  return instances_[n];
}

std::string EntryProof::describeNode(uint32_t node) const {
  const Instance &instance = instanceOf(node);
  if (node >= nodes_)
    return instance.isApply()
               ? strCat("the end of what ", instance.task, " does before apply")
               : strCat("the push before, on ", instance.task);
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

/// How the line begins that names what is waited for.
std::string EntryProof::describeWait(const WaitGraph::Wait &wait) const {
  switch (wait.why) {
  case Turn:
    return "calls to one peer run in order, so it waits for ";
  case Room:
    return "a channel holds one message, so it waits for ";
  default:
    return "waits for ";
  }
}

} // namespace

Status proveNoWaitCycle(const Plan &plan) {
  for (const proto::Entry &entry : plan.proto().entries())
    DTC_RETURN_IF_ERROR(
        EntryProof(plan, entry).prove().withPrefix(plan.path() + ": "));
  return Status::ok();
}

} // namespace dtc

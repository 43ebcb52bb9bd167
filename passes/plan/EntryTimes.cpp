#include "passes/plan/EntryTimes.h"

#include <cmath>

#include "dialects/graph/Cost.h"
#include "passes/plan/KernelCost.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::plan;

namespace {

constexpr graph::Rates rates;
constexpr graph::LinkRates links;

/// At least one, so that times rise strictly along whatever waits.
int64_t nanoseconds(double seconds) {
  return std::max<int64_t>(1, std::llround(seconds * 1e9));
}

int64_t bytesTouched(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    bytes += graph::sizeBytes(type);
  for (Type type : op->getResultTypes())
    bytes += graph::sizeBytes(type);
  return bytes;
}

/// From an instruction's begin until its results are there.
int64_t timeOf(Operation *op, const KernelTimes &kernels) {
  if (isa<LoadVariableOp, ReplicaIndexOp>(op))
    return 1; // nothing is moved
  if (isa<SendOp>(op))
    return nanoseconds(links.threadSeconds);
  if (isa<RecvOp>(op)) // and on the way
    return nanoseconds(links.batchSeconds + links.messageSeconds +
                       double(bytesTouched(op)) / links.bytesPerSecond);
  if (auto launch = dyn_cast<LaunchOp>(op))
    if (auto found = kernels.find(launch.getKernelAttr().getAttr());
        found != kernels.end())
      return found->second;
  return nanoseconds(double(bytesTouched(op)) / rates.bytesPerSecond);
}

/// What waits for what, and how long; nodes are numbers below `nodes`.
class Waits {
public:
  explicit Waits(uint32_t nodes) : begin_(nodes + 1) {}

  /// `node` begins `time` after `other` at the earliest.
  void add(uint32_t node, uint32_t other, int64_t time) {
    waits_.push_back({node, other, time});
    ++begin_[other + 1];
  }

  /// When each node can begin; false if there is a circle. Once, after all
  /// add().
  bool solveEarliest(std::vector<int64_t> &times);
  /// When each node must begin for none to be later than `end`. After
  /// solveEarliest().
  std::vector<int64_t> latest(int64_t end) const;

private:
  struct Wait {
    uint32_t node, other;
    int64_t time;
  };
  ArrayRef<const Wait *> wakes(uint32_t node) const {
    return ArrayRef(wakes_).slice(begin_[node],
                                  begin_[node + 1] - begin_[node]);
  }

  std::vector<Wait> waits_;
  std::vector<uint32_t> begin_;     // of a node's wakes; counts at first
  std::vector<const Wait *> wakes_; // by other
  std::vector<uint32_t> order_;     // what is waited for comes first
};

bool Waits::solveEarliest(std::vector<int64_t> &times) {
  for (size_t node = 1; node < begin_.size(); ++node)
    begin_[node] += begin_[node - 1];
  wakes_.resize(waits_.size());
  std::vector<uint32_t> next(begin_), pending(begin_.size() - 1);
  for (const Wait &wait : waits_) {
    wakes_[next[wait.other]++] = &wait;
    ++pending[wait.node];
  }
  times.assign(pending.size(), 0);
  for (uint32_t node = 0; node < pending.size(); ++node)
    if (pending[node] == 0)
      order_.push_back(node);
  for (size_t done = 0; done < order_.size(); ++done)
    for (const Wait *wait : wakes(order_[done])) {
      times[wait->node] =
          std::max(times[wait->node], times[wait->other] + wait->time);
      if (--pending[wait->node] == 0)
        order_.push_back(wait->node);
    }
  return order_.size() == times.size();
}

std::vector<int64_t> Waits::latest(int64_t end) const {
  std::vector<int64_t> times(begin_.size() - 1, end);
  for (uint32_t node : llvm::reverse(order_))
    for (const Wait *wait : wakes(node))
      times[node] = std::min(times[node], times[wait->node] - wait->time);
  return times;
}

/// The waits of one entry. Behind the instructions there are two nodes for each
/// activation: it begins, it has ended.
class EntryWaits {
public:
  EntryWaits(const EntryIndex &index, const KernelTimes &kernels)
      : index_(index), waits_(index.size() + 2 * index.parts().size()),
        partOf_(index.size()) {
    for (uint32_t i = 0; i < index.size(); ++i)
      time_.push_back(timeOf(index.op(i), kernels));
    for (uint32_t part = 0; part < index.parts().size(); ++part)
      addPart(part);
    for (const EntryIndex::Edge &edge : index.edges())
      addEdge(edge);
    addBarriers();
  }

  std::optional<EntryTimes> solve() {
    EntryTimes times;
    if (!waits_.solveEarliest(times.earliest))
      return std::nullopt;
    times.latest = waits_.latest(
        times.earliest.empty() ? 0 : *llvm::max_element(times.earliest));
    return times;
  }

private:
  uint32_t begins(uint32_t part) const { return index_.size() + 2 * part; }
  uint32_t ends(uint32_t part) const { return begins(part) + 1; }

  void addPart(uint32_t part) {
    const EntryIndex::Part &its = index_.parts()[part];
    for (uint32_t i = its.first; i < its.end; ++i) {
      partOf_[i] = part;
      waits_.add(i, begins(part), 0);
      for (Value operand : index_.op(i)->getOperands()) {
        uint32_t maker = index_.makerOf(operand);
        waits_.add(i, maker, time_[maker]);
      }
      waits_.add(ends(part), i, time_[i]);
    }
  }

  void addEdge(const EntryIndex::Edge &edge) {
    waits_.add(edge.recv, edge.send, time_[edge.send]);
    waits_.add(ends(partOf_[edge.send]), edge.recv, time_[edge.recv]);
  }

  void addBarriers();

  const EntryIndex &index_;
  Waits waits_;
  std::vector<uint32_t> partOf_; // by instruction
  std::vector<int64_t> time_;    // by instruction
};

/// What a task applies, it applies when all else that it does has ended. A
/// template stands for many tasks, so it is taken for any.
void EntryWaits::addBarriers() {
  SmallVector<uint32_t> applies, templates, all;
  llvm::MapVector<TaskAttr, SmallVector<uint32_t>> others; // by task
  for (auto [number, part] : llvm::enumerate(index_.parts())) {
    EntryIndex::Part its = part;
    if (its.activation.getKind() == ActivationKind::Apply) {
      applies.push_back(number);
      continue;
    }
    all.push_back(number);
    (its.task.isTemplate() ? templates : others[its.task]).push_back(number);
  }
  for (uint32_t apply : applies) {
    auto waitFor = [&](ArrayRef<uint32_t> parts) {
      for (uint32_t part : parts)
        waits_.add(begins(apply), ends(part), 1);
    };
    TaskAttr task = index_.parts()[apply].task;
    waitFor(task.isTemplate() ? all : templates);
    if (!task.isTemplate())
      waitFor(others[task]);
  }
}

} // namespace

EntryIndex::EntryIndex(EntryOp entry) {
  for (EdgeOp edge : entry.getOps<EdgeOp>())
    edgeNumbers_.try_emplace(edge.getKeyAttr(), edgeNumbers_.size());
  edges_.resize(edgeNumbers_.size());
  for (auto program : entry.getOps<ProgramOp>())
    for (auto activation : program.getOps<ActivationOp>()) {
      uint32_t first = size();
      for (Operation &op : activation.getBody().front()) {
        if (uint32_t edge = edgeOf(&op); edge != none)
          (isa<SendOp>(op) ? edges_[edge].send : edges_[edge].recv) = size();
        numbers_[&op] = size();
        ops_.push_back(&op);
      }
      parts_.push_back({activation, program.getTask(), first, size()});
    }
}

uint32_t EntryIndex::edgeOf(Operation *op) const {
  StringAttr key;
  if (auto send = dyn_cast<SendOp>(op))
    key = send.getEdgeAttr();
  else if (auto recv = dyn_cast<RecvOp>(op))
    key = recv.getEdgeAttr();
  auto found = key ? edgeNumbers_.find(key) : edgeNumbers_.end();
  return found == edgeNumbers_.end() ? none : found->second;
}

KernelTimes plan::kernelTimesOf(ModuleOp module) {
  KernelTimes times;
  for (auto kernel : module.getOps<KernelOp>())
    times[kernel.getSymNameAttr()] = nanoseconds(
        rates.secondsPerKernel + graph::secondsOf(costOfKernel(kernel), rates));
  return times;
}

std::optional<EntryTimes> EntryTimes::of(const EntryIndex &index,
                                         const KernelTimes &kernels) {
  for (const EntryIndex::Edge &edge : index.edges())
    if (edge.send == EntryIndex::none || edge.recv == EntryIndex::none)
      return std::nullopt;
  return EntryWaits(index, kernels).solve();
}

// plan-schedule: the final order of each activation's instructions (G13).
//
// Every edge has one moment, when both its value and its receiver can be there
// at the earliest (EntryTimes), and the calls (sends and receives) of every
// activation follow the order of moments; of equal ones, that in which edges
// are declared. So the orders of all activations are parts of one order for the
// whole entry, in which whatever waits stands behind what it waits for: tasks
// could make all calls one after the other, even if each lasted until its other
// end is there. No circle of waits can arise (runtime/plan/Proof.h checks it).
//
// Between the calls: first what the next send needs, in the order of the text,
// then the next one's, and last what no send needs. A send goes behind what
// makes its value as soon as somebody would wait for it, or as what has
// gathered is worth a batch of its own, or as no other send is to come; till
// then it waits for company, since small messages cost more than their bytes. A
// receive goes as late as it can: before what first reads it, or before the
// next call.
//
// A text that states an order of its own keeps it: one that says what runs
// after what, whose calls are not in the order of its edges, or whose
// instructions wait in a circle. The proof judges it.
//
// Stores go last. A variable's value is read in place, so a store waits for
// every reader: that is how each read sees the step's start.
#include "dialects/graph/Cost.h"
#include "mlir/IR/Builders.h"
#include "passes/plan/EntryTimes.h"
#include "passes/plan/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace dtc::plan {
#define GEN_PASS_DEF_SCHEDULE
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc;
using namespace dtc::plan;

namespace {

/// So many take as long on the way as a batch of messages by itself.
constexpr auto batchBytes = int64_t(graph::LinkRates().batchSeconds *
                                    graph::LinkRates().bytesPerSecond);

bool isCall(Operation *op) { return isa<SendOp, RecvOp>(op); }

/// Whether the text means the order that it has.
bool statesOrder(const EntryIndex &index) {
  for (const EntryIndex::Part &part : index.parts()) {
    uint32_t last = 0;
    for (uint32_t i = part.first; i < part.end; ++i) {
      Operation *op = index.op(i);
      if (op->hasAttr("after"))
        return true;
      if (!isCall(op))
        continue;
      uint32_t edge = index.edgeOf(op);
      if (edge == EntryIndex::none || edge < last)
        return true;
      last = edge;
    }
  }
  return false;
}

/// Decides the order of one activation; changes nothing.
class Order {
public:
  Order(const EntryIndex &index, const EntryTimes &times,
        const EntryIndex::Part &part)
      : index_(index), times_(times), part_(part),
        turnOf_(part.end - part.first), isPlaced_(part.end - part.first) {
    for (uint32_t i = part.first; i < part.end; ++i)
      if (isCall(index.op(i)))
        calls_.push_back(i);
    // The text has those of one moment in the order of the edges.
    llvm::stable_sort(calls_, [&](uint32_t a, uint32_t b) {
      return momentOf(a) < momentOf(b);
    });
    for (auto [turn, call] : llvm::enumerate(calls_))
      turnOf_[call - part.first] = turn;
  }

  /// All but the stores.
  ArrayRef<uint32_t> decide() {
    for (uint32_t call : calls_)
      if (auto send = dyn_cast<SendOp>(index_.op(call))) {
        compute(send.getValue());
        gather(call);
      }
    callUpTo(gathered_); // no company is to come
    for (uint32_t i = part_.first; i < part_.end; ++i)
      if (!isPlaced_[i - part_.first] && !isCall(index_.op(i)) &&
          !isa<StoreVariableOp>(index_.op(i)))
        place(i);
    callUpTo(calls_.size()); // receives that nobody reads
    return order_;
  }

private:
  const EntryIndex::Edge &edgeOf(uint32_t call) const {
    return index_.edges()[index_.edgeOf(index_.op(call))];
  }
  int64_t momentOf(uint32_t call) const {
    return times_.earliest[edgeOf(call).recv];
  }

  /// Places what `value` needs and is not there yet, in the order of the text.
  void compute(Value value) {
    SmallVector<uint32_t> needed;
    auto need = [&](Value it) {
      uint32_t maker = index_.makerOf(it);
      if (isPlaced_[maker - part_.first] || isCall(index_.op(maker)))
        return;
      isPlaced_[maker - part_.first] = true;
      needed.push_back(maker);
    };
    need(value);
    for (size_t i = 0; i < needed.size(); ++i)
      for (Value operand : index_.op(needed[i])->getOperands())
        need(operand);
    llvm::sort(needed);
    for (uint32_t computation : needed)
      place(computation);
  }

  /// The send's value is there: it goes with those that follow, unless somebody
  /// would wait for it, or it is worth a batch.
  void gather(uint32_t send) {
    gathered_ = turnOf_[send - part_.first] + 1;
    due_ = std::min(due_, times_.latest[send]);
    bytes_ += graph::sizeBytes(index_.op(send)->getOperand(0).getType());
    if (bytes_ >= batchBytes)
      callUpTo(gathered_);
  }

  void place(uint32_t computation) {
    if (due_ <= times_.earliest[computation])
      callUpTo(gathered_);
    for (Value operand : index_.op(computation)->getOperands())
      if (uint32_t maker = index_.makerOf(operand); isCall(index_.op(maker)))
        callUpTo(turnOf_[maker - part_.first] + 1);
    append(computation);
  }

  void callUpTo(size_t end) {
    while (called_ < end)
      append(calls_[called_++]);
    if (called_ >= gathered_) {
      due_ = INT64_MAX;
      bytes_ = 0;
    }
  }

  void append(uint32_t number) {
    order_.push_back(number);
    isPlaced_[number - part_.first] = true;
  }

  const EntryIndex &index_;
  const EntryTimes &times_;
  const EntryIndex::Part &part_;
  std::vector<uint32_t> calls_;  // in the order of moments
  std::vector<uint32_t> turnOf_; // by number in the part: its place in calls_
  std::vector<bool> isPlaced_;   // by number in the part, or about to be
  std::vector<uint32_t> order_;
  size_t called_ = 0;       // calls that are placed
  size_t gathered_ = 0;     // calls that are, or may be: up to the last send
  int64_t due_ = INT64_MAX; // when the first of those must go
  int64_t bytes_ = 0;       // that they carry
};

void arrange(const EntryIndex &index, Block &block, ArrayRef<uint32_t> order) {
  for (uint32_t number : order)
    index.op(number)->moveBefore(&block, block.end());
}

void moveStoresLast(Block &block) {
  SmallVector<StoreVariableOp> stores(block.getOps<StoreVariableOp>());
  for (StoreVariableOp store : stores)
    store->moveBefore(&block, block.end());
}

/// Which instructions read each variable in place, by position.
llvm::StringMap<SetVector<int32_t>>
readersOf(Block &block, const DenseMap<Operation *, int32_t> &positions) {
  llvm::StringMap<SetVector<int32_t>> readers;
  for (auto load : block.getOps<LoadVariableOp>())
    for (Operation *user : load.getValue().getUsers())
      readers[load.getVariable()].insert(positions.lookup(user));
  return readers;
}

void makeStoresWait(Block &block) {
  DenseMap<Operation *, int32_t> positions;
  for (auto [position, op] : llvm::enumerate(block))
    positions[&op] = position;
  llvm::StringMap<SetVector<int32_t>> readers = readersOf(block, positions);
  for (auto store : block.getOps<StoreVariableOp>()) {
    SmallVector<int32_t> after = readers[store.getVariable()].takeVector();
    llvm::erase(after, positions.lookup(store));
    llvm::sort(after);
    if (!after.empty())
      store.setAfter(after);
  }
}

struct SchedulePass : dtc::plan::impl::ScheduleBase<SchedulePass> {
  void runOnOperation() override {
    KernelTimes kernels = kernelTimesOf(getOperation());
    for (auto entry : getOperation().getOps<EntryOp>())
      schedule(entry, kernels);
  }

private:
  static void schedule(EntryOp entry, const KernelTimes &kernels) {
    EntryIndex index(entry);
    std::optional<EntryTimes> times;
    if (!statesOrder(index))
      times = EntryTimes::of(index, kernels);
    for (EntryIndex::Part part : index.parts()) {
      Block &block = part.activation.getBody().front();
      if (times)
        arrange(index, block, Order(index, *times, part).decide());
      moveStoresLast(block);
      makeStoresWait(block);
    }
  }
};

} // namespace

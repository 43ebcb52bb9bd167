// plan-assign-buffers: liveness under the schedule, one arena, first fit.
//
// The executor runs instructions as soon as their inputs are there, not in
// schedule order. So where a buffer takes over the bytes of a dead one, its
// instruction gets `after` edges to all that touched the dead one.
#include <map>
#include <queue>

#include "mlir/IR/Builders.h"
#include "passes/plan/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace dtc::plan {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc::plan;

namespace {

constexpr int64_t alignment = 64; // a cache line and a 512-bit vector

/// A value that owns bytes of the arena.
struct Buffer {
  int64_t bytes;
  SmallVector<int32_t> touchedBy; // positions: who defines it, who reads it
  int32_t lastUse() const { return touchedBy.back(); }
};

/// What lies where. Segments do not overlap and cover what was ever used.
class Arena {
public:
  explicit Arena(bool reuses) : reuses_(reuses) {}

  /// Places `buffer` at the lowest offset whose bytes are dead at `position`,
  /// and adds to `after` whoever touched those bytes before. Positions do not
  /// decrease from call to call.
  int64_t place(const Buffer &buffer, int32_t position,
                SetVector<int32_t> &after) {
    if (reuses_)
      freeDead(position);
    int64_t offset = takeLowest(buffer.bytes);
    living_.push({buffer.lastUse(), offset, offset + buffer.bytes});
    occupy(offset, buffer, after);
    return offset;
  }
  int64_t size() const { return size_; }

private:
  struct Segment {
    int64_t end;
    const Buffer *owner;
  };
  struct Living {
    int32_t lastUse;
    int64_t begin, end;
    bool operator>(const Living &other) const {
      return lastUse > other.lastUse;
    }
  };

  void freeDead(int32_t position) {
    while (!living_.empty() && living_.top().lastUse < position) {
      auto [lastUse, begin, end] = living_.top();
      living_.pop();
      auto next = free_.lower_bound(begin);
      if (next != free_.end() && next->first == end) {
        end = next->second;
        next = free_.erase(next);
      }
      if (next != free_.begin() && std::prev(next)->second == begin)
        std::prev(next)->second = end;
      else
        free_[begin] = end;
    }
  }

  /// Of a hole that is larger, the rest stays free; the arena grows if none is
  /// large enough, from its last hole on if that lies at the end.
  int64_t takeLowest(int64_t bytes) {
    auto hole = llvm::find_if(
        free_, [&](auto &it) { return it.second - it.first >= bytes; });
    if (hole == free_.end() && !free_.empty() &&
        std::prev(hole)->second == size_)
      --hole;
    if (hole == free_.end()) {
      size_ += bytes;
      return size_ - bytes;
    }
    auto [begin, end] = *hole;
    free_.erase(hole);
    if (begin + bytes < end)
      free_[begin + bytes] = end;
    size_ = std::max(size_, begin + bytes);
    return begin;
  }

  void occupy(int64_t offset, const Buffer &buffer, SetVector<int32_t> &after) {
    int64_t end = offset + buffer.bytes;
    auto it = segments_.lower_bound(offset);
    if (it != segments_.begin() && std::prev(it)->second.end > offset)
      --it;
    while (it != segments_.end() && it->first < end) {
      auto [begin, old] = *it;
      after.insert(old.owner->touchedBy.begin(), old.owner->touchedBy.end());
      it = segments_.erase(it);
      // What sticks out on either side still belongs to the old owner.
      if (begin < offset)
        segments_[begin] = {offset, old.owner};
      if (old.end > end)
        it = std::next(
            segments_.insert_or_assign(end, Segment{old.end, old.owner}).first);
    }
    segments_[offset] = {end, &buffer};
  }

  const bool reuses_;
  std::map<int64_t, Segment> segments_;
  std::map<int64_t, int64_t> free_; // begin → end of dead bytes, not adjacent
  std::priority_queue<Living, std::vector<Living>, std::greater<>> living_;
  int64_t size_ = 0;
};

int64_t sizeBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned bits = std::max(8u, type.getElementType().getIntOrFloatBitWidth());
  return llvm::alignTo(std::max<int64_t>(1, type.getNumElements() * (bits / 8)),
                       alignment);
}

/// Dependencies that the instruction's operands imply need not be said.
void addAfter(Operation &op, SetVector<int32_t> &after, int32_t position,
              const DenseMap<Operation *, int32_t> &positions) {
  for (Value operand : op.getOperands())
    after.remove(positions.lookup(operand.getDefiningOp()));
  after.remove(position);
  if (auto old = op.getAttrOfType<DenseI32ArrayAttr>("after"))
    after.insert(old.asArrayRef().begin(), old.asArrayRef().end());
  SmallVector<int32_t> sorted = after.takeVector();
  llvm::sort(sorted);
  if (!sorted.empty())
    op.setAttr("after", DenseI32ArrayAttr::get(op.getContext(), sorted));
}

struct AssignBuffersPass
    : dtc::plan::impl::AssignBuffersBase<AssignBuffersPass> {
  using AssignBuffersBase::AssignBuffersBase;

  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    DenseMap<Operation *, int32_t> positions;
    for (auto [position, op] : llvm::enumerate(block))
      positions[&op] = position;

    DenseMap<Value, Buffer> buffers;
    for (Operation &op : block)
      for (Value result : op.getResults())
        buffers[result] = liveness(result, positions);

    Arena arena(reuse);
    for (auto [position, op] : llvm::enumerate(block))
      placeResults(op, position, arena, buffers, positions);
    getOperation().setArenaBytes(arena.size());
  }

private:
  static Buffer liveness(Value value,
                         const DenseMap<Operation *, int32_t> &positions) {
    Buffer buffer{sizeBytes(value), {positions.lookup(value.getDefiningOp())}};
    SetVector<int32_t> users;
    for (Operation *user : value.getUsers())
      users.insert(positions.lookup(user));
    SmallVector<int32_t> sorted = users.takeVector();
    llvm::sort(sorted);
    llvm::append_range(buffer.touchedBy, sorted);
    return buffer;
  }

  static void placeResults(Operation &op, int32_t position, Arena &arena,
                           const DenseMap<Value, Buffer> &buffers,
                           const DenseMap<Operation *, int32_t> &positions) {
    // A variable's value is its storage; it has no bytes in the arena.
    if (op.getNumResults() == 0 || isa<LoadVariableOp>(op))
      return;
    SetVector<int32_t> after;
    SmallVector<int64_t> offsets;
    for (Value result : op.getResults())
      offsets.push_back(
          arena.place(buffers.find(result)->second, position, after));
    op.setAttr("offsets", DenseI64ArrayAttr::get(op.getContext(), offsets));
    addAfter(op, after, position, positions);
  }
};

} // namespace

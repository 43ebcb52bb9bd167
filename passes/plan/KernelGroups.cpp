#include "passes/plan/KernelGroups.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/Fusion.h"

using namespace mlir;

namespace dtc::plan {

/// A group to which ops may still come.
struct KernelGrouper::Growing {
  KernelGroup ops;
  unsigned first; // the first op's place in the block
  unsigned waits; // as Place's: when the launch can begin
  int64_t laneOperations = 0;
};

/// An op's place in the block. What waits for no other task has `waits` 0; else
/// it is one more than the place of the last receive that the op needs,
/// directly or by way of other ops.
struct KernelGrouper::Place {
  unsigned position = 0, waits = 0;
  std::optional<unsigned> group = std::nullopt;
};

/// The groups of one activation.
class KernelGrouper::Activation {
public:
  explicit Activation(const KernelGrouper &grouper) : grouper_(grouper) {}

  void add(Operation &op);
  std::vector<KernelGroup> take();

private:
  Place placeOf(Value value) const {
    return places_.lookup(value.getDefiningOp());
  }
  unsigned waitsOf(Operation &op, unsigned position) const;
  unsigned join(Operation &op, const Place &place);
  bool accepts(unsigned group, Operation &op, const Place &place) const;
  bool isSoleUser(Operation &op, unsigned group) const;

  const KernelGrouper &grouper_;
  std::vector<Growing> groups_;
  DenseMap<Operation *, Place> places_;
};

/// Constants are copied into the kernels that use them; one that something
/// other than a kernel needs is a kernel of its own, and so is a splat that a
/// kernel needs in full.
static bool isComputation(Operation &op) {
  if (!isa<graph::GraphDialect>(op.getDialect()))
    return false;
  auto constant = dyn_cast<graph::ConstantOp>(op);
  if (!constant)
    return true;
  bool isShort = kernel::isShortSplat(constant);
  return llvm::any_of(op.getUsers(), [&](Operation *user) {
    return !isa<graph::GraphDialect>(user->getDialect()) ||
           (isShort && kernel::readsWhole(user));
  });
}

unsigned KernelGrouper::Activation::waitsOf(Operation &op,
                                            unsigned position) const {
  if (auto recv = dyn_cast<RecvOp>(op))
    return grouper_.computed_.contains(recv.getEdge()) ? position + 1 : 0;
  unsigned waits = 0;
  for (Value operand : op.getOperands())
    waits = std::max(waits, placeOf(operand).waits);
  return waits;
}

void KernelGrouper::Activation::add(Operation &op) {
  Place place{.position = unsigned(places_.size())};
  place.waits = waitsOf(op, place.position);
  if (isComputation(op))
    place.group = join(op, place);
  places_.insert({&op, place});
}

/// Of the groups that could take the op, the youngest: most of the op's other
/// operands are older than that. If none can, a new one.
unsigned KernelGrouper::Activation::join(Operation &op, const Place &place) {
  std::optional<unsigned> best;
  for (Value operand : op.getOperands()) {
    std::optional<unsigned> group = placeOf(operand).group;
    if (grouper_.fuses_ && group && (!best || *group > *best) &&
        kernel::canFuse(operand.getDefiningOp(), &op) &&
        accepts(*group, op, place))
      best = group;
  }
  if (!best) {
    best = groups_.size();
    groups_.push_back({{}, place.position, place.waits});
  }
  Growing &group = groups_[*best];
  group.ops.push_back(&op);
  group.waits = std::max(group.waits, place.waits);
  group.laneOperations += kernel::laneOperations(&op);
  return *best;
}

bool KernelGrouper::Activation::accepts(unsigned group, Operation &op,
                                        const Place &place) const {
  const Growing &taker = groups_[group];
  if (taker.laneOperations + kernel::laneOperations(&op) >
      kernel::mostLaneOperations(taker.ops.front()))
    return false;
  // What others wait for must not wait for another task because of this op.
  if (place.waits > taker.waits && !isSoleUser(op, group))
    return false;
  return llvm::all_of(op.getOperands(), [&](Value operand) {
    Place source = placeOf(operand);
    return source.group == group || source.position < taker.first ||
           isa<graph::ConstantOp>(operand.getDefiningOp());
  });
}

/// Whether nobody else reads what the group makes.
bool KernelGrouper::Activation::isSoleUser(Operation &op,
                                           unsigned group) const {
  return llvm::all_of(groups_[group].ops, [&](Operation *member) {
    return llvm::all_of(member->getUsers(), [&](Operation *user) {
      return user == &op || places_.lookup(user).group == group;
    });
  });
}

std::vector<KernelGroup> KernelGrouper::Activation::take() {
  std::vector<KernelGroup> groups;
  for (Growing &group : groups_)
    groups.push_back(std::move(group.ops));
  return groups;
}

/// Whether a value is there when a step begins, as a variable's is; a reshape
/// of one is a copy of it.
static bool isThereFromTheStart(Value value) {
  Operation *definition = value.getDefiningOp();
  if (auto copy = dyn_cast<graph::ReshapeOp>(definition))
    definition = copy.getX().getDefiningOp();
  return isa<LoadVariableOp, ReadFeedOp, ReadInputOp, ReplicaIndexOp>(
      definition);
}

KernelGrouper::KernelGrouper(ModuleOp module, bool fuses) : fuses_(fuses) {
  module.walk([&](SendOp send) {
    if (!isThereFromTheStart(send.getValue()))
      computed_.insert(send.getEdge());
  });
}

std::vector<KernelGroup> KernelGrouper::group(ActivationOp activation) {
  Activation groups(*this);
  for (Operation &op : activation.getBody().front())
    groups.add(op);
  return groups.take();
}

} // namespace dtc::plan

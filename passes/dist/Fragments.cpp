#include "passes/dist/Fragments.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace dtc::dist {

/// Constants belong to no fragment: each gets its own copy.
static bool isNode(Operation *op) { return !isa<graph::ConstantOp>(op); }

Fragments::Fragments(graph::FuncOp func)
    : func_(func), chief_(clusterOf(func).chief()),
      isReplicated_(isReplicated(func)) {
  findLevels();
  sinkToUsers();
  gather();
}

Site Fragments::entryOf(Operation *user) const {
  if (!isReplicated_ || activationOf(user) == Activation::Apply)
    return {chief_, *activationOf(user)};
  return {chief_, Activation::Serve};
}

/// One more than any value that comes from another site, so that the edge leads
/// upwards.
unsigned Fragments::levelOf(Operation *op, unsigned base) const {
  unsigned level = base;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (!definition)
      level = std::max(level, base + isRemoteFeed(op));
    else if (isNode(definition))
      level = std::max(level, level_.lookup(definition) +
                                  !(siteOf(definition) == siteOf(op)));
  }
  return level;
}

void Fragments::findLevels() {
  Block &body = func_.getBody().front();
  auto isApply = [](Operation &op) {
    return activationOf(&op) == Activation::Apply;
  };
  for (Operation &op : body)
    if (isNode(&op) && !isApply(op)) {
      level_[&op] = levelOf(&op, 0);
      applyBase_ = std::max(applyBase_, level_[&op] + 1);
    }
  // Behind all others: no value tells a take from its accumulates.
  for (Operation &op : body)
    if (isNode(&op) && isApply(op))
      level_[&op] = levelOf(&op, applyBase_);
}

/// Inputs, reads and what depends on nothing that comes over an edge would form
/// a first fragment of their own; they join the earliest one that uses them. An
/// op that feeds an edge stays early.
void Fragments::sinkToUsers() {
  for (Operation &op : llvm::reverse(func_.getBody().front())) {
    unsigned base = activationOf(&op) == Activation::Apply ? applyBase_ : 0;
    if (!isNode(&op) || op.use_empty() || level_.lookup(&op) != base)
      continue;
    unsigned earliest = ~0u;
    bool isLocal = true;
    for (Operation *user : op.getUsers()) {
      isLocal &= siteOf(user) == siteOf(&op);
      earliest = std::min(earliest, level_.lookup(user));
    }
    if (isLocal)
      level_[&op] = earliest;
  }
}

void Fragments::gather() {
  llvm::DenseMap<std::tuple<unsigned, const void *, unsigned>, size_t> places;
  auto fragmentAt = [&](unsigned level, const Site &site) -> Fragment & {
    auto [place, isNew] = places.try_emplace(
        {level, site.device.getAsOpaquePointer(), unsigned(site.activation)},
        list_.size());
    if (isNew)
      list_.push_back({site, level, {}, {}});
    return list_[place->second];
  };
  for (Operation &op : func_.getBody().front()) {
    if (!isNode(&op))
      continue;
    fragmentAt(level_.lookup(&op), siteOf(&op)).ops.push_back(&op);
    for (Value operand : op.getOperands())
      if (auto feed = dyn_cast<BlockArgument>(operand);
          feed && isRemoteFeed(&op)) {
        Site entry = entryOf(&op);
        unsigned base = entry.activation == Activation::Apply ? applyBase_ : 0;
        auto &relays = fragmentAt(base, entry).relays;
        if (!llvm::is_contained(relays, feed))
          relays.push_back(feed);
      }
  }
  // Stable: fragments of one level stay in program order.
  llvm::stable_sort(list_, [](const Fragment &a, const Fragment &b) {
    return a.level < b.level;
  });
  for (auto [index, fragment] : llvm::enumerate(list_))
    for (Operation *op : fragment.ops)
      index_[op] = index;
}

} // namespace dtc::dist

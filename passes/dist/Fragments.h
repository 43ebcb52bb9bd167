// Fragments: which ops of an entry form one partition. Ops of one device and
// activation would be one partition if that made no cycle; where a value leaves
// a device and its result comes back, there must be two.
#pragma once

#include "passes/dist/Decisions.h"

namespace dtc::dist {

/// Where and when something runs.
struct Site {
  DeviceAttr device;
  Activation activation = Activation::Step;
  bool operator==(const Site &) const = default;
};

struct Fragment {
  Site site;
  unsigned level = 0;
  llvm::SmallVector<mlir::Operation *> ops; // in program order, no constants
  /// Feeds that it only hands on: they end on the chief, and are used
  /// elsewhere.
  llvm::SmallVector<mlir::BlockArgument> relays;
};

class Fragments {
public:
  /// `func` has passed dist-verify-placement.
  explicit Fragments(graph::FuncOp func);

  /// In an order such that a value is made before a later fragment uses it.
  llvm::ArrayRef<Fragment> list() const { return list_; }
  /// Index in list() of the fragment of an op that is no constant.
  size_t indexOf(mlir::Operation *op) const { return index_.lookup(op); }
  static Site siteOf(mlir::Operation *op) {
    return {deviceOf(op), *activationOf(op)};
  }
  /// Where a feed enters for the sake of `user`.
  Site entryOf(mlir::Operation *user) const;
  /// True if `user` must get the feed over an edge.
  bool isRemoteFeed(mlir::Operation *user) const {
    return !(entryOf(user) == siteOf(user));
  }

private:
  void findLevels();
  unsigned levelOf(mlir::Operation *op, unsigned base) const;
  void sinkToUsers();
  void gather();

  graph::FuncOp func_;
  DeviceAttr chief_;
  bool isReplicated_;
  unsigned applyBase_ = 0; // levels from here on are activations `apply`
  llvm::DenseMap<mlir::Operation *, unsigned> level_;
  llvm::DenseMap<mlir::Operation *, size_t> index_;
  std::vector<Fragment> list_;
};

} // namespace dtc::dist

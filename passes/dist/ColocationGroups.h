// ColocationGroups: a module's colocation graph. A variable is with its slots,
// reads, assignments and apply ops (P1, P9), and whatever carries `colocate`
// with what it names.
#pragma once

#include <map>

#include "passes/dist/Colocation.h"
#include "passes/dist/UpdateRegion.h"
#include "llvm/ADT/StringSet.h"

namespace dtc::dist {

/// The cluster's devices: a CPU a task.
std::vector<Device> devicesOf(ClusterAttr cluster);

class ColocationGroups {
public:
  /// `variables` must outlive the groups.
  explicit ColocationGroups(const Variables &variables)
      : variables_(variables) {}

  /// The variables, with their slots. Fails, with a diagnostic, if a wish is no
  /// device.
  mlir::LogicalResult addVariables(mlir::ModuleOp module);
  /// The ops of an entry, after its module's variables; names are resolved
  /// (ColocationNames.h). By a name ops of one tower meet, and either ops that
  /// run once a step or ops that run once for each replica. Fails, with a
  /// diagnostic, if a wish is no device.
  mlir::LogicalResult add(graph::FuncOp func, const UpdateRegion &region);
  /// Merges the wishes, once all is added. Fails, with a diagnostic for each
  /// group whose wishes clash: both ends and every op between them (P5).
  mlir::LogicalResult merge(bool soft);
  /// Notes on why `to` must be with `from`, op by op.
  void explainChain(mlir::InFlightDiagnostic &error, mlir::Operation *from,
                    mlir::Operation *to) const;
  /// Notes on who asks for what the group of `op` asks for together.
  void explain(mlir::InFlightDiagnostic &error, mlir::Operation *op) const;

  /// True if `op` has a wish or must be with another.
  bool contains(mlir::Operation *op) const { return nodes_.contains(op); }
  /// All those, variables first.
  llvm::ArrayRef<mlir::Operation *> members() const { return ops_; }
  /// The number of the group of a member.
  size_t groupOf(mlir::Operation *member) const {
    return graph_.groupOf(nodes_.lookup(member));
  }
  /// The first of the group of a member.
  mlir::Operation *firstOf(mlir::Operation *member) const {
    return ops_[groupOf(member)];
  }
  /// What the group of `op` asks for together; all unset for no member. After
  /// merge().
  DeviceSpec wishOf(mlir::Operation *op) const;
  /// The first variable in the group of `op`, or null.
  graph::VariableOp variableOf(mlir::Operation *op) const;
  /// The first op of the group of `op`, which has no variable, that is none of
  /// `others`; the first of all if all are.
  mlir::Operation *
  leaderOf(mlir::Operation *op,
           llvm::function_ref<bool(mlir::Operation *)> others) const;
  /// The first in the group of `op` that has a wish itself, or null. After
  /// merge().
  mlir::Operation *wisherOf(mlir::Operation *op) const;

private:
  /// What a name means in an entry: for which tower, and once a step or not.
  using Label = std::tuple<mlir::Operation *, llvm::StringRef, int64_t, bool>;

  mlir::FailureOr<size_t> nodeOf(mlir::Operation *op);
  mlir::LogicalResult join(mlir::Operation *op, mlir::Operation *other,
                           const llvm::Twine &why);
  mlir::LogicalResult joinVariables(mlir::Operation *op,
                                    const UpdateRegion *region);
  mlir::LogicalResult joinLabels(mlir::Operation *op,
                                 const llvm::StringSet<> &shared);
  void report(const Colocation::Conflict &conflict) const;

  const Variables &variables_;
  Colocation graph_;
  llvm::SmallVector<mlir::Operation *> ops_; // of each node
  llvm::DenseMap<mlir::Operation *, size_t> nodes_;
  std::map<Label, mlir::Operation *> holders_; // the first; looked up only
  llvm::DenseMap<size_t, mlir::Operation *> wishers_; // the first, by group
};

} // namespace dtc::dist

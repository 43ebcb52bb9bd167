// SettleWishes: what each colocation group asks for, once the cluster has had
// its say.
#pragma once

#include "passes/dist/ColocationGroups.h"

namespace dtc::dist {

class SettledWishes {
public:
  /// Looks for a device for the wish of every group; where the wish names no
  /// job, on `variableJob` for a group with a variable, else on `otherJob`.
  /// Fails, with a diagnostic for each group that has none (P5). With `soft`
  /// a group without one first gives up its type and index (P4), and a remark
  /// says so once for each wish.
  static mlir::FailureOr<SettledWishes> settle(const ColocationGroups &groups,
                                               ClusterAttr cluster, bool soft,
                                               llvm::StringRef variableJob,
                                               llvm::StringRef otherJob);

  /// What is left of the wish of the group of `op`; all unset for no member.
  DeviceSpec wishOf(const ColocationGroups &groups, mlir::Operation *op) const;
  /// Whether it lost its type and index.
  bool isSoftened(const ColocationGroups &groups, mlir::Operation *op) const;
  /// Writes them down: the `device` of each member.
  void write(const ColocationGroups &groups) const;

private:
  struct Settled {
    DeviceSpec wish;
    bool isSoftened = false;
  };
  llvm::DenseMap<size_t, Settled> settled_; // by group
};

} // namespace dtc::dist

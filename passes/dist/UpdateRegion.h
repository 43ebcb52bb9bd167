// UpdateRegion: which ops of an entry update variables (and run once a step),
// which values differ from replica to replica, and where the one flows into the
// other. The aggregation points of a training step are exactly those flows.
#pragma once

#include "passes/dist/Decisions.h"
#include "passes/dist/Variables.h"
#include "llvm/ADT/DenseSet.h"

namespace dtc::dist {

/// Whether the op's result differs from replica to replica by itself: random
/// numbers for which the file gives no replica, and graph.replica_index.
bool drawsForReplica(mlir::Operation *op);

/// How the replicas' values become the one that an update or an output takes:
/// they are the same, they have a mean, or they are rows (graph.rows), which
/// are put one behind the other and divided by the number of replicas.
enum class Meeting { Same, Mean, Rows };

class UpdateRegion {
public:
  /// Looks at `func`, whose body is flat (no partitions yet).
  UpdateRegion(graph::FuncOp func, const Variables &variables);

  /// Assignments, apply ops, combined values (graph.replica_mean, dist.take),
  /// and everything computed from them.
  bool isUpdate(mlir::Operation *op) const { return updates_.contains(op); }
  /// The variable that an update op sits with, or null: one that feeds outputs
  /// only. It is never a slot.
  graph::VariableOp variableOf(mlir::Operation *op) const {
    return variables_.lookup(op);
  }
  /// True if the value depends on the data that a replica reads.
  bool isPerReplica(mlir::Value value) const {
    return perReplica_.contains(value);
  }
  /// The operands of updates and outputs that ordinary ops compute, in program
  /// order. An apply op's variable and slot are among them where they are read.
  llvm::ArrayRef<mlir::OpOperand *> inflows() const { return inflows_; }
  /// How replicas meet at an inflow. Indices and rows of one table meet alike,
  /// though one of the two may be the same in all replicas.
  Meeting meetingAt(mlir::OpOperand &use) const;
  /// Fails, with a diagnostic, if what differs "from worker to worker"
  /// (`where`) cannot meet at an inflow.
  mlir::LogicalResult checkMeetings(llvm::StringRef where) const;

private:
  bool takesRows(mlir::OpOperand &use) const;
  void findUpdates(mlir::Block &body);
  void findVariables(mlir::Block &body, const Variables &table);
  void findInflows(mlir::Block &body);

  llvm::DenseSet<mlir::Operation *> updates_;
  llvm::DenseMap<mlir::Operation *, graph::VariableOp> variables_;
  llvm::DenseSet<mlir::Value> perReplica_;
  llvm::SmallVector<mlir::OpOperand *> inflows_;
  // Whose sparse gradients differ from replica to replica.
  llvm::DenseSet<graph::VariableOp> sparse_;
};

} // namespace dtc::dist

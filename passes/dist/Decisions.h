// Decisions: what the placement passes write on modules, variables and ops
// while they decide, and how to read it back.
#pragma once

#include "dialects/dist/Dist.h"
#include "dialects/graph/Ops.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/dist/DeviceSpec.h"

namespace dtc::dist {

/// The user's wish: device = "/job:worker/task:1".
inline constexpr llvm::StringLiteral wishAttrName = "device";
/// Set by dist-assign-jobs, gone after dist-place: a job's name.
inline constexpr llvm::StringLiteral jobAttrName = "dist.job";
/// Set by dist-replicate, gone after dist-form-partitions: which tower an op is
/// of. A value of tower 2 is called "h.r2", or "h.r2_3" where that was taken.
inline constexpr llvm::StringLiteral towerAttrName = "dist.tower";
/// On an op that was made when all had a device: others decide where it is, and
/// it has no line in a placement text. Gone after dist-form-partitions.
inline constexpr llvm::StringLiteral followsAttrName = "dist.follows";
/// On graph.input: it reads block `graph.block` of a step's `graph.blocks`.
using graph::blockAttrName;
using graph::blocksAttrName;

/// The module's cluster and mode. The module of `op` must have them (see
/// requireHeader).
ClusterAttr clusterOf(mlir::Operation *op);
Mode modeOf(mlir::Operation *op);
/// True if the module's updates are asynchronous: replicas do not meet, each
/// push takes effect when it comes.
bool isAsync(mlir::Operation *op);
/// What f32 crosses between tasks as; null: as it is.
mlir::Type wireTypeOf(mlir::Operation *op);
/// Fails with a diagnostic unless dist.cluster and dist.mode are there.
mlir::LogicalResult requireHeader(mlir::ModuleOp module);

/// True if the entry assigns variables.
bool hasUpdates(graph::FuncOp func);
/// True if every worker runs the entry side by side: mode between-graph, and
/// it has updates.
bool isReplicated(graph::FuncOp func);

/// An attribute's name, and its value; null: it goes.
using Decision = std::pair<llvm::StringRef, mlir::Attribute>;
/// Writes several at once: every write makes a new dictionary of attributes.
void write(mlir::Operation *op, llvm::ArrayRef<Decision> decisions);

void setReason(mlir::Operation *op, const llvm::Twine &text);
llvm::StringRef reasonOf(mlir::Operation *op);
void setActivation(mlir::Operation *op, Activation activation);
/// The activation that the passes wrote, or nothing.
std::optional<Activation> activationOf(mlir::Operation *op);
/// The device that dist-place wrote, or null.
DeviceAttr deviceOf(mlir::Operation *op);
llvm::StringRef jobOf(mlir::Operation *op);

/// The user's wish for an op or variable; all parts unset if there is none, and
/// failure after a diagnostic if it is no device.
mlir::FailureOr<DeviceSpec> wishOf(mlir::Operation *op);
/// The wish's text; "" without one.
llvm::StringRef wishTextOf(mlir::Operation *op);

/// What people call an op: "'h1'", "the update of 'w1'", "output 'loss'".
std::string describe(mlir::Operation *op);

} // namespace dtc::dist

// Which graph ops may share a kernel, and what a kernel's body is made of.
//
// A body is either a cluster of element-wise ops whose results have one shape,
// or one root op, optionally followed by element-wise ops on its result (an
// epilogue) of the same shape. Views (reshape, broadcast_to, one_hot of a
// kernel input) and constants cost no pass over memory: any number of them may
// feed the element-wise ops.
//
// Fusion never changes a bit: each op rounds its own result.
#ifndef DTC_PASSES_KERNEL_FUSION_H
#define DTC_PASSES_KERNEL_FUSION_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace dtc::graph {
class ConstantOp;
}

namespace dtc::kernel {

/// Whether there is code for the op. An op without is a kernel of its own,
/// which runs on its reference kernel.
bool isGenerated(mlir::Operation *op);
/// Each result element is a function of one element of each operand.
bool isElementwise(mlir::Operation *op);
/// reshape, broadcast_to, one_hot, …: a way to read a kernel input.
bool isView(mlir::Operation *op);
/// reduce_* over axes, argmax and argmin over one.
bool isReduction(mlir::Operation *op);
/// An op that reads its operands in its own order (matmul, reductions, rows),
/// or a view. A kernel has at most one that is no view.
bool isRoot(mlir::Operation *op);

/// Convolutions and their gradients; max_pool, avg_pool and its gradient.
bool isConvolution(mlir::Operation *op);
bool isPool(mlir::Operation *op);
/// Ops that add or put rows where indices say.
bool isScatter(mlir::Operation *op);

/// Whether the op, a root with code, walks its operands element by element: a
/// splat constant, of which a kernel holds one element, cannot be one. Moves
/// and scatters read that element again and again.
bool readsWhole(mlir::Operation *op);
/// Whether a kernel holds fewer elements of the constant than it has.
bool isShortSplat(graph::ConstantOp constant);

/// Whether `consumer`, which reads a result of `producer`, may join a body
/// whose last op so far is `producer` (or that holds it). `producer` is
/// element-wise, a root or a constant; results keep the body's one shape.
bool canFuse(mlir::Operation *producer, mlir::Operation *consumer);

/// How many operations on lanes the op becomes, roughly; a root's own count 0.
int64_t laneOperations(mlir::Operation *op);
/// How many the body that begins with `first` may have. LLVM's schedulers and
/// its register allocation take more than linear time in the length of a loop's
/// body, and an epilogue is built several times, once for each form of a tile.
/// A pass over memory costs little beside so many.
int64_t mostLaneOperations(mlir::Operation *first);

/// A body, sorted by what its ops are to the emitter.
struct KernelForm {
  /// The root, or null in a cluster of element-wise ops and views.
  mlir::Operation *root = nullptr;
  /// The element-wise ops in order (after a root: the epilogue).
  llvm::SmallVector<mlir::Operation *> elementwise;
  /// The one shape of all outputs; of a root that is alone, the first's.
  llvm::ArrayRef<int64_t> shape;
  /// The values that the terminator yields.
  llvm::SmallVector<mlir::Value> outputs;
};

/// Sorts a body; a diagnostic at the op that may not be where it is.
mlir::FailureOr<KernelForm> analyzeKernel(mlir::Block &body);

/// The shape of a value that is a tensor.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
/// Its element type.
mlir::Type elementOf(mlir::Value value);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_FUSION_H

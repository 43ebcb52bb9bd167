// KernelBody: the element-wise part of a kernel. It reads what the body's
// element-wise ops need at a place of the output, computes them on lanes, and
// stores every output. Roots hand it the lanes of their own result.
#ifndef DTC_PASSES_KERNEL_KERNELBODY_H
#define DTC_PASSES_KERNEL_KERNELBODY_H

#include "passes/kernel/Fusion.h"
#include "passes/kernel/IterationSpace.h"
#include "passes/kernel/LaneBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace dtc::kernel {

/// A value that the element-wise ops, or the outputs, read from memory: an
/// input, a constant, or a view of one of them.
struct Source {
  mlir::Value value;     // what the body calls it
  mlir::Value memory;    // the input or constant that holds its elements
  Strides strides;       // over the kernel's shape; 0 where it is broadcast
  bool isOneHot = false; // memory holds labels, value is one_hot of them
};

/// What is decided about a body before anything is built.
struct BodyPlan {
  KernelForm form;
  llvm::SmallVector<Source> sources;
  /// Strides: those of `sources`, then those of the operand of a reduction.
  IterationSpace space;
};

/// Pure. The root decides whether the last dimension stays as it is.
BodyPlan planBody(const KernelForm &form);

/// The strides of the dimensions that a reduction (reduce_*, argmax) keeps,
/// over the shape of its result; and of those that it reduces.
Strides keptStrides(mlir::Operation *reduction);
/// The reduced elements in row-major order, as few dimensions as possible.
IterationSpace reducedSpace(mlir::Operation *reduction);

/// Element (row, column 0) of the operand whose strides are the space's
/// `index`th.
mlir::Value offsetInRow(LaneBuilder &b, const IterationSpace &space,
                        mlir::Value row, unsigned index);

class KernelBody {
public:
  /// What is the same for all columns of one row of the space.
  struct Row {
    mlir::Value index;
    llvm::SmallVector<mlir::Value> offsets; // a source's element at column 0
    llvm::SmallVector<mlir::Value>
        scalars; // null: differs from column to column
  };

  /// `inputs` and `outputs` are pointers. Both references must outlive it.
  KernelBody(LaneBuilder &b, const BodyPlan &plan, mlir::ValueRange inputs,
             mlir::ValueRange outputs);

  const BodyPlan &plan() const { return plan_; }
  LaneBuilder &builder() { return b_; }
  /// The pointer to an input or a constant of the body.
  mlir::Value pointerTo(mlir::Value memory) const {
    return pointers_.lookup(memory);
  }
  /// The pointer to the output that `value` is, or null.
  mlir::Value outputOf(mlir::Value value) const;

  Row beginRow(mlir::Value row);
  mlir::Value offsetInRow(mlir::Value row, unsigned index) {
    return kernel::offsetInRow(b_, plan_.space, row, index);
  }
  /// Computes and stores the outputs' elements [column, column + count) of a
  /// row on `width` >= count lanes. `root` holds the lanes of the root's
  /// result, rounded; null without a root.
  void emit(const Row &row, mlir::Value column, int64_t width,
            mlir::Value root = nullptr, int64_t count = 0);

private:
  mlir::Value sourceLanes(const Row &row, unsigned index, mlir::Value column,
                          int64_t width, int64_t count);
  mlir::Value oneHotLanes(const Source &source, mlir::Value label,
                          mlir::Value column, int64_t width);

  LaneBuilder &b_;
  const BodyPlan &plan_;
  mlir::ValueRange outputs_;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers_;
};

/// Calls f(column, width) for the columns [0, columns): 16 lanes at a time,
/// then what is left at once.
void forColumns(LaneBuilder &b, int64_t columns,
                llvm::function_ref<void(mlir::Value column, int64_t width)> f);

/// Whether it is a constant whose elements are all the same: memory holds one.
bool isSplat(mlir::Value memory);

/// Lanes of a vector where nothing asks for another number.
inline constexpr int64_t kLanes = 16;

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_KERNELBODY_H

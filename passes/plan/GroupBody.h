// What a kernel will consist of, before there is one.
#pragma once

#include "dialects/plan/Plan.h"
#include "passes/plan/KernelGroups.h"
#include "llvm/ADT/Hashing.h"

namespace dtc::plan {

/// A group with the constants that it reads. Ops must outlive it.
class GroupBody {
public:
  explicit GroupBody(const KernelGroup &group);

  /// The group's ops, each constant before its first reader.
  llvm::ArrayRef<mlir::Operation *> ops() const { return ops_; }
  /// What is read from outside, in order of first use.
  llvm::ArrayRef<mlir::Value> inputs() const { return inputs_; }
  /// What others read.
  llvm::ArrayRef<mlir::Value> outputs() const { return outputs_; }
  /// Which values are read and yielded, in order: numbers that inputs and
  /// results have in the order of their first mention.
  llvm::ArrayRef<unsigned> reads() const { return reads_; }

  /// Equal for equal computations, whatever their ops are called, and wherever
  /// and why they are there.
  llvm::hash_code hash() const;
  /// Whether `kernel`, which was made from a body with the same reads, computes
  /// what this one does.
  bool isComputedBy(KernelOp kernel) const;

private:
  llvm::SmallVector<mlir::Operation *> ops_;
  llvm::SmallVector<mlir::Value> inputs_, outputs_;
  llvm::SmallVector<unsigned> reads_;
  llvm::SmallDenseMap<mlir::Value, unsigned, 32> numbers_;
};

} // namespace dtc::plan

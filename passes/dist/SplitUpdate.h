// SplitUpdate: the update of one split variable and its slots, done for each
// part.
#pragma once

#include "passes/dist/PartBuilder.h"
#include "passes/dist/UpdateRegion.h"
#include "llvm/ADT/SetVector.h"

namespace dtc::dist {

class UpdateSplitter {
public:
  /// All must outlive it.
  UpdateSplitter(PartBuilder &parts, const UpdateRegion &region,
                 graph::VariableOp owner, const Split &split)
      : parts_(parts), region_(region), owner_(owner), split_(split),
        whole_(llvm::cast<mlir::RankedTensorType>(owner.getType())) {}

  /// Replaces `assigns`, those of the variable and its slots.
  void split(llvm::ArrayRef<graph::AssignOp> assigns);

private:
  bool isAlike(mlir::Operation *op);
  bool isAlongside(mlir::Value value) const;
  bool isReadAlike(mlir::Value value) const;
  bool isMarked(mlir::Operation *op);
  void follow(mlir::Value value);
  void followRows(mlir::Value value);
  void clone(mlir::Operation *op, bool isWhole);
  PartValues operandParts(mlir::OpOperand &operand, bool isWhole);
  const PartValues &partsOf(mlir::Value value);
  void assignParts(graph::AssignOp assign);

  PartBuilder &parts_;
  const UpdateRegion &region_;
  graph::VariableOp owner_;
  const Split &split_;
  mlir::RankedTensorType whole_;
  /// Ops whose results are as large as the variable, and those on its rows.
  llvm::SetVector<mlir::Operation *> alike_, rows_;
  mlir::Value indices_; // of the rows that are scattered; null: none are
  llvm::DenseMap<mlir::Value, PartValues> wholeParts_, rowParts_;
  PartValues local_; // indices_ within the parts
};

} // namespace dtc::dist

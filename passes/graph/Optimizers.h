// From the gradient of a variable to its assignment: decay, clipping, and the
// optimizers' rules.
#pragma once

#include "dialects/graph/GradientMaker.h"
#include "llvm/ADT/DenseMap.h"

namespace dtc::graph {

// A gradient that is rows of a table.
struct Rows {
  mlir::Value indices; // a vector
  mlir::Value rows;
};

// A variable under training, its value in the step, and its gradient (null
// where the loss does not depend on it); `sparse` where an optimizer takes the
// rows of it.
struct Trained {
  VariableOp variable;
  mlir::Value value;
  mlir::Value gradient;
  std::optional<Rows> sparse = std::nullopt;
};

// Whether the optimizer counts steps: a schedule, or adam's bias.
bool needsStep(MinimizeOp minimize);

// Builds what one minimize updates, before it. `step` is the value of
// @global_step, null where nothing needs it.
class UpdateBuilder {
public:
  UpdateBuilder(MinimizeOp minimize, mlir::SymbolTable &symbols,
                mlir::Value step)
      : minimize_(minimize), symbols_(symbols), step_(step), builder_(minimize),
        maker_(builder_, minimize) {}

  // Updates all whose gradient is not null, in order. Fails after a diagnostic
  // if a slot's name is taken.
  mlir::LogicalResult build(llvm::MutableArrayRef<Trained> trained);

private:
  // A slot and its value in the step.
  struct Slot {
    VariableOp variable;
    mlir::Value value;
  };

  void changeGradients(llvm::MutableArrayRef<Trained> trained);
  void clipByGlobalNorm(llvm::MutableArrayRef<Trained> trained, double bound);
  mlir::Value halfSquaredNorm(Trained trained, mlir::Type element);

  mlir::LogicalResult update(Trained trained);
  mlir::LogicalResult updateBy(SgdAttr sgd, Trained trained);
  mlir::LogicalResult updateBy(MomentumAttr momentum, Trained trained);
  mlir::LogicalResult updateBy(AdagradAttr adagrad, Trained trained);
  mlir::LogicalResult updateBy(RmspropAttr rmsprop, Trained trained);
  mlir::LogicalResult updateBy(AdamAttr adam, Trained trained);
  mlir::LogicalResult updateBy(AdamwAttr adamw, Trained trained);
  mlir::LogicalResult updateBy(LambAttr lamb, Trained trained);
  template <typename Adam>
  mlir::LogicalResult applyAdam(Adam adam, Trained trained,
                                mlir::Value variable);

  // Whether the optimizer can change the rows of a table alone.
  bool takesRows();
  // Rows, if the gradient is graph.indexed_slices (differentiate joins sums).
  std::optional<Rows> asRows(mlir::Value gradient);
  // Says which operands of an update are indices or rows (graph.rows).
  void markRows(mlir::Operation *op, llvm::ArrayRef<int64_t> operands);
  // Applies an optimizer to `trained`, or, if its gradient is sparse, to the
  // rows that it touches. `apply` gets value, slots and gradient, and gives
  // their new values, variable first.
  mlir::LogicalResult
  applyTo(Trained trained, llvm::ArrayRef<Slot> slots,
          llvm::function_ref<mlir::Operation *(Trained, llvm::ArrayRef<Slot>)>
              apply);
  mlir::FailureOr<Slot> slotOf(Trained trained, llvm::StringRef kind,
                               double initial = 0);
  mlir::FailureOr<VariableOp> findSlot(VariableOp variable,
                                       llvm::StringRef kind, double initial);
  void assign(llvm::StringRef variable, mlir::Value value);

  // The learning rate, a scalar of the element type.
  mlir::Value rate(mlir::Attribute rate, mlir::Type element);
  // Adam's: corrected for the bias of the step.
  template <typename Adam>
  mlir::Value correctedRate(Adam adam, mlir::Type element);
  // 1 - beta^t, t = step + 1.
  mlir::Value bias(const llvm::APFloat &beta, mlir::Type element);

  template <typename Op, typename... Arguments>
  mlir::Value make(Arguments &&...arguments) {
    return maker_.make<Op>(std::forward<Arguments>(arguments)...);
  }
  mlir::Value number(mlir::Type element, double value);
  mlir::Value number(mlir::Type element, const llvm::APFloat &value) {
    return number(element, value.convertToDouble());
  }
  mlir::FloatAttr real(const llvm::APFloat &value) {
    return builder_.getF64FloatAttr(value.convertToDouble());
  }
  mlir::Value castTo(mlir::Type element, mlir::Value value);
  mlir::Value sumAll(mlir::Value value);
  // The last op built; null at the block's begin.
  mlir::Operation *lastBuilt();
  // Marks what was built since `before` as part of the variable's update.
  void mark(mlir::Operation *before, VariableOp variable);

  MinimizeOp minimize_;
  mlir::SymbolTable &symbols_;
  mlir::Value step_;
  mlir::OpBuilder builder_;
  Maker maker_;
  // By the type that they are computed in; looked up only.
  llvm::DenseMap<mlir::Type, mlir::Value> rates_, corrected_;
};

} // namespace dtc::graph

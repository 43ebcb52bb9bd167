// How a gradient is written: what the rules of the ops share.
#pragma once

#include "dialects/graph/Ops.h"

namespace dtc::graph {

using Values = llvm::SmallVectorImpl<mlir::Value>;

// Makes ops at the builder's place, at the location of the op whose gradient
// or expansion is built.
class Maker {
public:
  Maker(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder_(builder), location_(withoutNames(op->getLoc())) {}

  // The first result of a new Op.
  template <typename Op, typename... Arguments>
  mlir::Value make(Arguments &&...arguments) {
    return Op::create(builder_, location_,
                      std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }

  // `value` as a scalar of `like`'s element type.
  mlir::Value scalar(double value, mlir::Value like);
  // Zeros of `like`'s type.
  mlir::Value zeros(mlir::Value like);
  // `x` under another shape; x itself if it has that shape.
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  // Sums `dy` over the dimensions along which `x` was broadcast.
  mlir::Value sumTo(mlir::Value dy, mlir::Value x);

private:
  mlir::OpBuilder &builder_;
  mlir::Location location_;
};

// The shape of a tensor.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
// The shape of `x` with the reduced axes kept, of length 1.
llvm::SmallVector<int64_t> keptShape(mlir::Value x,
                                     llvm::ArrayRef<int64_t> axes);

} // namespace dtc::graph

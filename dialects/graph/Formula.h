// Formulas in ops of the dialect: what expansions of composite ops and their
// gradients share.
#pragma once

#include "dialects/graph/GradientMaker.h"

namespace dtc::graph {

// 16-bit floats are widened to f32 for the length of a formula (wide, like),
// so that its result is rounded once, as an op's is.
class Formula : public Maker {
public:
  using Maker::Maker;
  using Value = mlir::Value;

  // `x` in f32 if its elements are 16-bit floats, else itself.
  Value wide(Value x);
  // `x` in the element type of `other`.
  Value like(Value other, Value x);

  Value add(Value a, Value b) { return make<AddOp>(a, b); }
  Value add(Value a, double b) { return add(a, scalar(b, a)); }
  Value sub(Value a, Value b) { return make<SubOp>(a, b); }
  Value mul(Value a, Value b) { return make<MulOp>(a, b); }
  Value mul(Value a, double b) { return mul(a, scalar(b, a)); }
  Value div(Value a, Value b) { return make<DivOp>(a, b); }
  Value div(Value a, double b) { return div(a, scalar(b, a)); }
  Value neg(Value a) { return make<NegOp>(a); }

  // Over the last dimension, which stays with length 1.
  Value sumOfRow(Value x);
  Value meanOfRow(Value x);
  Value maxOfRow(Value x);
  // Over all but the last dimension.
  Value meanOfColumns(Value x);

  // 1 / sqrt(variance + epsilon).
  Value inverseDeviation(Value variance, double epsilon);
  // x - max - log(sum(exp(x - max))) of each row.
  Value logSoftmax(Value x);
};

// The number of elements that share a place in the last dimension.
double elementsPerColumn(mlir::Value x);

} // namespace dtc::graph

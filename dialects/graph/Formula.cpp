#include "dialects/graph/Formula.h"

using namespace mlir;
using namespace dtc::graph;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Value castTo(Formula &formula, Value x, Type element) {
  RankedTensorType type = typeOf(x);
  if (type.getElementType() == element)
    return x;
  return formula.make<CastOp>(type.clone(element), x);
}

Value Formula::wide(Value x) {
  Type element = typeOf(x).getElementType();
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  return isNarrow ? castTo(*this, x, Float32Type::get(x.getContext())) : x;
}

Value Formula::like(Value other, Value x) {
  return castTo(*this, x, typeOf(other).getElementType());
}

static SmallVector<int64_t> lastAxis(Value x) {
  return {typeOf(x).getRank() - 1};
}

Value Formula::sumOfRow(Value x) {
  return make<ReduceSumOp>(x, lastAxis(x), /*keep_dims=*/true);
}

Value Formula::meanOfRow(Value x) {
  return make<ReduceMeanOp>(x, lastAxis(x), /*keep_dims=*/true);
}

Value Formula::maxOfRow(Value x) {
  return make<ReduceMaxOp>(x, lastAxis(x), /*keep_dims=*/true);
}

Value Formula::meanOfColumns(Value x) {
  int64_t rank = typeOf(x).getRank();
  if (rank == 1)
    return x;
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank - 1));
  return make<ReduceMeanOp>(x, axes, /*keep_dims=*/false);
}

Value Formula::inverseDeviation(Value variance, double epsilon) {
  return make<RsqrtOp>(add(variance, epsilon));
}

Value Formula::logSoftmax(Value x) {
  Value centred = sub(x, maxOfRow(x));
  Value sum = sumOfRow(make<ExpOp>(centred));
  return sub(centred, make<LogOp>(sum));
}

double dtc::graph::elementsPerColumn(Value x) {
  double count = 1;
  for (int64_t dim : shapeOf(x).drop_back())
    count *= static_cast<double>(dim);
  return count;
}

// What composite ops are short for. Each step rounds, in the order written.
#include "dialects/graph/Formula.h"

using namespace mlir;
using namespace dtc::graph;

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

// centred * (rsqrt(variance + epsilon) * scale) + offset: TensorFlow's order.
static Value normalise(Formula &f, Value centred, Value variance, Value scale,
                       Value offset, const APFloat &epsilon) {
  Value deviation = f.inverseDeviation(variance, epsilon.convertToDouble());
  return f.add(f.mul(centred, f.mul(deviation, scale)), offset);
}

void BatchNormOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  Value x = f.wide(getX());
  Value mean = f.meanOfColumns(x);
  Value centred = f.sub(x, mean);
  Value variance = f.meanOfColumns(f.make<SquareOp>(centred));
  double count = elementsPerColumn(x);
  Value unbiased = f.mul(variance, count / std::max(count - 1, 1.0));
  Value y = normalise(f, centred, variance, f.wide(getScale()),
                      f.wide(getOffset()), getEpsilon());
  for (Value result : {y, mean, unbiased, variance})
    values.push_back(f.like(getX(), result));
}

void BatchNormInferenceOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  Value centred = f.sub(f.wide(getX()), f.wide(getMean()));
  Value y = normalise(f, centred, f.wide(getVariance()), f.wide(getScale()),
                      f.wide(getOffset()), getEpsilon());
  values.push_back(f.like(getX(), y));
}

void LayerNormOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  Value x = f.wide(getX());
  Value centred = f.sub(x, f.meanOfRow(x));
  Value variance = f.meanOfRow(f.make<SquareOp>(centred));
  Value deviation =
      f.inverseDeviation(variance, getEpsilon().convertToDouble());
  Value scaled = f.mul(f.mul(centred, deviation), f.wide(getScale()));
  values.push_back(f.like(getX(), f.add(scaled, f.wide(getOffset()))));
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

void LogSoftmaxOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  values.push_back(f.like(getX(), f.logSoftmax(f.wide(getX()))));
}

void DenseSoftmaxCrossEntropyOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  Value logits = f.logSoftmax(f.wide(getLogits()));
  Value sum = f.sumOfRow(f.mul(f.wide(getLabels()), logits));
  Value loss = f.neg(f.reshape(sum, shapeOf(getLoss())));
  values.push_back(f.like(getLoss(), loss));
}

void SigmoidCrossEntropyOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  Value x = f.wide(getLogits());
  Value linear = f.sub(f.make<ReluOp>(x), f.mul(x, f.wide(getLabels())));
  Value rest = f.make<SoftplusOp>(f.neg(f.make<AbsOp>(x)));
  values.push_back(f.like(getLoss(), f.add(linear, rest)));
}

void L2LossOp::expand(OpBuilder &builder, Values &values) {
  Formula f(builder, *this);
  Value halves = f.mul(f.make<SquareOp>(f.wide(getX())), 0.5);
  int64_t rank = getX().getType().getRank();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  Value loss = rank == 0 ? halves
                         : f.make<ReduceSumOp>(halves, axes,
                                               /*keep_dims=*/false);
  values.push_back(f.like(getX(), loss));
}

// TensorFlow's nn.dropout: kept elements are multiplied by 1 / (1 - rate).
void DropoutOp::expand(OpBuilder &builder, Values &values) {
  Maker maker(builder, *this);
  RankedTensorType type = getX().getType();
  // 16 bits would make the probability coarse.
  Type element = type.getElementType().isF64() ? type.getElementType()
                                               : builder.getF32Type();
  double rate = getRate().convertToDouble();
  Value uniform = maker.make<RandomUniformOp>(
      type.clone(element), getStep(), getReplica(), getSeedAttr(),
      getStreamAttr(), builder.getF64FloatAttr(0), builder.getF64FloatAttr(1));
  Value isKept =
      maker.make<GreaterEqualOp>(uniform, maker.scalar(rate, uniform));
  Value scaled =
      maker.make<MulOp>(getX(), maker.scalar(1 / (1 - rate), getX()));
  values.push_back(
      maker.make<WhereOp>(isKept, scaled, maker.scalar(0, getX())));
}

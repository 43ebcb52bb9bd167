// What composite ops are short for. Each step rounds, in the order written.
#include "dialects/graph/GradientMaker.h"

using namespace mlir;
using namespace dtc::graph;

void BatchNormOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

void BatchNormInferenceOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

void LayerNormOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

void LogSoftmaxOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

void DenseSoftmaxCrossEntropyOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

void SigmoidCrossEntropyOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

void L2LossOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
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

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

void DropoutOp::expand(OpBuilder &, Values &) {
  llvm_unreachable("TODO"); // TODO
}

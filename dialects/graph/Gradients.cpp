#include "dialects/graph/Ops.h"

using namespace mlir;
using namespace dtc::graph;

LogicalResult NegOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ExpOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult LogOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult SqrtOp::buildGradient(OpBuilder &, ValueRange,
                                    SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult SquareOp::buildGradient(OpBuilder &, ValueRange,
                                      SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ReluOp::buildGradient(OpBuilder &, ValueRange,
                                    SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ReluGradOp::buildGradient(OpBuilder &, ValueRange,
                                        SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult AddOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult SubOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult MulOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult DivOp::buildGradient(OpBuilder &, ValueRange,
                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult MaximumOp::buildGradient(OpBuilder &, ValueRange,
                                       SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult CastOp::buildGradient(OpBuilder &, ValueRange,
                                    SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ReshapeOp::buildGradient(OpBuilder &, ValueRange,
                                       SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult BroadcastToOp::buildGradient(OpBuilder &, ValueRange,
                                           SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult MatmulOp::buildGradient(OpBuilder &, ValueRange,
                                      SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult BiasAddOp::buildGradient(OpBuilder &, ValueRange,
                                       SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult SoftmaxOp::buildGradient(OpBuilder &, ValueRange,
                                       SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult SoftmaxCrossEntropyOp::buildGradient(OpBuilder &, ValueRange,
                                                   SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ReduceSumOp::buildGradient(OpBuilder &, ValueRange,
                                         SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ReduceMeanOp::buildGradient(OpBuilder &, ValueRange,
                                          SmallVectorImpl<Value> &) {
  return failure();
}
LogicalResult ReduceMaxOp::buildGradient(OpBuilder &, ValueRange,
                                         SmallVectorImpl<Value> &) {
  return failure();
}

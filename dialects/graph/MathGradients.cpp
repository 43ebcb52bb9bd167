// Element-wise ops: // their gradients, in ops of the dialect. `dy` is the
// gradient of the op's result, `dx` that of an operand. Where TensorFlow has a
// formula, this is its formula in its order of operations, so that roundings
// agree.
#include "dialects/graph/GradientMaker.h"

using namespace mlir;
using namespace dtc::graph;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

LogicalResult NegOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<NegOp>(dys[0]));
  return success();
}

LogicalResult ExpOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<MulOp>(dys[0], getY()));
  return success();
}

LogicalResult LogOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<DivOp>(dys[0], getX()));
  return success();
}

LogicalResult SqrtOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  Value half = maker.make<MulOp>(dys[0], maker.scalar(0.5, dys[0]));
  dxs.push_back(maker.make<DivOp>(half, getY()));
  return success();
}

LogicalResult SquareOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  Maker maker(builder, *this);
  Value twice = maker.make<MulOp>(getX(), maker.scalar(2, getX()));
  dxs.push_back(maker.make<MulOp>(dys[0], twice));
  return success();
}

LogicalResult ReluOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<ReluGradOp>(dys[0], getX()));
  return success();
}

LogicalResult ReluGradOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                        Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<ReluGradOp>(dys[0], getX()));
  dxs.push_back(Value());
  return success();
}

LogicalResult CastOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  bool isSmooth =
      isFloatTensor(getX().getType()) && isFloatTensor(getY().getType());
  dxs.push_back(
      isSmooth ? Maker(builder, *this).make<CastOp>(getX().getType(), dys[0])
               : Value());
  return success();
}

LogicalResult AbsOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult RsqrtOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SinOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult CosOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult TanhOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SigmoidOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult ErfOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SoftplusOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult Relu6Op::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult EluOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult GeluOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult LeakyReluOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult ClipOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

//===----------------------------------------------------------------------===//
// Two operands that broadcast
//===----------------------------------------------------------------------===//

LogicalResult AddOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(dys[0], getLhs()));
  dxs.push_back(maker.sumTo(dys[0], getRhs()));
  return success();
}

LogicalResult SubOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(dys[0], getLhs()));
  dxs.push_back(maker.make<NegOp>(maker.sumTo(dys[0], getRhs())));
  return success();
}

LogicalResult MulOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], getRhs()), getLhs()));
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], getLhs()), getRhs()));
  return success();
}

LogicalResult DivOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(maker.make<DivOp>(dys[0], getRhs()), getLhs()));
  Value negative = maker.make<NegOp>(getLhs());
  Value slope =
      maker.make<DivOp>(maker.make<DivOp>(negative, getRhs()), getRhs());
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], slope), getRhs()));
  return success();
}

// Of equals the left one counts, as in TensorFlow.
LogicalResult MaximumOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  Value isLeft = maker.make<EqualOp>(getResult(), getLhs());
  Value left = maker.make<CastOp>(getResult().getType(), isLeft);
  Value right = maker.make<SubOp>(maker.scalar(1, left), left);
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], left), getLhs()));
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], right), getRhs()));
  return success();
}

LogicalResult FloorModOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult MinimumOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult PowOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SelectOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult WhereOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

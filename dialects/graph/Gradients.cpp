// The gradient of each op, in ops of the dialect. `dy` is the gradient of the
// op's result, `dx` that of an operand. Where TensorFlow has a formula, this is
// its formula in its order of operations, so that roundings agree.
#include "dialects/graph/Ops.h"

using namespace mlir;
using namespace dtc::graph;

using Values = SmallVectorImpl<Value>;

namespace {

// Makes ops at the place of the op whose gradient is built.
class Maker {
public:
  Maker(OpBuilder &builder, Operation *op)
      : builder_(builder), location_(withoutNames(op->getLoc())) {}

  template <typename Op, typename... Arguments>
  Value make(Arguments &&...arguments) {
    return Op::create(builder_, location_,
                      std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }

  // `value` as a scalar of `like`'s element type.
  Value scalar(double value, Value like) {
    Type element = cast<RankedTensorType>(like.getType()).getElementType();
    auto type = RankedTensorType::get({}, element);
    Attribute number = builder_.getFloatAttr(element, value);
    return make<ConstantOp>(DenseElementsAttr::get(type, number));
  }

  Value reshape(Value x, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(x.getType());
    if (type.getShape() == shape)
      return x;
    return make<ReshapeOp>(type.clone(shape), x);
  }

  // Sums `dy` over the dimensions along which `x` was broadcast.
  Value sumTo(Value dy, Value x) {
    auto type = cast<RankedTensorType>(dy.getType());
    auto target = cast<RankedTensorType>(x.getType());
    int64_t offset = type.getRank() - target.getRank();
    SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (axis < offset ||
          type.getDimSize(axis) != target.getDimSize(axis - offset))
        axes.push_back(axis);
    if (!axes.empty())
      dy = make<ReduceSumOp>(dy, axes, /*keep_dims=*/false);
    return reshape(dy, target.getShape());
  }

private:
  OpBuilder &builder_;
  Location location_;
};

} // namespace

// `shape` with the reduced axes kept, of length 1.
static SmallVector<int64_t> keptShape(Value x, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(x.getType()).getShape());
  for (int64_t axis : axes)
    shape[axis] = 1;
  return shape;
}

//===----------------------------------------------------------------------===//
// Element-wise, one operand
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

LogicalResult ReshapeOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(
      Maker(builder, *this).reshape(dys[0], getX().getType().getShape()));
  return success();
}

LogicalResult BroadcastToOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                           Values &dxs) {
  dxs.push_back(Maker(builder, *this).sumTo(dys[0], getX()));
  return success();
}

//===----------------------------------------------------------------------===//
// Element-wise, two operands that broadcast
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

//===----------------------------------------------------------------------===//
// Linear algebra and neural networks
//===----------------------------------------------------------------------===//

LogicalResult MatmulOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  Maker maker(builder, *this);
  Value a = getA(), b = getB(), dy = dys[0];
  bool ta = getTransposeA(), tb = getTransposeB();
  // A transposed operand's gradient is the transposed product.
  dxs.push_back(ta ? maker.make<MatmulOp>(b, dy, tb, true)
                   : maker.make<MatmulOp>(dy, b, false, !tb));
  dxs.push_back(tb ? maker.make<MatmulOp>(dy, a, true, ta)
                   : maker.make<MatmulOp>(a, dy, !ta, false));
  return success();
}

LogicalResult BiasAddOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(dys[0]);
  dxs.push_back(Maker(builder, *this).sumTo(dys[0], getBias()));
  return success();
}

LogicalResult SoftmaxOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  SmallVector<int64_t> last = {getX().getType().getRank() - 1};
  Value product = maker.make<MulOp>(dys[0], getY());
  Value sum = maker.make<ReduceSumOp>(product, last, /*keep_dims=*/true);
  Value centred = maker.make<SubOp>(dys[0], sum);
  dxs.push_back(maker.make<MulOp>(centred, getY()));
  return success();
}

LogicalResult SoftmaxCrossEntropyOp::buildGradient(OpBuilder &builder,
                                                   ValueRange dys,
                                                   Values &dxs) {
  Maker maker(builder, *this);
  RankedTensorType type = getLogits().getType();
  Value probabilities = maker.make<SoftmaxOp>(getLogits());
  Value truth = maker.make<OneHotOp>(getLabels(), type.getDimSize(1),
                                     type.getElementType());
  Value error = maker.make<SubOp>(probabilities, truth);
  Value rows = maker.reshape(dys[0], {type.getDimSize(0), 1});
  dxs.push_back(maker.make<MulOp>(error, rows));
  dxs.push_back(Value());
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceSumOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Maker maker(builder, *this);
  Value kept = maker.reshape(dys[0], keptShape(getX(), getAxes()));
  dxs.push_back(maker.make<BroadcastToOp>(getX().getType(), kept));
  return success();
}

LogicalResult ReduceMeanOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                          Values &dxs) {
  Maker maker(builder, *this);
  int64_t count = getX().getType().getNumElements() /
                  getResult().getType().getNumElements();
  Value share = maker.make<DivOp>(
      dys[0], maker.scalar(static_cast<double>(count), dys[0]));
  Value kept = maker.reshape(share, keptShape(getX(), getAxes()));
  dxs.push_back(maker.make<BroadcastToOp>(getX().getType(), kept));
  return success();
}

// Elements that share the maximum share its gradient, as in TensorFlow.
LogicalResult ReduceMaxOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Maker maker(builder, *this);
  SmallVector<int64_t> shape = keptShape(getX(), getAxes());
  Value isLargest =
      maker.make<EqualOp>(maker.reshape(getResult(), shape), getX());
  Value largest = maker.make<CastOp>(getX().getType(), isLargest);
  Value number =
      maker.make<ReduceSumOp>(largest, getAxes(), /*keep_dims=*/true);
  Value share = maker.make<DivOp>(maker.reshape(dys[0], shape), number);
  dxs.push_back(maker.make<MulOp>(largest, share));
  return success();
}

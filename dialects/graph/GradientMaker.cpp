#include "dialects/graph/GradientMaker.h"

using namespace mlir;
using namespace dtc::graph;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value Maker::scalar(double value, Value like) {
  Type element = typeOf(like).getElementType();
  auto type = RankedTensorType::get({}, element);
  Attribute number = isa<FloatType>(element)
                         ? Attribute(builder_.getFloatAttr(element, value))
                         : builder_.getIntegerAttr(element, int64_t(value));
  return make<ConstantOp>(DenseElementsAttr::get(type, number));
}

Value Maker::zeros(Value like) {
  RankedTensorType type = typeOf(like);
  return make<ConstantOp>(DenseElementsAttr::get(
      type, builder_.getZeroAttr(type.getElementType())));
}

Value Maker::reshape(Value x, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(x);
  if (type.getShape() == shape)
    return x;
  return make<ReshapeOp>(type.clone(shape), x);
}

Value Maker::sumTo(Value dy, Value x) {
  RankedTensorType type = typeOf(dy), target = typeOf(x);
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

ArrayRef<int64_t> dtc::graph::shapeOf(Value value) {
  return typeOf(value).getShape();
}

SmallVector<int64_t> dtc::graph::keptShape(Value x, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape(shapeOf(x));
  for (int64_t axis : axes)
    shape[axis] = 1;
  return shape;
}

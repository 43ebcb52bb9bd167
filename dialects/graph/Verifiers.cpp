// Verifiers of ops whose result type the text gives, and of attributes that a
// shape rule does not see.
#include "dialects/graph/Ops.h"
#include "dialects/graph/ShapeRule.h"
#include "dialects/graph/Slices.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

// Begins the report of a mistake at `op`: "reshape: …".
static InFlightDiagnostic report(Operation *op,
                                 Code code = Code::BadAttribute) {
  return coded(op->emitError(), code) << op->getName().stripDialect() << ": ";
}

//===----------------------------------------------------------------------===//
// Shapes that the text gives
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  if (getX().getType().getShape() == getY().getType().getShape())
    return success();
  return report(*this, Code::ShapeMismatch)
         << "keeps the shape, but " << getX().getType() << " becomes "
         << getY().getType() << "; graph.reshape changes it";
}

// Checks that only the shape changes.
static LogicalResult verifyElementKept(Operation *op, RankedTensorType from,
                                       RankedTensorType to) {
  if (from.getElementType() == to.getElementType())
    return success();
  return report(op, Code::OperandType)
         << "keeps the element type, but " << from << " becomes " << to
         << "; graph.cast changes it";
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getX().getType(), to = getY().getType();
  if (from.getNumElements() != to.getNumElements())
    return report(*this, Code::ShapeMismatch)
           << "keeps the elements, but " << from << " has "
           << from.getNumElements() << " and " << to << " has "
           << to.getNumElements();
  return verifyElementKept(*this, from, to);
}

LogicalResult BroadcastToOp::verify() {
  RankedTensorType from = getX().getType(), to = getY().getType();
  auto shape = broadcastShapes(from.getShape(), to.getShape());
  if (!shape || ArrayRef(*shape) != to.getShape())
    return report(*this, Code::ShapeMismatch)
           << from << " does not broadcast to " << to
           << "; dimensions, aligned at the last, must be equal "
              "or 1 on the left";
  return verifyElementKept(*this, from, to);
}

LogicalResult FillOp::verify() {
  if (getX().getType().getRank() != 0)
    return report(*this, Code::ShapeMismatch)
           << "repeats a scalar, got " << getX().getType()
           << "; graph.broadcast_to repeats other shapes";
  return verifyElementKept(*this, getX().getType(), getY().getType());
}

// Checks that a number among the attributes is one that `element` can hold.
static LogicalResult verifyNumber(Operation *op, StringRef name,
                                  const APFloat &value, Type element) {
  if (holdsNumber(element, value))
    return success();
  if (!value.isFinite())
    return report(op) << name << " must be a finite number, got "
                      << value.convertToDouble();
  return report(op) << name << ", " << value.convertToDouble()
                    << ", is beyond what " << element << " holds";
}

LogicalResult RangeOp::verify() {
  RankedTensorType type = getResult().getType();
  if (type.getRank() != 1)
    return report(*this, Code::ShapeMismatch) << "makes a vector, not " << type;
  int64_t steps = std::max<int64_t>(type.getNumElements() - 1, 0);
  APFloat last(getStart().convertToDouble() +
               static_cast<double>(steps) * getDelta().convertToDouble());
  if (!getDelta().isFinite())
    return report(*this) << "delta must be a finite number, got "
                         << getDelta().convertToDouble();
  if (failed(verifyNumber(*this, "start", getStart(), type.getElementType())))
    return failure();
  return verifyNumber(*this, "the last element", last, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Gradients of moves
//===----------------------------------------------------------------------===//

// Checks that `small` is what the op's forward makes of `large`.
static LogicalResult verifyForward(Operation *op, RankedTensorType small,
                                   ArrayRef<int64_t> expected,
                                   RankedTensorType large) {
  if (small.getShape() != expected)
    return report(op, Code::ShapeMismatch)
           << "of " << large << " takes a gradient of shape "
           << formatShape(expected) << ", got " << small;
  return verifyElementKept(op, small, large);
}

// Checks that `list` has one number for each dimension of `type`.
static LogicalResult verifyLength(Operation *op, StringRef list, size_t length,
                                  RankedTensorType type) {
  if (static_cast<int64_t>(length) == type.getRank())
    return success();
  return report(op) << list << " has " << length << " numbers for "
                    << type.getRank() << " dimensions; give one for each";
}

LogicalResult StridedSliceGradOp::verify() {
  RankedTensorType dx = getDx().getType();
  if (failed(verifyLength(*this, "begin", getBegin().size(), dx)) ||
      failed(verifyLength(*this, "end", getEnd().size(), dx)) ||
      failed(verifyLength(*this, "strides", getStrides().size(), dx)))
    return failure();
  if (llvm::is_contained(getStrides(), 0))
    return report(*this) << "a stride must not be 0";
  SmallVector<int64_t> shape;
  for (const SliceRange &range :
       resolveSlice(dx.getShape(), getBegin(), getEnd(), getStrides()))
    shape.push_back(range.size);
  return verifyForward(*this, getDy().getType(), shape, dx);
}

LogicalResult PadOp::verify() {
  if (getValue().has_value() == getReflect())
    return report(*this) << "needs either a value or reflect; write value 0.0 "
                            "or reflect";
  Type element = getX().getType().getElementType();
  if (!getValue() || isElement(element, *getValue()))
    return success();
  return report(*this) << "value " << getValue()->convertToDouble()
                       << " is not a value of " << element;
}

LogicalResult MirrorPadGradOp::verify() {
  RankedTensorType dx = getDx().getType();
  if (failed(verifyLength(*this, "before", getBefore().size(), dx)) ||
      failed(verifyLength(*this, "after", getAfter().size(), dx)))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [dim, before, after] :
       llvm::zip_equal(dx.getShape(), getBefore(), getAfter())) {
    int64_t most = std::max<int64_t>(dim - 1, 0);
    if (before < 0 || after < 0 || before > most || after > most)
      return report(*this) << "reflect adds from 0 to " << most
                           << " elements to a dimension of " << dim << ", got "
                           << before << " and " << after;
    shape.push_back(before + dim + after);
  }
  return verifyForward(*this, getDy().getType(), shape, dx);
}

//===----------------------------------------------------------------------===//
// Indices and rows
//===----------------------------------------------------------------------===//

// Rows [k, …] for indices [k] of a table [rows, …].
static LogicalResult verifyRows(Operation *op, RankedTensorType table,
                                RankedTensorType indices,
                                RankedTensorType rows) {
  if (table.getRank() < 1)
    return report(op, Code::ShapeMismatch)
           << "needs a table with rows, got a scalar";
  SmallVector<int64_t> expected(indices.getShape());
  llvm::append_range(expected, table.getShape().drop_front());
  if (rows.getShape() != ArrayRef(expected))
    return report(op, Code::ShapeMismatch)
           << "indices of " << indices << " into " << table
           << " need rows of shape " << formatShape(expected) << ", got "
           << rows;
  return verifyElementKept(op, rows, table);
}

LogicalResult IndexedSlicesOp::verify() {
  return verifyRows(*this, getDense().getType(), getIndices().getType(),
                    getRows().getType());
}

LogicalResult ScatterAddOp::verify() {
  return verifyRows(*this, getX().getType(), getIndices().getType(),
                    getUpdates().getType());
}

LogicalResult ScatterUpdateOp::verify() {
  return verifyRows(*this, getX().getType(), getIndices().getType(),
                    getUpdates().getType());
}

//===----------------------------------------------------------------------===//
// Numbers among the attributes
//===----------------------------------------------------------------------===//

LogicalResult ClipOp::verify() {
  if (getLow().convertToDouble() <= getHigh().convertToDouble())
    return success();
  return report(*this) << "low must not be above high, got "
                       << getLow().convertToDouble() << " and "
                       << getHigh().convertToDouble();
}

LogicalResult CumsumOp::verify() {
  int64_t axis = getAxis(), rank = getX().getType().getRank();
  if (axis >= 0 && axis < rank)
    return success();
  return report(*this, Code::BadAxis)
         << "there is no axis " << axis << " in "
         << formatShape(getX().getType().getShape()) << "; axes count from 0";
}

// low < high for a uniform, and what lies between can be counted.
LogicalResult RandomUniformOp::verify() {
  Type element = getResult().getType().getElementType();
  if (failed(verifyNumber(*this, "low", getLow(), element)) ||
      failed(verifyNumber(*this, "high", getHigh(), element)))
    return failure();
  double low = getLow().convertToDouble(), high = getHigh().convertToDouble();
  if (!(low < high))
    return report(*this) << "low must be below high, got " << low << " and "
                         << high;
  // Drawn in f64, whatever the elements are.
  if (!std::isfinite(high - low))
    return report(*this) << "from " << low << " to " << high
                         << " is farther than the largest number";
  return success();
}

// stddev >= 0 for a normal.
template <typename Op>
static LogicalResult verifyNormal(Op op) {
  Type element = op.getResult().getType().getElementType();
  const APFloat mean = op.getLow(), stddev = op.getHigh();
  if (failed(verifyNumber(op, "mean", mean, element)) ||
      failed(verifyNumber(op, "stddev", stddev, element)))
    return failure();
  if (stddev.convertToDouble() >= 0)
    return success();
  return report(op) << "the standard deviation must not be negative, got "
                    << stddev.convertToDouble();
}

LogicalResult RandomNormalOp::verify() { return verifyNormal(*this); }

LogicalResult RandomTruncatedNormalOp::verify() { return verifyNormal(*this); }

LogicalResult LeakyReluOp::verify() {
  return verifyNumber(*this, "alpha", getAlpha(),
                      getX().getType().getElementType());
}

// Without something added, a variance of 0 has no inverse root. Computed in
// f32, or in f64 for f64.
template <typename Op>
static LogicalResult verifyEpsilon(Op op) {
  double epsilon = op.getEpsilon().convertToDouble();
  bool isWide = op.getX().getType().getElementType().isF64();
  double most = isWide ? std::numeric_limits<double>::max()
                       : std::numeric_limits<float>::max();
  if (epsilon > 0 && epsilon <= most)
    return success();
  return report(op) << "epsilon must be a finite number above 0, got "
                    << epsilon << "; write epsilon 1.0e-5";
}

LogicalResult BatchNormOp::verify() { return verifyEpsilon(*this); }

LogicalResult BatchNormInferenceOp::verify() { return verifyEpsilon(*this); }

LogicalResult LayerNormOp::verify() { return verifyEpsilon(*this); }

LogicalResult DropoutOp::verify() {
  double rate = getRate().convertToDouble();
  if (rate >= 0 && rate < 1)
    return success();
  return report(*this) << "the rate must be from 0 to below 1, got " << rate;
}

//===----------------------------------------------------------------------===//
// Along the last dimension
//===----------------------------------------------------------------------===//

static LogicalResult verifyLastDimension(Operation *op, RankedTensorType x) {
  if (x.getRank() >= 1)
    return success();
  return report(op, Code::ShapeMismatch)
         << "needs a last dimension to sum over, got " << x;
}

LogicalResult SoftmaxOp::verify() {
  return verifyLastDimension(*this, getX().getType());
}

LogicalResult LogSoftmaxOp::verify() {
  return verifyLastDimension(*this, getX().getType());
}

//===----------------------------------------------------------------------===//
// Gradients of windows
//===----------------------------------------------------------------------===//

// Checks the gradient of a convolution against its forward's shape rule.
template <typename Forward>
static LogicalResult verifyConvolution(Operation *op, RankedTensorType x,
                                       RankedTensorType filter,
                                       RankedTensorType dy) {
  auto same = [&](RankedTensorType type) {
    return type.getElementType() == x.getElementType();
  };
  if (!same(filter) || !same(dy))
    return report(op, Code::OperandType) << "element types differ";
  if (x.getRank() != 4 || filter.getRank() != 4)
    return report(op, Code::ShapeMismatch)
           << "images and filters have four dimensions, got " << x << " and "
           << filter;
  if (x.getDimSize(3) != filter.getDimSize(2))
    return report(op, Code::ShapeMismatch)
           << "the image has " << x.getDimSize(3)
           << " channels, the filter reads " << filter.getDimSize(2);
  auto list = [&](StringRef name) {
    return op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef();
  };
  auto windows = resolveWindows(
      x.getShape().slice(1, 2), filter.getShape().take_front(2),
      list("strides"), list("dilations"), op->getAttr("padding"));
  if (auto *wrong = std::get_if<std::string>(&windows))
    return report(op) << *wrong;
  auto &[height, width] = std::get<Windows>(windows);
  bool isDepthwise = std::is_same_v<Forward, DepthwiseConv2dOp>;
  SmallVector<int64_t> expected = {x.getDimSize(0), height.output, width.output,
                                   filter.getDimSize(3) *
                                       (isDepthwise ? x.getDimSize(3) : 1)};
  if (dy.getShape() == ArrayRef(expected))
    return success();
  return report(op, Code::ShapeMismatch)
         << "the gradient of " << x << " under " << filter
         << " comes from shape " << formatShape(expected) << ", got " << dy;
}

LogicalResult Conv2dBackpropInputOp::verify() {
  return verifyConvolution<Conv2dOp>(*this, getGradient().getType(),
                                     getLhs().getType(), getRhs().getType());
}

LogicalResult Conv2dBackpropFilterOp::verify() {
  return verifyConvolution<Conv2dOp>(
      *this, getLhs().getType(), getGradient().getType(), getRhs().getType());
}

LogicalResult DepthwiseConv2dBackpropInputOp::verify() {
  return verifyConvolution<DepthwiseConv2dOp>(
      *this, getGradient().getType(), getLhs().getType(), getRhs().getType());
}

LogicalResult DepthwiseConv2dBackpropFilterOp::verify() {
  return verifyConvolution<DepthwiseConv2dOp>(
      *this, getLhs().getType(), getGradient().getType(), getRhs().getType());
}

// Checks the gradient of a pool over `x` against the shape of `y`.
static LogicalResult verifyPool(Operation *op, RankedTensorType x,
                                RankedTensorType y) {
  if (x.getElementType() != y.getElementType())
    return report(op, Code::OperandType) << "element types differ";
  if (x.getRank() != 4)
    return report(op, Code::ShapeMismatch)
           << "images are [batch, height, width, channels], got " << x;
  auto list = [&](StringRef name) {
    return op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef();
  };
  auto windows =
      resolveWindows(x.getShape().slice(1, 2), list("window"), list("strides"),
                     {1, 1}, op->getAttr("padding"));
  if (auto *wrong = std::get_if<std::string>(&windows))
    return report(op) << *wrong;
  auto &[height, width] = std::get<Windows>(windows);
  SmallVector<int64_t> expected = {x.getDimSize(0), height.output, width.output,
                                   x.getDimSize(3)};
  if (y.getShape() == ArrayRef(expected))
    return success();
  return report(op, Code::ShapeMismatch)
         << "of " << x << " takes a gradient of shape " << formatShape(expected)
         << ", got " << y;
}

LogicalResult MaxPoolGradOp::verify() {
  if (getX().getType() != getDx().getType() ||
      getY().getType() != getDy().getType())
    return report(*this, Code::ShapeMismatch)
           << "the gradient has the type of x, and dy that of y";
  return verifyPool(*this, getX().getType(), getY().getType());
}

LogicalResult AvgPoolGradOp::verify() {
  return verifyPool(*this, getDx().getType(), getDy().getType());
}

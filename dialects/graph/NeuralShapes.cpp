// The shape rules of products, convolutions, pools, normalisations and losses.
#include "dialects/graph/ShapeRule.h"
#include "dialects/graph/Windows.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

using Tensors = ArrayRef<RankedTensorType>;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// The last two dimensions of a product of the last two of a and b.
template <typename Adaptor>
static LogicalResult inferMatrix(const Rule &rule, Tensors types,
                                 Adaptor adaptor,
                                 SmallVectorImpl<int64_t> &shape) {
  ArrayRef<int64_t> a = types[0].getShape().take_back(2),
                    b = types[1].getShape().take_back(2);
  bool transposeA = adaptor.getTransposeA(),
       transposeB = adaptor.getTransposeB();
  int64_t innerA = a[transposeA ? 0 : 1], innerB = b[transposeB ? 1 : 0];
  if (innerA != innerB) {
    std::string flag =
        transposeB ? "leave transpose_b out" : "write transpose_b behind it";
    bool fitsOtherwise = b[transposeB ? 0 : 1] == innerA;
    return rule.fail("inner dimensions differ, " + Twine(innerA) + " and " +
                     Twine(innerB) + "; " +
                     (fitsOtherwise
                          ? flag
                          : "give the right operand " + std::to_string(innerA) +
                                (transposeB ? " columns" : " rows")));
  }
  shape.append({a[transposeA ? 1 : 0], b[transposeB ? 0 : 1]});
  return success();
}

static LogicalResult inferMatmul(const Rule &rule, Tensors types,
                                 MatmulOp::Adaptor adaptor, Types &results) {
  if (failed(rule.sameElements(types)))
    return failure();
  if (types[0].getRank() != 2 || types[1].getRank() != 2)
    return rule.fail("operands must be matrices, got " +
                     both(types[0], types[1]) +
                     "; graph.batch_matmul takes more dimensions, "
                     "graph.reshape makes matrices");
  SmallVector<int64_t> shape;
  if (failed(inferMatrix(rule, types, adaptor, shape)))
    return failure();
  return rule.result(shape, types[0].getElementType(), results);
}
DTC_SHAPE_RULE(MatmulOp, inferMatmul)

static LogicalResult inferBatchMatmul(const Rule &rule, Tensors types,
                                      BatchMatmulOp::Adaptor adaptor,
                                      Types &results) {
  if (failed(rule.sameElements(types)))
    return failure();
  if (types[0].getRank() < 2 || types[1].getRank() < 2)
    return rule.fail("operands must have at least two dimensions, got " +
                     both(types[0], types[1]) + "; graph.expand_dims adds one");
  auto shape = broadcastShapes(types[0].getShape().drop_back(2),
                               types[1].getShape().drop_back(2));
  if (!shape)
    return rule.fail("the dimensions before the last two do not broadcast, " +
                     both(types[0], types[1]) +
                     "; give equal ones, or 1 on one side");
  if (failed(inferMatrix(rule, types, adaptor, *shape)))
    return failure();
  return rule.result(*shape, types[0].getElementType(), results);
}
DTC_SHAPE_RULE(BatchMatmulOp, inferBatchMatmul)

static LogicalResult inferBiasAdd(const Rule &rule, Tensors types,
                                  BiasAddOp::Adaptor, Types &results) {
  if (failed(rule.sameElements(types)))
    return failure();
  RankedTensorType x = types[0], bias = types[1];
  if (x.getRank() < 1 || bias.getRank() != 1 ||
      x.getShape().back() != bias.getDimSize(0))
    return rule.fail("the bias must be a vector as long as the last "
                     "dimension, got " +
                     both(x, bias));
  return rule.result(x.getShape(), x.getElementType(), results);
}
DTC_SHAPE_RULE(BiasAddOp, inferBiasAdd)

//===----------------------------------------------------------------------===//
// Convolutions and pools
//===----------------------------------------------------------------------===//

// The shape of an image [batch, height, width, channels] under a window.
static LogicalResult slide(const Rule &rule, RankedTensorType x,
                           ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                           ArrayRef<int64_t> dilations, Attribute padding,
                           int64_t channels, Types &results) {
  auto windows = resolveWindows(x.getShape().slice(1, 2), window, strides,
                                dilations, padding);
  if (auto *wrong = std::get_if<std::string>(&windows))
    return rule.fail(*wrong, Code::BadAttribute);
  auto &[height, width] = std::get<Windows>(windows);
  return rule.result({x.getDimSize(0), height.output, width.output, channels},
                     x.getElementType(), results);
}

template <typename Adaptor>
static LogicalResult inferConvolution(const Rule &rule, Tensors types,
                                      Adaptor adaptor, bool isDepthwise,
                                      Types &results) {
  if (failed(rule.sameElements(types)))
    return failure();
  RankedTensorType x = types[0], filter = types[1];
  if (x.getRank() != 4 || filter.getRank() != 4)
    return rule.fail("images are [batch, height, width, channels] and filters "
                     "[height, width, in, out], got " +
                     both(x, filter));
  if (x.getDimSize(3) != filter.getDimSize(2))
    return rule.fail("the image has " + Twine(x.getDimSize(3)) +
                     " channels, the filter reads " +
                     Twine(filter.getDimSize(2)));
  // No overflow: the filter has at most 2^40 elements.
  int64_t channels = isDepthwise ? filter.getDimSize(2) * filter.getDimSize(3)
                                 : filter.getDimSize(3);
  return slide(rule, x, filter.getShape().take_front(2), adaptor.getStrides(),
               adaptor.getDilations(), adaptor.getPadding(), channels, results);
}

static LogicalResult inferConv2d(const Rule &rule, Tensors types,
                                 Conv2dOp::Adaptor adaptor, Types &results) {
  return inferConvolution(rule, types, adaptor, false, results);
}
DTC_SHAPE_RULE(Conv2dOp, inferConv2d)

static LogicalResult inferDepthwise(const Rule &rule, Tensors types,
                                    DepthwiseConv2dOp::Adaptor adaptor,
                                    Types &results) {
  return inferConvolution(rule, types, adaptor, true, results);
}
DTC_SHAPE_RULE(DepthwiseConv2dOp, inferDepthwise)

template <typename Adaptor>
static LogicalResult inferPool(const Rule &rule, Tensors types, Adaptor adaptor,
                               Types &results) {
  RankedTensorType x = types[0];
  if (x.getRank() != 4)
    return rule.fail("images are [batch, height, width, channels], got " +
                     formatShape(x.getShape()));
  return slide(rule, x, adaptor.getWindow(), adaptor.getStrides(), {1, 1},
               adaptor.getPadding(), x.getDimSize(3), results);
}
DTC_SHAPE_RULE(MaxPoolOp, inferPool)
DTC_SHAPE_RULE(AvgPoolOp, inferPool)

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

// Scale, offset and the like: vectors as long as the last dimension of x.
static LogicalResult expectVectors(const Rule &rule, Tensors types) {
  if (failed(rule.sameElements(types)))
    return failure();
  if (types[0].getRank() < 1)
    return rule.fail("needs a last dimension, got a scalar");
  for (RankedTensorType vector : types.drop_front())
    if (vector.getRank() != 1 ||
        vector.getDimSize(0) != types[0].getShape().back())
      return rule.fail("scale, offset and statistics are vectors as long as "
                       "the last dimension, got " +
                       both(types[0], vector));
  return success();
}

static LogicalResult inferBatchNorm(const Rule &rule, Tensors types,
                                    BatchNormOp::Adaptor, Types &results) {
  if (failed(expectVectors(rule, types)))
    return failure();
  results.assign({types[0], types[1], types[1], types[1]});
  return success();
}
DTC_SHAPE_RULE(BatchNormOp, inferBatchNorm)

template <typename Adaptor>
static LogicalResult inferNorm(const Rule &rule, Tensors types, Adaptor,
                               Types &results) {
  if (failed(expectVectors(rule, types)))
    return failure();
  results.push_back(types[0]);
  return success();
}
DTC_SHAPE_RULE(BatchNormInferenceOp, inferNorm)
DTC_SHAPE_RULE(LayerNormOp, inferNorm)

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static LogicalResult inferCrossEntropy(const Rule &rule, Tensors types,
                                       SoftmaxCrossEntropyOp::Adaptor,
                                       Types &results) {
  RankedTensorType logits = types[0], labels = types[1];
  if (logits.getRank() != 2 || labels.getRank() != 1)
    return rule.fail("logits must be a matrix [batch, classes] and labels a "
                     "vector [batch], got " +
                     both(logits, labels));
  if (logits.getDimSize(0) != labels.getDimSize(0))
    return rule.fail("batches differ, " + Twine(logits.getDimSize(0)) +
                     " logits and " + Twine(labels.getDimSize(0)) +
                     " labels; give one label to each row of logits");
  return rule.result(labels.getShape(), logits.getElementType(), results);
}
DTC_SHAPE_RULE(SoftmaxCrossEntropyOp, inferCrossEntropy)

static LogicalResult inferDenseCrossEntropy(const Rule &rule, Tensors types,
                                            DenseSoftmaxCrossEntropyOp::Adaptor,
                                            Types &results) {
  if (failed(rule.sameElements(types)))
    return failure();
  RankedTensorType logits = types[0], labels = types[1];
  if (logits != labels || logits.getRank() < 1)
    return rule.fail("logits and labels have one shape [..., classes], got " +
                     both(logits, labels));
  return rule.result(logits.getShape().drop_back(), logits.getElementType(),
                     results);
}
DTC_SHAPE_RULE(DenseSoftmaxCrossEntropyOp, inferDenseCrossEntropy)

static LogicalResult inferL2Loss(const Rule &rule, Tensors types,
                                 L2LossOp::Adaptor, Types &results) {
  return rule.result({}, types[0].getElementType(), results);
}
DTC_SHAPE_RULE(L2LossOp, inferL2Loss)

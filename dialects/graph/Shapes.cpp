// The shape rules. They run before an op exists, so they trust neither the
// kind nor the number of its operands' dimensions, and they say what clashes.
#include "dialects/graph/Ops.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace dtc::graph;

using Types = SmallVectorImpl<Type>;
using MaybeLocation = std::optional<Location>;

namespace {

// One application of a shape rule: where to complain, about which op.
class Rule {
public:
  Rule(MaybeLocation location, StringRef op, ValueRange operands)
      : location_(location), op_(op), operands_(operands) {}

  // Reports `message` at the op, and where each operand comes from.
  LogicalResult fail(const Twine &message) const {
    if (!location_)
      return failure();
    InFlightDiagnostic diagnostic = emitError(*location_)
                                    << op_ << ": " << message;
    llvm::SmallPtrSet<void *, 4> seen;
    for (Value operand : operands_)
      if (seen.insert(operand.getAsOpaquePointer()).second)
        diagnostic.attachNote(operand.getLoc())
            << "operand of type " << operand.getType() << " is made here";
    return diagnostic;
  }

  // Fills `types` with the operands' types if all are tensors.
  LogicalResult tensors(SmallVectorImpl<RankedTensorType> &types) const {
    for (Value operand : operands_) {
      if (!isTensor(operand.getType()))
        return fail("operands must be tensors with a static shape, no empty "
                    "dimension, at most 2^40 elements, and elements of f32, "
                    "f64, f16, bf16, i1, i8, ui8, i32 or i64");
      types.push_back(cast<RankedTensorType>(operand.getType()));
    }
    return success();
  }

  // Adds the result's type if it is not too large.
  LogicalResult result(ArrayRef<int64_t> shape, Type element,
                       Types &types) const {
    if (!countElements(shape))
      return fail("the result, " + formatShape(shape) +
                  ", would have more than 2^40 elements");
    types.push_back(RankedTensorType::get(shape, element));
    return success();
  }

private:
  MaybeLocation location_;
  StringRef op_;
  ValueRange operands_;
};

} // namespace

static std::string both(RankedTensorType lhs, RankedTensorType rhs) {
  return formatShape(lhs.getShape()) + " and " + formatShape(rhs.getShape());
}

static std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

// Checks that both operands have one element type, and says so if not.
static LogicalResult sameElements(const Rule &rule, RankedTensorType lhs,
                                  RankedTensorType rhs) {
  if (lhs.getElementType() == rhs.getElementType())
    return success();
  return rule.fail("element types differ, " + text(lhs.getElementType()) +
                   " and " + text(rhs.getElementType()) +
                   "; graph.cast converts");
}

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

static LogicalResult inferBinary(MaybeLocation location, StringRef name,
                                 ValueRange operands, Type element,
                                 Types &results) {
  Rule rule(location, name, operands);
  SmallVector<RankedTensorType> types;
  if (failed(rule.tensors(types)) ||
      failed(sameElements(rule, types[0], types[1])))
    return failure();
  auto shape = broadcastShapes(types[0].getShape(), types[1].getShape());
  if (!shape)
    return rule.fail("shapes " + both(types[0], types[1]) +
                     " do not broadcast; dimensions, aligned at the last, "
                     "must be equal or 1");
  return rule.result(*shape, element ? element : types[0].getElementType(),
                     results);
}

#define DTC_BINARY_SHAPE(OP)                                                   \
  LogicalResult OP::inferReturnTypes(MLIRContext *context,                     \
                                     MaybeLocation location, Adaptor adaptor,  \
                                     Types &results) {                         \
    return inferBinary(location, mnemonic<OP>(), adaptor.getOperands(),        \
                       Type(), results);                                       \
  }

// "add" of "graph.add".
template <typename Op>
static StringRef mnemonic() {
  return Op::getOperationName().split('.').second;
}

DTC_BINARY_SHAPE(AddOp)
DTC_BINARY_SHAPE(SubOp)
DTC_BINARY_SHAPE(MulOp)
DTC_BINARY_SHAPE(DivOp)
DTC_BINARY_SHAPE(MaximumOp)
#undef DTC_BINARY_SHAPE

LogicalResult EqualOp::inferReturnTypes(MLIRContext *context,
                                        MaybeLocation location, Adaptor adaptor,
                                        Types &results) {
  return inferBinary(location, "equal", adaptor.getOperands(),
                     IntegerType::get(context, 1), results);
}

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *context,
                                           MaybeLocation location,
                                           Adaptor adaptor, Types &results) {
  auto value = adaptor.getValueAttr();
  if (!value || !isTensor(value.getType()))
    return emitOptionalError(location,
                             "constant: expected a tensor with a static shape "
                             "and elements of f32, f64, f16, bf16, i1, i8, "
                             "ui8, i32 or i64");
  results.push_back(value.getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Linear algebra and neural networks
//===----------------------------------------------------------------------===//

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *context,
                                         MaybeLocation location,
                                         Adaptor adaptor, Types &results) {
  Rule rule(location, "matmul", adaptor.getOperands());
  SmallVector<RankedTensorType> types;
  if (failed(rule.tensors(types)) ||
      failed(sameElements(rule, types[0], types[1])))
    return failure();
  if (types[0].getRank() != 2 || types[1].getRank() != 2)
    return rule.fail("operands must be matrices, got " +
                     both(types[0], types[1]));
  bool transposeA = adaptor.getTransposeA(),
       transposeB = adaptor.getTransposeB();
  int64_t innerA = types[0].getDimSize(transposeA ? 0 : 1);
  int64_t innerB = types[1].getDimSize(transposeB ? 1 : 0);
  if (innerA != innerB)
    return rule.fail("inner dimensions differ, " + Twine(innerA) + " and " +
                     Twine(innerB));
  return rule.result({types[0].getDimSize(transposeA ? 1 : 0),
                      types[1].getDimSize(transposeB ? 0 : 1)},
                     types[0].getElementType(), results);
}

LogicalResult BiasAddOp::inferReturnTypes(MLIRContext *context,
                                          MaybeLocation location,
                                          Adaptor adaptor, Types &results) {
  Rule rule(location, "bias_add", adaptor.getOperands());
  SmallVector<RankedTensorType> types;
  if (failed(rule.tensors(types)) ||
      failed(sameElements(rule, types[0], types[1])))
    return failure();
  RankedTensorType x = types[0], bias = types[1];
  if (x.getRank() < 1 || bias.getRank() != 1 ||
      x.getShape().back() != bias.getDimSize(0))
    return rule.fail("the bias must be a vector as long as the last "
                     "dimension, got " +
                     both(x, bias));
  return rule.result(x.getShape(), x.getElementType(), results);
}

LogicalResult SoftmaxCrossEntropyOp::inferReturnTypes(MLIRContext *context,
                                                      MaybeLocation location,
                                                      Adaptor adaptor,
                                                      Types &results) {
  Rule rule(location, "softmax_cross_entropy", adaptor.getOperands());
  SmallVector<RankedTensorType> types;
  if (failed(rule.tensors(types)))
    return failure();
  RankedTensorType logits = types[0], labels = types[1];
  if (logits.getRank() != 2 || labels.getRank() != 1)
    return rule.fail("logits must be a matrix [batch, classes] and labels a "
                     "vector [batch], got " +
                     both(logits, labels));
  if (logits.getDimSize(0) != labels.getDimSize(0))
    return rule.fail("batches differ, " + Twine(logits.getDimSize(0)) +
                     " logits and " + Twine(labels.getDimSize(0)) + " labels");
  return rule.result(labels.getShape(), logits.getElementType(), results);
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *context,
                                         MaybeLocation location,
                                         Adaptor adaptor, Types &results) {
  Rule rule(location, "one_hot", adaptor.getOperands());
  SmallVector<RankedTensorType> types;
  if (failed(rule.tensors(types)))
    return failure();
  int64_t depth = adaptor.getDepth();
  if (depth < 1)
    return rule.fail("depth must be at least 1, got " + Twine(depth));
  Type element = adaptor.getElementType();
  if (!isElementType(element))
    return rule.fail("there are no tensors of " + text(element));
  SmallVector<int64_t> shape(types[0].getShape());
  shape.push_back(depth);
  return rule.result(shape, element, results);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static LogicalResult inferReduction(MaybeLocation location, StringRef name,
                                    ValueRange operands, ArrayRef<int64_t> axes,
                                    bool keepDims, Type element,
                                    Types &results) {
  Rule rule(location, name, operands);
  SmallVector<RankedTensorType> types;
  if (failed(rule.tensors(types)))
    return failure();
  RankedTensorType x = types[0];
  if (axes.empty())
    return rule.fail("names no axis to reduce");
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (axis < 0 || axis >= x.getRank())
      return rule.fail("there is no axis " + Twine(axis) + " in " +
                       formatShape(x.getShape()) + "; axes count from 0");
    if (index > 0 && axes[index - 1] >= axis)
      return rule.fail("axes must ascend, got " + Twine(axes[index - 1]) +
                       " before " + Twine(axis));
  }
  SmallVector<int64_t> shape;
  for (auto [axis, dim] : llvm::enumerate(x.getShape())) {
    bool isReduced = llvm::is_contained(axes, axis);
    if (!isReduced || keepDims)
      shape.push_back(isReduced ? 1 : dim);
  }
  return rule.result(shape, element ? element : x.getElementType(), results);
}

LogicalResult ReduceSumOp::inferReturnTypes(MLIRContext *context,
                                            MaybeLocation location,
                                            Adaptor adaptor, Types &results) {
  return inferReduction(location, "reduce_sum", adaptor.getOperands(),
                        adaptor.getAxes(), adaptor.getKeepDims(), Type(),
                        results);
}

LogicalResult ReduceMeanOp::inferReturnTypes(MLIRContext *context,
                                             MaybeLocation location,
                                             Adaptor adaptor, Types &results) {
  return inferReduction(location, "reduce_mean", adaptor.getOperands(),
                        adaptor.getAxes(), adaptor.getKeepDims(), Type(),
                        results);
}

LogicalResult ReduceMaxOp::inferReturnTypes(MLIRContext *context,
                                            MaybeLocation location,
                                            Adaptor adaptor, Types &results) {
  return inferReduction(location, "reduce_max", adaptor.getOperands(),
                        adaptor.getAxes(), adaptor.getKeepDims(), Type(),
                        results);
}

LogicalResult ArgmaxOp::inferReturnTypes(MLIRContext *context,
                                         MaybeLocation location,
                                         Adaptor adaptor, Types &results) {
  return inferReduction(location, "argmax", adaptor.getOperands(),
                        static_cast<int64_t>(adaptor.getAxis()), false,
                        IntegerType::get(context, 64), results);
}

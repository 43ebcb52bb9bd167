// The shape rules of element-wise ops, constants and reductions.
#include "dialects/graph/ShapeRule.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

// `element`, or the operands' element type without one.
static LogicalResult inferBinary(const Rule &rule,
                                 ArrayRef<RankedTensorType> types, Type element,
                                 Types &results) {
  if (failed(rule.sameElements(types)))
    return failure();
  auto shape = broadcastShapes(types[0].getShape(), types[1].getShape());
  if (!shape)
    return rule.fail("shapes " + both(types[0], types[1]) +
                     " do not broadcast; dimensions, aligned at the last, "
                     "must be equal or 1");
  return rule.result(*shape, element ? element : types[0].getElementType(),
                     results);
}

template <typename Adaptor>
static LogicalResult inferArithmetic(const Rule &rule,
                                     ArrayRef<RankedTensorType> types, Adaptor,
                                     Types &results) {
  return inferBinary(rule, types, Type(), results);
}

template <typename Adaptor>
static LogicalResult inferComparison(const Rule &rule,
                                     ArrayRef<RankedTensorType> types, Adaptor,
                                     Types &results) {
  return inferBinary(rule, types, IntegerType::get(types[0].getContext(), 1),
                     results);
}

DTC_SHAPE_RULE(AddOp, inferArithmetic)
DTC_SHAPE_RULE(SubOp, inferArithmetic)
DTC_SHAPE_RULE(MulOp, inferArithmetic)
DTC_SHAPE_RULE(DivOp, inferArithmetic)
DTC_SHAPE_RULE(FloorDivOp, inferArithmetic)
DTC_SHAPE_RULE(FloorModOp, inferArithmetic)
DTC_SHAPE_RULE(MaximumOp, inferArithmetic)
DTC_SHAPE_RULE(MinimumOp, inferArithmetic)
DTC_SHAPE_RULE(PowOp, inferArithmetic)
DTC_SHAPE_RULE(LogicalAndOp, inferArithmetic)
DTC_SHAPE_RULE(LogicalOrOp, inferArithmetic)
DTC_SHAPE_RULE(SigmoidCrossEntropyOp, inferArithmetic)
DTC_SHAPE_RULE(EqualOp, inferComparison)
DTC_SHAPE_RULE(NotEqualOp, inferComparison)
DTC_SHAPE_RULE(LessOp, inferComparison)
DTC_SHAPE_RULE(LessEqualOp, inferComparison)
DTC_SHAPE_RULE(GreaterOp, inferComparison)
DTC_SHAPE_RULE(GreaterEqualOp, inferComparison)

static LogicalResult inferSelect(const Rule &rule,
                                 ArrayRef<RankedTensorType> types,
                                 SelectOp::Adaptor, Types &results) {
  if (failed(rule.sameElements(types.drop_front())))
    return failure();
  for (RankedTensorType type : types.drop_front())
    if (type.getShape() != types[0].getShape())
      return rule.fail("shapes must be equal, got " + both(types[0], type) +
                       "; graph.where broadcasts");
  return rule.result(types[1].getShape(), types[1].getElementType(), results);
}
DTC_SHAPE_RULE(SelectOp, inferSelect)

static LogicalResult inferWhere(const Rule &rule,
                                ArrayRef<RankedTensorType> types,
                                WhereOp::Adaptor, Types &results) {
  if (failed(rule.sameElements(types.drop_front())))
    return failure();
  auto shape = broadcastShapes(types[1].getShape(), types[2].getShape());
  if (shape)
    shape = broadcastShapes(*shape, types[0].getShape());
  if (!shape)
    return rule.fail("shapes " + formatShape(types[0].getShape()) + ", " +
                     both(types[1], types[2]) +
                     " do not broadcast; dimensions, aligned at the last, "
                     "must be equal or 1");
  return rule.result(*shape, types[1].getElementType(), results);
}
DTC_SHAPE_RULE(WhereOp, inferWhere)

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
// Reductions
//===----------------------------------------------------------------------===//

static LogicalResult inferReduction(const Rule &rule, RankedTensorType x,
                                    ArrayRef<int64_t> axes, bool keepDims,
                                    Type element, Types &results) {
  if (axes.empty() && x.getRank() == 0)
    return rule.fail("there is nothing to reduce in a scalar; leave the op out",
                     Code::BadAxis);
  if (axes.empty())
    return rule.fail(
        "names no axis to reduce; write axes " +
            text(llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()))) +
            " for all of them",
        Code::BadAxis);
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (failed(rule.axis(axis, x)))
      return failure();
    if (index > 0 && axes[index - 1] >= axis)
      return rule.fail("axes must ascend, got " + Twine(axes[index - 1]) +
                           " before " + Twine(axis) +
                           "; write each once, the smallest first",
                       Code::BadAxis);
  }
  SmallVector<int64_t> shape;
  for (auto [axis, dim] : llvm::enumerate(x.getShape())) {
    bool isReduced = llvm::is_contained(axes, axis);
    if (!isReduced || keepDims)
      shape.push_back(isReduced ? 1 : dim);
  }
  return rule.result(shape, element, results);
}

template <typename Adaptor>
static LogicalResult inferReduce(const Rule &rule,
                                 ArrayRef<RankedTensorType> types,
                                 Adaptor adaptor, Types &results) {
  return inferReduction(rule, types[0], adaptor.getAxes(),
                        adaptor.getKeepDims(), types[0].getElementType(),
                        results);
}
DTC_SHAPE_RULE(ReduceSumOp, inferReduce)
DTC_SHAPE_RULE(ReduceMeanOp, inferReduce)
DTC_SHAPE_RULE(ReduceMaxOp, inferReduce)
DTC_SHAPE_RULE(ReduceMinOp, inferReduce)
DTC_SHAPE_RULE(ReduceProdOp, inferReduce)

template <typename Adaptor>
static LogicalResult inferArg(const Rule &rule,
                              ArrayRef<RankedTensorType> types, Adaptor adaptor,
                              Types &results) {
  int64_t axis = adaptor.getAxis();
  if (failed(rule.axis(axis, types[0])))
    return failure();
  if (types[0].getDimSize(axis) == 0)
    return rule.fail("axis " + Twine(axis) + " of " +
                     formatShape(types[0].getShape()) +
                     " is empty: nothing is the largest or smallest");
  return inferReduction(rule, types[0], axis, false,
                        IntegerType::get(types[0].getContext(), 64), results);
}
DTC_SHAPE_RULE(ArgmaxOp, inferArg)
DTC_SHAPE_RULE(ArgminOp, inferArg)

static LogicalResult inferTopK(const Rule &rule,
                               ArrayRef<RankedTensorType> types,
                               TopKOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  if (x.getRank() < 1)
    return rule.fail("needs a last dimension, got a scalar");
  int64_t k = adaptor.getK(), last = x.getShape().back();
  if (k < 1 || k > last)
    return rule.fail("k must be from 1 to " + Twine(last) +
                         ", the size of the last dimension, got " + Twine(k),
                     Code::BadAttribute);
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = k;
  if (failed(rule.result(shape, x.getElementType(), results)))
    return failure();
  return rule.result(shape, IntegerType::get(x.getContext(), 32), results);
}
DTC_SHAPE_RULE(TopKOp, inferTopK)

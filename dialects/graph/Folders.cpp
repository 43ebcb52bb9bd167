// Folding, where the folded bits are the bits that the kernel would make.
#include "dialects/graph/Ops.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace dtc::graph;

// Larger constants would only swell the plan.
static constexpr int64_t maxFoldedElements = 1024;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Arithmetic on f32 constants
//===----------------------------------------------------------------------===//

namespace {
using Calculation =
    llvm::function_ref<llvm::APFloat(llvm::APFloat, llvm::APFloat)>;

// A constant, seen as the elements of a larger type: a splat, or all of them.
class Elements {
public:
  Elements(Attribute attribute, RankedTensorType type)
      : constant_(dyn_cast_if_present<DenseFPElementsAttr>(attribute)) {
    if (constant_ && !constant_.getElementType().isF32())
      constant_ = {};
    if (constant_ && !constant_.isSplat() && constant_.getType() != type)
      constant_ = {};
  }

  bool isKnown() const { return bool(constant_); }
  bool isSplat() const { return constant_.isSplat(); }
  llvm::APFloat at(int64_t index) const {
    return constant_.isSplat() ? constant_.getSplatValue<llvm::APFloat>()
                               : constant_.getValues<llvm::APFloat>()[index];
  }

private:
  DenseFPElementsAttr constant_;
};
} // namespace

// Rounds to nearest even, as every target does. Not-a-number is left to run
// time: processors differ in the sign and payload that they give it.
static OpFoldResult foldF32(Attribute lhs, Attribute rhs, RankedTensorType type,
                            Calculation calculate) {
  Elements left(lhs, type), right(rhs, type);
  if (!left.isKnown() || !right.isKnown())
    return {};
  bool isSplat = left.isSplat() && right.isSplat();
  int64_t count = isSplat ? 1 : type.getNumElements();
  if (count > maxFoldedElements)
    return {};
  SmallVector<llvm::APFloat> values;
  for (int64_t index = 0; index < count; ++index) {
    values.push_back(calculate(left.at(index), right.at(index)));
    if (values.back().isNaN())
      return {};
  }
  return DenseElementsAttr::get(type, values);
}

OpFoldResult AddOp::fold(FoldAdaptor constants) {
  return foldF32(constants.getLhs(), constants.getRhs(), getResult().getType(),
                 [](llvm::APFloat a, llvm::APFloat b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor constants) {
  return foldF32(constants.getLhs(), constants.getRhs(), getResult().getType(),
                 [](llvm::APFloat a, llvm::APFloat b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor constants) {
  return foldF32(constants.getLhs(), constants.getRhs(), getResult().getType(),
                 [](llvm::APFloat a, llvm::APFloat b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor constants) {
  return foldF32(constants.getLhs(), constants.getRhs(), getResult().getType(),
                 [](llvm::APFloat a, llvm::APFloat b) { return a / b; });
}

OpFoldResult NegOp::fold(FoldAdaptor constants) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return inner.getX();
  return foldF32(constants.getX(), constants.getX(), getY().getType(),
                 [](llvm::APFloat a, llvm::APFloat) { return -a; });
}

//===----------------------------------------------------------------------===//
// Changes of type
//===----------------------------------------------------------------------===//

OpFoldResult CastOp::fold(FoldAdaptor) {
  return getX().getType() == getY().getType() ? OpFoldResult(getX())
                                              : OpFoldResult();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor constants) {
  if (getX().getType() == getY().getType())
    return getX();
  if (auto constant = dyn_cast_if_present<DenseElementsAttr>(constants.getX()))
    return constant.reshape(getY().getType());
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  return llvm::is_sorted(getPerm()) ? OpFoldResult(getX()) : OpFoldResult();
}

OpFoldResult ShapeOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getResult().getType());
  return DenseElementsAttr::get(type, getX().getType().getShape());
}

OpFoldResult BroadcastToOp::fold(FoldAdaptor constants) {
  if (getX().getType() == getY().getType())
    return getX();
  auto constant = dyn_cast_if_present<DenseElementsAttr>(constants.getX());
  if (constant && constant.isSplat())
    return constant.resizeSplat(getY().getType());
  return {};
}

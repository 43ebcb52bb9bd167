// Rules on arithmetic. Signalling not-a-numbers aside, each gives the bits that
// the ops would, but for the square of simplifyPowers.
#include "passes/graph/Rules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc::graph;

DenseElementsAttr dtc::graph::constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? constant.getValue() : DenseElementsAttr();
}

// The number that every element of a constant is. Zeros have signs.
static bool isAll(Value value, double number) {
  DenseElementsAttr constant = constantOf(value);
  if (!constant || !constant.isSplat())
    return false;
  if (isa<IntegerType>(constant.getElementType())) {
    auto element = constant.getSplatValue<llvm::APInt>();
    return element == llvm::APInt(element.getBitWidth(), int64_t(number),
                                  /*isSigned=*/true, /*implicitTrunc=*/true);
  }
  auto element = constant.getSplatValue<llvm::APFloat>();
  llvm::APFloat wanted(number);
  bool losesBits = false;
  wanted.convert(element.getSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesBits);
  return element.bitwiseIsEqual(wanted);
}

static bool isFloat(Value value) { return isFloatTensor(value.getType()); }

static Value withoutNeutral(Operation *op, double neutral, bool onBothSides) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isAll(rhs, neutral))
    if (Value value = ifSameType(lhs, op))
      return value;
  return onBothSides && isAll(lhs, neutral) ? ifSameType(rhs, op) : Value();
}

template <typename Op>
static Value withoutInverse(Op op) {
  auto inner = op.getX().template getDefiningOp<Op>();
  return inner ? inner.getX() : Value();
}

Value dtc::graph::removeIdentities(Operation *op, OpBuilder &) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](MulOp) { return withoutNeutral(op, 1, true); })
      .Case([&](DivOp) { return withoutNeutral(op, 1, false); })
      .Case([&](SubOp) { return withoutNeutral(op, 0, false); })
      .Case([&](AddOp add) {
        return withoutNeutral(op, isFloat(add.getLhs()) ? -0.0 : 0, true);
      })
      .Case([](NegOp neg) { return withoutInverse(neg); })
      .Case([](LogicalNotOp op) { return withoutInverse(op); })
      .Default(Value());
}

// pow by 0.5 is no sqrt: they differ at -0 and at -inf.
Value dtc::graph::simplifyPowers(Operation *op, OpBuilder &builder) {
  auto pow = dyn_cast<PowOp>(op);
  if (!pow || !ifSameType(pow.getLhs(), op))
    return {};
  if (isAll(pow.getRhs(), 1))
    return pow.getLhs();
  if (isAll(pow.getRhs(), 2))
    return Maker(builder, op).make<SquareOp>(pow.getLhs());
  return {};
}

// 1 / c must be a number without rounding, and no denormal.
Value dtc::graph::invertDivisions(Operation *op, OpBuilder &builder) {
  auto div = dyn_cast<DivOp>(op);
  DenseElementsAttr divisor = div ? constantOf(div.getRhs()) : nullptr;
  if (!divisor || !divisor.isSplat() || !isFloat(div.getRhs()))
    return {};
  llvm::APFloat inverse = divisor.getSplatValue<llvm::APFloat>();
  if (!inverse.getExactInverse(&inverse))
    return {};
  Maker maker(builder, op);
  auto constant = DenseElementsAttr::get(divisor.getType(), inverse);
  return maker.make<MulOp>(div.getLhs(), maker.make<ConstantOp>(constant));
}

// Whether every value of `from` is one of `to`.
static bool isWidening(Type from, Type to) {
  auto significandBits = [](Type type) -> unsigned {
    if (auto real = dyn_cast<FloatType>(type))
      return real.getFPMantissaWidth();
    return type.getIntOrFloatBitWidth();
  };
  if (isa<FloatType>(from) && !isa<FloatType>(to))
    return false;
  if (isa<FloatType>(from)) // f16 and bf16 hold no part of each other
    return to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (isa<FloatType>(to))
    return significandBits(to) >= significandBits(from);
  if (from.isUnsignedInteger() || from.isInteger(1))
    return to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  return !to.isUnsignedInteger() &&
         to.getIntOrFloatBitWidth() >= from.getIntOrFloatBitWidth();
}

Value dtc::graph::mergeCasts(Operation *op, OpBuilder &) {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast)
    return {};
  Value x = cast.getX();
  if (Value value = ifSameType(x, op))
    return value;
  auto inner = x.getDefiningOp<CastOp>();
  if (!inner || !isWidening(getElementTypeOrSelf(inner.getX().getType()),
                            getElementTypeOrSelf(x.getType())))
    return {};
  return ifSameType(inner.getX(), op);
}

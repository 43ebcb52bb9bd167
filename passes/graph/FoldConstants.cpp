// fold-constants: what an op makes of constants, where the bits are known.
//
// Integers wrap; floats round to nearest even, as every target does, f16 and
// bf16 after f32. Left to run time: not-a-number (processors differ in its
// bits), what rounds otherwise (exp), and more than maxFoldedElements, which
// would only swell the plan.
#include "passes/graph/Rules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc::graph;
using llvm::APFloat;
using llvm::APInt;

namespace {

constexpr int64_t maxFoldedElements = 1024;

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

// The constant operands of an op.
class Constants {
public:
  explicit Constants(Operation *op) : op_(op) {
    for (Value operand : op->getOperands())
      if (DenseElementsAttr constant = constantOf(operand))
        all_.push_back(constant);
  }

  // Whether every operand is one, and the result is small enough.
  bool areFoldable() const {
    return !all_.empty() && all_.size() == op_->getNumOperands() &&
           op_->getNumResults() == 1 &&
           typeOf(op_->getResult(0)).getNumElements() <= maxFoldedElements;
  }
  bool areSplats() const {
    return llvm::all_of(all_, [](DenseElementsAttr c) { return c.isSplat(); });
  }
  DenseElementsAttr operator[](size_t operand) const { return all_[operand]; }

  // Where the operand's element lies that broadcasts to element `index`.
  int64_t source(size_t operand, int64_t index) const {
    ArrayRef<int64_t> to = typeOf(op_->getResult(0)).getShape();
    ArrayRef<int64_t> from = all_[operand].getType().getShape();
    int64_t place = 0, stride = 1;
    for (size_t back = 1; back <= to.size(); ++back) {
      int64_t position = index % to[to.size() - back];
      index /= to[to.size() - back];
      if (back > from.size())
        continue;
      int64_t dim = from[from.size() - back];
      place += (dim == 1 ? 0 : position) * stride;
      stride *= dim;
    }
    return place;
  }

  template <typename Number>
  Number at(size_t operand, int64_t index) const {
    if (all_[operand].isSplat())
      return all_[operand].getSplatValue<Number>();
    return all_[operand].getValues<Number>()[source(operand, index)];
  }

private:
  Operation *op_;
  SmallVector<DenseElementsAttr> all_;
};

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

std::optional<APInt> foldInteger(Operation *op, const APInt &a, const APInt &b,
                                 bool isUnsigned) {
  return TypeSwitch<Operation *, std::optional<APInt>>(op)
      .Case([&](AddOp) { return a + b; })
      .Case([&](SubOp) { return a - b; })
      .Case([&](MulOp) { return a * b; })
      .Case([&](SquareOp) { return a * a; })
      .Case([&](NegOp) { return -a; })
      .Case(
          [&](MaximumOp) { return (isUnsigned ? a.ugt(b) : a.sgt(b)) ? a : b; })
      .Case(
          [&](MinimumOp) { return (isUnsigned ? a.ult(b) : a.slt(b)) ? a : b; })
      .Case([&](DivOp) -> std::optional<APInt> {
        if (b.isZero())
          return APInt(a.getBitWidth(), 0);
        if (!isUnsigned && b.isAllOnes()) // overflows at the least integer
          return std::nullopt;
        return isUnsigned ? a.udiv(b) : a.sdiv(b);
      })
      .Case([&](LogicalAndOp) { return a & b; })
      .Case([&](LogicalOrOp) { return a | b; })
      .Case([&](LogicalNotOp) { return ~a; })
      .Default(std::nullopt);
}

std::optional<APFloat> foldFloat(Operation *op, const APFloat &a,
                                 const APFloat &b) {
  return TypeSwitch<Operation *, std::optional<APFloat>>(op)
      .Case([&](AddOp) { return a + b; })
      .Case([&](SubOp) { return a - b; })
      .Case([&](MulOp) { return a * b; })
      .Case([&](DivOp) { return a / b; })
      .Case([&](SquareOp) { return a * a; })
      .Case([&](NegOp) { return -a; })
      .Case([&](AbsOp) { return abs(a); })
      .Default(std::nullopt);
}

template <typename Less>
std::optional<bool> foldOrder(Operation *op, Less less) {
  return TypeSwitch<Operation *, std::optional<bool>>(op)
      .Case([&](EqualOp) { return !less(0, 1) && !less(1, 0); })
      .Case([&](NotEqualOp) { return less(0, 1) || less(1, 0); })
      .Case([&](LessOp) { return less(0, 1); })
      .Case([&](LessEqualOp) { return !less(1, 0); })
      .Case([&](GreaterOp) { return less(1, 0); })
      .Case([&](GreaterEqualOp) { return !less(0, 1); })
      .Default(std::nullopt);
}

// f16 and bf16 compute in f32 and round once more.
std::optional<APFloat> foldRounded(Operation *op, APFloat a, APFloat b) {
  const llvm::fltSemantics &semantics = a.getSemantics();
  bool isNarrow = APFloat::semanticsSizeInBits(semantics) < 32, losesBits;
  auto convert = [&](APFloat &value, const llvm::fltSemantics &to) {
    value.convert(to, APFloat::rmNearestTiesToEven, &losesBits);
  };
  if (isNarrow) {
    convert(a, APFloat::IEEEsingle());
    convert(b, APFloat::IEEEsingle());
  }
  std::optional<APFloat> value = foldFloat(op, a, b);
  if (!value || value->isNaN())
    return std::nullopt;
  convert(*value, semantics);
  return value;
}

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

// One element of the result, or null.
Attribute foldElement(Operation *op, const Constants &constants,
                      int64_t index) {
  Type from = constants[0].getElementType();
  Type to = typeOf(op->getResult(0)).getElementType();
  size_t second = op->getNumOperands() - 1; // the first, if there is one
  std::optional<bool> order;
  if (isa<FloatType>(from)) {
    auto a = constants.at<APFloat>(0, index);
    auto b = constants.at<APFloat>(second, index);
    if (a.isNaN() || b.isNaN())
      return {};
    if (std::optional<APFloat> value = foldRounded(op, a, b))
      return FloatAttr::get(to, *value);
    order =
        foldOrder(op, [&](int l, int r) { return (l ? b : a) < (r ? b : a); });
  } else {
    auto a = constants.at<APInt>(0, index);
    auto b = constants.at<APInt>(second, index);
    bool isUnsigned = from.isUnsignedInteger() || from.isInteger(1);
    if (std::optional<APInt> value = foldInteger(op, a, b, isUnsigned))
      return IntegerAttr::get(to, *value);
    order = foldOrder(op, [&](int l, int r) {
      const APInt &left = l ? b : a, &right = r ? b : a;
      return isUnsigned ? left.ult(right) : left.slt(right);
    });
  }
  return order ? IntegerAttr::get(to, *order) : Attribute();
}

DenseElementsAttr foldElementwise(Operation *op, const Constants &constants) {
  RankedTensorType type = typeOf(op->getResult(0));
  if (op->getNumOperands() > 2 || !op->hasTrait<Elementwise>())
    return {};
  int64_t count = constants.areSplats() ? 1 : type.getNumElements();
  SmallVector<Attribute> values;
  for (int64_t index = 0; index < count; ++index) {
    values.push_back(foldElement(op, constants, index));
    if (!values.back())
      return {};
  }
  return type.getNumElements() ? DenseElementsAttr::get(type, values)
                               : DenseElementsAttr();
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

// Where element `position` of the result comes from, in each dimension of x.
SmallVector<int64_t> sourceOf(Operation *op, ArrayRef<int64_t> position) {
  return TypeSwitch<Operation *, SmallVector<int64_t>>(op)
      .Case([&](TransposeOp transpose) {
        SmallVector<int64_t> source(position.size());
        for (auto [to, from] : llvm::enumerate(transpose.getPerm()))
          source[from] = position[to];
        return source;
      })
      .Case([&](SliceOp slice) {
        SmallVector<int64_t> source(position);
        for (auto [dim, begin] : llvm::enumerate(slice.getBegin()))
          source[dim] += begin;
        return source;
      });
}

int64_t flatten(ArrayRef<int64_t> position, ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [at, dim] : llvm::zip_equal(position, shape))
    place = place * dim + at;
  return place;
}

SmallVector<int64_t> unflatten(int64_t place, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; place /= shape[dim])
    position[dim] = place % shape[dim];
  return position;
}

DenseElementsAttr foldMove(Operation *op, const Constants &constants) {
  RankedTensorType type = typeOf(op->getResult(0));
  DenseElementsAttr x = constants[0];
  if (!isa<ReshapeOp, ExpandDimsOp, SqueezeOp, BroadcastToOp, FillOp,
           TransposeOp, SliceOp>(op))
    return {};
  if (x.isSplat() && x.getNumElements())
    return x.resizeSplat(type);
  if (isa<ReshapeOp, ExpandDimsOp, SqueezeOp>(op))
    return x.reshape(type);
  SmallVector<Attribute> values;
  for (int64_t index = 0; index < type.getNumElements(); ++index) {
    int64_t source =
        isa<BroadcastToOp, FillOp>(op)
            ? constants.source(0, index)
            : flatten(sourceOf(op, unflatten(index, type.getShape())),
                      x.getType().getShape());
    values.push_back(x.getValues<Attribute>()[source]);
  }
  return values.empty() ? DenseElementsAttr()
                        : DenseElementsAttr::get(type, values);
}

} // namespace

Value dtc::graph::foldConstants(Operation *op, OpBuilder &builder) {
  if (auto shape = dyn_cast<ShapeOp>(op))
    return Maker(builder, op)
        .make<ConstantOp>(DenseElementsAttr::get(typeOf(op->getResult(0)),
                                                 shapeOf(shape.getX())));
  Constants constants(op);
  if (!constants.areFoldable())
    return {};
  DenseElementsAttr value = foldElementwise(op, constants);
  if (!value)
    value = foldMove(op, constants);
  return value ? Maker(builder, op).make<ConstantOp>(value) : Value();
}

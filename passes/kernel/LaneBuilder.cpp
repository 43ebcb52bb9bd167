#include "passes/kernel/LaneBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace dtc::kernel;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type dtc::kernel::memoryType(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isBF16())
    return IntegerType::get(context, 16);
  if (element.isInteger(1))
    return IntegerType::get(context, 8);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, integer.getWidth());
  return element;
}

Type dtc::kernel::laneType(Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  return memoryType(element);
}

int64_t dtc::kernel::elementBytes(Type element) {
  return memoryType(element).getIntOrFloatBitWidth() / 8;
}

bool dtc::kernel::isUnsigned(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

int64_t dtc::kernel::widthOf(Value lanes) {
  auto vector = dyn_cast<VectorType>(lanes.getType());
  return vector ? vector.getNumElements() : 1;
}

Type LaneBuilder::lanes(Type scalar, int64_t width) {
  return width == 1 ? scalar : VectorType::get(width, scalar);
}

//===----------------------------------------------------------------------===//
// Indices and control flow
//===----------------------------------------------------------------------===//

Value LaneBuilder::index(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}

Value LaneBuilder::addIndex(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b, arith::IntegerOverflowFlags::nsw);
}

Value LaneBuilder::addIndex(Value a, int64_t b) {
  return b == 0 ? a : addIndex(a, index(b));
}

Value LaneBuilder::mulIndex(Value a, int64_t b) {
  if (b == 0)
    return index(0);
  return b == 1 ? a
                : createOrFold<arith::MulIOp>(a, index(b),
                                              arith::IntegerOverflowFlags::nsw);
}

Value LaneBuilder::divIndex(Value a, int64_t b) {
  return b == 1 ? a : createOrFold<arith::DivUIOp>(a, index(b));
}

Value LaneBuilder::remIndex(Value a, int64_t b) {
  return b == 1 ? index(0) : createOrFold<arith::RemUIOp>(a, index(b));
}

Value LaneBuilder::minIndex(Value a, Value b) {
  return createOrFold<arith::MinSIOp>(a, b);
}

Value LaneBuilder::maxIndex(Value a, Value b) {
  return createOrFold<arith::MaxSIOp>(a, b);
}

Value LaneBuilder::toIndex(Type element, Value scalar) {
  if (scalar.getType() == getI64Type())
    return scalar;
  if (isUnsigned(element))
    return arith::ExtUIOp::create(*this, getI64Type(), scalar);
  return arith::ExtSIOp::create(*this, getI64Type(), scalar);
}

SmallVector<Value> LaneBuilder::loop(Value lower, Value upper, int64_t step,
                                     ValueRange initial, LoopBody body) {
  auto loop = scf::ForOp::create(*this, lower, upper, index(step), initial);
  OpBuilder::InsertionGuard guard(*this);
  // Without carried values the builder has made the yield already.
  if (initial.empty())
    setInsertionPoint(loop.getBody()->getTerminator());
  else
    setInsertionPointToStart(loop.getBody());
  SmallVector<Value> yielded =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(*this, yielded);
  return loop.getResults();
}

void LaneBuilder::loop(Value lower, Value upper, int64_t step,
                       function_ref<void(Value iv)> body) {
  loop(lower, upper, step, {}, [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

void LaneBuilder::ifThen(Value condition, function_ref<void()> then,
                         function_ref<void()> otherwise) {
  auto op = scf::IfOp::create(*this, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(op.thenBlock()->getTerminator());
  then();
  if (!otherwise)
    return;
  setInsertionPoint(op.elseBlock()->getTerminator());
  otherwise();
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Value LaneBuilder::splat(Value scalar, int64_t width) {
  if (width == 1)
    return scalar;
  return vector::BroadcastOp::create(*this, lanes(scalar.getType(), width),
                                     scalar);
}

/// A constant of `attribute` in each of `width` lanes.
static Value constantLanes(LaneBuilder &b, TypedAttr attribute, int64_t width) {
  if (width != 1)
    attribute = DenseElementsAttr::get(
        VectorType::get(width, attribute.getType()), Attribute(attribute));
  return arith::ConstantOp::create(b, attribute);
}

Value LaneBuilder::number(Type type, double value, int64_t width) {
  if (isa<FloatType>(type))
    return constantLanes(*this, getFloatAttr(type, value), width);
  return integer(type, int64_t(value), width);
}

Value LaneBuilder::integer(Type type, int64_t value, int64_t width) {
  return constantLanes(*this, getIntegerAttr(type, value), width);
}

Value LaneBuilder::bits(Type type, uint64_t pattern, int64_t width) {
  auto floatType = cast<FloatType>(type);
  llvm::APFloat value(floatType.getFloatSemantics(),
                      APInt(floatType.getWidth(), pattern));
  return constantLanes(*this, FloatAttr::get(type, value), width);
}

Value LaneBuilder::insert(Value scalar, Value lanes, int64_t position) {
  return vector::InsertOp::create(*this, scalar, lanes, position);
}

Value LaneBuilder::shuffle(Value a, Value b, ArrayRef<int64_t> positions) {
  return vector::ShuffleOp::create(*this, a, b, positions);
}

Value LaneBuilder::slice(Value value, int64_t first, int64_t width) {
  if (width == widthOf(value))
    return value;
  if (width == 1)
    return vector::ExtractOp::create(*this, value, first);
  SmallVector<int64_t> positions =
      llvm::to_vector(llvm::seq(first, first + width));
  return shuffle(value, value, positions);
}

Value LaneBuilder::pad(Value value, Value pad, int64_t width) {
  int64_t count = widthOf(value);
  if (count == width)
    return value;
  if (count == 1)
    return insert(value, splat(pad, width), 0);
  SmallVector<int64_t> positions =
      llvm::to_vector(llvm::seq<int64_t>(0, count));
  positions.resize(width, count);
  return shuffle(value, splat(pad, count), positions);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value LaneBuilder::pointer(Type element, Value base, Value offset) {
  return LLVM::GEPOp::create(*this, LLVM::LLVMPointerType::get(getContext()),
                             memoryType(element), base, ValueRange{offset},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value LaneBuilder::load(Type element, Value base, Value offset, int64_t width) {
  Value stored = LLVM::LoadOp::create(*this, lanes(memoryType(element), width),
                                      pointer(element, base, offset),
                                      unsigned(elementBytes(element)));
  return toLanes(element, stored);
}

Value LaneBuilder::loadBackwards(Type element, Value base, Value offset,
                                 int64_t width) {
  Value lanes = load(element, base, addIndex(offset, 1 - width), width);
  if (width == 1)
    return lanes;
  auto positions = llvm::reverse(llvm::seq<int64_t>(0, width));
  return shuffle(lanes, lanes, llvm::to_vector(positions));
}

void LaneBuilder::store(Type element, Value value, Value base, Value offset) {
  LLVM::StoreOp::create(*this, toMemory(element, value),
                        pointer(element, base, offset),
                        unsigned(elementBytes(element)));
}

Value LaneBuilder::mask(int64_t width, int64_t count) {
  SmallVector<bool> values(width, false);
  std::fill_n(values.begin(), count, true);
  auto type = VectorType::get(width, getI1Type());
  return arith::ConstantOp::create(*this, DenseElementsAttr::get(type, values));
}

Value LaneBuilder::loadMasked(Type element, Value base, Value offset,
                              int64_t width, int64_t count) {
  if (count == width)
    return load(element, base, offset, width);
  // AVX2 masks 4 and 8 byte elements only.
  if (!element.isF32() && !element.isF64())
    return pad(load(element, base, offset, count),
               number(laneType(element), 0, 1), width);
  return LLVM::MaskedLoadOp::create(
      *this, lanes(element, width), pointer(element, base, offset),
      mask(width, count), number(element, 0, width),
      uint32_t(elementBytes(element)));
}

void LaneBuilder::storeMasked(Type element, Value value, Value base,
                              Value offset, int64_t count) {
  if (count == widthOf(value))
    return store(element, value, base, offset);
  if (!element.isF32() && !element.isF64())
    return store(element, slice(value, 0, count), base, offset);
  LLVM::MaskedStoreOp::create(*this, value, pointer(element, base, offset),
                              mask(widthOf(value), count),
                              uint32_t(elementBytes(element)));
}

Value LaneBuilder::scratch(Type element, int64_t count) {
  return LLVM::AllocaOp::create(*this, LLVM::LLVMPointerType::get(getContext()),
                                memoryType(element), index(count), 64);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value LaneBuilder::toLanes(Type element, Value stored) {
  int64_t width = widthOf(stored);
  if (element.isF16())
    return arith::ExtFOp::create(*this, lanes(getF32Type(), width), stored);
  if (!element.isBF16())
    return stored;
  Type wide = lanes(getI32Type(), width);
  Value bits = arith::ExtUIOp::create(*this, wide, stored);
  bits = arith::ShLIOp::create(*this, bits, integer(getI32Type(), 16, width));
  return arith::BitcastOp::create(*this, lanes(getF32Type(), width), bits);
}

Value LaneBuilder::toMemory(Type element, Value value) {
  int64_t width = widthOf(value);
  if (element.isF16())
    return arith::TruncFOp::create(*this, lanes(element, width), value);
  if (!element.isBF16())
    return value;
  Value bits =
      arith::BitcastOp::create(*this, lanes(getI32Type(), width), value);
  bits = arith::ShRUIOp::create(*this, bits, integer(getI32Type(), 16, width));
  return arith::TruncIOp::create(*this, lanes(getI16Type(), width), bits);
}

/// Rounds f32 lanes to bf16 by integer arithmetic, to nearest even: LLVM would
/// call a library without AVX512-BF16, and flush subnormals with it.
static Value roundToBFloat(LaneBuilder &b, Value value) {
  int64_t width = widthOf(value);
  Type i32 = b.getI32Type();
  auto constant = [&](int64_t c) { return b.integer(i32, c, width); };
  Value bits = arith::BitcastOp::create(b, b.lanes(i32, width), value);
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, constant(16)), constant(1));
  Value rounded = arith::AddIOp::create(
      b, arith::AddIOp::create(b, bits, constant(0x7fff)), odd);
  Value quiet = arith::OrIOp::create(b, bits, constant(0x400000));
  Value isNaN = b.compare(arith::CmpFPredicate::UNO, value, value);
  Value result = b.select(isNaN, quiet, rounded);
  result = arith::AndIOp::create(b, result, constant(int32_t(0xffff0000)));
  return arith::BitcastOp::create(b, value.getType(), result);
}

Value LaneBuilder::round(Type element, Value value) {
  if (element.isBF16())
    return roundToBFloat(*this, value);
  if (!element.isF16())
    return value;
  Value half =
      arith::TruncFOp::create(*this, lanes(element, widthOf(value)), value);
  return arith::ExtFOp::create(*this, value.getType(), half);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value LaneBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(*this, a, b);
}
Value LaneBuilder::sub(Value a, Value b) {
  return arith::SubFOp::create(*this, a, b);
}
Value LaneBuilder::mul(Value a, Value b) {
  return arith::MulFOp::create(*this, a, b);
}
Value LaneBuilder::div(Value a, Value b) {
  return arith::DivFOp::create(*this, a, b);
}
Value LaneBuilder::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(*this, a, b, c);
}
Value LaneBuilder::sqrt(Value a) { return math::SqrtOp::create(*this, a); }
Value LaneBuilder::floor(Value a) { return math::FloorOp::create(*this, a); }
Value LaneBuilder::ceil(Value a) { return math::CeilOp::create(*this, a); }

Value LaneBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(*this, predicate, a, b);
}
Value LaneBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(*this, predicate, a, b);
}
Value LaneBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(*this, condition, a, b);
}

/// a where it is beyond b by one of the predicates, or NaN; else b.
static Value beyond(LaneBuilder &builder, Type element, Value a, Value b,
                    arith::CmpFPredicate ofFloats,
                    arith::CmpIPredicate ofIntegers) {
  if (!isa<FloatType>(element))
    return builder.select(builder.compare(ofIntegers, a, b), a, b);
  Value isBeyond = builder.compare(ofFloats, a, b);
  Value isNaN = builder.compare(arith::CmpFPredicate::UNO, a, a);
  return builder.select(arith::OrIOp::create(builder, isBeyond, isNaN), a, b);
}

Value LaneBuilder::maximum(Type element, Value a, Value b) {
  return beyond(*this, element, a, b, arith::CmpFPredicate::OGT,
                isUnsigned(element) ? arith::CmpIPredicate::ugt
                                    : arith::CmpIPredicate::sgt);
}

Value LaneBuilder::minimum(Type element, Value a, Value b) {
  return beyond(*this, element, a, b, arith::CmpFPredicate::OLT,
                isUnsigned(element) ? arith::CmpIPredicate::ult
                                    : arith::CmpIPredicate::slt);
}

Value LaneBuilder::product(Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return mul(a, b);
  return arith::MulIOp::create(*this, a, b);
}

Value LaneBuilder::sum(Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return add(a, b);
  return arith::AddIOp::create(*this, a, b);
}

Value LaneBuilder::difference(Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return sub(a, b);
  return arith::SubIOp::create(*this, a, b);
}

#include "passes/kernel/Taps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/kernel/Fusion.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

graph::Windows dtc::kernel::windowsOf(Operation *op, Value image,
                                      ArrayRef<int64_t> window) {
  SmallVector<int64_t> dilations = {1, 1};
  if (auto list = op->getAttrOfType<DenseI64ArrayAttr>("dilations"))
    dilations.assign(list.asArrayRef().begin(), list.asArrayRef().end());
  auto strides = op->getAttrOfType<DenseI64ArrayAttr>("strides");
  return std::get<graph::Windows>(graph::resolveWindows(
      shapeOf(image).slice(1, 2), window, strides.asArrayRef(), dilations,
      op->getAttr("padding")));
}

Pixel dtc::kernel::splitPixel(LaneBuilder &b, Value row, int64_t height,
                              int64_t width) {
  Value line = b.divIndex(row, width);
  return {b.divIndex(line, height), b.remIndex(line, height),
          b.remIndex(row, width)};
}

/// a - b.
static Value subIndex(LaneBuilder &b, Value a, Value c) {
  return b.createOrFold<arith::SubIOp>(a, c);
}

/// 0 <= index < size: a negative index is a huge unsigned one.
static Value isBelow(LaneBuilder &b, Value index, int64_t size) {
  return b.compare(arith::CmpIPredicate::ult, index, b.index(size));
}

Place dtc::kernel::readPlace(LaneBuilder &b, const graph::Window &window,
                             Value o, Value tap) {
  Value index = b.addIndex(b.mulIndex(o, window.stride),
                           b.mulIndex(tap, window.dilation));
  index = b.addIndex(index, -window.before);
  return {index, isBelow(b, index, window.input)};
}

Place dtc::kernel::spreadPlace(LaneBuilder &b, const graph::Window &window,
                               Value place, Value tap) {
  Value distance = subIndex(b, b.addIndex(place, window.before),
                            b.mulIndex(tap, window.dilation));
  // Of a negative distance, the unsigned quotient is still huge.
  Value index = b.divIndex(distance, window.stride);
  Value isInside = isBelow(b, index, window.output);
  if (window.stride != 1)
    isInside = arith::AndIOp::create(
        b, isInside,
        b.compare(arith::CmpIPredicate::eq, b.remIndex(distance, window.stride),
                  b.index(0)));
  return {index, isInside};
}

Value dtc::kernel::constantBuffer(LaneBuilder &b, Type element, double value,
                                  int64_t count) {
  Type memory = memoryType(element);
  // A bf16 is the upper half of an f32, in an i16.
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(cast<FloatType>(element).getFloatSemantics(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  auto type = RankedTensorType::get({count}, memory);
  auto elements =
      isa<FloatType>(memory)
          ? DenseElementsAttr::get(type, FloatAttr::get(memory, number))
          : DenseElementsAttr::get(
                type, IntegerAttr::get(memory, number.bitcastToAPInt()));
  auto function =
      b.getInsertionBlock()->getParent()->getParentOfType<LLVM::LLVMFuncOp>();
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(function);
    global = LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(memory, count), /*isConstant=*/true,
        LLVM::Linkage::Internal, (function.getName() + ".outside").str(),
        elements, /*alignment=*/64);
  }
  return LLVM::AddressOfOp::create(b, global);
}

Value Image::pixel(LaneBuilder &b, Value image, const Place &i,
                   const Place &j) const {
  Value row = b.addIndex(b.mulIndex(image, height), i.index);
  Value number = b.addIndex(b.mulIndex(row, width), j.index);
  Value isInside = arith::AndIOp::create(b, i.isInside, j.isInside);
  // No address outside of the tensor is made, not even one never read.
  Value offset = b.select(isInside, b.mulIndex(number, channels), b.index(0));
  return LLVM::SelectOp::create(b, isInside, b.pointer(element, base, offset),
                                outside);
}

#include "passes/kernel/KernelBody.h"

#include "dialects/graph/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/kernel/LaneOps.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

/// The elements as they lie in memory, one after the other; of a splat, one.
static DenseElementsAttr memoryElements(DenseElementsAttr value) {
  if (value.isSplat())
    value =
        value.resizeSplat(RankedTensorType::get({1}, value.getElementType()));
  Type element = value.getElementType();
  auto type =
      RankedTensorType::get({value.getNumElements()}, memoryType(element));
  if (element.isInteger(1)) {
    SmallVector<int8_t> bytes(value.getValues<bool>());
    return DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes));
  }
  return DenseElementsAttr::getFromRawBuffer(type, value.getRawData());
}

/// A pointer to a constant's elements, in a global of the kernel's module.
static Value buildConstant(LaneBuilder &b, graph::ConstantOp op,
                           unsigned number) {
  auto value = cast<DenseElementsAttr>(op.getValue());
  DenseElementsAttr elements = memoryElements(value);
  auto type = LLVM::LLVMArrayType::get(elements.getElementType(),
                                       elements.getNumElements());
  auto function =
      b.getInsertionBlock()->getParent()->getParentOfType<LLVM::LLVMFuncOp>();
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(function);
    global = LLVM::GlobalOp::create(
        b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
        (function.getName() + ".constant" + Twine(number)).str(), elements,
        /*alignment=*/64);
  }
  return LLVM::AddressOfOp::create(b, global);
}

KernelBody::KernelBody(LaneBuilder &b, const BodyPlan &plan, ValueRange inputs,
                       ValueRange outputs)
    : b_(b), plan_(plan), outputs_(outputs) {
  Value output = plan.form.outputs.front();
  Block *body = output.getParentBlock();
  for (auto [number, pointer] : llvm::enumerate(inputs))
    pointers_[body->getArgument(number)] = pointer;
  unsigned number = 0;
  for (auto constant : body->getOps<graph::ConstantOp>())
    pointers_[constant.getResult()] = buildConstant(b, constant, number++);
}

Value KernelBody::outputOf(Value value) const {
  for (auto [output, pointer] : llvm::zip(plan_.form.outputs, outputs_))
    if (output == value)
      return pointer;
  return nullptr;
}

Value dtc::kernel::offsetInRow(LaneBuilder &b, const IterationSpace &space,
                               Value row, unsigned index) {
  Value offset = b.index(0);
  // The outermost dimension needs no remainder: row is below its product.
  for (size_t dim = space.sizes.size() - 1; dim-- > 0;) {
    int64_t stride = space.strides[index][dim];
    Value coordinate = dim == 0 ? row : b.remIndex(row, space.sizes[dim]);
    if (stride != 0)
      offset = b.addIndex(offset, b.mulIndex(coordinate, stride));
    if (dim != 0)
      row = b.divIndex(row, space.sizes[dim]);
  }
  return offset;
}

bool dtc::kernel::isSplat(Value memory) {
  auto constant = memory.getDefiningOp<graph::ConstantOp>();
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  return value && value.isSplat();
}

KernelBody::Row KernelBody::beginRow(Value row) {
  Row result{row, {}, {}};
  for (auto [index, source] : llvm::enumerate(plan_.sources)) {
    bool isOne = isSplat(source.memory);
    Value offset = isOne ? b_.index(0) : offsetInRow(row, index);
    bool isScalar = isOne || plan_.space.strides[index].back() == 0;
    result.offsets.push_back(offset);
    result.scalars.push_back(isScalar
                                 ? b_.load(elementOf(source.memory),
                                           pointerTo(source.memory), offset, 1)
                                 : nullptr);
  }
  return result;
}

Value KernelBody::oneHotLanes(const Source &source, Value label, Value column,
                              int64_t width) {
  Type i64 = b_.getI64Type();
  label = b_.toIndex(elementOf(source.memory), label);
  Value place = arith::SubIOp::create(b_, label, column);
  Value lane = b_.index(0);
  if (width != 1) {
    SmallVector<int64_t> lanes = llvm::to_vector(llvm::seq<int64_t>(0, width));
    auto type = VectorType::get(width, i64);
    lane = arith::ConstantOp::create(
        b_, DenseElementsAttr::get(type, ArrayRef<int64_t>(lanes)));
  }
  Value isHere =
      b_.compare(arith::CmpIPredicate::eq, b_.splat(place, width), lane);
  Type type = laneType(elementOf(source.value));
  return b_.select(isHere, b_.number(type, 1, width),
                   b_.number(type, 0, width));
}

Value KernelBody::sourceLanes(const Row &row, unsigned index, Value column,
                              int64_t width, int64_t count) {
  const Source &source = plan_.sources[index];
  if (source.isOneHot)
    return oneHotLanes(source, row.scalars[index], column, width);
  if (row.scalars[index])
    return b_.splat(row.scalars[index], width);
  return b_.loadMasked(elementOf(source.memory), pointerTo(source.memory),
                       b_.addIndex(row.offsets[index], column), width, count);
}

void KernelBody::emit(const Row &row, Value column, int64_t width, Value root,
                      int64_t count) {
  if (count == 0)
    count = width;
  llvm::DenseMap<Value, Value> lanes;
  for (auto [index, source] : llvm::enumerate(plan_.sources))
    lanes[source.value] = sourceLanes(row, index, column, width, count);
  if (root)
    lanes[plan_.form.root->getResult(0)] = root;
  for (Operation *op : plan_.form.elementwise) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(lanes.lookup(operand));
    b_.setLoc(op->getLoc());
    SmallVector<Value> results = buildElementwise(b_, op, operands);
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
      lanes[result] = value;
  }
  Value offset =
      b_.addIndex(b_.mulIndex(row.index, plan_.space.columns()), column);
  for (auto [output, pointer] : llvm::zip_equal(plan_.form.outputs, outputs_))
    b_.storeMasked(elementOf(output), lanes.lookup(output), pointer, offset,
                   count);
}

void dtc::kernel::forColumns(LaneBuilder &b, int64_t columns,
                             function_ref<void(Value, int64_t)> f) {
  int64_t whole = columns / kLanes * kLanes, rest = columns - whole;
  if (whole == kLanes)
    f(b.index(0), kLanes);
  else if (whole > 0)
    b.loop(b.index(0), b.index(whole), kLanes,
           [&](Value column) { f(column, kLanes); });
  if (rest > 0)
    f(b.index(whole), rest);
}

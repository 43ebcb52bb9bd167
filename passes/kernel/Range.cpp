// range: an index of the kernel's range is a vector of elements.
#include "dialects/graph/Ops.h"
#include "passes/kernel/LaneArithmetic.h"
#include "passes/kernel/RootEmitters.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

Work dtc::kernel::rangeWork(const BodyPlan &plan) {
  double nanos = double(kLanes) * (0.2 + epilogueNanos(plan));
  return {llvm::divideCeil(plan.space.columns(), kLanes), nanos};
}

/// Numbers column, column + 1, … as f64.
static Value countLanes(LaneBuilder &b, Value column, int64_t width) {
  Value first = arith::SIToFPOp::create(b, b.getF64Type(), column);
  if (width == 1)
    return first;
  auto steps = llvm::to_vector_of<double>(llvm::seq<int64_t>(0, width));
  auto type = VectorType::get(width, b.getF64Type());
  Value lanes = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<double>(steps)));
  return b.add(b.splat(first, width), lanes);
}

/// start + i * delta in f64, rounded as the reference kernel does.
static Value rangeLanes(LaneBuilder &b, graph::RangeOp op, Value column,
                        int64_t width) {
  Type element = elementOf(op.getResult()), f64 = b.getF64Type();
  auto number = [&](const APFloat &value) {
    return b.number(f64, value.convertToDouble(), width);
  };
  Value lanes = b.add(number(op.getStart()), b.mul(countLanes(b, column, width),
                                                   number(op.getDelta())));
  return b.round(element, buildCast(b, lanes, f64, element));
}

void dtc::kernel::emitRange(EmitContext &context) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  auto op = cast<graph::RangeOp>(body.plan().form.root);
  int64_t columns = body.plan().space.columns(), rest = columns % kLanes;
  KernelBody::Row row = body.beginRow(b.index(0));
  b.loop(context.begin, context.end, 1, [&](Value index) {
    Value column = b.mulIndex(index, kLanes);
    auto emit = [&](int64_t width) {
      body.emit(row, column, width, rangeLanes(b, op, column, width));
    };
    if (rest == 0)
      return emit(kLanes);
    if (columns < kLanes)
      return emit(rest);
    b.ifThen(
        b.compare(arith::CmpIPredicate::eq, index, b.index(columns / kLanes)),
        [&] { emit(rest); }, [&] { emit(kLanes); });
  });
}

// scatter_add, scatter_update and indexed_slices: an index of the range is a
// block of the table, some rows by some columns, for which all indices are
// read in order. So no two threads add to one element. Sums of 16-bit floats
// wait in f32 on the stack until they are rounded.
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

static constexpr int64_t kColumns = 64;

namespace {
/// What is decided before anything is built.
struct ScatterPlan {
  Value table; // null: zeros
  Value indices, updates, result;
  int64_t rows, length, count; // of the table; elements a row; updates
  bool adds;
  Type element;    // of lanes
  bool hasScratch; // where sums wait
  int64_t blockRows;

  int64_t rowBlocks() const { return llvm::divideCeil(rows, blockRows); }
  int64_t columnBlocks() const { return llvm::divideCeil(length, kColumns); }
};
} // namespace

static ScatterPlan planScatter(Operation *op) {
  bool hasTable = !isa<graph::IndexedSlicesOp>(op);
  ScatterPlan plan;
  plan.table = hasTable ? op->getOperand(0) : Value();
  plan.indices = op->getOperand(hasTable ? 1 : 0);
  plan.updates = op->getOperand(hasTable ? 2 : 1);
  plan.result = op->getResult(0);
  auto countOf = [](ArrayRef<int64_t> shape) {
    return ShapedType::getNumElements(shape);
  };
  ArrayRef<int64_t> shape = shapeOf(plan.result);
  plan.rows = shape.front();
  plan.length = countOf(shape.drop_front());
  plan.count = countOf(shapeOf(plan.indices));
  plan.adds = !isa<graph::ScatterUpdateOp>(op);
  Type element = elementOf(plan.result);
  // What is not added moves as bits.
  plan.element = plan.adds
                     ? element
                     : IntegerType::get(op->getContext(),
                                        unsigned(8 * elementBytes(element)));
  plan.hasScratch =
      isa<FloatType>(plan.element) && laneType(plan.element) != plan.element;
  // To read all indices shall not take longer than to write the block.
  int64_t columns = std::min(plan.length, kColumns);
  plan.blockRows = std::max<int64_t>(256, 5 * plan.count / columns);
  if (plan.hasScratch) // 64 KiB
    plan.blockRows = 256;
  return plan;
}

Work dtc::kernel::scatterWork(const BodyPlan &plan) {
  ScatterPlan scatter = planScatter(plan.form.root);
  int64_t blocks = scatter.rowBlocks() * scatter.columnBlocks();
  double elements = double(scatter.rows + scatter.count) *
                    double(scatter.length) / double(blocks);
  return {blocks, elements * 0.2 + 0.5 * double(scatter.count)};
}

namespace {
/// An operand: of a splat, memory holds one element.
struct Operand {
  Value pointer;
  int64_t rowStride;
  bool isOne;
};

class ScatterEmitter {
public:
  ScatterEmitter(EmitContext &context, const ScatterPlan &plan);
  void emit(Value unit);

private:
  Operand operandOf(Value value) const;
  Value load(const Operand &operand, Value row, Value column, int64_t width);
  /// Calls f(column, width) for the columns of the block.
  void forBlock(function_ref<void(Value column, int64_t width)> f);
  void forRows(function_ref<void(Value row)> f);
  void begin(Value row);
  void add(Value update);
  void finish(Value row);
  Value sumOffset(Value row, Value column);

  KernelBody &body_;
  LaneBuilder &b_;
  const ScatterPlan &plan_;
  Operand table_, updates_;
  Value result_, sums_; // sums_ is the result where nothing has to wait
  Type sumElement_;
  Value firstRow_, endRow_, firstColumn_;
};
} // namespace

ScatterEmitter::ScatterEmitter(EmitContext &context, const ScatterPlan &plan)
    : body_(context.body), b_(body_.builder()), plan_(plan),
      updates_(operandOf(plan.updates)), result_(body_.outputOf(plan.result)),
      sums_(result_), sumElement_(laneType(plan.element)) {
  if (plan.table)
    table_ = operandOf(plan.table);
  if (plan.hasScratch)
    sums_ = b_.scratch(sumElement_, plan.blockRows * kColumns);
}

Operand ScatterEmitter::operandOf(Value value) const {
  bool isOne = isSplat(value);
  return {body_.pointerTo(value), isOne ? 0 : plan_.length, isOne};
}

Value ScatterEmitter::load(const Operand &operand, Value row, Value column,
                           int64_t width) {
  if (operand.isOne)
    return b_.splat(b_.load(plan_.element, operand.pointer, b_.index(0), 1),
                    width);
  Value offset = b_.addIndex(b_.mulIndex(row, operand.rowStride), column);
  return b_.load(plan_.element, operand.pointer, offset, width);
}

void ScatterEmitter::forBlock(
    function_ref<void(Value column, int64_t width)> f) {
  int64_t rest = plan_.length % kColumns;
  auto forWidth = [&](int64_t columns) {
    forColumns(b_, columns, [&](Value column, int64_t width) {
      f(b_.addIndex(firstColumn_, column), width);
    });
  };
  if (rest == 0)
    return forWidth(kColumns);
  if (plan_.length < kColumns)
    return forWidth(rest);
  Value isLast = b_.compare(arith::CmpIPredicate::eq, firstColumn_,
                            b_.index(plan_.length - rest));
  b_.ifThen(isLast, [&] { forWidth(rest); }, [&] { forWidth(kColumns); });
}

Value ScatterEmitter::sumOffset(Value row, Value column) {
  if (!plan_.hasScratch)
    return b_.addIndex(b_.mulIndex(row, plan_.length), column);
  auto within = [&](Value at, Value first) -> Value {
    return arith::SubIOp::create(b_, at, first);
  };
  return b_.addIndex(b_.mulIndex(within(row, firstRow_), kColumns),
                     within(column, firstColumn_));
}

void ScatterEmitter::begin(Value row) {
  forBlock([&](Value column, int64_t width) {
    Value lanes = plan_.table ? load(table_, row, column, width)
                              : b_.number(sumElement_, 0, width);
    b_.store(sumElement_, lanes, sums_, sumOffset(row, column));
  });
}

void ScatterEmitter::add(Value update) {
  Type integer = elementOf(plan_.indices);
  Value at = isSplat(plan_.indices) ? b_.index(0) : update;
  Value row = b_.toIndex(
      integer, b_.load(integer, body_.pointerTo(plan_.indices), at, 1));
  // Unsigned: a row before the block is far behind it.
  Value isHere = b_.compare(arith::CmpIPredicate::ult,
                            arith::SubIOp::create(b_, row, firstRow_),
                            arith::SubIOp::create(b_, endRow_, firstRow_));
  b_.ifThen(isHere, [&] {
    forBlock([&](Value column, int64_t width) {
      Value lanes = load(updates_, update, column, width);
      Value offset = sumOffset(row, column);
      if (plan_.adds)
        lanes = b_.sum(b_.load(sumElement_, sums_, offset, width), lanes);
      b_.store(sumElement_, lanes, sums_, offset);
    });
  });
}

void ScatterEmitter::finish(Value row) {
  forBlock([&](Value column, int64_t width) {
    Value lanes = b_.load(sumElement_, sums_, sumOffset(row, column), width);
    Value offset = b_.addIndex(b_.mulIndex(row, plan_.length), column);
    b_.store(plan_.element, b_.round(plan_.element, lanes), result_, offset);
  });
}

void ScatterEmitter::forRows(function_ref<void(Value row)> f) {
  b_.loop(firstRow_, endRow_, 1, f);
}

void ScatterEmitter::emit(Value unit) {
  int64_t columnBlocks = plan_.columnBlocks();
  firstRow_ = b_.mulIndex(b_.divIndex(unit, columnBlocks), plan_.blockRows);
  endRow_ = b_.minIndex(b_.addIndex(firstRow_, plan_.blockRows),
                        b_.index(plan_.rows));
  firstColumn_ = b_.mulIndex(b_.remIndex(unit, columnBlocks), kColumns);
  forRows([&](Value row) { begin(row); });
  b_.loop(b_.index(0), b_.index(plan_.count), 1,
          [&](Value update) { add(update); });
  if (plan_.hasScratch)
    forRows([&](Value row) { finish(row); });
}

void dtc::kernel::emitScatter(EmitContext &context) {
  ScatterPlan plan = planScatter(context.body.plan().form.root);
  ScatterEmitter emitter(context, plan);
  context.body.builder().loop(context.begin, context.end, 1,
                              [&](Value unit) { emitter.emit(unit); });
}

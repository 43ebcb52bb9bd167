// matmul: a register-tiled micro-kernel. Each output element is one lane's
// chain of fused multiply-adds over the inner dimension, starting from +0, so
// tiles, panels and the vector's width never change a bit.
//
// The output is cut into panels of columns (at most three 512-bit vectors) and
// blocks of rows (at most 8); an index of the range is one block of one panel,
// panel by panel, so that what is packed for a panel serves its blocks.
// batch_matmul has the panels of one product behind those of another.
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"
#include <numeric>

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

namespace {
/// Sizes, and strides of a and b.
struct Shape {
  explicit Shape(Operation *op)
      : element(elementOf(op->getResult(0))),
        batch(shapeOf(op->getResult(0)).drop_back(2)) {
    ArrayRef<int64_t> result = shapeOf(op->getResult(0)),
                      a = shapeOf(op->getOperand(0)),
                      b = shapeOf(op->getOperand(1));
    bool transposeA = op->hasAttr("transpose_a"),
         transposeB = op->hasAttr("transpose_b");
    rows = result[result.size() - 2];
    columns = result.back();
    inner = a[a.size() - (transposeA ? 2 : 1)];
    aRow = transposeA ? 1 : inner;
    aInner = transposeA ? rows : 1;
    bInner = transposeB ? 1 : columns;
    bColumn = transposeB ? inner : 1;
    aBatch = broadcastStrides(a.drop_back(2), batch);
    bBatch = broadcastStrides(b.drop_back(2), batch);
  }
  int64_t products() const {
    return std::accumulate(batch.begin(), batch.end(), int64_t(1),
                           std::multiplies<>());
  }

  Type element;
  int64_t rows, columns, inner;
  int64_t aRow, aInner, bInner, bColumn;
  ArrayRef<int64_t> batch;
  Strides aBatch, bBatch; // in matrices
};

/// How the output is cut; the same on every CPU.
struct Tiling {
  explicit Tiling(const Shape &shape) {
    int64_t unit = shape.element.isF64() ? 8 : 16; // 512 bits
    int64_t units = llvm::divideCeil(shape.columns, unit);
    panelColumns =
        llvm::divideCeil(units, llvm::divideCeil(units, int64_t(3))) * unit;
    panels = llvm::divideCeil(shape.columns, panelColumns);
    lastColumns = shape.columns - (panels - 1) * panelColumns;
    // Rather smaller blocks than a second micro-kernel for what is left.
    blockRows = std::min<int64_t>(shape.rows, 8);
    for (int64_t rows : {7, 6, 5})
      if (shape.rows % blockRows != 0 && shape.rows % rows == 0)
        blockRows = rows;
    blocks = llvm::divideCeil(shape.rows, blockRows);
    lastRows = shape.rows - (blocks - 1) * blockRows;
  }

  int64_t panelColumns, panels, lastColumns;
  int64_t blockRows, blocks, lastRows;
};
} // namespace

Work dtc::kernel::matmulWork(const BodyPlan &plan) {
  Shape shape(plan.form.root);
  Tiling tiling(shape);
  double elements = double(tiling.blockRows) *
                    double(std::min(tiling.panelColumns, shape.columns));
  double nanos = elements * (double(shape.inner) * 0.01 + epilogueNanos(plan));
  return {shape.products() * tiling.panels * tiling.blocks, nanos};
}

namespace {
/// A part of a panel's columns, and of the inner dimension.
struct Panel {
  Value column;    // the first
  int64_t columns; // how many
  Value first;     // of the inner dimension
  Value end;
  Value isFirst; // of its blocks; null when there is one
  Value isLast;
};

class MatmulEmitter {
public:
  explicit MatmulEmitter(EmitContext &context);
  void emit();

private:
  /// Points at the matrices of one product of the batch.
  void enterProduct(Value number, Value allA, Value allB);
  /// Blocks [begin, end) of rows of one panel.
  void emitPanel(Value column, int64_t columns, Value begin, Value end);
  void emitBlocks(const Panel &panel, Value begin, Value end);
  void emitTile(const Panel &panel, Value row, int64_t rows);
  void emitMicroKernel(const Panel &panel, Value row, int64_t rows,
                       int64_t firstVector, int64_t vectors);
  SmallVector<Value> initialTile(const Panel &panel, Value row, int64_t rows,
                                 int64_t firstVector, int64_t vectors);
  void finishTile(const Panel &panel, Value row, int64_t rows,
                  int64_t firstVector, ValueRange tile);
  void pack(const Panel &panel);
  void packTransposed(const Panel &panel);
  void packSquares(const Panel &panel, int64_t columns, Value end);
  void packElements(const Panel &panel, Value firstColumn, Value firstInner);
  Value packedOffset(const Panel &panel, Value k, Value column);
  /// Elements (k, column + lane) of b.
  Value loadB(const Panel &panel, Value k, int64_t vector);
  Value gatherB(Value k, Value column, int64_t count);

  Value resultRow(Value row, int64_t i) {
    return b_.addIndex(b_.addIndex(firstRow_, row), i);
  }
  /// Valid lanes of a panel's vector.
  int64_t lanesIn(const Panel &panel, int64_t vector) const {
    return std::min(lanes_, panel.columns - vector * lanes_);
  }

  EmitContext &context_;
  KernelBody &body_;
  LaneBuilder &b_;
  Shape shape_;
  Tiling tiling_;
  Type type_;                 // of lanes
  int64_t lanes_;             // of one register
  Value aPointer_, bPointer_; // of the product at hand
  Value firstRow_;            // of its result among all rows
  Value stash_;  // an output that can hold unfinished sums, or null
  Value packed_; // b's panel, [inner][panelColumns]; null: b is read in place
  int64_t innerBlocks_ = 1;
};
} // namespace

/// Longest stretch of the inner dimension that is packed at once: a panel then
/// has at most 96 KiB, on the stack and in the level-2 cache.
static constexpr int64_t kInnerBlock = 512;

MatmulEmitter::MatmulEmitter(EmitContext &context)
    : context_(context), body_(context.body), b_(body_.builder()),
      shape_(body_.plan().form.root), tiling_(shape_),
      type_(laneType(shape_.element)),
      lanes_(context.vectorBits / type_.getIntOrFloatBitWidth()),
      aPointer_(body_.pointerTo(body_.plan().form.root->getOperand(0))),
      bPointer_(body_.pointerTo(body_.plan().form.root->getOperand(1))) {
  if (type_ == shape_.element)
    for (Value output : body_.plan().form.outputs)
      if (!stash_ && elementOf(output) == type_)
        stash_ = body_.outputOf(output);
  bool isTransposed = shape_.bColumn != 1;
  // Reading b in place walks it once a block of rows, a column panel at a time;
  // with many blocks and a b beyond the nearest cache that costs more than
  // packing.
  bool isLarge = tiling_.panels > 1 && shape_.rows >= 128 &&
                 shape_.inner * shape_.columns >= 32768;
  bool fits = shape_.inner <= kInnerBlock || stash_;
  if ((isTransposed || isLarge) && fits) {
    innerBlocks_ = llvm::divideCeil(shape_.inner, kInnerBlock);
    int64_t length = llvm::divideCeil(shape_.inner, innerBlocks_);
    packed_ = b_.scratch(type_, length * tiling_.panelColumns);
  }
}

void MatmulEmitter::emit() {
  int64_t blocks = tiling_.blocks, panels = tiling_.panels;
  Value firstPanel = b_.divIndex(context_.begin, blocks);
  Value endPanel = b_.divIndex(b_.addIndex(context_.end, blocks - 1), blocks);
  firstRow_ = b_.index(0);
  Value allA = aPointer_, allB = bPointer_;
  b_.loop(firstPanel, endPanel, 1, [&](Value panel) {
    Value skipped = b_.mulIndex(panel, blocks);
    Value begin = b_.maxIndex(
        arith::SubIOp::create(b_, context_.begin, skipped), b_.index(0));
    Value end = b_.minIndex(arith::SubIOp::create(b_, context_.end, skipped),
                            b_.index(blocks));
    if (!shape_.batch.empty()) {
      enterProduct(b_.divIndex(panel, panels), allA, allB);
      panel = b_.remIndex(panel, panels);
    }
    Value column = b_.mulIndex(panel, tiling_.panelColumns);
    if (tiling_.lastColumns == tiling_.panelColumns)
      return emitPanel(column, tiling_.panelColumns, begin, end);
    if (panels == 1)
      return emitPanel(b_.index(0), tiling_.lastColumns, begin, end);
    Value isLast =
        b_.compare(arith::CmpIPredicate::eq, panel, b_.index(panels - 1));
    b_.ifThen(
        isLast, [&] { emitPanel(column, tiling_.lastColumns, begin, end); },
        [&] { emitPanel(column, tiling_.panelColumns, begin, end); });
  });
}

/// The matrix of product `number`, by the strides of the batch.
static Value matrixOf(LaneBuilder &b, Value number, ArrayRef<int64_t> batch,
                      const Strides &strides) {
  Value matrix = b.index(0);
  for (size_t dim = batch.size(); dim-- > 0;) {
    Value coordinate = dim == 0 ? number : b.remIndex(number, batch[dim]);
    matrix = b.addIndex(matrix, b.mulIndex(coordinate, strides[dim]));
    if (dim != 0)
      number = b.divIndex(number, batch[dim]);
  }
  return matrix;
}

void MatmulEmitter::enterProduct(Value number, Value allA, Value allB) {
  Value a = matrixOf(b_, number, shape_.batch, shape_.aBatch),
        b = matrixOf(b_, number, shape_.batch, shape_.bBatch);
  aPointer_ = b_.pointer(shape_.element, allA,
                         b_.mulIndex(a, shape_.rows * shape_.inner));
  bPointer_ = b_.pointer(shape_.element, allB,
                         b_.mulIndex(b, shape_.inner * shape_.columns));
  firstRow_ = b_.mulIndex(number, shape_.rows);
}

void MatmulEmitter::emitPanel(Value column, int64_t columns, Value begin,
                              Value end) {
  if (innerBlocks_ == 1) {
    Panel panel{column, columns, b_.index(0), b_.index(shape_.inner), {}, {}};
    if (packed_)
      pack(panel);
    return emitBlocks(panel, begin, end);
  }
  int64_t length = llvm::divideCeil(shape_.inner, innerBlocks_);
  b_.loop(b_.index(0), b_.index(shape_.inner), length, [&](Value first) {
    Value limit =
        b_.minIndex(b_.addIndex(first, length), b_.index(shape_.inner));
    auto equals = arith::CmpIPredicate::eq;
    Panel panel{column,
                columns,
                first,
                limit,
                b_.compare(equals, first, b_.index(0)),
                b_.compare(equals, limit, b_.index(shape_.inner))};
    pack(panel);
    emitBlocks(panel, begin, end);
  });
}

void MatmulEmitter::emitBlocks(const Panel &panel, Value begin, Value end) {
  int64_t rows = tiling_.blockRows, last = tiling_.blocks - 1;
  bool isEven = tiling_.lastRows == rows;
  Value endWhole = isEven ? end : b_.minIndex(end, b_.index(last));
  b_.loop(begin, endWhole, 1, [&](Value block) {
    emitTile(panel, b_.mulIndex(block, rows), rows);
  });
  if (isEven)
    return;
  Value hasLast = b_.compare(arith::CmpIPredicate::sgt, end, b_.index(last));
  b_.ifThen(hasLast,
            [&] { emitTile(panel, b_.index(last * rows), tiling_.lastRows); });
}

void MatmulEmitter::emitTile(const Panel &panel, Value row, int64_t rows) {
  // Accumulators that the registers hold beside b's vectors and a's element.
  int64_t accumulators = context_.vectorBits == 512 ? 24 : 12;
  int64_t vectors = llvm::divideCeil(panel.columns, lanes_);
  int64_t across =
      vectors <= 3 || vectors % 3 == 0 ? std::min<int64_t>(vectors, 3) : 2;
  int64_t parts = llvm::divideCeil(rows, accumulators / across);
  int64_t down = llvm::divideCeil(rows, parts);
  for (int64_t i = 0; i < rows; i += down)
    for (int64_t v = 0; v < vectors; v += across)
      emitMicroKernel(panel, b_.addIndex(row, i), std::min(down, rows - i), v,
                      std::min(across, vectors - v));
}

SmallVector<Value> MatmulEmitter::initialTile(const Panel &panel, Value row,
                                              int64_t rows, int64_t firstVector,
                                              int64_t vectors) {
  Value zero = b_.number(type_, 0, lanes_);
  SmallVector<Value> tile(rows * vectors, zero);
  if (!panel.isFirst)
    return tile;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v) {
      Value offset =
          b_.addIndex(b_.mulIndex(resultRow(row, i), shape_.columns),
                      b_.addIndex(panel.column, (firstVector + v) * lanes_));
      Value before = b_.loadMasked(type_, stash_, offset, lanes_,
                                   lanesIn(panel, firstVector + v));
      tile[i * vectors + v] = b_.select(panel.isFirst, zero, before);
    }
  return tile;
}

void MatmulEmitter::emitMicroKernel(const Panel &panel, Value row, int64_t rows,
                                    int64_t firstVector, int64_t vectors) {
  SmallVector<Value> tile = initialTile(panel, row, rows, firstVector, vectors);
  Value rowOffset = b_.mulIndex(row, shape_.aRow);
  tile =
      b_.loop(panel.first, panel.end, 1, tile, [&](Value k, ValueRange sums) {
        SmallVector<Value> loaded, next;
        for (int64_t v = 0; v < vectors; ++v)
          loaded.push_back(loadB(panel, k, firstVector + v));
        Value offset = b_.addIndex(rowOffset, b_.mulIndex(k, shape_.aInner));
        for (int64_t i = 0; i < rows; ++i) {
          Value a = b_.load(shape_.element, aPointer_,
                            b_.addIndex(offset, i * shape_.aRow), 1);
          a = b_.splat(a, lanes_);
          for (int64_t v = 0; v < vectors; ++v)
            next.push_back(b_.fma(a, loaded[v], sums[i * vectors + v]));
        }
        return next;
      });
  if (!panel.isLast)
    return finishTile(panel, row, rows, firstVector, tile);
  auto keepSums = [&] {
    for (auto [number, sums] : llvm::enumerate(tile)) {
      int64_t i = number / vectors, v = firstVector + number % vectors;
      Value offset = b_.addIndex(b_.mulIndex(resultRow(row, i), shape_.columns),
                                 b_.addIndex(panel.column, v * lanes_));
      b_.storeMasked(type_, sums, stash_, offset, lanesIn(panel, v));
    }
  };
  b_.ifThen(
      panel.isLast, [&] { finishTile(panel, row, rows, firstVector, tile); },
      keepSums);
}

void MatmulEmitter::finishTile(const Panel &panel, Value row, int64_t rows,
                               int64_t firstVector, ValueRange tile) {
  int64_t vectors = int64_t(tile.size()) / rows;
  for (int64_t i = 0; i < rows; ++i) {
    KernelBody::Row begun = body_.beginRow(resultRow(row, i));
    for (int64_t v = 0; v < vectors; ++v) {
      Value column = b_.addIndex(panel.column, (firstVector + v) * lanes_);
      body_.emit(begun, column, lanes_,
                 b_.round(shape_.element, tile[i * vectors + v]),
                 lanesIn(panel, firstVector + v));
    }
  }
}

//===----------------------------------------------------------------------===//
// b: packed, in place, or gathered
//===----------------------------------------------------------------------===//

Value MatmulEmitter::loadB(const Panel &panel, Value k, int64_t vector) {
  if (packed_) {
    Value line = arith::SubIOp::create(b_, k, panel.first);
    Value offset =
        b_.addIndex(b_.mulIndex(line, tiling_.panelColumns), vector * lanes_);
    return b_.load(type_, packed_, offset, lanes_);
  }
  Value column = b_.addIndex(panel.column, vector * lanes_);
  if (shape_.bColumn != 1)
    return gatherB(k, column, lanesIn(panel, vector));
  Value offset = b_.addIndex(b_.mulIndex(k, shape_.bInner), column);
  return b_.loadMasked(shape_.element, bPointer_, offset, lanes_,
                       lanesIn(panel, vector));
}

Value MatmulEmitter::gatherB(Value k, Value column, int64_t count) {
  Value lanes = b_.number(type_, 0, lanes_);
  for (int64_t l = 0; l < count; ++l) {
    Value offset =
        b_.addIndex(b_.mulIndex(b_.addIndex(column, l), shape_.bColumn), k);
    lanes = b_.insert(b_.load(shape_.element, bPointer_, offset, 1), lanes, l);
  }
  return lanes;
}

void MatmulEmitter::pack(const Panel &panel) {
  if (shape_.bColumn != 1)
    return packTransposed(panel);
  int64_t vectors = llvm::divideCeil(panel.columns, lanes_);
  b_.loop(panel.first, panel.end, 1, [&](Value k) {
    Value line = b_.mulIndex(arith::SubIOp::create(b_, k, panel.first),
                             tiling_.panelColumns);
    for (int64_t v = 0; v < vectors; ++v) {
      Value column = b_.addIndex(panel.column, v * lanes_);
      Value offset = b_.addIndex(b_.mulIndex(k, shape_.bInner), column);
      Value loaded = b_.loadMasked(shape_.element, bPointer_, offset, lanes_,
                                   lanesIn(panel, v));
      b_.store(type_, loaded, packed_, b_.addIndex(line, v * lanes_));
    }
  });
}

Value MatmulEmitter::packedOffset(const Panel &panel, Value k, Value column) {
  Value line = arith::SubIOp::create(b_, k, panel.first);
  return b_.addIndex(b_.mulIndex(line, tiling_.panelColumns), column);
}

/// Transposes a square of vectors in their registers: each stage exchanges one
/// bit of the row number with the same bit of the lane number.
static void transpose(LaneBuilder &b, MutableArrayRef<Value> rows) {
  int64_t size = int64_t(rows.size());
  for (int64_t bit = 1; bit < size; bit *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < size; ++lane) {
      low.push_back(lane & bit ? size + lane - bit : lane);
      high.push_back(lane & bit ? size + lane : lane + bit);
    }
    for (int64_t i = 0; i < size; ++i) {
      if (i & bit)
        continue;
      Value x = rows[i], y = rows[i + bit];
      rows[i] = b.shuffle(x, y, low);
      rows[i + bit] = b.shuffle(x, y, high);
    }
  }
}

/// Whole squares of the first `columns` columns, inner dimension up to `end`.
void MatmulEmitter::packSquares(const Panel &panel, int64_t columns,
                                Value end) {
  b_.loop(b_.index(0), b_.index(columns), lanes_, [&](Value j) {
    Value source = b_.mulIndex(b_.addIndex(panel.column, j), shape_.bColumn);
    b_.loop(panel.first, end, lanes_, [&](Value k) {
      SmallVector<Value> square;
      for (int64_t i = 0; i < lanes_; ++i)
        square.push_back(b_.load(
            shape_.element, bPointer_,
            b_.addIndex(b_.addIndex(source, k), i * shape_.bColumn), lanes_));
      transpose(b_, square);
      Value offset = packedOffset(panel, k, j);
      for (auto [i, line] : llvm::enumerate(square))
        b_.store(type_, line, packed_,
                 b_.addIndex(offset, int64_t(i) * tiling_.panelColumns));
    });
  });
}

/// Columns from `firstColumn` on, inner dimension from `firstInner` on.
void MatmulEmitter::packElements(const Panel &panel, Value firstColumn,
                                 Value firstInner) {
  b_.loop(firstColumn, b_.index(panel.columns), 1, [&](Value j) {
    Value source = b_.mulIndex(b_.addIndex(panel.column, j), shape_.bColumn);
    b_.loop(firstInner, panel.end, 1, [&](Value k) {
      Value x = b_.load(shape_.element, bPointer_, b_.addIndex(source, k), 1);
      b_.store(type_, x, packed_, packedOffset(panel, k, j));
    });
  });
}

void MatmulEmitter::packTransposed(const Panel &panel) {
  // Columns beyond the panel's keep what the stack held: their lanes are
  // computed with the others and never stored.
  int64_t squareColumns = panel.columns / lanes_ * lanes_;
  Value length = arith::SubIOp::create(b_, panel.end, panel.first);
  Value end = arith::SubIOp::create(b_, panel.end, b_.remIndex(length, lanes_));
  if (squareColumns != 0 && shape_.inner >= lanes_) {
    packSquares(panel, squareColumns, end);
    packElements(panel, b_.index(0), end);
    if (squareColumns == panel.columns)
      return;
    // What the last loop did again for these columns costs next to nothing.
    return packElements(panel, b_.index(squareColumns), panel.first);
  }
  packElements(panel, b_.index(0), panel.first);
}

void dtc::kernel::emitMatmul(EmitContext &context) {
  MatmulEmitter(context).emit();
}

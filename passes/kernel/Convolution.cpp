// Convolutions: products whose rows are pixels, read by an indirection of
// pointers. For a tile of rows × vectors of channels, each tap finds a pixel
// for every row, or a buffer of zeros where there is none; then the pixel's
// channels are walked. Each output element is one lane's chain of fused
// multiply-adds in the reference's order, so tiles never change a bit.
//
//   op               rows                  walked, in order        vectors of
//   conv2d           pixels of y           taps, channels of x     filter
//   backprop_input   pixels of x           taps, channels of y     filter^T
//   backprop_filter  taps × channels of x  pixels of y             dy
//
// A depthwise convolution (one filter a channel) walks taps or pixels alone
// and multiplies lane by lane.
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"
#include "passes/kernel/Taps.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

namespace {
enum class Kind { Forward, Input, Filter };

struct Sizes {
  explicit Sizes(Operation *op);

  Kind kind;
  bool isDepthwise;
  Type element;
  Value pixels;  // the tensor whose pixels the taps find
  Value vectors; // the other one
  graph::Windows windows;
  int64_t batch, in, out;
  /// Rows come in groups that no tile crosses: the taps of backprop_filter.
  int64_t groups, groupRows, columns;
  int64_t inner; // channels to walk at each tap

  int64_t taps() const { return windows[0].window * windows[1].window; }
  /// Multiply-adds of an output element.
  int64_t depth() const {
    return kind == Kind::Filter ? batch * windows[0].output * windows[1].output
                                : taps() * inner;
  }
  bool isTransposed() const { return kind == Kind::Input && !isDepthwise; }
};

/// How the output is cut; the same on every CPU.
struct Tiling {
  explicit Tiling(const Sizes &sizes);

  int64_t panelColumns, panels, lastColumns;
  int64_t blockRows, blocks, lastRows; // of a group
  bool isPacked = false;
};
} // namespace

Sizes::Sizes(Operation *op)
    : isDepthwise(
          isa<graph::DepthwiseConv2dOp, graph::DepthwiseConv2dBackpropInputOp,
              graph::DepthwiseConv2dBackpropFilterOp>(op)),
      element(elementOf(op->getResult(0))) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1),
        result = op->getResult(0);
  Value x = lhs, filter = rhs;
  kind = Kind::Forward;
  pixels = lhs;
  vectors = rhs;
  if (isa<graph::Conv2dBackpropInputOp, graph::DepthwiseConv2dBackpropInputOp>(
          op)) {
    kind = Kind::Input;
    x = result;
    filter = lhs;
    pixels = rhs;
    vectors = lhs;
  } else if (isa<graph::Conv2dBackpropFilterOp,
                 graph::DepthwiseConv2dBackpropFilterOp>(op)) {
    kind = Kind::Filter;
    filter = result;
  }
  windows = windowsOf(op, x, shapeOf(filter).take_front(2));
  batch = shapeOf(x)[0];
  in = shapeOf(x)[3];
  out = isDepthwise ? in : shapeOf(filter)[3];
  columns = kind == Kind::Input ? in : out;
  inner = isDepthwise ? 1 : kind == Kind::Input ? out : in;
  groups = kind == Kind::Filter ? taps() : 1;
  auto &[h, w] = windows;
  groupRows = kind == Kind::Filter    ? inner
              : kind == Kind::Forward ? batch * h.output * w.output
                                      : batch * h.input * w.input;
}

/// Bytes of a packed panel, on the stack, at most.
static constexpr int64_t kPackedBytes = 256 * 1024;

Tiling::Tiling(const Sizes &sizes) {
  int64_t bits = laneType(sizes.element).getIntOrFloatBitWidth();
  int64_t unit = 512 / bits, most = 3;
  if (sizes.isTransposed()) {
    int64_t bytes = sizes.depth() * unit * bits / 8;
    isPacked = bytes <= kPackedBytes;
    most = isPacked ? std::min<int64_t>(kPackedBytes / bytes, 3) : 1;
  }
  int64_t units = llvm::divideCeil(sizes.columns, unit);
  panelColumns = llvm::divideCeil(units, llvm::divideCeil(units, most)) * unit;
  panels = llvm::divideCeil(sizes.columns, panelColumns);
  lastColumns = sizes.columns - (panels - 1) * panelColumns;
  blockRows = std::min<int64_t>(sizes.groupRows, 8);
  for (int64_t rows : {7, 6, 5})
    if (sizes.groupRows % blockRows != 0 && sizes.groupRows % rows == 0)
      blockRows = rows;
  blocks = llvm::divideCeil(sizes.groupRows, blockRows);
  lastRows = sizes.groupRows - (blocks - 1) * blockRows;
}

Work dtc::kernel::convolutionWork(const BodyPlan &plan) {
  Sizes sizes(plan.form.root);
  Tiling tiling(sizes);
  double elements = double(tiling.blockRows) *
                    double(std::min(tiling.panelColumns, sizes.columns));
  double nanos =
      elements * (double(sizes.depth()) * 0.012 + epilogueNanos(plan));
  return {tiling.panels * sizes.groups * tiling.blocks, nanos};
}

namespace {
struct Panel {
  Value column; // the first
  int64_t columns;
};

/// What a micro-kernel keeps in registers.
struct Tile {
  const Panel &panel;
  Value group, row; // the first row, in its group
  int64_t rows, firstVector, vectors;
};

class ConvolutionEmitter {
public:
  explicit ConvolutionEmitter(EmitContext &context);
  void emit();

private:
  /// Blocks [begin, end), counted over all groups.
  void emitPanel(const Panel &panel, Value begin, Value end);
  void emitBlock(const Panel &panel, Value group, Value row, int64_t rows);
  SmallVector<Value> sumOverTaps(const Tile &tile);
  SmallVector<Value> sumOverPixels(const Tile &tile);
  /// The sums after one step; `pixels` holds a pointer a row.
  SmallVector<Value> step(const Tile &tile, ArrayRef<Value> pixels,
                          Value channel, ArrayRef<Value> vectors,
                          ValueRange sums);
  /// Elements (line, columns) of the tensor of vectors.
  SmallVector<Value> loadVectors(const Tile &tile, Value line);
  void pack(const Panel &panel);
  void finish(const Tile &tile, ArrayRef<Value> sums);

  Place place(unsigned axis, Value pixel, Value tap) {
    const graph::Window &window = sizes_.windows[axis];
    return sizes_.kind == Kind::Input ? spreadPlace(b_, window, pixel, tap)
                                      : readPlace(b_, window, pixel, tap);
  }
  Value columnOf(const Tile &tile, int64_t vector) {
    return b_.addIndex(tile.panel.column, (tile.firstVector + vector) * lanes_);
  }
  /// Valid lanes of a tile's vector.
  int64_t lanesIn(const Tile &tile, int64_t vector) const {
    return std::min(lanes_,
                    tile.panel.columns - (tile.firstVector + vector) * lanes_);
  }

  EmitContext &context_;
  KernelBody &body_;
  LaneBuilder &b_;
  Sizes sizes_;
  Tiling tiling_;
  Type type_;     // of lanes
  int64_t lanes_; // of one register
  Image image_;
  Value vectors_;
  Value packed_; // a panel of the transposed filter, or null
};
} // namespace

/// The image that the taps read.
static Image imageOf(KernelBody &body, const Sizes &sizes) {
  ArrayRef<int64_t> shape = shapeOf(sizes.pixels);
  return {sizes.element,
          body.pointerTo(sizes.pixels),
          constantBuffer(body.builder(), sizes.element, 0, shape[3]),
          shape[1],
          shape[2],
          shape[3]};
}

ConvolutionEmitter::ConvolutionEmitter(EmitContext &context)
    : context_(context), body_(context.body), b_(body_.builder()),
      sizes_(body_.plan().form.root), tiling_(sizes_),
      type_(laneType(sizes_.element)),
      lanes_(context.vectorBits / type_.getIntOrFloatBitWidth()),
      image_(imageOf(body_, sizes_)),
      vectors_(body_.pointerTo(sizes_.vectors)) {
  if (tiling_.isPacked)
    packed_ = b_.scratch(type_, sizes_.depth() * tiling_.panelColumns);
}

void ConvolutionEmitter::emit() {
  int64_t blocks = sizes_.groups * tiling_.blocks;
  Value firstPanel = b_.divIndex(context_.begin, blocks);
  Value endPanel = b_.divIndex(b_.addIndex(context_.end, blocks - 1), blocks);
  b_.loop(firstPanel, endPanel, 1, [&](Value number) {
    Value skipped = b_.mulIndex(number, blocks);
    Value begin = b_.maxIndex(
        arith::SubIOp::create(b_, context_.begin, skipped), b_.index(0));
    Value end = b_.minIndex(arith::SubIOp::create(b_, context_.end, skipped),
                            b_.index(blocks));
    Panel panel{b_.mulIndex(number, tiling_.panelColumns),
                tiling_.panelColumns};
    Panel last{panel.column, tiling_.lastColumns};
    if (tiling_.panels == 1)
      return emitPanel(last, begin, end);
    if (tiling_.lastColumns == tiling_.panelColumns)
      return emitPanel(panel, begin, end);
    b_.ifThen(
        b_.compare(arith::CmpIPredicate::eq, number,
                   b_.index(tiling_.panels - 1)),
        [&] { emitPanel(last, begin, end); },
        [&] { emitPanel(panel, begin, end); });
  });
}

void ConvolutionEmitter::emitPanel(const Panel &panel, Value begin, Value end) {
  if (packed_)
    pack(panel);
  b_.loop(begin, end, 1, [&](Value number) {
    Value group = b_.divIndex(number, tiling_.blocks);
    Value block = b_.remIndex(number, tiling_.blocks);
    Value row = b_.mulIndex(block, tiling_.blockRows);
    if (tiling_.lastRows == tiling_.blockRows)
      return emitBlock(panel, group, row, tiling_.blockRows);
    b_.ifThen(
        b_.compare(arith::CmpIPredicate::eq, block,
                   b_.index(tiling_.blocks - 1)),
        [&] { emitBlock(panel, group, row, tiling_.lastRows); },
        [&] { emitBlock(panel, group, row, tiling_.blockRows); });
  });
}

void ConvolutionEmitter::emitBlock(const Panel &panel, Value group, Value row,
                                   int64_t rows) {
  // Accumulators that the registers hold beside the vectors.
  int64_t accumulators = context_.vectorBits == 512 ? 24 : 12;
  int64_t vectors = llvm::divideCeil(panel.columns, lanes_);
  int64_t across =
      vectors <= 3 || vectors % 3 == 0 ? std::min<int64_t>(vectors, 3) : 2;
  int64_t parts = llvm::divideCeil(rows, accumulators / across);
  int64_t down = llvm::divideCeil(rows, parts);
  for (int64_t i = 0; i < rows; i += down)
    for (int64_t v = 0; v < vectors; v += across) {
      Tile tile{panel,
                group,
                b_.addIndex(row, i),
                std::min(down, rows - i),
                v,
                std::min(across, vectors - v)};
      finish(tile, sizes_.kind == Kind::Filter ? sumOverPixels(tile)
                                               : sumOverTaps(tile));
    }
}

SmallVector<Value> ConvolutionEmitter::sumOverTaps(const Tile &tile) {
  auto &[h, w] = sizes_.windows;
  bool isForward = sizes_.kind == Kind::Forward;
  SmallVector<Pixel> rows;
  for (int64_t i = 0; i < tile.rows; ++i)
    rows.push_back(splitPixel(b_, b_.addIndex(tile.row, i),
                              isForward ? h.output : h.input,
                              isForward ? w.output : w.input));
  auto overChannels = [&](Value tap, ArrayRef<Value> pixels, ValueRange sums) {
    Value line = b_.mulIndex(tap, sizes_.inner);
    return b_.loop(b_.index(0), b_.index(sizes_.inner), 1, sums,
                   [&](Value k, ValueRange sums) {
                     auto vectors = loadVectors(tile, b_.addIndex(line, k));
                     return step(tile, pixels, k, vectors, sums);
                   });
  };
  auto overWidth = [&](Value p, ArrayRef<Place> lines, ValueRange sums) {
    return b_.loop(b_.index(0), b_.index(w.window), 1, sums,
                   [&](Value q, ValueRange sums) {
                     SmallVector<Value> pixels;
                     for (auto [row, line] : llvm::zip_equal(rows, lines))
                       pixels.push_back(image_.pixel(b_, row.image, line,
                                                     place(1, row.j, q)));
                     Value tap = b_.addIndex(b_.mulIndex(p, w.window), q);
                     return overChannels(tap, pixels, sums);
                   });
  };
  SmallVector<Value> zeros(tile.rows * tile.vectors,
                           b_.number(type_, 0, lanes_));
  return b_.loop(b_.index(0), b_.index(h.window), 1, zeros,
                 [&](Value p, ValueRange sums) {
                   SmallVector<Place> lines;
                   for (const Pixel &row : rows)
                     lines.push_back(place(0, row.i, p));
                   return overWidth(p, lines, sums);
                 });
}

SmallVector<Value> ConvolutionEmitter::sumOverPixels(const Tile &tile) {
  auto &[h, w] = sizes_.windows;
  Value p = b_.divIndex(tile.group, w.window),
        q = b_.remIndex(tile.group, w.window);
  auto overWidth = [&](Value image, Value i, ValueRange sums) {
    Place line = place(0, i, p);
    Value first =
        b_.mulIndex(b_.addIndex(b_.mulIndex(image, h.output), i), w.output);
    return b_.loop(b_.index(0), b_.index(w.output), 1, sums,
                   [&](Value j, ValueRange sums) {
                     Value pixel =
                         image_.pixel(b_, image, line, place(1, j, q));
                     auto vectors = loadVectors(tile, b_.addIndex(first, j));
                     SmallVector<Value> pixels(tile.rows, pixel);
                     return step(tile, pixels, tile.row, vectors, sums);
                   });
  };
  SmallVector<Value> zeros(tile.rows * tile.vectors,
                           b_.number(type_, 0, lanes_));
  return b_.loop(b_.index(0), b_.index(sizes_.batch), 1, zeros,
                 [&](Value image, ValueRange sums) {
                   return b_.loop(b_.index(0), b_.index(h.output), 1, sums,
                                  [&](Value i, ValueRange sums) {
                                    return overWidth(image, i, sums);
                                  });
                 });
}

SmallVector<Value> ConvolutionEmitter::step(const Tile &tile,
                                            ArrayRef<Value> pixels,
                                            Value channel,
                                            ArrayRef<Value> vectors,
                                            ValueRange sums) {
  SmallVector<Value> next;
  for (int64_t i = 0; i < tile.rows; ++i) {
    // Rows of backprop_filter are channels, those of the others pixels.
    int64_t ahead = sizes_.kind == Kind::Filter ? i : 0;
    Value x;
    if (!sizes_.isDepthwise)
      x = b_.splat(
          b_.load(sizes_.element, pixels[i], b_.addIndex(channel, ahead), 1),
          lanes_);
    for (int64_t v = 0; v < tile.vectors; ++v) {
      if (sizes_.isDepthwise)
        x = b_.loadMasked(sizes_.element, pixels[i], columnOf(tile, v), lanes_,
                          lanesIn(tile, v));
      next.push_back(b_.fma(x, vectors[v], sums[i * tile.vectors + v]));
    }
  }
  return next;
}

SmallVector<Value> ConvolutionEmitter::loadVectors(const Tile &tile,
                                                   Value line) {
  SmallVector<Value> loaded;
  for (int64_t v = 0; v < tile.vectors; ++v) {
    Value column = columnOf(tile, v);
    if (packed_) {
      Value offset = b_.addIndex(b_.mulIndex(line, tiling_.panelColumns),
                                 (tile.firstVector + v) * lanes_);
      loaded.push_back(b_.load(type_, packed_, offset, lanes_));
      continue;
    }
    if (!sizes_.isTransposed()) {
      Value offset = b_.addIndex(b_.mulIndex(line, sizes_.columns), column);
      loaded.push_back(b_.loadMasked(sizes_.element, vectors_, offset, lanes_,
                                     lanesIn(tile, v)));
      continue;
    }
    // Too large to pack: element by element.
    Value tap = b_.divIndex(line, sizes_.inner),
          k = b_.remIndex(line, sizes_.inner);
    Value lanes = b_.number(type_, 0, lanes_);
    for (int64_t l = 0; l < lanesIn(tile, v); ++l) {
      Value channel =
          b_.addIndex(b_.addIndex(b_.mulIndex(tap, sizes_.columns), column), l);
      Value offset = b_.addIndex(b_.mulIndex(channel, sizes_.inner), k);
      lanes = b_.insert(b_.load(sizes_.element, vectors_, offset, 1), lanes, l);
    }
    loaded.push_back(lanes);
  }
  return loaded;
}

/// packed[tap, k, column] = filter[tap, column, k]. Columns beyond the panel's
/// keep what the stack held: their lanes are computed and never stored.
void ConvolutionEmitter::pack(const Panel &panel) {
  b_.loop(b_.index(0), b_.index(sizes_.taps()), 1, [&](Value tap) {
    b_.loop(b_.index(0), b_.index(panel.columns), 1, [&](Value j) {
      Value channel = b_.addIndex(b_.mulIndex(tap, sizes_.columns),
                                  b_.addIndex(panel.column, j));
      Value source = b_.mulIndex(channel, sizes_.inner);
      b_.loop(b_.index(0), b_.index(sizes_.inner), 1, [&](Value k) {
        Value x = b_.load(sizes_.element, vectors_, b_.addIndex(source, k), 1);
        Value line = b_.addIndex(b_.mulIndex(tap, sizes_.inner), k);
        b_.store(type_, x, packed_,
                 b_.addIndex(b_.mulIndex(line, tiling_.panelColumns), j));
      });
    });
  });
}

void ConvolutionEmitter::finish(const Tile &tile, ArrayRef<Value> sums) {
  Value first =
      b_.addIndex(b_.mulIndex(tile.group, sizes_.groupRows), tile.row);
  for (int64_t i = 0; i < tile.rows; ++i) {
    KernelBody::Row begun = body_.beginRow(b_.addIndex(first, i));
    for (int64_t v = 0; v < tile.vectors; ++v)
      body_.emit(begun, columnOf(tile, v), lanes_,
                 b_.round(sizes_.element, sums[i * tile.vectors + v]),
                 lanesIn(tile, v));
  }
}

void dtc::kernel::emitConvolution(EmitContext &context) {
  ConvolutionEmitter(context).emit();
}

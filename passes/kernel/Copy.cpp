// Ops that only move elements: the pieces of their blocks (CopyPieces.h),
// copied by vectors, element by element, or in tiles. Bits move as integers.
#include "passes/kernel/CopyPieces.h"
#include "passes/kernel/RootEmitters.h"
#include "passes/kernel/TransposeLanes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

Work dtc::kernel::copyWork(const BodyPlan &plan) {
  int64_t units = 0;
  double nanos = 0;
  for (const Piece &piece : piecesOf(copiesOf(plan.form.root), plan.form)) {
    units += piece.units();
    double bytes = double(elementBytes(elementOf(piece.block.result)));
    nanos += double(piece.space.count()) * bytes * 0.08;
  }
  return {units, nanos / double(units)};
}

/// A number as the bits of an element, as a reference kernel rounds it.
static int64_t bitsOf(Type element, double value) {
  llvm::APFloat number(value);
  bool ignored;
  auto type = dyn_cast<FloatType>(element);
  if (element.isInteger(1))
    return value != 0;
  if (!type) {
    llvm::APSInt integer(element.getIntOrFloatBitWidth(), isUnsigned(element));
    number.convertToInteger(integer, llvm::APFloat::rmTowardZero, &ignored);
    return integer.getSExtValue();
  }
  auto round = [&](const llvm::fltSemantics &semantics) {
    number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &ignored);
  };
  if (type.getWidth() < 64)
    round(llvm::APFloat::IEEEsingle());
  round(type.getFloatSemantics());
  return number.bitcastToAPInt().getSExtValue();
}

namespace {
/// Where a walk through a unit stands.
struct Place {
  Value result, source; // offsets
  Value isInside;       // null: no index says that zeros are read
};

class PieceEmitter {
public:
  PieceEmitter(EmitContext &context, const Copies &copies, const Piece &piece);
  void emit(Value unit);

private:
  void walk(size_t dim, const Place &place);
  Place move(const Place &place, size_t dim, Value at);
  /// Reads the index at `offset`, and moves the source to it.
  Place follow(const Place &place, Value offset);
  void forChunk(size_t dim, int64_t width,
                function_ref<void(Value at, int64_t count)> f);
  void copyVectors(const Place &place);
  void copyScalars(const Place &place);
  void copyTiles(const Place &place);
  void copyTile(const Place &place, int64_t rows, int64_t width);
  Value load(const Place &place, int64_t width, bool isBackwards = false);
  int64_t stride(Side side, size_t dim) const {
    return piece_.space.strides[side][dim];
  }

  LaneBuilder &b_;
  const Copies &copies_;
  const Piece &piece_;
  Type element_, type_; // bits of it
  Value result_, source_, indices_;
  std::optional<size_t> indexed_; // the dimension that walks over indices
  SmallVector<Value> lower_;
};
} // namespace

PieceEmitter::PieceEmitter(EmitContext &context, const Copies &copies,
                           const Piece &piece)
    : b_(context.body.builder()), copies_(copies), piece_(piece),
      element_(elementOf(piece.block.result)),
      type_(b_.getIntegerType(unsigned(8 * elementBytes(element_)))),
      result_(context.body.outputOf(piece.block.result)) {
  if (piece.block.source)
    source_ = context.body.pointerTo(piece.block.source);
  if (copies.indices)
    indices_ = context.body.pointerTo(copies.indices);
  for (size_t dim = 0; dim <= piece.columns(); ++dim)
    if (stride(kIndex, dim) != 0)
      indexed_ = dim;
}

void PieceEmitter::emit(Value unit) {
  size_t dims = piece_.steps.size();
  lower_.resize(dims);
  for (size_t dim = dims; dim-- > 0;) {
    int64_t chunks = piece_.chunks(dim);
    Value chunk = dim == 0 ? unit : b_.remIndex(unit, chunks);
    lower_[dim] =
        chunks == 1 ? b_.index(0) : b_.mulIndex(chunk, piece_.steps[dim]);
    unit = b_.divIndex(unit, chunks);
  }
  Place start{b_.index(piece_.block.resultOffset),
              b_.index(piece_.block.sourceOffset), nullptr};
  if (indices_ && !indexed_)
    start = follow(start, b_.index(0));
  walk(0, start);
}

Place PieceEmitter::follow(const Place &place, Value offset) {
  Type element = elementOf(copies_.indices);
  Value index = b_.toIndex(element, b_.load(element, indices_, offset, 1));
  // Unsigned: a negative index is a large one.
  Value isInside = b_.compare(arith::CmpIPredicate::ult, index,
                              b_.index(copies_.indexLimit));
  index = b_.select(isInside, index, b_.index(0));
  Value source =
      b_.addIndex(place.source, b_.mulIndex(index, copies_.indexStride));
  return {place.result, source, isInside};
}

Place PieceEmitter::move(const Place &place, size_t dim, Value at) {
  auto moved = [&](Value offset, Side side) {
    return b_.addIndex(offset, b_.mulIndex(at, stride(side, dim)));
  };
  Place to{moved(place.result, kResult), moved(place.source, kSource),
           place.isInside};
  return indexed_ == dim ? follow(to, b_.mulIndex(at, stride(kIndex, dim)))
                         : to;
}

void PieceEmitter::forChunk(size_t dim, int64_t width,
                            function_ref<void(Value at, int64_t count)> f) {
  int64_t size = piece_.space.sizes[dim], step = piece_.steps[dim];
  int64_t whole = size / width * width, rest = size - whole;
  bool isOne = step == size;
  if (isOne && whole == width)
    f(b_.index(0), width);
  else if (whole > 0)
    b_.loop(lower_[dim],
            isOne
                ? b_.index(whole)
                : b_.minIndex(b_.addIndex(lower_[dim], step), b_.index(whole)),
            width, [&](Value at) { f(at, width); });
  if (rest == 0)
    return;
  if (isOne)
    return f(b_.index(whole), rest);
  Value isLast = b_.compare(arith::CmpIPredicate::sge,
                            b_.addIndex(lower_[dim], step), b_.index(size));
  b_.ifThen(isLast, [&] { f(b_.index(whole), rest); });
}

void PieceEmitter::walk(size_t dim, const Place &place) {
  if (dim == piece_.columns()) {
    if (piece_.tiled)
      return copyTiles(place);
    bool isInOrder = stride(kResult, dim) == 1 && indexed_ != dim &&
                     llvm::is_contained({-1, 0, 1}, stride(kSource, dim));
    return isInOrder ? copyVectors(place) : copyScalars(place);
  }
  if (dim == piece_.tiled)
    return walk(dim + 1, place);
  if (piece_.steps[dim] == 1)
    return walk(dim + 1, move(place, dim, lower_[dim]));
  forChunk(dim, 1,
           [&](Value at, int64_t) { walk(dim + 1, move(place, dim, at)); });
}

Value PieceEmitter::load(const Place &place, int64_t width, bool isBackwards) {
  if (!source_)
    return b_.integer(type_, bitsOf(element_, copies_.fill), width);
  Value lanes = isBackwards
                    ? b_.loadBackwards(type_, source_, place.source, width)
                    : b_.load(type_, source_, place.source, width);
  if (!place.isInside)
    return lanes;
  return b_.select(place.isInside, lanes, b_.integer(type_, 0, width));
}

void PieceEmitter::copyVectors(const Place &place) {
  size_t dim = piece_.columns();
  int64_t direction = stride(kSource, dim);
  Value scalar = direction == 0 ? load(place, 1) : Value();
  forChunk(dim, lineLength(element_), [&](Value at, int64_t count) {
    // What is left, in powers of 2.
    for (int64_t width; count > 0; count -= width) {
      width = llvm::bit_floor(uint64_t(count));
      Place to = move(place, dim, at);
      Value lanes = scalar ? b_.splat(scalar, width)
                           : load(to, width, /*isBackwards=*/direction < 0);
      b_.store(type_, lanes, result_, to.result);
      at = b_.addIndex(at, width);
    }
  });
}

void PieceEmitter::copyScalars(const Place &place) {
  constexpr int64_t kUnrolled = 4;
  size_t dim = piece_.columns();
  forChunk(dim, kUnrolled, [&](Value at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      Place to = move(place, dim, b_.addIndex(at, i));
      b_.store(type_, load(to, 1), result_, to.result);
    }
  });
}

void PieceEmitter::copyTiles(const Place &place) {
  int64_t side = squareSide(elementBytes(element_));
  forChunk(piece_.columns(), side, [&](Value column, int64_t rows) {
    Place to = move(place, piece_.columns(), column);
    forChunk(*piece_.tiled, side, [&](Value at, int64_t width) {
      copyTile(move(to, *piece_.tiled, at), rows, width);
    });
  });
}

/// The source gives `rows` rows of `width` elements.
void PieceEmitter::copyTile(const Place &place, int64_t rows, int64_t width) {
  int64_t side = squareSide(elementBytes(element_));
  Value zero = b_.integer(type_, 0, 1);
  SmallVector<Value> lanes(side, b_.splat(zero, side));
  for (int64_t i = 0; i < rows; ++i) {
    Place from = place;
    from.source =
        b_.addIndex(from.source, i * stride(kSource, piece_.columns()));
    lanes[i] = b_.pad(load(from, width), zero, side);
  }
  transposeSquare(b_, lanes, elementBytes(element_));
  for (int64_t i = 0; i < width; ++i)
    b_.store(type_, b_.slice(lanes[i], 0, rows), result_,
             b_.addIndex(place.result, i * stride(kResult, *piece_.tiled)));
}

void dtc::kernel::emitCopy(EmitContext &context) {
  const KernelForm &form = context.body.plan().form;
  Copies copies = copiesOf(form.root);
  int64_t first = 0;
  for (const Piece &piece : piecesOf(copies, form)) {
    PieceEmitter emitter(context, copies, piece);
    forShare(context, first, piece.units(),
             [&](Value unit) { emitter.emit(unit); });
    first += piece.units();
  }
}

#include "passes/kernel/CopyPieces.h"

#include "passes/kernel/LaneBuilder.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

/// Elements of one unit.
static constexpr int64_t kUnit = 4096;
/// Tiles come in squares of this side: several lines of each row of either
/// side are together in a page.
static constexpr int64_t kSquare = 64;
/// Of fewer rows or columns a tile does not pay.
static constexpr int64_t kLeastTiled = 4;

int64_t dtc::kernel::lineLength(Type element) {
  return 64 / elementBytes(element);
}

int64_t Piece::chunks(size_t dim) const {
  return llvm::divideCeil(space.sizes[dim], steps[dim]);
}

int64_t Piece::units() const {
  int64_t units = 1;
  for (size_t dim = 0; dim < steps.size(); ++dim)
    units *= chunks(dim);
  return units;
}

static std::optional<size_t> tiledDimension(const IterationSpace &space) {
  const Strides &result = space.strides[kResult],
                &source = space.strides[kSource];
  bool isInOrder = llvm::is_contained({-1, 0, 1}, source.back());
  if (isInOrder || result.back() != 1 || space.columns() < kLeastTiled)
    return std::nullopt;
  for (size_t dim = 0; dim + 1 < space.sizes.size(); ++dim)
    if (source[dim] == 1 && space.sizes[dim] >= kLeastTiled)
      return dim;
  return std::nullopt;
}

static Piece makePiece(const CopyBlock &block) {
  Strides all[] = {block.resultStrides, block.sourceStrides,
                   block.indexStrides};
  Piece piece{block, collapse(block.sizes, all, /*keepColumns=*/false), {}, {}};
  piece.tiled = tiledDimension(piece.space);
  int64_t line = lineLength(elementOf(block.result)), left = kUnit;
  ArrayRef<int64_t> sizes = piece.space.sizes;
  piece.steps.assign(sizes.size(), 1);
  auto take = [&](size_t dim, int64_t most) {
    piece.steps[dim] = std::min(sizes[dim], std::max<int64_t>(most, 1));
    left /= piece.steps[dim];
  };
  if (piece.tiled)
    take(*piece.tiled, kSquare);
  // Whole vectors of the result.
  take(piece.columns(), left / line * line);
  // Then outwards, as long as all of the dimension within is taken.
  for (size_t dim = piece.columns(); dim-- > 0;) {
    if (dim == piece.tiled)
      continue;
    if (piece.steps[dim + 1] != sizes[dim + 1])
      break;
    take(dim, left);
  }
  return piece;
}

SmallVector<Piece, 0> dtc::kernel::piecesOf(const Copies &copies,
                                            const KernelForm &form) {
  SmallVector<Piece, 0> pieces;
  for (const CopyBlock &block : copies.blocks)
    if (llvm::is_contained(form.outputs, block.result))
      pieces.push_back(makePiece(block));
  return pieces;
}

#include "passes/kernel/TransposeLanes.h"

using namespace mlir;
using namespace dtc::kernel;

/// Elements of 128 bits: within those, shuffles are cheap.
static int64_t partLength(int64_t elementBytes) { return 16 / elementBytes; }

int64_t dtc::kernel::squareSide(int64_t elementBytes) {
  int64_t part = partLength(elementBytes);
  return part <= 4 ? 2 * part : part;
}

/// x and y lane by lane, from the lower or the upper half of every part.
static Value interleave(LaneBuilder &b, Value x, Value y, int64_t part,
                        bool isUpper) {
  SmallVector<int64_t> positions;
  int64_t width = widthOf(x);
  for (int64_t first = 0; first < width; first += part)
    for (int64_t i = 0; i < part / 2; ++i) {
      int64_t at = first + i + (isUpper ? part / 2 : 0);
      positions.append({at, width + at});
    }
  return b.shuffle(x, y, positions);
}

/// Of rows of two parts: swaps the upper part of each row above with the lower
/// part of the row that lies as far below.
static void swapParts(LaneBuilder &b, MutableArrayRef<Value> rows,
                      int64_t part) {
  int64_t side = 2 * part;
  SmallVector<int64_t> lower, upper;
  for (int64_t first : {int64_t(0), side})
    for (int64_t i = 0; i < part; ++i) {
      lower.push_back(first + i);
      upper.push_back(first + part + i);
    }
  for (int64_t i = 0; i < part; ++i) {
    Value x = rows[i], y = rows[i + part];
    rows[i] = b.shuffle(x, y, lower);
    rows[i + part] = b.shuffle(x, y, upper);
  }
}

void dtc::kernel::transposeSquare(LaneBuilder &b, MutableArrayRef<Value> rows,
                                  int64_t elementBytes) {
  int64_t part = partLength(elementBytes), side = int64_t(rows.size());
  if (side == 2 * part)
    swapParts(b, rows, part);
  for (int64_t first = 0; first < side; first += part)
    for (int64_t stage = 1; stage < part; stage *= 2) {
      SmallVector<Value> before(rows.slice(first, part));
      for (int64_t i = 0; i < part; ++i)
        rows[first + i] = interleave(b, before[i / 2], before[(i + part) / 2],
                                     part, i % 2 == 1);
    }
}

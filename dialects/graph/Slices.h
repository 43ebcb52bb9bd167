// The arithmetic of strided slices: NumPy's x[begin:end:stride].
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace dtc::graph {

// What a slice takes of one dimension: `size` elements from `begin` on, each
// `stride` behind the one before.
struct SliceRange {
  int64_t begin, size, stride;
};

// The lists have one number for each dimension; strides are not 0. Negative
// positions count from the end; what lies outside is cut.
llvm::SmallVector<SliceRange> resolveSlice(llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<int64_t> begin,
                                           llvm::ArrayRef<int64_t> end,
                                           llvm::ArrayRef<int64_t> strides);

} // namespace dtc::graph

// Cost: what one execution of an op does, by its types, and how long a thread
// of a machine takes for it. The same numbers choose places and predict steps.
#pragma once

#include "mlir/IR/Operation.h"
#include <cstdint>

namespace dtc::graph {

struct OpCost {
  int64_t multiplyAdds = 0; // of products and convolutions, fused
  int64_t operations = 0;   // other arithmetic, an element each
  int64_t specials = 0;     // exp and its like, as many exps as it takes
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;

  /// Floating-point operations, a multiply-add being two.
  int64_t flops() const { return 2 * multiplyAdds + operations + specials; }
  int64_t bytes() const { return bytesRead + bytesWritten; }
  OpCost &operator+=(const OpCost &other);
};

/// An op alone: operands come from memory, results go there. Views and
/// constants compute nothing.
OpCost costOf(mlir::Operation *op);
/// What an op computes, without the bytes of its operands and results: for one
/// of several in a kernel.
OpCost computationOf(mlir::Operation *op);
/// Bytes of a tensor; a boolean takes a whole one. 0 for anything else.
int64_t sizeBytes(mlir::Type type);

/// What one thread does in a second, and what everything costs beside. The
/// defaults are the table of docs/prediction.md.
struct Rates {
  double multiplyAddsPerSecond = 25e9;
  double operationsPerSecond = 4e9;
  double specialsPerSecond = 0.7e9;
  double bytesPerSecond = 12e9;
  /// Of an op that has no code and runs on its reference kernel.
  double referenceOperationsPerSecond = 0.1e9;
  double secondsPerKernel = 0.25e-6; // to find its arguments and call it
  double secondsToSplit = 4e-6;      // to share a kernel between threads
};

/// Arithmetic and memory overlap; the longer one counts. A kernel's overhead is
/// not in it.
double secondsOf(const OpCost &cost, const Rates &rates);

/// An edge between two tasks, on either side: a batch of tensors, each tensor
/// of it, and bytes; and the step's thread that hands over or takes one.
struct LinkRates {
  double batchSeconds = 45e-6;
  double messageSeconds = 2.5e-6;
  double threadSeconds = 1e-6;
  double bytesPerSecond = 2.1e9;
};

} // namespace dtc::graph

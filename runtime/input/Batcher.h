// Batcher: gives each replica its block of a data set's rows, step by step.
//
// A step of N replicas takes N * B consecutive rows of the epoch's order;
// replica i gets the i-th block of B. What is left at the end of an epoch is
// dropped. Steps are counted over the whole run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/ElementType.h"
#include "runtime/base/Status.h"
#include "runtime/input/EpochOrder.h"
#include "runtime/input/Table.h"

namespace dtc {

/// A run of a row's fields, read as one tensor of shape [batch, …].
struct BatchColumn {
  std::string name;
  int64_t firstField = 0;
  int64_t fields = 1;
  ElementType type = ElementType::F32;
  double scale = 1; // value = field * scale
  double min = 0;   // range of valid fields, inclusive
  double max = 0;
};

struct BatchSpec {
  int64_t firstRow = 0;
  int64_t endRow = 0;   // exclusive; 0 or less: to the table's end
  int64_t batch = 1;    // B
  int64_t replicas = 1; // N
  uint64_t seed = 0;
  bool shuffle = false;
  std::vector<BatchColumn> columns;
};

/// Immutable; thread-safe.
class Batcher {
public:
  /// Checks the spec against the table, and every field that it will read.
  /// OUT_OF_RANGE: rows or fields that the table does not have, fewer rows than
  /// one step takes. INVALID_ARGUMENT: a field outside of its range, with its
  /// place ("digits.csv.gz:17:65: 12 is not in [0, 9], the range of 'label'").
  static Result<std::unique_ptr<Batcher>>
  create(std::shared_ptr<const Table> table, BatchSpec spec);

  int64_t stepsPerEpoch() const { return stepsPerEpoch_; }
  /// Rows that no step of an epoch sees.
  int64_t droppedPerEpoch() const;
  /// Bytes of column `column` of one block.
  size_t blockBytes(size_t column) const;

  /// Fills one buffer a column with the block of `replica` in `step`. Buffers
  /// must have blockBytes(); another size, or a replica that is none, is
  /// INVALID_ARGUMENT.
  Status fill(uint64_t step, int64_t replica,
              std::span<const std::span<std::byte>> destinations) const;

private:
  Batcher(std::shared_ptr<const Table> table, BatchSpec spec);

  const std::shared_ptr<const Table> table_;
  const BatchSpec spec_;
  const int64_t rows_;
  const int64_t stepsPerEpoch_;
  const EpochOrder order_;
};

} // namespace dtc

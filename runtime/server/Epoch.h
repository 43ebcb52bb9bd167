// Epoch: one pass over the rows, as the tasks that read them agree on it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "runtime/base/Status.h"

namespace dtc {

/// What a task says of an input that it reads.
struct InputRows {
  /// Which input of the entry; of several that differ in their block only
  /// (towers), the first, since they are the same rows.
  uint32_t input = 0;
  int64_t steps = 0, dropped = 0; // of one pass; examples left over
  uint64_t digest = 0;            // of all rows of the file
};

/// Tasks may read different inputs, or several blocks of one. Not thread-safe.
class Epoch {
public:
  /// Rows that give no step are none. `task` is how messages call the task.
  /// INVALID_ARGUMENT when a task that was added before has other rows, or
  /// another number of them, for the input.
  Status add(const std::string &task, const InputRows &rows);

  /// Steps that one pass gives: the shortest input ends it. 0: none is read.
  int64_t steps() const { return steps_; }
  /// Examples that a pass leaves over in that input.
  int64_t dropped() const { return dropped_; }

private:
  struct Seen {
    std::string task;
    InputRows rows;
  };
  std::map<uint32_t, Seen> seen_; // by input
  int64_t steps_ = 0, dropped_ = 0;
};

} // namespace dtc

// Datasets: the rows that one task reads in an entry.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/plan/Plan.h"
#include "runtime/server/Session.h"

namespace dtc {

class Datasets {
public:
  /// Opens what the programs of `self` read: the file that options.data names,
  /// else the plan's default path, tried from the working directory and from
  /// the plan's folder. Errors name the data set and show how to bind it.
  static Result<std::unique_ptr<Datasets>>
  open(const Plan &plan, const proto::Entry &entry, const TaskId &self,
       const RunOptions &options, uint64_t seed);
  ~Datasets();

  /// Steps that one pass over the rows gives; 0 when the task reads nothing.
  int64_t stepsPerEpoch() const;
  /// Examples that a pass leaves over.
  int64_t droppedPerEpoch() const;
  /// Fills the columns of input `input` with this replica's rows of `step`.
  /// Any thread, several at once.
  Status read(uint32_t input, uint64_t step,
              std::span<const std::span<std::byte>> columns) const;

private:
  Datasets();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Does `self` execute a read of input `input` (of feed `feed`) in the entry?
bool readsInput(const Plan &plan, const proto::Entry &entry, const TaskId &self,
                uint32_t input);
bool readsFeed(const Plan &plan, const proto::Entry &entry, const TaskId &self,
               uint32_t feed);

} // namespace dtc

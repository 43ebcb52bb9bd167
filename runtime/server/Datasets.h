// Datasets: the rows that one task reads in an entry.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/input/Batcher.h"
#include "runtime/input/Table.h"
#include "runtime/plan/Plan.h"
#include "runtime/server/Epoch.h"
#include "runtime/server/Session.h"

namespace dtc {

/// Data files that the tasks of this process have read, each once. Thread-safe.
class TableCache {
public:
  Result<std::shared_ptr<const Table>> read(const std::string &path);

private:
  std::mutex mutex_; // guards tables_; held while a file is read
  std::map<std::string, std::shared_ptr<const Table>> tables_;
};

class Datasets {
public:
  /// Opens what the programs of `self` read: the file that options.data names,
  /// else the plan's default path, tried from the working directory and from
  /// the plan's folder. Errors name the data set and show how to bind it.
  static Result<std::unique_ptr<Datasets>>
  open(const Plan &plan, const proto::Entry &entry, const TaskId &self,
       const RunOptions &options, uint64_t seed, TableCache &tables);

  /// Every input that the task reads from a file.
  const std::vector<InputRows> &inputs() const { return inputs_; }
  /// Fills the columns of input `input` with this replica's rows of `step`.
  /// Any thread, several at once.
  Status read(uint32_t input, uint64_t step,
              std::span<const std::span<std::byte>> columns) const;

private:
  Datasets() = default;
  const proto::Entry *entry_ = nullptr;
  uint32_t replica_ = 0;
  decltype(RunOptions::rows) rows_; // instead of files, when it is there
  std::vector<std::unique_ptr<Batcher>> batchers_; // by input; null: not read
  std::vector<InputRows> inputs_;
};

/// Where the rows of `input` are. INVALID_ARGUMENT when nothing says it,
/// NOT_FOUND with the places that were tried.
Result<std::string> datasetPath(const Plan &plan, const proto::Input &input,
                                const std::map<std::string, std::string> &data);

/// Names in `data` that no entry of the plan reads are mistakes.
Status checkDatasetNames(const Plan &plan,
                         const std::map<std::string, std::string> &data);

/// Does `self` execute a read of input `input` (of feed `feed`) in the entry?
bool readsInput(const Plan &plan, const proto::Entry &entry, const TaskId &self,
                uint32_t input);
bool readsFeed(const Plan &plan, const proto::Entry &entry, const TaskId &self,
               uint32_t feed);

} // namespace dtc

// RunFlags: the options that run, launch and worker share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/plan/Plan.h"
#include "runtime/server/Session.h"
#include "tools/dtc/Prediction.h"

namespace dtc::tool {

struct RunFlags {
  std::string plan, entry, saveDirectory, loadDirectory, target;
  std::optional<int64_t> steps, epochs;
  uint64_t seed = 0;
  unsigned threads = 0; // 0: as many as this machine has cores
  double timeoutSeconds = 60;
  std::vector<std::string> data;    // NAME=PATH
  std::vector<std::string> feeds;   // NAME=@FILE.npy or NAME=1,2,3
  std::vector<std::string> fetches; // NAME=@FILE.npy or NAME=-
  std::vector<std::string> expects; // NAME=@FILE.npy
  double rtol = 0, atol = 0;
  bool json = false, predict = false;

  /// The flags as words of a command line, for a child that runs a task. How
  /// errors are reported is not among them: a child speaks to its parent.
  std::vector<std::string> arguments() const;
};

/// Declares the options on `verb`; --predict if the program can predict.
void addRunFlags(CLI::App &verb, RunFlags &flags, bool canPredict);

/// The run that the flags ask for. INVALID_ARGUMENT: a flag that is no
/// NAME=VALUE, a feed that does not fit the entry. Errors of files name them.
Result<RunOptions> toRunOptions(const RunFlags &flags, const Plan &plan);

/// Whether the files that --fetch names can be written, each by one output: a
/// long run should not end with results that have nowhere to go. For the task
/// that will call reportRun().
Status checkFetchFiles(const RunFlags &flags);

/// Prints what the run found to stdout (or writes it where --fetch says),
/// beside what was predicted if anything was, then compares with --expect.
/// Returns the exit code.
int reportRun(const std::string &verb, const RunFlags &flags, const Plan &plan,
              const RunSummary &summary,
              const std::optional<Prediction> &prediction);

} // namespace dtc::tool

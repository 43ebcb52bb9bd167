// Processes: the tasks that `dtc launch` runs as children on this machine.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"

namespace dtc::tool {

/// A child, and how it ended.
struct Child {
  TaskId task;
  std::string address;
  int pid = -1;
  int outputFd = -1, errorFd = -1;   // -1 once closed
  std::string outputLine, errorLine; // what came of the current line
  bool forwardsOutput = false;       // its stdout is ours
  std::optional<int> waitStatus;     // of waitpid, when it ended
  std::string lastError;             // its last line with "error:"

  bool isRunning() const { return pid > 0 && !waitStatus; }
  bool wasSignalled() const;
  /// 0..255; 128 + signal when it was killed.
  int exitCode() const;
};

/// Starts children, passes on what they print, and ends them all. One thread.
/// No child outlives the group, nor this process (PR_SET_PDEATHSIG).
class ProcessGroup {
public:
  ProcessGroup() = default;
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup &) = delete;

  /// Starts `arguments` with `environment` added to ours.
  Status
  start(const TaskId &task, const std::string &address,
        const std::vector<std::string> &arguments,
        const std::vector<std::pair<std::string, std::string>> &environment,
        bool forwardsOutput);
  /// Waits up to `timeout` for output or an end; prints whole lines, those of
  /// stderr as "[worker:1] …". Returns whether a child is still running.
  bool poll(std::chrono::milliseconds timeout);
  /// Sends `signal` to every running child.
  void signalAll(int signal);
  /// Polls until all have ended or `limit` is over.
  void drain(std::chrono::milliseconds limit);

  std::vector<Child> &children() { return children_; }

private:
  void read(Child &child, int &fd, std::string &line, bool isOutput);
  void printLine(Child &child, const std::string &line, bool isOutput);
  void reap();

  std::vector<Child> children_;
};

/// Ports that were free on 127.0.0.1 a moment ago.
Result<std::vector<int>> freePorts(size_t count);

} // namespace dtc::tool

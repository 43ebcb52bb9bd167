// LoopbackNetwork: the links between the tasks of one process.
//
// Tensors are not copied on the way: the receiver's handler sees the sender's
// bytes. When a receiver has nothing else to do, its handler and the completion
// are called from inside sendTensor(): no thread has to be woken. All else is
// for the one thread that each running endpoint has.
#pragma once

#include <memory>
#include <vector>

#include "runtime/transport/Transport.h"

namespace dtc {

/// Thread-safe. Must outlive its endpoints.
class LoopbackNetwork {
public:
  explicit LoopbackNetwork(std::vector<TaskId> tasks);
  ~LoopbackNetwork();

  /// The transport of `task`, which must be one of the network's. Ask once.
  /// Destroying it without stop() looks to its peers like kill().
  std::unique_ptr<Transport> endpoint(const TaskId &task);

  /// As if the task's process had been killed: its handler is called no more
  /// (but for a call that runs), its peers get onPeerLost after what it had
  /// sent before.
  void kill(const TaskId &task);

private:
  friend class LoopbackTransport;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace dtc

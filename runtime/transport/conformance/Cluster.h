// Cluster: what the transport tests need: tasks with handlers that write down
// what they see, and waits that end.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/transport/Transport.h"

namespace dtc::test {

inline Deadline soon() { return Deadline::after(std::chrono::seconds(30)); }

/// A handler that keeps everything. Thread-safe.
class Recorder final : public TransportHandler {
public:
  struct Message {
    TaskId from;
    std::string text;
  };
  struct Tensor {
    RendezvousKey key;
    std::string bytes;
    bool isWhole = false;
  };

  void onMessage(const TaskId &from, std::string message) override;
  void onTensor(const RendezvousKey &key, uint64_t totalBytes, uint64_t offset,
                std::span<const std::byte> bytes) override;
  void onPeerLost(const TaskId &peer, Status why) override;

  /// Waits until `count` have come; false: it took too long.
  bool waitForMessages(size_t count);
  bool waitForTensors(size_t count); // whole ones
  bool waitForLost(size_t count);

  std::vector<Message> messages() const;
  std::vector<Tensor> tensors() const;
  std::vector<std::pair<TaskId, Status>> lost() const;
  /// What broke the contract of TransportHandler, if anything did.
  std::string complaint() const;

private:
  bool waitFor(const std::function<bool()> &isTrue);

  mutable std::mutex mutex_; // guards all below
  mutable std::condition_variable changed_;
  std::vector<Message> messages_;
  std::vector<Tensor> tensors_;
  size_t wholeTensors_ = 0;
  std::vector<std::pair<TaskId, Status>> lost_;
  std::string complaint_;
};

/// A completion that can be waited for. Counts its calls.
class Outcome {
public:
  Completion completion();
  /// What it was called with; INTERNAL when it was not, for a long time.
  Status wait();
  int calls() const;

private:
  struct State;
  std::shared_ptr<State> state_ = makeState();
  static std::shared_ptr<State> makeState();
};

/// A network of one kind, for the conformance suite.
class Cluster {
public:
  virtual ~Cluster() = default;
  /// Makes the transport of a task, not yet started.
  virtual std::unique_ptr<Transport> make(const TaskId &task) = 0;
  /// Ends a task as if its process had been killed.
  virtual void kill(std::unique_ptr<Transport> &transport) = 0;
};

struct ClusterCase {
  std::string label;
  std::function<std::unique_ptr<Cluster>(std::vector<TaskId>)> make;
};
inline std::ostream &operator<<(std::ostream &out, const ClusterCase &c) {
  return out << c.label;
}

std::unique_ptr<Cluster> makeLoopbackCluster(std::vector<TaskId> tasks);
std::unique_ptr<Cluster> makeGrpcCluster(std::vector<TaskId> tasks);

/// A port of 127.0.0.1 that was free a moment ago.
int freePort();

} // namespace dtc::test

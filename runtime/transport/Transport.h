// Transport: how the tasks of a cluster talk. Two kinds of traffic over one
// ordered link per pair of tasks: small control messages (opaque bytes, the
// server's business) and tensors (raw bytes for the receiver's Rendezvous).
//
// Implementations: loopback/ (tasks of one process), grpc/ (processes).
// conformance/ holds the one test suite that all of them pass.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "runtime/base/Deadline.h"
#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"

namespace dtc {

/// Names one tensor on its way: which edge of the entry, in which step, sent
/// by whom. (The receiver is implied: it is whoever looks it up.)
struct RendezvousKey {
  uint64_t step = 0;
  uint32_t edge = 0; // index into the entry's edges
  TaskId source;

  std::string toString() const; // "edge 3 of step 17 from ps:0"
  friend auto operator<=>(const RendezvousKey &,
                          const RendezvousKey &) = default;
};

/// Called once, from any thread, when an operation ended.
using Completion = std::function<void(Status)>;

/// What a task does with what arrives. Calls come from transport threads, or
/// from one that is just sending; for one peer they come one at a time and in
/// the order in which it sent. Implementations must not block.
class TransportHandler {
public:
  virtual ~TransportHandler() = default;
  virtual void onMessage(const TaskId &from, std::string message) = 0;
  /// A piece of a tensor of `totalBytes`: `bytes` go at `offset`. Pieces of a
  /// tensor come in order; a tensor of 0 bytes is one empty piece. `bytes` is
  /// valid during the call only.
  virtual void onTensor(const RendezvousKey &key, uint64_t totalBytes,
                        uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// The link to `peer` broke (its process ended, the connection was cut, it
  /// sent nonsense). At most once a peer, never after stop(). The status is
  /// UNAVAILABLE and its message says what was seen ("connection closed").
  virtual void onPeerLost(const TaskId &peer, Status why) = 0;
};

/// One task's end of the cluster's links. Thread-safe.
class Transport {
public:
  virtual ~Transport() = default;

  /// This end's own name.
  virtual const TaskId &self() const = 0;
  /// Begins to accept links and to hand what arrives to `handler`, which must
  /// outlive stop(). Call once, before anything else.
  virtual Status start(TransportHandler &handler) = 0;
  /// Establishes the link to `peer`, retrying with back-off until it answers
  /// or `deadline` passes (DEADLINE_EXCEEDED; the message has the address, the
  /// last error and the number of tries). Links are symmetrical: when either
  /// side has connected, both may send. Idempotent.
  virtual void connect(const TaskId &peer, Deadline deadline,
                       Completion done) = 0;
  /// Queues a control message. UNAVAILABLE when there is no link.
  virtual Status sendMessage(const TaskId &peer, std::string message) = 0;
  /// Queues a tensor. `bytes` must stay valid until `done`, which is called
  /// when they were handed to the wire (not: received), perhaps before this
  /// returns. Never blocks.
  virtual void sendTensor(const TaskId &peer, const RendezvousKey &key,
                          std::span<const std::byte> bytes,
                          Completion done) = 0;
  /// The same, but it may stay in the queue until flush(peer), so that several
  /// share a write. Whatever else is sent to the peer takes it along.
  virtual void holdTensor(const TaskId &peer, const RendezvousKey &key,
                          std::span<const std::byte> bytes, Completion done) {
    sendTensor(peer, key, bytes, std::move(done));
  }
  /// Sends what is held for `peer`, whoever held it. Never blocks.
  virtual void flush(const TaskId &peer) {}
  /// Payload bytes of tensors handed to the wire so far, by peer.
  virtual std::map<TaskId, uint64_t> tensorBytesSent() const = 0;
  /// Writes to the wire that these took, by peer: what is queued together goes
  /// together. Empty where there is no wire.
  virtual std::map<TaskId, uint64_t> tensorWrites() const { return {}; }
  /// Sends what is queued (until `deadline`), closes all links, frees the port,
  /// calls what completions are left with CANCELLED. Idempotent. When it has
  /// returned the handler is not called any more.
  virtual void stop(Deadline deadline) = 0;
};

} // namespace dtc

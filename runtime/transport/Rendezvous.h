// Rendezvous: where tensors that arrived and receives that wait for them meet.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "runtime/transport/Transport.h"

namespace dtc {

/// One per task. Thread-safe. Send never blocks: a tensor that comes before its
/// receive is kept. Every receive has a deadline. After abort() everything,
/// now and later, ends with the abort's status.
class Rendezvous {
public:
  Rendezvous();
  /// Aborts with CANCELLED.
  ~Rendezvous();

  /// Asks for the tensor `key`. When all its bytes lie in `destination`, or on
  /// the first error, calls `done`, once, on whatever thread made it so.
  /// `destination` must stay valid until then. Errors: DEADLINE_EXCEEDED
  /// (names key and waiting time), DATA_LOSS (another size than the plan's),
  /// ALREADY_EXISTS (asked for twice), or the abort's.
  void recv(const RendezvousKey &key, std::span<std::byte> destination,
            Deadline deadline, Completion done);

  /// A piece of tensor `key` arrived (see TransportHandler::onTensor).
  void deliver(const RendezvousKey &key, uint64_t totalBytes, uint64_t offset,
               std::span<const std::byte> bytes);

  /// Poisons the table with the first non-OK status that it is given.
  void abort(Status why);
  /// OK, or what the table was aborted with.
  Status status() const;
  /// Readies an aborted table for another run: drops what is kept.
  void reset();

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace dtc

// GrpcTransport: the links between processes. One bidirectional gRPC stream
// for each pair of tasks, whoever opened it; Frame.h has its format.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "runtime/transport/Transport.h"

namespace dtc {

struct GrpcOptions {
  TaskId self;
  /// "host:port" of every task of the cluster, the own one included.
  std::map<TaskId, std::string> addresses;
  /// Where to listen, when it is not the own address; exactly that host.
  std::string listenAddress;
  /// Must be equal on all tasks: what names the run, the plan and the cluster.
  std::string token;
  /// Tensors travel in pieces of this size (4 KiB to 1 MiB).
  size_t chunkBytes = 256 << 10;
  /// Control messages that may wait for one peer, in bytes.
  size_t maxQueuedBytes = 64 << 20;
  /// A peer that is silent for the sum of both is lost.
  Duration keepaliveTime = std::chrono::milliseconds(1000);
  Duration keepaliveTimeout = std::chrono::milliseconds(2000);
  /// Told, from some thread, of every try to connect that failed.
  std::function<void(const TaskId &peer, int tries, std::string lastError)>
      onConnectRetry;
};

/// start() gives UNAVAILABLE "cannot listen on 127.0.0.1:2222: the port is in
/// use". Beyond Transport's contract: connect() ends at once, with the reason,
/// when the peer refuses (FAILED_PRECONDITION: another run, another task at
/// that address; ALREADY_EXISTS: the own name is taken). stop() must not be
/// called from a completion or the handler. Destroying the transport without
/// stop() looks to its peers as if the process had ended.
std::unique_ptr<Transport> makeGrpcTransport(GrpcOptions options);

} // namespace dtc

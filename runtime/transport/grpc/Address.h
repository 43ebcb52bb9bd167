// Address: what gRPC and the sockets say, in the words of our messages.
#pragma once

#include <string>

#include <grpcpp/support/status.h>

#include "runtime/base/Status.h"

namespace dtc {

/// The one method of a task's gRPC server: opens a link.
inline constexpr char kLinkMethod[] = "/dtc.Link/Open";

/// OK when a server could listen on `address` ("host:port"), else UNAVAILABLE
/// "cannot listen on 127.0.0.1:2222: the port is in use", or INVALID_ARGUMENT
/// when it is no address.
Status checkListen(const std::string &address);

/// A gRPC status as ours, the network's errors in plain words ("connection
/// refused", "connection closed", "no answer to keepalive pings").
Status fromGrpc(const grpc::Status &status);
grpc::Status toGrpc(const Status &status);

} // namespace dtc

#include "runtime/transport/grpc/Address.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dtc {
namespace {

/// Binds once, as gRPC will, and lets go again. 0 or the errno.
int tryBind(const addrinfo &info) {
  int fd = socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return errno;
  int one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  int error = bind(fd, info.ai_addr, info.ai_addrlen) < 0 ? errno : 0;
  // Two sockets may bind to a port that none listens on.
  if (error == 0 && listen(fd, 1) < 0)
    error = errno;
  close(fd);
  return error;
}

std::string wordsOf(int error) {
  switch (error) {
  case EADDRINUSE:
    return "the port is in use";
  case EADDRNOTAVAIL:
    return "this machine does not have that address";
  case EACCES:
    return "this user may not open that port";
  default:
    return std::strerror(error);
  }
}

/// gRPC's descriptions hold the system's words; the first that is found is
/// what a person needs.
std::string plainWords(const std::string &message) {
  static constexpr std::pair<const char *, const char *> kWords[] = {
      {"Connection refused", "connection refused"},
      {"keepalive watchdog timeout", "no answer to keepalive pings"},
      {"No route to host", "no route to host"},
      {"Network is unreachable", "network is unreachable"},
      {"Connection timed out", "no answer"},
      {"DNS resolution failed", "the host name is not known"},
      {"Connection reset", "connection closed"},
      {"Broken pipe", "connection closed"},
      {"Socket closed", "connection closed"},
      {"GOAWAY", "connection closed"},
      {"Stream removed", "connection closed"},
      {"Channel shutdown", "connection closed"},
      {"CANCELLED", "connection closed"},
  };
  for (auto [theirs, ours] : kWords)
    if (message.find(theirs) != std::string::npos)
      return ours;
  return message.empty() ? "connection closed" : message;
}

} // namespace

Status checkListen(const std::string &address) {
  std::string what = strCat("cannot listen on ", address, ": ");
  size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == address.size())
    return Status::invalidArgument(what + "host:port is expected");
  std::string host = address.substr(0, colon);
  if (host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  int error =
      getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &found);
  if (error != 0)
    return Status::unavailable(what + gai_strerror(error));
  std::unique_ptr<addrinfo, void (*)(addrinfo *)> owner(found, freeaddrinfo);
  // A host without IPv6 still resolves localhost to ::1: one address that
  // works is enough, but none may be somebody else's.
  int failure = EADDRNOTAVAIL;
  for (addrinfo *info = found; info; info = info->ai_next) {
    int bound = tryBind(*info);
    if (bound == EADDRINUSE)
      return Status::unavailable(what + wordsOf(bound));
    if (failure != 0)
      failure = bound;
  }
  return failure == 0 ? Status::ok()
                      : Status::unavailable(what + wordsOf(failure));
}

Status fromGrpc(const grpc::Status &status) {
  if (status.ok())
    return Status::ok();
  auto code = static_cast<StatusCode>(status.error_code());
  bool isNetworks = code == StatusCode::Unavailable ||
                    code == StatusCode::Cancelled ||
                    code == StatusCode::Unknown;
  if (!isNetworks)
    return Status(code, status.error_message());
  return Status::unavailable(plainWords(status.error_message()));
}

grpc::Status toGrpc(const Status &status) {
  return {static_cast<grpc::StatusCode>(status.code()), status.message()};
}

} // namespace dtc

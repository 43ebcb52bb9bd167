#include "tools/dtc/Signals.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace dtc::tool {
namespace {

// A handler may do little more than write: the waiter reads the other end.
int wakePipe[2] = {-1, -1};
volatile std::sig_atomic_t firstSignal = 0;

void onSignal(int signal) {
  if (firstSignal == 0)
    firstSignal = signal;
  char byte = 1;
  [[maybe_unused]] ssize_t written = write(wakePipe[1], &byte, 1);
}

void handle(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

} // namespace

SignalInterrupt::SignalInterrupt() {
  firstSignal = 0;
  if (pipe(wakePipe) != 0)
    return; // without a pipe the signals keep their default: they end us
  waiter_ = std::jthread([interrupt = interrupt_] {
    char byte = 0;
    while (read(wakePipe[0], &byte, 1) < 0 && errno == EINTR)
      continue;
    if (byte == 1)
      interrupt->raise(Status::cancelled("stopped by a signal"));
  });
  handle(onSignal);
}

SignalInterrupt::~SignalInterrupt() {
  handle(SIG_DFL);
  char byte = 0; // lets the waiter go without raising
  [[maybe_unused]] ssize_t written = write(wakePipe[1], &byte, 1);
  if (waiter_.joinable())
    waiter_.join();
  close(wakePipe[0]);
  close(wakePipe[1]);
}

int SignalInterrupt::caught() const { return firstSignal; }

} // namespace dtc::tool

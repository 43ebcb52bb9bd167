// Signals: SIGINT and SIGTERM end a run in an orderly way.
#pragma once

#include <memory>
#include <thread>

#include "runtime/server/Session.h"

namespace dtc::tool {

/// While it lives, the two signals raise its interrupt. One at a time.
class SignalInterrupt {
public:
  SignalInterrupt();
  ~SignalInterrupt();
  SignalInterrupt(const SignalInterrupt &) = delete;

  std::shared_ptr<Interrupt> interrupt() const { return interrupt_; }
  /// The signal that came first, or 0.
  int caught() const;

private:
  std::shared_ptr<Interrupt> interrupt_ = std::make_shared<Interrupt>();
  std::jthread waiter_; // turns the handler's byte into a raise()
};

} // namespace dtc::tool

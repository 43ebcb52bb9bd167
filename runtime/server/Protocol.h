// The constants of the protocol between tasks; control.proto has its messages.
#pragma once

#include <cstdint>

namespace dtc {

/// Tasks of different versions refuse each other.
inline constexpr uint32_t protocolVersion = 2;

/// Step numbers in rendezvous keys that no run reaches; the edge is then the
/// number of a variable or feed, and the source says who sends.
enum ReservedStep : uint64_t {
  loadStep = UINT64_MAX,        // chief → home: a variable that was loaded
  feedStep = UINT64_MAX - 1,    // chief → task: a feed
  collectStep = UINT64_MAX - 2, // home → chief: a variable at the end
};
/// Steps of a run are below this.
inline constexpr uint64_t maxSteps = uint64_t(1) << 62;

} // namespace dtc

// Faults: the mistakes that a compiler of partitions makes, put into a plan.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "runtime/plan/plan.pb.h"

namespace dtc::mutation {

/// A stream of choices; the same seed makes the same ones.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  /// Below `count`, which is at least 1.
  uint64_t below(uint64_t count) { return engine_() % count; }
  bool flip() { return below(2) == 0; }
  template <typename List>
  const auto &of(const List &list) {
    return list[below(list.size())];
  }

private:
  std::mt19937_64 engine_; // the standard fixes its numbers
};

/// Puts one fault of a kind into `plan` and says what it did; "" when it found
/// no place for it (`plan` may then be changed).
using Inject = std::string (*)(proto::Plan &plan, Dice &dice);

struct FaultKind {
  const char *name;
  std::vector<Inject> variants;
};

/// The kinds; each has a score of its own.
const std::vector<FaultKind> &faultKinds();

} // namespace dtc::mutation

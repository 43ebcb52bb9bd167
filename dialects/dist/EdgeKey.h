// The key of an edge: `<name>:<slot> <source task>-><target task>`, as in
// "w1:0 ps:0->worker:*". A second edge of the same value between the same tasks
// (into another activation) adds ` #2`.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace dtc::dist {

struct EdgeKey {
  std::string name;           // of the value, as the graph names it
  int64_t slot = 0;           // which result of its op the value is
  std::string source, target; // tasks: "ps:0", "worker:*"
  int64_t copy = 1;

  std::string toString() const;
  /// Nothing if `text` is no key.
  static std::optional<EdgeKey> parse(llvm::StringRef text);
};

} // namespace dtc::dist

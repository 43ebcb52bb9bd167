// JsonText: a JSON document that remembers where each value stood, so that a
// message about it can say line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/Status.h"

namespace dtc {

struct JsonValue {
  enum class Kind { Null, Bool, Integer, Float, String, Array, Object };
  struct Member;

  Kind kind = Kind::Null;
  size_t offset = 0; // of the value's first byte
  int64_t integer = 0;
  std::string string;
  std::vector<JsonValue> elements;
  std::vector<Member> members; // in the document's order

  /// The member called `name`, or nullptr.
  const Member *find(std::string_view name) const;
  /// "a list", "the number 3", …: what a message calls it.
  std::string describe() const;
};

struct JsonValue::Member {
  std::string name;
  size_t offset = 0; // of the name
  JsonValue value;
};

/// Parses `text`, which nobody vouches for: at most 1 MiB, nested at most 16
/// deep, no object with one name twice, whole numbers within 64 bits (others
/// become Float). Errors: INVALID_ARGUMENT "NAME:LINE:COLUMN: …".
Result<JsonValue> parseJson(std::string_view text, const std::string &name);

/// "NAME:LINE:COLUMN: " of a byte offset; both count from 1.
std::string jsonPosition(std::string_view text, size_t offset,
                         const std::string &name);

} // namespace dtc

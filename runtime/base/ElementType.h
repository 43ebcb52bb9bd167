// ElementType: what a tensor's elements are. The numbers are those of
// plan.proto's ElementType, so that rooms without protobuf can speak of them.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string_view>

namespace dtc {

enum class ElementType : int {
  F32 = 1,
  F64 = 2,
  F16 = 3,
  BF16 = 4,
  I1 = 5, // one byte, 0 or 1
  I8 = 6,
  U8 = 7,
  I32 = 8,
  I64 = 9,
};

/// Bytes of one element; 0 for a number that is no ElementType.
constexpr size_t sizeBytes(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::U8:
    return 1;
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::F32:
  case ElementType::I32:
    return 4;
  case ElementType::F64:
  case ElementType::I64:
    return 8;
  }
  return 0;
}

/// The type as graph files spell it ("f32", "i1", "ui8").
constexpr std::string_view name(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::I1:
    return "i1";
  case ElementType::I8:
    return "i8";
  case ElementType::U8:
    return "ui8";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  }
  return "?";
}

/// The ElementType with that number (as a plan holds it), or nothing.
constexpr std::optional<ElementType> elementTypeFromNumber(int number) {
  if (number < 1 || number > 9)
    return std::nullopt;
  return static_cast<ElementType>(number);
}

constexpr bool isFloat(ElementType type) {
  return type == ElementType::F32 || type == ElementType::F64 ||
         type == ElementType::F16 || type == ElementType::BF16;
}

inline std::ostream &operator<<(std::ostream &out, ElementType type) {
  return out << name(type);
}

} // namespace dtc

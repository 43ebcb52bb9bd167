#include "tools/dtc/SeededInputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dtc::tool {
namespace {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): one word of state, any seed is a good one.
class Generator {
public:
  explicit Generator(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform on [0, 1).
  double unit() { return (next() >> 11) * 0x1p-53; }

private:
  uint64_t state_;
};

uint64_t mix(uint64_t seed, uint64_t word) {
  return Generator(seed ^ Generator(word).next()).next();
}

uint64_t mix(uint64_t seed, const std::string &text) {
  for (unsigned char c : text)
    seed = mix(seed, c);
  return seed;
}

template <typename T>
void put(std::span<std::byte> bytes, size_t index, double value) {
  T typed = static_cast<T>(value);
  std::memcpy(bytes.data() + index * sizeof(T), &typed, sizeof(T));
}

/// f32's upper half, or the half-precision pattern of a small non-negative
/// number: enough for values on [0, 1) and whole numbers.
uint16_t narrow16(double value, bool isBrain) {
  float single = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  if (isBrain)
    return bits >> 16;
  int exponent = static_cast<int>((bits >> 23) & 0xff) - 127 + 15;
  if (exponent <= 0)
    return 0;
  return (bits >> 16 & 0x8000) | (exponent << 10) | (bits >> 13 & 0x3ff);
}

void putElement(ElementType element, std::span<std::byte> bytes, size_t index,
                double value) {
  switch (element) {
  case ElementType::F32:
    return put<float>(bytes, index, value);
  case ElementType::F64:
    return put<double>(bytes, index, value);
  case ElementType::F16:
  case ElementType::BF16: {
    uint16_t half = narrow16(value, element == ElementType::BF16);
    std::memcpy(bytes.data() + index * 2, &half, 2);
    return;
  }
  case ElementType::I1:
    return put<uint8_t>(bytes, index, value != 0);
  case ElementType::I8:
    return put<int8_t>(bytes, index, value);
  case ElementType::U8:
    return put<uint8_t>(bytes, index, value);
  case ElementType::I32:
    return put<int32_t>(bytes, index, value);
  case ElementType::I64:
    return put<int64_t>(bytes, index, value);
  }
}

double drawField(Generator &generator, const proto::Column &column,
                 ElementType element) {
  double low = column.min(), high = std::max(column.min(), column.max());
  if (isFloat(element))
    return (low + generator.unit() * (high - low)) * column.scale();
  return std::floor(low +
                    generator.unit() * (std::floor(high) - std::ceil(low) + 1));
}

} // namespace

Status fillRows(uint64_t seed, const proto::Input &input, uint64_t step,
                uint32_t replica,
                std::span<const std::span<std::byte>> columns) {
  uint64_t blocks = std::max<int64_t>(1, input.blocks());
  uint64_t rows = mix(mix(mix(seed, input.dataset()), step),
                      replica * blocks + input.block());
  for (size_t i = 0; i < columns.size(); ++i) {
    const proto::Column &column = input.columns(i);
    DTC_ASSIGN_OR_RETURN(TensorType type, TensorType::create(column.type()));
    Generator generator(mix(rows, column.first_field()));
    for (size_t element = 0; element < type.elements; ++element)
      putElement(type.element, columns[i], element,
                 drawField(generator, column, type.element));
  }
  return Status::ok();
}

Tensor seededFeed(uint64_t seed, const std::string &name,
                  const TensorType &type) {
  Tensor feed{type.element, type.shape, std::vector<std::byte>(type.bytes)};
  Generator generator(mix(seed, name));
  for (size_t i = 0; i < type.elements; ++i) {
    double unit = generator.unit();
    putElement(type.element, feed.bytes, i,
               isFloat(type.element) ? unit : std::floor(2 * unit));
  }
  return feed;
}

} // namespace dtc::tool

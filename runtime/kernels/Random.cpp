// Stateless random numbers. Element i of replica r is a function of the key, a
// hash of seed and stream, and of the Philox counter: index r * elements + i,
// then the step. So nobody's numbers depend on who computes them, or when.
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Philox.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace dtc;

namespace {
/// FNV-1a of the seed's bytes, then the stream's.
uint64_t keyOf(uint64_t seed, const std::string &stream) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (int shift = 0; shift < 64; shift += 8)
    add(static_cast<unsigned char>(seed >> shift));
  for (char c : stream)
    add(static_cast<unsigned char>(c));
  return hash;
}

/// What a random op draws from.
struct Draw {
  uint64_t key = 0, step = 0, first = 0;
  double low = 0, high = 0; // or mean and standard deviation

  uint64_t bits(int64_t i) const {
    uint64_t index = first + uint64_t(i);
    PhiloxBlock block = philox({uint32_t(key), uint32_t(key >> 32)},
                               {uint32_t(index), uint32_t(index >> 32),
                                uint32_t(step), uint32_t(step >> 32)});
    return uint64_t(block[0]) << 32 | block[1];
  }
  /// In (0, 1).
  double open(int64_t i) const {
    uint64_t word = bits(i);
    return openUnit(uint32_t(word >> 32), uint32_t(word));
  }
};

Result<Draw> drawOf(const KernelCall &call) {
  if (call.operands.size() != 2)
    DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectCounts(call.operands.size(), 1));
  for (const TensorRef &count : call.operands) {
    DTC_RETURN_IF_ERROR(call.expectElement(count, ElementType::I64));
    DTC_RETURN_IF_ERROR(call.expectShape(count, {}));
  }
  DTC_RETURN_IF_ERROR(call.expectFloat(call.results[0]));
  auto stream = call.attributes.find("stream");
  if (stream == call.attributes.end() ||
      !std::holds_alternative<std::string>(stream->second))
    return call.error("needs the attribute 'stream', a text");
  Draw draw;
  DTC_ASSIGN_OR_RETURN(int64_t seed, call.integer("seed"));
  draw.key = keyOf(uint64_t(seed), std::get<std::string>(stream->second));
  DTC_ASSIGN_OR_RETURN(draw.low, call.real("low"));
  DTC_ASSIGN_OR_RETURN(draw.high, call.real("high"));
  auto count = [&](size_t operand) {
    return uint64_t(*elements<int64_t>(call.operands[operand]));
  };
  draw.step = count(0);
  if (call.operands.size() == 2)
    draw.first = count(1) * uint64_t(elementCount(call.results[0].shape));
  return draw;
}

/// As many bits as the element type holds exactly below 1.
template <typename T>
constexpr int kUniformBits = std::numeric_limits<T>::digits;
template <>
constexpr int kUniformBits<Half> = 11;
template <>
constexpr int kUniformBits<BFloat16> = 8;

double distribution(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

/// The normal distribution's inverse: a rational approximation (Abramowitz and
/// Stegun 26.2.23), then Halley's method to the last bits.
double quantile(double p) {
  if (p > 0.5)
    return -quantile(1 - p);
  double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int round = 0; round < 2; ++round) {
    double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    double change = (distribution(x) - p) / density;
    x -= change / (1 + x * change / 2);
  }
  return x;
}

/// Fills the result with f(tag, i).
template <typename F>
Status fill(const KernelCall &call, F f) {
  const TensorRef &result = call.results[0];
  return visitElement(
      result.element, [&]<typename T>(std::type_identity<T> tag) {
        if constexpr (std::is_floating_point_v<Compute<T>>)
          for (int64_t i = 0, n = elementCount(result.shape); i < n; ++i)
            store(elements<T>(result), i, Compute<T>(f(tag, i)));
        return Status::ok();
      });
}
} // namespace

Status dtc::runRandomUniform(const KernelCall &call) {
  DTC_ASSIGN_OR_RETURN(Draw draw, drawOf(call));
  return fill(call, [&]<typename T>(std::type_identity<T>, int64_t i) {
    constexpr int digits = kUniformBits<T>;
    double unit = std::ldexp(double(draw.bits(i) >> (64 - digits)), -digits);
    return draw.low + (draw.high - draw.low) * unit;
  });
}

Status dtc::runRandomNormal(const KernelCall &call) {
  DTC_ASSIGN_OR_RETURN(Draw draw, drawOf(call));
  return fill(call, [&](auto, int64_t i) {
    return draw.low + draw.high * quantile(draw.open(i));
  });
}

Status dtc::runRandomTruncatedNormal(const KernelCall &call) {
  DTC_ASSIGN_OR_RETURN(Draw draw, drawOf(call));
  const double below = distribution(-2);
  return fill(call, [&](auto, int64_t i) {
    double z = quantile(below + draw.open(i) * (1 - 2 * below));
    return draw.low + draw.high * std::clamp(z, -2.0, 2.0);
  });
}

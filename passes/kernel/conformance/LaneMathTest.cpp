// exp and log over the whole range of their arguments, and where IEEE 754 is
// particular.
#include "passes/kernel/conformance/TestKernel.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace dtc;
using namespace dtc::kernel;

namespace {
/// f(x) of the compiled op `op` on T for every x.
template <typename T>
std::vector<T> evaluate(const std::string &op, const std::vector<T> &x) {
  std::string type = "tensor<" + std::to_string(x.size()) +
                     (sizeof(T) == 4 ? "xf32>" : "xf64>");
  TestKernel kernel("func.func @k(%x: " + type + ") -> " + type +
                    " {\n %y = graph." + op + " %x : " + type +
                    "\n return %y : " + type + "\n}");
  std::memcpy(kernel.inputs()[0].data, x.data(), x.size() * sizeof(T));
  std::vector<T> y(x.size());
  std::memcpy(y.data(), kernel.run(kernel.compile("x86-64-v3"))[0].data,
              y.size() * sizeof(T));
  return y;
}

/// |value - exact| in units of the last place of `exact` as a T.
template <typename T>
double ulps(T value, long double exact) {
  T rounded = T(exact);
  if (value == rounded)
    return 0;
  T next =
      std::nextafter(std::abs(rounded), std::numeric_limits<T>::infinity());
  return double(std::abs((long double)value - exact) /
                ((long double)next - std::abs(rounded)));
}

/// The largest error of `op` over x; `exact` is the true function.
template <typename T, typename F>
double worst(const std::string &op, const std::vector<T> &x, F exact) {
  std::vector<T> y = evaluate(op, x);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, ulps(y[i], exact((long double)x[i])));
  return largest;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// `count` evenly spaced values of [low, high].
template <typename T>
std::vector<T> spaced(T low, T high, int count) {
  std::vector<T> x;
  for (int i = 0; i < count; ++i)
    x.push_back(low + (high - low) * T(i) / T(count - 1));
  return x;
}

/// Positive values of all exponents, subnormal ones too.
template <typename T>
std::vector<T> allExponents(int count) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  T last = std::numeric_limits<T>::max();
  Bits end;
  std::memcpy(&end, &last, sizeof(T));
  std::vector<T> x;
  for (int i = 1; i <= count; ++i) {
    Bits bits = Bits((long double)(end) / count * i);
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    x.push_back(value);
  }
  return x;
}

long double exactExp(long double x) { return std::exp(x); }
long double exactLog(long double x) { return std::log(x); }
} // namespace

TEST(LaneMath, ExpIsWithinTwoUlps) {
  EXPECT_LE(worst("exp", spaced<float>(-87, 88.7f, 200001), exactExp), 2);
  EXPECT_LE(worst("exp", spaced<float>(-1, 1, 200001), exactExp), 2);
  EXPECT_LE(worst("exp", spaced<double>(-708, 709.7, 200001), exactExp), 2);
}

// Results below the smallest normal number are rounded, not flushed.
TEST(LaneMath, ExpUnderflowsGradually) {
  EXPECT_LE(worst("exp", spaced<float>(-104, -87, 20001), exactExp), 2);
  EXPECT_LE(worst("exp", spaced<double>(-745, -708, 20001), exactExp), 2);
}

TEST(LaneMath, ExpAtTheEdges) {
  std::vector<float> y = evaluate<float>(
      "exp", {0, -0.0f, kInfinity, -kInfinity, 89, -104, -1e30f, 1e30f, NAN});
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(y[2], kInfinity);
  EXPECT_EQ(y[3], 0);
  EXPECT_EQ(y[4], kInfinity);
  EXPECT_EQ(y[5], 0);
  EXPECT_EQ(y[6], 0);
  EXPECT_EQ(y[7], kInfinity);
  EXPECT_TRUE(std::isnan(y[8]));
}

TEST(LaneMath, LogIsWithinTwoUlps) {
  EXPECT_LE(worst("log", allExponents<float>(300000), exactLog), 2);
  EXPECT_LE(worst("log", spaced<float>(0.5f, 2, 200001), exactLog), 2);
  EXPECT_LE(worst("log", allExponents<double>(300000), exactLog), 2);
  EXPECT_LE(worst("log", spaced<double>(0.5, 2, 200001), exactLog), 2);
}

TEST(LaneMath, LogAtTheEdges) {
  std::vector<float> y = evaluate<float>(
      "log", {1, 0, -0.0f, kInfinity, -1, -kInfinity, NAN, 1e-45f});
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], -kInfinity);
  EXPECT_EQ(y[2], -kInfinity);
  EXPECT_EQ(y[3], kInfinity);
  EXPECT_TRUE(std::isnan(y[4]));
  EXPECT_TRUE(std::isnan(y[5]));
  EXPECT_TRUE(std::isnan(y[6]));
  EXPECT_FLOAT_EQ(y[7], -103.278929f);
}

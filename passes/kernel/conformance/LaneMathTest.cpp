// Our functions over the whole range of their arguments, and where IEEE 754 is
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

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

namespace {
/// The largest errors of `op` in f32 and in f64 over [low, high] and, spaced by
/// exponents, near 0.
template <typename F>
void expectWithin(const std::string &op, double low, double high, F exact,
                  double ulps32, double ulps64) {
  SCOPED_TRACE(op);
  EXPECT_LE(worst(op, spaced<float>(low, high, 200001), exact), ulps32);
  EXPECT_LE(worst(op, spaced<float>(-1e-3f, 1e-3f, 20001), exact), ulps32);
  EXPECT_LE(worst(op, spaced<double>(low, high, 200001), exact), ulps64);
  EXPECT_LE(worst(op, spaced<double>(-1e-5, 1e-5, 20001), exact), ulps64);
}

using Real = long double;
} // namespace

TEST(LaneMath, CurvesAreAccurate) {
  expectWithin("tanh", -25, 25, [](Real x) { return std::tanh(x); }, 4, 4);
  expectWithin(
      "sigmoid", -80, 40, [](Real x) { return 1 / (1 + std::exp(-x)); }, 4, 4);
  expectWithin(
      "softplus", -80, 90,
      [](Real x) {
        return std::log1p(std::exp(-std::abs(x))) + (x > 0 ? x : 0);
      },
      4, 4);
  expectWithin(
      "elu", -70, 5, [](Real x) { return x > 0 ? x : std::expm1(x); }, 4, 4);
  expectWithin("erf", -7, 7, [](Real x) { return std::erf(x); }, 1, 4);
}

TEST(LaneMath, SineAndCosineAreAccurate) {
  for (double most : {10.0, 1e5, 1e9}) {
    expectWithin("sin", -most, most, [](Real x) { return std::sin(x); }, 1, 2);
    expectWithin("cos", -most, most, [](Real x) { return std::cos(x); }, 1, 2);
  }
}

// Far beyond what floats can count quarter turns to, and across that border.
TEST(LaneMath, SineAndCosineAreAccurateFarFromZero) {
  auto expect = [](auto x) {
    EXPECT_LE(worst("sin", x, [](Real x) { return std::sin(x); }), 2);
    EXPECT_LE(worst("cos", x, [](Real x) { return std::cos(x); }), 2);
  };
  expect(allExponents<float>(100000));
  expect(allExponents<double>(100000));
  expect(spaced<float>(-3e38f, 3e38f, 20001));
  expect(spaced<double>(-0x1p51, 0x1p51, 20001));
  expect(std::vector<double>{0x1.6ac5b262ca1ffp+849, -1e300, 0x1.8p1023});
}

// Phi comes from erfc of a rounded x / sqrt(2): below 0 the error grows with
// x².
TEST(LaneMath, GeluIsAccurate) {
  auto exact = [](Real x) {
    return x / 2 * std::erfc(-x * 0.70710678118654752440084436210485L);
  };
  EXPECT_LE(worst("gelu", spaced<float>(-12, 12, 200001), exact), 1);
  EXPECT_LE(worst("gelu", spaced<double>(-2, 12, 200001), exact), 10);
  EXPECT_LE(worst("gelu", spaced<double>(-12, -2, 200001), exact), 256);
}

TEST(LaneMath, CurvesAtTheEdges) {
  std::vector<float> x = {kInfinity, -kInfinity, NAN, 0, -0.0f};
  auto expect = [&](const std::string &op, std::vector<float> expected) {
    SCOPED_TRACE(op);
    std::vector<float> y = evaluate<float>(op, x);
    for (size_t i = 0; i < x.size(); ++i)
      if (std::isnan(expected[i]))
        EXPECT_TRUE(std::isnan(y[i])) << "at " << x[i];
      else
        EXPECT_EQ(y[i], expected[i]) << "at " << x[i];
  };
  expect("tanh", {1, -1, NAN, 0, -0.0f});
  expect("sigmoid", {1, 0, NAN, 0.5f, 0.5f});
  expect("softplus", {kInfinity, 0, NAN, 0.693147182f, 0.693147182f});
  expect("elu", {kInfinity, -1, NAN, 0, 0});
  expect("erf", {1, -1, NAN, 0, 0});
  expect("sin", {NAN, NAN, NAN, 0, 0});
  expect("cos", {NAN, NAN, NAN, 1, 1});
  expect("gelu", {kInfinity, NAN, NAN, 0, 0});
}

//===----------------------------------------------------------------------===//
// pow
//===----------------------------------------------------------------------===//

namespace {
/// x[i] to the y[i] by the compiled op.
template <typename T>
std::vector<T> powers(const std::vector<T> &x, const std::vector<T> &y) {
  std::string type = "tensor<" + std::to_string(x.size()) +
                     (sizeof(T) == 4 ? "xf32>" : "xf64>");
  TestKernel kernel("func.func @k(%x: " + type + ", %y: " + type + ") -> " +
                    type + " {\n %r = graph.pow %x, %y : " + type + ", " +
                    type + "\n return %r : " + type + "\n}");
  std::memcpy(kernel.inputs()[0].data, x.data(), x.size() * sizeof(T));
  std::memcpy(kernel.inputs()[1].data, y.data(), y.size() * sizeof(T));
  std::vector<T> r(x.size());
  std::memcpy(r.data(), kernel.run(kernel.compile("x86-64-v3"))[0].data,
              r.size() * sizeof(T));
  return r;
}

/// The largest error over bases of all exponents, with exponents that use the
/// whole range of results.
template <typename T>
double worstPower() {
  std::vector<T> x = allExponents<T>(200000), y;
  Real range = std::log(Real(std::numeric_limits<T>::max()));
  for (size_t i = 0; i < x.size(); ++i) {
    Real log = std::log(Real(x[i]));
    Real wanted = (Real(i % 1999) / 1000 - 1) * range * 0.99L;
    y.push_back(T(std::abs(log) < 1e-3L ? 1 : wanted / log));
  }
  std::vector<T> r = powers(x, y);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, ulps(r[i], std::pow(Real(x[i]), Real(y[i]))));
  return largest;
}
} // namespace

TEST(LaneMath, PowIsAccurate) {
  EXPECT_LE(worstPower<float>(), 1);
  EXPECT_LE(worstPower<double>(), 4);
}

TEST(LaneMath, PowHasTheSpecialCasesOfC) {
  std::vector<double> values = {
      0,      -0.0,     1,         -1,  2,      -2,         3,
      -3,     0.5,      -0.5,      1.5, -1.5,   1e300,      -1e300,
      5e-324, HUGE_VAL, -HUGE_VAL, NAN, 0x1p53, 0x1p53 + 2, -0x1p53};
  std::vector<double> x, y;
  for (double a : values)
    for (double b : values)
      x.push_back(a), y.push_back(b);
  std::vector<double> r = powers(x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = std::pow(x[i], y[i]);
    SCOPED_TRACE(testing::Message() << x[i] << " to the " << y[i]);
    if (std::isnan(exact))
      EXPECT_TRUE(std::isnan(r[i])) << r[i];
    else
      EXPECT_DOUBLE_EQ(r[i], exact);
    if (!std::isnan(exact))
      EXPECT_EQ(std::signbit(r[i]), std::signbit(exact));
  }
}

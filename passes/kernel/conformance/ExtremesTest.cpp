// Functions of floats against the reference kernels where arguments are
// extreme: every value of a 16-bit type; of the others all exponents with both
// signs, multiples of a quarter turn, the edges of overflow and underflow.
#include "passes/kernel/conformance/TestKernel.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

using namespace dtc;
using namespace dtc::kernel;

namespace {
/// What a test needs to know of an element type.
struct Type {
  std::string name;
  double tolerance;    // relative
  double smallest;     // subnormal
  int lowest, highest; // exponents, those of subnormals too
};
const Type kTypes[] = {{"f32", 2e-6, 0x1p-149, -149, 127},
                       {"f64", 1e-14, 0x1p-1074, -1074, 1023},
                       {"f16", 1e-3, 0x1p-24, -24, 15},
                       {"bf16", 8e-3, 0x1p-133, -133, 127}};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isShort(const Type &type) { return type.name.ends_with("f16"); }

/// Where some function overflows, underflows or takes another way.
void appendEdges(std::vector<double> &x) {
  for (double edge :
       {0.48,  0.5,   0.52, 1.0,   5.8,   5.93,   9.01,  9.2,    9.3,    11.09,
        16.64, 17.33, 22.0, 26.5,  27.3,  37.5,   38.6,  60.0,   87.33,  88.02,
        88.72, 88.73, 89.4, 103.2, 104.1, 103.98, 708.4, 709.79, 745.14, 746.0})
    x.push_back(edge);
  for (int k = 1; k < 1000; k += k < 40 ? 1 : 37)
    x.push_back(k * std::numbers::pi / 2);
  // Neighbours of 2^50, and the f64 and an f32 nearest to a quarter turn.
  for (double edge : {0x1p50, 0x1.fffffp49, 1e20, 1e22, 0x1.5fdbcp+101, 3e38,
                      1e300, 0x1.6ac5b262ca1ffp+849})
    x.push_back(edge);
}

std::vector<double> gridOf(const Type &type) {
  std::vector<double> x = {0, kInfinity};
  for (int exponent = type.lowest; exponent <= type.highest; ++exponent)
    for (double mantissa :
         {1.0, 1.0000001, 1.0625, 1.25, 1.5, 1.7109375, 1.9921875})
      x.push_back(std::ldexp(mantissa, exponent));
  appendEdges(x);
  for (size_t count = x.size(), i = 0; i < count; ++i)
    x.push_back(-x[i]);
  x.push_back(NAN);
  return x;
}

/// The grid, or all 65,536 values.
void fill(TestTensor &tensor, const Type &type) {
  std::vector<double> grid = gridOf(type);
  for (int64_t i = 0; i < tensor.count; ++i)
    if (isShort(type))
      reinterpret_cast<uint16_t *>(tensor.data)[i] = uint16_t(i);
    else if (type.name == "f32")
      reinterpret_cast<float *>(tensor.data)[i] = float(grid[size_t(i)]);
    else
      reinterpret_cast<double *>(tensor.data)[i] = grid[size_t(i)];
}

/// Whether `value` is as near to `expected` as it must be, with its sign.
bool isRight(double value, double expected, const Type &type) {
  if (std::isnan(expected))
    return std::isnan(value);
  if (std::signbit(value) != std::signbit(expected))
    return false;
  double error = std::abs(value - expected);
  return value == expected ||
         error <= type.tolerance * std::abs(expected) + 2 * type.smallest;
}

/// An op on one tensor, and its attributes.
struct Function {
  const char *op, *attributes = "";
};

std::string textOf(const Function &function, const Type &type) {
  size_t count = isShort(type) ? 65536 : gridOf(type).size();
  std::string tensor =
      "tensor<" + std::to_string(count) + "x" + type.name + ">";
  return "func.func @k(%a: " + tensor + ") -> " + tensor + " {\n %0 = graph." +
         function.op + " %a" + function.attributes + " : " + tensor +
         "\n return %0 : " + tensor + "\n}";
}

void expectRight(const Function &function, const Type &type) {
  TestKernel kernel(textOf(function, type));
  TestTensor &x = kernel.inputs()[0];
  fill(x, type);
  TestTensor y = kernel.run(kernel.compile("x86-64-v3"))[0];
  TestTensor expected = kernel.runReference()[0];
  int wrong = 0;
  for (int64_t i = 0; i < x.count; ++i)
    if (!isRight(y.at(i), expected.at(i), type) && ++wrong < 10)
      ADD_FAILURE() << type.name << " " << x.at(i) << " gives " << y.at(i)
                    << ", the reference " << expected.at(i);
  EXPECT_EQ(wrong, 0) << "values of " << type.name;
  if (!__builtin_cpu_supports("avx512vl"))
    return;
  TestTensor wide = kernel.run(kernel.compile("x86-64-v4"))[0];
  EXPECT_EQ(std::memcmp(wide.data, y.data, y.bytes()), 0);
}

class Extremes : public testing::TestWithParam<Function> {};
} // namespace

TEST_P(Extremes, AreAsTheReferenceKernelsHaveThem) {
  for (const Type &type : kTypes)
    expectRight(GetParam(), type);
}

INSTANTIATE_TEST_SUITE_P(
    All, Extremes,
    testing::Values(Function{"abs"}, Function{"neg"}, Function{"sign"},
                    Function{"square"}, Function{"floor"}, Function{"ceil"},
                    Function{"exp"}, Function{"log"}, Function{"sqrt"},
                    Function{"rsqrt"}, Function{"sin"}, Function{"cos"},
                    Function{"tanh"}, Function{"sigmoid"}, Function{"erf"},
                    Function{"softplus"}, Function{"elu"}, Function{"relu"},
                    Function{"relu6"}, Function{"gelu"},
                    Function{"gelu", " approximate"},
                    Function{"leaky_relu", " alpha 0.3"},
                    Function{"clip", " from -1.25 to 2.1"}),
    [](const testing::TestParamInfo<Function> &info) {
      return std::string(info.param.op) +
             (std::strstr(info.param.attributes, "approximate") ? "_by_tanh"
                                                                : "");
    });

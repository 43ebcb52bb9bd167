// Element-wise operations, reductions and scans, with values made by hand.
#include "runtime/kernels/KernelTest.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace dtc;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();

/// `op` on x, a vector.
template <typename T>
std::vector<T> unary(const std::string &op, std::vector<T> x,
                     Attributes attributes = {}) {
  Tensor<T> tensor{{int64_t(x.size())}, x};
  return run<T>(op, {tensor.ref()}, tensor.shape, attributes);
}

/// `op` on two vectors; elements of R.
template <typename R, typename T>
std::vector<R> binary(const std::string &op, std::vector<T> x,
                      std::vector<T> y) {
  Tensor<T> a{{int64_t(x.size())}, x}, b{{int64_t(y.size())}, y};
  return run<R>(op, {a.ref(), b.ref()}, a.shape);
}

std::vector<int> truths(const std::vector<Boolean> &values) {
  std::vector<int> result;
  for (Boolean value : values)
    result.push_back(value.value);
  return result;
}

/// The truths of a comparison of two float vectors.
std::vector<int> compared(const std::string &op, std::vector<float> x,
                          std::vector<float> y) {
  return truths(binary<Boolean>(op, x, y));
}
} // namespace

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

TEST(MathKernels, AbsAndSign) {
  EXPECT_THAT(unary<float>("abs", {-2, 0, 3, -kInfinity}),
              ElementsAre(2, 0, 3, kInfinity));
  EXPECT_THAT(unary<int32_t>("abs", {-2, kLeast}), ElementsAre(2, kLeast));
  EXPECT_THAT(unary<float>("sign", {-2, 0, 3}), ElementsAre(-1, 0, 1));
  EXPECT_THAT(unary<int8_t>("sign", {-128, 0, 7}), ElementsAre(-1, 0, 1));
  EXPECT_TRUE(std::signbit(unary<float>("sign", {-0.0f})[0]));
  EXPECT_TRUE(std::isnan(unary<float>("sign", {NAN})[0]));
}

TEST(MathKernels, Roundings) {
  EXPECT_THAT(unary<float>("floor", {-1.5f, 1.5f, 2}), ElementsAre(-2, 1, 2));
  EXPECT_THAT(unary<float>("ceil", {-1.5f, 1.5f, 2}), ElementsAre(-1, 2, 2));
  EXPECT_THAT(unary<float>("rsqrt", {4, 0, kInfinity}),
              ElementsAre(0.5f, kInfinity, 0));
}

TEST(MathKernels, Curves) {
  auto at = [](const std::string &op, double x) {
    return unary<double>(op, {x})[0];
  };
  EXPECT_NEAR(at("sin", 1), 0.84147098480789651, 1e-15);
  EXPECT_NEAR(at("cos", 1), 0.54030230586813972, 1e-15);
  EXPECT_NEAR(at("tanh", 1), 0.76159415595576489, 1e-15);
  EXPECT_NEAR(at("sigmoid", 1), 0.73105857863000488, 1e-15);
  EXPECT_NEAR(at("erf", 1), 0.84270079294971487, 1e-15);
  EXPECT_NEAR(at("softplus", 1), 1.3132616875182228, 1e-15);
  EXPECT_NEAR(at("elu", -1), -0.63212055882855767, 1e-15);
  EXPECT_EQ(at("elu", 2), 2);
  // No overflow, no cancellation.
  EXPECT_EQ(at("softplus", 1e4), 1e4);
  EXPECT_NEAR(at("softplus", -40), 4.2483542552915889e-18, 1e-32);
  EXPECT_TRUE(std::isnan(at("softplus", NAN)));
}

TEST(MathKernels, GeluAndItsApproximation) {
  EXPECT_THAT(unary<double>("gelu", {-1, 0, 1}),
              ElementsAre(DoubleNear(-0.15865525393145707, 1e-15), 0,
                          DoubleNear(0.84134474606854293, 1e-15)));
  EXPECT_THAT(unary<double>("gelu", {1}, {{"approximate", true}}),
              ElementsAre(DoubleNear(0.84119199060827, 1e-14)));
}

TEST(MathKernels, BoundedOps) {
  EXPECT_THAT(unary<float>("relu6", {-1, 3, 7}), ElementsAre(0, 3, 6));
  EXPECT_THAT(unary<float>("leaky_relu", {-2, 3}, {{"alpha", 0.5}}),
              ElementsAre(-1, 3));
  Attributes bounds = {{"low", -1.0}, {"high", 2.0}};
  EXPECT_THAT(unary<float>("clip", {-2, 0.5f, kInfinity}, bounds),
              ElementsAre(-1, 0.5f, 2));
  for (std::string op : {"relu6", "clip"})
    EXPECT_TRUE(std::isnan(unary<float>(op, {NAN}, bounds)[0]));
}

TEST(MathKernels, EmptyTensors) {
  EXPECT_THAT(unary<float>("tanh", {}), IsEmpty());
  EXPECT_THAT(binary<float>("pow", std::vector<float>(), {}), IsEmpty());
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

TEST(MathKernels, IntegerDivision) {
  std::vector<int32_t> x = {7, -7, 7, -7, 5, kLeast}, y = {2, 2, -2, -2, 0, -1};
  EXPECT_THAT(binary<int32_t>("div", x, y),
              ElementsAre(3, -3, -3, 3, 0, kLeast));
  EXPECT_THAT(binary<int32_t>("floor_div", x, y),
              ElementsAre(3, -4, -4, 3, 0, kLeast));
  EXPECT_THAT(binary<int32_t>("floor_mod", x, y),
              ElementsAre(1, 1, -1, -1, 5, 0));
  EXPECT_THAT(
      binary<uint8_t>("floor_div", std::vector<uint8_t>{200, 9}, {7, 0}),
      ElementsAre(28, 0));
}

TEST(MathKernels, FloatDivision) {
  EXPECT_THAT(
      binary<float>("floor_div", std::vector<float>{7, -7, 1}, {2, 2, 0}),
      ElementsAre(3, -4, kInfinity));
  EXPECT_THAT(binary<float>("floor_mod", std::vector<float>{7, -7, 7, 6},
                            {2, 2, -2, 3}),
              ElementsAre(1, 1, -1, 0));
  EXPECT_TRUE(
      std::isnan(binary<float>("floor_mod", std::vector<float>{1}, {0})[0]));
}

TEST(MathKernels, MinimumAndPow) {
  EXPECT_THAT(
      binary<float>("minimum", std::vector<float>{1, -kInfinity}, {2, 0}),
      ElementsAre(1, -kInfinity));
  for (bool isLeft : {false, true})
    EXPECT_TRUE(std::isnan(binary<float>("minimum",
                                         std::vector<float>{isLeft ? NAN : 1},
                                         {isLeft ? 1 : NAN})[0]));
  EXPECT_THAT(
      binary<double>("pow", std::vector<double>{2, -2, 0, NAN}, {10, 3, 0, 0}),
      ElementsAre(1024, -8, 1, 1));
}

TEST(MathKernels, Comparisons) {
  std::vector<float> x = {1, 2, 3, NAN}, y = {2, 2, 2, NAN};
  EXPECT_THAT(compared("equal", x, y), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(compared("not_equal", x, y), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(compared("less", x, y), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(compared("less_equal", x, y), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(compared("greater", x, y), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(compared("greater_equal", x, y), ElementsAre(0, 1, 1, 0));
}

TEST(MathKernels, LogicAndChoice) {
  std::vector<Boolean> x = {{0}, {0}, {1}, {1}}, y = {{0}, {1}, {0}, {1}};
  EXPECT_THAT(truths(binary<Boolean>("logical_and", x, y)),
              ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(truths(binary<Boolean>("logical_or", x, y)),
              ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(truths(unary<Boolean>("logical_not", x)),
              ElementsAre(1, 1, 0, 0));
  Tensor<Boolean> column{{2, 1}, {{1}, {0}}};
  Tensor<int32_t> a{{3}, {1, 2, 3}}, b{{}, {9}};
  EXPECT_THAT(run<int32_t>("where", {column.ref(), a.ref(), b.ref()}, {2, 3}),
              ElementsAre(1, 2, 3, 9, 9, 9));
  Tensor<Boolean> condition{{3}, {{1}, {0}, {1}}};
  Tensor<int32_t> c{{3}, {7, 8, 9}};
  EXPECT_THAT(run<int32_t>("select", {condition.ref(), a.ref(), c.ref()}, {3}),
              ElementsAre(1, 8, 3));
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

TEST(MathKernels, MinimumAndProductOverAxes) {
  Tensor<float> x{{2, 3}, {3, -1, 2, 0, 5, NAN}};
  Attributes rows = {{"axes", axes({1})}};
  std::vector<float> least = run<float>("reduce_min", {x.ref()}, {2}, rows);
  EXPECT_EQ(least[0], -1);
  EXPECT_TRUE(std::isnan(least[1]));
  EXPECT_EQ(run<float>("reduce_prod", {x.ref()}, {2}, rows)[0], -6);
  Tensor<int8_t> y{{2}, {100, 3}};
  EXPECT_THAT(run<int8_t>("reduce_prod", {y.ref()}, {}, {{"axes", axes({0})}}),
              ElementsAre(44));
}

TEST(MathKernels, ReductionsOfNothing) {
  Tensor<float> x{{2, 0}, {}};
  auto of = [&](const std::string &op) {
    return run<float>(op, {x.ref()}, {2}, {{"axes", axes({1})}});
  };
  EXPECT_THAT(of("reduce_sum"), ElementsAre(0, 0));
  EXPECT_THAT(of("reduce_prod"), ElementsAre(1, 1));
  EXPECT_THAT(of("reduce_max"), ElementsAre(-kInfinity, -kInfinity));
  EXPECT_THAT(of("reduce_min"), ElementsAre(kInfinity, kInfinity));
  EXPECT_TRUE(std::isnan(of("reduce_mean")[0]));
}

TEST(MathKernels, ArgMinGivesTheFirstOfTheSmallest) {
  Tensor<float> x{{2, 3}, {5, 1, 1, 3, NAN, 0}};
  EXPECT_THAT(run<int64_t>("argmin", {x.ref()}, {2}, {{"axis", int64_t(1)}}),
              ElementsAre(1, 1));
}

TEST(MathKernels, CumsumInAllFourWays) {
  Tensor<int32_t> x{{2, 3}, {1, 2, 3, 4, 5, 6}};
  auto sums = [&](bool exclusive, bool reverse, int64_t axis) {
    return run<int32_t>(
        "cumsum", {x.ref()}, {2, 3},
        {{"axis", axis}, {"exclusive", exclusive}, {"reverse", reverse}});
  };
  EXPECT_THAT(sums(false, false, 1), ElementsAre(1, 3, 6, 4, 9, 15));
  EXPECT_THAT(sums(true, false, 1), ElementsAre(0, 1, 3, 0, 4, 9));
  EXPECT_THAT(sums(false, true, 1), ElementsAre(6, 5, 3, 15, 11, 6));
  EXPECT_THAT(sums(true, true, 1), ElementsAre(5, 3, 0, 11, 6, 0));
  EXPECT_THAT(sums(false, false, 0), ElementsAre(1, 2, 3, 5, 7, 9));
}

TEST(MathKernels, TopKPrefersTheLowerIndex) {
  Tensor<float> x{{2, 4}, {1, 7, 7, 3, 2, NAN, kInfinity, 2}};
  Tensor<float> values = zeros<float>({2, 3});
  Tensor<int32_t> indices = zeros<int32_t>({2, 3});
  std::vector operands{x.ref()}, results{values.ref(), indices.ref()};
  ASSERT_TRUE(
      runReferenceKernel("graph.top_k", operands, results, {{"k", int64_t(3)}})
          .isOk());
  EXPECT_THAT(indices.values, ElementsAre(1, 2, 3, 1, 2, 0));
  EXPECT_EQ(values.values[0], 7);
  EXPECT_TRUE(std::isnan(values.values[3]));
  EXPECT_EQ(values.values[4], kInfinity);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(MathKernels, NamesWhatDoesNotFit) {
  Tensor<float> x{{2}, {1, 2}};
  Tensor<Boolean> c{{2}, {{1}, {0}}};
  EXPECT_EQ(errorOf<float>("cumsum", {x.ref()}, {2}, {{"axis", int64_t(1)}}),
            "graph.cumsum: axis 1 is not one of tensor<2xf32>");
  EXPECT_EQ(errorOf<float>("logical_not", {x.ref()}, {2}),
            "graph.logical_not: tensor<2xf32> where elements of i1 are right");
  EXPECT_EQ(errorOf<float>("leaky_relu", {x.ref()}, {2}),
            "graph.leaky_relu: needs the attribute 'alpha'");
  EXPECT_EQ(errorOf<float>("select", {c.ref(), x.ref(), x.ref()}, {3}),
            "graph.select: tensor<3xf32> where tensor<2xf32> is right");
  Tensor<float> m{{3}, {1, 2, 3}};
  EXPECT_EQ(errorOf<float>("where", {c.ref(), x.ref(), m.ref()}, {3}),
            "graph.where: shapes do not broadcast, tensor<2xi1>, "
            "tensor<2xf32> and tensor<3xf32>");
  EXPECT_EQ(errorOf<Boolean>("less", {c.ref(), c.ref()}, {2}),
            "graph.less: works on numbers, not on tensor<2xi1>");
  std::vector<TensorRef> operands{x.ref()}, results{x.ref(), x.ref()};
  EXPECT_EQ(
      runReferenceKernel("graph.top_k", operands, results, {{"k", int64_t(3)}})
          .message(),
      "graph.top_k: tensor<2xf32> where elements of i32 are right");
}

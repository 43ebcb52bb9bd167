// Convolutions, pools and batched products, with values made by hand.
#include "runtime/kernels/ReferenceKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

using namespace dtc;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
using Shape = std::vector<int64_t>;

/// A tensor of f64 that owns its elements.
struct Tensor {
  Shape shape;
  std::vector<double> values;
  TensorRef ref() {
    return {ElementType::F64, shape,
            reinterpret_cast<std::byte *>(values.data())};
  }
};

int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

/// 1, 2, 3, …
Tensor counting(Shape shape) {
  Tensor tensor{shape, std::vector<double>(size_t(countOf(shape)))};
  std::iota(tensor.values.begin(), tensor.values.end(), 1);
  return tensor;
}

Tensor filled(Shape shape, double value) {
  return {shape, std::vector<double>(size_t(countOf(shape)), value)};
}

Status runOp(const std::string &op, std::vector<Tensor> operands,
             Tensor &result, const Attributes &attributes) {
  std::vector<TensorRef> refs, results = {result.ref()};
  for (Tensor &tensor : operands)
    refs.push_back(tensor.ref());
  return runReferenceKernel("graph." + op, refs, results, attributes);
}

std::vector<double> run(const std::string &op, std::vector<Tensor> operands,
                        Shape shape, Attributes attributes = {}) {
  Tensor result = filled(shape, -99);
  Status status = runOp(op, std::move(operands), result, attributes);
  EXPECT_TRUE(status.isOk()) << status.message();
  return result.values;
}

std::string errorOf(const std::string &op, std::vector<Tensor> operands,
                    Shape shape, Attributes attributes = {}) {
  Tensor result = filled(shape, 0);
  Status status = runOp(op, std::move(operands), result, attributes);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  return status.message();
}

Attributes convolution(AttributeValue padding, Shape strides = {1, 1},
                       Shape dilations = {1, 1}) {
  return {{"padding", padding}, {"strides", strides}, {"dilations", dilations}};
}

Attributes pooling(Shape window, Shape strides, AttributeValue padding) {
  return {{"padding", padding}, {"strides", strides}, {"window", window}};
}

const AttributeValue kSame = std::string("SAME"), kValid = std::string("VALID");
constexpr double kInf = std::numeric_limits<double>::infinity();
} // namespace

//===----------------------------------------------------------------------===//
// batch_matmul
//===----------------------------------------------------------------------===//

TEST(NeuralKernels, BatchMatmulBroadcastsWhatIsBeforeTheMatrices) {
  Tensor a = counting({2, 1, 2}), b{{2, 1}, {10, 1}};
  EXPECT_THAT(run("batch_matmul", {a, b}, {2, 1, 1}), ElementsAre(12, 34));
  Tensor transposed{{1, 2}, {10, 1}};
  EXPECT_THAT(
      run("batch_matmul", {a, transposed}, {2, 1, 1}, {{"transpose_b", true}}),
      ElementsAre(12, 34));
}

TEST(NeuralKernels, BatchMatmulOverNothingIsZero) {
  EXPECT_THAT(
      run("batch_matmul", {filled({1, 2, 0}, 0), filled({0, 1}, 0)}, {1, 2, 1}),
      ElementsAre(0, 0));
}

TEST(NeuralKernels, BatchMatmulRefusesWhatDoesNotFit) {
  EXPECT_THAT(errorOf("batch_matmul", {counting({2}), counting({2, 1})}, {1}),
              HasSubstr("multiplies matrices"));
  EXPECT_THAT(errorOf("batch_matmul",
                      {counting({2, 1, 2}), counting({3, 2, 1})}, {2, 1, 1}),
              HasSubstr("before the last two differ"));
  EXPECT_THAT(errorOf("batch_matmul", {counting({2, 1, 2}), counting({3, 1})},
                      {2, 1, 1}),
              HasSubstr("inner dimensions differ, 2 and 3"));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

TEST(NeuralKernels, Conv2dSlidesItsFilter) {
  Tensor x = counting({1, 3, 3, 1}), filter{{2, 2, 1, 1}, {1, 10, 100, 1000}};
  EXPECT_THAT(run("conv2d", {x, filter}, {1, 2, 2, 1}, convolution(kValid)),
              ElementsAre(5421, 6532, 8754, 9865));
  // SAME pads behind first.
  EXPECT_THAT(
      run("conv2d", {x, filter}, {1, 2, 2, 1}, convolution(kSame, {2, 2})),
      ElementsAre(5421, 603, 87, 9));
  EXPECT_THAT(run("conv2d", {x, filter}, {1, 1, 1, 1},
                  convolution(kValid, {1, 1}, {2, 2})),
              ElementsAre(9731));
  EXPECT_THAT(run("conv2d", {x, filter}, {1, 2, 1, 1},
                  convolution(Shape{1, 0, 0, 1}, {2, 3})),
              ElementsAre(2100, 8754));
}

TEST(NeuralKernels, Conv2dSumsOverChannels) {
  Tensor x{{1, 1, 1, 2}, {1, 2}}, filter{{1, 1, 2, 2}, {1, 2, 30, 40}};
  EXPECT_THAT(run("conv2d", {x, filter}, {1, 1, 1, 2}, convolution(kSame)),
              ElementsAre(61, 82));
}

TEST(NeuralKernels, ZerosOutsideOfTheImageTakePart) {
  Tensor x{{1, 1, 1, 1}, {1}}, filter{{1, 2, 1, 1}, {1, kInf}};
  EXPECT_TRUE(std::isnan(
      run("conv2d", {x, filter}, {1, 1, 1, 1}, convolution(kSame))[0]));
}

TEST(NeuralKernels, Conv2dBackpropInputSpreadsTheGradient) {
  Tensor dy{{1, 2, 2, 1}, {1, 2, 3, 4}},
      filter{{2, 2, 1, 1}, {1, 10, 100, 1000}};
  EXPECT_THAT(run("conv2d_backprop_input", {filter, dy}, {1, 3, 3, 1},
                  convolution(kValid)),
              ElementsAre(1, 12, 20, 103, 1234, 2040, 300, 3400, 4000));
  EXPECT_THAT(run("conv2d_backprop_input", {filter, dy}, {1, 3, 3, 1},
                  convolution(kSame, {2, 2})),
              ElementsAre(1, 10, 2, 100, 1000, 200, 3, 30, 4));
}

TEST(NeuralKernels, Conv2dBackpropFilterSumsOverTheImages) {
  Tensor x = counting({1, 3, 3, 1}), dy{{1, 2, 2, 1}, {1, 10, 100, 1000}};
  EXPECT_THAT(
      run("conv2d_backprop_filter", {x, dy}, {2, 2, 1, 1}, convolution(kValid)),
      ElementsAre(5421, 6532, 8754, 9865));
}

TEST(NeuralKernels, DepthwiseKeepsChannelsApart) {
  Tensor x = counting({1, 2, 1, 2}),
         filter{{2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_THAT(
      run("depthwise_conv2d", {x, filter}, {1, 1, 1, 4}, convolution(kValid)),
      ElementsAre(1 + 15, 2 + 18, 6 + 28, 8 + 32));
  Tensor dy{{1, 1, 1, 4}, {1, 10, 100, 1000}};
  EXPECT_THAT(run("depthwise_conv2d_backprop_input", {filter, dy}, {1, 2, 1, 2},
                  convolution(kValid)),
              ElementsAre(21, 4300, 65, 8700));
  EXPECT_THAT(run("depthwise_conv2d_backprop_filter", {x, dy}, {2, 1, 2, 2},
                  convolution(kValid)),
              ElementsAre(1, 10, 200, 2000, 3, 30, 400, 4000));
}

TEST(NeuralKernels, ConvolutionsRefuseWhatDoesNotFit) {
  Tensor x = counting({1, 3, 3, 1}), filter = counting({2, 2, 1, 1});
  auto error = [&](const Attributes &attributes) {
    return errorOf("conv2d", {x, filter}, {1, 2, 2, 1}, attributes);
  };
  EXPECT_THAT(error({}), HasSubstr("needs the attribute 'dilations'"));
  EXPECT_THAT(error(convolution(std::string("FULL"))),
              HasSubstr("needs padding"));
  EXPECT_THAT(error(convolution(Shape{1, 2})), HasSubstr("padding must be 4"));
  EXPECT_THAT(error(convolution(Shape{0, 0, 0, -1})),
              HasSubstr("padding must be 4"));
  EXPECT_THAT(error(convolution(kValid, {0, 1})),
              HasSubstr("strides must be 2 numbers of at least 1"));
  EXPECT_THAT(error(convolution(kValid, {1, 1}, {int64_t(1) << 62, 1})),
              HasSubstr("dilations must be 2 numbers"));
  EXPECT_THAT(error(convolution(kValid, {1, 1}, {3, 1})),
              HasSubstr("reaches over 4 elements does not fit into 3"));
  EXPECT_THAT(error(convolution(kSame)), HasSubstr("is right"));
  EXPECT_THAT(errorOf("conv2d", {x, counting({2, 2, 2, 1})}, {1, 2, 2, 1},
                      convolution(kValid)),
              HasSubstr("does not read the channels"));
  EXPECT_THAT(
      errorOf("conv2d", {counting({9}), filter}, {1}, convolution(kValid)),
      HasSubstr("images are"));
  EXPECT_THAT(
      errorOf("depthwise_conv2d", {x, counting({4})}, {1}, convolution(kValid)),
      HasSubstr("filters are"));
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

TEST(NeuralKernels, PoolsLeavePaddingOut) {
  Tensor x = counting({1, 3, 3, 1});
  for (double &value : x.values)
    value = -value;
  EXPECT_THAT(
      run("max_pool", {x}, {1, 2, 2, 1}, pooling({2, 2}, {2, 2}, kSame)),
      ElementsAre(-1, -3, -7, -9));
  EXPECT_THAT(
      run("avg_pool", {x}, {1, 2, 2, 1}, pooling({2, 2}, {2, 2}, kSame)),
      ElementsAre(-3, -4.5, -7.5, -9));
  EXPECT_THAT(
      run("avg_pool", {x}, {1, 1, 2, 1}, pooling({3, 2}, {1, 1}, kValid)),
      ElementsAre(-4.5, -5.5));
}

TEST(NeuralKernels, MaxPoolPassesNaNOn) {
  Tensor x{{1, 1, 2, 1}, {NAN, 1}};
  EXPECT_TRUE(std::isnan(
      run("max_pool", {x}, {1, 1, 1, 1}, pooling({1, 2}, {1, 1}, kValid))[0]));
}

TEST(NeuralKernels, MaxPoolGradGoesToTheFirstOfEquals) {
  Tensor x{{1, 1, 4, 1}, {2, 2, 1, 5}}, y{{1, 1, 3, 1}, {2, 2, 5}},
      dy{{1, 1, 3, 1}, {1, 10, 100}};
  EXPECT_THAT(run("max_pool_grad", {x, y, dy}, {1, 1, 4, 1},
                  pooling({1, 2}, {1, 1}, kValid)),
              ElementsAre(1, 10, 0, 100));
}

TEST(NeuralKernels, AvgPoolGradSharesAmongTheElementsOfTheImage) {
  Tensor dy{{1, 1, 3, 1}, {2, 4, 6}};
  EXPECT_THAT(
      run("avg_pool_grad", {dy}, {1, 1, 3, 1}, pooling({1, 2}, {1, 1}, kSame)),
      ElementsAre(1, 3, 8));
}

TEST(NeuralKernels, PoolsRefuseWhatDoesNotFit) {
  Tensor x = counting({1, 2, 2, 1});
  EXPECT_THAT(
      errorOf("max_pool", {x}, {1, 1, 1, 1}, pooling({2, 0}, {1, 1}, kValid)),
      HasSubstr("window sizes must be 2 numbers of at least 1"));
  EXPECT_THAT(errorOf("max_pool_grad", {x, x, x}, {1, 2, 2, 1},
                      pooling({2, 2}, {1, 1}, kValid)),
              HasSubstr("is right"));
  EXPECT_THAT(errorOf("avg_pool", {x}, {1, 1, 1, 1}, {}),
              HasSubstr("needs the attribute 'window'"));
}

TEST(NeuralKernels, AWindowMuchLargerThanTheImageEndsWithIt) {
  Tensor x = counting({1, 2, 2, 1});
  int64_t huge = int64_t(1) << 31;
  EXPECT_THAT(run("avg_pool", {x}, {1, 1, 1, 1},
                  pooling({huge, huge}, {huge, huge}, kSame)),
              ElementsAre(2.5));
}

TEST(NeuralKernels, ImagesMayBeEmpty) {
  Tensor x = filled({0, 3, 3, 2}, 0), filter = counting({2, 2, 2, 3});
  EXPECT_THAT(run("conv2d", {x, filter}, {0, 2, 2, 3}, convolution(kValid)),
              ElementsAre());
  Tensor dy = filled({0, 2, 2, 3}, 0);
  EXPECT_THAT(
      run("conv2d_backprop_filter", {x, dy}, {2, 2, 2, 3}, convolution(kValid)),
      Each(0));
}

// Generated convolutions, pools and batched products against the reference
// kernels, to the bit.
#include "passes/kernel/conformance/TestKernel.h"

#include <functional>
#include <gtest/gtest.h>

using namespace dtc;
using namespace dtc::kernel;

namespace {
using Dims = std::vector<int64_t>;

/// Each test collects kernels; they are compiled and compared at its end.
class NeuralCodegen : public testing::Test {
protected:
  void expectMatches(const std::string &text) { batch_.add(text, 0); }
  void TearDown() override { batch_.expectMatchesReference(); }

private:
  TestBatch batch_;
};

std::string tensor(const Dims &dims, const std::string &type) {
  std::string text = "tensor<";
  for (int64_t dim : dims)
    text += std::to_string(dim) + "x";
  return text + type + ">";
}

std::string list(const Dims &dims) {
  std::string text;
  for (int64_t dim : dims)
    text += (text.empty() ? "" : ", ") + std::to_string(dim);
  return "[" + text + "]";
}

/// `graph.op %a, %b attributes : a, b to result`.
std::string apply(const std::string &op, const std::string &attributes,
                  const std::string &a, const std::string &b,
                  const std::string &result, bool writesResult) {
  return "func.func @k(%a: " + a + ", %b: " + b + ") -> " + result +
         " {\n %0 = graph." + op + " %a, %b " + attributes + " : " + a + ", " +
         b + (writesResult ? " to " + result : "") +
         "\n return %0 : " + result + "\n}";
}

/// `graph.op %a attributes : a to result`.
std::string apply(const std::string &op, const std::string &attributes,
                  const std::string &a, const std::string &result,
                  bool writesResult) {
  return "func.func @k(%a: " + a + ") -> " + result + " {\n %0 = graph." + op +
         " %a " + attributes + " : " + a +
         (writesResult ? " to " + result : "") + "\n return %0 : " + result +
         "\n}";
}

struct Convolution {
  Dims x, filter, y;
  Dims strides;
  std::string padding;
  Dims dilations;

  std::string attributes() const {
    return "strides " + list(strides) + " padding " + padding + " dilations " +
           list(dilations);
  }
};

const std::string kSame = "\"SAME\"", kValid = "\"VALID\"",
                  kExplicit = "array<i64: 2, 1, 0, 3>";

/// Channels from 1 to more than a panel has; odd windows of every kind.
const Convolution kConvolutions[] = {
    {{2, 5, 6, 1}, {3, 2, 1, 5}, {2, 3, 5, 5}, {1, 1}, kValid, {1, 1}},
    {{1, 5, 7, 3}, {3, 4, 3, 17}, {1, 3, 3, 17}, {2, 3}, kSame, {1, 1}},
    {{1, 6, 5, 16}, {3, 2, 16, 16}, {1, 6, 5, 16}, {1, 1}, kSame, {2, 3}},
    {{1, 7, 8, 9}, {2, 3, 9, 50}, {1, 2, 4, 50}, {2, 1}, kValid, {3, 2}},
    {{1, 4, 5, 33}, {3, 3, 33, 2}, {1, 3, 6, 2}, {2, 1}, kExplicit, {1, 1}},
    {{3, 3, 3, 70}, {1, 1, 70, 100}, {3, 3, 3, 100}, {1, 1}, kSame, {1, 1}},
    {{1, 5, 5, 2}, {1, 2, 2, 3}, {1, 2, 2, 3}, {3, 3}, kValid, {1, 1}},
    {{1, 2, 1, 3}, {3, 3, 3, 2}, {1, 2, 1, 2}, {1, 1}, kSame, {1, 1}},
};

void forTypes(const std::function<void(const std::string &)> &f) {
  for (const char *type : {"f32", "f64", "f16", "bf16"})
    f(type);
}
} // namespace

TEST_F(NeuralCodegen, Conv2d) {
  forTypes([&](const std::string &type) {
    for (const Convolution &c : kConvolutions)
      expectMatches(apply("conv2d", c.attributes(), tensor(c.x, type),
                          tensor(c.filter, type), tensor(c.y, type), false));
  });
}

TEST_F(NeuralCodegen, Conv2dBackpropInput) {
  forTypes([&](const std::string &type) {
    for (const Convolution &c : kConvolutions)
      expectMatches(apply("conv2d_backprop_input", c.attributes(),
                          tensor(c.filter, type), tensor(c.y, type),
                          tensor(c.x, type), true));
  });
  // A filter too large to be packed.
  expectMatches(apply("conv2d_backprop_input",
                      "strides [1, 1] padding \"SAME\" dilations [1, 1]",
                      tensor({3, 3, 5, 500}, "f32"),
                      tensor({1, 2, 2, 500}, "f32"),
                      tensor({1, 2, 2, 5}, "f32"), true));
}

TEST_F(NeuralCodegen, Conv2dBackpropFilter) {
  forTypes([&](const std::string &type) {
    for (const Convolution &c : kConvolutions)
      expectMatches(apply("conv2d_backprop_filter", c.attributes(),
                          tensor(c.x, type), tensor(c.y, type),
                          tensor(c.filter, type), true));
  });
}

TEST_F(NeuralCodegen, DepthwiseOfOneFilterAChannel) {
  const Convolution cases[] = {
      {{2, 5, 6, 3}, {3, 2, 3, 1}, {2, 3, 5, 3}, {1, 1}, kValid, {1, 1}},
      {{1, 5, 7, 20}, {3, 4, 20, 1}, {1, 3, 3, 20}, {2, 3}, kSame, {1, 1}},
      {{1, 6, 5, 65}, {3, 2, 65, 1}, {1, 6, 5, 65}, {1, 1}, kSame, {2, 3}},
      {{1, 4, 5, 1}, {3, 3, 1, 1}, {1, 3, 6, 1}, {2, 1}, kExplicit, {1, 1}},
  };
  forTypes([&](const std::string &type) {
    for (const Convolution &c : cases) {
      std::string x = tensor(c.x, type), filter = tensor(c.filter, type),
                  y = tensor(c.y, type), op = "depthwise_conv2d";
      expectMatches(apply(op, c.attributes(), x, filter, y, false));
      expectMatches(
          apply(op + "_backprop_input", c.attributes(), filter, y, x, true));
      expectMatches(
          apply(op + "_backprop_filter", c.attributes(), x, y, filter, true));
    }
  });
}

TEST_F(NeuralCodegen, ConvolutionsWithAnEpilogue) {
  expectMatches(R"mlir(
    func.func @k(%x: tensor<2x5x5x3xf32>, %f: tensor<3x3x3x20xf32>,
                 %b: tensor<20xf32>) -> tensor<2x5x5x20xf32> {
      %y = graph.conv2d %x, %f strides [1, 1] padding "SAME" dilations [1, 1]
        : tensor<2x5x5x3xf32>, tensor<3x3x3x20xf32>
      %z = graph.bias_add %y, %b : tensor<2x5x5x20xf32>, tensor<20xf32>
      %r = graph.relu %z : tensor<2x5x5x20xf32>
      return %r : tensor<2x5x5x20xf32>
    })mlir");
}

TEST_F(NeuralCodegen, Pools) {
  struct Pool {
    Dims x, y, window, strides;
    std::string padding;
  };
  const Pool cases[] = {
      {{1, 5, 6, 1}, {1, 2, 3, 1}, {2, 2}, {2, 2}, kValid},
      {{2, 5, 3, 17}, {2, 3, 3, 17}, {3, 2}, {2, 1}, kSame},
      {{1, 4, 5, 33}, {1, 3, 2, 33}, {3, 3}, {2, 3}, "array<i64: 1, 2, 0, 1>"},
      {{1, 7, 5, 16}, {1, 2, 3, 16}, {2, 1}, {3, 2}, kValid},
      {{2, 3, 4, 50}, {2, 1, 1, 50}, {3, 4}, {1, 1}, kValid},
  };
  forTypes([&](const std::string &type) {
    for (const Pool &p : cases) {
      std::string attributes = "window " + list(p.window) + " padding " +
                               p.padding + " strides " + list(p.strides);
      std::string x = tensor(p.x, type), y = tensor(p.y, type);
      expectMatches(apply("max_pool", attributes, x, y, false));
      expectMatches(apply("avg_pool", attributes, x, y, false));
      expectMatches(apply("avg_pool_grad", attributes, y, x, true));
    }
  });
}

/// Few different numbers, so that windows hold equals, and y their maximum.
static void fillPool(TestTensor &x, TestTensor &y, const Dims &window,
                     const Dims &strides, const std::string &padding) {
  for (int64_t i = 0; i < x.count; ++i)
    if (x.element == ElementType::F32)
      reinterpret_cast<float *>(x.data)[i] = float(i * 7 % 5);
    else
      reinterpret_cast<double *>(x.data)[i] = double(i * 7 % 5);
  TensorRef operands[] = {x.ref()}, results[] = {y.ref()};
  Status status = runReferenceKernel(
      "graph.max_pool", operands, results,
      {{"padding", padding}, {"strides", strides}, {"window", window}});
  ASSERT_TRUE(status.isOk()) << status.message();
}

static void expectMaxPoolGrad(const Dims &x, const Dims &y, const Dims &window,
                              const Dims &strides, const std::string &padding,
                              const std::string &type) {
  std::string image = tensor(x, type), pooled = tensor(y, type);
  TestKernel kernel(
      "func.func @k(%x: " + image + ", %y: " + pooled + ", %dy: " + pooled +
      ") -> " + image + " {\n %0 = graph.max_pool_grad %x, %y, %dy window " +
      list(window) + " padding \"" + padding + "\" strides " + list(strides) +
      " : " + image + ", " + pooled + ", " + pooled + " to " + image +
      "\n return %0 : " + image + "\n}");
  SCOPED_TRACE(kernel.text());
  fillPool(kernel.inputs()[0], kernel.inputs()[1], window, strides, padding);
  TestTensor expected = kernel.runReference()[0];
  TestTensor actual = kernel.run(kernel.compile("x86-64-v3"), 2)[0];
  for (int64_t i = 0; i < expected.count; ++i)
    ASSERT_EQ(actual.at(i), expected.at(i)) << "element " << i;
}

TEST(MaxPoolGradCodegen, GivesTheReferencesBits) {
  for (std::string type : {"f32", "f64"}) {
    expectMaxPoolGrad({2, 5, 6, 3}, {2, 2, 3, 3}, {2, 2}, {2, 2}, "VALID",
                      type);
    expectMaxPoolGrad({1, 5, 3, 33}, {1, 3, 3, 33}, {3, 2}, {2, 1}, "SAME",
                      type);
    expectMaxPoolGrad({1, 4, 4, 16}, {1, 4, 4, 16}, {3, 3}, {1, 1}, "SAME",
                      type);
  }
}

TEST_F(NeuralCodegen, BatchMatmul) {
  struct Product {
    Dims a, b, result;
    std::string flags;
  };
  const Product cases[] = {
      {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}, ""},
      {{3, 1, 9, 33}, {2, 33, 50}, {3, 2, 9, 50}, ""},
      {{5, 4, 18}, {1, 37, 18}, {5, 4, 37}, "transpose_b"},
      {{7, 20}, {2, 2, 7, 17}, {2, 2, 20, 17}, "transpose_a"},
      {{3, 6, 5}, {3, 60, 6}, {3, 5, 60}, "transpose_a transpose_b"},
      {{2, 1, 16, 700}, {2, 3, 48, 700}, {2, 3, 16, 48}, "transpose_b"},
      {{11, 5}, {5, 9}, {11, 9}, ""},
  };
  forTypes([&](const std::string &type) {
    for (const Product &p : cases)
      expectMatches(apply("batch_matmul", p.flags, tensor(p.a, type),
                          tensor(p.b, type), tensor(p.result, type), false));
  });
}

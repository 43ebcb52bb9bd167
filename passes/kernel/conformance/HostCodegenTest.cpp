// Generated kernels against the reference kernels: equal bits, but for ops
// with exp or log (2e-6, relative). Each kernel is also run in pieces and for
// every target that this machine has, and those must agree to the bit.
#include "passes/kernel/HostCodegen.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/kernel/conformance/TestKernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dtc;
using namespace dtc::kernel;
using testing::HasSubstr;

namespace {
/// Each test collects kernels; they are compiled and compared at its end.
class HostCodegen : public testing::Test {
protected:
  void expectMatches(const std::string &text, double tolerance = 0) {
    batch_.add(text, tolerance);
  }
  void TearDown() override { batch_.expectMatchesReference(); }

private:
  TestBatch batch_;
};

std::string matmul(int64_t m, int64_t k, int64_t n, bool transposeA,
                   bool transposeB, const std::string &type) {
  auto tensor = [&](int64_t rows, int64_t columns) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + type + ">";
  };
  std::string a = transposeA ? tensor(k, m) : tensor(m, k),
              b = transposeB ? tensor(n, k) : tensor(k, n);
  return "func.func @k(%a: " + a + ", %b: " + b + ") -> " + tensor(m, n) +
         " {\n %0 = graph.matmul %a, %b" + (transposeA ? " transpose_a" : "") +
         (transposeB ? " transpose_b" : "") + " : " + a + ", " + b +
         "\n return %0 : " + tensor(m, n) + "\n}";
}

/// `op` applied to `operands` (%a, %b, …) of one tensor type.
std::string apply(const std::string &op, int operands, const std::string &type,
                  const std::string &suffix) {
  std::string arguments, values;
  for (int i = 0; i < operands; ++i) {
    std::string name = std::string("%") + char('a' + i);
    arguments += (i ? ", " : "") + name + ": " + type;
    values += (i ? ", " : "") + name;
  }
  return "func.func @k(" + arguments + ") -> " + type + " {\n %0 = graph." +
         op + " " + values + " : " + suffix + "\n return %0 : " + type + "\n}";
}
} // namespace

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

TEST_F(HostCodegen, UnaryOpsOnAllFloats) {
  for (std::string type : {"f32", "f64", "f16", "bf16"})
    for (std::string shape : {"1x", "15x", "16x", "37x", "3x5x", ""}) {
      std::string tensor = "tensor<" + shape + type + ">";
      for (std::string op : {"neg", "square", "relu", "sqrt"})
        expectMatches(apply(op, 1, tensor, tensor));
    }
}

TEST_F(HostCodegen, ExpAndLog) {
  for (std::string op : {"exp", "log"}) {
    expectMatches(apply(op, 1, "tensor<1000xf32>", "tensor<1000xf32>"), 2e-6);
    expectMatches(apply(op, 1, "tensor<1000xf64>", "tensor<1000xf64>"), 1e-14);
    // One unit in the last place of a 16-bit float.
    expectMatches(apply(op, 1, "tensor<99xf16>", "tensor<99xf16>"), 1e-3);
    expectMatches(apply(op, 1, "tensor<99xbf16>", "tensor<99xbf16>"), 8e-3);
  }
}

TEST_F(HostCodegen, BinaryOpsOnAllNumbers) {
  for (std::string type :
       {"f32", "f64", "f16", "bf16", "i8", "ui8", "i32", "i64"}) {
    std::string tensor = "tensor<37x" + type + ">";
    for (std::string op : {"add", "sub", "mul", "maximum"})
      expectMatches(apply(op, 2, tensor, tensor + ", " + tensor));
  }
  for (std::string type : {"f32", "f64", "f16", "bf16"}) {
    std::string tensor = "tensor<37x" + type + ">";
    expectMatches(apply("div", 2, tensor, tensor + ", " + tensor));
    expectMatches(apply("relu_grad", 2, tensor, tensor));
  }
}

TEST_F(HostCodegen, EqualOnAllElements) {
  for (std::string type :
       {"f32", "f64", "f16", "bf16", "i1", "i8", "ui8", "i32", "i64"})
    expectMatches(
        "func.func @k(%a: tensor<37x" + type + ">, %b: tensor<37x" + type +
        ">) -> tensor<37xi1> {\n %0 = graph.equal %a, %b : tensor<37x" + type +
        ">, tensor<37x" + type + ">\n return %0 : tensor<37xi1>\n}");
}

TEST_F(HostCodegen, CastsBetweenAllElements) {
  std::vector<std::string> types = {"f32", "f64", "f16", "bf16", "i1",
                                    "i8",  "ui8", "i32", "i64"};
  for (const std::string &from : types)
    for (const std::string &to : types)
      expectMatches("func.func @k(%a: tensor<37x" + from + ">) -> tensor<37x" +
                    to + "> {\n %0 = graph.cast %a : tensor<37x" + from +
                    "> to tensor<37x" + to + ">\n return %0 : tensor<37x" + to +
                    ">\n}");
}

TEST_F(HostCodegen, BroadcastsAsNumPy) {
  for (auto [a, b, c] : std::initializer_list<std::array<std::string, 3>>{
           {"3x5xf32", "5xf32", "3x5xf32"},
           {"3x1xf32", "1x17xf32", "3x17xf32"},
           {"f32", "3x17xf32", "3x17xf32"},
           {"2x3x4x5xf32", "3x1x5xf32", "2x3x4x5xf32"},
           {"4x1x20xf32", "7x1xf32", "4x7x20xf32"},
           {"30x10xf32", "30x1xf32", "30x10xf32"},
           {"1x1xf32", "1x1xf32", "1x1xf32"}})
    expectMatches("func.func @k(%a: tensor<" + a + ">, %b: tensor<" + b +
                  ">) -> tensor<" + c +
                  "> {\n %0 = graph.sub %a, %b : tensor<" + a + ">, tensor<" +
                  b + ">\n return %0 : tensor<" + c + ">\n}");
}

TEST_F(HostCodegen, AppliesOptimizers) {
  for (std::string type : {"f32", "f64", "f16", "bf16"}) {
    std::string t = "tensor<5x13x" + type + ">";
    expectMatches(
        "func.func @k(%v: " + t + ", %g: " + t + ", %r: tensor<" + type +
        ">) -> " + t +
        " {\n %0 = graph.apply_gradient_descent %v, %g learning_rate %r : " +
        t + "\n return %0 : " + t + "\n}");
    expectMatches("func.func @k(%v: " + t + ", %s: " + t + ", %g: " + t +
                  ", %r: tensor<" + type + ">) -> (" + t + ", " + t +
                  ") {\n %0, %1 = graph.apply_momentum %v, %s, %g "
                  "learning_rate %r momentum 0.9 : " +
                  t + "\n return %0, %1 : " + t + ", " + t + "\n}");
    expectMatches(apply("replica_mean", 3, t, t));
  }
}

// A chain in one kernel rounds as its ops do one by one.
TEST_F(HostCodegen, FusedChainOfSeveralOutputs) {
  expectMatches(
      R"(func.func @k(%x: tensor<7x19xf32>, %b: tensor<19xf32>, %s: tensor<7x1xf32>)
      -> (tensor<7x19xf32>, tensor<7x19xf32>, tensor<7x19xi1>) {
    %c = graph.constant dense<0.3> : tensor<f32>
    %0 = graph.bias_add %x, %b : tensor<7x19xf32>, tensor<19xf32>
    %1 = graph.relu %0 : tensor<7x19xf32>
    %2 = graph.mul %1, %c : tensor<7x19xf32>, tensor<f32>
    %3 = graph.sub %2, %s : tensor<7x19xf32>, tensor<7x1xf32>
    %4 = graph.equal %0, %1 : tensor<7x19xf32>, tensor<7x19xf32>
    return %1, %3, %4 : tensor<7x19xf32>, tensor<7x19xf32>, tensor<7x19xi1>
  })");
}

TEST_F(HostCodegen, ConstantsOfEveryElement) {
  for (auto [type, values] : std::initializer_list<std::array<std::string, 2>>{
           {"f32", "1.5, -2.5, 3.0"},
           {"f16", "1.5, -2.5, 3.0"},
           {"bf16", "1.5, -2.5, 3.0"},
           {"f64", "1.5, -2.5, 0.1"},
           {"i8", "1, -2, 3"},
           {"ui8", "1, 200, 3"},
           {"i64", "1, -2, 3"},
           {"i1", "true, false, true"}})
    expectMatches("func.func @k(%a: tensor<2x3x" + type +
                  ">) -> tensor<2x3xi1> {\n" + " %c = graph.constant dense<[" +
                  values + "]> : tensor<3x" + type + ">\n" +
                  " %0 = graph.equal %a, %c : tensor<2x3x" + type +
                  ">, tensor<3x" + type + ">\n return %0 : tensor<2x3xi1>\n}");
  expectMatches(
      "func.func @k() -> tensor<2x2xf32> {\n %c = graph.constant dense<[[1.0, "
      "2.0], "
      "[3.0, 4.0]]> : tensor<2x2xf32>\n return %c : tensor<2x2xf32>\n}");
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

TEST_F(HostCodegen, ViewsAreRead) {
  expectMatches(
      "func.func @k(%a: tensor<4x6xf32>) -> tensor<3x8xf32> {\n %0 = "
      "graph.reshape %a : "
      "tensor<4x6xf32> to tensor<3x8xf32>\n return %0 : tensor<3x8xf32>\n}");
  expectMatches("func.func @k(%a: tensor<6x1xf32>) -> tensor<2x6x5xf32> {\n %0 "
                "= graph.broadcast_to %a "
                ": tensor<6x1xf32> to tensor<2x6x5xf32>\n return %0 : "
                "tensor<2x6x5xf32>\n}");
  for (std::string label : {"i64", "i32", "i8", "ui8"})
    expectMatches("func.func @k(%a: tensor<11x" + label +
                  ">) -> tensor<11x21xf32> {\n %0 = graph.one_hot"
                  " %a depth 21 as f32 : tensor<11x" +
                  label + ">\n return %0 : tensor<11x21xf32>\n}");
}

// The gradient of a cross entropy reads two views and a softmax.
TEST_F(HostCodegen, ViewsFeedElementwiseOps) {
  expectMatches(
      R"(func.func @k(%p: tensor<30x10xf32>, %l: tensor<30xi64>, %d: tensor<30xf32>)
      -> tensor<30x10xf32> {
    %0 = graph.one_hot %l depth 10 as f32 : tensor<30xi64>
    %1 = graph.sub %p, %0 : tensor<30x10xf32>, tensor<30x10xf32>
    %2 = graph.reshape %d : tensor<30xf32> to tensor<30x1xf32>
    %3 = graph.mul %1, %2 : tensor<30x10xf32>, tensor<30x1xf32>
    return %3 : tensor<30x10xf32>
  })");
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

TEST_F(HostCodegen, MatMulInAllShapesAndOrientations) {
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true})
      for (auto [m, k, n] :
           std::initializer_list<std::array<int64_t, 3>>{{1, 1, 1},
                                                         {1, 64, 10},
                                                         {3, 5, 7},
                                                         {30, 64, 64},
                                                         {64, 30, 10},
                                                         {17, 33, 49},
                                                         {23, 9, 100},
                                                         {8, 16, 48},
                                                         {150, 257, 131}})
        expectMatches(matmul(m, k, n, transposeA, transposeB, "f32"));
}

TEST_F(HostCodegen, MatMulOfOtherFloats) {
  for (bool transposeB : {false, true})
    for (std::string type : {"f64", "f16", "bf16"})
      for (auto [m, k, n] : std::initializer_list<std::array<int64_t, 3>>{
               {1, 3, 1}, {17, 33, 29}, {9, 700, 26}})
        expectMatches(matmul(m, k, n, true, transposeB, type));
}

// A long inner dimension is packed in stretches; sums wait in the output.
TEST_F(HostCodegen, MatMulOverALongInnerDimension) {
  for (auto [m, k, n] : std::initializer_list<std::array<int64_t, 3>>{
           {3, 1200, 20}, {130, 1025, 100}})
    for (bool transposeB : {false, true})
      expectMatches(matmul(m, k, n, false, transposeB, "f32"));
  // No output can hold unfinished sums.
  expectMatches(
      R"(func.func @k(%a: tensor<5x600xf32>, %b: tensor<7x600xf32>, %c: tensor<7xf32>)
      -> tensor<5x7xi1> {
    %0 = graph.matmul %a, %b transpose_b : tensor<5x600xf32>, tensor<7x600xf32>
    %1 = graph.equal %0, %c : tensor<5x7xf32>, tensor<7xf32>
    return %1 : tensor<5x7xi1>
  })");
}

TEST_F(HostCodegen, MatMulWithEpilogue) {
  for (std::string n : {"10", "64", "75"})
    expectMatches("func.func @k(%a: tensor<30x64xf32>, %b: tensor<64x" + n +
                  "xf32>, %c: tensor<" + n +
                  "xf32>, %r: tensor<30x1xf32>) -> (tensor<30x" + n +
                  "xf32>, tensor<30x" + n +
                  "xf32>) {\n"
                  " %0 = graph.matmul %a, %b : tensor<30x64xf32>, tensor<64x" +
                  n +
                  "xf32>\n"
                  " %1 = graph.bias_add %0, %c : tensor<30x" +
                  n + "xf32>, tensor<" + n +
                  "xf32>\n"
                  " %2 = graph.relu %1 : tensor<30x" +
                  n +
                  "xf32>\n"
                  " %3 = graph.mul %2, %r : tensor<30x" +
                  n +
                  "xf32>, tensor<30x1xf32>\n"
                  " return %1, %3 : tensor<30x" +
                  n + "xf32>, tensor<30x" + n + "xf32>\n}");
}

//===----------------------------------------------------------------------===//
// Reductions and rows
//===----------------------------------------------------------------------===//

static std::string reduction(const std::string &op, const std::string &from,
                             const std::string &axes, const std::string &to) {
  return "func.func @k(%a: tensor<" + from + ">) -> tensor<" + to +
         "> {\n %0 = graph." + op + " %a axes [" + axes + "] : tensor<" + from +
         ">\n return %0 : tensor<" + to + ">\n}";
}

TEST_F(HostCodegen, ReducesOverAnyAxes) {
  for (std::string op : {"reduce_sum", "reduce_mean", "reduce_max"})
    for (std::string type : {"f32", "f64", "f16", "bf16"})
      for (auto [from, axes, to] :
           std::initializer_list<std::array<std::string, 3>>{
               {"30x", "0", ""},
               {"1x", "0", ""},
               {"30x10x", "0", "10x"},
               {"30x64x", "0", "64x"},
               {"17x37x", "0", "37x"},
               {"17x37x", "1", "17x"},
               {"3x4x5x", "0, 2", "4x"},
               {"3x4x5x", "1", "3x5x"},
               {"2x3x40x", "0, 1", "40x"},
               {"7x3x", "0, 1", ""}})
        expectMatches(reduction(op, from + type, axes, to + type));
}

TEST_F(HostCodegen, ReducesIntegers) {
  for (std::string op : {"reduce_sum", "reduce_max"})
    for (std::string type : {"i8", "ui8", "i32", "i64"}) {
      expectMatches(reduction(op, "33x" + type, "0", type));
      expectMatches(reduction(op, "33x17x" + type, "0", "17x" + type));
    }
}

// Beyond 4096 elements the tree has blocks.
TEST_F(HostCodegen, ReducesLongRows) {
  for (std::string length : {"4096", "4097", "8192", "8200", "20011"}) {
    expectMatches(reduction("reduce_sum", length + "xf32", "0", "f32"));
    expectMatches(reduction("reduce_sum", length + "x5xf32", "0", "5xf32"));
  }
}

TEST_F(HostCodegen, ReducesWithKeptDimsAndEpilogue) {
  expectMatches(
      R"(func.func @k(%a: tensor<6x20x33xf32>, %b: tensor<1x33xf32>) -> tensor<6x1x33xf32> {
    %0 = graph.reduce_sum %a axes [1] keep_dims : tensor<6x20x33xf32>
    %1 = graph.mul %0, %b : tensor<6x1x33xf32>, tensor<1x33xf32>
    return %1 : tensor<6x1x33xf32>
  })");
  expectMatches(R"(func.func @k(%a: tensor<20x6x3xf32>, %b: tensor<6x1xf32>)
      -> (tensor<6x3xf32>, tensor<6x3xf32>) {
    %0 = graph.reduce_sum %a axes [0] : tensor<20x6x3xf32>
    %1 = graph.mul %0, %b : tensor<6x3xf32>, tensor<6x1xf32>
    return %0, %1 : tensor<6x3xf32>, tensor<6x3xf32>
  })");
}

TEST_F(HostCodegen, ArgMaxOverAnyAxis) {
  for (auto [from, axis, to] :
       std::initializer_list<std::array<std::string, 3>>{
           {"7x10xf32", "1", "7x"},
           {"7x10xf32", "0", "10x"},
           {"3x4x5xf64", "1", "3x5x"},
           {"9xf16", "0", ""},
           {"50xi8", "0", ""},
           {"50xui8", "0", ""}})
    expectMatches("func.func @k(%a: tensor<" + from + ">) -> tensor<" + to +
                  "i64> {\n %0 = graph.argmax %a axis " + axis + " : tensor<" +
                  from + ">\n return %0 : tensor<" + to + "i64>\n}");
}

TEST_F(HostCodegen, SoftmaxOfRows) {
  for (std::string shape : {"3x1", "3x7", "2x3x16", "5x37", "2x5000"})
    expectMatches(apply("softmax", 1, "tensor<" + shape + "xf32>",
                        "tensor<" + shape + "xf32>"),
                  2e-6);
  expectMatches(apply("softmax", 1, "tensor<5x37xf64>", "tensor<5x37xf64>"),
                1e-14);
  expectMatches(apply("softmax", 1, "tensor<5x37xf16>", "tensor<5x37xf16>"),
                1e-3);
  expectMatches(apply("softmax", 1, "tensor<5x37xbf16>", "tensor<5x37xbf16>"),
                8e-3);
}

TEST_F(HostCodegen, CrossEntropyOfRows) {
  for (std::string classes : {"2", "10", "100"})
    for (std::string label : {"i64", "i32", "ui8"})
      expectMatches("func.func @k(%a: tensor<30x" + classes +
                        "xf32>, %b: tensor<30x" + label +
                        ">) -> tensor<30xf32> {\n %0 = "
                        "graph.softmax_cross_entropy %a, %b : tensor<30x" +
                        classes + "xf32>, tensor<30x" + label +
                        ">\n return %0 : tensor<30xf32>\n}",
                    3e-6);
}

// The runtime checks labels before; still, nothing is read out of bounds.
TEST(CrossEntropy, GivesNaNForALabelThatIsNoClass) {
  TestKernel kernel(
      R"(func.func @k(%a: tensor<3x2xf32>, %b: tensor<3xi64>) -> tensor<3xf32> {
    %0 = graph.softmax_cross_entropy %a, %b : tensor<3x2xf32>, tensor<3xi64>
    return %0 : tensor<3xf32>
  })");
  int64_t labels[] = {1, -1, INT64_MAX};
  std::memcpy(kernel.inputs()[1].data, labels, sizeof labels);
  TestTensor loss = kernel.run(kernel.compile("x86-64-v3"))[0];
  EXPECT_FALSE(std::isnan(loss.at(0)));
  EXPECT_TRUE(std::isnan(loss.at(1)) && std::isnan(loss.at(2)));
}

TEST_F(HostCodegen, SoftmaxWithEpilogue) {
  expectMatches(
      R"(func.func @k(%a: tensor<30x10xf32>, %l: tensor<30x10xf32>) -> tensor<30x10xf32> {
    %0 = graph.softmax %a : tensor<30x10xf32>
    %1 = graph.mul %0, %l : tensor<30x10xf32>, tensor<30x10xf32>
    return %1 : tensor<30x10xf32>
  })",
      2e-6);
}

//===----------------------------------------------------------------------===//
// Objects, targets, errors
//===----------------------------------------------------------------------===//

TEST(HostObject, SameBytesForAnyNumberOfThreads) {
  std::string text = matmul(30, 64, 64, false, false, "f32");
  EXPECT_EQ(TestKernel(text).compile("x86-64-v3", 1),
            TestKernel(text).compile("x86-64-v3", 3));
}

TEST(HostObject, RangesAndGrains) {
  EXPECT_EQ(TestKernel(matmul(30, 64, 64, false, false, "f32")).range().range,
            10);
  TestKernel add(apply("add", 2, "tensor<100000xf32>",
                       "tensor<100000xf32>, tensor<100000xf32>"));
  EXPECT_EQ(add.range().range, 100000);
  EXPECT_GT(add.range().grain, 1000);
  EXPECT_LT(add.range().grain, 50000);
}

TEST(HostTarget, ResolvesLevelsAndNames) {
  EXPECT_EQ(resolve("x86-64-v3")->vectorBits(), 256u);
  EXPECT_EQ(resolve("x86-64-v4")->vectorBits(), 512u);
  EXPECT_EQ(resolve("znver4")->cpu, "znver4");
  EXPECT_THAT(resolve("x86-64-v3")->features,
              testing::ElementsAre("avx", "avx2", "bmi", "bmi2", "f16c", "fma",
                                   "lzcnt", "movbe"));
  EXPECT_THAT(resolve("x86-64-v4")->features, testing::Contains("avx512vl"));
  std::string host = resolve("host")->cpu;
  EXPECT_TRUE(host == "x86-64-v3" || host == "x86-64-v4") << host;
}

TEST(HostTarget, RefusesWhatHasNoFma) {
  EXPECT_EQ(resolveError("x86-64-v2"),
            "CPU 'x86-64-v2' has no AVX2 and FMA; x86-64-v3 is the floor");
  EXPECT_THAT(resolveError("pentium9"), HasSubstr("no CPU 'pentium9'"));
}

// Tools and files fail, too; the message names the file.
TEST(HostObject, SaysWhyItCannotLink) {
  std::string folder = "/nonexistent/dtc-test";
  setenv("TMPDIR", folder.c_str(), 1);
  TestKernel kernel(apply("relu", 1, "tensor<4xf32>", "tensor<4xf32>"));
  EXPECT_THAT(kernel.compileError(),
              HasSubstr("cannot make a temporary directory"));
  unsetenv("TMPDIR");
}

TEST(HostObject, NamesTheOpThatCannotBeCompiled) {
  EXPECT_THAT(
      TestKernel("func.func @k(%a: tensor<4xf32>) -> tensor<f32> {\n"
                 " %0 = graph.relu %a : tensor<4xf32>\n"
                 " %1 = graph.reduce_sum %0 axes [0] : tensor<4xf32>\n"
                 " return %1 : tensor<f32>\n}")
          .compileError(),
      HasSubstr(
          "'graph.reduce_sum' op reads a value that its own kernel computes"));
  EXPECT_THAT(
      TestKernel(
          "func.func @k(%a: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {\n"
          " %0 = graph.reduce_max %a axes [0] : tensor<4xf32>\n"
          " %1 = graph.reduce_sum %a axes [0] : tensor<4xf32>\n"
          " return %0, %1 : tensor<f32>, tensor<f32>\n}")
          .compileError(),
      HasSubstr("cannot share a kernel with another root"));
  EXPECT_THAT(TestKernel("func.func @k(%a: tensor<4xf32>, %b: tensor<2xf32>) "
                         "-> (tensor<4xf32>, tensor<2xf32>) {\n"
                         " %0 = graph.relu %a : tensor<4xf32>\n"
                         " %1 = graph.relu %b : tensor<2xf32>\n"
                         " return %0, %1 : tensor<4xf32>, tensor<2xf32>\n}")
                  .compileError(),
              HasSubstr("a kernel's results have one shape"));
  EXPECT_THAT(TestKernel("func.func @k() -> tensor<4xf32> {\n"
                         " %0 = graph.read @w : tensor<4xf32>\n"
                         " return %0 : tensor<4xf32>\n}")
                  .compileError(),
              HasSubstr("'graph.read' op cannot be computed by a kernel"));
  EXPECT_THAT(TestKernel("func.func @k() {\n return\n}").compileError(),
              HasSubstr("a kernel without outputs"));
}

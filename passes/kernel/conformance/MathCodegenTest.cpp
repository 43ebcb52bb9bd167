// The element-wise ops and reductions beyond HostCodegenTest.cpp, against the
// reference kernels: equal bits where arithmetic is exact, a tolerance where
// polynomials stand for the C library.
#include "passes/kernel/conformance/TestKernel.h"

#include <gtest/gtest.h>

using namespace dtc;
using namespace dtc::kernel;

namespace {
class MathCodegen : public testing::Test {
protected:
  void expectMatches(const std::string &text, double tolerance = 0) {
    batch_.add(text, tolerance);
  }
  void TearDown() override { batch_.expectMatchesReference(); }

private:
  TestBatch batch_;
};

std::string tensorOf(const std::string &shape, const std::string &type) {
  return "tensor<" + shape + type + ">";
}

/// `op` on one tensor; `attributes` follow the operand.
std::string unary(const std::string &op, const std::string &tensor,
                  const std::string &attributes = "") {
  return "func.func @k(%a: " + tensor + ") -> " + tensor + " {\n %0 = graph." +
         op + " %a" + attributes + " : " + tensor + "\n return %0 : " + tensor +
         "\n}";
}

/// `op` on two tensors of `shape`; the operands of signed types lie around 0.
std::string binary(const std::string &op, const std::string &shape,
                   const std::string &type, const std::string &resultType) {
  std::string tensor = tensorOf(shape, type), scalar = tensorOf("", type);
  std::string text = "func.func @k(%a: " + tensor + ", %b: " + tensor +
                     ") -> " + tensorOf(shape, resultType) + " {\n";
  std::string a = "%a", b = "%b";
  if (type == "i8" || type == "i32" || type == "i64") {
    text += " %c = graph.constant dense<6> : " + scalar + "\n";
    for (std::string name : {"a", "b"})
      text += " %" + name + "0 = graph.sub %" + name + ", %c : " + tensor +
              ", " + scalar + "\n";
    a = "%a0", b = "%b0";
  }
  return text + " %0 = graph." + op + " " + a + ", " + b + " : " + tensor +
         ", " + tensor + "\n return %0 : " + tensorOf(shape, resultType) +
         "\n}";
}

const std::string kFloats[] = {"f32", "f64", "f16", "bf16"};
const std::string kIntegers[] = {"i8", "ui8", "i32", "i64"};

/// What polynomials may differ from the C library, relatively.
double toleranceOf(const std::string &type) {
  return type == "f32"   ? 2e-6
         : type == "f64" ? 1e-14
         : type == "f16" ? 1e-3
                         : 8e-3;
}
} // namespace

TEST_F(MathCodegen, ExactUnaryOps) {
  for (const std::string &type : kFloats)
    for (std::string shape : {"1x", "16x", "37x", "3x5x", ""}) {
      std::string tensor = tensorOf(shape, type);
      for (std::string op : {"abs", "sign", "floor", "ceil", "rsqrt", "relu6"})
        expectMatches(unary(op, tensor));
      expectMatches(unary("leaky_relu", tensor, " alpha 0.3"));
      expectMatches(unary("clip", tensor, " from -1.25 to 2.1"));
    }
  for (std::string type : {"i8", "i32", "i64"})
    for (std::string op : {"abs", "sign"})
      expectMatches(unary(op, tensorOf("37x", type)));
  expectMatches(unary("logical_not", "tensor<37xi1>"));
}

TEST_F(MathCodegen, CurvesOnAllFloats) {
  for (const std::string &type : kFloats) {
    std::string tensor = tensorOf("500x", type);
    for (std::string op :
         {"sin", "cos", "tanh", "sigmoid", "erf", "softplus", "elu", "gelu"})
      expectMatches(unary(op, tensor), toleranceOf(type));
    expectMatches(unary("gelu", tensor, " approximate"), toleranceOf(type));
  }
}

TEST_F(MathCodegen, BinaryOpsOnAllNumbers) {
  for (const std::string &type : kIntegers)
    for (std::string op : {"div", "floor_div", "floor_mod", "minimum"})
      expectMatches(binary(op, "200x", type, type));
  for (const std::string &type : kFloats) {
    for (std::string op : {"floor_div", "minimum"})
      expectMatches(binary(op, "37x", type, type));
    expectMatches(binary("pow", "500x", type, type), toleranceOf(type));
  }
}

TEST_F(MathCodegen, ComparisonsOnAllNumbers) {
  for (std::string op :
       {"not_equal", "less", "less_equal", "greater", "greater_equal"}) {
    for (const std::string &type : kIntegers)
      expectMatches(binary(op, "100x", type, "i1"));
    for (const std::string &type : kFloats)
      expectMatches(binary(op, "37x", type, "i1"));
  }
  for (std::string op : {"logical_and", "logical_or"})
    expectMatches(binary(op, "37x", "i1", "i1"));
}

TEST_F(MathCodegen, Choices) {
  for (std::string type :
       {"f32", "f64", "f16", "bf16", "i1", "i8", "ui8", "i32", "i64"}) {
    std::string x = tensorOf("3x5x", type), y = tensorOf("5x", type);
    expectMatches("func.func @k(%c: tensor<3x1xi1>, %x: " + x + ", %y: " + y +
                  ") -> " + x +
                  " {\n %0 = graph.where %c, %x, %y : tensor<3x1xi1>, " + x +
                  ", " + y + "\n return %0 : " + x + "\n}");
    expectMatches("func.func @k(%c: tensor<3x5xi1>, %x: " + x + ", %y: " + x +
                  ") -> " + x +
                  " {\n %0 = graph.select %c, %x, %y : tensor<3x5xi1>, " + x +
                  ", " + x + "\n return %0 : " + x + "\n}");
  }
}

// A comparison feeds a choice within one kernel.
TEST_F(MathCodegen, FusedComparisonAndChoice) {
  expectMatches(
      R"(func.func @k(%x: tensor<7x19xf32>, %y: tensor<19xf32>) -> tensor<7x19xf32> {
    %0 = graph.greater %x, %y : tensor<7x19xf32>, tensor<19xf32>
    %1 = graph.logical_not %0 : tensor<7x19xi1>
    %2 = graph.where %1, %x, %y : tensor<7x19xi1>, tensor<7x19xf32>, tensor<19xf32>
    %3 = graph.abs %2 : tensor<7x19xf32>
    return %3 : tensor<7x19xf32>
  })");
}

TEST_F(MathCodegen, ReducesOverAnyAxes) {
  for (std::string op : {"reduce_min", "reduce_prod"})
    for (std::string type :
         {"f32", "f64", "f16", "bf16", "i8", "ui8", "i32", "i64"})
      for (auto [from, axes, to] :
           std::initializer_list<std::array<std::string, 3>>{
               {"30x", "0", ""},
               {"30x10x", "0", "10x"},
               {"17x37x", "1", "17x"},
               {"3x4x5x", "0, 2", "4x"},
               {"7x3x", "0, 1", ""}})
        expectMatches("func.func @k(%a: " + tensorOf(from, type) + ") -> " +
                      tensorOf(to, type) + " {\n %0 = graph." + op +
                      " %a axes [" + axes + "] : " + tensorOf(from, type) +
                      "\n return %0 : " + tensorOf(to, type) + "\n}");
}

TEST_F(MathCodegen, ArgMinOverAnyAxis) {
  for (auto [from, axis, to] :
       std::initializer_list<std::array<std::string, 3>>{
           {"7x10xf32", "1", "7x"},
           {"7x10xf32", "0", "10x"},
           {"3x4x5xf64", "1", "3x5x"},
           {"9xf16", "0", ""},
           {"50xi8", "0", ""},
           {"50xui8", "0", ""}})
    expectMatches("func.func @k(%a: tensor<" + from + ">) -> tensor<" + to +
                  "i64> {\n %0 = graph.argmin %a axis " + axis + " : tensor<" +
                  from + ">\n return %0 : tensor<" + to + "i64>\n}");
}

// The apply ops as generated code: the reference kernels' bits, in every float
// type, with the rate as a scalar.
#include "passes/kernel/conformance/TestKernel.h"

#include <gtest/gtest.h>

using namespace dtc::kernel;

namespace {
/// A kernel of one apply op with `tensors` operands of one type, the rate, and
/// `results` results.
std::string apply(const std::string &op, int tensors, int results,
                  const std::string &attributes, const std::string &element) {
  std::string type = "tensor<5x13x" + element + ">";
  std::string feeds, operands, made, types, rate = "tensor<" + element + ">";
  for (int i = 0; i < tensors; ++i) {
    feeds += "%x" + std::to_string(i) + ": " + type + ", ";
    operands += (i ? ", %x" : "%x") + std::to_string(i);
  }
  for (int i = 0; i < results; ++i) {
    made += (i ? ", %r" : "%r") + std::to_string(i);
    types += (i ? ", " : "") + type;
  }
  return "func.func @k(" + feeds + "%rate: " + rate + ") -> (" + types +
         ") {\n " + made + " = graph." + op + " " + operands +
         " learning_rate %rate " + attributes + " : " + type + "\n return " +
         made + " : " + types + "\n}";
}

void expectMatches(const std::string &op, int tensors, int results,
                   const std::string &attributes) {
  TestBatch batch;
  for (const char *element : {"f32", "f64", "f16", "bf16"})
    batch.add(apply(op, tensors, results, attributes, element), 0);
  batch.expectMatchesReference();
}
} // namespace

TEST(TrainingCodegen, GradientDescent) {
  expectMatches("apply_gradient_descent", 2, 1, "");
}

TEST(TrainingCodegen, Momentum) {
  expectMatches("apply_momentum", 3, 2, "momentum 0.9");
}

TEST(TrainingCodegen, NesterovMomentum) {
  expectMatches("apply_momentum", 3, 2, "momentum 0.9 nesterov");
}

// Random sums of squares may be negative: a NaN on both sides.
TEST(TrainingCodegen, Adagrad) {
  expectMatches("apply_adagrad", 3, 2, "epsilon 1.0e-3");
}

TEST(TrainingCodegen, Adam) {
  expectMatches("apply_adam", 4, 3, "beta1 0.9 beta2 0.999 epsilon 1.0e-3");
}

TEST(TrainingCodegen, Rmsprop) {
  expectMatches("apply_rmsprop", 4, 3, "rho 0.9 momentum 0.5 epsilon 1.0e-3");
}

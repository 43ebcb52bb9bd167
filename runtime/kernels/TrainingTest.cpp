// The apply kernels on numbers that can be checked by hand.
#include "runtime/kernels/ReferenceKernels.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace dtc;

namespace {
/// Runs an apply op on scalars; gives its results.
std::vector<double> apply(const std::string &op, std::vector<double> operands,
                          size_t resultCount, const Attributes &attributes) {
  std::vector<double> results(resultCount);
  auto refs = [](std::vector<double> &values) {
    std::vector<TensorRef> tensors;
    for (double &value : values)
      tensors.push_back(
          {ElementType::F64, {}, reinterpret_cast<std::byte *>(&value)});
    return tensors;
  };
  Status status =
      runReferenceKernel(op, refs(operands), refs(results), attributes);
  EXPECT_TRUE(status.isOk()) << status.message();
  return results;
}
} // namespace

TEST(Training, NesterovLooksAhead) {
  auto results = apply("graph.apply_momentum", {1, 4, 2, 0.5}, 2,
                       {{"momentum", 0.25}, {"nesterov", true}});
  EXPECT_EQ(results[1], 3);
  EXPECT_EQ(results[0], 1 - (2 * 0.5 + 3 * 0.25 * 0.5));
}

TEST(Training, Adagrad) {
  auto results =
      apply("graph.apply_adagrad", {1, 7, 3, 0.5}, 2, {{"epsilon", 1.0}});
  EXPECT_EQ(results[1], 16);
  EXPECT_EQ(results[0], 1 - 3 * 0.5 / 5);
}

TEST(Training, Adam) {
  auto results = apply("graph.apply_adam", {1, 1, 7, 3, 0.5}, 3,
                       {{"beta1", 0.5}, {"beta2", 0.5}, {"epsilon", 1.0}});
  EXPECT_EQ(results[1], 2);
  EXPECT_EQ(results[2], 8);
  EXPECT_EQ(results[0], 1 - 0.5 * 2 / (std::sqrt(8.0) + 1));
}

TEST(Training, Rmsprop) {
  auto results = apply("graph.apply_rmsprop", {1, 7, 2, 3, 0.5}, 3,
                       {{"rho", 0.5}, {"momentum", 0.5}, {"epsilon", 1.0}});
  EXPECT_EQ(results[1], 8);
  EXPECT_EQ(results[2], 1 + 3 * 0.5 / 3);
  EXPECT_EQ(results[0], 1 - results[2]);
}

TEST(Training, RefusesARateOfAnotherShape) {
  double value = 0;
  std::byte *data = reinterpret_cast<std::byte *>(&value);
  TensorRef scalar{ElementType::F64, {}, data},
      one{ElementType::F64, {1}, data};
  std::vector<TensorRef> operands{scalar, scalar, scalar, one};
  std::vector<TensorRef> results{scalar, scalar};
  EXPECT_FALSE(runReferenceKernel("graph.apply_adagrad", operands, results,
                                  {{"epsilon", 1.0}})
                   .isOk());
}

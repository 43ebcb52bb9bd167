#include "runtime/kernels/KernelTest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace dtc;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

TEST(ReferenceKernels, BinaryOpsBroadcastAsNumPy) {
  Tensor<float> column{{2, 1}, {10, 20}}, row{{3}, {1, 2, 3}};
  auto operands = std::vector{column.ref(), row.ref()};
  EXPECT_THAT(run<float>("add", operands, {2, 3}),
              ElementsAre(11, 12, 13, 21, 22, 23));
  EXPECT_THAT(run<float>("sub", operands, {2, 3}),
              ElementsAre(9, 8, 7, 19, 18, 17));
  EXPECT_THAT(run<float>("mul", operands, {2, 3}),
              ElementsAre(10, 20, 30, 20, 40, 60));
  EXPECT_THAT(run<float>("div", operands, {2, 3}),
              ElementsAre(10, 5, 10 / 3.0f, 20, 10, 20 / 3.0f));
  EXPECT_THAT(run<float>("maximum", operands, {2, 3}),
              ElementsAre(10, 10, 10, 20, 20, 20));
}

TEST(ReferenceKernels, BiasAddsToTheLastDimension) {
  Tensor<float> value{{2, 2}, {1, 2, 3, 4}}, bias{{2}, {10, 20}};
  EXPECT_THAT(run<float>("bias_add", {value.ref(), bias.ref()}, {2, 2}),
              ElementsAre(11, 22, 13, 24));
}

TEST(ReferenceKernels, IntegersWrap) {
  Tensor<int8_t> a{{3}, {127, -128, 100}}, b{{3}, {1, 1, 2}};
  auto operands = std::vector{a.ref(), b.ref()};
  EXPECT_THAT(run<int8_t>("add", operands, {3}), ElementsAre(-128, -127, 102));
  EXPECT_THAT(run<int8_t>("sub", operands, {3}), ElementsAre(126, 127, 98));
  EXPECT_THAT(run<int8_t>("mul", operands, {3}), ElementsAre(127, -128, -56));
  EXPECT_THAT(run<int8_t>("neg", {a.ref()}, {3}),
              ElementsAre(-127, -128, -100));
}

TEST(ReferenceKernels, UnaryOps) {
  Tensor<float> x{{3}, {-4, 0, 9}};
  EXPECT_THAT(run<float>("neg", {x.ref()}, {3}), ElementsAre(4, -0.0f, -9));
  EXPECT_THAT(run<float>("square", {x.ref()}, {3}), ElementsAre(16, 0, 81));
  EXPECT_THAT(run<float>("relu", {x.ref()}, {3}), ElementsAre(0, 0, 9));
  Tensor<double> y{{2}, {1, 4}};
  EXPECT_THAT(run<double>("sqrt", {y.ref()}, {2}), ElementsAre(1, 2));
  EXPECT_THAT(run<double>("exp", {y.ref()}, {2}),
              ElementsAre(std::exp(1.0), std::exp(4.0)));
  EXPECT_THAT(run<double>("log", {y.ref()}, {2}),
              ElementsAre(0, std::log(4.0)));
}

// A NaN must not vanish in a relu or a maximum.
TEST(ReferenceKernels, NaNsPass) {
  Tensor<float> nan{{1}, {NAN}}, one{{1}, {1}};
  EXPECT_TRUE(std::isnan(run<float>("relu", {nan.ref()}, {1})[0]));
  EXPECT_TRUE(
      std::isnan(run<float>("maximum", {nan.ref(), one.ref()}, {1})[0]));
  EXPECT_TRUE(
      std::isnan(run<float>("maximum", {one.ref(), nan.ref()}, {1})[0]));
}

TEST(ReferenceKernels, ReluGradGatesTheGradient) {
  Tensor<float> dy{{3}, {5, 6, 7}}, x{{3}, {-1, 0, 2}};
  EXPECT_THAT(run<float>("relu_grad", {dy.ref(), x.ref()}, {3}),
              ElementsAre(0, 0, 7));
}

TEST(ReferenceKernels, EqualGivesBooleans) {
  Tensor<int64_t> a{{3}, {1, 2, 3}}, two{{}, {2}};
  auto result = run<Boolean>("equal", {a.ref(), two.ref()}, {3});
  EXPECT_EQ(result[0].value, 0);
  EXPECT_EQ(result[1].value, 1);
  EXPECT_EQ(result[2].value, 0);
}

TEST(ReferenceKernels, CastTruncatesAndSaturates) {
  Tensor<float> x{{5}, {-1.9f, 2.9f, 1e10f, -1e10f, NAN}};
  EXPECT_THAT(run<int32_t>("cast", {x.ref()}, {5}),
              ElementsAre(-1, 2, INT32_MAX, INT32_MIN, 0));
  EXPECT_THAT(run<uint8_t>("cast", {x.ref()}, {5}),
              ElementsAre(0, 2, 255, 0, 0));
  Tensor<int32_t> y{{3}, {300, -1, 0}};
  EXPECT_THAT(run<int8_t>("cast", {y.ref()}, {3}), ElementsAre(44, -1, 0));
  EXPECT_THAT(run<float>("cast", {y.ref()}, {3}), ElementsAre(300, -1, 0));
  EXPECT_EQ(run<Boolean>("cast", {y.ref()}, {3})[0].value, 1);
}

// Each op rounds to f16: 2048 + 1 is 2048 in half precision.
TEST(ReferenceKernels, HalfRoundsOnceAnOp) {
  Tensor<Half> a{{1}, {floatToHalf(2048)}}, b{{1}, {floatToHalf(1)}};
  EXPECT_EQ(run<Half>("add", {a.ref(), b.ref()}, {1})[0].bits,
            floatToHalf(2048).bits);
}

//===----------------------------------------------------------------------===//
// Matrices, reductions, rows
//===----------------------------------------------------------------------===//

TEST(ReferenceKernels, MatMulInAllFourOrientations) {
  // a = [[1 2 3] [4 5 6]], b = [[1 2] [3 4] [5 6]]; a·b = [[22 28] [49 64]].
  Tensor<float> a{{2, 3}, {1, 2, 3, 4, 5, 6}}, aT{{3, 2}, {1, 4, 2, 5, 3, 6}};
  Tensor<float> b{{3, 2}, {1, 2, 3, 4, 5, 6}}, bT{{2, 3}, {1, 3, 5, 2, 4, 6}};
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true}) {
      auto operands =
          std::vector{(transposeA ? aT : a).ref(), (transposeB ? bT : b).ref()};
      EXPECT_THAT(run<float>("matmul", operands, {2, 2},
                             {{"transpose_a", transposeA},
                              {"transpose_b", transposeB}}),
                  ElementsAre(22, 28, 49, 64));
    }
}

// Fused: the product's low bits survive until the addition.
TEST(ReferenceKernels, MatMulFusesMultiplyAndAdd) {
  float x = 1 + 0x1p-12f;
  Tensor<float> a{{1, 2}, {1, x}}, b{{2, 1}, {-(1 + 0x1p-11f), x}};
  EXPECT_EQ(run<float>("matmul", {a.ref(), b.ref()}, {1, 1})[0], 0x1p-24f);
}

TEST(ReferenceKernels, ReducesOverAnyAxes) {
  Tensor<float> x{{2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_THAT(
      run<float>("reduce_sum", {x.ref()}, {2, 2}, {{"axes", axes({0})}}),
      ElementsAre(6, 8, 10, 12));
  EXPECT_THAT(
      run<float>("reduce_sum", {x.ref()}, {2}, {{"axes", axes({0, 2})}}),
      ElementsAre(14, 22));
  EXPECT_THAT(run<float>("reduce_mean", {x.ref()}, {2, 2, 1},
                         {{"axes", axes({2})}, {"keep_dims", true}}),
              ElementsAre(1.5f, 3.5f, 5.5f, 7.5f));
  EXPECT_THAT(
      run<float>("reduce_max", {x.ref()}, {}, {{"axes", axes({0, 1, 2})}}),
      ElementsAre(8));
}

TEST(ReferenceKernels, ArgMaxGivesTheFirstOfTheLargest) {
  Tensor<float> x{{2, 3}, {1, 5, 5, 7, 0, 9}};
  EXPECT_THAT(run<int64_t>("argmax", {x.ref()}, {2}, {{"axis", int64_t(1)}}),
              ElementsAre(1, 2));
  EXPECT_THAT(run<int64_t>("argmax", {x.ref()}, {3}, {{"axis", int64_t(0)}}),
              ElementsAre(1, 0, 1));
}

TEST(ReferenceKernels, SoftmaxOfARow) {
  Tensor<float> x{{2, 3}, {1, 2, 3, 1000, 1000, 1000}};
  EXPECT_THAT(
      run<float>("softmax", {x.ref()}, {2, 3}),
      ElementsAre(FloatNear(0.09003057f, 1e-7f), FloatNear(0.24472847f, 1e-7f),
                  FloatNear(0.66524096f, 1e-7f), FloatNear(1 / 3.0f, 1e-7f),
                  FloatNear(1 / 3.0f, 1e-7f), FloatNear(1 / 3.0f, 1e-7f)));
}

TEST(ReferenceKernels, CrossEntropyPicksTheLabel) {
  Tensor<float> x{{2, 3}, {1, 2, 3, 0, 0, 0}};
  Tensor<int64_t> labels{{2}, {2, 0}};
  EXPECT_THAT(run<float>("softmax_cross_entropy", {x.ref(), labels.ref()}, {2}),
              ElementsAre(FloatNear(0.40760596f, 1e-6f),
                          FloatNear(std::log(3.0f), 1e-6f)));
}

// A label that is no class has no loss: an error, never a read out of bounds.
TEST(ReferenceKernels, BadLabelsAreErrors) {
  Tensor<float> x{{2, 2}, {1, 2, 3, 4}}, hot{{2, 2}, {0, 0, 0, 0}};
  Tensor<float> loss{{2}, {0, 0}};
  for (int64_t bad : {2, -1}) {
    Tensor<int64_t> labels{{2}, {1, bad}};
    std::string what = ": label " + std::to_string(bad) +
                       ", number 1 of them, is outside [0, 2)";
    TensorRef rows[] = {x.ref(), labels.ref()}, losses[] = {loss.ref()};
    EXPECT_EQ(
        runReferenceKernel("graph.softmax_cross_entropy", rows, losses, {})
            .message(),
        "graph.softmax_cross_entropy" + what);
    TensorRef operands[] = {labels.ref()}, results[] = {hot.ref()};
    EXPECT_EQ(runReferenceKernel("graph.one_hot", operands, results,
                                 {{"depth", int64_t(2)}, {"strict", true}})
                  .message(),
              "graph.one_hot" + what);
  }
}

TEST(ReferenceKernels, OneHot) {
  Tensor<int32_t> labels{{3}, {1, 0, 7}};
  EXPECT_THAT(
      run<float>("one_hot", {labels.ref()}, {3, 2}, {{"depth", int64_t(2)}}),
      ElementsAre(0, 1, 1, 0, 0, 0));
}

//===----------------------------------------------------------------------===//
// Shapes, constants, training
//===----------------------------------------------------------------------===//

TEST(ReferenceKernels, ReshapeAndBroadcast) {
  Tensor<int32_t> x{{2}, {1, 2}};
  EXPECT_THAT(run<int32_t>("reshape", {x.ref()}, {2, 1}), ElementsAre(1, 2));
  EXPECT_THAT(run<int32_t>("broadcast_to", {x.ref()}, {2, 2}),
              ElementsAre(1, 2, 1, 2));
}

TEST(ReferenceKernels, ConstantIsItsBytesOrASplat) {
  float values[] = {1, 2};
  std::vector<std::byte> bytes(8);
  std::memcpy(bytes.data(), values, 8);
  EXPECT_THAT(run<float>("constant", {}, {2}, {{"value", bytes}}),
              ElementsAre(1, 2));
  bytes.resize(4);
  EXPECT_THAT(run<float>("constant", {}, {3}, {{"value", bytes}}),
              ElementsAre(1, 1, 1));
}

TEST(ReferenceKernels, GradientDescent) {
  Tensor<float> var{{2}, {1, 2}}, grad{{2}, {10, 20}}, rate{{}, {0.5}};
  EXPECT_THAT(run<float>("apply_gradient_descent",
                         {var.ref(), grad.ref(), rate.ref()}, {2}),
              ElementsAre(-4, -8));
}

TEST(ReferenceKernels, MomentumGivesVariableAndSlot) {
  Tensor<float> var{{1}, {1}}, accum{{1}, {4}}, grad{{1}, {2}};
  Tensor<float> rate{{}, {0.5}};
  Tensor<float> newVar = zeros<float>({1}), newAccum = zeros<float>({1});
  std::vector operands{var.ref(), accum.ref(), grad.ref(), rate.ref()};
  std::vector results{newVar.ref(), newAccum.ref()};
  Attributes attributes = {{"momentum", 0.25}};
  ASSERT_TRUE(
      runReferenceKernel("graph.apply_momentum", operands, results, attributes)
          .isOk());
  EXPECT_EQ(newAccum.values[0], 3);
  EXPECT_EQ(newVar.values[0], -0.5f);
}

TEST(ReferenceKernels, ReplicaMean) {
  Tensor<float> a{{2}, {1, 2}}, b{{2}, {3, 5}};
  EXPECT_THAT(run<float>("replica_mean", {a.ref(), b.ref()}, {2}),
              ElementsAre(2, 3.5f));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(ReferenceKernels, UnknownOp) {
  EXPECT_FALSE(hasReferenceKernel("graph.input"));
  EXPECT_TRUE(hasReferenceKernel("graph.matmul"));
  Status status = runReferenceKernel("graph.input", {}, {}, {});
  EXPECT_EQ(status.code(), StatusCode::Unimplemented);
  EXPECT_EQ(status.message(), "no reference kernel for 'graph.input'");
}

TEST(ReferenceKernels, NamesWhatDoesNotFit) {
  Tensor<float> x{{2}, {1, 2}}, y{{3}, {1, 2, 3}},
      m{{2, 3}, {1, 2, 3, 4, 5, 6}};
  Tensor<int32_t> i{{2}, {1, 2}};
  EXPECT_EQ(errorOf<float>("add", {x.ref()}, {2}),
            "graph.add: takes 2 operands and gives 1 results, not 1 and 1");
  EXPECT_EQ(
      errorOf<float>("add", {x.ref(), y.ref()}, {2}),
      "graph.add: shapes do not broadcast, tensor<2xf32> and tensor<3xf32>");
  EXPECT_EQ(errorOf<float>("add", {x.ref(), x.ref()}, {3}),
            "graph.add: tensor<3xf32> where tensor<2xf32> is right");
  EXPECT_EQ(errorOf<float>("add", {x.ref(), i.ref()}, {2}),
            "graph.add: tensor<2xi32> where elements of f32 are right");
  EXPECT_EQ(errorOf<int32_t>("exp", {i.ref()}, {2}),
            "graph.exp: works on floats only, not on tensor<2xi32>");
  EXPECT_EQ(errorOf<float>("matmul", {m.ref(), m.ref()}, {2, 3}),
            "graph.matmul: inner dimensions differ, 3 and 2");
  EXPECT_EQ(errorOf<float>("matmul", {x.ref(), m.ref()}, {2, 3}),
            "graph.matmul: multiplies matrices, not tensor<2xf32> and "
            "tensor<2x3xf32>");
  EXPECT_EQ(errorOf<float>("reshape", {m.ref()}, {5}),
            "graph.reshape: element counts differ, tensor<2x3xf32> and "
            "tensor<5xf32>");
  EXPECT_EQ(
      errorOf<float>("broadcast_to", {x.ref()}, {3}),
      "graph.broadcast_to: tensor<2xf32> does not broadcast to tensor<3xf32>");
  EXPECT_EQ(
      errorOf<float>("softmax_cross_entropy", {m.ref(), x.ref()}, {2}),
      "graph.softmax_cross_entropy: labels are integers, not tensor<2xf32>");
  EXPECT_EQ(
      errorOf<float>("softmax_cross_entropy", {x.ref(), i.ref()}, {2}),
      "graph.softmax_cross_entropy: logits are a matrix, not tensor<2xf32>");
  EXPECT_EQ(errorOf<float>("replica_mean", {}, {2}),
            "graph.replica_mean: needs at least one operand");
}

TEST(ReferenceKernels, NamesTheAttributeThatDoesNotFit) {
  Tensor<float> x{{2}, {1, 2}};
  EXPECT_EQ(errorOf<float>("reduce_sum", {x.ref()}, {}),
            "graph.reduce_sum: needs the attribute 'axes'");
  EXPECT_EQ(
      errorOf<float>("reduce_sum", {x.ref()}, {}, {{"axes", true}}),
      "graph.reduce_sum: the attribute 'axes' must be a list of integers");
  EXPECT_EQ(errorOf<float>("reduce_sum", {x.ref()}, {}, {{"axes", axes({1})}}),
            "graph.reduce_sum: axis 1 is not one of tensor<2xf32>");
  EXPECT_EQ(
      errorOf<float>("reduce_sum", {x.ref()}, {}, {{"axes", axes({0, 0})}}),
      "graph.reduce_sum: axis 0 is given twice");
  EXPECT_EQ(errorOf<float>("constant", {}, {2}),
            "graph.constant: needs the attribute 'value', its elements' bytes");
  EXPECT_EQ(errorOf<float>("constant", {}, {2},
                           {{"value", std::vector<std::byte>(5)}}),
            "graph.constant: data has 5 bytes, tensor<2xf32> has 8");
}

// Arguments may come from a damaged plan: an error, never a crash.
TEST(ReferenceKernels, RefusesTensorsThatAreNone) {
  std::byte byte{};
  TensorRef negative{ElementType::F32, {-1}, &byte};
  EXPECT_THAT(errorOf<float>("exp", {negative}, {1}),
              HasSubstr("negative dimension"));
  TensorRef huge{ElementType::F32, {int64_t(1) << 40, int64_t(1) << 40}, &byte};
  EXPECT_THAT(errorOf<float>("exp", {huge}, {1}),
              HasSubstr("too many elements"));
  TensorRef null{ElementType::F32, {1}, nullptr};
  EXPECT_THAT(errorOf<float>("exp", {null}, {1}), HasSubstr("no data"));
  TensorRef unknown{ElementType(77), {1}, &byte};
  EXPECT_THAT(errorOf<float>("exp", {unknown}, {1}),
              HasSubstr("77 is no element type"));
}

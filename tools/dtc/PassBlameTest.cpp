// A compiler with one wrong pass, and whether verify names it.
#include "tools/dtc/PassBlame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/graph/Ops.h"
#include "dialects/plan/Plan.h"

namespace dtc::tool {
namespace {

using namespace mlir;
using testing::Contains;
using testing::IsEmpty;

// A table in parts, whose rows are looked up; dropout, whose mask depends on
// the replica; a norm over all gradients; slots.
constexpr const char *source = R"(module @small {
  graph.variable @table : tensor<10x4xf32> = #graph.uniform<-0.5, 0.5> {shards = 3}
  graph.variable @w : tensor<4x4xf32> = #graph.glorot_uniform
  graph.func @train() {
    %x, %label = graph.input "rows" rows 0 to 90
        [#graph.column<"x", fields 0 to 4, scale 1.0, range 0.0 to 3.0>,
         #graph.column<"label", fields 4 to 5, scale 1.0, range 0.0 to 3.0>]
        : tensor<3x4xf32>, tensor<3xi64>
    %table = graph.read @table : tensor<10x4xf32>
    %w = graph.read @w : tensor<4x4xf32>
    %step = graph.global_step
    %rows = graph.gather %table, %label axis 0 : tensor<10x4xf32>, tensor<3xi64>
    %some = graph.dropout %x, %step rate 0.2 seed 7 stream "x" : tensor<3x4xf32>
    %h = graph.add %rows, %some : tensor<3x4xf32>, tensor<3x4xf32>
    %logits = graph.matmul %h, %w : tensor<3x4xf32>, tensor<4x4xf32>
    %losses = graph.softmax_cross_entropy %logits, %label : tensor<3x4xf32>, tensor<3xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<3xf32>
    graph.minimize %loss : tensor<f32> with #graph.adagrad<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}
)";

/// a - b becomes b - a, in the first subtraction of two like tensors.
void turnSubtraction(Operation *in) {
  in->walk([](graph::SubOp sub) {
    Value a = sub.getOperand(0), b = sub.getOperand(1);
    if (a == b || a.getType() != b.getType())
      return WalkResult::advance();
    sub->setOperands({b, a});
    return WalkResult::interrupt();
  });
}

/// The first launch that takes two like values takes each for the other.
void turnLaunch(Operation *in) {
  in->walk([](plan::LaunchOp launch) {
    OperandRange inputs = launch.getInputs();
    if (inputs.size() < 2 || inputs[0] == inputs[1] ||
        inputs[0].getType() != inputs[1].getType())
      return WalkResult::advance();
    Value first = inputs[0], second = inputs[1];
    launch->setOperand(0, second);
    launch->setOperand(1, first);
    return WalkResult::interrupt();
  });
}

struct WrongPass {
  std::string pass;
  void (*spoil)(Operation *);
};

struct Way {
  const char *name, *cluster, *mode, *update;
  int64_t replicas;
};

CompileOptions optionsFor(const Way &way) {
  CompileOptions options;
  options.cluster = way.cluster;
  options.mode = way.mode;
  options.update = way.update;
  options.replicas = way.replicas;
  options.targets = {"reference"};
  return options;
}

CompileOptions spoilt(CompileOptions options, const WrongPass &wrong) {
  options.afterPass = [wrong](StringRef pass, Operation *op) {
    if (pass == wrong.pass)
      wrong.spoil(op);
  };
  return options;
}

Plan::Ptr compile(const CompileOptions &options) {
  Compiler compiler;
  auto module = compiler.parse(source, "small.mlir");
  EXPECT_TRUE(succeeded(module));
  compiler.setSource(**module, source);
  EXPECT_TRUE(
      succeeded(compiler.lower(**module, firstPhase, lastPhase, options)));
  auto plan = compiler.finish(**module, source, "small.plan");
  EXPECT_TRUE(succeeded(plan));
  return *plan;
}

/// Compiles with `options`, and asks a compiler with `other` about the
/// difference that there must be.
PassBlame blame(const CompileOptions &options, const CompileOptions &other) {
  Plan::Ptr plan = compile(options);
  const proto::Entry &entry = plan->entry(0);
  VerifyOptions quick{.steps = 2, .threads = 1};
  Expectation expected = expectationOf(*plan, entry, quick).take();
  Verdict verdict = verifyEntry(plan, entry, expected, quick).take();
  EXPECT_NE(verdict.difference, "");
  return blameFor(*plan, entry, expected, quick, other).take();
}

class PassBlameIn : public testing::TestWithParam<Way> {
protected:
  PassBlame blameOf(const WrongPass &wrong) {
    CompileOptions options = spoilt(optionsFor(GetParam()), wrong);
    return blame(options, options);
  }
  /// The pass, and no other.
  void expectNamed(const WrongPass &wrong, const std::string &phase) {
    PassBlame found = blameOf(wrong);
    EXPECT_EQ(found.pass, wrong.pass);
    EXPECT_EQ(found.phase, phase);
    EXPECT_EQ(found.sentence().find("the pass " + wrong.pass + " of phase " +
                                    phase + " makes the difference"),
              0u);
  }
};

TEST_P(PassBlameIn, NamesAPassOfPhasePlace) {
  for (const char *pass : {"dist-split-variables", "dist-assign-jobs",
                           "dist-place", "dist-insert-relays"})
    expectNamed({pass, turnSubtraction}, "place");
}

TEST_P(PassBlameIn, NamesAPassOfPhasePartition) {
  for (const char *pass :
       {"dist-form-partitions", "dist-merge-transfers", "dist-split-transfers"})
    expectNamed({pass, turnSubtraction}, "partition");
}

TEST_P(PassBlameIn, NamesTheOneThatMakesPrograms) {
  expectNamed({"convert-dist-to-plan", turnSubtraction}, "program");
}

TEST_P(PassBlameIn, NamesTheOneThatFormsKernels) {
  expectNamed({"plan-form-kernels", turnSubtraction}, "kernel");
}

TEST_P(PassBlameIn, NamesTheOneThatAssignsBuffers) {
  expectNamed({"plan-assign-buffers", turnLaunch}, "plan");
}

// Between replication and aggregation the workers' text cannot be run: what
// went wrong there is seen behind the second pass.
TEST_P(PassBlameIn, NamesBothWhereOneHasNoValues) {
  PassBlame found = blameOf({"dist-replicate", turnSubtraction});
  if (found.pass != "dist-replicate") {
    EXPECT_EQ(found.pass, "dist-insert-aggregation");
    EXPECT_THAT(found.orOneOf, Contains("dist-replicate"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, PassBlameIn,
    testing::Values(Way{"between", "ps=2,worker=3", "between-graph", "sync", 1},
                    Way{"async", "ps=2,worker=3", "between-graph", "async", 1},
                    Way{"towers", "ps=2,worker=2", "in-graph", "sync", 2}),
    [](const auto &way) { return std::string(way.param.name); });

constexpr Way between{"between", "ps=2,worker=3", "between-graph", "sync", 1};

// The compiler at hand is right: the plan was made by another one.
TEST(PassBlame, NamesThePlaceWhereAPlanIsAnotherOne) {
  CompileOptions options = optionsFor(between);
  PassBlame found =
      blame(spoilt(options, {"dist-place", turnSubtraction}), options);
  EXPECT_EQ(found.pass, "");
  EXPECT_THAT(found.place, testing::HasSubstr("@train, worker:*, step"));
  EXPECT_EQ(found.from, ""); // its places are those of the graph
  EXPECT_THAT(found.sentence(), testing::HasSubstr("; it first differs at "));
}

} // namespace
} // namespace dtc::tool

#include "runtime/plan/Plan.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "runtime/plan/PlanFixtures.h"
#include "runtime/plan/Proof.h"
#include "runtime/plan/QuietParse.h"

namespace dtc {
namespace {

using namespace fixtures;

Status statusOf(proto::Plan plan) {
  auto result = Plan::create(contentsOf(std::move(plan)), "p");
  return result.isOk() ? Status::ok() : result.status();
}

/// What loading says when `damage` was done to the plan for 1 ps, 2 workers.
std::string after(const std::function<void(proto::Plan &)> &damage) {
  proto::Plan plan = clusterPlan(1, 2);
  damage(plan);
  Status status = statusOf(plan);
  return status.isOk() ? "OK" : status.message();
}

proto::Activation &workerStep(proto::Plan &plan) {
  return *plan.mutable_entries(0)->mutable_programs(0)->mutable_activations(0);
}
proto::Activation &psServe(proto::Plan &plan) {
  return *plan.mutable_entries(0)->mutable_programs(1)->mutable_activations(0);
}
proto::Activation &psApply(proto::Plan &plan) {
  return *plan.mutable_entries(0)->mutable_programs(1)->mutable_activations(1);
}
proto::Entry &train(proto::Plan &plan) { return *plan.mutable_entries(0); }

TEST(Plan, AcceptsTheFixtures) {
  EXPECT_EQ(statusOf(clusterPlan(1, 2)).toString(), "OK");
  EXPECT_EQ(statusOf(clusterPlan(2, 3)).toString(), "OK");
  EXPECT_EQ(statusOf(localPlan()).toString(), "OK");
}

TEST(Plan, KnowsItsTasksAndRoles) {
  auto plan = Plan::create(contentsOf(clusterPlan(1, 2)), "p").take();
  EXPECT_EQ(plan->tasks().size(), 3u);
  EXPECT_EQ(plan->chief(), (TaskId{"worker", 0}));
  EXPECT_EQ(plan->replicas(plan->entry(0)),
            (std::vector<TaskId>{{"worker", 0}, {"worker", 1}}));
  EXPECT_EQ(plan->replicas(plan->entry(1)),
            (std::vector<TaskId>{{"worker", 0}}));
  EXPECT_TRUE(plan->executes({"worker", 1}, plan->entry(0),
                             plan->entry(0).programs(0)));
  EXPECT_FALSE(plan->hasTask({"worker", 2}));
}

// Without a chief or master in the cluster, worker 0 is the chief.
TEST(Plan, AChiefOrMasterIsTheChief) {
  auto chiefOf = [](std::vector<std::pair<const char *, int>> jobs) {
    proto::Plan proto;
    proto.set_schema_version(1);
    for (auto [name, tasks] : jobs)
      addJob(proto, name, tasks);
    return Plan::create(contentsOf(std::move(proto)), "p").take()->chief();
  };
  EXPECT_EQ(chiefOf({{"worker", 2}, {"chief", 1}}), (TaskId{"chief", 0}));
  EXPECT_EQ(chiefOf({{"worker", 2}, {"master", 1}}), (TaskId{"master", 0}));
  EXPECT_EQ(chiefOf({{"ps", 1}, {"worker", 2}}), (TaskId{"worker", 0}));
  EXPECT_EQ(chiefOf({{"local", 1}}), (TaskId{"local", 0}));
}

// A chief is replica 0, and the workers follow.
TEST(Plan, CountsAChiefAsTheFirstReplica) {
  proto::Plan proto = localPlan();
  proto.clear_jobs();
  addJob(proto, "worker", 2);
  addJob(proto, "chief", 1);
  addJob(proto, "local", 1); // the fixture's variables live there
  auto plan = Plan::create(contentsOf(proto), "p");
  proto::Entry entry;
  entry.set_replicas(3);
  // local:0 is not the chief here, so the entry itself is refused …
  EXPECT_FALSE(plan.isOk());
  // … but roles are a matter of the jobs alone.
  proto.clear_entries();
  plan = Plan::create(contentsOf(proto), "p");
  ASSERT_TRUE(plan.isOk());
  EXPECT_EQ((*plan)->replicas(entry),
            (std::vector<TaskId>{{"chief", 0}, {"worker", 0}, {"worker", 1}}));
}

// Payload that crosses tasks: the chief's own loss does not.
TEST(Plan, CountsBytesPerStep) {
  auto plan = Plan::create(contentsOf(clusterPlan(1, 2)), "p").take();
  EXPECT_EQ(plan->bytesPerStep(plan->entry(0)), 2u * 4 * 16 + 4);
}

TEST(Plan, ListsEntryPointsWhenOneIsUnknown) {
  auto plan = Plan::create(contentsOf(clusterPlan(1, 2)), "p").take();
  EXPECT_EQ(*plan->entryIndex("eval"), 1u);
  EXPECT_EQ(
      plan->entryIndex("test").status().message(),
      "p: there is no entry point 'test'\nhelp: the plan has train, eval, "
      "predict");
}

TEST(PlanCheck, Jobs) {
  EXPECT_EQ(after([](auto &p) { p.clear_jobs(); }), "p: the plan has no job");
  EXPECT_EQ(after([](auto &p) { p.mutable_jobs(0)->set_name("a b"); }),
            "p: job name 'a b' is no name");
  EXPECT_EQ(after([](auto &p) { p.mutable_jobs(1)->set_name("ps"); }),
            "p: there are two jobs 'ps'");
  EXPECT_EQ(
      after([](auto &p) { p.mutable_jobs(1)->set_tasks(4000000000u); }),
      "p: job 'worker' has 4000000000 tasks, allowed are 1 to 65536 in all");
}

TEST(PlanCheck, Types) {
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_type()->set_shape(0, -3);
            }),
            "p: variable 'v': dimension -3 is negative");
  EXPECT_EQ(after([](auto &p) {
              auto *type = p.mutable_variables(0)->mutable_type();
              type->set_shape(0, INT64_MAX);
              type->add_shape(4);
            }),
            "p: variable 'v': tensor<9223372036854775807x4xf32> has too many "
            "elements");
  EXPECT_EQ(
      after([](auto &p) {
        p.mutable_variables(0)->mutable_type()->set_shape(0, INT64_MAX / 2);
      }),
      "p: variable 'v': tensor<4611686018427387903xf32> has too many bytes");
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_type()->clear_element();
            }),
            "p: variable 'v': there is no element type 0");
  EXPECT_EQ(after([](auto &p) {
              for (int i = 0; i < 40; ++i)
                p.mutable_variables(0)->mutable_type()->add_shape(1);
            }),
            "p: variable 'v': rank 41 is over the limit of 32");
}

TEST(PlanCheck, Variables) {
  EXPECT_EQ(after([](auto &p) { p.mutable_variables(0)->set_name("z"); }),
            "p: variable 'w' comes after 'z', but variables are in name order");
  EXPECT_EQ(after([](auto &p) { p.mutable_variables(0)->clear_name(); }),
            "p: a variable has no name");
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_home()->set_index(3);
            }),
            "p: variable 'v': its home ps:3 is not in the cluster");
  EXPECT_EQ(after([](auto &p) { p.mutable_variables(0)->clear_initializer(); }),
            "p: variable 'v': has no initializer");
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_initializer()->set_constant("c");
            }),
            "p: variable 'v': member 'constants/c' is missing");
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_type()->set_element(proto::I32);
            }),
            "p: variable 'v': random values need a float type, not "
            "tensor<4xi32>");
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_type()->set_element(proto::I32);
              p.mutable_variables(0)->mutable_initializer()->set_fill(0.5);
            }),
            "p: variable 'v': fill 0.5 is no i32");
}

TEST(PlanCheck, AFillIsAValueOfItsType) {
  auto fill = [](proto::ElementType element, double value) {
    return after([&](auto &p) {
      p.clear_entries();
      p.mutable_variables(0)->mutable_type()->set_element(element);
      p.mutable_variables(0)->mutable_initializer()->set_fill(value);
    });
  };
  EXPECT_EQ(fill(proto::I8, 127), "OK");
  EXPECT_EQ(fill(proto::I8, 128), "p: variable 'v': fill 128 is no i8");
  EXPECT_EQ(fill(proto::U8, -1), "p: variable 'v': fill -1 is no ui8");
  EXPECT_EQ(fill(proto::I1, 2), "p: variable 'v': fill 2 is no i1");
  EXPECT_EQ(fill(proto::I64, 0x1p63),
            "p: variable 'v': fill 9.22337e+18 is no i64");
  EXPECT_EQ(fill(proto::I32, NAN), "p: variable 'v': fill nan is no i32");
  EXPECT_EQ(fill(proto::F32, 1e300), "OK");
}

TEST(PlanCheck, ConstantsHaveTheirTypesSize) {
  PlanContents contents = contentsOf(clusterPlan(1, 2));
  contents.plan.mutable_variables(0)->mutable_initializer()->set_constant("c");
  contents.members["constants/c"] = "abc";
  EXPECT_EQ(Plan::create(contents, "p").status().message(),
            "p: variable 'v': member 'constants/c' has 3 bytes, tensor<4xf32> "
            "has 16");
  contents.members["constants/c"] = "abcd"; // one element for all
  EXPECT_TRUE(Plan::create(contents, "p").isOk());
}

TEST(PlanCheck, Kernels) {
  auto kernel = [](auto change) {
    return after([&](proto::Plan &p) { change(*p.mutable_kernels(0)); });
  };
  EXPECT_EQ(kernel([](auto &k) { k.set_name("a-b"); }),
            "p: kernel 'a-b' has no valid name");
  EXPECT_EQ(kernel([](auto &k) { k.set_name("apply"); }),
            "p: there are two kernels 'apply'");
  EXPECT_EQ(kernel([](auto &k) { k.set_range(-1); }),
            "p: kernel 'gradients': range -1 and grain 1 must not be negative");
  EXPECT_EQ(kernel([](auto &k) { k.set_range(1 << 20); }),
            "p: kernel 'gradients': range 1048576 is more than its outputs' 9 "
            "elements");
  EXPECT_EQ(
      kernel([](auto &k) { k.mutable_body(0)->set_operands(0, 9); }),
      "p: kernel 'gradients', node 'graph.mul': reads value 9, but only 3 "
      "are defined before it");
  EXPECT_EQ(kernel([](auto &k) { k.set_results(0, 99); }),
            "p: kernel 'gradients': result 0 is value 99 of 7");
  // Without a body, results would name values that are not there.
  EXPECT_EQ(kernel([](auto &k) { k.clear_body(); }),
            "p: kernel 'gradients': result 0 is value 5 of 3");
  EXPECT_EQ(kernel([](auto &k) {
              (*k.mutable_body(0)->mutable_attributes())["value"].set_data("x");
            }),
            "p: kernel 'gradients', node 'graph.mul': attribute 'value' has 1 "
            "bytes, tensor<4xf32> has 16");
  EXPECT_EQ(
      kernel([](auto &k) { k.set_results(0, 6); }),
      "p: kernel 'gradients': output 0 is tensor<4xf32>, its body computes "
      "tensor<f32>");
  EXPECT_EQ(kernel([](auto &k) { k.mutable_results()->RemoveLast(); }),
            "p: kernel 'gradients': has 2 results for 3 outputs");
  EXPECT_EQ(
      kernel([](auto &k) { (*k.mutable_body(0)->mutable_attributes())["a"]; }),
      "p: kernel 'gradients', node 'graph.mul': attribute 'a' has no value");
}

TEST(PlanCheck, CodeObjects) {
  EXPECT_EQ(after([](auto &p) {
              p.mutable_objects(0)->set_target("x86-64-v4");
              p.mutable_objects(0)->set_member("kernels/a.so");
            }),
            "p: code object 'x86-64-v4': member 'kernels/a.so' is missing");
  EXPECT_EQ(after([](auto &p) { p.add_objects()->set_target("reference"); }),
            "p: there are two code objects for 'reference'");
}

TEST(PlanCheck, Buffers) {
  EXPECT_EQ(
      after([](auto &p) { workerStep(p).mutable_buffers(0)->set_bytes(8); }),
      "p: entry 'train', worker:* step: buffer 0 has 8 bytes, "
      "tensor<4xf32> has 16");
  EXPECT_EQ(
      after([](auto &p) { workerStep(p).mutable_buffers(0)->set_offset(8); }),
      "p: entry 'train', worker:* step: buffer 0 lies at 8, not at a "
      "multiple of 64");
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_buffers(0)->set_offset(UINT64_MAX - 63);
            }),
            "p: entry 'train', worker:* step: buffer 0 lies at "
            "18446744073709551552 with 16 bytes, the arena has 384");
  EXPECT_EQ(
      after([](auto &p) { workerStep(p).set_arena_bytes(uint64_t(1) << 60); }),
      "p: entry 'train', worker:* step: an arena of 1152921504606846976 "
      "bytes is over the limit of 281474976710656");
  EXPECT_EQ(after([](auto &p) {
              *workerStep(p).add_buffers() = workerStep(p).buffers(0);
            }),
            "p: entry 'train', worker:* step: buffer 6 is never defined");
}

TEST(PlanCheck, InstructionOrder) {
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_instructions(1)->add_after(1);
            }),
            "p: entry 'train', worker:* step: instruction 1, recv 'recv' "
            "(fixture.mlir:2:1): is to run after instruction 1, which does not "
            "come before it");
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_instructions()->SwapElements(2, 3);
            }),
            "p: entry 'train', worker:* step: instruction 2, launch 'launch' "
            "(fixture.mlir:4:1): reads buffer 2 before anything defines it");
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_instructions(1)->mutable_recv()->set_buffer(
                  0);
            }),
            "p: entry 'train', worker:* step: instruction 1, recv 'recv' "
            "(fixture.mlir:2:1): writes buffer 0, which is already defined by "
            "instruction 0, recv 'recv' (fixture.mlir:1:1)");
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_instructions(0)->mutable_recv()->set_buffer(
                  77);
            }),
            "p: entry 'train', worker:* step: instruction 0, recv 'recv' "
            "(fixture.mlir:1:1): writes buffer 77, there are 6");
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_instructions(5)->clear_send();
            }),
            "p: entry 'train', worker:* step: instruction 5, nothing 'send' "
            "(fixture.mlir:6:1): does nothing");
}

TEST(PlanCheck, IndexesOfInstructions) {
  auto has = [](const std::string &message, const std::string &part) {
    return message.find(part) != std::string::npos ? part : message;
  };
  auto check = [&](const std::string &part, auto change) {
    EXPECT_EQ(has(after([&](auto &p) { change(p); }), part), part);
  };
  check("launches kernel 9, there are 4", [](auto &p) {
    workerStep(p).mutable_instructions(3)->mutable_launch()->set_kernel(9);
  });
  check("gives kernel 'apply' 3 inputs and 3 outputs, it has 2 and 1",
        [](auto &p) {
          workerStep(p).mutable_instructions(3)->mutable_launch()->set_kernel(
              1);
        });
  check("names edge 9, there are 5", [](auto &p) {
    workerStep(p).mutable_instructions(0)->mutable_recv()->set_edge(9);
  });
  check("names variable 9, there are 2", [](auto &p) {
    psServe(p).mutable_instructions(0)->mutable_load_variable()->set_variable(
        9);
  });
  check("reads input 9, there are 1", [](auto &p) {
    workerStep(p).mutable_instructions(2)->mutable_read_input()->set_input(9);
  });
  check("names fetch 9, there are 1", [](auto &p) {
    p.mutable_entries(1)
        ->mutable_programs(2)
        ->mutable_activations(0)
        ->mutable_instructions(4)
        ->mutable_write_fetch()
        ->set_fetch(9);
  });
  check("names feed 9, there are 1", [](auto &p) {
    p.mutable_entries(2)
        ->mutable_programs(2)
        ->mutable_activations(0)
        ->mutable_instructions(2)
        ->mutable_read_feed()
        ->set_feed(9);
  });
}

// An edge's type, its buffers' types and its bytes must agree.
TEST(PlanCheck, EdgesAndTheirBuffersHaveOneType) {
  EXPECT_EQ(after([](auto &p) {
              train(p).mutable_edges(1)->mutable_type()->set_element(
                  proto::I32);
            }),
            "p: entry 'train', worker:* step: instruction 1, recv 'recv' "
            "(fixture.mlir:2:1): buffer 1 is tensor<4xf32>, edge 'w' is "
            "tensor<4xi32>");
  EXPECT_EQ(after([](auto &p) { train(p).mutable_edges(1)->set_bytes(17); }),
            "p: entry 'train': edge 'w' has 17 bytes, tensor<4xf32> has 16");
}

// G4: a value crosses to an activation once, however many take it there.
TEST(PlanCheck, NoValueCrossesTwice) {
  auto twice = [](auto &p) {
    proto::Edge copy = train(p).edges(0);
    copy.set_key(copy.key() + " #2");
    uint32_t edge = train(p).edges_size();
    *train(p).add_edges() = copy;
    proto::Activation &serve = psServe(p), &step = workerStep(p);
    *serve.add_instructions() = serve.instructions(1);
    serve.mutable_instructions()->rbegin()->mutable_send()->set_edge(edge);
    proto::Instruction &recv = *step.add_instructions();
    recv.mutable_recv()->set_edge(edge);
    recv.mutable_recv()->set_buffer(step.buffers_size());
    *step.add_buffers() = step.buffers(0);
    step.mutable_buffers()->rbegin()->set_offset(step.arena_bytes());
    step.set_arena_bytes(step.arena_bytes() + 64);
  };
  EXPECT_EQ(after(twice),
            "p: entry 'train': edge 'v #2' carries 'v' once more; edge 'v' "
            "brings it to the same activation");
}

// What a plan says that a task needs is exact.
TEST(PlanCheck, ArenasAreAsLargeAsNeeded) {
  EXPECT_EQ(after([](auto &p) { workerStep(p).set_arena_bytes(448); }),
            "p: entry 'train', worker:* step: an arena of 448 bytes, but its "
            "buffers need 384");
}

TEST(PlanCheck, EachEdgeHasOneSendAndOneRecv) {
  EXPECT_EQ(
      after([](auto &p) {
        psServe(p).mutable_instructions(1)->mutable_send()->set_edge(1);
      }),
      "p: entry 'train', ps:0 serve: instruction 1, send 'send' "
      "(fixture.mlir:2:1): edge 'w' is sent twice, also by entry 'train', "
      "ps:0 serve, instruction 1, send 'send' (fixture.mlir:2:1)");
  EXPECT_EQ(after([](auto &p) {
              workerStep(p).mutable_instructions()->RemoveLast();
            }),
            "p: entry 'train': edge 'loss' of 'loss' has no send");
  EXPECT_EQ(after([](auto &p) {
              psServe(p).mutable_instructions()->DeleteSubrange(2, 2);
              psServe(p).mutable_buffers()->RemoveLast();
              psServe(p).set_arena_bytes(0);
            }),
            "p: entry 'train': edge 'v.grad' of 'v.grad' has no recv");
  EXPECT_EQ(after([](auto &p) { train(p).mutable_edges(1)->set_key("v"); }),
            "p: entry 'train': there are two edges 'v'");
}

TEST(PlanCheck, EdgesJoinTheProgramsTheyName) {
  EXPECT_EQ(after([](auto &p) {
              train(p).mutable_edges(0)->mutable_source()->set_job("worker");
            }),
            "p: entry 'train', ps:0 serve: instruction 1, send 'send' "
            "(fixture.mlir:2:1): edge 'v' has source worker:0, but the program "
            "is ps:0's");
  EXPECT_EQ(after([](auto &p) {
              train(p).mutable_edges(0)->mutable_target()->set_index(7);
            }),
            "p: entry 'train': edge 'v': its target worker:7 is not in the "
            "cluster");
  EXPECT_EQ(
      after([](auto &p) { psServe(p).set_kind(proto::Activation::STEP); }),
      "p: entry 'train', ps:0 step: instruction 3, accumulate 'accumulate' "
      "(fixture.mlir:4:1): only a serve activation may accumulate");
  EXPECT_EQ(after([](auto &p) {
              psServe(p).set_kind(proto::Activation::STEP);
              psServe(p).mutable_instructions()->RemoveLast();
              psApply(p).Clear();
              psApply(p).set_kind(proto::Activation::APPLY);
            }),
            "p: entry 'train': edge 'v' of 'v' from ps:0 to worker:*: entry "
            "'train', ps:0 step and entry 'train', worker:* step do not run "
            "equally often");
}

TEST(PlanCheck, VariablesAreUsedWhereTheyLive) {
  EXPECT_EQ(after([](auto &p) {
              p.mutable_variables(0)->mutable_home()->set_job("worker");
            }),
            "p: entry 'train', ps:0 serve: instruction 0, load_variable 'load' "
            "(fixture.mlir:1:1): variable 'v' lives on worker:0, not on ps:0");
}

TEST(PlanCheck, Accumulators) {
  EXPECT_EQ(
      after([](auto &p) {
        psServe(p)
            .mutable_instructions(3)
            ->mutable_accumulate()
            ->set_accumulator("other");
      }),
      "p: entry 'train', ps:0 serve: instruction 3, accumulate 'accumulate' "
      "(fixture.mlir:4:1): accumulator 'other' is never taken");
  EXPECT_EQ(
      after([](auto &p) { psServe(p).mutable_instructions()->RemoveLast(); }),
      "p: entry 'train', ps:0 apply: instruction 0, take 'take' "
      "(fixture.mlir:1:1): nothing is given to accumulator 'gradient0'");
}

// A chief executes the workers' template too: one name there is one
// accumulator.
TEST(PlanCheck, AccumulatorsOfOneTaskHaveTheirOwnNames) {
  EXPECT_EQ(after([](auto &p) {
              proto::Program &worker = *train(p).mutable_programs(0);
              ActivationBuilder serve(worker, proto::Activation::SERVE);
              serve.accumulate("loss", serve.readInput(0, f32({4})));
              ActivationBuilder apply(worker, proto::Activation::APPLY);
              apply.take("loss", f32({4}));
            }),
            "p: entry 'train', worker:0 apply: instruction 0, take 'take' "
            "(fixture.mlir:1:1): accumulator 'loss' is also taken by "
            "worker:*");
}

// An integer mean has no meaning that everybody shares.
TEST(PlanCheck, AccumulatorsAreFloat) {
  std::string message = after([](auto &p) {
    proto::Entry &e = train(p);
    e.mutable_edges(4)->mutable_type()->set_element(proto::I32);
    p.mutable_kernels(0)->clear_body();
    p.mutable_kernels(0)->clear_results();
    p.mutable_kernels(0)->mutable_outputs(2)->set_element(proto::I32);
    workerStep(p).mutable_buffers(5)->mutable_type()->set_element(proto::I32);
    e.mutable_fetches(0)->mutable_type()->set_element(proto::I32);
    for (auto &activation : *e.mutable_programs(3)->mutable_activations())
      activation.mutable_buffers(0)->mutable_type()->set_element(proto::I32);
    p.mutable_entries()->DeleteSubrange(1, 2);
  });
  EXPECT_NE(
      message.find("accumulator 'loss' is tensor<i32>, but a mean needs a "
                   "float type"),
      std::string::npos)
      << message;
}

/// `damage` to the plan, whose parameter server takes rows besides: 4 a
/// replica.
std::string afterTakingRows(const std::function<void(proto::Plan &)> &damage) {
  return after([&](proto::Plan &p) {
    proto::Program &ps = *addProgram(train(p), "ps", 0);
    ActivationBuilder serve(ps, proto::Activation::SERVE);
    serve.accumulate("rows", serve.load(0, f32({4})));
    ActivationBuilder apply(ps, proto::Activation::APPLY);
    apply.take("rows", f32({8}), /*concat=*/true);
    damage(p);
  });
}

// One behind the other, so as many rows as replicas give together.
TEST(PlanCheck, RowsOfAllReplicas) {
  std::string rows = "p: entry 'train', ps:0 serve: instruction 1, accumulate "
                     "'accumulate' (fixture.mlir:2:1): accumulator 'rows' is ";
  auto serve = [](proto::Plan &p) -> proto::Activation & {
    return *train(p).mutable_programs()->rbegin()->mutable_activations(0);
  };
  auto apply = [](proto::Plan &p) -> proto::Activation & {
    return *train(p).mutable_programs()->rbegin()->mutable_activations(1);
  };
  EXPECT_EQ(afterTakingRows([](auto &) {}), "OK");
  EXPECT_EQ(afterTakingRows([&](auto &p) {
              apply(p).mutable_instructions(0)->mutable_take()->set_concat(
                  false);
            }),
            rows + "given tensor<4xf32>, but taken as tensor<8xf32>");
  EXPECT_EQ(afterTakingRows([&](auto &p) {
              proto::Buffer *taken = apply(p).mutable_buffers(0);
              taken->mutable_type()->set_shape(0, 12);
              taken->set_bytes(48);
            }),
            rows + "given tensor<4xf32>, but taken as tensor<12xf32>");
  EXPECT_EQ(afterTakingRows([&](auto &p) {
              train(p).mutable_programs()->RemoveLast();
              proto::Program &chief = *addProgram(train(p), "worker", 0);
              ActivationBuilder read(chief, proto::Activation::SERVE);
              read.accumulate("rows", read.replicaIndex());
              ActivationBuilder(chief, proto::Activation::APPLY)
                  .take("rows", f32({8}), /*concat=*/true);
            }),
            "p: entry 'train', worker:0 serve: instruction 1, accumulate "
            "'accumulate' (fixture.mlir:2:1): accumulator 'rows' is "
            "tensor<i64>, but only rows can be concatenated");
  EXPECT_EQ(afterTakingRows([&](auto &p) {
              serve(p).mutable_instructions()->DeleteSubrange(1, 1);
            }),
            "p: entry 'train', ps:0 apply: instruction 0, take 'take' "
            "(fixture.mlir:1:1): nothing is given to accumulator 'rows'");
}

// A number that differs from replica to replica has its place where each
// replica's work is done.
TEST(PlanCheck, ReplicaIndex) {
  auto in = [](const char *job, int index, proto::Activation::Kind kind) {
    return after([&](auto &p) {
      ActivationBuilder(*addProgram(train(p), job, index), kind).replicaIndex();
    });
  };
  EXPECT_EQ(in("ps", 0, proto::Activation::SERVE), "OK");
  EXPECT_EQ(in("ps", 0, proto::Activation::APPLY),
            "p: entry 'train', ps:0 apply: instruction 0, replica_index "
            "'replica_index' (fixture.mlir:1:1): only what each replica runs "
            "has a replica's number");
  EXPECT_EQ(in("ps", 0, proto::Activation::STEP),
            "p: entry 'train', ps:0 step: instruction 0, replica_index "
            "'replica_index' (fixture.mlir:1:1): only what each replica runs "
            "has a replica's number");
  EXPECT_EQ(after([](auto &p) {
              ActivationBuilder step(*addProgram(train(p), "worker", -1),
                                     proto::Activation::STEP);
              step.replicaIndex();
              train(p)
                  .mutable_programs()
                  ->rbegin()
                  ->mutable_activations(0)
                  ->mutable_buffers(0)
                  ->mutable_type()
                  ->set_element(proto::F64);
            }),
            "p: entry 'train', worker:* step: instruction 0, replica_index "
            "'replica_index' (fixture.mlir:1:1): buffer 0 is tensor<f64>, the "
            "number of a replica is tensor<i64>");
}

// Reads see the step's start, so a store may not overtake them.
TEST(PlanCheck, StoresRunAfterLoads) {
  EXPECT_EQ(
      after([](auto &p) { train(p).set_has_updates(false); }),
      "p: entry 'train', ps:0 apply: instruction 3, store_variable 'store' "
      "(fixture.mlir:4:1): stores variable 'v', but entry 'train' is said "
      "to update nothing");
  proto::Plan plan = localPlan();
  auto *step =
      plan.mutable_entries(0)->mutable_programs(0)->mutable_activations(0);
  step->mutable_instructions(7)->mutable_store_variable()->set_buffer(2); // x
  step->mutable_instructions(7)->clear_after();
  EXPECT_EQ(
      statusOf(plan).message(),
      "p: entry 'train', local:0 step: variable 0 is stored while buffer 0 "
      "still shows its value at the step's start, but instruction 7, "
      "store_variable 'store' (fixture.mlir:8:1) does not run after "
      "instruction 3, launch 'launch' (fixture.mlir:4:1)");
}

// Bytes may be reused only once nothing looks at them any more.
TEST(PlanCheck, OverlappingBuffersAreOrdered) {
  proto::Plan plan = localPlan();
  auto *step =
      plan.mutable_entries(0)->mutable_programs(0)->mutable_activations(0);
  // new v (written by 5) takes the place of gradient w (read by 6).
  uint64_t offset = step->buffers(3).offset();
  step->mutable_buffers(6)->set_offset(offset);
  EXPECT_EQ(statusOf(plan).message(),
            "p: entry 'train', local:0 step: buffer 6 shares bytes with buffer "
            "3, but instruction 5, launch 'launch' (fixture.mlir:6:1) does not "
            "run after instruction 6, launch 'launch' (fixture.mlir:7:1)");
  // x (read by 3) is done with: 5 runs after it.
  step->mutable_buffers(6)->set_offset(step->buffers(2).offset());
  EXPECT_EQ(statusOf(plan).toString(), "OK");
}

TEST(PlanCheck, Inputs) {
  EXPECT_EQ(
      after([](auto &p) { train(p).mutable_inputs(0)->set_first_row(99); }),
      "p: entry 'train': data set 'numbers': rows 99 to 60 are no range");
  EXPECT_EQ(after([](auto &p) { train(p).mutable_inputs(0)->set_block(2); }),
            "p: entry 'train': data set 'numbers': block 2 of 0 with 4 rows is "
            "not possible");
  EXPECT_EQ(after([](auto &p) {
              train(p).mutable_inputs(0)->set_blocks(int64_t(1) << 62);
            }),
            "p: entry 'train': data set 'numbers': block 0 of "
            "4611686018427387904 with 4 rows is not possible");
  EXPECT_EQ(after([](auto &p) {
              train(p).mutable_inputs(0)->mutable_columns(0)->set_fields(3);
            }),
            "p: entry 'train': data set 'numbers': column 'x': 3 fields of 4 "
            "rows do not fill tensor<4xf32>");
}

TEST(PlanCheck, Entries) {
  EXPECT_EQ(after([](auto &p) { p.mutable_entries(1)->set_name("train"); }),
            "p: there are two entry points 'train'");
  EXPECT_EQ(after([](auto &p) { train(p).set_replicas(3); }),
            "p: entry 'train': wants 3 replicas, the cluster has a chief and "
            "workers for 1 to 2");
  EXPECT_EQ(after([](auto &p) {
              train(p).mutable_programs(1)->mutable_task()->set_index(4);
            }),
            "p: entry 'train': has a program for ps:4, which is not in the "
            "cluster");
  EXPECT_EQ(after([](auto &p) { train(p).add_fetches()->set_name("acc"); }),
            "p: entry 'train': fetch 'acc' is never written");
}

TEST(PlanCheck, FeedsAndFetches) {
  EXPECT_EQ(after([](auto &p) {
              *p.mutable_entries(2)->add_feeds() = p.entries(2).feeds(0);
            }),
            "p: entry 'predict': there are two feeds 'x'");
  EXPECT_EQ(after([](auto &p) {
              p.mutable_entries(2)->add_feeds()->set_name("unused");
            }),
            "p: entry 'predict': feed 'unused': there is no element type 0");
  EXPECT_EQ(
      after([](auto &p) { *train(p).add_fetches() = train(p).fetches(0); }),
      "p: entry 'train': there are two fetches 'loss'");
}

// Whatever byte of a plan is changed: it is refused, or can be followed.
TEST(PlanCheck, SurvivesDamage) {
  std::string good = clusterPlan(1, 2).SerializeAsString();
  for (size_t at = 0; at < good.size(); ++at)
    for (int byte : {0, 1, 2, 7, 0x7f, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(byte);
      proto::Plan proto;
      if (!parseQuietly(proto, bad))
        continue;
      auto plan = Plan::create(contentsOf(std::move(proto)), "p");
      if (plan.isOk())
        (void)proveNoWaitCycle(**plan);
    }
}

} // namespace
} // namespace dtc

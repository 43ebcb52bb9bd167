#include "runtime/server/Session.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/server/SessionTest.h"

namespace dtc {
namespace {

using namespace fixtures;

RunOptions stepsOf(int64_t steps) {
  RunOptions options;
  options.steps = steps;
  options.threads = 2;
  options.rows = someRows;
  options.seed = 3;
  return options;
}

std::string messageOf(Plan::Ptr plan, RunOptions options) {
  auto result = runInProcess(std::move(plan), std::move(options));
  return result.isOk() ? "OK" : result.status().message();
}

Tensor vectorOf(std::vector<float> values) {
  auto bytes = std::as_bytes(std::span(values));
  return {
      ElementType::F32, {int64_t(values.size())}, {bytes.begin(), bytes.end()}};
}

std::vector<int> freePorts(size_t count) {
  std::vector<int> sockets, ports;
  for (size_t i = 0; i < count; ++i) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(fd, reinterpret_cast<sockaddr *>(&address), size);
    getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size);
    sockets.push_back(fd);
    ports.push_back(ntohs(address.sin_port));
  }
  for (int fd : sockets)
    close(fd);
  return ports;
}

/// The plan's cluster on free ports of this machine.
ClusterSpec localCluster(const Plan &plan) {
  ClusterSpec cluster;
  std::vector<int> ports = freePorts(plan.tasks().size());
  size_t next = 0;
  for (const proto::Job &job : plan.proto().jobs()) {
    cluster.jobs.push_back({job.name(), {}});
    for (uint32_t i = 0; i < job.tasks(); ++i)
      cluster.jobs.back().tasks[i] = strCat("127.0.0.1:", ports[next++]);
  }
  return cluster;
}

/// Runs every task by gRPC, on a thread each, and returns what each said.
std::map<TaskId, Result<RunSummary>> runByGrpc(Plan::Ptr plan,
                                               RunOptions options) {
  ClusterSpec cluster = localCluster(*plan);
  std::mutex mutex;
  std::map<TaskId, Result<RunSummary>> results;
  {
    std::vector<std::jthread> threads;
    for (const TaskId &task : plan->tasks())
      threads.emplace_back([&, task] {
        auto result = runTask(plan, cluster, task, options);
        std::lock_guard lock(mutex);
        results.emplace(task, std::move(result));
      });
  }
  return results;
}

TEST(Session, TrainsAClusterInOneProcess) {
  RunSummary summary = run(planOf(clusterPlan(1, 2)), stepsOf(20));
  EXPECT_EQ(summary.steps, 20);
  EXPECT_EQ(summary.metrics.count("loss"), 1u);
  EXPECT_EQ(summary.variablesSha256.size(), 64u);
  EXPECT_EQ(summary.target, "reference");
  EXPECT_GT(summary.examplesPerSecond, 0);
  EXPECT_GE(summary.stepMsP90, summary.stepMsP50);
}

// The same plan gives the same bits with any number of threads …
TEST(Session, ThreadsDoNotChangeABit) {
  auto plan = planOf(clusterPlan(1, 3));
  RunOptions one = stepsOf(30), many = stepsOf(30);
  one.threads = 1;
  many.threads = 4;
  RunSummary a = run(plan, one), b = run(plan, many);
  EXPECT_EQ(a.variablesSha256, b.variablesSha256);
  EXPECT_EQ(a.metrics, b.metrics);
}

// … and wherever its variables live.
TEST(Session, ParameterServersDoNotChangeABit) {
  RunSummary one = run(planOf(clusterPlan(1, 2)), stepsOf(30));
  RunSummary two = run(planOf(clusterPlan(2, 2)), stepsOf(30));
  EXPECT_EQ(one.variablesSha256, two.variablesSha256);
  EXPECT_EQ(one.metrics, two.metrics);
}

TEST(Session, OneWorkerGivesTheBitsOfOneTask) {
  RunSummary cluster = run(planOf(clusterPlan(1, 1)), stepsOf(30));
  RunSummary local = run(planOf(localPlan()), stepsOf(30));
  EXPECT_EQ(cluster.variablesSha256, local.variablesSha256);
  EXPECT_EQ(cluster.metrics, local.metrics);
  EXPECT_EQ(local.bytesTotal, 0u);
}

TEST(Session, TheSeedIsWhatFirstValuesComeFrom) {
  RunOptions other = stepsOf(1);
  other.seed = 4;
  EXPECT_NE(run(planOf(localPlan()), stepsOf(1)).variablesSha256,
            run(planOf(localPlan()), other).variablesSha256);
}

// Processes and threads run the same code: the same bits, the same bytes.
TEST(Session, GrpcGivesTheBitsOfOneProcess) {
  auto plan = planOf(clusterPlan(2, 2));
  RunSummary inProcess = run(plan, stepsOf(40));
  auto results = runByGrpc(plan, stepsOf(40));
  for (const auto &[task, result] : results)
    ASSERT_TRUE(result.isOk()) << task << ": " << result.status().toString();
  const RunSummary &chief = *results.at({"worker", 0});
  EXPECT_EQ(chief.variablesSha256, inProcess.variablesSha256);
  EXPECT_EQ(chief.metrics, inProcess.metrics);
  EXPECT_EQ(chief.bytesTotal, inProcess.bytesTotal);
  EXPECT_EQ(results.at({"ps", 0})->steps, 0); // only the chief's is full
}

// What the transport counts is what the plan says.
TEST(Session, CountsTheBytesThatThePlanPromises) {
  auto plan = planOf(clusterPlan(2, 3));
  RunOptions options = stepsOf(10);
  RunSummary summary = run(plan, options);
  EXPECT_EQ(summary.bytesPerStep, plan->bytesPerStep(plan->entry(0)));
  EXPECT_EQ(summary.bytesTotal, 10 * plan->bytesPerStep(plan->entry(0)));
}

// G7: bf16 on the wire halves the bytes and rounds alike by every transport.
// The loss of the chief's own worker does not cross, so it stays exact.
TEST(Session, RoundingOnTheWireIsTheSameByGrpc) {
  auto whole = planOf(clusterPlan(2, 2)),
       narrow = planOf(withNarrowWire(clusterPlan(2, 2)));
  RunSummary exact = run(whole, stepsOf(40)),
             rounded = run(narrow, stepsOf(40));
  EXPECT_NE(rounded.variablesSha256, exact.variablesSha256);
  EXPECT_EQ(2 * rounded.bytesTotal, exact.bytesTotal);
  EXPECT_EQ(rounded.bytesPerStep, narrow->bytesPerStep(narrow->entry(0)));
  auto results = runByGrpc(narrow, stepsOf(40));
  const auto &chief = results.at({"worker", 0});
  ASSERT_TRUE(chief.isOk()) << chief.status().toString();
  EXPECT_EQ((*chief).variablesSha256, rounded.variablesSha256);
  EXPECT_EQ((*chief).metrics, rounded.metrics);
  EXPECT_EQ((*chief).bytesTotal, rounded.bytesTotal);
}

// A run in one process may leave the rounding out, to judge the wiring alone;
// tasks of several processes may not: they could disagree.
TEST(Session, AnExactWireRoundsNothing) {
  RunSummary whole = run(planOf(clusterPlan(1, 2)), stepsOf(40));
  RunOptions options = stepsOf(40);
  options.isWireExact = true;
  auto narrow = planOf(withNarrowWire(clusterPlan(1, 2)));
  RunSummary exact = run(narrow, options);
  EXPECT_EQ(exact.variablesSha256, whole.variablesSha256);
  EXPECT_EQ(exact.metrics, whole.metrics);
  EXPECT_EQ(exact.bytesTotal, whole.bytesTotal);
  auto results = runByGrpc(narrow, options);
  const auto &chief = results.at({"worker", 0});
  ASSERT_TRUE(chief.isOk()) << chief.status().toString();
  EXPECT_EQ(2 * (*chief).bytesTotal, whole.bytesTotal);
}

TEST(Session, TellsTheProgress) {
  std::vector<int64_t> steps;
  RunOptions options = stepsOf(5);
  options.progress = [&](const Progress &progress) {
    EXPECT_EQ(progress.steps, 5);
    EXPECT_EQ(progress.metrics.count("loss"), 1u);
    steps.push_back(progress.step);
  };
  run(planOf(clusterPlan(1, 2)), options);
  EXPECT_EQ(steps, (std::vector<int64_t>{1, 2, 3, 4, 5}));
}

TEST(Session, TheTapHearsEveryTensorOfEveryTask) {
  std::mutex mutex;
  std::map<uint32_t, int> heard;
  RunOptions options = stepsOf(3);
  options.tap = [&](const SentTensor &sent) {
    std::lock_guard lock(mutex);
    ++heard[sent.edge];
  };
  run(planOf(clusterPlan(1, 2)), options);
  EXPECT_EQ(heard,
            (std::map<uint32_t, int>{{0, 6}, {1, 6}, {2, 6}, {3, 6}, {4, 6}}));
}

// Metrics of an evaluation are means over its steps; the other worker and
// tasks without a part simply take none. More steps than anybody may run ahead.
TEST(Session, EvaluationGivesMeans) {
  RunOptions options = stepsOf(300);
  options.entry = "eval";
  double sum = 0;
  options.progress = [&](const Progress &p) { sum += p.metrics.at("loss"); };
  RunSummary summary = run(planOf(clusterPlan(1, 2)), options);
  EXPECT_EQ(summary.metrics.at("loss"), sum / 300);
}

TEST(Session, WhatIsSavedIsWhatIsLoaded) {
  auto plan = planOf(clusterPlan(2, 2));
  std::string folder = testing::TempDir() + "/saved" + std::to_string(getpid());
  RunOptions save = stepsOf(10);
  save.saveDirectory = folder;
  save.keepVariables = true;
  RunSummary trained = run(plan, save);

  RunOptions predict;
  predict.entry = "predict";
  predict.loadDirectory = folder;
  predict.feeds["x"] = vectorOf({0, 0, 0, 0});
  RunSummary predicted = run(plan, predict);
  EXPECT_EQ(predicted.steps, 1);
  EXPECT_EQ(predicted.variablesSha256, trained.variablesSha256);
  EXPECT_EQ(predicted.fetches.at("y").bytes, trained.variables.at("v").bytes);

  // By gRPC as well, where variables and feeds cross processes.
  auto results = runByGrpc(plan, predict);
  ASSERT_TRUE(results.at({"worker", 0}).isOk())
      << results.at({"worker", 0}).status().toString();
  EXPECT_EQ(results.at({"worker", 0})->fetches, predicted.fetches);

  // Training goes on where it was left.
  RunOptions more = stepsOf(1);
  more.loadDirectory = folder;
  more.keepVariables = true;
  EXPECT_NE(run(plan, more).variablesSha256, trained.variablesSha256);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(messageOf(plan, more),
            folder + ": cannot read: No such file or directory");
}

// A folder that cannot be saved to must not cost a night of training.
TEST(Session, LooksAtTheSaveFolderBeforeTheRun) {
  std::string file = testing::TempDir() + "/file" + std::to_string(getpid());
  std::ofstream(file) << "x";
  RunOptions options = stepsOf(1);
  options.saveDirectory = file;
  bool hasRun = false;
  options.progress = [&](const Progress &) { hasRun = true; };
  EXPECT_EQ(messageOf(planOf(localPlan()), options),
            file + ": is not a folder, so nothing is saved there");
  EXPECT_FALSE(hasRun);
  std::filesystem::remove(file);
}

TEST(Session, SaysWhichFeedIsWrong) {
  auto plan = planOf(clusterPlan(1, 2));
  RunOptions options;
  options.entry = "predict";
  EXPECT_EQ(messageOf(plan, options),
            "entry 'predict' needs feed 'x' (tensor<4xf32>)\nhelp: --feed "
            "x=@x.npy");
  options.feeds["x"] = vectorOf({1, 2, 3});
  EXPECT_EQ(messageOf(plan, options),
            "feed 'x' is tensor<3xf32>, entry 'predict' takes tensor<4xf32>");
  options.feeds["x"] = vectorOf({1, 2, 3, 4});
  options.feeds["x"].bytes.pop_back();
  EXPECT_EQ(messageOf(plan, options),
            "feed 'x' has 15 bytes, tensor<4xf32> has 16");
  options.feeds = {{"z", vectorOf({1})}};
  EXPECT_EQ(messageOf(plan, options),
            "entry 'predict' has no feed 'z'\nhelp: it "
            "takes x (tensor<4xf32>)");
  options.entry = "train";
  options.rows = someRows;
  EXPECT_EQ(messageOf(plan, options),
            "entry 'train' has no feed 'z'\nhelp: it takes none");
}

TEST(Session, SaysWhichCountIsWrong) {
  auto plan = planOf(clusterPlan(1, 2));
  RunOptions options = stepsOf(1);
  options.epochs = 1;
  EXPECT_EQ(messageOf(plan, options), "give steps or epochs, not both");
  EXPECT_EQ(messageOf(plan, stepsOf(0)),
            "0 steps cannot be run; give 1 or more");
  RunOptions predict;
  predict.entry = "predict";
  predict.epochs = 2;
  predict.feeds["x"] = vectorOf({0, 0, 0, 0});
  EXPECT_EQ(
      messageOf(plan, predict),
      "entry 'predict' reads no data set, so it has no epochs\nhelp: give "
      "--steps");
}

TEST(Session, ListsEntryPoints) {
  RunOptions options;
  options.entry = "test";
  EXPECT_EQ(messageOf(planOf(clusterPlan(1, 2)), options),
            "p.plan: there is no entry point 'test'\nhelp: the plan has train, "
            "eval, predict");
}

TEST(Session, SaysThatTheClusterHasAnotherShape) {
  auto plan = planOf(clusterPlan(1, 2));
  auto three = *ClusterSpec::parseJson(
      R"({"cluster":{"ps":["h:1"],"worker":["h:2","h:3","h:4"]}})", "c");
  EXPECT_EQ(checkCluster(*plan, three, {"ps", 0}).message(),
            "p.plan was compiled for ps=1,worker=2, the cluster has "
            "ps=1,worker=3\nhelp: compile it with --cluster ps=1,worker=3");
  auto two = *ClusterSpec::parseJson(
      R"({"cluster":{"ps":["h:1"],"worker":["h:2","h:3"],"evaluator":["h:9"]}})",
      "c");
  EXPECT_EQ(checkCluster(*plan, two, {"evaluator", 0}).message(),
            "evaluator:0 has no part in p.plan, which is for ps=1,worker=2");
  EXPECT_TRUE(checkCluster(*plan, two, {"worker", 1}).isOk());
  EXPECT_EQ(
      checkCluster(*plan, *ClusterSpec::parseShape("ps=1,worker=2"), {"ps", 0})
          .message(),
      "the cluster has no address for ps:0");
}

// A plan that could hang is refused before anything runs.
TEST(Session, RefusesAPlanThatCouldHang) {
  proto::Plan plan;
  plan.set_schema_version(1);
  addJob(plan, "worker", 2);
  proto::Entry &entry = *plan.add_entries();
  entry.set_name("train");
  entry.set_replicas(1);
  auto row = f32({4});
  addEdge(entry, "there", row, task("worker", 0), task("worker", 1));
  addEdge(entry, "back", row, task("worker", 1), task("worker", 0));
  for (int i : {0, 1}) {
    ActivationBuilder step(*addProgram(entry, "worker", i),
                           proto::Activation::STEP);
    step.send(i, step.recv(1 - i, row));
  }
  EXPECT_EQ(messageOf(planOf(plan), stepsOf(1))
                .find("p.plan: entry 'train' would wait for ever:"),
            0u);
}

// A signal ends a run that would go on for ever.
TEST(Session, AnInterruptEndsTheRun) {
  RunOptions options = stepsOf(1'000'000'000);
  options.interrupt = std::make_shared<Interrupt>();
  options.progress = [&](const Progress &progress) {
    if (progress.step == 3)
      options.interrupt->raise(Status::cancelled("interrupted"));
  };
  auto result = runInProcess(planOf(clusterPlan(1, 2)), options);
  EXPECT_EQ(result.status().code(), StatusCode::Cancelled);
  EXPECT_NE(result.status().message().find("interrupted"), std::string::npos);
}

} // namespace
} // namespace dtc

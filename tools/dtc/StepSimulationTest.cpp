// Steps whose length can be told by hand.
#include "tools/dtc/StepSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dtc::tool {
namespace {

using testing::ElementsAre;
using I = SimInstruction;

I compute(double seconds, std::vector<uint32_t> after = {},
          uint32_t mostThreads = 1) {
  return {I::Compute, seconds, mostThreads, 0, std::move(after)};
}
I send(uint32_t edge, std::vector<uint32_t> after) {
  return {I::Send, 0, 1, edge, std::move(after)};
}
I recv(uint32_t edge) { return {I::Recv, 0, 1, edge, {}}; }

StepProblem oneTask(SimProgram program, uint32_t cores) {
  StepProblem problem;
  problem.cores = problem.threadsPerProcess = cores;
  problem.programs = {std::move(program)};
  problem.tasks = {{0, {{0, 0}}, {}}};
  return problem;
}

TEST(StepSimulation, AChainTakesTheSumOfItsParts) {
  StepOutcome outcome =
      simulateSteps(oneTask({compute(1), compute(2, {0}), compute(3, {1})}, 2));
  EXPECT_DOUBLE_EQ(outcome.stepSeconds, 6);
  EXPECT_THAT(outcome.busySeconds, ElementsAre(6));
  ASSERT_EQ(outcome.path.size(), 3u);
  EXPECT_EQ(outcome.path[1].instruction, 1u);
  EXPECT_DOUBLE_EQ(outcome.path[1].start, 1);
  EXPECT_DOUBLE_EQ(outcome.path[1].end, 3);
}

// Light instructions of one activation stay on one thread.
TEST(StepSimulation, OneThreadExecutesAnActivation) {
  EXPECT_DOUBLE_EQ(
      simulateSteps(oneTask({compute(1), compute(2)}, 2)).stepSeconds, 3);
}

TEST(StepSimulation, AHeavyKernelSpreadsOverFreeCores) {
  EXPECT_DOUBLE_EQ(simulateSteps(oneTask({compute(6, {}, 8)}, 2)).stepSeconds,
                   3);
  EXPECT_DOUBLE_EQ(simulateSteps(oneTask({compute(6, {}, 1)}, 2)).stepSeconds,
                   6);
}

TEST(StepSimulation, WakingAThreadCountsOnceAPhase) {
  StepProblem problem = oneTask({compute(1)}, 1);
  problem.hopSeconds = 0.5;
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 1.5);
  problem.tasks[0].late = {{0, 0}};
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 3);
}

/// Task 0 sends to task 1, which answers when it has worked for 4 s.
StepProblem pingPong(bool isOneProcess) {
  StepProblem problem;
  problem.cores = problem.threadsPerProcess = 2;
  problem.programs = {{compute(1), send(0, {0}), recv(1), compute(1, {2})},
                      {recv(0), compute(4, {0}), send(1, {1})}};
  problem.tasks = {{0, {{0, 0}}, {}}, {isOneProcess ? 0u : 1u, {{1, 0}}, {}}};
  problem.edges = {{0, 1, 100}, {1, 0, 100}};
  problem.betweenProcesses = {.latencySeconds = 1,
                              .bytesPerSecond = 100,
                              .sendSeconds = 0.25,
                              .recvSeconds = 0.25};
  problem.withinProcess = {.latencySeconds = 0, .bytesPerSecond = 1e30};
  return problem;
}

TEST(StepSimulation, MessagesTakeTheTimeOfTheirLink) {
  // 1 + 4 + 1 of work, and twice: 0.25 to send, 1 for the bytes, 1 of latency,
  // 0.25 to receive.
  EXPECT_DOUBLE_EQ(simulateSteps(pingPong(false)).stepSeconds, 6 + 2 * 2.5);
  EXPECT_DOUBLE_EQ(simulateSteps(pingPong(true)).stepSeconds, 6);
}

TEST(StepSimulation, TheCriticalPathCrossesEdges) {
  StepOutcome outcome = simulateSteps(pingPong(true));
  std::vector<std::pair<uint32_t, uint32_t>> path; // task, instruction
  for (const SimPathItem &item : outcome.path)
    path.push_back({item.task, item.instruction});
  EXPECT_THAT(path,
              ElementsAre(std::pair(0, 0), std::pair(0, 1), std::pair(1, 0),
                          std::pair(1, 1), std::pair(1, 2), std::pair(0, 2),
                          std::pair(0, 3)));
}

// Two workers whose work does not depend on each other.
TEST(StepSimulation, ProcessesShareTheCores) {
  StepProblem problem;
  problem.threadsPerProcess = 2;
  problem.programs = {{compute(3)}};
  problem.tasks = {{0, {{0, 0}}, {}}, {1, {{0, 1}}, {}}};
  problem.cores = 2;
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 3);
  problem.cores = 1;
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 6);
}

// Threads of the link: one takes 1 s for a batch and 0.5 s for each message.
TEST(StepSimulation, WhatGathersOnALinkGoesTogether) {
  StepProblem problem = pingPong(false);
  problem.cores = 4;
  problem.programs = {{send(0, {}), send(1, {}), send(2, {}), recv(3)},
                      {recv(0), recv(1), recv(2), send(3, {0, 1, 2})}};
  problem.edges = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}};
  problem.betweenProcesses = {.batchSeconds = 1, .messageSeconds = 0.5};
  // The first message goes at once, 1.5 s on the sender's side. The others
  // gather meanwhile, and take 2 s on either side. The answer takes 3 s.
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 1.5 + 2 + 2 + 3);
}

TEST(StepSimulation, SharedCoresYieldLess) {
  StepProblem problem = oneTask({compute(6, {}, 2)}, 2);
  problem.coreYield = 0.5; // two are worth one and a half
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 4);
  problem.splitSeconds = 3;
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 8);
}

// A template's edge: each worker has messages of its own.
TEST(StepSimulation, AServerServesEachOfItsPeers) {
  StepProblem problem;
  problem.cores = problem.threadsPerProcess = 3;
  problem.programs = {{compute(1), send(0, {0}), recv(1)},
                      {recv(0), compute(2, {0}), send(1, {1})}};
  // Task 0 serves 1 and 2, and counts the steps.
  problem.tasks = {
      {0, {{0, 1}, {0, 2}}, {}}, {0, {{1, 1}}, {}}, {0, {{1, 2}}, {}}};
  problem.edges = {{0, -1, 8}, {-1, 0, 8}};
  problem.withinProcess = {.latencySeconds = 0, .bytesPerSecond = 1e30};
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 3);
}

// Update async: a slow peer holds nobody up but its own lane; pushes are
// applied one at a time.
TEST(StepSimulation, LanesDoNotWaitForEachOther) {
  StepProblem problem;
  problem.cores = problem.threadsPerProcess = 4;
  problem.programs = {{recv(0)},
                      {compute(2)},
                      {compute(1), send(0, {0})},
                      {compute(20), send(0, {0})}};
  // Task 0 applies the pushes of 1, in 1 s, and of 2, which takes 20 s.
  problem.tasks = {{0, {{0, 1, 0}, {0, 2, 1}}, {{1, 1, 0}, {1, 2, 1}}},
                   {0, {{2, 1, 0}}, {}},
                   {0, {{3, 2, 1}}, {}}};
  problem.edges = {{-1, 0, 0}};
  problem.withinProcess = {.latencySeconds = 0, .bytesPerSecond = 1e30};
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 2);
  problem.chiefLane = 1;
  EXPECT_DOUBLE_EQ(simulateSteps(problem).stepSeconds, 20);
}

TEST(StepSimulation, IsDeterministic) {
  StepOutcome a = simulateSteps(pingPong(false)),
              b = simulateSteps(pingPong(false));
  EXPECT_EQ(a.stepSeconds, b.stepSeconds);
  EXPECT_EQ(a.path.size(), b.path.size());
}

} // namespace
} // namespace dtc::tool

// Prediction: what a step of a plan will take, move and hold, before it runs.
// Bytes and arenas are the plan's own numbers; times come from rates.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"
#include "runtime/server/Session.h"
#include "tools/dtc/StepSimulation.h"

namespace dtc::tool {

/// What the runtime takes beside its kernels; see docs/prediction.md.
struct RuntimeRates {
  double secondsPerInstruction = 0.15e-6;
  double hopSeconds = 2e-6;
  double copyBytesPerSecond = 20e9; // variables, fetches, feeds
  double inputBytesPerSecond = 4e9; // rows of a data set
  SimLink withinProcess{.latencySeconds = 2e-6,
                        .bytesPerSecond = 15e9,
                        .sendSeconds = 0.6e-6,
                        .recvSeconds = 0.4e-6};
  SimLink betweenProcesses{.bytesPerSecond = 2.1e9, // either side
                           .sendSeconds = 1e-6,
                           .recvSeconds = 1e-6,
                           .batchSeconds = 45e-6,
                           .messageSeconds = 2.5e-6};
  double splitSeconds = 4e-6; // to share a kernel between threads
  uint32_t assumedCores = 2;  // of a process' own machine, not calibrated
  double coreYield = 1;       // see StepProblem
};

/// How the plan will be executed.
struct PredictionRequest {
  bool isProcessPerTask = false; // dtc launch; else one process, dtc run
  unsigned threads = 0;          // of a process; 0: as dtc would choose
  bool calibrate = false;        // load the kernels and time them
  std::string target;            // of the kernels; "": the first that fits
};

struct TaskPrediction {
  TaskId task;
  double computeSeconds = 0; // of one thread
  uint64_t bytesSent = 0, bytesReceived = 0;
  uint64_t arenaBytes = 0; // most at once
};

struct PathStep {
  TaskId task;
  std::string name; // the instruction's
  std::string kind;
  double startSeconds = 0, endSeconds = 0; // within the step
};

struct Prediction {
  std::string entry;
  PredictionRequest request;
  double stepSeconds = 0;
  uint64_t bytesPerStep = 0;
  std::vector<TaskPrediction> tasks;
  std::vector<PathStep> path; // the critical path
};

/// `kernelSeconds`: of each kernel, on one thread.
Prediction predict(const Plan &plan, const proto::Entry &entry,
                   const std::vector<double> &kernelSeconds,
                   const PredictionRequest &request,
                   const RuntimeRates &rates = {});

/// Knows the costs of kernels. Programs without the compiler have none.
using Predictor = std::function<Result<Prediction>(
    const Plan::Ptr &, const proto::Entry &, const PredictionRequest &)>;

/// For people: tasks, then the critical path.
std::string predictionText(const Prediction &prediction);
nlohmann::ordered_json predictionJson(const Prediction &prediction);

/// Predicted against measured, and the error.
std::string comparisonText(const Prediction &prediction,
                           const RunSummary &summary);
nlohmann::ordered_json comparisonJson(const Prediction &prediction,
                                      const RunSummary &summary);

} // namespace dtc::tool

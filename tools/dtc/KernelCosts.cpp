#include "tools/dtc/KernelCosts.h"

#include <algorithm>
#include <thread>

#include "dialects/plan/Plan.h"
#include "passes/plan/KernelCost.h"
#include "tools/dtc/Calibration.h"
#include "tools/dtc/Compiler.h"

using namespace mlir;

namespace dtc::tool {
namespace {

constexpr auto calibrationBudget = std::chrono::milliseconds(50),
               coresBudget = std::chrono::milliseconds(25);

/// A reference kernel takes its time for each element that it touches.
double secondsOfKernel(const graph::OpCost &cost, const proto::Kernel &kernel,
                       bool isReference, const graph::Rates &rates) {
  if (!isReference && !kernel.reference_only())
    return rates.secondsPerKernel + graph::secondsOf(cost, rates);
  double operations = double(cost.multiplyAdds + cost.operations) +
                      10 * double(cost.specials) + double(cost.bytes()) / 4;
  return rates.secondsPerKernel +
         operations / rates.referenceOperationsPerSecond;
}

bool runsOnReference(const Plan &plan, const std::string &target) {
  if (!target.empty())
    return target == "reference";
  return plan.proto().objects_size() > 0 &&
         plan.proto().objects(0).target() == "reference";
}

/// How often a step of the entry launches each kernel, by all tasks.
std::vector<double> launchesPerStep(const Plan &plan,
                                    const proto::Entry &entry) {
  std::vector<double> launches(plan.proto().kernels_size());
  auto runs = [&](proto::Activation::Kind kind) {
    bool isPush = kind == proto::Activation::APPLY && plan.isAsync(entry);
    return kind == proto::Activation::SERVE || isPush ? entry.replicas() : 1;
  };
  for (const proto::Program &program : entry.programs())
    for (const TaskId &task : plan.tasks()) {
      if (!plan.executes(task, entry, program))
        continue;
      for (const proto::Activation &activation : program.activations())
        for (const proto::Instruction &it : activation.instructions())
          if (it.has_launch())
            launches[it.launch().kernel()] += runs(activation.kind());
    }
  return launches;
}

/// Puts what was measured in place of what was reckoned, and scales the rest by
/// the ratio of the two.
void adopt(const std::map<uint32_t, double> &measured,
           std::vector<double> &seconds) {
  double sumMeasured = 0, sumReckoned = 0;
  for (const auto &[kernel, time] : measured) {
    sumMeasured += time;
    sumReckoned += seconds[kernel];
  }
  if (sumReckoned <= 0)
    return;
  for (double &time : seconds)
    time *= sumMeasured / sumReckoned;
  for (const auto &[kernel, time] : measured)
    seconds[kernel] = time;
}

} // namespace

Result<std::vector<graph::OpCost>> kernelCosts(const Plan &plan) {
  Compiler compiler;
  FailureOr<OwningOpRef<ModuleOp>> module = compiler.importPlan(plan);
  if (failed(module)) // diagnostics were printed
    return Status::internal(strCat(plan.path(), " cannot be read as IR"));
  std::vector<graph::OpCost> costs;
  for (auto kernel : (**module).getOps<plan::KernelOp>())
    costs.push_back(plan::costOfKernel(kernel));
  return costs;
}

Result<Prediction> predictPlan(const Plan::Ptr &plan, const proto::Entry &entry,
                               const PredictionRequest &request) {
  DTC_ASSIGN_OR_RETURN(std::vector<graph::OpCost> costs, kernelCosts(*plan));
  bool isReference = runsOnReference(*plan, request.target);
  std::vector<double> seconds, share = launchesPerStep(*plan, entry);
  for (size_t kernel = 0; kernel < costs.size(); ++kernel) {
    seconds.push_back(secondsOfKernel(
        costs[kernel], plan->proto().kernels(kernel), isReference, {}));
    share[kernel] *= seconds[kernel];
  }
  RuntimeRates rates;
  if (request.calibrate) {
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    if (threads > 1)
      rates.coreYield = std::clamp(
          (measureCores(threads, coresBudget) - 1) / (threads - 1), 0.0, 1.0);
    DTC_ASSIGN_OR_RETURN(auto measured, timeKernels(plan, request.target, share,
                                                    calibrationBudget));
    adopt(measured, seconds);
  }
  return predict(*plan, entry, seconds, request, rates);
}

} // namespace dtc::tool

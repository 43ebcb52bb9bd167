#include "tools/dtc/Verification.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "tools/dtc/Declared.h"
#include "tools/dtc/EdgeOrder.h"
#include "tools/dtc/KernelCheck.h"
#include "tools/dtc/Oracle.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/SeededInputs.h"
#include "tools/dtc/Values.h"

namespace dtc::tool {
namespace {

/// What a run of the plan showed of its last step.
struct Observed {
  RunSummary summary;
  std::map<std::pair<uint32_t, uint32_t>, Tensor> sent; // (edge, replica)
};

/// The replica that an edge belongs to, seen from its concrete ends.
uint32_t replicaOf(const Plan &plan, const proto::Entry &entry,
                   const proto::Edge &edge, const SentTensor &sent) {
  const TaskId &end = edge.source().index() < 0 ? sent.source : sent.target;
  if (edge.source().index() >= 0 && edge.target().index() >= 0)
    return 0;
  std::vector<TaskId> replicas = plan.replicas(entry);
  auto found = std::find(replicas.begin(), replicas.end(), end);
  return found == replicas.end() ? 0 : found - replicas.begin();
}

Result<Observed> observe(const Plan::Ptr &plan, const proto::Entry &entry,
                         const VerifyOptions &options, int64_t steps,
                         KernelCheck *kernels) {
  Observed observed;
  std::mutex mutex; // guards observed.sent
  RunOptions run = seededRun(*plan, entry, options, steps);
  run.tap = [&](const SentTensor &sent) {
    if (sent.step + 1 != static_cast<uint64_t>(steps))
      return;
    const proto::Edge &edge = entry.edges(sent.edge);
    TensorType type = *TensorType::create(edge.type());
    std::lock_guard lock(mutex);
    observed.sent[{sent.edge, replicaOf(*plan, entry, edge, sent)}] =
        Tensor{type.element, type.shape,
               std::vector<std::byte>(sent.bytes.begin(), sent.bytes.end())};
  };
  if (kernels)
    run.ranKernel = [kernels](uint32_t kernel, void *const *arguments) {
      kernels->check(kernel, arguments);
    };
  DTC_ASSIGN_OR_RETURN(observed.summary, runInProcess(plan, run));
  return observed;
}

/// "" or how `actual` differs in bits from `expected`.
std::string differenceOf(const Tensor &actual, const Tensor &expected) {
  if (actual == expected)
    return "";
  std::string numbers = compareTensors(actual, expected, 0, 0);
  return numbers.empty() ? "the bits differ" : numbers;
}

/// Compares one step of an entry; edges in the order of data.
class StepComparison {
public:
  StepComparison(const proto::Entry &entry, const Observed &plan,
                 const RunSummary &oracle, int64_t step, Verdict &verdict)
      : entry_(entry), plan_(plan), oracle_(oracle), step_(step),
        verdict_(verdict) {}

  /// Fills the counts of the verdict, and its first difference.
  void compare(const std::vector<uint32_t> &edges) {
    verdict_.edges = verdict_.fetches = verdict_.variables = 0;
    for (uint32_t edge : edges)
      compareEdge(edge);
    verdict_.fetches = plan_.summary.fetches.size();
    compareAll("output", plan_.summary.fetches, oracle_.fetches);
    verdict_.variables = plan_.summary.variables.size();
    compareAll("variable", plan_.summary.variables, oracle_.variables);
  }

private:
  void compareEdge(uint32_t edge) {
    const std::string &name = entry_.edges(edge).tensor();
    for (auto it = plan_.sent.lower_bound({edge, 0});
         it != plan_.sent.end() && it->first.first == edge; ++it) {
      uint32_t replica = it->first.second;
      auto found = oracle_.fetches.find(watchName(name, replica));
      if (found == oracle_.fetches.end()) // one value for all blocks
        found = oracle_.fetches.find(watchName(name, 0));
      if (found == oracle_.fetches.end())
        continue; // made by partitioning itself
      ++verdict_.edges;
      differs(
          strCat("edge '", entry_.edges(edge).key(), "' of replica ", replica),
          it->second, found->second);
    }
  }

  void compareAll(const char *kind, const std::map<std::string, Tensor> &actual,
                  const std::map<std::string, Tensor> &expected) {
    for (const auto &[name, tensor] : actual)
      if (auto found = expected.find(name); found != expected.end())
        differs(strCat(kind, " '", name, "'"), tensor, found->second);
  }

  void differs(const std::string &what, const Tensor &actual,
               const Tensor &expected) {
    std::string difference = differenceOf(actual, expected);
    if (!difference.empty() && verdict_.difference.empty())
      verdict_.difference = strCat("step ", step_, " of @", entry_.name(), ": ",
                                   what, ": ", difference, " (on one device)");
  }

  const proto::Entry &entry_;
  const Observed &plan_;
  const RunSummary &oracle_;
  int64_t step_;
  Verdict &verdict_;
};

} // namespace

RunOptions seededRun(const Plan &plan, const proto::Entry &entry,
                     const VerifyOptions &options, int64_t steps) {
  RunOptions run;
  run.entry = entry.name();
  run.seed = options.seed;
  run.steps = steps;
  run.threads = options.threads;
  run.stepTimeout = options.stepTimeout;
  run.keepVariables = true;
  run.rows = [seed = options.seed](
                 const proto::Input &input, uint64_t step, uint32_t replica,
                 std::span<const std::span<std::byte>> columns) {
    return fillRows(seed, input, step, replica, columns);
  };
  run.feeds = seededFeeds(options.seed, plan.proto(), entry);
  return run;
}

Result<Expectation> expectationOf(const Plan &plan, const proto::Entry &entry,
                                  const VerifyOptions &options) {
  Expectation expected;
  mlir::FailureOr<Plan::Ptr> oracle = compileOracle(plan, entry);
  if (failed(oracle))
    return Status::invalidArgument(
        "the graph in the plan does not compile for one device");
  expected.oracle = *oracle;
  DTC_ASSIGN_OR_RETURN(expected.entry, chooseEntry(**oracle, entry.name()));
  int64_t steps = expected.entry->has_updates() ? options.steps : 1;
  // A run shows its last step; so one run for each.
  for (int64_t step = 1; step <= steps; ++step) {
    DTC_ASSIGN_OR_RETURN(
        Observed observed,
        observe(expected.oracle, *expected.entry, options, step, nullptr));
    expected.steps.push_back(std::move(observed.summary));
  }
  return expected;
}

Result<Verdict> verifyEntry(const Plan::Ptr &plan, const proto::Entry &entry,
                            const Expectation &expected,
                            const VerifyOptions &options) {
  Verdict verdict{.entry = entry.name(),
                  .steps = static_cast<int64_t>(expected.steps.size()),
                  .difference = {}};
  std::string declared =
      declaredDifference(*plan, entry, *expected.oracle, *expected.entry);
  if (!declared.empty())
    verdict.difference =
        strCat("@", entry.name(), ": ", declared, " (on one device)");
  std::unique_ptr<KernelCheck> kernels;
  if (options.kernels) {
    DTC_ASSIGN_OR_RETURN(kernels, KernelCheck::create(plan));
  }
  std::vector<uint32_t> edges = edgesInDataOrder(*plan, entry);
  for (int64_t step = 1; step <= verdict.steps && verdict.difference.empty();
       ++step) {
    DTC_ASSIGN_OR_RETURN(Observed observed,
                         observe(plan, entry, options, step, kernels.get()));
    StepComparison(entry, observed, expected.steps[step - 1], step, verdict)
        .compare(edges);
  }
  if (kernels) {
    verdict.kernels = kernels->checked();
    if (verdict.difference.empty())
      verdict.difference = kernels->difference();
  }
  return verdict;
}

} // namespace dtc::tool

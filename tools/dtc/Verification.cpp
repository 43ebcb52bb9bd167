#include "tools/dtc/Verification.h"

#include <algorithm>

#include "tools/dtc/Declared.h"
#include "tools/dtc/EdgeOrder.h"
#include "tools/dtc/KernelCheck.h"
#include "tools/dtc/Oracle.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/SeededInputs.h"
#include "tools/dtc/ValueCheck.h"

namespace dtc::tool {
namespace {

/// Compares one step of an entry; edges in the order of data.
class StepComparison {
public:
  StepComparison(const proto::Entry &entry, const Observation &plan,
                 const Observation &oracle, int64_t step, Verdict &verdict)
      : entry_(entry), plan_(plan), oracle_(oracle), step_(step),
        verdict_(verdict) {}

  /// Fills the counts of the verdict, and its first difference.
  void compare(const std::vector<uint32_t> &edges, const ValueCheck &values) {
    verdict_.edges = verdict_.fetches = verdict_.variables = 0;
    for (uint32_t edge : edges)
      compareEdge(edge);
    verdict_.fetches = plan_.fetches.size();
    for (const auto &[key, tensor] : plan_.fetches)
      if (auto found = oracle_.fetches.find(key);
          found != oracle_.fetches.end())
        differs(strCat("output '", key.first, "'"), tensor, found->second);
    verdict_.variables = plan_.summary.variables.size();
    for (const auto &[name, tensor] : plan_.summary.variables)
      if (auto found = oracle_.summary.variables.find(name);
          found != oracle_.summary.variables.end())
        differs(strCat("variable '", name, "'"), tensor, found->second);
    // Last: whoever mends a partition asks for its edges first.
    verdict_.values = values.checked();
    note(values.difference());
  }

private:
  void compareEdge(uint32_t edge) {
    const std::string &name = entry_.edges(edge).tensor();
    for (auto it = plan_.sent.lower_bound({edge, 0});
         it != plan_.sent.end() && it->first.first == edge; ++it) {
      uint32_t replica = it->first.second;
      const auto *expected = watched(oracle_, name, replica);
      if (!expected)
        continue; // made by partitioning itself
      ++verdict_.edges;
      differs(
          strCat("edge '", entry_.edges(edge).key(), "' of replica ", replica),
          it->second, expected->second);
    }
  }

  void differs(const std::string &what, const Tensor &actual,
               const Tensor &expected) {
    std::string difference = bitDifference(actual, expected);
    if (!difference.empty())
      note(strCat(what, ": ", difference));
  }

  void note(const std::string &difference) {
    if (!difference.empty() && verdict_.difference.empty())
      verdict_.difference = strCat("step ", step_, " of @", entry_.name(), ": ",
                                   difference, " (on one device)");
  }

  const proto::Entry &entry_;
  const Observation &plan_;
  const Observation &oracle_;
  int64_t step_;
  Verdict &verdict_;
};

bool roundsOnTheWire(const proto::Entry &entry) {
  return std::any_of(entry.edges().begin(), entry.edges().end(),
                     [](const proto::Edge &edge) { return edge.wire(); });
}

/// What a run shows that rounds on the wire, beside one that does not.
Rounding roundingOf(const Observation &rounded, const Observation &exact) {
  Rounding rounding;
  for (const auto &[key, tensor] : exact.fetches)
    if (auto found = rounded.fetches.find(key); found != rounded.fetches.end())
      rounding.compare(strCat("output '", key.first, "'"), found->second,
                       tensor);
  for (const auto &[name, tensor] : exact.summary.variables)
    if (auto found = rounded.summary.variables.find(name);
        found != rounded.summary.variables.end())
      rounding.compare(strCat("variable '", name, "'"), found->second, tensor);
  return rounding;
}

/// The same steps again, with rounding. `exact` is the last step without.
Status judgeRounding(const Plan::Ptr &plan, const proto::Entry &entry,
                     const Observation &exact, const VerifyOptions &options,
                     Verdict &verdict) {
  DTC_ASSIGN_OR_RETURN(
      Observation rounded,
      observe(plan, entry, seededRun(*plan, entry, options, verdict.steps)));
  verdict.rounding = roundingOf(rounded, exact);
  if (const std::string &lost = verdict.rounding->lost(); !lost.empty())
    verdict.difference =
        strCat("step ", verdict.steps, " of @", entry.name(), ": ", lost);
  return Status::ok();
}

} // namespace

RunOptions seededRun(const Plan &plan, const proto::Entry &entry,
                     const VerifyOptions &options, int64_t steps,
                     int64_t turns) {
  RunOptions run;
  run.entry = entry.name();
  run.seed = options.seed;
  run.steps = steps * turns;
  run.threads = options.threads;
  run.stepTimeout = options.stepTimeout;
  run.keepVariables = true;
  run.replay = true;
  run.spread = 0.1;
  if (turns > 1)
    run.replicaAt = [turns](uint64_t step) { return step % turns; };
  run.rows = [seed = options.seed,
              turns](const proto::Input &input, uint64_t step, uint32_t replica,
                     std::span<const std::span<std::byte>> columns) {
    return fillRows(seed, input, step / turns, replica + step % turns, columns);
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
    int64_t turns = oracleSteps(plan, entry);
    DTC_ASSIGN_OR_RETURN(Observation observed,
                         observe(expected.oracle, *expected.entry,
                                 seededRun(*expected.oracle, *expected.entry,
                                           options, step, turns),
                                 turns));
    expected.steps.push_back(std::move(observed));
  }
  return expected;
}

Result<Verdict> verifyEntry(const Plan::Ptr &plan, const proto::Entry &entry,
                            const Expectation &expected,
                            const VerifyOptions &options, int64_t turns) {
  Verdict verdict{.entry = entry.name(),
                  .steps = static_cast<int64_t>(expected.steps.size()),
                  .difference = {},
                  .rounding = {}};
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
  Observation exact; // the last step
  for (int64_t step = 1; step <= verdict.steps && verdict.difference.empty();
       ++step) {
    RunOptions run = seededRun(*plan, entry, options, step, turns);
    run.isWireExact = true; // wiring and rounding are judged apart
    ValueCheck values(plan, *expected.entry, expected.steps[step - 1]);
    auto ranKernel = [&](const KernelRun &ran) {
      values.check(ran);
      if (kernels)
        kernels->check(ran);
    };
    DTC_ASSIGN_OR_RETURN(exact, observe(plan, entry, run, turns, ranKernel));
    StepComparison(entry, exact, expected.steps[step - 1], step, verdict)
        .compare(edges, values);
  }
  if (verdict.difference.empty() && roundsOnTheWire(entry))
    DTC_RETURN_IF_ERROR(judgeRounding(plan, entry, exact, options, verdict));
  if (kernels) {
    verdict.kernels = kernels->checked();
    if (verdict.difference.empty()) {
      verdict.difference = kernels->difference();
      verdict.isOfKernel = !verdict.difference.empty();
    }
  }
  return verdict;
}

} // namespace dtc::tool

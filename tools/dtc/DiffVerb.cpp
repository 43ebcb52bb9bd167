// dtc diff: what moved from one plan to another, and what that changes.
#include <iostream>

#include "tools/dtc/Exit.h"
#include "tools/dtc/KernelCosts.h"
#include "tools/dtc/PlanDiff.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

struct DiffFlags {
  std::string a, b, entry;
  bool json = false;
};

/// By the default rates, so that equal plans give equal predictions.
Result<double> predictedStep(const Plan::Ptr &plan, const proto::Entry &entry) {
  DTC_ASSIGN_OR_RETURN(Prediction prediction,
                       predictPlan(plan, entry, {.isProcessPerTask = true}));
  return prediction.stepSeconds;
}

int compare(const DiffFlags &flags, const Plan::Ptr &a, const Plan::Ptr &b) {
  Result<const proto::Entry *> entryA = chooseEntry(*a, flags.entry);
  if (!entryA)
    return fail("diff", exitNothingMatched, entryA.status().message());
  Result<const proto::Entry *> entryB = chooseEntry(*b, (*entryA)->name());
  if (!entryB)
    return fail("diff", exitNothingMatched, entryB.status().message());
  Result<double> stepA = predictedStep(a, **entryA);
  if (!stepA)
    return fail("diff", stepA.status());
  Result<double> stepB = predictedStep(b, **entryB);
  if (!stepB)
    return fail("diff", stepB.status());
  PlanDiff diff = diffPlans({*a, **entryA, *stepA}, {*b, **entryB, *stepB});
  std::cout << (flags.json ? diffJson(diff).dump(2) + "\n" : diffText(diff));
  return exitSuccess;
}

int run(const DiffFlags &flags) {
  Result<Plan::Ptr> a = Plan::load(flags.a);
  if (!a)
    return fail("diff", a.status());
  Result<Plan::Ptr> b = Plan::load(flags.b);
  if (!b)
    return fail("diff", b.status());
  return compare(flags, *a, *b);
}

} // namespace

void addDiffVerb(CLI::App &app, int &exitCode) {
  auto flags = std::make_shared<DiffFlags>();
  CLI::App *verb = app.add_subcommand(
      "diff", "Say what moved between two plans, and what that changes");
  verb->add_option("a", flags->a, "A plan file")->required();
  verb->add_option("b", flags->b, "Another")->required();
  verb->add_option("--entry", flags->entry,
                   "The entry point (default: the one that trains)");
  verb->add_flag("--json", flags->json, "One JSON object, schema dtc.diff/1");
  addReportFlags(*verb);
  verb->callback([flags, &exitCode] { exitCode = run(*flags); });
}

} // namespace dtc::tool

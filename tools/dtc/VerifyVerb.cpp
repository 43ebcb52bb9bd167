// dtc verify: the proof, the partition check, and with --kernels the kernel
// check (docs/concepts.md says what each means).
#include <iostream>

#include "runtime/plan/Proof.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/KernelCheck.h"
#include "tools/dtc/PassBlame.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Verbs.h"
#include "tools/dtc/Verification.h"

namespace dtc::tool {
namespace {

struct VerifyFlags {
  std::string plan, entry;
  VerifyOptions options;
  bool json = false;
};

/// Null where nothing is rounded.
Json roundingJson(const Verdict &verdict) {
  if (!verdict.rounding)
    return nullptr;
  return {{"largest_relative_difference", verdict.rounding->largest()},
          {"where", verdict.rounding->where()}};
}

Json verdictJson(const Verdict &verdict) {
  return {
      {"entry", verdict.entry},           {"steps", verdict.steps},
      {"edges", verdict.edges},           {"outputs", verdict.fetches},
      {"variables", verdict.variables},   {"values", verdict.values},
      {"kernels", verdict.kernels},       {"equal", verdict.difference.empty()},
      {"difference", verdict.difference}, {"rounding", roundingJson(verdict)}};
}

std::string verdictText(const Verdict &verdict) {
  std::string text = strCat(
      "@", verdict.entry, ": ", verdict.steps,
      verdict.steps == 1 ? " step, " : " steps, ", verdict.edges, " edges, ",
      verdict.fetches, " outputs, ", verdict.variables, " variables, ",
      verdict.values,
      " values: ", verdict.difference.empty() ? "equal bits" : "DIFFERENT");
  if (verdict.kernels)
    text += strCat("; ", verdict.kernels, " kernels within ",
                   KernelCheck::tolerance, " of their reference");
  if (verdict.rounding && verdict.rounding->where().empty())
    text += "; rounding on the wire changes nothing";
  else if (verdict.rounding)
    text += strCat("; rounding on the wire changes ", verdict.rounding->where(),
                   " by ", verdict.rounding->largest(),
                   " of its largest element, no other by more");
  return text;
}

Json blameJson(const PassBlame &blame) {
  return {{"phase", blame.phase},       {"pass", blame.pass},
          {"or_one_of", blame.orOneOf}, {"place", blame.place},
          {"from", blame.from},         {"text", blame.sentence()}};
}

int verify(const VerifyFlags &flags) {
  Result<Plan::Ptr> plan = Plan::load(flags.plan);
  if (!plan)
    return fail("verify", plan.status());
  if (Status proven = proveNoWaitCycle(**plan); !proven.isOk())
    return fail("verify", proven);
  if (!(*plan)->member("source/graph.mlir"))
    return fail(
        "verify", exitBadInput,
        flags.plan +
            " was compiled from edited IR and holds no graph to compare with; "
            "it is proven free of "
            "wait cycles, no more\nhelp: compile it from the graph file, or "
            "give the graph: --source GRAPH");
  Json entries = Json::array();
  std::string difference;
  std::optional<PassBlame> blame; // of the first difference
  for (const proto::Entry &entry : (*plan)->proto().entries()) {
    if (!flags.entry.empty() && entry.name() != flags.entry)
      continue;
    Result<Expectation> expected = expectationOf(**plan, entry, flags.options);
    if (!expected)
      return fail("verify", expected.status());
    Result<Verdict> verdict =
        verifyEntry(*plan, entry, *expected, flags.options);
    if (!verdict)
      return fail("verify", verdict.status());
    entries.push_back(verdictJson(*verdict));
    if (!flags.json)
      std::cout << verdictText(*verdict) << std::endl;
    if (!difference.empty() || verdict->difference.empty())
      continue;
    difference = verdict->difference;
    if (verdict->isOfKernel)
      continue; // no partition is to blame
    if (Result<PassBlame> found = blameFor(**plan, entry, *expected,
                                           flags.options, optionsOf(**plan)))
      blame = *found;
  }
  if (Result<const proto::Entry *> named = chooseEntry(**plan, flags.entry);
      !named)
    return fail("verify", exitNothingMatched, named.status().message());
  if (flags.json)
    std::cout << Json{{"schema", "dtc.verify/1"},
                      {"equal", difference.empty()},
                      {"proof", "no wait cycle"},
                      {"entries", entries},
                      {"blame", blame ? blameJson(*blame) : Json()}}
                     .dump(2)
              << std::endl;
  if (difference.empty())
    return exitSuccess;
  if (blame)
    difference += "\nnote: " + blame->sentence();
  return fail("verify", exitDiffers, difference);
}

} // namespace

void addVerifyVerb(CLI::App &app, int &exitCode) {
  auto flags = std::make_shared<VerifyFlags>();
  CLI::App *verb = app.add_subcommand(
      "verify", "Check a plan against its graph on one device, bit for bit");
  verb->add_option("plan", flags->plan, "The plan file")->required();
  verb->add_option("--entry", flags->entry, "Only this entry point");
  verb->add_option("--steps", flags->options.steps,
                   "Steps of an entry that trains")
      ->check(CLI::Range(1, 100));
  verb->add_option("--seed", flags->options.seed,
                   "Of inputs and initial values");
  verb->add_option("--threads", flags->options.threads, "Compute threads")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--kernels", flags->options.kernels,
                 "Check each kernel against its reference kernel, too");
  verb->add_flag("--json", flags->json, "One JSON object, schema dtc.verify/1");
  addReportFlags(*verb);
  verb->callback([flags, &exitCode] { exitCode = verify(*flags); });
}

} // namespace dtc::tool

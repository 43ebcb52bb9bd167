// dtc verify: the proof, the partition check, and with --kernels the kernel
// check (docs/concepts.md says what each means).
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>

#include "runtime/plan/Proof.h"
#include "runtime/server/Session.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/KernelCheck.h"
#include "tools/dtc/Oracle.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/SeededInputs.h"
#include "tools/dtc/Values.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

struct VerifyFlags {
  std::string plan, entry;
  uint64_t seed = 0;
  int64_t steps = 3;
  unsigned threads = 0;
  bool kernels = false, json = false;
};

/// What a run of the plan showed of its last step.
struct Observed {
  RunSummary summary;
  std::map<std::pair<uint32_t, uint32_t>, Tensor> sent; // (edge, replica)
};

/// What was compared, and the first difference, if any.
struct Verdict {
  std::string entry;
  int64_t steps = 0;
  size_t edges = 0, fetches = 0, variables = 0, kernels = 0;
  std::string difference;
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

RunOptions seededOptions(const Plan &plan, const proto::Entry &entry,
                         const VerifyFlags &flags, int64_t steps) {
  RunOptions options;
  options.entry = entry.name();
  options.seed = flags.seed;
  options.steps = steps;
  options.threads = flags.threads;
  options.keepVariables = true;
  options.rows = [seed = flags.seed](
                     const proto::Input &input, uint64_t step, uint32_t replica,
                     std::span<const std::span<std::byte>> columns) {
    return fillRows(seed, input, step, replica, columns);
  };
  for (const proto::Feed &feed : entry.feeds())
    options.feeds[feed.name()] =
        seededFeed(flags.seed, feed.name(), *TensorType::create(feed.type()));
  return options;
}

Result<Observed> observe(const Plan::Ptr &plan, const proto::Entry &entry,
                         const VerifyFlags &flags, int64_t steps,
                         KernelCheck *kernels) {
  Observed observed;
  std::mutex mutex; // guards observed.sent
  RunOptions options = seededOptions(*plan, entry, flags, steps);
  options.tap = [&](const SentTensor &sent) {
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
    options.ranKernel = [kernels](uint32_t kernel, void *const *arguments) {
      kernels->check(kernel, arguments);
    };
  DTC_ASSIGN_OR_RETURN(observed.summary, runInProcess(plan, options));
  return observed;
}

/// "" or how `actual` differs in bits from `expected`.
std::string differenceOf(const Tensor &actual, const Tensor &expected) {
  if (actual == expected)
    return "";
  std::string numbers = compareTensors(actual, expected, 0, 0);
  return numbers.empty() ? "the bits differ" : numbers;
}

/// Compares one step; fills the counts of `verdict` and its first difference.
void compareStep(const proto::Entry &entry, const Observed &plan,
                 const RunSummary &oracle, int64_t step, Verdict &verdict) {
  auto differs = [&](const std::string &what, const Tensor &actual,
                     const Tensor &expected) {
    std::string difference = differenceOf(actual, expected);
    if (!difference.empty() && verdict.difference.empty())
      verdict.difference = strCat("step ", step, " of @", entry.name(), ": ",
                                  what, ": ", difference, " (on one device)");
  };
  verdict.edges = verdict.fetches = verdict.variables = 0;
  for (const auto &[key, tensor] : plan.sent) {
    const auto &[edge, replica] = key;
    const std::string &name = entry.edges(edge).tensor();
    auto found = oracle.fetches.find(watchName(name, replica));
    if (found == oracle.fetches.end()) // one value for all blocks: a variable
      found = oracle.fetches.find(watchName(name, 0));
    if (found == oracle.fetches.end())
      continue;
    ++verdict.edges;
    differs(strCat("edge '", entry.edges(edge).key(), "' of replica ", replica),
            tensor, found->second);
  }
  for (const auto &[name, tensor] : plan.summary.fetches) {
    ++verdict.fetches;
    auto found = oracle.fetches.find(name);
    if (found != oracle.fetches.end())
      differs(strCat("output '", name, "'"), tensor, found->second);
  }
  for (const auto &[name, tensor] : plan.summary.variables) {
    ++verdict.variables;
    auto found = oracle.variables.find(name);
    if (found != oracle.variables.end())
      differs(strCat("variable '", name, "'"), tensor, found->second);
  }
}

Result<Verdict> verifyEntry(const Plan::Ptr &plan, const proto::Entry &entry,
                            const VerifyFlags &flags) {
  Verdict verdict{.entry = entry.name(),
                  .steps = entry.has_updates() ? flags.steps : 1,
                  .difference = {}};
  mlir::FailureOr<Plan::Ptr> oracle = compileOracle(*plan, entry);
  if (failed(oracle))
    return Status::invalidArgument(
        "the graph in the plan does not compile for one device");
  DTC_ASSIGN_OR_RETURN(const proto::Entry *oracleEntry,
                       chooseEntry(**oracle, entry.name()));
  std::unique_ptr<KernelCheck> kernels;
  if (flags.kernels) {
    DTC_ASSIGN_OR_RETURN(kernels, KernelCheck::create(plan));
  }
  // A run shows its last step; so one run for each.
  for (int64_t steps = 1; steps <= verdict.steps && verdict.difference.empty();
       ++steps) {
    DTC_ASSIGN_OR_RETURN(Observed observed,
                         observe(plan, entry, flags, steps, kernels.get()));
    DTC_ASSIGN_OR_RETURN(Observed expected,
                         observe(*oracle, *oracleEntry, flags, steps, nullptr));
    compareStep(entry, observed, expected.summary, steps, verdict);
  }
  if (kernels) {
    verdict.kernels = kernels->checked();
    if (verdict.difference.empty() && !kernels->difference().empty())
      verdict.difference = kernels->difference();
  }
  return verdict;
}

Json verdictJson(const Verdict &verdict) {
  return {{"entry", verdict.entry},
          {"steps", verdict.steps},
          {"edges", verdict.edges},
          {"outputs", verdict.fetches},
          {"variables", verdict.variables},
          {"kernels", verdict.kernels},
          {"equal", verdict.difference.empty()},
          {"difference", verdict.difference}};
}

std::string verdictText(const Verdict &verdict) {
  std::string text = strCat(
      "@", verdict.entry, ": ", verdict.steps,
      verdict.steps == 1 ? " step, " : " steps, ", verdict.edges, " edges, ",
      verdict.fetches, " outputs, ", verdict.variables,
      " variables: ", verdict.difference.empty() ? "equal bits" : "DIFFERENT");
  if (verdict.kernels)
    text += strCat("; ", verdict.kernels, " kernels within ",
                   KernelCheck::tolerance, " of their reference");
  return text;
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
  for (const proto::Entry &entry : (*plan)->proto().entries()) {
    if (!flags.entry.empty() && entry.name() != flags.entry)
      continue;
    Result<Verdict> verdict = verifyEntry(*plan, entry, flags);
    if (!verdict)
      return fail("verify", verdict.status());
    entries.push_back(verdictJson(*verdict));
    if (!flags.json)
      std::cout << verdictText(*verdict) << std::endl;
    if (difference.empty())
      difference = verdict->difference;
  }
  if (Result<const proto::Entry *> named = chooseEntry(**plan, flags.entry);
      !named)
    return fail("verify", exitNothingMatched, named.status().message());
  if (flags.json)
    std::cout << Json{{"schema", "dtc.verify/1"},
                      {"equal", difference.empty()},
                      {"proof", "no wait cycle"},
                      {"entries", entries}}
                     .dump(2)
              << std::endl;
  return difference.empty() ? int(exitSuccess)
                            : fail("verify", exitDiffers, difference);
}

} // namespace

void addVerifyVerb(CLI::App &app, int &exitCode) {
  auto flags = std::make_shared<VerifyFlags>();
  CLI::App *verb = app.add_subcommand(
      "verify", "Check a plan against its graph on one device, bit for bit");
  verb->add_option("plan", flags->plan, "The plan file")->required();
  verb->add_option("--entry", flags->entry, "Only this entry point");
  verb->add_option("--steps", flags->steps, "Steps of an entry that trains")
      ->check(CLI::Range(1, 100));
  verb->add_option("--seed", flags->seed, "Of inputs and initial values");
  verb->add_option("--threads", flags->threads, "Compute threads")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--kernels", flags->kernels,
                 "Check each kernel against its reference kernel, too");
  verb->add_flag("--json", flags->json, "One JSON object, schema dtc.verify/1");
  addReportFlags(*verb);
  verb->callback([flags, &exitCode] { exitCode = verify(*flags); });
}

} // namespace dtc::tool

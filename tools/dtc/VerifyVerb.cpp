// dtc verify: the proof, the partition check, and with --kernels the kernel
// check (docs/concepts.md says what each means).
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

/// What a run of the plan, or of the oracle, showed of its last step.
struct Observed {
  RunSummary summary;
  std::map<std::pair<uint32_t, uint32_t>, Tensor> sent; // (edge, replica)
  /// By name, and replica; without update async all are of replica 0.
  std::map<std::pair<std::string, uint32_t>, Tensor> fetches;
};

/// What was compared, and the first difference, if any.
struct Verdict {
  std::string entry;
  int64_t steps = 0;
  size_t edges = 0, fetches = 0, variables = 0, kernels = 0;
  std::string difference;
};

/// A run of `steps` steps; `turns` of them are one step of as many replicas.
RunOptions seededOptions(const proto::Entry &entry, const VerifyFlags &flags,
                         int64_t steps, int64_t turns) {
  RunOptions options;
  options.entry = entry.name();
  options.seed = flags.seed;
  options.steps = steps;
  options.threads = flags.threads;
  options.keepVariables = true;
  options.replay = true;
  if (turns > 1)
    options.replicaAt = [turns](uint64_t step) { return step % turns; };
  options.rows = [seed = flags.seed, turns](
                     const proto::Input &input, uint64_t step, uint32_t replica,
                     std::span<const std::span<std::byte>> columns) {
    return fillRows(seed, input, step / turns, replica + step % turns, columns);
  };
  for (const proto::Feed &feed : entry.feeds())
    options.feeds[feed.name()] =
        seededFeed(flags.seed, feed.name(), *TensorType::create(feed.type()));
  return options;
}

Tensor tensorOf(const proto::TensorType &declared,
                std::span<const std::byte> bytes) {
  TensorType type = *TensorType::create(declared);
  return {type.element, type.shape, {bytes.begin(), bytes.end()}};
}

Result<Observed> observe(const Plan::Ptr &plan, const proto::Entry &entry,
                         const VerifyFlags &flags, int64_t steps, int64_t turns,
                         KernelCheck *kernels) {
  Observed observed;
  std::mutex mutex; // guards observed
  RunOptions options = seededOptions(entry, flags, steps * turns, turns);
  auto isLast = [&](uint64_t step) {
    return step / turns + 1 == static_cast<uint64_t>(steps);
  };
  options.tap = [&](const SentTensor &sent) {
    if (!isLast(sent.step))
      return;
    std::lock_guard lock(mutex);
    observed.sent[{sent.edge, sent.replica}] =
        tensorOf(entry.edges(sent.edge).type(), sent.bytes);
  };
  options.fetched = [&](uint32_t fetch, uint64_t step, uint32_t replica,
                        std::span<const std::byte> bytes) {
    if (!isLast(step))
      return;
    const proto::Fetch &declared = entry.fetches(fetch);
    std::lock_guard lock(mutex);
    observed.fetches[{declared.name(), replica}] =
        tensorOf(declared.type(), bytes);
  };
  if (kernels)
    options.ranKernel = [kernels](uint32_t kernel, void *const *arguments) {
      kernels->check(kernel, arguments);
    };
  DTC_ASSIGN_OR_RETURN(observed.summary, runInProcess(plan, options));
  return observed;
}

/// Value `name` of `replica`, as the oracle shows it, or null.
const Tensor *watched(const Observed &oracle, const std::string &name,
                      uint32_t replica) {
  // In towers; with update async in the replica's own step; or one value for
  // all blocks: a variable.
  for (const auto &key : {std::pair(watchName(name, replica), 0u),
                          std::pair(watchName(name, 0), replica),
                          std::pair(watchName(name, 0), 0u)})
    if (auto found = oracle.fetches.find(key); found != oracle.fetches.end())
      return &found->second;
  return nullptr;
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
                 const Observed &oracle, int64_t step, Verdict &verdict) {
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
    const Tensor *expected =
        watched(oracle, entry.edges(edge).tensor(), replica);
    if (!expected)
      continue;
    ++verdict.edges;
    differs(strCat("edge '", entry.edges(edge).key(), "' of replica ", replica),
            tensor, *expected);
  }
  for (const auto &[key, tensor] : plan.fetches) {
    ++verdict.fetches;
    auto found = oracle.fetches.find(key);
    if (found != oracle.fetches.end())
      differs(strCat("output '", key.first, "'"), tensor, found->second);
  }
  for (const auto &[name, tensor] : plan.summary.variables) {
    ++verdict.variables;
    auto found = oracle.summary.variables.find(name);
    if (found != oracle.summary.variables.end())
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
                         observe(plan, entry, flags, steps, 1, kernels.get()));
    DTC_ASSIGN_OR_RETURN(Observed expected,
                         observe(*oracle, *oracleEntry, flags, steps,
                                 oracleSteps(*plan, entry), nullptr));
    compareStep(entry, observed, expected, steps, verdict);
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

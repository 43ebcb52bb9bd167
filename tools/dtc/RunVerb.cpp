// dtc run: all tasks of a plan in this process. dtc worker: one of them.
#include <cstdlib>
#include <iostream>

#include "runtime/plan/ClusterSpec.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/Files.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/ProgressLine.h"
#include "tools/dtc/RunFlags.h"
#include "tools/dtc/Signals.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

/// Where this process stands in its cluster.
struct Role {
  ClusterSpec cluster;
  TaskId task;
};

Result<TaskId> parseTask(const std::string &text) {
  size_t colon = text.find(':');
  char *rest = nullptr;
  long index = colon == std::string::npos
                   ? -1
                   : std::strtol(text.c_str() + colon + 1, &rest, 10);
  if (colon == 0 || index < 0 || index > 1'000'000 || !rest || *rest != '\0' ||
      rest == text.c_str() + colon + 1)
    return Status::invalidArgument(
        strCat("--task ", text, ": expected JOB:INDEX, as in --task worker:0"));
  return TaskId{text.substr(0, colon), static_cast<int>(index)};
}

/// From --cluster and --task, or from TF_CONFIG; a flag wins.
Result<Role> readRole(const std::string &clusterFile, const std::string &task) {
  std::string text, name = "TF_CONFIG";
  if (!clusterFile.empty()) {
    DTC_ASSIGN_OR_RETURN(text, readFile(clusterFile));
    name = clusterFile;
  } else if (const char *config = std::getenv("TF_CONFIG")) {
    text = config;
  } else {
    return Status::invalidArgument(
        "neither TF_CONFIG nor --cluster says which cluster this is\n"
        "help: dtc worker PLAN --cluster cluster.json --task worker:0");
  }
  DTC_ASSIGN_OR_RETURN(ClusterSpec cluster, ClusterSpec::parseJson(text, name));
  if (!task.empty()) {
    DTC_ASSIGN_OR_RETURN(cluster.task, parseTask(task));
  }
  if (!cluster.task)
    return Status::invalidArgument(
        strCat(name, " does not say which task this is\n"
                     "help: add \"task\": {\"type\": \"worker\", \"index\": "
                     "0}, or --task worker:0"));
  return Role{cluster, *cluster.task};
}

/// What runs beside a plan: whether this task reports, and how it predicts.
struct Reporting {
  bool reports = true;
  bool isProcessPerTask = false;
  const Predictor &predictor;
};

/// Before the run: it may time kernels, and then wants the machine alone.
Result<std::optional<Prediction>> predictRun(const Reporting &reporting,
                                             const RunFlags &flags,
                                             const Plan::Ptr &plan) {
  if (!flags.predict || !reporting.reports)
    return std::optional<Prediction>();
  DTC_ASSIGN_OR_RETURN(const proto::Entry *entry,
                       chooseEntry(*plan, flags.entry));
  DTC_ASSIGN_OR_RETURN(
      Prediction prediction,
      reporting.predictor(plan, *entry,
                          {.isProcessPerTask = reporting.isProcessPerTask,
                           .threads = flags.threads,
                           .calibrate = true,
                           .target = flags.target}));
  return std::optional(std::move(prediction));
}

/// Runs `run` with the flags' options and reports what came of it.
template <typename RunFunction>
int runPlan(const std::string &verb, const RunFlags &flags,
            const Reporting &reporting, const Plan::Ptr &plan,
            RunFunction run) {
  if (Result<const proto::Entry *> entry = chooseEntry(*plan, flags.entry);
      !entry)
    return fail(verb, exitNothingMatched, entry.status().message());
  Result<RunOptions> options = toRunOptions(flags, *plan);
  if (!options)
    return fail(verb, options.status());
  if (reporting.reports)
    if (Status files = checkFetchFiles(flags); !files.isOk())
      return fail(verb, files);
  Result<std::optional<Prediction>> prediction =
      predictRun(reporting, flags, plan);
  if (!prediction)
    return fail(verb, prediction.status());
  ProgressLine progress;
  options->progress = [&](const Progress &now) { progress.show(now); };
  options->log = [&](const std::string &line) {
    std::cerr << "dtc " + verb + ": " + line + "\n";
  };
  SignalInterrupt signals;
  options->interrupt = signals.interrupt();
  Result<RunSummary> summary = run(*options);
  if (signals.caught())
    return 128 + signals.caught();
  if (!summary)
    return fail(verb, summary.status());
  return reporting.reports
             ? reportRun(verb, flags, *plan, *summary, *prediction)
             : int(exitSuccess);
}

int run(const RunFlags &flags, const Predictor &predictor) {
  Result<Plan::Ptr> plan = Plan::load(flags.plan);
  if (!plan)
    return fail("run", plan.status());
  return runPlan(
      "run", flags, {.predictor = predictor}, *plan,
      [&](const RunOptions &options) { return runInProcess(*plan, options); });
}

int work(const RunFlags &flags, const std::string &clusterFile,
         const std::string &task, const Predictor &predictor) {
  Result<Role> role = readRole(clusterFile, task);
  if (!role)
    return fail("worker",
                role.status().code() == StatusCode::InvalidArgument
                    ? int(exitUsage)
                    : exitCodeOf(role.status()),
                role.status().message());
  std::string verb = strCat("worker ", role->task);
  Result<Plan::Ptr> plan = Plan::load(flags.plan);
  if (!plan)
    return fail(verb, plan.status());
  if (Status fits = checkCluster(**plan, role->cluster, role->task);
      !fits.isOk())
    return fail(verb, fits);
  return runPlan(verb, flags,
                 {.reports = role->task == (*plan)->chief(),
                  .isProcessPerTask = true,
                  .predictor = predictor},
                 *plan, [&](const RunOptions &options) {
                   return runTask(*plan, role->cluster, role->task, options);
                 });
}

} // namespace

void addRunVerb(CLI::App &app, int &exitCode, Predictor predictor) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App *verb =
      app.add_subcommand("run", "Run a plan, all its tasks in this process");
  addRunFlags(*verb, *flags, bool(predictor));
  verb->callback(
      [flags, predictor, &exitCode] { exitCode = run(*flags, predictor); });
}

void addWorkerVerb(CLI::App &app, int &exitCode, Predictor predictor) {
  auto flags = std::make_shared<RunFlags>();
  auto cluster = std::make_shared<std::string>(),
       task = std::make_shared<std::string>();
  CLI::App *verb = app.add_subcommand(
      "worker",
      "Be one task of a plan; role and addresses come from TF_CONFIG");
  addRunFlags(*verb, *flags, bool(predictor));
  verb->add_option("--cluster", *cluster,
                   "A cluster file, in TF_CONFIG's form, instead of TF_CONFIG");
  verb->add_option("--task", *task,
                   "Which task of the cluster this is: worker:0");
  verb->callback([flags, cluster, task, predictor, &exitCode] {
    exitCode = work(*flags, *cluster, *task, predictor);
  });
}

} // namespace dtc::tool

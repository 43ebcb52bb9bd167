// dtc compile: a graph file, or the IR of any phase, to a plan or to the IR of
// a later phase.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "runtime/plan/ClusterSpec.h"
#include "tools/dtc/CompileKernels.h"
#include "tools/dtc/Compiler.h"
#include "tools/dtc/Decided.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/Files.h"
#include "tools/dtc/Loads.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Verbs.h"
#include "llvm/Support/BuryPointer.h"

namespace dtc::tool {
namespace {

namespace fs = std::filesystem;

struct CompileFlags {
  std::string graph, output, cluster, mode, update, source;
  std::string from = "import", to, dumpDirectory;
  std::vector<std::string> targets;
  std::optional<int64_t> batch;
  int64_t replicas = 1;
  uint64_t maxShardBytes = 0;
  std::string placement = "greedy", placeFile, wireType = "f32";
  uint64_t deviceMemory = 0;
  bool softPlacement = false;
  unsigned threads = 2;
  bool listPhases = false;
  std::vector<std::string> disabledRewrites;
  bool listRewrites = false, printChanges = false, json = false;
};

/// The flags that are words, as values; or the usage error.
struct Request {
  CompileOptions options;
  Phase from, to;
};

Result<Phase> readPhase(const std::string &flag, const std::string &name) {
  if (std::optional<Phase> phase = phaseNamed(name))
    return *phase;
  return Status::invalidArgument(
      strCat(flag, "=", name, ": there is no such phase; the phases are ",
             phaseNames()));
}

/// What can be said of the flags before the graph is looked at.
Status checkFlags(const CompileFlags &flags) {
  if (flags.batch && *flags.batch < 1)
    return Status::invalidArgument(
        strCat("--batch ", *flags.batch, ": a batch has at least 1 row"));
  if (flags.replicas < 1)
    return Status::invalidArgument(
        strCat("--replicas ", flags.replicas, ": there is at least 1 replica"));
  if (flags.replicas > 1 && flags.mode == "between-graph")
    return Status::invalidArgument(
        "--replicas makes towers of a local or in-graph plan; between-graph "
        "has as many replicas as workers");
  bool isBetween = flags.mode.empty() ? !flags.cluster.empty()
                                      : flags.mode == "between-graph";
  if (flags.placement == "cost" && isBetween &&
      flags.from == phaseName(firstPhase))
    return Status::invalidArgument(
        "--placement cost chooses tasks for the ops of an in-graph plan; "
        "between-graph each worker computes all of them");
  if (flags.deviceMemory > 0 && flags.placement != "cost")
    return Status::invalidArgument(
        "--device-memory bounds --placement cost; say that, too");
  if (flags.update == "async" && !isBetween &&
      flags.from == phaseName(firstPhase))
    return Status::invalidArgument(
        "--update async needs --mode between-graph; elsewhere no worker has a "
        "pace of its own");
  if (!flags.mode.empty() && flags.mode != "local" && flags.cluster.empty() &&
      flags.from == phaseName(firstPhase))
    return Status::invalidArgument(strCat("--mode ", flags.mode,
                                          " needs --cluster, as in --cluster "
                                          "ps=1,worker=2"));
  if (flags.placement == "manual" && flags.placeFile.empty())
    return Status::invalidArgument(
        "--placement manual needs --place FILE; dtc inspect PLAN --place "
        "prints one");
  for (const std::string &name : flags.disabledRewrites)
    if (!graph::isRewriteName(name))
      return Status::invalidArgument(
          strCat("--disable-rewrite=", name,
                 ": there is no such rewrite; --list-rewrites lists them"));
  if (flags.json && flags.output == "-")
    return Status::invalidArgument(
        "--json and -o - both want standard output; write the plan to a file");
  for (size_t i = 0; i < flags.targets.size(); ++i) {
    DTC_RETURN_IF_ERROR(checkTarget(flags.targets[i]));
    for (size_t j = 0; j < i; ++j)
      if (flags.targets[i] == flags.targets[j])
        return Status::invalidArgument(
            strCat("--target ", flags.targets[i], " is given twice"));
  }
  return Status::ok();
}

Result<Request> readRequest(const CompileFlags &flags) {
  DTC_RETURN_IF_ERROR(checkFlags(flags));
  DTC_ASSIGN_OR_RETURN(Phase from, readPhase("--from", flags.from));
  DTC_ASSIGN_OR_RETURN(
      Phase to,
      readPhase("--to", flags.to.empty() ? phaseName(lastPhase) : flags.to));
  if (to < from)
    return Status::invalidArgument(
        strCat("--to=", flags.to, " comes before --from=", flags.from));
  CompileOptions options{.cluster = flags.cluster,
                         .mode = flags.mode,
                         .update = flags.update.empty() ? "sync" : flags.update,
                         .wireType = flags.wireType,
                         .targets = flags.targets,
                         .batch = flags.batch,
                         .replicas = flags.replicas,
                         .maxShardBytes =
                             static_cast<int64_t>(flags.maxShardBytes),
                         .softPlacement = flags.softPlacement,
                         .placement = flags.placement,
                         .deviceMemory = int64_t(flags.deviceMemory),
                         .place = {},
                         .placeName = flags.placeFile,
                         .threads = flags.threads,
                         .disabledRewrites = flags.disabledRewrites,
                         .printChanges = flags.printChanges,
                         .watch = {}};
  if (options.targets.empty())
    options.targets = {"host"};
  if (!flags.placeFile.empty()) {
    DTC_ASSIGN_OR_RETURN(options.place, readFile(flags.placeFile));
  }
  if (fs::path(options.cluster).extension() == ".json") {
    DTC_ASSIGN_OR_RETURN(options.cluster, clusterShapeOfFile(options.cluster));
  } else if (!options.cluster.empty()) {
    Result<ClusterSpec> shape = ClusterSpec::parseShape(options.cluster);
    if (!shape)
      return shape.status().withPrefix("--cluster: ");
  }
  return Request{std::move(options), from, to};
}

Status dumpPhase(const CompileFlags &flags, Phase phase,
                 const std::string &text) {
  fs::path directory = flags.dumpDirectory;
  std::error_code error;
  fs::create_directories(directory, error);
  std::string name =
      strCat(fs::path(flags.graph).stem().string(), ".",
             static_cast<int>(phase) + 1, ".", phaseName(phase), ".mlir");
  return writeFile((directory / name).string(), text);
}

/// A phase that the input is past has decided; a flag may repeat what it
/// decided, not change it.
Status checkDecided(const CompileFlags &flags, const Request &request,
                    mlir::ModuleOp module) {
  if (request.from >= Phase::Rewrite && flags.batch)
    return Status::invalidArgument(
        "--batch acts in phase rewrite; the input is past it");
  if (request.from < Phase::Place)
    return Status::ok();
  if (flags.maxShardBytes > 0)
    return Status::invalidArgument(
        "--max-shard-bytes acts in phase place; the input is past it");
  if (flags.replicas > 1)
    return Status::invalidArgument(
        "--replicas acts in phase place; the input is past it");
  if (!flags.placeFile.empty())
    return Status::invalidArgument(
        "--place acts in phase place; the input is past it");
  if (flags.placement != "greedy")
    return Status::invalidArgument(
        "--placement acts in phase place; the input is past it");
  if (flags.wireType != "f32")
    return Status::invalidArgument(
        "--wire-type acts in phase place; the input is past it");
  if (flags.softPlacement)
    return Status::invalidArgument(
        "--soft-placement acts in phase place; the input is past it");
  Decided decided = decidedOf(module);
  if (!flags.cluster.empty() && request.options.cluster != decided.cluster)
    return Status::invalidArgument(strCat("--cluster ", flags.cluster,
                                          ": the input was placed for ",
                                          decided.cluster));
  if (!flags.mode.empty() && flags.mode != decided.mode)
    return Status::invalidArgument(strCat("--mode ", flags.mode,
                                          ": the input was placed in mode ",
                                          decided.mode));
  if (!flags.update.empty() && flags.update != decided.update)
    return Status::invalidArgument(strCat("--update ", flags.update,
                                          ": the input was placed for update ",
                                          decided.update));
  return Status::ok();
}

/// The graph that the input is or stems from; "" for IR that names none.
Result<std::string> readSource(const CompileFlags &flags,
                               const Request &request,
                               const std::string &text) {
  if (request.from == firstPhase)
    return text;
  if (flags.source.empty())
    return std::string();
  return readFile(flags.source);
}

/// For `--json`: what was written, and how often each rewrite was applied.
void printSummary(const std::string &output,
                  const graph::RewriteCounts &rewrites, const Loads &loads) {
  Json summary{{"schema", "dtc.compile/1"}, {"plan", output}};
  summary["rewrites"] = Json::object();
  for (const graph::RewriteName &rewrite : graph::rewriteNames()) {
    auto times = rewrites.find(rewrite.name.str());
    summary["rewrites"][rewrite.name.str()] =
        times == rewrites.end() ? 0 : times->second;
  }
  summary["ps_loads"] = toJson(loads);
  std::cout << summary.dump() << std::endl;
}

int listRewrites() {
  for (const graph::RewriteName &rewrite : graph::rewriteNames())
    std::cout << rewrite.name.str()
              << std::string(18 - rewrite.name.size(), ' ')
              << rewrite.summary.str() << "\n";
  return exitSuccess;
}

/// Owned till the process ends, which is soon: freeing the ops and messages of
/// a large graph one by one takes a tenth of its compilation.
template <typename T>
T &keep(T value) {
  auto owned = std::make_unique<T>(std::move(value));
  T &kept = *owned;
  llvm::BuryPointer(std::move(owned));
  return kept;
}

int writePlan(const CompileFlags &flags, Compiler &compiler,
              mlir::ModuleOp module, const std::string &source) {
  bool wasEdited = flags.from != phaseName(firstPhase);
  auto plan = compiler.finish(module, source, "the compiled plan", wasEdited);
  if (failed(plan))
    return exitBadInput;
  const PlanContents &contents = keep(*plan)->contents();
  std::string output = flags.output;
  if (output.empty())
    output = fs::path(flags.graph).stem().string() + ".plan";
  if (output == "-") {
    Result<std::string> bytes = planFileBytes(contents.plan, contents.members);
    if (!bytes)
      return fail("compile", bytes.status());
    std::cout << *bytes;
    return exitSuccess;
  }
  Status written = writePlanFile(output, contents.plan, contents.members);
  if (!written.isOk())
    return fail("compile", exitFile, written.message());
  std::cerr << "dtc compile: wrote " << output << std::endl;
  Loads loads = loadsOf(contents.plan);
  if (!loads.empty())
    std::cerr << "dtc compile: " << loadLine(loads) << std::endl;
  if (flags.json)
    printSummary(output, compiler.rewriteCounts(), loads);
  return exitSuccess;
}

int compileText(const CompileFlags &flags, const Request &request,
                const std::string &text) {
  Result<std::string> source = readSource(flags, request, text);
  if (!source)
    return fail("compile", source.status());
  Compiler &compiler = *keep(std::make_unique<Compiler>());
  auto parsed = compiler.parse(
      text, flags.graph == "-" ? "<stdin>" : flags.graph, request.from);
  if (failed(parsed))
    return exitBadInput;
  mlir::ModuleOp module = *keep(std::move(*parsed));
  if (Status fits = checkDecided(flags, request, module); !fits.isOk())
    return fail("compile", exitUsage, fits.message());
  if (request.from == firstPhase)
    compiler.setSource(module, text);
  Status dumped;
  auto visit = [&](Phase phase, mlir::ModuleOp current) {
    if (!flags.dumpDirectory.empty())
      dumped = dumpPhase(flags, phase, compiler.print(current));
    return mlir::success(dumped.isOk());
  };
  if (failed(compiler.lower(module, request.from, request.to, request.options,
                            visit)))
    return dumped.isOk() ? int(exitBadInput) : fail("compile", dumped);
  if (flags.to.empty())
    return writePlan(flags, compiler, module, *source);
  Status written = writeFile(flags.output.empty() ? "-" : flags.output,
                             compiler.print(module));
  return written.isOk() ? int(exitSuccess) : fail("compile", written);
}

/// What is wrong with a flag, by the flag that the message begins with.
Code codeOfFlag(const std::string &message) {
  std::string flag = message.substr(0, message.find_first_of(" :="));
  if (flag == "--target")
    return Code::BadTarget;
  if (flag == "--cluster")
    return Code::BadCluster;
  bool isMode = flag == "--mode" || flag == "--replicas" ||
                flag == "--update" || flag == "--placement" ||
                flag == "--device-memory";
  return isMode ? Code::BadMode : Code::BadUsage;
}

int compile(const CompileFlags &flags) {
  if (flags.listPhases) {
    std::cout << phaseNames() << "\n";
    return exitSuccess;
  }
  if (flags.listRewrites)
    return listRewrites();
  if (flags.graph.empty())
    return fail("compile", exitUsage,
                "no graph file; try: dtc compile GRAPH.mlir -o GRAPH.plan");
  Result<Request> request = readRequest(flags);
  if (!request) { // of the flags, or of the cluster file that one names
    std::string message = request.status().message();
    if (int code = exitCodeOf(request.status()); code != exitBadInput)
      return fail("compile", code, message);
    return fail("compile", exitUsage, codeOfFlag(message), message);
  }
  Result<std::string> text = readFile(flags.graph);
  if (!text)
    return fail("compile", text.status());
  return compileText(flags, *request, *text);
}

void addPlacementFlags(CLI::App &verb, CompileFlags &flags) {
  verb.add_option("--placement", flags.placement,
                  "How variables are spread over parameter servers: greedy "
                  "(by bytes, the largest first), round-robin, or manual "
                  "(--place says it of all); or cost (in-graph, ops too: the "
                  "least predicted step)")
      ->check(CLI::IsMember({"greedy", "round-robin", "manual", "cost"}));
  verb.add_option("--device-memory", flags.deviceMemory,
                  "Of each task, for --placement cost: bytes, or 512MB, 2GB "
                  "(default: enough)")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true))
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 62));
  verb.add_option("--place", flags.placeFile,
                  "A placement file, as dtc inspect PLAN --place prints it: "
                  "what it names is where it says");
  verb.add_flag("--soft-placement", flags.softPlacement,
                "Drop a device's type and number where there is none such");
}

} // namespace

void addCompileVerb(CLI::App &app, int &exitCode) {
  auto flags = std::make_shared<CompileFlags>();
  CLI::App *verb =
      app.add_subcommand("compile", "Compile a graph file to a plan");
  verb->add_option("graph", flags->graph,
                   "The graph file, or the IR of --from; - is standard input");
  verb->add_option("-o,--output", flags->output,
                   "Where to write; - is standard output");
  verb->add_option(
      "--cluster", flags->cluster,
      "The cluster's shape: \"ps=1,worker=2\", or a cluster file (.json)");
  verb->add_option("--mode", flags->mode, "local, in-graph or between-graph")
      ->check(CLI::IsMember({"local", "in-graph", "between-graph"}));
  verb->add_option("--update", flags->update, "sync or async")
      ->check(CLI::IsMember({"sync", "async"}));
  verb->add_option("--target", flags->targets,
                   "host, a CPU's name, or reference; may be repeated")
      ->allow_extra_args(false);
  verb->add_option("--batch", flags->batch,
                   "Rows of a replica's batch, in place of the graph's");
  verb->add_option("--replicas", flags->replicas,
                   "Towers of an in-graph or local plan");
  verb->add_option("--max-shard-bytes", flags->maxShardBytes,
                   "Split variables on job ps that are larger, as in 64MiB")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true));
  verb->add_option("--wire-type", flags->wireType,
                   "bf16: round f32 to it where it crosses between tasks "
                   "(default f32: nothing is rounded)")
      ->check(CLI::IsMember({"bf16", "f32"}));
  addPlacementFlags(*verb, *flags);
  verb->add_option("--from", flags->from,
                   "The phase that the input is the IR of");
  verb->add_option(
      "--to", flags->to,
      "Stop after this phase and print its IR (default: write the plan)");
  verb->add_option("--dump-phases", flags->dumpDirectory,
                   "Write the IR of every phase to this folder");
  verb->add_option(
      "--source", flags->source,
      "With --from: the graph file that the IR stems from, for verify");
  verb->add_flag("--list-phases", flags->listPhases, "Print the phases");
  verb->add_option("--disable-rewrite", flags->disabledRewrites,
                   "A rewrite to leave out; may be repeated")
      ->allow_extra_args(false);
  verb->add_flag("--list-rewrites", flags->listRewrites, "Print the rewrites");
  verb->add_flag("--print-changes", flags->printChanges,
                 "Print the IR, to standard error, after each pass of phase "
                 "rewrite that changed it");
  verb->add_flag("--json", flags->json,
                 "Print what was done, counts of rewrites too, as JSON");
  verb->add_option("--threads", flags->threads, "Compiler threads")
      ->check(CLI::Range(0, 1024));
  addReportFlags(*verb);
  verb->callback([flags, &exitCode] { exitCode = compile(*flags); });
}

} // namespace dtc::tool

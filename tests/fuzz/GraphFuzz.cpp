// Feeds mutated graph files to the parser and the graph pipeline:
//
//   dtc_graph_fuzz [--mutants N | --seconds S] [--first SEED] FOLDER
//   dtc_graph_fuzz --show SEED FOLDER        prints that mutant
//
// A mutant ends in success or in a diagnostic. Anything else fails the run: a
// crash, failure without a word, more than a second of processor time, more
// than a GiB of memory. Children of 100 mutants each do the work, so that a
// death is pinned to its seed; a mutant depends on its seed and the corpus
// alone.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dialects/graph/Dialect.h"
#include "dialects/graph/GraphFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "passes/graph/Pipeline.h"
#include "tests/fuzz/Mutator.h"

namespace {

using dtc::fuzz::Corpus;

constexpr uint64_t batchSize = 100;
constexpr rlim_t mostAddressBytes = rlim_t{3} << 29; // 1.5 GiB
constexpr long mostResidentKib = 1 << 20;            // 1 GiB
constexpr int cpuSeconds = 1, wallSeconds = 20;
constexpr int exitSilent = 40, exitMemory = 41;

/// What a child tells its parent while it works.
struct Shared {
  uint64_t seed = 0, accepted = 0, refused = 0;
};

struct Flags {
  uint64_t mutants = 10000, first = 1;
  double seconds = 0; // 0: as many as `mutants`
  std::optional<uint64_t> show;
  std::string folder;
};

/// Parses `text` and runs the graph pipeline. Returns whether it was accepted;
/// refusing without a diagnostic ends the process.
bool tryGraph(const std::string &text) {
  mlir::DialectRegistry registry;
  registry.insert<dtc::graph::GraphDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  size_t said = 0;
  mlir::ScopedDiagnosticHandler listener(&context,
                                         [&](mlir::Diagnostic &diagnostic) {
                                           said += diagnostic.str().size();
                                           return mlir::success();
                                         });
  auto module = dtc::graph::parseGraph(text, "mutant.mlir", &context);
  bool isAccepted = false;
  if (module) {
    mlir::PassManager passes(&context);
    dtc::graph::buildGraphPipeline(passes, {});
    isAccepted = succeeded(passes.run(*module));
    if (isAccepted)
      said += dtc::graph::printGraph(*module).size();
  }
  if (!isAccepted && said == 0)
    _exit(exitSilent);
  return isAccepted;
}

/// Ends the process with SIGPROF or SIGALRM if a mutant takes too long.
void startClocks() {
  itimerval cpu{{0, 0}, {cpuSeconds, 0}};
  setitimer(ITIMER_PROF, &cpu, nullptr);
  alarm(wallSeconds);
}

[[noreturn]] void work(const Corpus &corpus, uint64_t first, uint64_t end,
                       Shared &shared) {
  rlimit memory{mostAddressBytes, mostAddressBytes};
  setrlimit(RLIMIT_AS, &memory);
  rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
  for (uint64_t seed = first; seed < end; ++seed) {
    shared.seed = seed;
    std::string text = dtc::fuzz::mutant(corpus, seed);
    startClocks();
    ++(tryGraph(text) ? shared.accepted : shared.refused);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    if (used.ru_maxrss > mostResidentKib)
      _exit(exitMemory);
  }
  _exit(0);
}

/// "" if the child came through, or how it died.
std::string deathOf(int status) {
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    return signal == SIGPROF || signal == SIGALRM
               ? "took too long"
               : std::string("died: ") + strsignal(signal);
  }
  switch (WEXITSTATUS(status)) {
  case 0:
    return "";
  case exitSilent:
    return "was refused without a diagnostic";
  case exitMemory:
    return "took more than a GiB";
  default:
    return "exited with " + std::to_string(WEXITSTATUS(status));
  }
}

/// Runs all mutants; returns the number of deaths.
int fuzz(const Corpus &corpus, const Flags &flags) {
  auto *shared = static_cast<Shared *>(mmap(nullptr, sizeof(Shared),
                                            PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  auto begin = std::chrono::steady_clock::now();
  auto isOver = [&](uint64_t seed) {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begin;
    return flags.seconds > 0 ? spent.count() >= flags.seconds
                             : seed >= flags.first + flags.mutants;
  };
  int deaths = 0;
  uint64_t seed = flags.first;
  while (!isOver(seed) && deaths < 20) {
    uint64_t end = seed + batchSize;
    if (flags.seconds <= 0)
      end = std::min(end, flags.first + flags.mutants);
    pid_t child = fork();
    if (child == 0)
      work(corpus, seed, end, *shared);
    int status = 0;
    waitpid(child, &status, 0);
    std::string death = deathOf(status);
    if (!death.empty()) {
      ++deaths;
      std::cerr << "mutant " << shared->seed << " " << death
                << "; dtc_graph_fuzz --show " << shared->seed << " "
                << flags.folder << " prints it" << std::endl;
      end = shared->seed + 1;
    }
    seed = end;
  }
  std::cout << seed - flags.first << " mutants: " << shared->accepted
            << " accepted, " << shared->refused << " refused, " << deaths
            << " deaths" << std::endl;
  return deaths;
}

std::optional<Flags> readFlags(int argc, char **argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      flags.folder = word;
      continue;
    }
    if (++i == argc)
      return std::nullopt;
    if (word == "--mutants")
      flags.mutants = std::stoull(argv[i]);
    else if (word == "--first")
      flags.first = std::stoull(argv[i]);
    else if (word == "--seconds")
      flags.seconds = std::stod(argv[i]);
    else if (word == "--show")
      flags.show = std::stoull(argv[i]);
    else
      return std::nullopt;
  }
  return flags;
}

} // namespace

int main(int argc, char **argv) {
  std::optional<Flags> flags = readFlags(argc, argv);
  Corpus corpus = flags ? dtc::fuzz::readCorpus(flags->folder) : Corpus();
  if (corpus.empty()) {
    std::cerr << "usage: dtc_graph_fuzz [--mutants N | --seconds S] "
                 "[--first SEED] [--show SEED] FOLDER\n";
    return 2;
  }
  if (flags->show) {
    std::cout << dtc::fuzz::mutant(corpus, *flags->show);
    return 0;
  }
  for (const auto &[name, text] : corpus)
    if (!tryGraph(text))
      std::cerr << name << ": the corpus itself is refused" << std::endl;
  return fuzz(corpus, *flags) ? 1 : 0;
}

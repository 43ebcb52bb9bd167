// dtc_mutation: puts faults into correct plans and counts what the proof and
// dtc verify catch. README.md says how it is used.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <unistd.h>

#include "CLI/CLI.hpp"
#include "tests/mutation/Faults.h"
#include "tests/mutation/Judge.h"

namespace dtc::mutation {
namespace {

struct Flags {
  uint64_t seed = 0;
  size_t perKind = 50; // mutants that are no equivalents
  std::string kind;    // only this one
  bool alarms = false, verbose = false;
};

struct Count {
  size_t drawn = 0, equivalent = 0, caught = 0, missed = 0;
};

// What a handler says when a mutant ends the process or takes too long.
char underway[1024];

void sayUnderway(int signal) {
  (void)!write(2, underway, std::strlen(underway));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Draws mutants of one kind until there are enough that are no equivalents.
class Campaign {
public:
  Campaign(const std::vector<Subject> &subjects, const Flags &flags)
      : subjects_(subjects), flags_(flags) {}

  Count run(const FaultKind &kind) {
    Count count;
    // A plan may have no place for a fault; equivalents are thrown away.
    size_t tries = 40 * flags_.perKind;
    for (size_t i = 0;
         count.caught + count.missed < flags_.perKind && i < tries; ++i)
      draw(kind, mix(kind, i), count);
    return count;
  }

private:
  uint64_t mix(const FaultKind &kind, size_t i) const {
    std::seed_seq words{flags_.seed, flags_.seed >> 32,
                        uint64_t(&kind - faultKinds().data()), uint64_t(i)};
    uint64_t seed[1];
    uint32_t halves[2];
    words.generate(halves, halves + 2);
    seed[0] = uint64_t(halves[0]) << 32 | halves[1];
    return seed[0];
  }

  void draw(const FaultKind &kind, uint64_t seed, Count &count) {
    Dice dice(seed);
    const Subject &subject = dice.of(subjects_);
    proto::Plan mutant = subject.plan->proto();
    std::string fault = dice.of(kind.variants)(mutant, dice);
    if (fault.empty())
      return;
    std::string what =
        strCat(kind.name, ", ", subject.recipe.text(), ": ", fault);
    std::snprintf(underway, sizeof underway, "mutant under way: %s\n",
                  what.c_str());
    alarm(120); // a hang is not caught: it ends the run
    Judgement judgement = judge(subject, mutant, seed);
    alarm(0);
    ++count.drawn;
    bool isEquivalent = judgement.fate == Fate::Equivalent;
    bool isMissed =
        judgement.fate == Fate::Missed || judgement.fate == Fate::Hangs;
    count.equivalent += isEquivalent;
    count.missed += isMissed;
    count.caught += !isEquivalent && !isMissed;
    if (isMissed || flags_.verbose)
      std::cerr << fateName(judgement.fate) << ": " << what << "\n    "
                << judgement.why << std::endl;
  }

  const std::vector<Subject> &subjects_;
  const Flags &flags_;
};

Result<std::vector<Subject>> prepareAll(const tool::VerifyOptions &options) {
  std::vector<Subject> subjects;
  for (const Recipe &recipe : suite()) {
    DTC_ASSIGN_OR_RETURN(Subject subject, prepare(recipe, options));
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

void printCount(const std::string &kind, const Count &count) {
  size_t faults = count.caught + count.missed;
  std::cout << "{\"kind\": \"" << kind << "\", \"drawn\": " << count.drawn
            << ", \"equivalent\": " << count.equivalent
            << ", \"caught\": " << count.caught
            << ", \"score\": " << (faults ? 100.0 * count.caught / faults : 0)
            << "}" << std::endl;
}

int runCampaign(const Flags &flags) {
  tool::VerifyOptions options;
  options.seed = flags.seed;
  options.threads = 1;
  options.stepTimeout = std::chrono::seconds(10);
  Result<std::vector<Subject>> subjects = prepareAll(options);
  if (!subjects) {
    std::cerr << subjects.status().toString() << std::endl;
    return 1;
  }
  bool isGood = true;
  Campaign campaign(*subjects, flags);
  for (const FaultKind &kind : faultKinds()) {
    if (!flags.kind.empty() && flags.kind != kind.name)
      continue;
    Count count = campaign.run(kind);
    printCount(kind.name, count);
    isGood &= count.caught > 0 && 100 * count.missed <= count.drawn;
  }
  return isGood ? 0 : 3;
}

/// Plans without a fault: whatever is said of them is a false alarm.
int runAlarms() {
  size_t plans = 0, alarms = 0;
  for (const Recipe &recipe : examples()) {
    tool::VerifyOptions options{.steps = 2, .threads = 1};
    Result<Subject> subject = prepare(recipe, options);
    Judgement judgement{Fate::Failed, ""};
    if (subject)
      judgement = verifyAnew(*subject, subject->plan->proto());
    else
      judgement.why = subject.status().toString();
    ++plans;
    if (judgement.fate == Fate::Equivalent)
      continue;
    ++alarms;
    std::cerr << recipe.text() << ": " << judgement.why << std::endl;
  }
  std::cout << "{\"plans\": " << plans << ", \"alarms\": " << alarms << "}"
            << std::endl;
  return alarms ? 3 : 0;
}

int run(int argc, char **argv) {
  Flags flags;
  flags.seed = std::random_device()();
  CLI::App app("Puts faults into correct plans; exit 3: too many were missed");
  app.add_option("--seed", flags.seed, "Of the faults and of verify's inputs");
  app.add_option("--per-kind", flags.perKind,
                 "Mutants of each kind that are no equivalents");
  app.add_option("--kind", flags.kind, "Only this kind of fault");
  app.add_flag("--alarms", flags.alarms,
               "Correct plans of all examples instead");
  app.add_flag("--verbose", flags.verbose, "Say what becomes of each mutant");
  CLI11_PARSE(app, argc, argv);
  for (int signal : {SIGABRT, SIGSEGV, SIGALRM})
    std::signal(signal, sayUnderway);
  if (flags.alarms)
    return runAlarms();
  std::cerr << "seed " << flags.seed << std::endl;
  return runCampaign(flags);
}

} // namespace
} // namespace dtc::mutation

int main(int argc, char **argv) { return dtc::mutation::run(argc, argv); }

#include "tests/mutation/Judge.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "runtime/plan/PlanFile.h"
#include "runtime/plan/Proof.h"
#include "tests/mutation/Faults.h"
#include "tests/mutation/PlanEdit.h"

namespace dtc::mutation {
namespace {

/// Without the reasons, which name instructions by number: that a fault made
/// one dangle would count as caught, though no reason is ever executed.
Result<Plan::Ptr> loadAnew(const Subject &subject, proto::Plan mutant) {
  for (proto::Entry &entry : *mutant.mutable_entries())
    entry.clear_decisions();
  DTC_ASSIGN_OR_RETURN(std::string bytes,
                       planFileBytes(mutant, subject.plan->contents().members));
  DTC_ASSIGN_OR_RETURN(PlanContents contents, readPlanBytes(bytes, "mutant"));
  DTC_ASSIGN_OR_RETURN(Plan::Ptr plan,
                       Plan::create(std::move(contents), "mutant"));
  DTC_RETURN_IF_ERROR(proveNoWaitCycle(*plan));
  return plan;
}

Result<std::string> verify(const Subject &subject, const Plan::Ptr &plan) {
  for (const proto::Entry &entry : plan->proto().entries()) {
    auto expected = subject.expected.find(entry.name());
    if (expected == subject.expected.end())
      return strCat("@", entry.name(), " is not in the graph");
    DTC_ASSIGN_OR_RETURN(
        tool::Verdict verdict,
        tool::verifyEntry(plan, entry, expected->second, subject.options));
    if (!verdict.difference.empty())
      return verdict.difference;
  }
  return std::string();
}

/// All that a run shows: what crosses by edge, step and place; results; cost.
struct Shown {
  std::map<std::string, Tensor> tensors;
  std::string totals;
  bool operator==(const Shown &) const = default;
};

void addRun(Shown &shown, const std::string &name, const RunSummary &summary) {
  for (const auto &[fetch, tensor] : summary.fetches)
    shown.tensors[name + "/fetch/" + fetch] = tensor;
  for (const auto &[variable, tensor] : summary.variables)
    shown.tensors[name + "/variable/" + variable] = tensor;
  shown.totals += strCat(
      name, ": ", summary.steps, " steps, ", summary.bytesTotal, " bytes, ",
      summary.droppedExamples, " dropped, ", summary.variablesSha256, "\n");
}

struct Trial {
  uint64_t seed;
  int64_t steps;
  bool realData;
};

Status show(const Plan::Ptr &plan, const proto::Entry &entry,
            const Trial &trial, Duration timeout, Shown &shown) {
  std::string name = strCat(entry.name(), "/", trial.seed);
  std::mutex mutex; // guards shown
  RunOptions run = tool::seededRun(
      *plan, entry, {.seed = trial.seed, .threads = 1, .stepTimeout = timeout},
      trial.steps);
  if (trial.realData)
    run.rows = {};
  run.tap = [&](const SentTensor &sent) {
    TensorType type = *TensorType::create(entry.edges(sent.edge).type());
    std::lock_guard lock(mutex);
    shown.tensors[strCat(name, "/edge/", entry.edges(sent.edge).key(), "/",
                         sent.step, "/", sent.source, "/", sent.target)] = {
        type.element, type.shape, {sent.bytes.begin(), sent.bytes.end()}};
  };
  DTC_ASSIGN_OR_RETURN(RunSummary summary, runInProcess(plan, run));
  addRun(shown, name, summary);
  return Status::ok();
}

Result<Shown> showAll(const Subject &subject, const Plan::Ptr &plan) {
  Shown shown;
  for (const proto::Entry &entry : plan->proto().entries())
    for (const Trial &trial :
         {Trial{101, 1, true}, Trial{102, 4, true}, Trial{103, 2, false}})
      DTC_RETURN_IF_ERROR(
          show(plan, entry, trial, subject.options.stepTimeout, shown));
  for (const proto::Entry &entry : plan->proto().entries())
    for (const proto::Program &program : entry.programs())
      for (const proto::Activation &activation : program.activations())
        shown.totals += strCat(activation.arena_bytes(), " ");
  return shown;
}

/// Another order that dependencies allow; calls keep theirs, which both ends
/// share.
void shuffle(proto::Activation &activation, Dice &dice) {
  auto before = dependencies(activation);
  int count = activation.instructions_size();
  for (int i = 0, lastCall = -1; i < count; ++i)
    if (activation.instructions(i).has_send() ||
        activation.instructions(i).has_recv()) {
      if (lastCall >= 0)
        before[i].push_back(lastCall);
      lastCall = i;
    }
  std::vector<uint32_t> order;
  std::set<uint32_t> left;
  for (int i = 0; i < count; ++i)
    left.insert(i);
  bool lastFirst = dice.flip();
  while (!left.empty()) {
    std::vector<uint32_t> ready;
    for (uint32_t i : left)
      if (std::none_of(before[i].begin(), before[i].end(),
                       [&](uint32_t b) { return left.count(b); }))
        ready.push_back(i);
    order.push_back(lastFirst ? ready.back() : dice.of(ready));
    left.erase(order.back());
  }
  reorder(activation, order);
}

proto::Plan shuffled(const proto::Plan &plan, Dice &dice) {
  proto::Plan result = plan;
  for (proto::Entry &entry : *result.mutable_entries())
    for (proto::Program &program : *entry.mutable_programs())
      for (proto::Activation &activation : *program.mutable_activations())
        shuffle(activation, dice);
  return result;
}

std::string firstDifference(const Shown &mutant, const Shown &original) {
  for (const auto &[name, tensor] : original.tensors)
    if (auto found = mutant.tensors.find(name); found == mutant.tensors.end())
      return name + " is gone";
    else if (!(found->second == tensor))
      return name + " differs";
  for (const auto &[name, tensor] : mutant.tensors)
    if (!original.tensors.count(name))
      return name + " is new";
  return "totals:\n" + mutant.totals + "instead of\n" + original.totals;
}

/// "" or what shows that the mutant, which verify found nothing in, is another
/// plan.
std::string otherThan(const Subject &subject, const proto::Plan &mutant,
                      uint64_t seed) {
  Result<Shown> original = showAll(subject, subject.plan);
  if (!original)
    return "the original: " + original.status().toString();
  Dice dice(seed);
  for (int order = 0; order < 4; ++order) {
    std::string where = order == 0 ? "" : "in another order: ";
    Result<Plan::Ptr> plan =
        loadAnew(subject, order == 0 ? mutant : shuffled(mutant, dice));
    if (!plan)
      return where + plan.status().toString();
    Result<Shown> shown = showAll(subject, *plan);
    if (!shown)
      return where + shown.status().toString();
    if (!(*shown == *original))
      return where + firstDifference(*shown, *original);
  }
  return "";
}

} // namespace

const char *fateName(Fate fate) {
  const char *names[] = {"refused", "failed",     "differs",
                         "hangs",   "equivalent", "missed"};
  return names[static_cast<int>(fate)];
}

Judgement verifyAnew(const Subject &subject, const proto::Plan &changed) {
  Result<Plan::Ptr> plan = loadAnew(subject, changed);
  if (!plan)
    return {Fate::Refused, plan.status().toString()};
  Result<std::string> difference = verify(subject, *plan);
  if (difference)
    return {difference->empty() ? Fate::Equivalent : Fate::Differs,
            *difference};
  bool isHang = difference.status().code() == StatusCode::DeadlineExceeded;
  return {isHang ? Fate::Hangs : Fate::Failed, difference.status().toString()};
}

Judgement judge(const Subject &subject, const proto::Plan &mutant,
                uint64_t seed) {
  Judgement judgement = verifyAnew(subject, mutant);
  if (judgement.fate != Fate::Equivalent)
    return judgement;
  std::string other = otherThan(subject, mutant, seed);
  return other.empty() ? judgement : Judgement{Fate::Missed, other};
}

} // namespace dtc::mutation

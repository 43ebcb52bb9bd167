// Faults of edges: what crosses, how often, under which key and to whom.
#include "runtime/base/Status.h"
#include "runtime/plan/Instructions.h"
#include "tests/mutation/FaultLists.h"
#include "tests/mutation/PlanEdit.h"
#include "tests/mutation/Sites.h"

namespace dtc::mutation {
namespace {

bool isSend(const Site &site) { return site.it().has_send(); }
bool isRecv(const Site &site) { return site.it().has_recv(); }

std::string dropSend(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isSend);
  if (!site)
    return "";
  std::string text = "drops " + site->text();
  eraseInstruction(*site->activation, site->at);
  return text;
}

/// What read the received value reads another one of its type.
std::string dropRecv(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isRecv);
  if (!site)
    return "";
  std::string text = "drops " + site->text();
  uint32_t buffer = site->it().recv().buffer();
  if (auto twin = twinOf(*site, buffer, dice))
    replaceReads(*site, buffer, *twin);
  eraseInstruction(*site->activation, site->at);
  return text;
}

/// Both ends and the edge: only the values can tell.
std::string dropEdge(proto::Plan &plan, Dice &dice) {
  auto recv = anySite(plan, dice, [&](const Site &site) {
    return isRecv(site) && twinOf(site, site.it().recv().buffer(), dice);
  });
  if (!recv)
    return "";
  uint32_t edge = recv->it().recv().edge();
  uint32_t buffer = recv->it().recv().buffer();
  std::string text = "drops both ends of " + recv->text();
  replaceReads(*recv, buffer, *twinOf(*recv, buffer, dice));
  eraseInstruction(*recv->activation, recv->at);
  eraseBuffer(*recv->activation, buffer);
  if (auto send = sendOf(plan, *recv->entry, edge))
    eraseInstruction(*send->activation, send->at);
  eraseEdge(*recv->entry, edge);
  return text;
}

std::string doubleSend(proto::Plan &plan, Dice &dice) {
  return repeatAny(plan, dice, isSend, "sends twice: ");
}

/// A second receive, whose value the readers behind it take or not.
std::string doubleRecv(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isRecv);
  if (!site)
    return "";
  proto::Instruction second = site->it();
  uint32_t buffer = site->it().recv().buffer();
  second.mutable_recv()->set_buffer(copyBuffer(*site->activation, buffer));
  if (dice.flip())
    replaceReads(*site, buffer, second.recv().buffer());
  insertInstruction(*site->activation, site->at + 1, second);
  return "receives twice: " + site->text();
}

/// The value crosses once more, under a key of its own.
std::string doubleEdge(proto::Plan &plan, Dice &dice) {
  auto send = anySite(plan, dice, isSend);
  if (!send)
    return "";
  proto::Entry &entry = *send->entry;
  uint32_t edge = send->it().send().edge(), added = entry.edges_size();
  auto recv = recvOf(plan, entry, edge);
  proto::Edge copy = entry.edges(edge);
  copy.set_key(copy.key() + " #" + std::to_string(2 + dice.below(2)));
  *entry.add_edges() = copy;
  proto::Instruction sends = send->it(), receives = recv->it();
  sends.mutable_send()->set_edge(added);
  receives.mutable_recv()->set_edge(added);
  uint32_t buffer = recv->it().recv().buffer();
  receives.mutable_recv()->set_buffer(copyBuffer(*recv->activation, buffer));
  if (dice.flip())
    replaceReads(*recv, buffer, receives.recv().buffer());
  std::string text = "a second edge for " + send->text();
  insertInstruction(*recv->activation, recv->at + 1, receives);
  insertInstruction(*send->activation, send->at + 1, sends);
  return text;
}

/// Two instructions of one activation that `wanted` takes.
std::optional<std::pair<Site, Site>> anyPair(proto::Plan &plan, Dice &dice,
                                             const Wanted &wanted) {
  auto first = anySite(plan, dice, wanted);
  if (!first)
    return std::nullopt;
  auto second = anySite(plan, dice, [&](const Site &site) {
    return site.activation == first->activation && site.at != first->at &&
           wanted(site);
  });
  if (!second)
    return std::nullopt;
  return std::pair(*first, *second);
}

/// Each end takes the other's edge.
void swapEdges(proto::Instruction &a, proto::Instruction &b) {
  uint32_t one = edgeOf(a);
  setEdge(a, edgeOf(b));
  setEdge(b, one);
}

std::string swapEnds(proto::Plan &plan, Dice &dice, const Wanted &wanted) {
  auto pair = anyPair(plan, dice, wanted);
  if (!pair)
    return "";
  swapEdges(pair->first.it(), pair->second.it());
  return "swaps the edges of " + pair->first.text() + " and " +
         pair->second.text();
}

std::string swapSends(proto::Plan &plan, Dice &dice) {
  return swapEnds(plan, dice, isSend);
}
std::string swapRecvs(proto::Plan &plan, Dice &dice) {
  return swapEnds(plan, dice, isRecv);
}

/// At both ends: everything arrives, under the other's name.
std::string swapBothEnds(proto::Plan &plan, Dice &dice) {
  auto pair = anyPair(plan, dice, isSend);
  if (!pair)
    return "";
  proto::Entry &entry = *pair->first.entry;
  auto one = recvOf(plan, entry, edgeOf(pair->first.it()));
  auto two = recvOf(plan, entry, edgeOf(pair->second.it()));
  swapEdges(pair->first.it(), pair->second.it());
  swapEdges(one->it(), two->it());
  return "swaps both ends of " + pair->first.text() + " and " +
         pair->second.text();
}

std::string swapSentValues(proto::Plan &plan, Dice &dice) {
  auto pair = anyPair(plan, dice, isSend);
  if (!pair)
    return "";
  uint32_t one = pair->first.it().send().buffer();
  uint32_t two = pair->second.it().send().buffer();
  const Site &earlier =
      pair->first.at < pair->second.at ? pair->first : pair->second;
  bool isDefined = false; // before the earlier of the two
  uint32_t wanted = earlier.at == pair->first.at ? two : one;
  for (uint32_t i = 0; i < earlier.at; ++i)
    for (uint32_t b : operandsOf(earlier.activation->instructions(i)).writes)
      isDefined |= b == wanted;
  if (one == two || !isDefined ||
      !haveOneType(pair->first.buffer(one), pair->first.buffer(two)))
    return "";
  pair->first.it().mutable_send()->set_buffer(two);
  pair->second.it().mutable_send()->set_buffer(one);
  return "swaps what is sent by " + pair->first.text() + " and " +
         pair->second.text();
}

/// In the table of edges alone.
std::string swapNames(proto::Plan &plan, Dice &dice) {
  proto::Entry &entry = *plan.mutable_entries(dice.below(plan.entries_size()));
  if (entry.edges_size() < 2)
    return "";
  uint32_t one = dice.below(entry.edges_size());
  uint32_t two = dice.below(entry.edges_size());
  if (one == two)
    return "";
  std::string key = entry.edges(one).key();
  entry.mutable_edges(one)->set_key(entry.edges(two).key());
  entry.mutable_edges(two)->set_key(key);
  return "swaps the keys '" + key + "' and '" + entry.edges(one).key() + "'";
}

/// Any task of the cluster, or none of it.
proto::Task otherTask(const proto::Plan &plan, const proto::Task &than,
                      Dice &dice) {
  proto::Task task;
  do {
    const proto::Job &job = plan.jobs(dice.below(plan.jobs_size()));
    task.set_job(job.name());
    task.set_index(int(dice.below(job.tasks() + 2)) - 1);
  } while (task.job() == than.job() && task.index() == than.index());
  return task;
}

std::string changeTask(const proto::Plan &plan, proto::Task &task, Dice &dice,
                       const std::string &whose) {
  proto::Task other = otherTask(plan, task, dice);
  std::string text =
      strCat(whose, " becomes ", toTaskId(other), ", was ", toTaskId(task));
  task = other;
  return text;
}

std::string wrongSource(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isSend);
  if (!site)
    return "";
  proto::Edge &edge = *site->entry->mutable_edges(site->it().send().edge());
  return changeTask(plan, *edge.mutable_source(), dice,
                    "the source of edge '" + edge.key() + "'");
}

std::string wrongTarget(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isSend);
  if (!site)
    return "";
  proto::Edge &edge = *site->entry->mutable_edges(site->it().send().edge());
  return changeTask(plan, *edge.mutable_target(), dice,
                    "the target of edge '" + edge.key() + "'");
}

std::string wrongProgram(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [](const Site &) { return true; });
  if (!site)
    return "";
  return changeTask(plan, *site->program->mutable_task(), dice,
                    "the task of a program of @" + site->entry->name());
}

std::string wrongHome(proto::Plan &plan, Dice &dice) {
  if (plan.variables_size() == 0)
    return "";
  proto::Variable &variable =
      *plan.mutable_variables(dice.below(plan.variables_size()));
  return changeTask(plan, *variable.mutable_home(), dice,
                    "the home of variable '" + variable.name() + "'");
}

/// A whole program runs elsewhere; all edges lead there.
std::string wrongProgramAndEdges(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isSend);
  if (!site)
    return "";
  proto::Task was = site->program->task(), now = otherTask(plan, was, dice);
  auto move = [&](proto::Task &task) {
    if (task.job() == was.job() && task.index() == was.index())
      task = now;
  };
  for (proto::Edge &edge : *site->entry->mutable_edges()) {
    move(*edge.mutable_source());
    move(*edge.mutable_target());
  }
  *site->program->mutable_task() = now;
  return strCat("a program of @", site->entry->name(),
                " with its edges goes to ", toTaskId(now), ", was ",
                toTaskId(was));
}

} // namespace

Variants droppedTransfers() { return {dropSend, dropRecv, dropEdge}; }
Variants doubledTransfers() { return {doubleSend, doubleRecv, doubleEdge}; }
Variants swappedKeys() {
  return {swapSends, swapRecvs, swapBothEnds, swapSentValues, swapNames};
}
Variants wrongPeers() {
  return {wrongSource, wrongTarget, wrongProgram, wrongHome,
          wrongProgramAndEdges};
}

} // namespace dtc::mutation

// Faults of time: what reads a variable too late or too early, what no longer
// waits, what is called in another order.
#include <algorithm>

#include "runtime/base/Status.h"
#include "runtime/plan/Instructions.h"
#include "tests/mutation/FaultLists.h"
#include "tests/mutation/PlanEdit.h"
#include "tests/mutation/Sites.h"

namespace dtc::mutation {
namespace {

bool isStore(const Site &site) { return site.it().has_store_variable(); }
bool isLoad(const Site &site) { return site.it().has_load_variable(); }

/// The buffer of the activation that shows `variable` at the step's start.
std::optional<uint32_t> loadedBefore(const Site &site, uint32_t variable) {
  for (uint32_t i = 0; i < site.at; ++i) {
    const proto::Instruction &it = site.activation->instructions(i);
    if (it.has_load_variable() && it.load_variable().variable() == variable)
      return it.load_variable().buffer();
  }
  return std::nullopt;
}

/// The update is lost: the store keeps what was there.
std::string storeOldValue(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [](const Site &site) {
    return isStore(site) &&
           loadedBefore(site, site.it().store_variable().variable());
  });
  if (!site)
    return "";
  uint32_t variable = site->it().store_variable().variable();
  site->it().mutable_store_variable()->set_buffer(
      *loadedBefore(*site, variable));
  return "stores the old value: " + site->text();
}

/// A reader of the old value takes the new one, or the other way about.
std::string readOtherTime(proto::Plan &plan, Dice &dice) {
  auto store = anySite(plan, dice, [](const Site &site) {
    return isStore(site) &&
           loadedBefore(site, site.it().store_variable().variable());
  });
  if (!store)
    return "";
  uint32_t next = store->it().store_variable().buffer();
  uint32_t now = *loadedBefore(*store, store->it().store_variable().variable());
  auto definer = anySite(plan, dice, [&](const Site &site) {
    auto defined = operandsOf(site.it()).writes;
    return site.activation == store->activation &&
           std::count(defined.begin(), defined.end(), next) > 0;
  });
  bool newForOld = dice.flip();
  uint32_t from = newForOld ? now : next, to = newForOld ? next : now;
  auto reader = anySite(plan, dice, [&](const Site &site) {
    auto reads = operandsOf(site.it()).reads;
    return site.activation == store->activation && site.at > definer->at &&
           site.at != store->at &&
           std::count(reads.begin(), reads.end(), from) > 0;
  });
  if (!reader)
    return "";
  forEachRead(reader->it(), [&](uint32_t &b) { b = b == from ? to : b; });
  return strCat("reads the variable's ", newForOld ? "next" : "last",
                " value: ", reader->text());
}

/// A store that waits for nobody, as early as its value allows.
std::string storeEarly(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [](const Site &site) {
    return isStore(site) && site.it().after_size() > 0;
  });
  if (!site)
    return "";
  std::string text = "waits for no reader: " + site->text();
  site->it().clear_after();
  for (uint32_t at = site->at;
       at > 0 && moveInstruction(*site->activation, at, at - 1); --at)
    ;
  return text;
}

std::string loadAnotherVariable(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isLoad);
  if (!site)
    return "";
  uint32_t variable = dice.below(plan.variables_size());
  if (variable == site->it().load_variable().variable())
    return "";
  std::string text =
      "loads '" + plan.variables(variable).name() + "': " + site->text();
  site->it().mutable_load_variable()->set_variable(variable);
  return text;
}

/// serve reads after apply; apply runs with the step; …
std::string otherActivation(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [](const Site &site) {
    return isLoad(site) || isStore(site) || site.it().has_send();
  });
  if (!site)
    return "";
  proto::Activation::Kind was = site->activation->kind(), now;
  do {
    now = proto::Activation::Kind(1 + dice.below(3));
  } while (now == was);
  site->activation->set_kind(now);
  return strCat(kindName(was), " runs as ", kindName(now), ": ", site->text());
}

/// The store goes to an activation that runs while others read.
std::string storeInOtherActivation(proto::Plan &plan, Dice &dice) {
  auto store = anySite(plan, dice, isStore);
  if (!store)
    return "";
  const proto::Buffer &type =
      store->buffer(store->it().store_variable().buffer());
  auto maker = anySite(plan, dice, [&](const Site &site) {
    if (site.entry != store->entry || site.activation == store->activation ||
        site.program->task().SerializeAsString() !=
            store->program->task().SerializeAsString())
      return false;
    auto defined = operandsOf(site.it()).writes;
    return std::any_of(defined.begin(), defined.end(), [&](uint32_t b) {
      return haveOneType(site.buffer(b), type);
    });
  });
  if (!maker)
    return "";
  proto::Instruction moved = store->it();
  moved.clear_after();
  for (uint32_t b : operandsOf(maker->it()).writes)
    if (haveOneType(maker->buffer(b), type))
      moved.mutable_store_variable()->set_buffer(b);
  std::string text = "stored by another activation: " + store->text();
  eraseInstruction(*store->activation, store->at);
  insertInstruction(*maker->activation, maker->activation->instructions_size(),
                    moved);
  return text;
}

bool waits(const Site &site) { return site.it().after_size() > 0; }

std::string loseOne(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, waits);
  if (!site)
    return "";
  uint32_t which = dice.below(site->it().after_size());
  uint32_t before = site->it().after(which);
  std::string text = strCat("no longer waits for ", before, ": ", site->text());
  site->it().mutable_after()->erase(site->it().mutable_after()->begin() +
                                    which);
  return text;
}

std::string loseAll(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, waits);
  if (!site)
    return "";
  std::string text = "waits for nothing but operands: " + site->text();
  site->it().clear_after();
  return text;
}

std::string loseActivation(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, waits);
  if (!site)
    return "";
  for (proto::Instruction &it : *site->activation->mutable_instructions())
    it.clear_after();
  return "no control edges at all in the activation of " + site->text();
}

/// The place of the next send (or recv) of the same channel, or nothing.
std::optional<uint32_t> nextCall(proto::Plan &plan, const Site &site) {
  auto edgeOf = [](const proto::Instruction &it) {
    return it.has_send() ? it.send().edge() : it.recv().edge();
  };
  auto channelOf = [&](uint32_t at) {
    const proto::Instruction &it = site.activation->instructions(at);
    auto other = it.has_send() ? recvOf(plan, *site.entry, edgeOf(it))
                               : sendOf(plan, *site.entry, edgeOf(it));
    return other ? other->activation : nullptr;
  };
  for (int i = site.at + 1; i < site.activation->instructions_size(); ++i) {
    const proto::Instruction &it = site.activation->instructions(i);
    bool isSame = site.it().has_send() ? it.has_send() : it.has_recv();
    if (isSame && channelOf(i) == channelOf(site.at))
      return i;
  }
  return std::nullopt;
}

std::string swapCalls(proto::Plan &plan, Dice &dice, bool sends) {
  auto site = anySite(plan, dice, [&](const Site &site) {
    return (sends ? site.it().has_send() : site.it().has_recv()) &&
           nextCall(plan, site);
  });
  if (!site)
    return "";
  uint32_t next = *nextCall(plan, *site);
  std::string text = strCat("moved behind ", next, ": ", site->text());
  // The later one to the front, or the earlier one to the back.
  if (!moveInstruction(*site->activation, site->at, next) &&
      !moveInstruction(*site->activation, next, site->at))
    return "";
  return text;
}

std::string swapSendOrder(proto::Plan &plan, Dice &dice) {
  return swapCalls(plan, dice, /*sends=*/true);
}
std::string swapRecvOrder(proto::Plan &plan, Dice &dice) {
  return swapCalls(plan, dice, /*sends=*/false);
}

} // namespace

Variants staleReads() {
  return {storeOldValue,       readOtherTime,   storeEarly,
          loadAnotherVariable, otherActivation, storeInOtherActivation};
}
Variants lostControlEdges() { return {loseOne, loseAll, loseActivation}; }
Variants reorderedCalls() { return {swapSendOrder, swapRecvOrder}; }

} // namespace dtc::mutation

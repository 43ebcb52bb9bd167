// Faults of sums: a replica that is left out, or counted twice.
#include <algorithm>

#include "runtime/base/Status.h"
#include "runtime/plan/Instructions.h"
#include "tests/mutation/FaultLists.h"
#include "tests/mutation/PlanEdit.h"
#include "tests/mutation/Sites.h"

namespace dtc::mutation {
namespace {

bool isGiven(const Site &site) { return site.it().has_accumulate(); }
bool isTaken(const Site &site) { return site.it().has_take(); }

std::string dropAccumulate(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isGiven);
  if (!site)
    return "";
  std::string text = "drops " + site->text();
  eraseInstruction(*site->activation, site->at);
  return text;
}

/// The accumulator goes; its reader takes another value of the type.
std::string dropAccumulator(proto::Plan &plan, Dice &dice) {
  auto take = anySite(plan, dice, [&](const Site &site) {
    return isTaken(site) && twinOf(site, site.it().take().buffer(), dice);
  });
  if (!take)
    return "";
  std::string name = take->it().take().accumulator();
  std::string text = "drops accumulator " + take->text();
  uint32_t buffer = take->it().take().buffer();
  replaceReads(*take, buffer, *twinOf(*take, buffer, dice));
  eraseInstruction(*take->activation, take->at);
  eraseBuffer(*take->activation, buffer);
  for (const Site &given : sitesOf(plan, [&](const Site &site) {
         return site.program == take->program && isGiven(site) &&
                site.it().accumulate().accumulator() == name;
       })) {
    eraseInstruction(*given.activation, given.at);
    break;
  }
  return text;
}

bool isMean(const proto::Node &node) {
  return node.op() == "graph.replica_mean" && node.operands_size() > 1;
}

/// One replica stands in for another.
std::string meanOfOne(proto::Plan &plan, Dice &dice) {
  auto site = anyNode(plan, dice, isMean);
  if (!site)
    return "";
  uint32_t which = dice.below(site->node->operands_size());
  uint32_t other = (which + 1) % site->node->operands_size();
  site->node->set_operands(which, site->node->operands(other));
  return strCat(site->text(), " takes replica ", other, " for ", which);
}

/// A sum over an axis that is left out of the mean's divisor, or the other way
/// about.
std::string sumForMean(proto::Plan &plan, Dice &dice) {
  auto site = anyNode(plan, dice, [](const proto::Node &node) {
    return node.op() == "graph.reduce_mean" || node.op() == "graph.reduce_sum";
  });
  if (!site)
    return "";
  bool isSum = site->node->op() == "graph.reduce_sum";
  site->node->set_op(isSum ? "graph.reduce_mean" : "graph.reduce_sum");
  return strCat(site->text(), " becomes ", site->node->op());
}

/// A launch takes one replica's value twice.
std::string launchOfOne(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [&](const Site &site) {
    if (!site.it().has_launch())
      return false;
    const auto &body = plan.kernels(site.it().launch().kernel()).body();
    return std::any_of(body.begin(), body.end(), isMean) &&
           site.it().launch().inputs_size() > 1;
  });
  if (!site)
    return "";
  proto::Launch &launch = *site->it().mutable_launch();
  uint32_t which = dice.below(launch.inputs_size());
  uint32_t other = dice.below(launch.inputs_size());
  if (launch.inputs(which) == launch.inputs(other) ||
      !haveOneType(site->buffer(launch.inputs(which)),
                   site->buffer(launch.inputs(other))))
    return "";
  std::string text =
      strCat("input ", which, " is input ", other, " of ", site->text());
  launch.set_inputs(which, launch.inputs(other));
  return text;
}

std::string doubleAccumulate(proto::Plan &plan, Dice &dice) {
  return repeatAny(plan, dice, isGiven, "given twice: ");
}

std::string doubleTake(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, isTaken);
  if (!site)
    return "";
  proto::Instruction second = site->it();
  uint32_t buffer = site->it().take().buffer();
  second.mutable_take()->set_buffer(copyBuffer(*site->activation, buffer));
  replaceReads(*site, buffer, second.take().buffer());
  insertInstruction(*site->activation, site->at + 1, second);
  return "taken twice: " + site->text();
}

/// Each of two accumulators is given what is the other's.
std::string swapAccumulators(proto::Plan &plan, Dice &dice) {
  auto one = anySite(plan, dice, isGiven);
  if (!one)
    return "";
  auto two = anySite(plan, dice, [&](const Site &site) {
    return isGiven(site) && site.activation == one->activation &&
           site.at != one->at;
  });
  if (!two)
    return "";
  std::string name = one->it().accumulate().accumulator();
  one->it().mutable_accumulate()->set_accumulator(
      two->it().accumulate().accumulator());
  two->it().mutable_accumulate()->set_accumulator(name);
  return "swaps the accumulators of " + one->text() + " and " + two->text();
}

/// What is summed comes from another value: one gradient twice, one never.
std::string accumulateOther(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [&](const Site &site) {
    return isGiven(site) && twinOf(site, site.it().accumulate().buffer(), dice);
  });
  if (!site)
    return "";
  std::string text = "another value for " + site->text();
  site->it().mutable_accumulate()->set_buffer(
      *twinOf(*site, site->it().accumulate().buffer(), dice));
  return text;
}

std::string meanOfMore(proto::Plan &plan, Dice &dice) {
  auto site = anyNode(plan, dice, isMean);
  if (!site)
    return "";
  site->node->add_operands(
      site->node->operands(dice.below(site->node->operands_size())));
  return strCat(site->text(), " counts a replica twice");
}

/// An update of a variable: what computes its next value of its last one.
struct UpdateSite {
  Site launch, store;
  uint32_t last, next; // buffers
};

std::optional<UpdateSite> anyUpdate(proto::Plan &plan, Dice &dice) {
  auto store = anySite(plan, dice, [](const Site &site) {
    return site.it().has_store_variable();
  });
  if (!store)
    return std::nullopt;
  uint32_t next = store->it().store_variable().buffer();
  std::optional<uint32_t> last;
  for (uint32_t at = 0; at < store->at; ++at) {
    Site site{store->entry, store->program, store->activation, at};
    const proto::Instruction &it = site.it();
    if (it.has_load_variable() && it.load_variable().variable() ==
                                      store->it().store_variable().variable())
      last = it.load_variable().buffer();
    Operands operands = operandsOf(it);
    auto has = [](const std::vector<uint32_t> &list, uint32_t buffer) {
      return std::count(list.begin(), list.end(), buffer) > 0;
    };
    if (it.has_launch() && last && has(operands.reads, *last) &&
        has(operands.writes, next))
      return UpdateSite{site, *store, *last, next};
  }
  return std::nullopt;
}

/// What is pushed is applied to what it was applied to already.
std::string applyTwice(proto::Plan &plan, Dice &dice) {
  auto update = anyUpdate(plan, dice);
  if (!update)
    return "";
  std::string text = "applied twice: " + update->store.text();
  proto::Activation &activation = *update->store.activation;
  proto::Instruction again = update->launch.it();
  proto::Launch &launch = *again.mutable_launch();
  for (uint32_t &input : *launch.mutable_inputs())
    input = input == update->last ? update->next : input;
  uint32_t twice = 0;
  for (uint32_t &output : *launch.mutable_outputs()) {
    uint32_t was = output;
    output = copyBuffer(activation, was);
    twice = was == update->next ? output : twice;
  }
  update->store.it().mutable_store_variable()->set_buffer(twice);
  insertInstruction(activation, update->launch.at + 1, again);
  return text;
}

std::string applyNever(proto::Plan &plan, Dice &dice) {
  auto update = anyUpdate(plan, dice);
  if (!update)
    return "";
  std::string text = "never applied: " + update->store.text();
  eraseInstruction(*update->store.activation, update->store.at);
  return text;
}

} // namespace

Variants missingReductions() {
  return {dropAccumulate, dropAccumulator, meanOfOne,
          sumForMean,     launchOfOne,     applyNever};
}
Variants doubledReductions() {
  return {doubleAccumulate, doubleTake, swapAccumulators,
          accumulateOther,  meanOfMore, applyTwice};
}

} // namespace dtc::mutation

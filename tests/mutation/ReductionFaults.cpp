// Faults of sums: a replica that is left out, or counted twice.
#include <algorithm>

#include "runtime/base/Status.h"
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

bool isUpdate(const proto::Node &node) {
  return node.op().starts_with("graph.apply_") ||
         node.op().starts_with("graph.scatter_");
}

/// What is pushed is applied to what it was applied to already: the node comes
/// a second time, and takes the results of the first for what it updates.
std::string applyTwice(proto::Plan &plan, Dice &dice) {
  auto site = anyNode(plan, dice, isUpdate);
  if (!site)
    return "";
  auto &body = *site->kernel->mutable_body();
  uint32_t first = site->kernel->inputs_size(); // the node's first result
  int at = 0;
  for (; &body.Get(at) != site->node; ++at)
    first += body.Get(at).results_size();
  uint32_t results = site->node->results_size();
  proto::Node again = *site->node;
  for (uint32_t i = 0; i < results; ++i)
    again.set_operands(i, first + i);
  auto behind = [&](uint32_t value) {
    return value >= first ? value + results : value;
  };
  for (int i = at + 1; i < body.size(); ++i)
    for (uint32_t &operand : *body.Mutable(i)->mutable_operands())
      operand = behind(operand);
  for (uint32_t &result : *site->kernel->mutable_results())
    result = behind(result);
  std::string text = site->text() + " is applied twice";
  *body.Add() = again;
  for (int i = body.size() - 1; i > at + 1; --i)
    body.SwapElements(i, i - 1);
  return text;
}

std::string applyNever(proto::Plan &plan, Dice &dice) {
  auto store = anySite(plan, dice, [](const Site &site) {
    return site.it().has_store_variable();
  });
  if (!store)
    return "";
  std::string text = "never applied: " + store->text();
  eraseInstruction(*store->activation, store->at);
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

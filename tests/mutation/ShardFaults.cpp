// Faults of variables in parts: which part it is, how many rows it has, which
// of them are asked for, and in which order parts are put together.
#include <algorithm>
#include <cstring>
#include <set>

#include "runtime/base/Status.h"
#include "tests/mutation/FaultLists.h"
#include "tests/mutation/Sites.h"

namespace dtc::mutation {
namespace {

int step(Dice &dice) { return dice.flip() ? 1 : -1; }

bool isOfType(const proto::Variable &a, const proto::Variable &b) {
  return a.type().SerializeAsString() == b.type().SerializeAsString();
}

std::vector<uint32_t> partsOf(const proto::Plan &plan) {
  std::vector<uint32_t> parts;
  for (int i = 0; i < plan.variables_size(); ++i)
    if (plan.variables(i).has_shard())
      parts.push_back(i);
  return parts;
}

/// Another part of the same variable.
std::optional<uint32_t> otherPart(const proto::Plan &plan, uint32_t part,
                                  Dice &dice) {
  std::vector<uint32_t> others;
  for (uint32_t other : partsOf(plan))
    if (other != part && plan.variables(other).shard().whole() ==
                             plan.variables(part).shard().whole())
      others.push_back(other);
  if (others.empty())
    return std::nullopt;
  return dice.of(others);
}

/// What a part says of itself.
std::string shiftShard(proto::Plan &plan, Dice &dice) {
  std::vector<uint32_t> parts = partsOf(plan);
  if (parts.empty())
    return "";
  proto::Variable &variable = *plan.mutable_variables(dice.of(parts));
  proto::Shard &shard = *variable.mutable_shard();
  switch (dice.below(5)) {
  case 0:
    shard.set_index(shard.index() + step(dice));
    break;
  case 1:
    shard.set_count(shard.count() + step(dice));
    break;
  case 2:
    shard.set_interleaved(!shard.interleaved());
    break;
  case 3:
    shard.set_shape(shard.axis(), shard.shape(shard.axis()) + step(dice));
    break;
  default:
    shard.set_axis(shard.axis() + step(dice));
  }
  return strCat("part ", shard.index(), " of ", shard.count(), " along ",
                shard.axis(), ": '", variable.name(), "'");
}

/// All parts of a variable agree on the mistake.
std::string shiftAllShards(proto::Plan &plan, Dice &dice) {
  std::vector<uint32_t> parts = partsOf(plan);
  if (parts.empty())
    return "";
  std::string whole = plan.variables(dice.of(parts)).shard().whole();
  int which = dice.below(3), by = step(dice);
  for (uint32_t part : parts) {
    proto::Shard &shard = *plan.mutable_variables(part)->mutable_shard();
    if (shard.whole() != whole)
      continue;
    if (which == 0)
      shard.set_interleaved(!shard.interleaved());
    else if (which == 1)
      shard.set_index((shard.index() + by + shard.count()) % shard.count());
    else
      shard.set_shape(shard.axis(), shard.shape(shard.axis()) + by);
  }
  const char *what[] = {"interleaved or not", "numbered anew", "of other size"};
  return strCat("all parts of '", whole, "' are ", what[which]);
}

/// Two parts of one variable, if any has two.
std::optional<std::pair<uint32_t, uint32_t>> twoParts(const proto::Plan &plan,
                                                      Dice &dice) {
  std::vector<uint32_t> parts = partsOf(plan);
  if (parts.empty())
    return std::nullopt;
  uint32_t one = dice.of(parts);
  auto other = otherPart(plan, one, dice);
  return other ? std::optional(std::pair(one, *other)) : std::nullopt;
}

/// A row goes from one part to another.
std::string moveRow(proto::Plan &plan, Dice &dice) {
  auto drawn = twoParts(plan, dice);
  if (!drawn)
    return "";
  auto [from, to] = *drawn;
  for (auto [part, by] : {std::pair(from, -1), std::pair(to, 1)}) {
    proto::Variable &variable = *plan.mutable_variables(part);
    uint32_t axis = variable.shard().axis();
    variable.mutable_type()->set_shape(axis, variable.type().shape(axis) + by);
  }
  return strCat("a row of '", plan.variables(from).name(), "' goes to '",
                plan.variables(to).name(), "'");
}

/// Two parts change places: their numbers or their homes.
std::string exchangeParts(proto::Plan &plan, Dice &dice) {
  auto drawn = twoParts(plan, dice);
  if (!drawn)
    return "";
  proto::Variable &a = *plan.mutable_variables(drawn->first);
  proto::Variable &b = *plan.mutable_variables(drawn->second);
  bool areNumbers = dice.flip();
  if (areNumbers) {
    uint32_t index = a.shard().index();
    a.mutable_shard()->set_index(b.shard().index());
    b.mutable_shard()->set_index(index);
  } else {
    a.mutable_home()->Swap(b.mutable_home());
  }
  return strCat("exchanges the ", areNumbers ? "numbers" : "homes", " of '",
                a.name(), "' and '", b.name(), "'");
}

/// Each reads, or writes, what is the other's.
std::string exchangeAccesses(proto::Plan &plan, Dice &dice) {
  std::set<uint32_t> parts;
  for (uint32_t part : partsOf(plan))
    parts.insert(part);
  bool areLoads = dice.flip();
  auto variableOf = [&](const Site &site) {
    return areLoads ? site.it().load_variable().variable()
                    : site.it().store_variable().variable();
  };
  auto isAccess = [&](const Site &site) {
    return (areLoads ? site.it().has_load_variable()
                     : site.it().has_store_variable()) &&
           parts.count(variableOf(site));
  };
  auto one = anySite(plan, dice, isAccess);
  if (!one)
    return "";
  uint32_t a = variableOf(*one);
  auto two = anySite(plan, dice, [&](const Site &site) {
    return site.activation == one->activation && isAccess(site) &&
           variableOf(site) != a &&
           isOfType(plan.variables(variableOf(site)), plan.variables(a));
  });
  if (!two)
    return "";
  uint32_t b = variableOf(*two);
  auto set = [&](const Site &site, uint32_t variable) {
    if (areLoads)
      site.it().mutable_load_variable()->set_variable(variable);
    else
      site.it().mutable_store_variable()->set_variable(variable);
  };
  std::string text = "exchanges " + one->text() + " and " + two->text();
  set(*one, b);
  set(*two, a);
  return text;
}

/// The first row of a part that is asked for rows of the whole; or any other
/// integer that is constant.
std::string shiftOffset(proto::Plan &plan, Dice &dice) {
  auto site = anyNode(plan, dice, [](const proto::Node &node) {
    auto data = node.attributes().find("value");
    return node.op() == "graph.constant" &&
           node.results(0).element() == proto::I64 &&
           data != node.attributes().end() &&
           data->second.data().size() >= sizeof(int64_t);
  });
  if (!site)
    return "";
  std::string &data =
      *(*site->node->mutable_attributes())["value"].mutable_data();
  size_t at = dice.below(data.size() / sizeof(int64_t)) * sizeof(int64_t);
  int64_t value = 0;
  std::memcpy(&value, data.data() + at, sizeof value);
  value += step(dice);
  std::memcpy(data.data() + at, &value, sizeof value);
  return strCat("element ", at / sizeof value, " of ", site->text(), " is ",
                value);
}

/// Parts are joined, or their rows added, in another order.
std::string exchangeJoined(proto::Plan &plan, Dice &dice) {
  auto site = anyNode(plan, dice, [](const proto::Node &node) {
    return node.op() == "graph.concat" && node.operands_size() > 1;
  });
  if (!site)
    return "";
  proto::Node &node = *site->node;
  uint32_t one = dice.below(node.operands_size());
  uint32_t two = (one + 1) % node.operands_size();
  if (node.operands(one) == node.operands(two))
    return "";
  node.mutable_operands()->SwapElements(one, two);
  return strCat(site->text(), " joins operand ", two, " before ", one);
}

} // namespace

Variants shiftedParts() {
  return {shiftShard,       shiftAllShards, moveRow,       exchangeParts,
          exchangeAccesses, shiftOffset,    exchangeJoined};
}

} // namespace dtc::mutation

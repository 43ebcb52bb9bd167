#include "tools/dtc/Declared.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/plan/Instructions.h"
#include "runtime/plan/Shards.h"
#include "runtime/plan/TensorType.h"
#include "tools/dtc/Oracle.h"

namespace dtc::tool {
namespace {

/// Name → what is declared of it, in words that a message may show.
using Declarations = std::map<std::string, std::string>;

std::string typeText(const proto::TensorType &type) {
  Result<TensorType> checked = TensorType::create(type);
  return checked ? checked->toString() : "no type";
}

std::string columnText(const proto::Column &column) {
  return strCat("'", column.name(), "' of fields ", column.first_field(), "+",
                column.fields(), " as ", typeText(column.type()), " scaled ",
                column.scale(), " from ", column.min(), " to ", column.max());
}

/// All of an input but which block of the step it is.
std::string inputText(const proto::Input &input) {
  std::string text =
      strCat("'", input.dataset(), "' at '", input.default_path(), "', rows ",
             input.first_row(), " to ", input.end_row(), ", ", input.batch(),
             input.shuffle() ? " shuffled" : "", " a block");
  for (const proto::Column &column : input.columns())
    text += strCat(", ", columnText(column));
  return text;
}

/// Each input once, with the blocks that it is read for.
Declarations inputsOf(const proto::Entry &entry) {
  std::map<std::string, std::multimap<int64_t, int64_t>> blocks;
  for (const proto::Input &input : entry.inputs())
    blocks[inputText(input)].emplace(input.block(),
                                     std::max<int64_t>(1, input.blocks()));
  Declarations declared;
  for (const auto &[input, numbers] : blocks) {
    int64_t next = 0;
    bool areAll = true;
    for (auto [block, of] : numbers)
      areAll &= block == next++ && of == int64_t(numbers.size());
    declared[input] = areAll ? "each block once" : "not each block once";
  }
  return declared;
}

Declarations feedsOf(const proto::Entry &entry) {
  Declarations declared;
  for (const proto::Feed &feed : entry.feeds())
    declared["'" + feed.name() + "'"] = typeText(feed.type());
  return declared;
}

/// Without what the oracle shows in addition.
Declarations outputsOf(const proto::Entry &entry) {
  Declarations declared;
  for (const proto::Fetch &fetch : entry.fetches())
    if (!isWatchName(fetch.name()))
      declared["'" + fetch.name() + "'"] = typeText(fetch.type());
  return declared;
}

Declarations variablesOf(const Plan &plan) {
  Declarations declared;
  for (const WholeVariable &variable : wholeVariables(plan))
    declared["'" + variable.name + "'"] = variable.type.toString();
  return declared;
}

/// A graph without data sets computes the same in every block. `turns` steps
/// are one of the plan's.
Declarations stepOf(const proto::Entry &entry, int64_t turns) {
  int64_t blocks = entry.inputs_size() ? blocksPerStep(entry) * turns : 1;
  return {{"the step", strCat(blocks, " blocks, ",
                              entry.has_updates() ? "updates" : "no updates",
                              ", ", entry.default_epochs(), " epochs")}};
}

/// "" or the edge whose key, which names value and tasks, is not its own.
std::string strangeKey(const proto::Entry &entry) {
  for (const proto::Edge &edge : entry.edges()) {
    size_t slot = edge.tensor().size() + 1;
    size_t tasks = edge.key().find_first_not_of("0123456789", slot);
    std::string copy = " #", ends = strCat(" ", toTaskId(edge.source()), "->",
                                           toTaskId(edge.target()));
    bool isOwn = edge.key().starts_with(edge.tensor() + ":") &&
                 tasks != std::string::npos &&
                 (edge.key().substr(tasks) == ends ||
                  edge.key().substr(tasks).starts_with(ends + copy));
    if (!isOwn)
      return strCat("edge '", edge.key(), "' carries '", edge.tensor(),
                    "' from ", toTaskId(edge.source()), " to ",
                    toTaskId(edge.target()), ", which its key does not name");
  }
  return "";
}

/// "" or the edge that carries another value than it says: one instruction of
/// the activation makes the value of that name, another one what is sent. The
/// oracle cannot tell: it has no parts of variables.
std::string strangeValue(const proto::Entry &entry,
                         const proto::Activation &activation) {
  std::map<uint32_t, const proto::Instruction *> makers; // by buffer
  std::set<std::string> names;
  for (const proto::Instruction &it : activation.instructions()) {
    for (uint32_t buffer : operandsOf(it).writes)
      makers[buffer] = &it;
    if (!it.has_send())
      names.insert(it.name());
  }
  for (const proto::Instruction &it : activation.instructions()) {
    if (!it.has_send())
      continue;
    const proto::Edge &edge = entry.edges(it.send().edge());
    const std::string &sent = makers[it.send().buffer()]->name();
    if (sent != edge.tensor() && names.count(edge.tensor()))
      return strCat("edge '", edge.key(), "' carries '", sent, "'");
  }
  return "";
}

std::string strangeValue(const proto::Entry &entry) {
  for (const proto::Program &program : entry.programs())
    for (const proto::Activation &activation : program.activations())
      if (std::string found = strangeValue(entry, activation); !found.empty())
        return found;
  return "";
}

std::string difference(const char *kind, const Declarations &actual,
                       const Declarations &expected) {
  for (const auto &[name, text] : actual) {
    auto found = expected.find(name);
    if (found == expected.end())
      return strCat(kind, name, " is in the plan, but not in its graph");
    if (found->second != text)
      return strCat(kind, name, " is ", text, ", expected ", found->second);
  }
  for (const auto &[name, text] : expected)
    if (!actual.count(name))
      return strCat(kind, name, " is in the graph, but not in the plan");
  return "";
}

} // namespace

std::string declaredDifference(const Plan &plan, const proto::Entry &entry,
                               const Plan &oracle,
                               const proto::Entry &expected) {
  std::string found =
      difference("data set ", inputsOf(entry), inputsOf(expected));
  if (found.empty())
    found = difference("feed ", feedsOf(entry), feedsOf(expected));
  if (found.empty())
    found = difference("output ", outputsOf(entry), outputsOf(expected));
  if (found.empty())
    found = difference("variable ", variablesOf(plan), variablesOf(oracle));
  if (found.empty())
    found = difference("", stepOf(entry, 1),
                       stepOf(expected, oracleSteps(plan, entry)));
  if (found.empty())
    found = strangeKey(entry);
  if (found.empty())
    found = strangeValue(entry);
  return found;
}

} // namespace dtc::tool

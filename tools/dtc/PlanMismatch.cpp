#include "tools/dtc/PlanMismatch.h"

#include <algorithm>
#include <map>

#include "google/protobuf/util/message_differencer.h"
#include "runtime/plan/Instructions.h"

namespace dtc::tool {
namespace {

template <typename Message>
bool areEqual(const Message &a, const Message &b) {
  return google::protobuf::util::MessageDifferencer::Equals(a, b);
}

/// A table of the plan, by what its lines are called.
template <typename Message>
using ByName = std::map<std::string, const Message *>;

template <typename List, typename NameOf>
auto byName(const List &list, NameOf nameOf) {
  ByName<typename List::value_type> lines;
  for (const auto &line : list)
    lines[nameOf(line)] = &line;
  return lines;
}

/// "" or the first line that only one of two tables has, or that `isSame` says
/// is another one.
template <typename Message>
std::string firstLine(const char *kind, const ByName<Message> &plan,
                      const ByName<Message> &anew,
                      bool (*isSame)(const Message &, const Message &)) {
  for (const auto &[name, line] : plan)
    if (auto found = anew.find(name); found == anew.end())
      return strCat(kind, " '", name, "', which is not there compiled anew");
    else if (!isSame(*line, *found->second))
      return strCat(kind, " '", name, "', which is another one compiled anew");
  for (const auto &[name, line] : anew)
    if (!plan.count(name))
      return strCat(kind, " '", name, "', which is not in the plan");
  return "";
}

bool isSameVariable(const proto::Variable &a, const proto::Variable &b) {
  proto::Variable one = a, two = b;
  for (proto::Variable *variable : {&one, &two}) {
    variable->clear_location();
    variable->clear_reason();
  }
  return areEqual(one, two);
}

bool isSameEdge(const proto::Edge &a, const proto::Edge &b) {
  proto::Edge one = a, two = b;
  for (proto::Edge *edge : {&one, &two}) {
    edge->clear_location();
    edge->clear_reason();
  }
  return areEqual(one, two);
}

bool isSameInput(const proto::Input &a, const proto::Input &b) {
  return areEqual(a, b);
}

/// Compares the programs of an entry, instruction by instruction.
class Programs {
public:
  Programs(const proto::Plan &plan, const proto::Entry &entry,
           const proto::Plan &anew, const proto::Entry &other)
      : plan_(plan), entry_(entry), anew_(anew), other_(other) {}

  std::string first() const {
    std::string memory;
    auto own = activations(entry_), others = activations(other_);
    for (const auto &[where, activation] : own) {
      if (!others.count(where))
        return where + ", where nothing runs compiled anew";
      std::string differs = firstInstruction(*activation, *others[where]);
      if (!differs.empty())
        return where + ": " + differs;
      differs = firstOfMemory(*activation, *others[where]);
      if (!differs.empty() && memory.empty())
        memory = where + ": " + differs;
    }
    for (const auto &[where, activation] : others)
      if (!own.count(where))
        return where + ", where nothing runs in the plan";
    return memory;
  }

private:
  /// By "@train, ps:0, apply".
  static ByName<proto::Activation> activations(const proto::Entry &entry) {
    ByName<proto::Activation> all;
    for (const proto::Program &program : entry.programs())
      for (const proto::Activation &activation : program.activations())
        all[strCat("@", entry.name(), ", ", toTaskId(program.task()), ", ",
                   kindName(activation.kind()))] = &activation;
    return all;
  }

  std::string firstInstruction(const proto::Activation &a,
                               const proto::Activation &b) const {
    int count = std::min(a.instructions_size(), b.instructions_size());
    for (int i = 0; i < count; ++i) {
      std::string differs = differenceOf(a.instructions(i), b.instructions(i));
      if (!differs.empty())
        return strCat(describe(a.instructions(i), i), ": ", differs);
    }
    if (a.instructions_size() > count)
      return describe(a.instructions(count), count) +
             ", which is not there compiled anew";
    if (b.instructions_size() > count)
      return describe(b.instructions(count), count) +
             ", which is not in the plan";
    return "";
  }

  std::string differenceOf(const proto::Instruction &a,
                           const proto::Instruction &b) const {
    if (a.kind_case() != b.kind_case())
      return strCat("compiled anew it is ", kindName(b), " '", b.name(), "'");
    if (a.has_launch())
      if (std::string kernel =
              kernelDifference(plan_.kernels(a.launch().kernel()),
                               anew_.kernels(b.launch().kernel()));
          !kernel.empty())
        return kernel;
    if (edgeKey(entry_, a) != edgeKey(other_, b))
      return strCat("compiled anew it is of edge '", edgeKey(other_, b), "'");
    return areEqual(bare(a), bare(b))
               ? ""
               : "it works on other values compiled anew";
  }

  /// Numbers of tables, which were compared by name, do not count.
  static proto::Instruction bare(proto::Instruction it) {
    it.clear_name(); // a text of a late phase does not keep all of them
    it.clear_location();
    it.clear_after();
    if (it.has_launch())
      it.mutable_launch()->clear_kernel();
    if (it.has_send())
      it.mutable_send()->clear_edge();
    if (it.has_recv())
      it.mutable_recv()->clear_edge();
    return it;
  }

  static std::string edgeKey(const proto::Entry &entry,
                             const proto::Instruction &it) {
    return it.has_send()   ? entry.edges(it.send().edge()).key()
           : it.has_recv() ? entry.edges(it.recv().edge()).key()
                           : "";
  }

  static std::string kernelDifference(const proto::Kernel &a,
                                      const proto::Kernel &b) {
    auto isSame = [](proto::Node one, proto::Node two) {
      for (proto::Node *node : {&one, &two}) {
        node->clear_location();
        node->clear_name(); // equal kernels are one, named by the first use
      }
      return areEqual(one, two);
    };
    for (int i = 0; i < std::min(a.body_size(), b.body_size()); ++i)
      if (!isSame(a.body(i), b.body(i)))
        return strCat("node ", i, " of its kernel '", a.name(), "', ",
                      a.body(i).op(), " '", a.body(i).name(),
                      "', is another one compiled anew");
    if (a.body_size() != b.body_size())
      return strCat("its kernel '", a.name(), "' has ", a.body_size(),
                    " nodes, compiled anew ", b.body_size());
    return std::equal(a.results().begin(), a.results().end(),
                      b.results().begin(), b.results().end()) &&
                   a.range() == b.range()
               ? ""
               : strCat("its kernel '", a.name(),
                        "' gives other results compiled anew");
  }

  /// When instructions run, and where their bytes lie.
  static std::string firstOfMemory(const proto::Activation &a,
                                   const proto::Activation &b) {
    for (int i = 0; i < a.instructions_size(); ++i)
      if (!std::equal(a.instructions(i).after().begin(),
                      a.instructions(i).after().end(),
                      b.instructions(i).after().begin(),
                      b.instructions(i).after().end()))
        return describe(a.instructions(i), i) +
               ": it waits for other instructions compiled anew";
    for (int i = 0; i < std::min(a.buffers_size(), b.buffers_size()); ++i)
      if (!areEqual(a.buffers(i), b.buffers(i)))
        return strCat("buffer ", i, ", which lies elsewhere compiled anew");
    return a.arena_bytes() == b.arena_bytes()
               ? ""
               : strCat("an arena of ", a.arena_bytes(),
                        " bytes, compiled anew ", b.arena_bytes());
  }

  const proto::Plan &plan_;
  const proto::Entry &entry_;
  const proto::Plan &anew_;
  const proto::Entry &other_;
};

std::string firstOfTables(const proto::Plan &plan, const proto::Entry &entry,
                          const proto::Plan &anew, const proto::Entry &other) {
  auto named = [](const auto &line) { return line.name(); };
  std::string found =
      firstLine("variable", byName(plan.variables(), named),
                byName(anew.variables(), named), isSameVariable);
  auto keyed = [](const proto::Edge &edge) { return edge.key(); };
  if (found.empty())
    found = firstLine("edge", byName(entry.edges(), keyed),
                      byName(other.edges(), keyed), isSameEdge);
  auto numbered = [](const proto::Input &input) {
    return strCat(input.dataset(), "' block '", input.block());
  };
  if (found.empty())
    found = firstLine("data set", byName(entry.inputs(), numbered),
                      byName(other.inputs(), numbered), isSameInput);
  return found;
}

const proto::Entry *entryNamed(const proto::Plan &plan,
                               const std::string &name) {
  for (const proto::Entry &entry : plan.entries())
    if (entry.name() == name)
      return &entry;
  return nullptr;
}

} // namespace

std::string firstMismatch(const Plan &plan, const Plan &anew,
                          const std::string &entryName) {
  const proto::Entry *entry = entryNamed(plan.proto(), entryName);
  const proto::Entry *other = entryNamed(anew.proto(), entryName);
  if (!entry || !other)
    return "entry point @" + entryName;
  std::string found = firstOfTables(plan.proto(), *entry, anew.proto(), *other);
  if (!found.empty())
    return "@" + entryName + ": " + found;
  found = Programs(plan.proto(), *entry, anew.proto(), *other).first();
  if (!found.empty())
    return found;
  for (const auto &[name, bytes] : plan.contents().members)
    if (auto its = anew.contents().members.find(name);
        its == anew.contents().members.end() || its->second != bytes)
      return "member '" + name + "' of the file";
  return "";
}

} // namespace dtc::tool

#include "tools/dtc/ExplainPlan.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/plan/WireType.h"
#include "tools/dtc/PlanGraph.h"
#include "tools/dtc/PlanReport.h"

namespace dtc::tool {
namespace {

constexpr size_t mostListed = 12; // of a list, for people
constexpr const char *rejectedMark = "; rejected: ", *nextMark = "; ";

std::string exactBytes(uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::vector<std::string> split(const std::string &text,
                               const std::string &mark) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + mark.size();
  }
  return parts;
}

std::string withoutSpaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Explains the parts of one entry.
class Explainer {
public:
  Explainer(const Plan &plan, const proto::Entry &entry)
      : plan_(plan), entry_(entry), graph_(plan, entry),
        replicas_(plan.replicas(entry)) {}

  std::vector<Explanation> explain(const std::string &name);
  std::vector<std::string> names() const;

private:
  Explanation explainVariable(uint32_t number);
  Explanation explainTask(const std::string &task);
  Explanation explainOp(size_t number);
  Explanation explainEdge(uint32_t number);
  Explanation explainPair(const std::string &pair,
                          const std::vector<uint32_t> &edges);
  void sayActivations(Explanation &about, const std::string &task);
  void sayReasons(Explanation &about, const std::string &task);
  void sayTraffic(Explanation &about, const std::string &task);

  bool isTask(const std::string &name) const;
  std::vector<const proto::Program *> programsOf(const std::string &task) const;
  std::vector<uint32_t> edgesBetween(const std::string &pair) const;
  std::vector<uint32_t> edgesOf(const std::string &tensor) const;
  std::string nameOf(size_t op) const;
  std::vector<std::string> namesOf(const std::vector<size_t> &ops) const;
  std::vector<std::string> reached(size_t op) const;
  std::string edgeLine(const proto::Edge &edge, uint64_t bytes) const;
  std::string edgeLine(const proto::Edge &edge) const {
    return edgeLine(edge, bytesPerStep(edge));
  }
  uint64_t bytesPerStep(const proto::Edge &edge) const;
  /// Ends of an edge as tasks, and as the plan's templates write them.
  std::set<std::string> pairsOf(const proto::Edge &edge) const;

  const Plan &plan_;
  const proto::Entry &entry_;
  PlanGraph graph_;
  std::vector<TaskId> replicas_;
};

std::string Explainer::nameOf(size_t number) const {
  const PlanOp &op = graph_.ops()[number];
  const proto::Instruction &it = op.it();
  if (it.has_send())
    return strCat("edge '", entry_.edges(it.send().edge()).key(), "'");
  if (it.has_recv())
    return strCat("edge '", entry_.edges(it.recv().edge()).key(), "'");
  if (it.has_store_variable())
    return strCat(
        "variable '",
        plan_.proto().variables(it.store_variable().variable()).name(), "'");
  if (it.has_write_fetch())
    return strCat("output '", entry_.fetches(it.write_fetch().fetch()).name(),
                  "'");
  return strCat(op.name.empty() ? op.kind : op.name, " on ", op.task, " ",
                kindName(op.activation->kind()));
}

std::vector<std::string>
Explainer::namesOf(const std::vector<size_t> &ops) const {
  std::vector<std::string> names;
  for (size_t op : ops)
    if (std::string name = nameOf(op);
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

uint64_t Explainer::bytesPerStep(const proto::Edge &edge) const {
  uint64_t bytes = 0;
  for (const auto &[source, target] : edgeEnds(plan_, entry_, edge))
    bytes += source == target ? 0 : edge.bytes();
  return bytes;
}

std::string Explainer::edgeLine(const proto::Edge &edge, uint64_t bytes) const {
  return strCat(edge.key(), ", ", exactBytes(bytes),
                " a step: ", edge.reason());
}

std::set<std::string> Explainer::pairsOf(const proto::Edge &edge) const {
  std::set<std::string> pairs = {
      strCat(toTaskId(edge.source()), "->", toTaskId(edge.target()))};
  for (const auto &[source, target] : edgeEnds(plan_, entry_, edge))
    if (source != target)
      pairs.insert(strCat(source, "->", target));
  return pairs;
}

std::vector<uint32_t> Explainer::edgesBetween(const std::string &pair) const {
  std::vector<uint32_t> edges;
  for (int e = 0; e < entry_.edges_size(); ++e)
    if (pairsOf(entry_.edges(e)).count(withoutSpaces(pair)))
      edges.push_back(e);
  return edges;
}

std::vector<uint32_t> Explainer::edgesOf(const std::string &tensor) const {
  std::vector<uint32_t> edges;
  for (int e = 0; e < entry_.edges_size(); ++e)
    if (entry_.edges(e).tensor() == tensor)
      edges.push_back(e);
  return edges;
}

bool Explainer::isTask(const std::string &name) const {
  for (const TaskId &task : plan_.tasks())
    if (task.toString() == name || TaskId{task.job, -1}.toString() == name)
      return true;
  return false;
}

/// What the task executes: templates, too. Of a template, itself.
std::vector<const proto::Program *>
Explainer::programsOf(const std::string &task) const {
  std::vector<const proto::Program *> programs;
  for (const proto::Program &program : entry_.programs()) {
    auto isIts = [&](const TaskId &id) {
      return id.toString() == task && plan_.executes(id, entry_, program);
    };
    std::vector<TaskId> tasks = plan_.tasks();
    if (toTaskId(program.task()).toString() == task ||
        std::any_of(tasks.begin(), tasks.end(), isIts))
      programs.push_back(&program);
  }
  return programs;
}

Explanation Explainer::explainVariable(uint32_t number) {
  const proto::Variable &variable = plan_.proto().variables(number);
  std::string home = toTaskId(variable.home()).toString();
  Explanation about("variable", variable.name(),
                    strCat("variable '", variable.name(),
                           "': ", typeText(variable.type()), " on ", home));
  about.say("task", home);
  about.say("type", typeText(variable.type()));
  about.why(variable.reason() ? plan_.proto().reasons(variable.reason() - 1)
                              : "");
  about.number("bytes", typeBytes(variable.type()),
               exactBytes(typeBytes(variable.type())));
  std::vector<std::string> readers, writers, slots, edges;
  for (const PlanOp &op : graph_.ops()) {
    if (op.it().has_load_variable() &&
        op.it().load_variable().variable() == number)
      for (const std::string &name : namesOf(op.users))
        readers.push_back(name);
    if (op.it().has_store_variable() &&
        op.it().store_variable().variable() == number)
      writers = namesOf(op.inputs);
  }
  for (const proto::Variable &other : plan_.proto().variables())
    if (other.is_slot() && other.name().rfind(variable.name() + ".", 0) == 0)
      slots.push_back(other.name());
  for (uint32_t edge : edgesOf(variable.name()))
    edges.push_back(edgeLine(entry_.edges(edge)));
  about.list("slots", slots);
  about.list("read by", readers);
  about.list("updated by", writers);
  about.list("edges", edges);
  about.say("declared at", variable.location());
  return about;
}

/// "12 ops, 2 variables, output 'loss'": what changes with the op.
std::vector<std::string> Explainer::reached(size_t op) const {
  size_t ops = 0;
  std::vector<std::string> ends;
  for (size_t number : graph_.reachedFrom(op)) {
    const proto::Instruction &it = graph_.ops()[number].it();
    if (it.has_store_variable() || it.has_write_fetch())
      ends.push_back(nameOf(number));
    else if (!it.has_send() && !it.has_recv())
      ++ops;
  }
  ends.insert(ends.begin(), strCat(ops, ops == 1 ? " op" : " ops"));
  return ends;
}

Explanation Explainer::explainOp(size_t number) {
  const PlanOp &op = graph_.ops()[number];
  std::string kind = kindName(op.activation->kind());
  Explanation about(
      "op", op.name,
      strCat("op '", op.name, "': ", op.kind, " on ", op.task, " ", kind));
  about.say("op", op.kind);
  about.say("task", op.task);
  about.say("activation", kind);
  about.say("kernel", op.kernel ? op.kernel->name() : "");
  about.say("location", op.location);
  about.why(op.reason);
  about.say("type", op.types);
  about.number(
      "bytes", op.bytes,
      strCat(exactBytes(op.bytes), op.isInMemory ? "" : ", within its kernel"));
  about.list("takes", namesOf(op.inputs));
  about.list("feeds", namesOf(op.users));
  std::vector<std::string> edges;
  for (size_t user : op.users)
    if (graph_.ops()[user].it().has_send())
      edges.push_back(
          edgeLine(entry_.edges(graph_.ops()[user].it().send().edge())));
  about.list("edges", edges);
  about.list("depend on it", reached(number));
  return about;
}

Explanation Explainer::explainEdge(uint32_t number) {
  const proto::Edge &edge = entry_.edges(number);
  Explanation about("edge", edge.key(), strCat("edge '", edge.key(), "'"));
  about.say("tensor", edge.tensor());
  about.say("type", typeText(edge.type()));
  if (edge.wire())
    about.say("wire", std::string(dtc::name(wireElement(edge))));
  about.say("source", toTaskId(edge.source()).toString());
  about.say("target", toTaskId(edge.target()).toString());
  about.why(edge.reason());
  uint64_t times = edge.bytes() ? bytesPerStep(edge) / edge.bytes() : 0;
  about.number("bytes", bytesPerStep(edge),
               strCat(exactBytes(bytesPerStep(edge)), " a step: ", edge.bytes(),
                      " x ", times));
  for (const PlanOp &op : graph_.ops()) {
    if (op.it().has_send() && op.it().send().edge() == number)
      about.list("made by", namesOf(op.inputs));
    if (op.it().has_recv() && op.it().recv().edge() == number)
      about.list("taken by", namesOf(op.users));
  }
  about.say("location", edge.location());
  return about;
}

Explanation Explainer::explainPair(const std::string &pair,
                                   const std::vector<uint32_t> &edges) {
  std::string name = withoutSpaces(pair);
  Explanation about("edges", name, strCat("edges ", name));
  std::vector<std::string> lines;
  uint64_t bytes = 0;
  for (uint32_t number : edges) {
    const proto::Edge &edge = entry_.edges(number);
    // Of a template's edge, the part between these two.
    bool isWhole =
        name == strCat(toTaskId(edge.source()), "->", toTaskId(edge.target()));
    uint64_t share = isWhole ? bytesPerStep(edge) : edge.bytes();
    bytes += share;
    lines.push_back(edgeLine(edge, share));
  }
  about.number("bytes", bytes, exactBytes(bytes) + " a step");
  about.list("edges", lines);
  return about;
}

void Explainer::sayActivations(Explanation &about, const std::string &task) {
  std::vector<std::string> lines;
  for (const proto::Program *program : programsOf(task))
    for (const proto::Activation &activation : program->activations())
      lines.push_back(strCat(kindName(activation.kind()), ": ",
                             activation.instructions_size(),
                             " instructions, arena ",
                             exactBytes(memoryBytes(entry_, activation))));
  about.list("activations", lines);
}

/// The reasons of its ops, the most frequent first.
void Explainer::sayReasons(Explanation &about, const std::string &task) {
  std::set<std::string> places; // as the ops name them
  for (const proto::Program *program : programsOf(task))
    places.insert(toTaskId(program->task()).toString());
  std::map<std::string, size_t> counts;
  for (const PlanOp &op : graph_.ops())
    if (!op.reason.empty() && places.count(op.task))
      ++counts[op.reason];
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(),
                                                     counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto &a, auto &b) { return a.second > b.second; });
  std::vector<std::string> lines;
  for (const auto &[reason, count] : sorted)
    lines.push_back(strCat(count, count == 1 ? " op: " : " ops: ", reason));
  about.list("why", lines);
}

void Explainer::sayTraffic(Explanation &about, const std::string &task) {
  std::map<std::string, uint64_t> sent, received;
  uint64_t sentBytes = 0, receivedBytes = 0;
  for (const proto::Edge &edge : entry_.edges())
    for (const auto &[source, target] : edgeEnds(plan_, entry_, edge)) {
      if (source == target)
        continue;
      if (source.toString() == task ||
          TaskId{source.job, -1}.toString() == task)
        sentBytes += edge.bytes(), sent[target.toString()] += edge.bytes();
      if (target.toString() == task ||
          TaskId{target.job, -1}.toString() == task)
        receivedBytes += edge.bytes(),
            received[source.toString()] += edge.bytes();
    }
  about.number("bytes sent", sentBytes, exactBytes(sentBytes) + " a step");
  about.number("bytes received", receivedBytes,
               exactBytes(receivedBytes) + " a step");
  std::vector<std::string> takers, givers;
  for (const auto &[peer, bytes] : sent)
    takers.push_back(strCat(peer, ": ", exactBytes(bytes)));
  for (const auto &[peer, bytes] : received)
    givers.push_back(strCat(peer, ": ", exactBytes(bytes)));
  about.list("waits for", givers);
  about.list("depend on it", takers);
}

Explanation Explainer::explainTask(const std::string &task) {
  Explanation about("task", task, strCat("task ", task));
  sayActivations(about, task);
  std::vector<std::string> variables;
  for (const proto::Variable &variable : plan_.proto().variables())
    if (toTaskId(variable.home()).toString() == task)
      variables.push_back(strCat(variable.name(), ": ",
                                 exactBytes(typeBytes(variable.type()))));
  about.list("variables", variables);
  sayReasons(about, task);
  sayTraffic(about, task);
  return about;
}

std::vector<Explanation> Explainer::explain(const std::string &name) {
  std::vector<Explanation> found;
  if (isTask(name))
    found.push_back(explainTask(name));
  if (std::vector<uint32_t> edges = edgesBetween(name); !edges.empty())
    found.push_back(explainPair(name, edges));
  for (int v = 0; v < plan_.proto().variables_size(); ++v)
    if (plan_.proto().variables(v).name() == name)
      found.push_back(explainVariable(v));
  for (size_t op : graph_.named(name))
    if (graph_.ops()[op].kind != "send" && graph_.ops()[op].kind != "recv")
      found.push_back(explainOp(op));
  for (int e = 0; e < entry_.edges_size(); ++e)
    if (entry_.edges(e).key() == name || entry_.edges(e).tensor() == name)
      found.push_back(explainEdge(e));
  return found;
}

std::vector<std::string> Explainer::names() const {
  std::vector<std::string> names = graph_.names();
  std::set<std::string> others;
  for (const TaskId &task : plan_.tasks())
    others.insert(task.toString());
  for (const proto::Program &program : entry_.programs())
    others.insert(toTaskId(program.task()).toString());
  for (const proto::Variable &variable : plan_.proto().variables())
    others.insert(variable.name());
  for (const proto::Edge &edge : entry_.edges()) {
    others.insert({edge.key(), edge.tensor()});
    others.merge(pairsOf(edge));
  }
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

} // namespace

Explanation::Explanation(const std::string &kind, const std::string &name,
                         const std::string &title)
    : title_(title), json_({{"kind", kind}, {"name", name}}) {}

static std::string jsonKey(std::string key) {
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

void Explanation::say(const std::string &key, const std::string &text) {
  json_[jsonKey(key)] = text;
  if (!text.empty())
    lines_.push_back({key, {text}});
}

void Explanation::list(const std::string &key,
                       const std::vector<std::string> &texts) {
  json_[jsonKey(key)] = texts;
  std::vector<std::string> shown(
      texts.begin(), texts.begin() + std::min(texts.size(), mostListed));
  if (texts.size() > mostListed)
    shown.push_back(strCat("and ", texts.size() - mostListed, " more"));
  if (!shown.empty())
    lines_.push_back({key, shown});
}

void Explanation::number(const std::string &key, uint64_t value,
                         const std::string &text) {
  json_[jsonKey(key)] = value;
  lines_.push_back({key, {text}});
}

void Explanation::why(const std::string &reason) {
  std::vector<std::string> parts = split(reason, rejectedMark);
  if (reason.empty())
    parts[0] = "the plan does not say: it comes from IR that a person wrote";
  say("why", parts[0]);
  std::vector<std::string> rejected;
  if (parts.size() > 1)
    rejected = split(parts[1], nextMark);
  list("rejected", rejected);
}

std::string Explanation::text() const {
  size_t width = 0;
  for (const auto &[key, lines] : lines_)
    width = std::max(width, key.size());
  std::string text = title_ + "\n";
  for (const auto &[key, lines] : lines_)
    for (size_t i = 0; i < lines.size(); ++i) {
      std::string label = i == 0 ? key : "";
      label.resize(width + 2, ' ');
      text += "  " + label + lines[i] + "\n";
    }
  return text;
}

std::vector<Explanation> explainName(const Plan &plan,
                                     const proto::Entry &entry,
                                     const std::string &name) {
  return Explainer(plan, entry).explain(name);
}

std::vector<std::string> explainableNames(const Plan &plan,
                                          const proto::Entry &entry) {
  return Explainer(plan, entry).names();
}

} // namespace dtc::tool

// dtc explain: what a code means, what an op does; why something is where it is
// in a plan.
#include <iostream>
#include <map>

#include "dialects/diagnostics/Codes.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/ExplainPlan.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Report.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

/// What mlir-tblgen writes of the ops: for each a section that begins with
/// "### `graph.matmul` (…)", then "_Summary_", then the rest.
constexpr std::string_view opReference =
#include "tools/dtc/OpReference.inc"
    ;

struct OpPage {
  std::string summary, text;
};

/// The op's name that a heading of a section names, or "".
std::string headingOp(std::string_view line) {
  constexpr std::string_view begin = "### `graph.";
  if (line.substr(0, begin.size()) != begin)
    return "";
  std::string_view name = line.substr(5);
  return std::string(name.substr(0, name.find('`')));
}

std::map<std::string, OpPage> readOpPages() {
  std::map<std::string, OpPage> pages;
  OpPage *current = nullptr;
  for (size_t at = 0; at < opReference.size();) {
    size_t end = std::min(opReference.find('\n', at), opReference.size());
    std::string_view line = opReference.substr(at, end - at);
    at = end + 1;
    if (std::string name = headingOp(line); !name.empty()) {
      current = &pages[name];
      continue;
    }
    if (line.substr(0, 2) == "# " || line.substr(0, 3) == "## ")
      current = nullptr;
    if (!current)
      continue;
    if (current->summary.empty() && line.size() > 2 && line.front() == '_')
      current->summary = line.substr(1, line.size() - 2);
    else if (!line.empty() || !current->text.empty())
      current->text += std::string(line) + "\n";
  }
  return pages;
}

std::string pageText(const CodePage &page, const std::string &heading) {
  return heading + codeText(page.code) + ": " + std::string(page.title) +
         "\n\n" + std::string(page.page);
}

/// The error index, docs/errors.md.
void printIndex() {
  std::cout << "# Errors\n\nMade by `dtc explain --index` from "
               "`dialects/diagnostics/Codes.def`.\n\n| code | meaning "
               "|\n|---|---|\n";
  for (const CodePage &page : codePages())
    std::cout << "| `" << codeText(page.code) << "` | " << page.title << " |\n";
  for (const CodePage &page : codePages())
    std::cout << "\n" << pageText(page, "## ");
}

int explainOps(const std::map<std::string, OpPage> &pages) {
  size_t width = 0;
  for (const auto &[name, page] : pages)
    width = std::max(width, name.size());
  for (const auto &[name, page] : pages)
    std::cout << name << std::string(width + 2 - name.size(), ' ')
              << page.summary << "\n";
  return exitSuccess;
}

/// A topic is a code, `ops`, or an op with or without `graph.`.
int explain(const std::string &topic) {
  if (std::optional<CodePage> page = codePage(topic)) {
    std::cout << pageText(*page, "");
    return exitSuccess;
  }
  std::map<std::string, OpPage> ops = readOpPages();
  if (topic == "ops")
    return explainOps(ops);
  for (const std::string &name : {topic, "graph." + topic})
    if (auto op = ops.find(name); op != ops.end()) {
      std::cout << name << ": " << op->second.summary << "\n\n"
                << op->second.text;
      return exitSuccess;
    }
  std::vector<std::string> topics = {"ops"};
  for (const CodePage &page : codePages())
    topics.push_back(codeText(page.code));
  for (const auto &[name, page] : ops)
    topics.insert(topics.end(), {name, name.substr(6)});
  std::string guess = mostLike(topic, topics);
  return fail("explain", exitNothingMatched,
              strCat("there is no code and no op '", topic, "'",
                     guess.empty()
                         ? std::string("\nhelp: dtc explain ops lists the ops, "
                                       "dtc explain --index the codes")
                         : strCat("\nhelp: did you mean '", guess, "'?")));
}

struct ExplainFlags {
  std::string topic, name, entry;
  bool index = false, json = false;
};

/// The entries to look for the name in: the one that was asked for; or all, the
/// one that trains first.
Result<std::vector<const proto::Entry *>>
entriesToSearch(const Plan &plan, const ExplainFlags &flags) {
  DTC_ASSIGN_OR_RETURN(const proto::Entry *first,
                       chooseEntry(plan, flags.entry));
  std::vector<const proto::Entry *> entries = {first};
  if (flags.entry.empty())
    for (const proto::Entry &entry : plan.proto().entries())
      if (&entry != first)
        entries.push_back(&entry);
  return entries;
}

void printExplanations(const Plan &plan, const proto::Entry &entry,
                       const std::vector<Explanation> &found,
                       const ExplainFlags &flags) {
  if (!flags.json) {
    for (size_t i = 0; i < found.size(); ++i)
      std::cout << (i ? "\n" : "") << found[i].text();
    return;
  }
  Json matches = Json::array();
  for (const Explanation &explanation : found)
    matches.push_back(explanation.json());
  std::cout << Json{{"schema", "dtc.explain/1"},
                    {"plan", plan.proto().name()},
                    {"entry", entry.name()},
                    {"name", flags.name},
                    {"matches", matches}}
                   .dump(2)
            << "\n";
}

/// Why `flags.name` is where it is in the plan `flags.topic`.
int explainPlan(const ExplainFlags &flags) {
  Result<Plan::Ptr> plan = Plan::load(flags.topic);
  if (!plan)
    return fail("explain", plan.status());
  Result<std::vector<const proto::Entry *>> entries =
      entriesToSearch(**plan, flags);
  if (!entries)
    return fail("explain", exitNothingMatched, entries.status().message());
  for (const proto::Entry *entry : *entries)
    if (std::vector<Explanation> found =
            explainName(**plan, *entry, flags.name);
        !found.empty()) {
      printExplanations(**plan, *entry, found, flags);
      return exitSuccess;
    }
  std::string guess =
      mostLike(flags.name, explainableNames(**plan, *entries->front()));
  return fail("explain", exitNothingMatched,
              strCat(flags.topic, " has no op, edge, variable or task '",
                     flags.name, "'",
                     guess.empty()
                         ? strCat("\nhelp: dtc inspect ", flags.topic,
                                  " lists what it has")
                         : strCat("\nhelp: did you mean '", guess, "'?")));
}

int run(const ExplainFlags &flags) {
  if (flags.index) {
    printIndex();
    return exitSuccess;
  }
  if (flags.topic.empty())
    return fail("explain", exitUsage,
                "nothing to explain; try: dtc explain DTC0102");
  if (!flags.name.empty())
    return explainPlan(flags);
  if (flags.json)
    return fail("explain", exitUsage,
                "--json goes with a plan and a name; try: dtc explain PLAN "
                "NAME --json");
  return explain(flags.topic);
}

} // namespace

void addExplainVerb(CLI::App &app, int &exitCode) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App *verb = app.add_subcommand(
      "explain", "Say why something is where it is in a plan, what a code of "
                 "an error means, or what an op does");
  verb->add_option(
      "topic", flags->topic,
      "A plan file; or DTC0102, ops (lists them), or an op: graph.matmul");
  verb->add_option("name", flags->name,
                   "Of the plan: an op, an edge (its key, or ps:0->worker:0), "
                   "a variable or a task");
  verb->add_option("--entry", flags->entry,
                   "The entry point to look in (default: all, the one that "
                   "trains first)");
  verb->add_flag("--json", flags->json,
                 "One JSON object, schema dtc.explain/1");
  verb->add_flag("--index", flags->index,
                 "Every code, as Markdown (docs/errors.md)");
  verb->callback([flags, &exitCode] { exitCode = run(*flags); });
}

} // namespace dtc::tool

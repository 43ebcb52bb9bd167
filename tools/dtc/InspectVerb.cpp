// dtc inspect: what is in a plan. Never loads code.
#include <iostream>

#include "tools/dtc/Compiler.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/KernelCosts.h"
#include "tools/dtc/Loads.h"
#include "tools/dtc/PlanPlacement.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

struct InspectFlags {
  std::string plan, entry, phase;
  bool edges = false, memory = false, kernels = false, place = false;
  bool predict = false, json = false;
};

std::string heading(const Plan &plan, const EntryReport &report) {
  Json json = toJson(plan, report);
  return strCat("plan ", plan.proto().name(), ": ",
                json["mode"].get<std::string>(), ", ",
                json["update"].get<std::string>(), "; entry @",
                report.entry->name(), ", ", report.entry->replicas(),
                report.entry->replicas() == 1 ? " replica\n" : " replicas\n");
}

void printTables(const Plan &plan, const EntryReport &report,
                 const InspectFlags &flags) {
  std::cout << heading(plan, report);
  if (!flags.edges && !flags.memory && !flags.kernels) {
    uint64_t bytes = plan.bytesPerStep(*report.entry);
    std::cout << "\n"
              << taskTable(report) << "  cut edges " << report.edges.size()
              << ", " << humanBytes(bytes) << " a step\n";
    if (Loads loads = loadsOf(plan.proto()); !loads.empty())
      std::cout << "  " << loadLine(loads) << "\n";
  }
  if (flags.edges)
    std::cout << "\n" << edgeTable(report);
  if (flags.memory)
    std::cout << "\n" << memoryTable(plan, report);
  if (flags.kernels)
    std::cout << "\n" << kernelTable(plan);
}

/// The IR of any phase: the last one is the plan itself, an earlier one is made
/// anew from the graph that the plan holds.
int printIr(const Plan &plan, const std::string &phaseName) {
  std::optional<Phase> phase = phaseNamed(phaseName);
  if (!phase)
    return fail("inspect", exitUsage,
                strCat("there is no phase '", phaseName, "'; the phases are ",
                       phaseNames()));
  Compiler compiler;
  auto module = *phase == lastPhase
                    ? compiler.importPlan(plan)
                    : compiler.recompile(plan, *phase, optionsOf(plan));
  if (failed(module))
    return exitBadInput;
  std::cout << compiler.print(**module);
  return exitSuccess;
}

/// By the default rates: nothing of the plan is executed here.
int printPrediction(const Plan::Ptr &plan, const proto::Entry &entry,
                    const InspectFlags &flags) {
  Result<Prediction> prediction =
      predictPlan(plan, entry, {.isProcessPerTask = true});
  if (!prediction)
    return fail("inspect", prediction.status());
  std::cout << (flags.json ? predictionJson(*prediction).dump(2) + "\n"
                           : predictionText(*prediction));
  return exitSuccess;
}

int printPlace(const Plan &plan) {
  Compiler compiler;
  Result<std::string> text = placementOf(plan, compiler);
  if (!text)
    return fail("inspect", text.status());
  std::cout << *text;
  return exitSuccess;
}

int inspect(const InspectFlags &flags) {
  Result<Plan::Ptr> plan = Plan::load(flags.plan);
  if (!plan)
    return fail("inspect", plan.status());
  if (!flags.phase.empty())
    return printIr(**plan, flags.phase);
  if (flags.place)
    return printPlace(**plan);
  Result<const proto::Entry *> entry = chooseEntry(**plan, flags.entry);
  if (!entry)
    return fail("inspect", exitNothingMatched, entry.status().message());
  if (flags.predict)
    return printPrediction(*plan, **entry, flags);
  EntryReport report = reportEntry(**plan, **entry);
  if (flags.json)
    std::cout << toJson(**plan, report).dump(2) << "\n";
  else
    printTables(**plan, report, flags);
  return exitSuccess;
}

} // namespace

void addInspectVerb(CLI::App &app, int &exitCode) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App *verb = app.add_subcommand(
      "inspect", "Show tasks, edges, memory, kernels or the IR of a plan");
  verb->add_option("plan", flags->plan, "The plan file")->required();
  verb->add_option("--entry", flags->entry,
                   "The entry point to show (default: the one that trains)");
  verb->add_flag("--edges", flags->edges,
                 "Every tensor that crosses between tasks, and why");
  verb->add_flag("--memory", flags->memory, "The arenas of every task");
  verb->add_flag("--kernels", flags->kernels,
                 "The kernels and how often they are launched");
  verb->add_flag("--predict", flags->predict,
                 "What a step will take, move and hold, a process for each "
                 "task, and its critical path");
  verb->add_flag("--place", flags->place,
                 "The placement as a text that one can edit, for dtc compile "
                 "--place");
  verb->add_option("--ir", flags->phase, "The IR of a phase: " + phaseNames());
  verb->add_flag("--json", flags->json,
                 "One JSON object, schema dtc.inspect/1");
  addReportFlags(*verb);
  verb->callback([flags, &exitCode] { exitCode = inspect(*flags); });
}

} // namespace dtc::tool

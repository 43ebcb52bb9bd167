#include "tools/dtc/PlanPlacement.h"

#include "passes/dist/PlacementFile.h"
#include "tools/dtc/PlanGraph.h"

using namespace mlir;

namespace dtc::tool {
namespace {

Status differs(const std::string &name, const std::string &graph,
               const std::string &plan) {
  return Status::invalidArgument(strCat(
      "the plan was compiled from edited IR: its graph has '", name, "' on ",
      graph, ", the plan on ", plan, "; see dtc inspect --ir plan"));
}

Status checkVariables(const Plan &plan, ModuleOp module) {
  dist::Variables variables(module);
  for (const proto::Variable &variable : plan.proto().variables()) {
    graph::VariableOp found = variables.find(variable.name());
    if (!found)
      continue;
    std::string graph = dist::deviceOf(found).taskString();
    std::string home = toTaskId(variable.home()).toString();
    if (graph != home)
      return differs(variable.name(), graph, home);
  }
  return Status::ok();
}

Status checkEntry(const Plan &plan, const proto::Entry &entry,
                  graph::FuncOp func) {
  PlanGraph graph(plan, entry);
  for (Operation &op : func.getBody().front()) {
    if (op.getNumResults() == 0 || isa<graph::ConstantOp>(op))
      continue;
    std::string name = graph::nameOf(&op);
    std::vector<size_t> found = graph.named(name);
    std::string task = dist::deviceOf(&op).taskString();
    bool isThere = found.empty(); // a name may be lost in fusion, then no proof
    for (size_t index : found)
      isThere |= graph.ops()[index].task == task;
    if (!isThere)
      return differs(name, task, graph.ops()[found.front()].task);
  }
  return Status::ok();
}

} // namespace

Result<std::string> placementOf(const Plan &plan, Compiler &compiler) {
  auto module = compiler.recompile(plan, Phase::Place, optionsOf(plan));
  if (failed(module))
    return Status::invalidArgument("the graph in the plan cannot be placed");
  DTC_RETURN_IF_ERROR(checkVariables(plan, **module));
  for (const proto::Entry &entry : plan.proto().entries())
    if (auto func = (*module)->lookupSymbol<graph::FuncOp>(entry.name()))
      DTC_RETURN_IF_ERROR(checkEntry(plan, entry, func));
  return dist::printPlacement(**module);
}

} // namespace dtc::tool

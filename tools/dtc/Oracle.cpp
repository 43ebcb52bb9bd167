#include "tools/dtc/Oracle.h"

#include <algorithm>
#include <set>

#include "dialects/diagnostics/Coded.h"
#include "dialects/dist/Dist.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Ops.h"
#include "mlir/IR/Builders.h"
#include "passes/dist/Decisions.h"
#include "tools/dtc/ValueCheck.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// Whose value it is: "w1.grad.r2" (or "w1.grad.r2_3") of tower 2 is replica
/// 2's "w1.grad".
std::pair<std::string, uint32_t> splitReplica(Value value) {
  std::string name = graph::nameOf(value);
  auto tower =
      value.getDefiningOp()->getAttrOfType<IntegerAttr>(dist::towerAttrName);
  if (!tower || tower.getInt() == 0)
    return {name, 0};
  std::string suffix = ".r" + std::to_string(tower.getInt());
  return {name.substr(0, name.rfind(suffix)), tower.getInt()};
}

void watch(Value value, const std::string &name) {
  Operation *producer = value.getDefiningOp();
  OpBuilder builder(producer->getContext());
  builder.setInsertionPointAfter(producer);
  auto output = graph::OutputOp::create(builder, value.getLoc(), name, value);
  for (StringRef decision :
       {dist::deviceAttrName, dist::activationAttrName, dist::reasonAttrName})
    if (Attribute attribute = producer->getAttr(decision))
      output->setAttr(decision, attribute);
}

} // namespace

std::string watchName(const std::string &name, uint32_t replica) {
  return "$watch/" + name + "/r" + std::to_string(replica);
}

bool isWatchName(const std::string &name) {
  return name.starts_with("$watch/");
}

void addWatches(ModuleOp module, const std::vector<std::string> &names) {
  std::set<std::string> wanted(names.begin(), names.end());
  for (auto func : module.getOps<graph::FuncOp>()) {
    SmallVector<std::pair<Value, std::string>> found;
    func.walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        // The plan's towers have the oracle's names, its workers have not.
        std::string whole = graph::nameOf(result);
        auto [name, replica] = splitReplica(result);
        if (wanted.count(whole))
          found.push_back({result, watchName(whole, 0)});
        if (replica > 0 && wanted.count(name))
          found.push_back({result, watchName(name, replica)});
      }
    });
    for (auto &[value, name] : found)
      watch(value, name);
  }
}

int64_t blocksPerStep(const proto::Entry &entry) {
  int64_t blocks = 1;
  for (const proto::Input &input : entry.inputs())
    blocks = std::max(blocks, input.blocks());
  return blocks * entry.replicas();
}

int64_t oracleSteps(const Plan &plan, const proto::Entry &entry) {
  return plan.isAsync(entry) ? entry.replicas() : 1;
}

CompileOptions oracleOptions(const Plan &plan, const proto::Entry &entry) {
  CompileOptions options = optionsOf(plan);
  options.cluster = "";
  options.mode = "local";
  options.update = "sync";
  options.numbered = plan.isAsync(entry);
  options.replicas = plan.isAsync(entry) ? 1 : blocksPerStep(entry);
  options.placement = "greedy"; // of no matter on one device
  options.place.clear();
  for (const proto::Edge &edge : entry.edges())
    options.watch.push_back(edge.tensor());
  for (std::string &value : launchedValues(entry))
    options.watch.push_back(std::move(value));
  return options;
}

FailureOr<Plan::Ptr> compileOracle(const Plan &plan,
                                   const proto::Entry &entry) {
  Compiler compiler;
  auto module = compiler.recompile(plan, lastPhase, oracleOptions(plan, entry));
  if (failed(module))
    return failure();
  return compiler.finish(**module, "", plan.path() + " (on one device)");
}

} // namespace dtc::tool

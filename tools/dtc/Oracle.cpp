#include "tools/dtc/Oracle.h"

#include <algorithm>
#include <set>

#include "dialects/dist/Dist.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Ops.h"
#include "mlir/IR/Builders.h"
#include "tools/dtc/Compiler.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// "w1.grad.r2" → ("w1.grad", 2); a name without a suffix is of replica 0.
std::pair<std::string, uint32_t> splitReplica(StringRef name) {
  auto [base, suffix] = name.rsplit(".r");
  uint32_t replica = 0;
  if (!suffix.empty() && !suffix.getAsInteger(10, replica) && replica > 0)
    return {base.str(), replica};
  return {name.str(), 0};
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

void addWatches(ModuleOp module, const std::vector<std::string> &names) {
  std::set<std::string> wanted(names.begin(), names.end());
  for (auto func : module.getOps<graph::FuncOp>()) {
    SmallVector<std::pair<Value, std::string>> found;
    func.walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        std::string whole = graph::nameOf(result);
        // A user's value may end like a tower's.
        auto [name, replica] =
            wanted.count(whole) ? std::pair(whole, 0u) : splitReplica(whole);
        if (wanted.count(name))
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

FailureOr<Plan::Ptr> compileOracle(const Plan &plan,
                                   const proto::Entry &entry) {
  CompileOptions options = optionsOf(plan);
  options.cluster = "";
  options.mode = "local";
  options.replicas = blocksPerStep(entry);
  for (const proto::Edge &edge : entry.edges())
    options.watch.push_back(edge.tensor());
  Compiler compiler;
  auto module = compiler.recompile(plan, lastPhase, options);
  if (failed(module))
    return failure();
  auto contents = compiler.finish(**module, "");
  if (failed(contents))
    return failure();
  Result<Plan::Ptr> oracle =
      Plan::create(std::move(*contents), plan.path() + " (on one device)");
  if (!oracle)
    return (*module)->emitError() << oracle.status().message();
  return *oracle;
}

} // namespace dtc::tool

// dist-verify-placement: guards the door of phase `place`. Changes nothing.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/ColocationGroups.h"
#include "passes/dist/Passes.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_VERIFYPLACEMENTPASS
#include "passes/dist/Passes.h.inc"

namespace {

LogicalResult verifyDevice(Operation *op, ClusterAttr cluster) {
  DeviceAttr device = deviceOf(op);
  if (!device)
    return coded(op->emitError(describe(op)), Code::BadPhase)
           << " has no " << deviceAttrName;
  if (cluster.contains(device))
    return success();
  InFlightDiagnostic error = coded(op->emitError(describe(op)), Code::BadPhase)
                             << " is on " << device.toString()
                             << ", which is not in the cluster";
  error.attachNote() << "the cluster has " << cluster.describeTasks()
                     << ", each with cpu:0";
  return error;
}

LogicalResult verifyVariable(graph::VariableOp variable, ClusterAttr cluster) {
  if (failed(verifyDevice(variable, cluster)))
    return failure();
  if (deviceOf(variable).isTemplate())
    return coded(variable->emitError(describe(variable)), Code::BadPhase)
           << " is on " << deviceOf(variable).toString()
           << "; a variable lives on one task";
  return success();
}

/// Reads and assignments happen where the variable lives.
LogicalResult verifyAtHome(Operation *op, graph::VariableOp variable) {
  if (deviceOf(op) == deviceOf(variable))
    return success();
  InFlightDiagnostic error = coded(op->emitError(describe(op)), Code::BadPhase)
                             << " is on " << deviceOf(op).toString()
                             << ", but '" << variable.getSymName()
                             << "' lives on " << deviceOf(variable).toString();
  error.attachNote(variable.getLoc()) << "declared here";
  return error;
}

bool runsOnceAStep(Operation *op) {
  return activationOf(op) == Activation::Apply;
}

LogicalResult verifyOperand(Operation *op, Operation *definition) {
  if (isa<graph::ConstantOp>(definition) ||
      runsOnceAStep(op) == runsOnceAStep(definition))
    return success();
  InFlightDiagnostic error = coded(op->emitError(describe(op)), Code::BadPhase);
  if (runsOnceAStep(op))
    error << " runs once a step, but " << describe(definition)
          << " once for each replica; only dist.accumulate and dist.take lead "
             "from one to the other";
  else
    error << " runs before the update, but " << describe(definition)
          << " is part of it";
  error.attachNote(definition->getLoc()) << "defined here";
  return error;
}

/// Once for each replica, a value travels only to and from the replica.
LogicalResult verifyRoute(Operation *op, Operation *definition) {
  auto isServed = [](Operation *end) {
    return activationOf(end) == Activation::Serve;
  };
  if (isa<graph::ConstantOp>(definition) || !isServed(op) ||
      !isServed(definition) || deviceOf(op) == deviceOf(definition))
    return success();
  InFlightDiagnostic error =
      coded(op->emitError(describe(op)), Code::BadPhase)
      << " on " << deviceOf(op).taskString() << " takes "
      << describe(definition) << " from " << deviceOf(definition).taskString()
      << ", both once for each replica; such a value passes the replica's "
         "worker (dist-insert-relays)";
  error.attachNote(definition->getLoc()) << "defined here";
  return error;
}

LogicalResult verifyOp(Operation *op, ClusterAttr cluster,
                       const Variables &variables) {
  if (failed(verifyDevice(op, cluster)))
    return failure();
  if (!activationOf(op))
    return coded(op->emitError(describe(op)), Code::BadPhase)
           << " has no " << activationAttrName;
  if (auto read = dyn_cast<graph::ReadOp>(op))
    if (failed(verifyAtHome(op, variables[read.getVariable()])))
      return failure();
  if (auto assign = dyn_cast<graph::AssignOp>(op))
    if (failed(verifyAtHome(op, variables[assign.getVariable()])))
      return failure();
  if (isa<graph::InputOp>(op) && activationOf(op) != Activation::Step)
    return coded(op->emitError(describe(op)), Code::BadPhase)
           << " is read on " << deviceOf(op).toString()
           << " for the replicas; each worker reads its own rows";
  if (isa<graph::ReplicaIndexOp>(op) && runsOnceAStep(op))
    return coded(op->emitError(describe(op)), Code::BadPhase)
           << " runs once a step, where there is no one replica";
  if (isa<graph::OutputOp>(op) && deviceOf(op) != cluster.chief())
    return coded(op->emitError(describe(op)), Code::BadPhase)
           << " is on " << deviceOf(op).toString()
           << "; outputs end on the chief, " << cluster.chief().toString();
  return success();
}

LogicalResult verifyFunc(graph::FuncOp func, ClusterAttr cluster,
                         const Variables &variables) {
  for (Operation &op : func.getBody().front())
    if (failed(verifyOp(&op, cluster, variables)))
      return failure();
  for (Operation &op : func.getBody().front())
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp())
        if (failed(verifyOperand(&op, definition)) ||
            failed(verifyRoute(&op, definition)))
          return failure();
  return success();
}

/// What must be together is (P1): slots with their variables, updates with
/// theirs, ops with what `colocate` names. Constants are copied to their users.
LogicalResult verifyColocations(const ColocationGroups &groups) {
  for (Operation *op : groups.members()) {
    Operation *first = groups.firstOf(op);
    if (deviceOf(op) == deviceOf(first) || isa<graph::ConstantOp>(op) ||
        isa<graph::ConstantOp>(first))
      continue;
    InFlightDiagnostic error =
        coded(op->emitError(describe(op)), Code::BadPhase)
        << " is on " << deviceOf(op).toString() << ", but " << describe(first)
        << " on " << deviceOf(first).toString()
        << ", and they must be together";
    groups.explainChain(error, first, op);
    return error;
  }
  return success();
}

struct VerifyPlacement : impl::VerifyPlacementPassBase<VerifyPlacement> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    if (failed(requireHeader(module)))
      return signalPassFailure();
    ClusterAttr cluster = clusterOf(module);
    Variables variables(module);
    for (auto variable : module.getOps<graph::VariableOp>())
      if (failed(verifyVariable(variable, cluster)))
        return signalPassFailure();
    ColocationGroups groups(variables);
    if (failed(groups.addVariables(module)))
      return signalPassFailure();
    for (auto func : module.getOps<graph::FuncOp>())
      if (failed(verifyFunc(func, cluster, variables)) ||
          failed(groups.add(func, UpdateRegion(func, variables))))
        return signalPassFailure();
    if (failed(verifyColocations(groups)))
      signalPassFailure();
  }
};

} // namespace
} // namespace dtc::dist

#include "passes/dist/UpdateRegion.h"
#include "dialects/diagnostics/Coded.h"

using namespace mlir;

namespace dtc::dist {

UpdateRegion::UpdateRegion(graph::FuncOp func, const Variables &variables) {
  Block &body = func.getBody().front();
  findUpdates(body);
  findVariables(body, variables);
  findInflows(body);
}

bool drawsForReplica(Operation *op) {
  return isa<graph::ReplicaIndexOp>(op) ||
         (isa<graph::RandomUniformOp, graph::RandomNormalOp,
              graph::RandomTruncatedNormalOp>(op) &&
          op->getNumOperands() == 1);
}

/// Where update ops begin: everything computed from one of these is one.
static bool beginsUpdate(Operation &op) {
  return isa<graph::AssignOp, graph::ApplyAdagradOp, graph::ApplyAdamOp,
             graph::ApplyGradientDescentOp, graph::ApplyMomentumOp,
             graph::ApplyRmspropOp, graph::ReplicaMeanOp, TakeOp>(op) ||
         op.hasAttr(graph::updateAttrName);
}

void UpdateRegion::findUpdates(Block &body) {
  for (Operation &op : body) {
    auto isUpdated = [&](Value operand) {
      Operation *definition = operand.getDefiningOp();
      return definition && updates_.contains(definition);
    };
    bool isOutput = isa<graph::OutputOp>(op);
    if (beginsUpdate(op) ||
        (!isOutput && llvm::any_of(op.getOperands(), isUpdated)))
      updates_.insert(&op);
    else if (isa<graph::InputOp>(op) || drawsForReplica(&op) ||
             llvm::any_of(op.getOperands(),
                          [&](Value v) { return isPerReplica(v); }))
      perReplica_.insert(op.result_begin(), op.result_end());
  }
}

/// The variable that the op itself names (graph.update), or null.
static graph::VariableOp namedVariable(Operation &op, const Variables &table) {
  auto name = op.getAttrOfType<FlatSymbolRefAttr>(graph::updateAttrName);
  auto variable = name ? table.find(name.getValue()) : graph::VariableOp();
  return variable ? table.ownerOf(variable) : variable;
}

/// The user that comes first in the text and has a variable.
static graph::VariableOp
variableOfUsers(Operation &op,
                const DenseMap<Operation *, graph::VariableOp> &variables) {
  Operation *first = nullptr;
  for (Operation *user : op.getUsers())
    if (variables.lookup(user) && (!first || user->isBeforeInBlock(first)))
      first = user;
  return first ? variables.lookup(first) : graph::VariableOp();
}

void UpdateRegion::findVariables(Block &body, const Variables &table) {
  // Backwards: an update sits with the variable that it ends in.
  for (Operation &op : llvm::reverse(body)) {
    if (auto assign = dyn_cast<graph::AssignOp>(op))
      variables_[&op] = table.ownerOf(table[assign.getVariable()]);
    else if (graph::VariableOp variable = namedVariable(op, table))
      variables_[&op] = variable;
    else if (isUpdate(&op))
      if (graph::VariableOp variable = variableOfUsers(op, variables_))
        variables_[&op] = variable;
  }
  // Forwards: what ends in no variable sits with the one that it stems from.
  for (Operation &op : body) {
    if (!isUpdate(&op) || variableOf(&op))
      continue;
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && variableOf(definition) && !variableOf(&op))
        variables_[&op] = variableOf(definition);
  }
}

void UpdateRegion::findInflows(Block &body) {
  for (Operation &op : body) {
    // A combined value's operands are where aggregation was already done.
    if ((!isUpdate(&op) && !isa<graph::OutputOp>(op)) ||
        isa<graph::ReplicaMeanOp>(op))
      continue;
    for (OpOperand &operand : op.getOpOperands()) {
      Operation *definition = operand.get().getDefiningOp();
      if (!definition || !isUpdate(definition))
        inflows_.push_back(&operand);
    }
  }
  for (OpOperand *use : inflows_)
    if (takesRows(*use) && isPerReplica(use->get()))
      sparse_.insert(variableOf(use->getOwner()));
}

bool UpdateRegion::takesRows(OpOperand &use) const {
  Operation *user = use.getOwner();
  auto rows = user->getAttrOfType<DenseI64ArrayAttr>(graph::rowsAttrName);
  return rows && variableOf(user) &&
         llvm::is_contained(rows.asArrayRef(), use.getOperandNumber());
}

Meeting UpdateRegion::meetingAt(OpOperand &use) const {
  if (takesRows(use))
    return sparse_.contains(variableOf(use.getOwner())) ? Meeting::Rows
                                                        : Meeting::Same;
  return isPerReplica(use.get()) ? Meeting::Mean : Meeting::Same;
}

static LogicalResult checkMeeting(OpOperand &use, Meeting meeting,
                                  StringRef where) {
  Operation *user = use.getOwner();
  auto type = cast<RankedTensorType>(use.get().getType());
  bool isPossible =
      meeting == Meeting::Same ||
      (meeting == Meeting::Rows ? type.getRank() > 0
                                : isa<FloatType>(type.getElementType()));
  if (isPossible)
    return success();
  InFlightDiagnostic diag = coded(user->emitError(describe(user)), Code::NoMean)
                            << " takes a value that differs " << where
                            << " and is ";
  if (meeting == Meeting::Rows)
    return diag << "a scalar; " << graph::rowsAttrName
                << " names operands that have rows";
  return diag << type.getElementType()
              << "; only floats have a mean: cast it to f32";
}

LogicalResult UpdateRegion::checkMeetings(StringRef where) const {
  for (OpOperand *use : inflows_)
    if (failed(checkMeeting(*use, meetingAt(*use), where)))
      return failure();
  return success();
}

} // namespace dtc::dist

#include "tools/dtc/OneDevice.h"

#include "dialects/dist/Dist.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Ops.h"
#include "mlir/IR/IRMapping.h"
#include "passes/dist/Decisions.h"
#include "passes/dist/NameTable.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// Repeats an entry for each replica. Replica 0 keeps the ops that are there.
class Flattening {
public:
  Flattening(graph::FuncOp func, int64_t replicas)
      : names_(func), maps_(replicas), body_(func.getBody().front()) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    for (Operation &op : body_)
      ops.push_back(&op);
    for (Operation *op : ops)
      if (failed(flatten(op)))
        return failure();
    return success();
  }

private:
  LogicalResult flatten(Operation *op);
  LogicalResult combine(dist::TakeOp take);
  bool isOncePerStep(Operation *op) const;
  void repeat(Operation *op);
  void numberInput(Operation *op, int64_t replica);
  int64_t replicas() const { return maps_.size(); }

  dist::NameTable names_;
  std::vector<IRMapping> maps_; // replica 0's value → that of each
  Block &body_;
  llvm::StringMap<Value> given_; // to an accumulator, by replica 0
  DenseSet<Operation *> once_;   // take part of what replicas gave
};

LogicalResult Flattening::flatten(Operation *op) {
  if (auto accumulate = dyn_cast<dist::AccumulateOp>(op)) {
    given_[accumulate.getAccumulator()] = accumulate.getValue();
    op->erase();
    return success();
  }
  if (auto take = dyn_cast<dist::TakeOp>(op))
    return combine(take);
  if (isOncePerStep(op))
    once_.insert(op);
  else if (replicas() > 1 && !isa<graph::ConstantOp, graph::ReadOp>(op))
    repeat(op);
  return success();
}

bool Flattening::isOncePerStep(Operation *op) const {
  return isa<graph::AssignOp, graph::OutputOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return once_.contains(operand.getDefiningOp());
         });
}

LogicalResult Flattening::combine(dist::TakeOp take) {
  Value first = given_.lookup(take.getAccumulator());
  if (!first)
    return failure();
  SmallVector<Value> values{first};
  for (int64_t replica = 1; replica < replicas(); ++replica)
    values.push_back(maps_[replica].lookupOrDefault(first));
  OpBuilder builder(take);
  Value combined = first;
  if (replicas() > 1 && take.getConcat())
    combined = graph::ConcatOp::create(builder, take.getLoc(), values, 0);
  else if (replicas() > 1)
    combined = graph::ReplicaMeanOp::create(builder, take.getLoc(),
                                            first.getType(), values);
  if (combined != first)
    once_.insert(combined.getDefiningOp());
  take.getResult().replaceAllUsesWith(combined);
  take.erase();
  return success();
}

/// Which of the step's blocks the rows are, or the replica's number itself.
void Flattening::numberInput(Operation *op, int64_t replica) {
  Builder builder(op->getContext());
  op->setAttr(dist::blockAttrName, builder.getI64IntegerAttr(replica));
  op->setAttr(dist::blocksAttrName, builder.getI64IntegerAttr(replicas()));
}

void Flattening::repeat(Operation *op) {
  Operation *last = op;
  for (int64_t replica = 0; replica < replicas(); ++replica) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(last);
    if (isa<graph::ReplicaIndexOp>(op)) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      last = graph::ConstantOp::create(
          builder, op->getLoc(),
          DenseElementsAttr::get(type, builder.getI64IntegerAttr(replica)));
    } else if (replica > 0) {
      last = builder.clone(*op, maps_[replica]);
    }
    maps_[replica].map(op->getResults(), last->getResults());
    last->setAttr(dist::towerAttrName, builder.getI64IntegerAttr(replica));
    if (replica > 0)
      for (auto [result, original] :
           llvm::zip_equal(last->getResults(), op->getResults()))
        graph::setName(result, names_.take(graph::nameOf(original) + ".r" +
                                           std::to_string(replica)));
    if (isa<graph::InputOp>(op))
      numberInput(last, replica);
  }
}

/// Everything in one task and one activation.
void moveAll(ModuleOp module) {
  MLIRContext *ctx = module.getContext();
  auto cluster = dist::ClusterAttr::get(
      ctx, {dist::JobAttr::get(ctx, "local", /*tasks=*/1)});
  module->setAttr(dist::clusterAttrName, cluster);
  module->setAttr(dist::modeAttrName,
                  dist::ModeAttr::get(ctx, dist::Mode::Local));
  module->setAttr(dist::updateAttrName,
                  dist::UpdateAttr::get(ctx, dist::Update::Sync));
  dist::DeviceAttr device = cluster.cpu("local", 0);
  for (auto variable : module.getOps<graph::VariableOp>())
    variable->setAttr(dist::deviceAttrName, device);
  for (auto func : module.getOps<graph::FuncOp>()) {
    func->setAttr(dist::replicasAttrName, Builder(ctx).getI64IntegerAttr(1));
    for (Operation &op : func.getBody().front()) {
      op.removeAttr(dist::jobAttrName);
      op.setAttr(dist::deviceAttrName, device);
      dist::setActivation(&op, dist::Activation::Step);
    }
  }
}

} // namespace

void forgetJobs(ModuleOp module) {
  for (StringRef name :
       {dist::clusterAttrName, dist::modeAttrName, dist::updateAttrName})
    module->removeAttr(name);
  module.walk([](Operation *op) {
    op->removeAttr(dist::jobAttrName);
    op->removeAttr(dist::reasonAttrName);
  });
}

LogicalResult bringToOneDevice(ModuleOp module) {
  bool isAsync = dist::isAsync(module);
  for (auto func : module.getOps<graph::FuncOp>()) {
    auto attr = func->getAttrOfType<IntegerAttr>(dist::replicasAttrName);
    int64_t replicas = attr && !isAsync ? attr.getInt() : 1;
    if (failed(Flattening(func, replicas).run()))
      return failure();
  }
  moveAll(module);
  return success();
}

} // namespace dtc::tool

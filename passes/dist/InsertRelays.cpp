// dist-insert-relays: between two tasks a replica's values pass its worker.
//
// An edge between two definite tasks carries one value a step. Once for each
// replica a value travels only to and from the replica itself.
#include "passes/dist/Decisions.h"
#include "passes/dist/NameTable.h"
#include "passes/dist/Passes.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_INSERTRELAYSPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Works on one entry that every worker runs.
class Relays {
public:
  explicit Relays(graph::FuncOp func)
      : func_(func), cluster_(clusterOf(func)) {}

  void insert() {
    SmallVector<OpOperand *> uses;
    for (Operation &op : func_.getBody().front())
      for (OpOperand &use : op.getOpOperands())
        if (needsRelay(use))
          uses.push_back(&use);
    if (uses.empty())
      return;
    NameTable names(func_);
    for (OpOperand *use : uses)
      use->set(relayOf(*use, names));
  }

private:
  /// The definite task that gives the value once for each replica, or null.
  /// Feeds end on the chief.
  DeviceAttr servedOn(Value value) const {
    Operation *definition = value.getDefiningOp();
    if (!definition)
      return cluster_.chief();
    bool isServed = activationOf(definition) == Activation::Serve;
    return isServed && !isa<graph::ConstantOp>(definition)
               ? deviceOf(definition)
               : DeviceAttr();
  }

  bool needsRelay(OpOperand &use) const {
    DeviceAttr from = servedOn(use.get());
    return from && activationOf(use.getOwner()) == Activation::Serve &&
           from != deviceOf(use.getOwner());
  }

  /// The value as each worker hands it on.
  Value relayOf(OpOperand &use, NameTable &names) {
    Value value = use.get(), &relay = relays_[value];
    if (relay)
      return relay;
    OpBuilder builder(func_.getContext());
    builder.setInsertionPointAfterValue(value);
    std::string name = graph::nameOf(value);
    Location loc =
        graph::namedLocation(names.take(name + ".relay"), value.getLoc());
    auto op = graph::ReshapeOp::create(builder, loc, value.getType(), value);
    op->setAttr(deviceAttrName, cluster_.cpu(cluster_.replicaJob(), -1));
    setActivation(op, Activation::Step);
    op->setAttr(followsAttrName, builder.getUnitAttr());
    setReason(op, "each worker hands '" + name + "' on from " +
                      servedOn(value).taskString() + " to " +
                      deviceOf(use.getOwner()).taskString());
    return relay = op.getResult();
  }

  graph::FuncOp func_;
  ClusterAttr cluster_;
  DenseMap<Value, Value> relays_; // looked up only
};

struct InsertRelays : impl::InsertRelaysPassBase<InsertRelays> {
  void runOnOperation() override {
    if (failed(requireHeader(getOperation())))
      return signalPassFailure();
    for (auto func : getOperation().getOps<graph::FuncOp>())
      if (isReplicated(func))
        Relays(func).insert();
  }
};

} // namespace
} // namespace dtc::dist

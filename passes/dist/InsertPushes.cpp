// dist-insert-pushes: with update async, something of each push comes to every
// task that applies it.
//
// A task applies a push when it is whole there. One that takes no part of the
// push (it counts steps, or computes the learning rate for others) would not
// know when. It gets an empty part, which says so.
#include "passes/dist/Decisions.h"
#include "passes/dist/NameTable.h"
#include "passes/dist/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_INSERTPUSHESPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Works on one entry that every worker runs.
class Pushes {
public:
  explicit Pushes(graph::FuncOp func)
      : func_(func), names_(func), cluster_(clusterOf(func)) {}

  void insert() {
    llvm::SetVector<DeviceAttr> applying;
    llvm::SmallDenseSet<DeviceAttr> told;
    for (Operation &op : func_.getBody().front()) {
      if (isa<AccumulateOp>(op))
        told.insert(deviceOf(&op));
      else if (activationOf(&op) == Activation::Apply &&
               !isa<graph::ConstantOp>(op))
        applying.insert(deviceOf(&op));
    }
    for (DeviceAttr device : applying)
      if (!told.contains(device))
        tell(device);
  }

private:
  void tell(DeviceAttr device);
  Value sign();
  void decide(Operation *op, DeviceAttr device, Activation activation,
              const Twine &reason);

  graph::FuncOp func_;
  NameTable names_;
  ClusterAttr cluster_;
  Value sign_; // once it is made
};

void Pushes::decide(Operation *op, DeviceAttr device, Activation activation,
                    const Twine &reason) {
  op->setAttr(deviceAttrName, device);
  setActivation(op, activation);
  setReason(op, reason);
}

void Pushes::tell(DeviceAttr device) {
  Value value = sign();
  OpBuilder builder = OpBuilder::atBlockEnd(&func_.getBody().front());
  std::string name = names_.take("push");
  std::string reason = device.taskString() + " applies each push when it comes";
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = graph::withoutNames(value.getLoc());
  decide(AccumulateOp::create(builder, loc, value, name, /*concat=*/false),
         device, Activation::Serve, reason);
  decide(TakeOp::create(builder, graph::namedLocation(name, loc), type, name,
                        Update::Async, /*concat=*/false),
         device, Activation::Apply, reason);
}

/// A value that each worker has when its push is computed: no elements of the
/// first part of it, or the worker's number where nothing else is pushed.
Value Pushes::sign() {
  if (sign_)
    return sign_;
  Block &body = func_.getBody().front();
  auto parts = body.getOps<AccumulateOp>();
  DeviceAttr worker = cluster_.cpu(cluster_.replicaJob(), -1);
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  Location loc = graph::withoutNames(func_.getLoc());
  Operation *op;
  if (parts.empty()) {
    op = graph::ReplicaIndexOp::create(
        builder, graph::namedLocation(names_.take("worker"), loc));
  } else {
    AccumulateOp first = *parts.begin();
    Value part = first.getValue();
    auto type = cast<RankedTensorType>(part.getType());
    if (type.getRank() == 0)
      return sign_ = part;
    SmallVector<int64_t> begin(type.getRank(), 0), size(type.getShape());
    size.front() = 0;
    builder.setInsertionPoint(first);
    op = graph::SliceOp::create(
        builder,
        graph::namedLocation(names_.take(graph::nameOf(part) + ".sign"),
                             graph::withoutNames(part.getLoc())),
        part, begin, size);
  }
  decide(op, worker, Activation::Step,
         "tells who gets no part of a push that it comes");
  return sign_ = op->getResult(0);
}

struct InsertPushes : impl::InsertPushesPassBase<InsertPushes> {
  void runOnOperation() override {
    if (failed(requireHeader(getOperation())))
      return signalPassFailure();
    if (!isAsync(getOperation()))
      return;
    for (auto func : getOperation().getOps<graph::FuncOp>())
      if (isReplicated(func))
        Pushes(func).insert();
  }
};

} // namespace
} // namespace dtc::dist

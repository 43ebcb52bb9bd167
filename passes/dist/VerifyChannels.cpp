// dist-verify-channels: guards the door of phase `partition`. Changes nothing.
// A text that was edited by hand comes in here, so every message names the edge
// by its key, and points at its other end where there is one.
#include "dialects/diagnostics/Coded.h"
#include "dialects/dist/EdgeKey.h"
#include "dialects/graph/Ops.h"
#include "passes/dist/Passes.h"
#include "passes/dist/WaitCircle.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_VERIFYCHANNELSPASS
#include "passes/dist/Passes.h.inc"

namespace {

class Channels {
public:
  explicit Channels(Block &body) : body_(body) {}

  LogicalResult verify() {
    return success(succeeded(verifyForm()) && succeeded(collect()) &&
                   succeeded(verifySends()) && succeeded(verifyRecvs()) &&
                   succeeded(verifyLocals()) && succeeded(verifyOrder()));
  }

private:
  LogicalResult verifyForm();
  LogicalResult collect();
  LogicalResult verifySends();
  LogicalResult verifySend(SendOp send);
  LogicalResult verifyPair(SendOp send, RecvOp recv);
  LogicalResult verifyRecvs();
  LogicalResult verifyRecv(RecvOp recv);
  LogicalResult verifyConsumer(RecvOp recv, OpOperand &use, PartitionOp first);
  LogicalResult verifyLocals();
  LogicalResult verifyLocal(PartitionOp partition, unsigned index,
                            PartitionOp producer);
  LogicalResult verifyOrder();

  InFlightDiagnostic edgeError(Operation *end, StringRef key) {
    return coded(end->emitError("edge '"), Code::BadPhase) << key << "': ";
  }
  /// Adds where the edge's other end is, and fails.
  LogicalResult fail(InFlightDiagnostic error, Operation *other) {
    if (other)
      error.attachNote(other->getLoc()) << "the other end is here";
    return error;
  }
  /// The same for a wrong order: adds who would wait for whom, if that is a
  /// circle.
  LogicalResult failOrder(InFlightDiagnostic error, Operation *other) {
    error.attachNote(other->getLoc()) << "the other end is here";
    auto circle = findWaitCircle(body_);
    for (auto [index, wait] : llvm::enumerate(circle))
      error.attachNote(wait.op->getLoc())
          << (index == 0 ? "so the plan would wait for ever: " : "")
          << wait.text
          << (index + 1 == circle.size() ? ", the first of these" : "");
    return error;
  }
  Operation *sendOf(StringRef key) { return sends_.lookup(key).getOperation(); }
  Operation *recvOf(StringRef key) { return recvs_.lookup(key).getOperation(); }

  Block &body_;
  llvm::StringMap<SendOp> sends_;
  llvm::StringMap<RecvOp> recvs_;
};

LogicalResult Channels::verifyForm() {
  for (Operation &op : body_)
    if (!isa<PartitionOp, SendOp, RecvOp>(op))
      return coded(
          op.emitOpError("is in no partition; a function of this phase holds "
                         "dist.partition, dist.send and dist.recv"),
          Code::BadPhase);
  return success();
}

template <typename Op>
LogicalResult insertOnce(Op op, llvm::StringMap<Op> &known) {
  auto [place, isNew] = known.try_emplace(op.getKey(), op);
  if (isNew)
    return success();
  InFlightDiagnostic error = coded(op->emitError("edge '"), Code::BadPhase)
                             << op.getKey() << "': has a second "
                             << op->getName() << "; a key is used once";
  error.attachNote(place->second.getLoc()) << "the first is here";
  return error;
}

LogicalResult Channels::collect() {
  for (Operation &op : body_) {
    if (auto send = dyn_cast<SendOp>(op);
        send && failed(insertOnce(send, sends_)))
      return failure();
    if (auto recv = dyn_cast<RecvOp>(op);
        recv && failed(insertOnce(recv, recvs_)))
      return failure();
  }
  return success();
}

LogicalResult Channels::verifySends() {
  for (auto send : body_.getOps<SendOp>())
    if (failed(verifySend(send)))
      return failure();
  return success();
}

LogicalResult Channels::verifySend(SendOp send) {
  StringRef text = send.getKey();
  EdgeKey key = *EdgeKey::parse(text); // the op's verifier checked it
  auto producer = send.getValue().getDefiningOp<PartitionOp>();
  if (!producer)
    return fail(edgeError(send, text)
                    << "dist.send sends what no partition made",
                recvOf(text));
  StringRef name =
      producer.resultName(cast<OpResult>(send.getValue()).getResultNumber());
  if (name != key.name)
    return fail(edgeError(send, text)
                    << "dist.send sends '" << name << "', but the key names '"
                    << key.name << "'",
                recvOf(text));
  if (send.getDevice().taskString() != key.source ||
      send.getTo().taskString() != key.target)
    return fail(edgeError(send, text)
                    << "dist.send leads from " << send.getDevice().taskString()
                    << " to " << send.getTo().taskString(),
                recvOf(text));
  RecvOp recv = recvs_.lookup(text);
  if (!recv)
    return fail(edgeError(send, text)
                    << send.getDevice().taskString() << " sends "
                    << send.getTensor() << ", but no dist.recv on "
                    << send.getTo().taskString() << " has this key",
                nullptr);
  return verifyPair(send, recv);
}

LogicalResult Channels::verifyPair(SendOp send, RecvOp recv) {
  StringRef key = send.getKey();
  if (send.getTensor() != recv.getTensor())
    return fail(edgeError(recv, key)
                    << "dist.recv expects " << recv.getTensor()
                    << ", but dist.send sends " << send.getTensor(),
                send);
  if (send.getDevice() != recv.getFrom() || send.getTo() != recv.getDevice())
    return fail(edgeError(recv, key)
                    << "dist.recv on " << recv.getDevice().toString()
                    << " expects it from " << recv.getFrom().toString()
                    << ", but dist.send leads from "
                    << send.getDevice().toString() << " to "
                    << send.getTo().toString(),
                send);
  auto onWire = [](auto end) { // G7: both round, or none does
    return end.getWire().value_or(end.getTensor().getElementType());
  };
  if (onWire(send) != onWire(recv))
    return fail(edgeError(recv, key)
                    << "dist.recv expects " << onWire(recv)
                    << " on the wire, but dist.send sends " << onWire(send),
                send);
  if (recv->isBeforeInBlock(send))
    return failOrder(edgeError(recv, key)
                         << "dist.recv stands before dist.send; the "
                            "text is an order of execution",
                     send);
  return success();
}

LogicalResult Channels::verifyRecvs() {
  for (auto recv : body_.getOps<RecvOp>())
    if (failed(verifyRecv(recv)))
      return failure();
  return success();
}

LogicalResult Channels::verifyRecv(RecvOp recv) {
  StringRef text = recv.getKey();
  if (!sendOf(text))
    return fail(edgeError(recv, text)
                    << recv.getDevice().taskString() << " expects "
                    << recv.getTensor() << ", but no dist.send on "
                    << recv.getFrom().taskString() << " has this key",
                nullptr);
  PartitionOp first;
  for (OpOperand &use : recv.getResult().getUses()) {
    if (failed(verifyConsumer(recv, use, first)))
      return failure();
    first = cast<PartitionOp>(use.getOwner());
  }
  if (!first)
    return fail(edgeError(recv, text)
                    << "no partition takes what dist.recv brings",
                sendOf(text));
  return success();
}

LogicalResult Channels::verifyConsumer(RecvOp recv, OpOperand &use,
                                       PartitionOp first) {
  StringRef text = recv.getKey();
  EdgeKey key = *EdgeKey::parse(text);
  // A send would have been refused, since no partition made what it sends.
  auto partition = cast<PartitionOp>(use.getOwner());
  unsigned index = use.getOperandNumber();
  if (partition.operandName(index) != key.name)
    return fail(edgeError(recv, text)
                    << "the key names '" << key.name
                    << "', but the partition on "
                    << partition.getDevice().toString() << " takes it as '"
                    << partition.operandName(index) << "'",
                sendOf(text));
  if (partition.source(index) != recv.getFrom() ||
      partition.getSlots()[index] != key.slot)
    return fail(edgeError(recv, text)
                    << "the partition on " << partition.getDevice().toString()
                    << " takes '" << key.name << "' over edge '"
                    << partition.edgeOf(index) << "'",
                sendOf(text));
  if (first && first.getActivation() != partition.getActivation())
    return fail(edgeError(recv, text)
                    << "two activations take it; each needs an "
                       "edge of its own",
                sendOf(text));
  return success();
}

/// What stays on a device stays in one activation, under its name.
LogicalResult Channels::verifyLocals() {
  for (auto partition : body_.getOps<PartitionOp>())
    for (auto [index, operand] : llvm::enumerate(partition.getInputs()))
      if (auto producer = operand.getDefiningOp<PartitionOp>())
        if (failed(verifyLocal(partition, index, producer)))
          return failure();
  return success();
}

LogicalResult Channels::verifyLocal(PartitionOp partition, unsigned index,
                                    PartitionOp producer) {
  Value operand = partition.getInputs()[index];
  StringRef name =
      producer.resultName(cast<OpResult>(operand).getResultNumber());
  if (std::string edge = partition.edgeOf(index); !edge.empty())
    return edgeError(partition, edge)
           << "the partition on " << partition.getDevice().toString()
           << " takes \"" << name << "\" from the device itself";
  if (producer.getActivation() != partition.getActivation())
    return coded(partition.emitOpError("takes \""), Code::BadPhase)
           << name << "\" in activation "
           << stringifyActivation(partition.getActivation())
           << ", but it is made in "
           << stringifyActivation(producer.getActivation());
  if (name != partition.operandName(index))
    return coded(partition.emitOpError("takes \""), Code::BadPhase)
           << name << "\" as \"" << partition.operandName(index) << "\"";
  return success();
}

/// Both ends of a pair of tasks see its edges in one order.
LogicalResult Channels::verifyOrder() {
  llvm::MapVector<std::pair<DeviceAttr, DeviceAttr>, SmallVector<SendOp>> sent;
  llvm::DenseMap<std::pair<DeviceAttr, DeviceAttr>, size_t> received;
  for (auto send : body_.getOps<SendOp>())
    sent[{send.getDevice(), send.getTo()}].push_back(send);
  for (auto recv : body_.getOps<RecvOp>()) {
    auto pair = std::make_pair(recv.getFrom(), recv.getDevice());
    SendOp expected = sent[pair][received[pair]++];
    if (expected.getKey() != recv.getKey())
      return failOrder(edgeError(recv, recv.getKey())
                           << "dist.recv is out of order: "
                           << recv.getFrom().taskString() << " sends '"
                           << expected.getKey() << "' first",
                       expected);
  }
  return success();
}

struct VerifyChannels : impl::VerifyChannelsPassBase<VerifyChannels> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (auto func : getOperation().getOps<graph::FuncOp>())
      if (failed(Channels(func.getBody().front()).verify()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace dtc::dist

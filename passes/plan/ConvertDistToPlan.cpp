// convert-dist-to-plan: partitions → programs.
//
// A task's partitions of one activation come together in the order of the
// text, which is a topological order of the whole function; sends and recvs
// keep their places in it. So both ends of a channel see one order.
#include <cmath>
#include <map>

#include "dialects/dist/Dist.h"
#include "dialects/dist/EdgeKey.h"
#include "dialects/graph/Dialect.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Ops.h"
#include "dialects/plan/Origin.h"
#include "mlir/IR/IRMapping.h"
#include "passes/plan/Initializers.h"
#include "passes/plan/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace dtc::plan {
#define GEN_PASS_DEF_CONVERTDISTTOPLAN
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc;
using namespace dtc::plan;

namespace {

TaskAttr taskOf(dist::DeviceAttr device) {
  return TaskAttr::get(device.getContext(), device.getJob(), device.getTask());
}

ActivationKind kindOf(dist::Activation activation) {
  switch (activation) {
  case dist::Activation::Step:
    return ActivationKind::Step;
  case dist::Activation::Serve:
    return ActivationKind::Serve;
  case dist::Activation::Apply:
    return ActivationKind::Apply;
  }
  llvm_unreachable("every activation has a kind");
}

bool isAsync(ModuleOp module) {
  auto update = module->getAttrOfType<dist::UpdateAttr>(dist::updateAttrName);
  return update && update.getValue() == dist::Update::Async;
}

/// Converts one entry point.
class EntryConverter {
public:
  EntryConverter(graph::FuncOp func, OpBuilder &builder)
      : func_(func), isAsync_(isAsync(func->getParentOfType<ModuleOp>())),
        entry_(createEntry(func, builder)) {}

  LogicalResult convert() {
    declare();
    for (Operation &op : func_.getBody().front())
      if (failed(convert(op)))
        return failure();
    sortPrograms();
    return success();
  }

private:
  /// Where instructions of one (task, activation) go, and what it has already
  /// loaded.
  struct Target {
    ActivationOp activation;
    IRMapping values;
    std::map<std::string, Value> variables;
    std::map<std::string, Value> copies; // of those that are sent
    Value replicaIndex;
    OpBuilder builder() {
      return OpBuilder::atBlockEnd(&activation.getBody().front());
    }
  };

  static EntryOp createEntry(graph::FuncOp func, OpBuilder &builder);
  void declare();
  LogicalResult convert(Operation &op);
  LogicalResult convertPartition(dist::PartitionOp partition);
  LogicalResult convertRecv(dist::RecvOp recv);
  LogicalResult convertSend(dist::SendOp send);
  Value copyOfRead(Value value, Target &target);
  void convertBodyOp(Operation &op, Target &target);
  Operation *instructionFor(Operation &op, Target &target);
  Target &target(TaskAttr task, ActivationKind kind);
  FailureOr<Value> valueIn(Target &target, Value placed, Operation *user);
  void sortPrograms();

  graph::FuncOp func_;
  const bool isAsync_; // replicas' pushes take effect one by one
  EntryOp entry_;
  DenseMap<Operation *, int64_t> inputs_; // graph.input → its number
  std::map<std::pair<std::string, int>, std::map<ActivationKind, Target>>
      targets_;
};

EntryOp EntryConverter::createEntry(graph::FuncOp func, OpBuilder &builder) {
  auto replicas = func->getAttrOfType<IntegerAttr>(dist::replicasAttrName);
  bool updates =
      func.walk([](graph::AssignOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  auto epochs = func->getAttrOfType<IntegerAttr>(graph::epochsAttrName);
  auto entry = EntryOp::create(builder, func.getLoc(), func.getSymName(),
                               replicas ? replicas.getInt() : 1, updates,
                               epochs ? epochs.getInt() : 0);
  entry.getBody().emplaceBlock();
  return entry;
}

void EntryConverter::declare() {
  OpBuilder builder = OpBuilder::atBlockEnd(&entry_.getBody().front());
  for (BlockArgument feed : func_.getBody().getArguments())
    FeedOp::create(builder, feed.getLoc(), graph::nameOf(feed), feed.getType());
  func_.walk([&](graph::OutputOp output) {
    FetchOp::create(builder, output.getLoc(), output.getOutputName(),
                    output.getValue().getType());
  });
  func_.walk([&](graph::InputOp input) {
    inputs_[input] = inputs_.size();
    SmallVector<Attribute> columns, types;
    for (auto column : input.getColumns().getAsRange<graph::ColumnAttr>())
      columns.push_back(ColumnAttr::get(
          input.getContext(), column.getName(), column.getFirst(),
          column.getEnd() - column.getFirst(), column.getScale(),
          column.getMin(), column.getMax()));
    for (Type type : input.getResultTypes())
      types.push_back(TypeAttr::get(type));
    auto number = [&](StringRef name, int64_t otherwise) {
      auto attr = input->getAttrOfType<IntegerAttr>(name);
      return attr ? attr.getInt() : otherwise;
    };
    InputOp::create(
        builder, input.getLoc(), input.getDataset(),
        input.getPath().value_or(""), input.getFirstRow(), input.getEndRow(),
        cast<RankedTensorType>(input.getResult(0).getType()).getDimSize(0),
        input.getShuffle(), number(graph::blockAttrName, 0),
        number(graph::blocksAttrName, 1), builder.getArrayAttr(columns),
        builder.getArrayAttr(types));
  });
  for (auto send : func_.getBody().front().getOps<dist::SendOp>()) {
    std::optional<dist::EdgeKey> key = dist::EdgeKey::parse(send.getKey());
    EdgeOp::create(builder, send.getLoc(), send.getKey(),
                   key ? key->name : send.getKey().str(), send.getTensor(),
                   taskOf(send.getDevice()), taskOf(send.getTo()),
                   send.getReason(), send.getWireAttr());
  }
}

EntryConverter::Target &EntryConverter::target(TaskAttr task,
                                               ActivationKind kind) {
  auto &activations = targets_[{task.getJob().str(), task.getIndex()}];
  Target &target = activations[kind];
  if (target.activation)
    return target;
  // Created at the end of the entry; sortPrograms() gathers them.
  OpBuilder builder = OpBuilder::atBlockEnd(&entry_.getBody().front());
  auto program = ProgramOp::create(builder, func_.getLoc(), task);
  builder.setInsertionPointToEnd(&program.getBody().emplaceBlock());
  target.activation = ActivationOp::create(builder, func_.getLoc(), kind);
  target.activation.getBody().emplaceBlock();
  return target;
}

LogicalResult EntryConverter::convert(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](dist::PartitionOp partition) {
        return convertPartition(partition);
      })
      .Case([&](dist::RecvOp recv) { return convertRecv(recv); })
      .Case([&](dist::SendOp send) { return convertSend(send); })
      .Default([](Operation *other) -> LogicalResult {
        return other->emitOpError(
            "is in no partition; run the dist passes first");
      });
}

FailureOr<Value> EntryConverter::valueIn(Target &target, Value placed,
                                         Operation *user) {
  if (Value value = target.values.lookupOrNull(placed))
    return value;
  auto feed = dyn_cast<BlockArgument>(placed);
  if (!feed) {
    InFlightDiagnostic diag = user->emitOpError(
        "reads a value of another activation; only an edge may carry it there");
    diag.attachNote(placed.getLoc()) << "made here";
    return diag;
  }
  OpBuilder builder = target.builder();
  Value read = ReadFeedOp::create(builder, feed.getLoc(), feed.getType(),
                                  graph::nameOf(feed), nullptr, nullptr);
  target.values.map(placed, read);
  return read;
}

LogicalResult EntryConverter::convertPartition(dist::PartitionOp partition) {
  Target &to =
      target(taskOf(partition.getDevice()), kindOf(partition.getActivation()));
  Block *body = partition.getBlock();
  for (auto [operand, argument] :
       llvm::zip_equal(partition.getInputs(), body->getArguments())) {
    FailureOr<Value> value = valueIn(to, operand, partition);
    if (failed(value))
      return failure();
    to.values.map(argument, *value);
  }
  for (Operation &op : llvm::make_early_inc_range(body->without_terminator()))
    convertBodyOp(op, to);
  for (auto [output, yielded] : llvm::zip_equal(
           partition.getOutputs(), body->getTerminator()->getOperands()))
    to.values.map(output, to.values.lookupOrDefault(yielded));
  return success();
}

LogicalResult EntryConverter::convertRecv(dist::RecvOp recv) {
  if (recv.getResult().use_empty())
    return recv.emitOpError("of '") << recv.getKey() << "' feeds no partition";
  auto user = dyn_cast<dist::PartitionOp>(*recv.getResult().user_begin());
  if (!user)
    return recv.emitOpError("of '")
           << recv.getKey() << "' must feed a partition";
  Target &to = target(taskOf(recv.getDevice()), kindOf(user.getActivation()));
  OpBuilder builder = to.builder();
  to.values.map(recv.getResult(),
                RecvOp::create(builder, recv.getLoc(), recv.getTensor(),
                               recv.getKey(), nullptr, nullptr)
                    .getValue());
  return success();
}

LogicalResult EntryConverter::convertSend(dist::SendOp send) {
  auto producer = send.getValue().getDefiningOp<dist::PartitionOp>();
  if (!producer)
    return send.emitOpError("of '")
           << send.getKey() << "' must send what a partition made";
  Target &to =
      target(taskOf(send.getDevice()), kindOf(producer.getActivation()));
  Value value = to.values.lookup(send.getValue());
  if (isAsync_ && kindOf(producer.getActivation()) != ActivationKind::Apply)
    value = copyOfRead(value, to);
  OpBuilder builder = to.builder();
  SendOp::create(builder, send.getLoc(), send.getKey(), value, nullptr);
  return success();
}

/// The instruction stands for `op`, perhaps among others.
void addDecision(Operation *instruction, Operation &op) {
  std::string name = originNameOf(op.getLoc());
  auto reason = op.getAttrOfType<dist::ReasonAttr>(dist::reasonAttrName);
  if (!reason)
    return;
  SmallVector<DecisionAttr> decisions = decisionsOf(instruction);
  decisions.push_back(DecisionAttr::get(
      op.getContext(), name.empty() ? graph::nameOf(&op) : name,
      /*node=*/0, reason.getText()));
  setDecisions(instruction, decisions);
}

/// With update async a push may change a variable while it is being sent: what
/// is sent is a copy, made as soon as it is read, with all others.
Value EntryConverter::copyOfRead(Value value, Target &to) {
  auto load = value.getDefiningOp<LoadVariableOp>();
  if (!load)
    return value;
  Value &copy = to.copies[load.getVariable().str()];
  if (!copy) {
    OpBuilder builder(load->getContext());
    builder.setInsertionPointAfter(load);
    copy = graph::ReshapeOp::create(builder, value.getLoc(), value.getType(),
                                    value);
  }
  return copy;
}

void EntryConverter::convertBodyOp(Operation &op, Target &to) {
  if (Operation *instruction = instructionFor(op, to))
    return addDecision(instruction, op);
  // A computation: goes on as it is, until kernels form.
  for (OpOperand &operand : op.getOpOperands())
    operand.set(to.values.lookupOrDefault(operand.get()));
  Block &block = to.activation.getBody().front();
  op.moveBefore(&block, block.end());
}

/// What has an instruction of its own kind; null for a computation.
Operation *EntryConverter::instructionFor(Operation &op, Target &to) {
  OpBuilder builder = to.builder();
  Location loc = op.getLoc();
  auto mapped = [&](Value value) { return to.values.lookupOrDefault(value); };
  return llvm::TypeSwitch<Operation *, Operation *>(&op)
      .Case([&](graph::ReadOp read) {
        Value &loaded = to.variables[read.getVariable().str()];
        if (!loaded)
          loaded = LoadVariableOp::create(builder, loc, read.getType(),
                                          read.getVariableAttr(), nullptr);
        to.values.map(read.getResult(), loaded);
        return loaded.getDefiningOp();
      })
      .Case([&](graph::AssignOp assign) {
        Value value = mapped(assign.getValue());
        // A loaded value is another variable's storage, which may be stored
        // first; two variables may even take each other's value.
        if (value.getDefiningOp<LoadVariableOp>())
          value = graph::ReshapeOp::create(builder, value.getLoc(),
                                           value.getType(), value);
        return StoreVariableOp::create(builder, loc, assign.getVariableAttr(),
                                       value, nullptr);
      })
      .Case([&](graph::InputOp input) {
        auto read =
            ReadInputOp::create(builder, loc, input.getResultTypes(),
                                inputs_.lookup(input), nullptr, nullptr);
        to.values.map(input.getResults(), read.getColumns());
        return read;
      })
      .Case([&](graph::OutputOp output) {
        return WriteFetchOp::create(builder, loc, output.getOutputName(),
                                    mapped(output.getValue()), nullptr);
      })
      .Case([&](dist::AccumulateOp accumulate) {
        return AccumulateOp::create(builder, loc, accumulate.getAccumulator(),
                                    mapped(accumulate.getValue()), nullptr);
      })
      .Case([&](dist::TakeOp take) {
        auto taken =
            TakeOp::create(builder, loc, take.getType(), take.getAccumulator(),
                           take.getConcat(), nullptr, nullptr);
        to.values.map(take.getResult(), taken.getValue());
        return taken;
      })
      .Case([&](graph::ReplicaIndexOp index) {
        if (!to.replicaIndex)
          to.replicaIndex = ReplicaIndexOp::create(
              builder, loc, index.getType(), nullptr, nullptr);
        to.values.map(index.getResult(), to.replicaIndex);
        return to.replicaIndex.getDefiningOp();
      })
      .Default([](Operation *) { return nullptr; });
}

void EntryConverter::sortPrograms() {
  // Tasks in the order of their names, template first; step, serve, apply.
  Block &body = entry_.getBody().front();
  for (auto &[task, activations] : targets_) {
    ProgramOp program;
    for (auto &[kind, target] : activations) {
      auto own = cast<ProgramOp>(target.activation->getParentOp());
      if (!program) {
        program = own;
        program->moveBefore(&body, body.end());
        continue;
      }
      target.activation->moveBefore(&program.getBody().front(),
                                    program.getBody().front().end());
      own.erase();
    }
  }
}

/// Replaces the module's dist attributes by the plan's.
void convertHeader(ModuleOp module) {
  MLIRContext *ctx = module.getContext();
  auto cluster =
      module->getAttrOfType<dist::ClusterAttr>(dist::clusterAttrName);
  auto mode = module->getAttrOfType<dist::ModeAttr>(dist::modeAttrName);
  auto update = module->getAttrOfType<dist::UpdateAttr>(dist::updateAttrName);
  SmallVector<Attribute> jobs;
  for (dist::JobAttr job : cluster.getJobs())
    jobs.push_back(JobAttr::get(ctx, job.getName(), job.getTasks(), "cpu"));
  module->setAttr("plan.jobs", ArrayAttr::get(ctx, jobs));
  auto modeSymbol = symbolizeMode(dist::stringifyMode(mode.getValue()));
  auto updateSymbol = symbolizeUpdate(dist::stringifyUpdate(update.getValue()));
  module->setAttr("plan.mode", ModeAttr::get(ctx, *modeSymbol));
  module->setAttr("plan.update", UpdateAttr::get(ctx, *updateSymbol));
  for (StringRef name : {dist::clusterAttrName, dist::modeAttrName,
                         dist::updateAttrName, dist::wireTypeAttrName})
    module->removeAttr(name);
}

/// Which part of a variable it is; null for a whole one.
ShardAttr shardOf(graph::VariableOp variable) {
  auto part = variable->getAttrOfType<dist::ShardAttr>(dist::shardAttrName);
  return part ? ShardAttr::get(variable.getContext(), part.getWhole(),
                               part.getShape(), part.getAxis(), part.getIndex(),
                               part.getCount(), part.getInterleaved())
              : ShardAttr();
}

LogicalResult convertVariables(ModuleOp module, OpBuilder &builder) {
  SmallVector<graph::VariableOp> variables(module.getOps<graph::VariableOp>());
  // Name order is what a plan's readers and digests rely on.
  llvm::sort(variables, [](graph::VariableOp a, graph::VariableOp b) {
    return a.getSymName() < b.getSymName();
  });
  for (graph::VariableOp variable : variables) {
    auto device =
        variable->getAttrOfType<dist::DeviceAttr>(dist::deviceAttrName);
    if (!device)
      return variable.emitOpError("has no device; run the dist passes first");
    auto home = VariableOp::create(builder, variable.getLoc(),
                                   variable.getSymName(), variable.getType(),
                                   taskOf(device), resolveInitializer(variable),
                                   variable.getSlot(), shardOf(variable));
    if (auto reason =
            variable->getAttrOfType<dist::ReasonAttr>(dist::reasonAttrName))
      home->setAttr(reasonAttrName, builder.getStringAttr(reason.getText()));
  }
  // Only now: the builder stands before the first of them.
  for (graph::VariableOp variable : variables)
    variable.erase();
  return success();
}

struct ConvertDistToPlanPass
    : dtc::plan::impl::ConvertDistToPlanBase<ConvertDistToPlanPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module->hasAttr(dist::clusterAttrName)) {
      module.emitError("has no dist.cluster; run the dist passes first");
      return signalPassFailure();
    }
    SmallVector<graph::FuncOp> funcs(module.getOps<graph::FuncOp>());
    OpBuilder builder(module.getContext());
    builder.setInsertionPointToStart(module.getBody());
    if (failed(convertVariables(module, builder)))
      return signalPassFailure();
    builder.setInsertionPointToEnd(module.getBody());
    for (graph::FuncOp func : funcs) {
      if (failed(EntryConverter(func, builder).convert()))
        return signalPassFailure();
      func.erase();
    }
    convertHeader(module);
  }
};

} // namespace

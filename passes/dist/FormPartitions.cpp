// dist-form-partitions: a flat entry becomes partitions and transfers.
#include "dialects/graph/Wishes.h"
#include "passes/dist/Fragments.h"
#include "passes/dist/NameTable.h"
#include "passes/dist/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_FORMPARTITIONSPASS
#include "passes/dist/Passes.h.inc"

namespace {

int64_t slotOf(Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result ? result.getResultNumber() : 0;
}

/// The partition says where its ops are; why, each op goes on saying.
void removeDecisions(Operation *op) {
  auto isDecision = [](NamedAttribute attribute) {
    StringRef names[] = {deviceAttrName, activationAttrName, towerAttrName,
                         followsAttrName, graph::colocateWishName};
    return llvm::is_contained(names, attribute.getName().getValue());
  };
  op->setDiscardableAttrs(llvm::to_vector(llvm::make_filter_range(
      op->getDiscardableAttrs(), std::not_fn(isDecision))));
}

class PartitionBuilder {
public:
  explicit PartitionBuilder(graph::FuncOp func)
      : func_(func), names_(func), fragments_(func) {}

  void build() {
    findConsumers();
    for (size_t index = 0; index < fragments_.list().size(); ++index)
      build(index);
    // Constants have been copied to where they are used.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(func_.getBody().front())))
      if (isa<graph::ConstantOp>(op))
        op.erase();
  }

private:
  void findConsumers();
  void build(size_t index);
  llvm::SetVector<Value> inputsOf(size_t index);
  llvm::SetVector<Value> outputsOf(size_t index);
  Value outside(Value value, size_t index);
  PartitionOp create(size_t index, ArrayRef<Value> inputs,
                     ArrayRef<Value> outputs);
  void fill(PartitionOp partition, ArrayRef<Value> inputs,
            ArrayRef<Value> outputs, const Fragment &fragment);
  void copyConstants(Operation *op, OpBuilder &builder, IRMapping &copies);
  void handOver(PartitionOp partition, ArrayRef<Value> outputs, size_t index);
  Value transfer(Value placed, Value value, Operation *consumer,
                 const Site &target);
  const Fragment &fragment(size_t index) { return fragments_.list()[index]; }

  /// The first op of a fragment that takes a value.
  using Consumers = llvm::MapVector<size_t, Operation *>;

  graph::FuncOp func_;
  NameTable names_;
  Fragments fragments_;
  llvm::DenseMap<Value, Consumers> consumers_; // in other fragments
  llvm::DenseMap<std::pair<Value, size_t>, Value> available_; // to a fragment
  // What the values were before their ops moved into a body.
  llvm::DenseMap<Value, DeviceAttr> madeOn_;
};

/// True for a feed that the fragment takes directly, and for what it makes.
void PartitionBuilder::findConsumers() {
  for (auto [index, fragment] : llvm::enumerate(fragments_.list()))
    for (Operation *op : fragment.ops)
      for (Value operand : op->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        if (definition ? !isa<graph::ConstantOp>(definition) &&
                             fragments_.indexOf(definition) != index
                       : fragments_.isRemoteFeed(op))
          consumers_[operand].insert({index, op});
      }
}

llvm::SetVector<Value> PartitionBuilder::inputsOf(size_t index) {
  llvm::SetVector<Value> inputs;
  for (BlockArgument feed : fragment(index).relays)
    inputs.insert(feed);
  for (Operation *op : fragment(index).ops)
    for (Value operand : op->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (!definition || (!isa<graph::ConstantOp>(definition) &&
                          fragments_.indexOf(definition) != index))
        inputs.insert(operand);
    }
  return inputs;
}

llvm::SetVector<Value> PartitionBuilder::outputsOf(size_t index) {
  llvm::SetVector<Value> outputs;
  for (BlockArgument feed : fragment(index).relays)
    outputs.insert(feed);
  for (Operation *op : fragment(index).ops)
    for (Value result : op->getResults())
      if (consumers_.contains(result))
        outputs.insert(result);
  return outputs;
}

/// The value as the partition `index` takes it: placed, or the feed itself.
Value PartitionBuilder::outside(Value value, size_t index) {
  Value placed = available_.lookup({value, index});
  return placed ? placed : value;
}

PartitionOp PartitionBuilder::create(size_t index, ArrayRef<Value> inputs,
                                     ArrayRef<Value> outputs) {
  const Site &site = fragment(index).site;
  Builder attrs(func_.getContext());
  SmallVector<Value> operands;
  SmallVector<Attribute> names, sources, resultNames;
  SmallVector<int64_t> slots;
  SmallVector<Type> results;
  for (Value input : inputs) {
    operands.push_back(outside(input, index));
    names.push_back(attrs.getStringAttr(graph::nameOf(input)));
    bool isFeed = operands.back() == input;
    sources.push_back(isFeed ? Attribute(attrs.getUnitAttr())
                             : madeOn_.lookup(input));
    slots.push_back(slotOf(input));
  }
  for (Value output : outputs) {
    resultNames.push_back(attrs.getStringAttr(graph::nameOf(output)));
    results.push_back(PlacedType::get(func_.getContext(),
                                      cast<RankedTensorType>(output.getType()),
                                      site.device));
    madeOn_[output] = site.device;
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&func_.getBody().front());
  Location loc = fragment(index).ops.empty()
                     ? inputs.front().getLoc()
                     : fragment(index).ops.front()->getLoc();
  return PartitionOp::create(
      builder, graph::withoutNames(loc), results, operands, site.device,
      ActivationAttr::get(func_.getContext(), site.activation),
      attrs.getArrayAttr(names), attrs.getArrayAttr(sources),
      attrs.getDenseI64ArrayAttr(slots), attrs.getArrayAttr(resultNames));
}

void PartitionBuilder::copyConstants(Operation *op, OpBuilder &builder,
                                     IRMapping &copies) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto constant = operand.get().getDefiningOp<graph::ConstantOp>();
    if (!constant || constant->getBlock() != &func_.getBody().front())
      continue;
    if (!copies.contains(constant.getResult())) {
      Operation *copy = builder.clone(*constant, copies);
      removeDecisions(copy);
      setReason(copy, "a constant: copied to where it is used");
    }
    operand.set(copies.lookup(constant.getResult()));
  }
}

/// Moves the ops into the body; their operands become the block's arguments.
void PartitionBuilder::fill(PartitionOp partition, ArrayRef<Value> inputs,
                            ArrayRef<Value> outputs, const Fragment &fragment) {
  Block &body = partition.getBody().emplaceBlock();
  IRMapping arguments, copies;
  for (Value input : inputs)
    arguments.map(input,
                  body.addArgument(input.getType(),
                                   graph::namedLocation(graph::nameOf(input),
                                                        input.getLoc())));
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  for (Operation *op : fragment.ops) {
    copyConstants(op, builder, copies);
    op->moveBefore(&body, body.end());
    for (OpOperand &operand : op->getOpOperands())
      operand.set(arguments.lookupOrDefault(operand.get()));
    removeDecisions(op);
  }
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(arguments.lookupOrDefault(output));
  YieldOp::create(builder, partition.getLoc(), yielded);
}

/// Makes the outputs known to the partitions that take them.
void PartitionBuilder::handOver(PartitionOp partition, ArrayRef<Value> outputs,
                                size_t index) {
  const Site &site = fragment(index).site;
  for (auto [output, placed] : llvm::zip_equal(outputs, partition.getOutputs()))
    for (auto [consumer, op] : consumers_[output]) {
      // A feed may enter by more than one relay; each serves its own kind.
      if (isa<BlockArgument>(output) && !(fragments_.entryOf(op) == site))
        continue;
      const Site &target = fragment(consumer).site;
      available_[{output, consumer}] =
          target == site ? Value(placed) : transfer(placed, output, op, target);
    }
}

Value PartitionBuilder::transfer(Value placed, Value value, Operation *consumer,
                                 const Site &target) {
  OpBuilder builder = OpBuilder::atBlockEnd(&func_.getBody().front());
  auto type = cast<PlacedType>(placed.getType());
  std::string made = "made on ";
  if (isa<BlockArgument>(value))
    made = "fed to the chief, ";
  else if (value.getDefiningOp<graph::ReadOp>())
    made = "lives on ";
  std::string reason = made + type.getDevice().taskString() + "; " +
                       describe(consumer) + " on " +
                       target.device.taskString() + " takes it";
  std::string name = graph::nameOf(value);
  return TransferOp::create(
      builder, graph::namedLocation(name, value.getLoc()),
      PlacedType::get(type.getContext(), type.getTensor(), target.device),
      placed, builder.getStringAttr(name),
      builder.getI64IntegerAttr(slotOf(value)),
      ActivationAttr::get(func_.getContext(), target.activation),
      builder.getStringAttr(reason), /*wire=*/nullptr);
}

void PartitionBuilder::build(size_t index) {
  llvm::SetVector<Value> inputs = inputsOf(index), outputs = outputsOf(index);
  PartitionOp partition =
      create(index, inputs.getArrayRef(), outputs.getArrayRef());
  fill(partition, inputs.getArrayRef(), outputs.getArrayRef(), fragment(index));
  handOver(partition, outputs.getArrayRef(), index);
}

struct FormPartitions : impl::FormPartitionsPassBase<FormPartitions> {
  void runOnOperation() override {
    if (failed(requireHeader(getOperation())))
      return signalPassFailure();
    for (auto variable : getOperation().getOps<graph::VariableOp>())
      variable->removeAttr(graph::colocateWishName);
    for (auto func : getOperation().getOps<graph::FuncOp>())
      PartitionBuilder(func).build();
  }
};

} // namespace
} // namespace dtc::dist

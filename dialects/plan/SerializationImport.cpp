// plan.proto → plan dialect. The plan was validated: every index is in range.
#include "dialects/plan/Serialization.h"

#include "dialects/plan/Origin.h"
#include "dialects/plan/Plan.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "runtime/plan/Instructions.h"

using namespace mlir;

namespace dtc::plan {
namespace {

class Importer {
public:
  Importer(const PlanContents &contents, MLIRContext &context)
      : plan_(contents.plan), members_(contents.members), context_(context),
        builder_(&context),
        module_(ModuleOp::create(builder_.getUnknownLoc(), plan_.name())) {}

  FailureOr<OwningOpRef<ModuleOp>> run() {
    builder_.setInsertionPointToEnd(module_->getBody());
    importHeader();
    for (const proto::Variable &variable : plan_.variables())
      importVariable(variable);
    for (const proto::Kernel &kernel : plan_.kernels())
      importKernel(kernel);
    for (const proto::CodeObject &object : plan_.objects())
      importCode(object);
    for (const proto::Entry &entry : plan_.entries())
      importEntry(entry);
    return std::move(module_);
  }

private:
  void importHeader();
  void importVariable(const proto::Variable &variable);
  ShardAttr importShard(const proto::Variable &variable);
  Attribute importInitializer(const proto::Variable &variable);
  void importKernel(const proto::Kernel &kernel);
  void importNode(const proto::Node &node, SmallVectorImpl<Value> &values);
  Attribute importAttribute(const proto::Attribute &attribute, Type type);
  void importCode(const proto::CodeObject &object);
  void importEntry(const proto::Entry &entry);
  void importInput(const proto::Input &input);
  void importActivation(const proto::Entry &entry,
                        const proto::Activation &activation);
  void importInstruction(const proto::Entry &entry,
                         const proto::Activation &activation,
                         const proto::Instruction &instruction,
                         MutableArrayRef<Value> buffers);
  void importDecisions(const proto::Entry &entry, Operation *instruction);
  std::string reason(uint32_t number) {
    return number ? plan_.reasons(number - 1) : std::string();
  }

  /// What every instruction has, as MLIR's builders want it.
  struct Site {
    Location loc;
    SmallVector<Value> reads;
    SmallVector<Type> types;
    SmallVector<int64_t> offsets;
    DenseI32ArrayAttr after;
    DenseI64ArrayAttr offsetsAttr;
  };
  Operation *createInstruction(const proto::Entry &entry,
                               const proto::Instruction &from,
                               const Site &site);

  RankedTensorType typeOf(const proto::TensorType &type);
  Type elementOf(proto::ElementType element);
  DenseElementsAttr elementsOf(RankedTensorType type, StringRef bytes);
  TaskAttr taskOf(const proto::Task &task) {
    return TaskAttr::get(&context_, task.job(), task.index());
  }
  Location locationOf(const std::string &name, const std::string &location) {
    return plan::locationOf({name, location}, context_);
  }
  FlatSymbolRefAttr variable(uint32_t number) {
    return symbol(plan_.variables(number).name());
  }
  FlatSymbolRefAttr symbol(const std::string &name) {
    return FlatSymbolRefAttr::get(&context_, name);
  }

  const proto::Plan &plan_;
  const std::map<std::string, std::string> &members_;
  MLIRContext &context_;
  OpBuilder builder_;
  OwningOpRef<ModuleOp> module_;
  // Where the import stands in the current entry.
  proto::Decision at_;
  int nextDecision_ = 0; // they are in the order of the instructions
};

Type Importer::elementOf(proto::ElementType element) {
  switch (element) {
  case proto::F32:
    return builder_.getF32Type();
  case proto::F64:
    return builder_.getF64Type();
  case proto::F16:
    return builder_.getF16Type();
  case proto::BF16:
    return builder_.getBF16Type();
  case proto::I1:
    return builder_.getI1Type();
  case proto::U8:
    return builder_.getIntegerType(8, /*isSigned=*/false);
  case proto::I8:
    return builder_.getI8Type();
  case proto::I32:
    return builder_.getI32Type();
  default:
    return builder_.getI64Type();
  }
}

RankedTensorType Importer::typeOf(const proto::TensorType &type) {
  SmallVector<int64_t> shape(type.shape().begin(), type.shape().end());
  return RankedTensorType::get(shape, elementOf(type.element()));
}

DenseElementsAttr Importer::elementsOf(RankedTensorType type, StringRef bytes) {
  // One element is a splat, in the plan as in an attribute.
  if (type.getElementType().isInteger(1))
    return DenseElementsAttr::get(
        type, SmallVector<bool>(bytes.begin(), bytes.end()));
  // Equal elements that are written out are a splat as well.
  size_t width = type.getElementType().getIntOrFloatBitWidth() / 8;
  bool isSplat = !bytes.empty();
  for (size_t i = width; isSplat && i < bytes.size(); ++i)
    isSplat = bytes[i] == bytes[i - width];
  StringRef raw = isSplat ? bytes.take_front(width) : bytes;
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(raw.data(), raw.size()));
}

void Importer::importHeader() {
  SmallVector<Attribute> jobs;
  for (const proto::Job &job : plan_.jobs())
    jobs.push_back(
        JobAttr::get(&context_, job.name(), job.tasks(), job.device_type()));
  ModuleOp module = *module_;
  module->setAttr("plan.jobs", builder_.getArrayAttr(jobs));
  module->setAttr("plan.mode",
                  ModeAttr::get(&context_, static_cast<Mode>(plan_.mode())));
  module->setAttr(
      "plan.update",
      UpdateAttr::get(&context_, static_cast<Update>(plan_.update())));
  module->setAttr("plan.source_sha256",
                  builder_.getStringAttr(plan_.source_sha256()));
  module->setAttr("plan.compiler_version",
                  builder_.getStringAttr(plan_.compiler_version()));
  SmallVector<StringRef> disabled(plan_.disabled_rewrites().begin(),
                                  plan_.disabled_rewrites().end());
  if (!disabled.empty())
    module->setAttr("plan.disabled_rewrites",
                    builder_.getStrArrayAttr(disabled));
  SmallVector<StringRef> flags(plan_.flags().begin(), plan_.flags().end());
  if (!flags.empty())
    module->setAttr("plan.flags", builder_.getStrArrayAttr(flags));
  if (!plan_.place().empty())
    module->setAttr("plan.place", builder_.getStringAttr(plan_.place()));
}

Attribute Importer::importInitializer(const proto::Variable &variable) {
  const proto::Initializer &from = variable.initializer();
  switch (from.kind_case()) {
  case proto::Initializer::kUniform:
    return UniformAttr::get(&context_, APFloat(from.uniform().low()),
                            APFloat(from.uniform().high()));
  case proto::Initializer::kNormal:
    return NormalAttr::get(&context_, APFloat(from.normal().mean()),
                           APFloat(from.normal().stddev()),
                           from.normal().truncated());
  case proto::Initializer::kConstant:
    return elementsOf(typeOf(variable.type()),
                      members_.at("constants/" + from.constant()));
  default:
    return FillAttr::get(&context_, APFloat(from.fill()));
  }
}

ShardAttr Importer::importShard(const proto::Variable &variable) {
  if (!variable.has_shard())
    return {};
  const proto::Shard &part = variable.shard();
  SmallVector<int64_t> shape(part.shape().begin(), part.shape().end());
  return ShardAttr::get(&context_, part.whole(), shape, part.axis(),
                        part.index(), part.count(), part.interleaved());
}

void Importer::importVariable(const proto::Variable &variable) {
  auto op = VariableOp::create(
      builder_, locationOf("", variable.location()), variable.name(),
      typeOf(variable.type()), taskOf(variable.home()),
      importInitializer(variable), variable.is_slot(), importShard(variable));
  if (variable.reason())
    op->setAttr(reasonAttrName,
                builder_.getStringAttr(reason(variable.reason())));
}

Attribute Importer::importAttribute(const proto::Attribute &attribute,
                                    Type type) {
  switch (attribute.kind_case()) {
  case proto::Attribute::kI:
    return builder_.getI64IntegerAttr(attribute.i());
  case proto::Attribute::kF:
    return builder_.getF64FloatAttr(attribute.f());
  case proto::Attribute::kS:
    return builder_.getStringAttr(attribute.s());
  case proto::Attribute::kType:
    return TypeAttr::get(elementOf(attribute.type()));
  case proto::Attribute::kInts:
    return builder_.getDenseI64ArrayAttr(SmallVector<int64_t>(
        attribute.ints().values().begin(), attribute.ints().values().end()));
  case proto::Attribute::kData:
    return elementsOf(cast<RankedTensorType>(type), attribute.data());
  default:
    return builder_.getUnitAttr();
  }
}

void Importer::importNode(const proto::Node &node,
                          SmallVectorImpl<Value> &values) {
  OperationState state(locationOf(node.name(), node.location()), node.op());
  for (uint32_t operand : node.operands())
    state.operands.push_back(values[operand]);
  for (const proto::TensorType &type : node.results())
    state.types.push_back(typeOf(type));
  // A map has no order; the dictionary sorts by name.
  for (const auto &[name, attribute] : node.attributes())
    state.attributes.append(
        name, importAttribute(attribute,
                              state.types.empty() ? Type() : state.types[0]));
  llvm::append_range(values, builder_.create(state)->getResults());
}

void Importer::importKernel(const proto::Kernel &kernel) {
  auto op =
      KernelOp::create(builder_, builder_.getUnknownLoc(), kernel.name(),
                       kernel.range(), kernel.grain(), kernel.reference_only());
  Block &body = op.getBody().emplaceBlock();
  SmallVector<Value> values;
  for (const proto::TensorType &type : kernel.inputs())
    values.push_back(body.addArgument(typeOf(type), builder_.getUnknownLoc()));
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToEnd(&body);
  for (const proto::Node &node : kernel.body())
    importNode(node, values);
  SmallVector<Value> results;
  for (uint32_t result : kernel.results())
    results.push_back(values[result]);
  YieldOp::create(builder_, builder_.getUnknownLoc(), results);
}

void Importer::importCode(const proto::CodeObject &object) {
  SmallVector<StringRef> features(object.features().begin(),
                                  object.features().end());
  ElementsAttr bytes;
  if (!object.member().empty()) {
    const std::string &member = members_.at(object.member());
    auto type = RankedTensorType::get({static_cast<int64_t>(member.size())},
                                      builder_.getI8Type());
    bytes = DenseResourceElementsAttr::get(
        type, object.target(),
        HeapAsmResourceBlob::allocateAndCopyWithAlign(
            ArrayRef<char>(member.data(), member.size()), 8));
  }
  CodeOp::create(builder_, builder_.getUnknownLoc(), object.target(),
                 builder_.getStrArrayAttr(features), bytes);
}

void Importer::importInput(const proto::Input &input) {
  SmallVector<Attribute> columns, types;
  for (const proto::Column &column : input.columns()) {
    columns.push_back(ColumnAttr::get(
        &context_, column.name(), column.first_field(), column.fields(),
        APFloat(column.scale()), APFloat(column.min()), APFloat(column.max())));
    types.push_back(TypeAttr::get(typeOf(column.type())));
  }
  InputOp::create(builder_, builder_.getUnknownLoc(), input.dataset(),
                  input.default_path(), input.first_row(), input.end_row(),
                  input.batch(), input.shuffle(), input.block(), input.blocks(),
                  builder_.getArrayAttr(columns), builder_.getArrayAttr(types));
}

void Importer::importEntry(const proto::Entry &entry) {
  auto op = EntryOp::create(builder_, builder_.getUnknownLoc(), entry.name(),
                            entry.replicas(), entry.has_updates(),
                            entry.default_epochs());
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  Location unknown = builder_.getUnknownLoc();
  for (const proto::Feed &feed : entry.feeds())
    FeedOp::create(builder_, unknown, feed.name(), typeOf(feed.type()));
  for (const proto::Fetch &fetch : entry.fetches())
    FetchOp::create(builder_, unknown, fetch.name(), typeOf(fetch.type()));
  for (const proto::Input &input : entry.inputs())
    importInput(input);
  for (const proto::Edge &edge : entry.edges())
    EdgeOp::create(builder_, locationOf("", edge.location()), edge.key(),
                   edge.tensor(), typeOf(edge.type()), taskOf(edge.source()),
                   taskOf(edge.target()), edge.reason(),
                   edge.wire() ? TypeAttr::get(elementOf(edge.wire()))
                               : TypeAttr());
  nextDecision_ = 0;
  for (const auto &[number, program] : llvm::enumerate(entry.programs())) {
    at_.set_program(number);
    auto programOp =
        ProgramOp::create(builder_, unknown, taskOf(program.task()));
    OpBuilder::InsertionGuard programGuard(builder_);
    builder_.setInsertionPointToEnd(&programOp.getBody().emplaceBlock());
    for (const auto &[kind, activation] :
         llvm::enumerate(program.activations())) {
      at_.set_activation(kind);
      importActivation(entry, activation);
    }
  }
}

void Importer::importActivation(const proto::Entry &entry,
                                const proto::Activation &activation) {
  auto op = ActivationOp::create(builder_, builder_.getUnknownLoc(),
                                 static_cast<ActivationKind>(activation.kind()),
                                 activation.arena_bytes());
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  SmallVector<Value> buffers(activation.buffers_size());
  for (const auto &[position, instruction] :
       llvm::enumerate(activation.instructions())) {
    at_.set_instruction(position);
    importInstruction(entry, activation, instruction, buffers);
  }
}

void Importer::importDecisions(const proto::Entry &entry,
                               Operation *instruction) {
  SmallVector<DecisionAttr> decisions;
  for (; nextDecision_ < entry.decisions_size(); ++nextDecision_) {
    const proto::Decision &next = entry.decisions(nextDecision_);
    if (next.program() != at_.program() ||
        next.activation() != at_.activation() ||
        next.instruction() != at_.instruction())
      break;
    decisions.push_back(DecisionAttr::get(&context_, next.op(), next.node(),
                                          reason(next.reason())));
  }
  setDecisions(instruction, decisions);
}

void Importer::importInstruction(const proto::Entry &entry,
                                 const proto::Activation &activation,
                                 const proto::Instruction &from,
                                 MutableArrayRef<Value> buffers) {
  Operands operands = operandsOf(from);
  Site site{locationOf(from.name(), from.location()), {}, {}, {}, {}, {}};
  for (uint32_t buffer : operands.reads)
    site.reads.push_back(buffers[buffer]);
  for (uint32_t buffer : operands.writes) {
    site.types.push_back(typeOf(activation.buffers(buffer).type()));
    site.offsets.push_back(activation.buffers(buffer).offset());
  }
  if (from.after_size())
    site.after = builder_.getDenseI32ArrayAttr(
        SmallVector<int32_t>(from.after().begin(), from.after().end()));
  if (!site.offsets.empty())
    site.offsetsAttr = builder_.getDenseI64ArrayAttr(site.offsets);
  Operation *op = createInstruction(entry, from, site);
  for (auto [buffer, result] :
       llvm::zip_equal(operands.writes, op->getResults()))
    buffers[buffer] = result;
  importDecisions(entry, op);
}

Operation *Importer::createInstruction(const proto::Entry &entry,
                                       const proto::Instruction &from,
                                       const Site &site) {
  const auto &[loc, reads, types, offsets, after, at] = site;
  switch (from.kind_case()) {
  case proto::Instruction::kLaunch:
    return LaunchOp::create(
        builder_, loc, types,
        symbol(plan_.kernels(from.launch().kernel()).name()), reads, after, at);
  case proto::Instruction::kSend:
    return SendOp::create(builder_, loc, entry.edges(from.send().edge()).key(),
                          reads[0], after);
  case proto::Instruction::kRecv:
    return RecvOp::create(builder_, loc, types[0],
                          entry.edges(from.recv().edge()).key(), after, at);
  case proto::Instruction::kLoadVariable:
    return LoadVariableOp::create(builder_, loc, types[0],
                                  variable(from.load_variable().variable()),
                                  after);
  case proto::Instruction::kStoreVariable:
    return StoreVariableOp::create(builder_, loc,
                                   variable(from.store_variable().variable()),
                                   reads[0], after);
  case proto::Instruction::kAccumulate:
    return AccumulateOp::create(builder_, loc, from.accumulate().accumulator(),
                                reads[0], after);
  case proto::Instruction::kTake:
    return TakeOp::create(builder_, loc, types[0], from.take().accumulator(),
                          from.take().concat(), after, at);
  case proto::Instruction::kReadInput:
    return ReadInputOp::create(builder_, loc, types, from.read_input().input(),
                               after, at);
  case proto::Instruction::kReadFeed:
    return ReadFeedOp::create(builder_, loc, types[0],
                              entry.feeds(from.read_feed().feed()).name(),
                              after, at);
  case proto::Instruction::kReplicaIndex:
    return ReplicaIndexOp::create(builder_, loc, types[0], after, at);
  case proto::Instruction::kWriteFetch:
    return WriteFetchOp::create(
        builder_, loc, entry.fetches(from.write_fetch().fetch()).name(),
        reads[0], after);
  case proto::Instruction::KIND_NOT_SET:
    break;
  }
  llvm_unreachable("a checked plan's instructions have a kind");
}

} // namespace

FailureOr<OwningOpRef<ModuleOp>> importPlan(const PlanContents &contents,
                                            MLIRContext &context) {
  return Importer(contents, context).run();
}

} // namespace dtc::plan

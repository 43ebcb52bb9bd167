// plan dialect → plan.proto. SerializationImport.cpp is the way back.
#include "dialects/plan/Serialization.h"

#include "dialects/plan/Origin.h"
#include "dialects/plan/Plan.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace dtc::plan {
namespace {

proto::ElementType elementOf(Type type) {
  return llvm::TypeSwitch<Type, proto::ElementType>(type)
      .Case([](Float32Type) { return proto::F32; })
      .Case([](Float64Type) { return proto::F64; })
      .Case([](Float16Type) { return proto::F16; })
      .Case([](BFloat16Type) { return proto::BF16; })
      .Case([](IndexType) { return proto::I64; })
      .Case([](IntegerType integer) {
        switch (integer.getWidth()) {
        case 1:
          return proto::I1;
        case 8:
          return integer.isUnsigned() ? proto::U8 : proto::I8;
        case 32:
          return proto::I32;
        case 64:
          return proto::I64;
        }
        return proto::ELEMENT_TYPE_UNSPECIFIED;
      })
      .Default([](Type) { return proto::ELEMENT_TYPE_UNSPECIFIED; });
}

uint64_t bytesOf(RankedTensorType type) {
  unsigned bits = std::max(8u, type.getElementType().getIntOrFloatBitWidth());
  return static_cast<uint64_t>(type.getNumElements()) * (bits / 8);
}

/// All elements; of a splat, which may be larger than any memory, one.
std::string rawBytes(DenseElementsAttr elements) {
  if (elements.empty())
    return {};
  // MLIR packs bits; a plan gives each boolean a byte.
  if (elements.getElementType().isInteger(1)) {
    if (elements.isSplat())
      return std::string(1, elements.getSplatValue<bool>());
    auto bits = elements.getValues<bool>();
    return std::string(bits.begin(), bits.end());
  }
  ArrayRef<char> raw = elements.getRawData();
  return std::string(raw.data(), raw.size());
}

/// Declarations by name, in the order in which the plan lists them.
using Numbers = llvm::StringMap<uint32_t>;

/// Translates one module; `contents` grows as its parts are visited.
class Exporter {
public:
  explicit Exporter(ModuleOp module) : module_(module) {}

  FailureOr<PlanContents> run() {
    if (failed(exportHeader()))
      return failure();
    for (auto variable : module_.getOps<VariableOp>())
      if (failed(exportVariable(variable)))
        return failure();
    for (auto kernel : module_.getOps<KernelOp>())
      if (failed(exportKernel(kernel)))
        return failure();
    for (auto code : module_.getOps<CodeOp>())
      if (failed(exportCode(code)))
        return failure();
    for (auto entry : module_.getOps<EntryOp>())
      if (failed(exportEntry(entry)))
        return failure();
    if (!isUtf8_)
      return module_.emitError("has a name that is not UTF-8");
    return std::move(contents_);
  }

private:
  /// For a string of the plan. Protobuf writes any bytes, and reads back UTF-8
  /// only.
  std::string text(StringRef bytes) {
    isUtf8_ = isUtf8_ && llvm::json::isUTF8(bytes);
    return bytes.str();
  }
  void setTask(proto::Task *out, TaskAttr task) {
    out->set_job(text(task.getJob()));
    out->set_index(task.getIndex());
  }
  LogicalResult exportHeader();
  LogicalResult exportVariable(VariableOp variable);
  LogicalResult exportInitializer(VariableOp variable, proto::Initializer *out);
  LogicalResult exportKernel(KernelOp kernel);
  LogicalResult exportNode(Operation &op, proto::Node *out,
                           DenseMap<Value, uint32_t> &numbers);
  LogicalResult exportAttribute(Operation &op, NamedAttribute attribute,
                                proto::Attribute *out);
  LogicalResult exportCode(CodeOp code);
  LogicalResult exportEntry(EntryOp entry);
  LogicalResult exportInput(InputOp input, proto::Input *out);
  LogicalResult exportEdge(EdgeOp edge, proto::Edge *out);
  LogicalResult exportActivation(ActivationOp activation,
                                 proto::Activation *out);
  LogicalResult exportInstruction(Operation &op, proto::Activation *activation);
  LogicalResult exportBuffers(Operation &op, proto::Activation *activation);
  void exportDecisions(Operation &op);
  uint32_t reasonNumber(StringRef reason);
  LogicalResult exportKind(LaunchOp launch, proto::Instruction *out);
  LogicalResult exportKind(SendOp send, proto::Instruction *out);
  LogicalResult exportKind(RecvOp recv, proto::Instruction *out);
  LogicalResult exportKind(LoadVariableOp load, proto::Instruction *out);
  LogicalResult exportKind(StoreVariableOp store, proto::Instruction *out);
  LogicalResult exportKind(AccumulateOp accumulate, proto::Instruction *out);
  LogicalResult exportKind(TakeOp take, proto::Instruction *out);
  LogicalResult exportKind(ReadInputOp read, proto::Instruction *out);
  LogicalResult exportKind(ReadFeedOp read, proto::Instruction *out);
  LogicalResult exportKind(ReplicaIndexOp index, proto::Instruction *out);
  LogicalResult exportKind(WriteFetchOp write, proto::Instruction *out);
  LogicalResult setType(Operation *op, Type type, proto::TensorType *out);
  /// Hands the number of declaration `name` to `set`, or says that there is
  /// none.
  static LogicalResult find(Operation *op, const Numbers &table, StringRef name,
                            StringRef kind,
                            llvm::function_ref<void(uint32_t)> set) {
    auto found = table.find(name);
    if (found == table.end())
      return op->emitOpError("names ")
             << kind << " '" << name << "', which is not declared";
    set(found->second);
    return success();
  }

  ModuleOp module_;
  PlanContents contents_;
  Numbers variables_, kernels_, reasons_;
  proto::Entry *entry_ = nullptr;     // the current one
  Numbers feeds_, fetches_, edges_;   // of the current entry
  DenseMap<Value, uint32_t> buffers_; // of the current activation
  bool isUtf8_ = true;                // so far
};

LogicalResult Exporter::setType(Operation *op, Type type,
                                proto::TensorType *out) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      elementOf(tensor.getElementType()) == proto::ELEMENT_TYPE_UNSPECIFIED)
    return op->emitOpError("has type ")
           << type
           << ", which a plan cannot hold; it "
              "holds static tensors of f32, f64, f16, bf16, i1, i8, ui8, i32 "
              "and i64";
  out->set_element(elementOf(tensor.getElementType()));
  for (int64_t dim : tensor.getShape())
    out->add_shape(dim);
  return success();
}

LogicalResult Exporter::exportHeader() {
  auto stringOf = [&](StringRef name) {
    auto attr = module_->getAttrOfType<StringAttr>(name);
    return attr ? attr.str() : std::string();
  };
  auto mode = module_->getAttrOfType<ModeAttr>("plan.mode");
  auto update = module_->getAttrOfType<UpdateAttr>("plan.update");
  auto jobs = module_->getAttrOfType<ArrayAttr>("plan.jobs");
  if (!mode || !update || !jobs)
    return module_.emitError(
        "is no plan: it lacks plan.mode, plan.update or plan.jobs");
  proto::Plan &plan = contents_.plan;
  plan.set_schema_version(1);
  plan.set_compiler_version(text(stringOf("plan.compiler_version")));
  plan.set_source_sha256(text(stringOf("plan.source_sha256")));
  plan.set_name(text(module_.getSymName().value_or("")));
  if (auto names = module_->getAttrOfType<ArrayAttr>("plan.disabled_rewrites"))
    for (auto name : names.getAsRange<StringAttr>())
      plan.add_disabled_rewrites(text(name));
  if (auto flags = module_->getAttrOfType<ArrayAttr>("plan.flags"))
    for (auto flag : flags.getAsRange<StringAttr>())
      plan.add_flags(text(flag));
  if (auto place = module_->getAttrOfType<StringAttr>("plan.place"))
    plan.set_place(text(place));
  plan.set_mode(static_cast<proto::Mode>(mode.getValue()));
  plan.set_update(static_cast<proto::Update>(update.getValue()));
  for (auto job : jobs.getAsRange<JobAttr>()) {
    proto::Job *out = plan.add_jobs();
    out->set_name(text(job.getName()));
    out->set_tasks(job.getTasks());
    out->set_device_type(text(job.getDevice()));
  }
  return success();
}

LogicalResult Exporter::exportInitializer(VariableOp variable,
                                          proto::Initializer *out) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(variable.getInitializer())
      .Case([&](FillAttr fill) {
        out->set_fill(fill.getValue().convertToDouble());
        return success();
      })
      .Case([&](UniformAttr uniform) {
        out->mutable_uniform()->set_low(uniform.getLow().convertToDouble());
        out->mutable_uniform()->set_high(uniform.getHigh().convertToDouble());
        return success();
      })
      .Case([&](NormalAttr normal) {
        out->mutable_normal()->set_mean(normal.getMean().convertToDouble());
        out->mutable_normal()->set_stddev(normal.getStddev().convertToDouble());
        out->mutable_normal()->set_truncated(normal.getTruncated());
        return success();
      })
      .Case([&](DenseElementsAttr elements) {
        std::string name = text(variable.getSymName());
        contents_.members["constants/" + name] = rawBytes(elements);
        out->set_constant(name);
        return success();
      })
      .Default([&](Attribute attr) -> LogicalResult {
        return variable.emitOpError(
                   "has an initialiser that a plan cannot hold: ")
               << attr;
      });
}

LogicalResult Exporter::exportVariable(VariableOp variable) {
  variables_[variable.getSymName()] = contents_.plan.variables_size();
  proto::Variable *out = contents_.plan.add_variables();
  out->set_name(text(variable.getSymName()));
  out->set_is_slot(variable.getSlot());
  out->set_location(text(originOf(variable.getLoc()).location));
  setTask(out->mutable_home(), variable.getHome());
  if (auto reason = variable->getAttrOfType<StringAttr>(reasonAttrName))
    out->set_reason(reasonNumber(reason.getValue()));
  if (ShardAttr part = variable.getShardAttr()) {
    proto::Shard *shard = out->mutable_shard();
    shard->set_whole(text(part.getWhole()));
    shard->mutable_shape()->Assign(part.getShape().begin(),
                                   part.getShape().end());
    shard->set_axis(part.getAxis());
    shard->set_index(part.getIndex());
    shard->set_count(part.getCount());
    shard->set_interleaved(part.getInterleaved());
  }
  if (failed(setType(variable, variable.getType(), out->mutable_type())))
    return failure();
  return exportInitializer(variable, out->mutable_initializer());
}

LogicalResult Exporter::exportAttribute(Operation &op, NamedAttribute attribute,
                                        proto::Attribute *out) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute.getValue())
      .Case([&](UnitAttr) { return out->set_b(true), success(); })
      .Case([&](IntegerAttr value) {
        return out->set_i(value.getInt()), success();
      })
      .Case([&](FloatAttr value) {
        return out->set_f(value.getValueAsDouble()), success();
      })
      .Case(
          [&](StringAttr value) { return out->set_s(text(value)), success(); })
      .Case([&](TypeAttr value) {
        return out->set_type(elementOf(value.getValue())), success();
      })
      .Case([&](DenseI64ArrayAttr value) {
        proto::Attribute::Ints *ints = out->mutable_ints();
        for (int64_t i : value.asArrayRef())
          ints->add_values(i);
        return success();
      })
      .Case([&](DenseElementsAttr value) {
        return out->set_data(rawBytes(value)), success();
      })
      .Default([&](Attribute value) -> LogicalResult {
        return op.emitOpError("has attribute '")
               << attribute.getName()
               << "' of a kind that a plan cannot hold: " << value;
      });
}

LogicalResult Exporter::exportNode(Operation &op, proto::Node *out,
                                   DenseMap<Value, uint32_t> &numbers) {
  out->set_op(text(op.getName().getStringRef()));
  OpOrigin origin = originOf(op.getLoc());
  out->set_name(text(origin.name));
  out->set_location(text(origin.location));
  for (Value operand : op.getOperands())
    out->add_operands(numbers.lookup(operand));
  for (Value result : op.getResults()) {
    numbers.try_emplace(result, numbers.size());
    if (failed(setType(&op, result.getType(), out->add_results())))
      return failure();
  }
  for (NamedAttribute attribute : op.getAttrDictionary())
    if (failed(exportAttribute(
            op, attribute,
            &(*out->mutable_attributes())[text(attribute.getName())])))
      return failure();
  return success();
}

LogicalResult Exporter::exportKernel(KernelOp kernel) {
  kernels_[kernel.getSymName()] = contents_.plan.kernels_size();
  proto::Kernel *out = contents_.plan.add_kernels();
  out->set_name(text(kernel.getSymName()));
  out->set_range(kernel.getRange());
  out->set_grain(kernel.getGrain());
  out->set_reference_only(kernel.getReferenceOnly());
  DenseMap<Value, uint32_t> numbers;
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    numbers.try_emplace(argument, numbers.size());
    if (failed(setType(kernel, argument.getType(), out->add_inputs())))
      return failure();
  }
  for (Operation &op : body.without_terminator())
    if (failed(exportNode(op, out->add_body(), numbers)))
      return failure();
  for (Value result : body.getTerminator()->getOperands()) {
    out->add_results(numbers.lookup(result));
    if (failed(setType(kernel, result.getType(), out->add_outputs())))
      return failure();
  }
  return success();
}

LogicalResult Exporter::exportCode(CodeOp code) {
  proto::CodeObject *out = contents_.plan.add_objects();
  out->set_target(text(code.getTarget()));
  for (Attribute feature : code.getFeatures())
    out->add_features(text(cast<StringAttr>(feature)));
  auto object =
      dyn_cast_or_null<DenseResourceElementsAttr>(code.getObjectAttr());
  if (!object)
    return success();
  AsmResourceBlob *blob = object.getRawHandle().getBlob();
  if (!blob)
    return code.emitOpError("names object '")
           << object.getRawHandle().getKey()
           << "', whose bytes are not at the end of the file";
  out->set_member("kernels/" + text(code.getTarget()) + ".so");
  ArrayRef<char> bytes = blob->getData();
  contents_.members[out->member()] = std::string(bytes.data(), bytes.size());
  return success();
}

LogicalResult Exporter::exportInput(InputOp input, proto::Input *out) {
  out->set_dataset(text(input.getDataset()));
  out->set_default_path(text(input.getPath()));
  out->set_first_row(input.getFirstRow());
  out->set_end_row(input.getEndRow());
  out->set_batch(input.getBatch());
  out->set_shuffle(input.getShuffle());
  out->set_block(input.getBlock());
  out->set_blocks(input.getBlocks());
  for (auto [attr, type] :
       llvm::zip_equal(input.getColumns(), input.getTypes())) {
    auto column = cast<ColumnAttr>(attr);
    proto::Column *to = out->add_columns();
    to->set_name(text(column.getName()));
    to->set_first_field(column.getFirstField());
    to->set_fields(column.getFields());
    to->set_scale(column.getScale().convertToDouble());
    to->set_min(column.getMin().convertToDouble());
    to->set_max(column.getMax().convertToDouble());
    if (failed(setType(input, cast<TypeAttr>(type).getValue(),
                       to->mutable_type())))
      return failure();
  }
  return success();
}

LogicalResult Exporter::exportEdge(EdgeOp edge, proto::Edge *out) {
  out->set_key(text(edge.getKey()));
  out->set_tensor(text(edge.getTensor()));
  out->set_reason(text(edge.getReason()));
  out->set_location(text(originOf(edge.getLoc()).location));
  setTask(out->mutable_source(), edge.getSource());
  setTask(out->mutable_target(), edge.getTarget());
  if (failed(setType(edge, edge.getType(), out->mutable_type())))
    return failure();
  auto onWire = cast<RankedTensorType>(edge.getType());
  if (std::optional<Type> wire = edge.getWire()) {
    out->set_wire(elementOf(*wire));
    if (out->wire() == proto::ELEMENT_TYPE_UNSPECIFIED)
      return edge.emitOpError("crosses as ")
             << *wire << ", which is no element type of a plan";
    onWire = onWire.clone(*wire);
  }
  out->set_bytes(bytesOf(onWire));
  return success();
}

LogicalResult Exporter::exportEntry(EntryOp entry) {
  proto::Entry *out = entry_ = contents_.plan.add_entries();
  out->set_name(text(entry.getSymName()));
  out->set_replicas(entry.getReplicas());
  out->set_has_updates(entry.getHasUpdates());
  out->set_default_epochs(entry.getEpochs());
  feeds_.clear();
  fetches_.clear();
  edges_.clear();
  Block &body = entry.getBody().front();
  for (auto feed : body.getOps<FeedOp>()) {
    feeds_[feed.getName()] = out->feeds_size();
    proto::Feed *to = out->add_feeds();
    to->set_name(text(feed.getName()));
    if (failed(setType(feed, feed.getType(), to->mutable_type())))
      return failure();
  }
  for (auto fetch : body.getOps<FetchOp>()) {
    fetches_[fetch.getName()] = out->fetches_size();
    proto::Fetch *to = out->add_fetches();
    to->set_name(text(fetch.getName()));
    if (failed(setType(fetch, fetch.getType(), to->mutable_type())))
      return failure();
  }
  for (auto input : body.getOps<InputOp>())
    if (failed(exportInput(input, out->add_inputs())))
      return failure();
  for (auto edge : body.getOps<EdgeOp>()) {
    edges_[edge.getKey()] = out->edges_size();
    if (failed(exportEdge(edge, out->add_edges())))
      return failure();
  }
  for (auto program : body.getOps<ProgramOp>()) {
    proto::Program *to = out->add_programs();
    setTask(to->mutable_task(), program.getTask());
    for (auto activation : program.getBody().front().getOps<ActivationOp>())
      if (failed(exportActivation(activation, to->add_activations())))
        return failure();
  }
  return success();
}

LogicalResult Exporter::exportActivation(ActivationOp activation,
                                         proto::Activation *out) {
  out->set_kind(static_cast<proto::Activation::Kind>(activation.getKind()));
  out->set_arena_bytes(activation.getArenaBytes());
  buffers_.clear();
  for (Operation &op : activation.getBody().front())
    if (failed(exportInstruction(op, out)))
      return failure();
  return success();
}

LogicalResult Exporter::exportBuffers(Operation &op,
                                      proto::Activation *activation) {
  auto offsets = op.getAttrOfType<DenseI64ArrayAttr>("offsets");
  for (OpResult result : op.getResults()) {
    buffers_[result] = activation->buffers_size();
    proto::Buffer *buffer = activation->add_buffers();
    if (failed(setType(&op, result.getType(), buffer->mutable_type())))
      return failure();
    buffer->set_bytes(bytesOf(cast<RankedTensorType>(result.getType())));
    buffer->set_offset(offsets ? offsets[result.getResultNumber()] : 0);
  }
  return success();
}

/// The number of a sentence, which joins the table when it is new.
uint32_t Exporter::reasonNumber(StringRef reason) {
  if (reason.empty())
    return 0;
  auto [place, isNew] =
      reasons_.try_emplace(reason, contents_.plan.reasons_size() + 1);
  if (isNew)
    contents_.plan.add_reasons(text(reason));
  return place->second;
}

/// Of the last instruction of the last activation.
void Exporter::exportDecisions(Operation &op) {
  const proto::Program &program = *entry_->programs().rbegin();
  const proto::Activation &activation = *program.activations().rbegin();
  for (DecisionAttr decision : decisionsOf(&op)) {
    proto::Decision *out = entry_->add_decisions();
    out->set_op(text(decision.getOp()));
    out->set_program(entry_->programs_size() - 1);
    out->set_activation(program.activations_size() - 1);
    out->set_instruction(activation.instructions_size() - 1);
    out->set_node(decision.getNode());
    out->set_reason(reasonNumber(decision.getReason()));
  }
}

LogicalResult Exporter::exportInstruction(Operation &op,
                                          proto::Activation *activation) {
  if (failed(exportBuffers(op, activation)))
    return failure();
  proto::Instruction *out = activation->add_instructions();
  OpOrigin origin = originOf(op.getLoc());
  out->set_name(text(origin.name));
  out->set_location(text(origin.location));
  if (auto after = op.getAttrOfType<DenseI32ArrayAttr>("after"))
    for (int32_t index : after.asArrayRef())
      out->add_after(index);
  exportDecisions(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<LaunchOp, SendOp, RecvOp, LoadVariableOp, StoreVariableOp,
            AccumulateOp, TakeOp, ReadInputOp, ReadFeedOp, ReplicaIndexOp,
            WriteFetchOp>(
          [&](auto instruction) { return exportKind(instruction, out); })
      .Default([](Operation *other) -> LogicalResult {
        return other->emitOpError("is no instruction of a plan");
      });
}

// One overload for each kind of instruction.

LogicalResult Exporter::exportKind(LaunchOp launch, proto::Instruction *out) {
  proto::Launch *to = out->mutable_launch();
  for (Value input : launch.getInputs())
    to->add_inputs(buffers_.lookup(input));
  for (Value output : launch.getOutputs())
    to->add_outputs(buffers_.lookup(output));
  return find(launch, kernels_, launch.getKernel(), "kernel",
              [&](uint32_t i) { to->set_kernel(i); });
}

LogicalResult Exporter::exportKind(SendOp send, proto::Instruction *out) {
  proto::Send *to = out->mutable_send();
  to->set_buffer(buffers_.lookup(send.getValue()));
  return find(send, edges_, send.getEdge(), "edge",
              [&](uint32_t i) { to->set_edge(i); });
}

LogicalResult Exporter::exportKind(RecvOp recv, proto::Instruction *out) {
  proto::Recv *to = out->mutable_recv();
  to->set_buffer(buffers_.lookup(recv.getValue()));
  return find(recv, edges_, recv.getEdge(), "edge",
              [&](uint32_t i) { to->set_edge(i); });
}

LogicalResult Exporter::exportKind(LoadVariableOp load,
                                   proto::Instruction *out) {
  proto::LoadVariable *to = out->mutable_load_variable();
  to->set_buffer(buffers_.lookup(load.getValue()));
  return find(load, variables_, load.getVariable(), "variable",
              [&](uint32_t i) { to->set_variable(i); });
}

LogicalResult Exporter::exportKind(StoreVariableOp store,
                                   proto::Instruction *out) {
  proto::StoreVariable *to = out->mutable_store_variable();
  to->set_buffer(buffers_.lookup(store.getValue()));
  return find(store, variables_, store.getVariable(), "variable",
              [&](uint32_t i) { to->set_variable(i); });
}

LogicalResult Exporter::exportKind(AccumulateOp accumulate,
                                   proto::Instruction *out) {
  proto::Accumulate *to = out->mutable_accumulate();
  to->set_accumulator(text(accumulate.getAccumulator()));
  to->set_buffer(buffers_.lookup(accumulate.getValue()));
  return success();
}

LogicalResult Exporter::exportKind(TakeOp take, proto::Instruction *out) {
  proto::Take *to = out->mutable_take();
  to->set_accumulator(text(take.getAccumulator()));
  to->set_concat(take.getConcat());
  to->set_buffer(buffers_.lookup(take.getValue()));
  return success();
}

LogicalResult Exporter::exportKind(ReadInputOp read, proto::Instruction *out) {
  proto::ReadInput *to = out->mutable_read_input();
  to->set_input(read.getInput());
  for (Value column : read.getColumns())
    to->add_buffers(buffers_.lookup(column));
  return success();
}

LogicalResult Exporter::exportKind(ReadFeedOp read, proto::Instruction *out) {
  proto::ReadFeed *to = out->mutable_read_feed();
  to->set_buffer(buffers_.lookup(read.getValue()));
  return find(read, feeds_, read.getFeed(), "feed",
              [&](uint32_t i) { to->set_feed(i); });
}

LogicalResult Exporter::exportKind(ReplicaIndexOp index,
                                   proto::Instruction *out) {
  out->mutable_replica_index()->set_buffer(buffers_.lookup(index.getValue()));
  return success();
}

LogicalResult Exporter::exportKind(WriteFetchOp write,
                                   proto::Instruction *out) {
  proto::WriteFetch *to = out->mutable_write_fetch();
  to->set_buffer(buffers_.lookup(write.getValue()));
  return find(write, fetches_, write.getFetch(), "fetch",
              [&](uint32_t i) { to->set_fetch(i); });
}

} // namespace

FailureOr<PlanContents> exportPlan(ModuleOp module) {
  return Exporter(module).run();
}

} // namespace dtc::plan

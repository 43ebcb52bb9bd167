// The optimizers' rules, in TensorFlow's order of operations.
//
// Whatever uses a gradient here is part of an update: it must compute once a
// step, on the mean of the replicas' gradients. Apply ops say so by what they
// are, other ops by the attribute graph.update.
#include "passes/graph/Optimizers.h"
#include "dialects/diagnostics/Coded.h"

#include "passes/graph/Schedules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

static Type elementOf(Value value) { return getElementTypeOrSelf(value); }

// What scalars of an update are computed in: 16 bits hold neither a step nor
// 1 - beta2^t.
static Type computeType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

// 1 - beta, beta as the element type has it.
static double oneMinus(const llvm::APFloat &beta, Type element) {
  double value = beta.convertToDouble();
  return element.isF64() ? 1 - value : double(1.0f - float(value));
}

bool dtc::graph::needsStep(MinimizeOp minimize) {
  return llvm::TypeSwitch<Attribute, bool>(minimize.getOptimizer())
      .Case<AdamAttr, AdamwAttr, LambAttr>([](auto) { return true; })
      .Case<SgdAttr, MomentumAttr, AdagradAttr, RmspropAttr>(
          [](auto kind) { return isSchedule(kind.getLearningRate()); });
}

LogicalResult UpdateBuilder::build(MutableArrayRef<Trained> trained) {
  changeGradients(trained);
  for (Trained &each : trained) {
    // Before the update: which rows it has is each replica's own affair.
    if (each.gradient && takesRows())
      each.sparse = asRows(each.gradient);
    Operation *before = lastBuilt();
    if (each.gradient && failed(update(each)))
      return failure();
    mark(before, each.variable);
  }
  return success();
}

LogicalResult UpdateBuilder::update(Trained trained) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(minimize_.getOptimizer())
      .Case<SgdAttr, MomentumAttr, AdagradAttr, RmspropAttr, AdamAttr,
            AdamwAttr, LambAttr>(
          [&](auto kind) { return updateBy(kind, trained); });
}

//===----------------------------------------------------------------------===//
// Weight decay and clipping
//===----------------------------------------------------------------------===//

void UpdateBuilder::changeGradients(MutableArrayRef<Trained> trained) {
  for (Trained &each : trained) {
    if (!each.gradient)
      continue;
    Operation *before = lastBuilt();
    if (auto decay = minimize_.getWeightDecay())
      each.gradient = make<AddOp>(
          each.gradient,
          make<MulOp>(each.value, number(elementOf(each.value), *decay)));
    if (auto bound = minimize_.getClipByValue()) {
      FloatAttr high = real(*bound), low = real(neg(*bound));
      each.gradient = make<ClipOp>(each.gradient, low, high);
    }
    mark(before, each.variable);
  }
  if (auto bound = minimize_.getClipByGlobalNorm())
    clipByGlobalNorm(trained, bound->convertToDouble());
}

// TensorFlow's l2_loss: the sum of squares, halved.
Value UpdateBuilder::halfSquaredNorm(Trained trained, Type element) {
  Operation *before = lastBuilt();
  Value squares = make<SquareOp>(castTo(element, trained.gradient));
  Value norm = make<MulOp>(sumAll(squares), number(element, 0.5));
  mark(before, trained.variable);
  return norm;
}

void UpdateBuilder::clipByGlobalNorm(MutableArrayRef<Trained> trained,
                                     double bound) {
  Type element = Float32Type::get(minimize_.getContext());
  SmallVector<Trained *> present;
  for (Trained &each : trained)
    if (each.gradient) {
      present.push_back(&each);
      if (elementOf(each.gradient).isF64())
        element = elementOf(each.gradient);
    }
  Value sum;
  SmallVector<Value> norms;
  for (Trained *each : present)
    norms.push_back(halfSquaredNorm(*each, element));
  Operation *before = lastBuilt();
  for (Value norm : norms)
    sum = sum ? make<AddOp>(sum, norm) : norm;
  Value norm = make<SqrtOp>(make<MulOp>(sum, number(element, 2)));
  Value one = number(element, 1);
  Value inverse = make<MinimumOp>(make<DivOp>(one, norm),
                                  make<DivOp>(one, number(element, bound)));
  Value scale = make<MulOp>(number(element, bound), inverse);
  // A norm that is not finite makes every gradient NaN.
  scale = make<AddOp>(scale, make<SubOp>(norm, norm));
  mark(before, present.front()->variable);
  for (Trained *each : present) {
    before = lastBuilt();
    each->gradient =
        make<MulOp>(each->gradient, castTo(elementOf(each->gradient), scale));
    mark(before, each->variable);
  }
}

//===----------------------------------------------------------------------===//
// Rules with an apply op
//===----------------------------------------------------------------------===//

LogicalResult UpdateBuilder::updateBy(SgdAttr sgd, Trained trained) {
  StringRef name = trained.variable.getSymName();
  Value learningRate = rate(sgd.getLearningRate(), elementOf(trained.value));
  Value updated;
  if (const std::optional<Rows> &sparse = trained.sparse) {
    Value change = make<MulOp>(sparse->rows, make<NegOp>(learningRate));
    updated = make<ScatterAddOp>(trained.value, sparse->indices, change);
    markRows(change.getDefiningOp(), {0});
    markRows(updated.getDefiningOp(), {1, 2});
  } else {
    updated = make<ApplyGradientDescentOp>(trained.value, trained.gradient,
                                           learningRate);
  }
  setName(updated, (name + ".new").str());
  assign(name, updated);
  return success();
}

LogicalResult UpdateBuilder::updateBy(MomentumAttr momentum, Trained trained) {
  FailureOr<Slot> slot = slotOf(trained, "momentum");
  if (failed(slot))
    return failure();
  Value learningRate =
      rate(momentum.getLearningRate(), elementOf(trained.value));
  UnitAttr nesterov =
      momentum.getNesterov() ? builder_.getUnitAttr() : UnitAttr();
  auto apply = [&](Trained on, ArrayRef<Slot> slots) {
    return make<ApplyMomentumOp>(on.value, slots[0].value, on.gradient,
                                 learningRate, real(momentum.getMomentum()),
                                 nesterov)
        .getDefiningOp();
  };
  return applyTo(trained, {*slot}, apply);
}

LogicalResult UpdateBuilder::updateBy(AdagradAttr adagrad, Trained trained) {
  FailureOr<Slot> slot = slotOf(
      trained, "adagrad", adagrad.getInitialAccumulator().convertToDouble());
  if (failed(slot))
    return failure();
  Value learningRate =
      rate(adagrad.getLearningRate(), elementOf(trained.value));
  auto apply = [&](Trained on, ArrayRef<Slot> slots) {
    return make<ApplyAdagradOp>(on.value, slots[0].value, on.gradient,
                                learningRate, real(adagrad.getEpsilon()))
        .getDefiningOp();
  };
  return applyTo(trained, {*slot}, apply);
}

LogicalResult UpdateBuilder::updateBy(RmspropAttr rmsprop, Trained trained) {
  FailureOr<Slot> ms = slotOf(trained, "ms");
  FailureOr<Slot> mom = failed(ms) ? ms : slotOf(trained, "mom");
  if (failed(mom))
    return failure();
  Value learningRate =
      rate(rmsprop.getLearningRate(), elementOf(trained.value));
  auto apply = [&](Trained on, ArrayRef<Slot> slots) {
    return make<ApplyRmspropOp>(
               on.value, slots[0].value, slots[1].value, on.gradient,
               learningRate, real(rmsprop.getRho()),
               real(rmsprop.getMomentum()), real(rmsprop.getEpsilon()))
        .getDefiningOp();
  };
  return applyTo(trained, {*ms, *mom}, apply);
}

template <typename Adam>
LogicalResult UpdateBuilder::applyAdam(Adam adam, Trained trained,
                                       Value variable) {
  FailureOr<Slot> m = slotOf(trained, "m");
  FailureOr<Slot> v = failed(m) ? m : slotOf(trained, "v");
  if (failed(v))
    return failure();
  Value learningRate = correctedRate(adam, elementOf(trained.value));
  Operation *apply =
      make<ApplyAdamOp>(variable, m->value, v->value, trained.gradient,
                        learningRate, real(adam.getBeta1()),
                        real(adam.getBeta2()), real(adam.getEpsilon()))
          .getDefiningOp();
  SmallVector<VariableOp> owners{trained.variable, m->variable, v->variable};
  for (auto [result, owner] : llvm::zip_equal(apply->getResults(), owners))
    setName(result, (owner.getSymName() + ".new").str());
  assign(trained.variable.getSymName(), apply->getResult(0));
  assign(m->variable.getSymName(), apply->getResult(1));
  assign(v->variable.getSymName(), apply->getResult(2));
  return success();
}

LogicalResult UpdateBuilder::updateBy(AdamAttr adam, Trained trained) {
  return applyAdam(adam, trained, trained.value);
}

// Decoupled: the decay passes neither m nor v.
LogicalResult UpdateBuilder::updateBy(AdamwAttr adamw, Trained trained) {
  Type element = elementOf(trained.value);
  Value decay = make<MulOp>(rate(adamw.getLearningRate(), element),
                            number(element, adamw.getWeightDecay()));
  Value decayed = make<SubOp>(trained.value, make<MulOp>(trained.value, decay));
  return applyAdam(adamw, trained, decayed);
}

//===----------------------------------------------------------------------===//
// LAMB, which needs norms
//===----------------------------------------------------------------------===//

LogicalResult UpdateBuilder::updateBy(LambAttr lamb, Trained trained) {
  FailureOr<Slot> m = slotOf(trained, "m");
  FailureOr<Slot> v = failed(m) ? m : slotOf(trained, "v");
  if (failed(v))
    return failure();
  Type stored = elementOf(trained.value), element = computeType(stored);
  auto average = [&](Slot slot, Value sample, const llvm::APFloat &beta) {
    Value kept =
        make<MulOp>(castTo(element, slot.value), number(element, beta));
    Value taken = make<MulOp>(sample, number(element, oneMinus(beta, element)));
    return make<AddOp>(kept, taken);
  };
  Value gradient = castTo(element, trained.gradient);
  Value newM = average(*m, gradient, lamb.getBeta1());
  Value newV = average(*v, make<SquareOp>(gradient), lamb.getBeta2());
  Value root = make<SqrtOp>(make<DivOp>(newV, bias(lamb.getBeta2(), element)));
  Value change =
      make<DivOp>(make<DivOp>(newM, bias(lamb.getBeta1(), element)),
                  make<AddOp>(root, number(element, lamb.getEpsilon())));
  Value value = castTo(element, trained.value);
  if (lamb.getWeightDecay().isNonZero())
    change = make<AddOp>(
        change, make<MulOp>(value, number(element, lamb.getWeightDecay())));
  auto norm = [&](Value x) { return make<SqrtOp>(sumAll(make<SquareOp>(x))); };
  Value length = norm(value), changed = norm(change);
  Value zero = number(element, 0), one = number(element, 1);
  Value ratio = make<SelectOp>(make<GreaterOp>(changed, zero),
                               make<DivOp>(length, changed), one);
  ratio = make<SelectOp>(make<GreaterOp>(length, zero), ratio, one);
  Value scale = make<MulOp>(ratio, rate(lamb.getLearningRate(), element));
  Value result = make<SubOp>(value, make<MulOp>(change, scale));
  for (auto [owner, updated] :
       {std::pair(trained.variable, result), std::pair(m->variable, newM),
        std::pair(v->variable, newV)}) {
    Value rounded = castTo(stored, updated);
    setName(rounded, (owner.getSymName() + ".new").str());
    assign(owner.getSymName(), rounded);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Sparse gradients
//===----------------------------------------------------------------------===//

bool UpdateBuilder::takesRows() {
  return isa<SgdAttr, MomentumAttr, AdagradAttr, RmspropAttr>(
      minimize_.getOptimizer());
}

void UpdateBuilder::markRows(Operation *op, ArrayRef<int64_t> operands) {
  op->setDiscardableAttr(rowsAttrName, builder_.getDenseI64ArrayAttr(operands));
}

std::optional<Rows> UpdateBuilder::asRows(Value gradient) {
  auto slices = gradient.getDefiningOp<IndexedSlicesOp>();
  if (!slices)
    return std::nullopt;
  int64_t count = slices.getIndices().getType().getNumElements();
  SmallVector<int64_t> shape(shapeOf(gradient));
  shape.front() = count;
  return Rows{maker_.reshape(slices.getIndices(), {count}),
              maker_.reshape(slices.getRows(), shape)};
}

LogicalResult UpdateBuilder::applyTo(
    Trained trained, ArrayRef<Slot> slots,
    function_ref<Operation *(Trained, ArrayRef<Slot>)> apply) {
  SmallVector<Slot> all{{trained.variable, trained.value}};
  llvm::append_range(all, slots);
  SmallVector<Slot> on = all;
  Value gradient = trained.gradient, indices;
  if (const std::optional<Rows> &sparse = trained.sparse) {
    // An index that comes twice is one row with one, summed gradient.
    auto unique =
        UniqueRowsOp::create(builder_, withoutNames(minimize_.getLoc()),
                             sparse->indices, sparse->rows);
    markRows(unique, {0, 1});
    indices = unique.getUnique();
    gradient = unique.getSums();
    for (Slot &each : on)
      each.value = make<GatherOp>(each.value, indices, /*axis=*/0);
  }
  Operation *op = apply({trained.variable, on.front().value, gradient},
                        ArrayRef(on).drop_front());
  for (auto [owner, result] : llvm::zip_equal(all, op->getResults())) {
    Value updated = result;
    if (trained.sparse)
      updated = make<ScatterUpdateOp>(owner.value, indices, updated);
    std::string name = owner.variable.getSymName().str();
    setName(updated, name + ".new");
    assign(name, updated);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slots and scalars
//===----------------------------------------------------------------------===//

FailureOr<UpdateBuilder::Slot>
UpdateBuilder::slotOf(Trained trained, StringRef kind, double initial) {
  FailureOr<VariableOp> slot = findSlot(trained.variable, kind, initial);
  if (failed(slot))
    return failure();
  Location named = namedLocation(slot->getSymName(), minimize_.getLoc());
  auto read = ReadOp::create(builder_, named, trained.value.getType(),
                             slot->getSymName());
  return Slot{*slot, read.getValue()};
}

// The slot of a variable; entry points that train with one optimizer share it.
FailureOr<VariableOp> UpdateBuilder::findSlot(VariableOp variable,
                                              StringRef kind, double initial) {
  std::string name = (variable.getSymName() + "." + kind).str();
  if (Operation *taken = symbols_.lookup(name)) {
    auto slot = dyn_cast<VariableOp>(taken);
    if (slot && slot.getSlot() && slot.getType() == variable.getType())
      return slot;
    InFlightDiagnostic diagnostic =
        coded(minimize_->emitError(), Code::NameTaken)
        << "minimize: needs a slot @" << name << ", but the name is taken";
    diagnostic.attachNote(taken->getLoc()) << "by this";
    return diagnostic;
  }
  OpBuilder builder(variable.getContext());
  auto slot = VariableOp::create(
      builder, withoutNames(variable.getLoc()), name, variable.getType(),
      FillAttr::get(variable.getContext(), initial), /*slot=*/true);
  if (Attribute device = variable->getDiscardableAttr("device"))
    slot->setDiscardableAttr("device", device);
  // Behind the slots that the variable has.
  Block::iterator place = std::next(Block::iterator(variable));
  auto isSlotOf = [&](Operation &op) {
    auto other = dyn_cast<VariableOp>(op);
    return other && other.getSlot() &&
           other.getSymName().starts_with((variable.getSymName() + ".").str());
  };
  while (place != variable->getBlock()->end() && isSlotOf(*place))
    ++place;
  symbols_.insert(slot, place);
  return slot;
}

void UpdateBuilder::assign(StringRef variable, Value value) {
  AssignOp::create(builder_, withoutNames(minimize_.getLoc()), variable, value);
}

Value UpdateBuilder::rate(Attribute rate, Type element) {
  if (!isSchedule(rate))
    return number(element, cast<FloatAttr>(rate).getValue());
  Type compute = computeType(element);
  Value &built = rates_[compute];
  if (!built) {
    built = buildRate(maker_, rate, step_, compute);
    if (Operation *op = built.getDefiningOp(); !isa<ConstantOp>(op))
      setName(built, "learning_rate");
  }
  return castTo(element, built);
}

Value UpdateBuilder::bias(const llvm::APFloat &beta, Type element) {
  Value count = make<CastOp>(RankedTensorType::get({}, element), step_);
  Value t = make<AddOp>(count, number(element, 1));
  return make<SubOp>(number(element, 1), make<PowOp>(number(element, beta), t));
}

template <typename Adam>
Value UpdateBuilder::correctedRate(Adam adam, Type element) {
  Type compute = computeType(element);
  // Adamw reads the uncorrected rate, too.
  Value &built = corrected_[compute];
  if (!built) {
    Value root = make<SqrtOp>(bias(adam.getBeta2(), compute));
    Value scaled = make<MulOp>(rate(adam.getLearningRate(), compute), root);
    built = make<DivOp>(scaled, bias(adam.getBeta1(), compute));
    setName(built, "learning_rate.corrected");
  }
  return castTo(element, built);
}

Value UpdateBuilder::number(Type element, double value) {
  return makeNumber(maker_, element, value);
}

Value UpdateBuilder::castTo(Type element, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return make<CastOp>(type.clone(element), value);
}

Value UpdateBuilder::sumAll(Value value) {
  int64_t rank = shapeOf(value).size();
  if (rank == 0)
    return value;
  return make<ReduceSumOp>(value, llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                           /*keep_dims=*/false);
}

Operation *UpdateBuilder::lastBuilt() {
  Block::iterator point = builder_.getInsertionPoint();
  return point == builder_.getBlock()->begin() ? nullptr : &*std::prev(point);
}

// Constants and reads are nobody's. A rate sits with the first variable that
// uses it and reaches the others as one scalar.
void UpdateBuilder::mark(Operation *before, VariableOp variable) {
  auto owner = FlatSymbolRefAttr::get(variable.getSymNameAttr());
  for (Operation *op = lastBuilt(); op != before; op = op->getPrevNode())
    if (!isa<ConstantOp, ReadOp, AssignOp, ApplyGradientDescentOp,
             ApplyMomentumOp, ApplyAdagradOp, ApplyAdamOp, ApplyRmspropOp>(
            op) &&
        !op->hasAttr(updateAttrName))
      op->setDiscardableAttr(updateAttrName, owner);
}

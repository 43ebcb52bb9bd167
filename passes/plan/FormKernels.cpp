// plan-form-kernels: graph ops → kernel + launch.
//
// A group is a set of ops that one kernel computes. Every operand that comes
// from outside a group is defined before the group's first op, so that the
// launch can stand there: that keeps the order acyclic without a reachability
// analysis, at the price of a fusion now and then.
#include "dialects/dist/Dist.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Ops.h"
#include "dialects/plan/Origin.h"
#include "mlir/IR/IRMapping.h"
#include "passes/kernel/Fusion.h"
#include "passes/kernel/HostCodegen.h"
#include "passes/plan/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace dtc::plan {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc;
using namespace dtc::plan;

namespace {

/// Ops that one kernel will compute, in order.
struct Group {
  SmallVector<Operation *> ops;
  unsigned firstPosition;
  int64_t laneOperations = 0;
};

/// Decides the groups of one activation; changes nothing.
class Grouping {
public:
  Grouping(Block &block, bool fuses) : fuses_(fuses) {
    unsigned position = 0;
    for (Operation &op : block) {
      positions_[&op] = position++;
      if (isComputation(op))
        place(op);
    }
  }

  ArrayRef<Group> groups() const { return groups_; }

private:
  /// Constants are copied into the kernels that use them; one that something
  /// other than a kernel needs is a kernel of its own, and so is a splat that a
  /// kernel needs in full.
  static bool isComputation(Operation &op) {
    if (!isa<graph::GraphDialect>(op.getDialect()))
      return false;
    auto constant = dyn_cast<graph::ConstantOp>(op);
    if (!constant)
      return true;
    bool isShort = kernel::isShortSplat(constant);
    return llvm::any_of(op.getUsers(), [&](Operation *user) {
      return !isa<graph::GraphDialect>(user->getDialect()) ||
             (isShort && kernel::readsWhole(user));
    });
  }

  void place(Operation &op) {
    // Of the groups that could take it, the youngest: most of the op's other
    // operands are older than that.
    std::optional<unsigned> best;
    for (Value operand : op.getOperands()) {
      std::optional<unsigned> group = groupOf(operand);
      if (fuses_ && group && kernel::canFuse(operand.getDefiningOp(), &op) &&
          accepts(*group, op) &&
          (!best ||
           groups_[*group].firstPosition > groups_[*best].firstPosition))
        best = group;
    }
    if (!best) {
      best = groups_.size();
      groups_.push_back({{}, positions_.lookup(&op)});
    }
    groups_[*best].ops.push_back(&op);
    groups_[*best].laneOperations += kernel::laneOperations(&op);
    groupOf_[&op] = *best;
  }

  std::optional<unsigned> groupOf(Value value) const {
    auto found = groupOf_.find(value.getDefiningOp());
    return found == groupOf_.end() ? std::nullopt
                                   : std::optional(found->second);
  }

  bool accepts(unsigned group, Operation &op) const {
    const Group &taker = groups_[group];
    if (taker.laneOperations + kernel::laneOperations(&op) >
        kernel::mostLaneOperations(taker.ops.front()))
      return false;
    return llvm::all_of(op.getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return groupOf(operand) == group || isa<graph::ConstantOp>(producer) ||
             positions_.lookup(producer) < taker.firstPosition;
    });
  }

  const bool fuses_;
  SmallVector<Group> groups_;
  DenseMap<Operation *, unsigned> positions_;
  DenseMap<Operation *, unsigned> groupOf_;
};

/// Turns groups into kernels and launches.
class KernelFormer {
public:
  explicit KernelFormer(ModuleOp module)
      : module_(module), builder_(module.getContext()) {
    builder_.setInsertionPoint(*module.getOps<EntryOp>().begin());
    // A variable or an entry may be called like an op.
    for (Operation &op : *module.getBody())
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        taken_.insert(symbol.getName());
  }

  void form(const Group &group);

private:
  KernelOp buildKernel(const Group &group, ArrayRef<Value> inputs,
                       ArrayRef<Value> outputs);
  /// The symbol of `kernel`, or of the equal one that came first.
  StringRef unify(KernelOp kernel, const Group &group);
  std::string uniqueName(const Group &group);

  ModuleOp module_;
  OpBuilder builder_;
  llvm::StringMap<std::string> byText_; // a kernel's text → its symbol
  llvm::StringMap<unsigned> names_;     // base name → how often it was tried
  llvm::StringSet<> taken_;             // symbols of the module
};

/// What the group reads from outside, constants apart, in order of first use.
SmallVector<Value> inputsOf(const Group &group) {
  DenseSet<Operation *> members(group.ops.begin(), group.ops.end());
  SetVector<Value> inputs;
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands())
      if (!members.contains(operand.getDefiningOp()) &&
          !operand.getDefiningOp<graph::ConstantOp>())
        inputs.insert(operand);
  return inputs.takeVector();
}

/// What others read of the group's results.
SmallVector<Value> outputsOf(const Group &group) {
  DenseSet<Operation *> members(group.ops.begin(), group.ops.end());
  SmallVector<Value> outputs;
  for (Operation *op : group.ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.push_back(result);
  return outputs;
}

/// Decisions (device, reason) stay outside: equal computations are one kernel.
void dropDecisions(Operation *op) {
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    names.push_back(attribute.getName());
  for (StringAttr name : names)
    op->removeDiscardableAttr(name);
}

KernelOp KernelFormer::buildKernel(const Group &group, ArrayRef<Value> inputs,
                                   ArrayRef<Value> outputs) {
  auto kernel =
      KernelOp::create(builder_, group.ops.front()->getLoc(), "", 1, 1,
                       /*reference_only=*/false);
  Block &body = kernel.getBody().emplaceBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  for (Operation *op : group.ops) {
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<graph::ConstantOp>();
          constant && !mapping.contains(operand))
        dropDecisions(inside.clone(*constant, mapping));
    dropDecisions(inside.clone(*op, mapping));
  }
  SmallVector<Value> results =
      llvm::map_to_vector(outputs, [&](Value v) { return mapping.lookup(v); });
  YieldOp::create(inside, group.ops.back()->getLoc(), results);
  kernel.setReferenceOnly(!kernel::isGenerated(group.ops.front()));
  kernel::KernelRange range = kernel::kernelRange(body);
  kernel.setRange(range.range);
  kernel.setGrain(range.grain);
  return kernel;
}

std::string KernelFormer::uniqueName(const Group &group) {
  constexpr size_t longest = 48; // keeps symbols and tables readable
  std::string name;
  for (Operation *op : group.ops) {
    std::string next =
        name + (name.empty() ? "" : "_") + op->getName().stripDialect().str();
    if (next.size() > longest)
      break;
    name = next;
  }
  unsigned &count = names_[name];
  std::string unique;
  do
    unique = count == 0 ? name : name + "_" + std::to_string(count);
  while (++count, !taken_.insert(unique).second);
  return unique;
}

/// What `kernel` computes, as text: numbered values, no names, no places.
std::string fingerprint(KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream out(text);
  DenseMap<Value, unsigned> numbers;
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    out << value.getType() << ';';
  };
  Block &body = kernel.getBody().front();
  llvm::for_each(body.getArguments(), define);
  for (Operation &op : body) {
    out << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      out << ' ' << numbers.lookup(operand);
    llvm::for_each(op.getResults(), define);
  }
  return text;
}

StringRef KernelFormer::unify(KernelOp kernel, const Group &group) {
  auto [found, isNew] = byText_.try_emplace(fingerprint(kernel), "");
  if (!isNew) {
    kernel.erase();
    return found->second;
  }
  found->second = uniqueName(group);
  kernel.setSymName(found->second);
  return found->second;
}

/// What the group's ops, which are about to go, say of themselves. `names` are
/// those of the kernel's body, in order.
SmallVector<DecisionAttr> decisionsFor(const Group &group, KernelOp kernel) {
  llvm::StringMap<StringRef> reasons;
  auto note = [&](Operation *op) {
    if (auto reason = op->getAttrOfType<dist::ReasonAttr>(dist::reasonAttrName))
      reasons[originOf(op->getLoc()).name] = reason.getText();
  };
  for (Operation *op : group.ops) {
    note(op);
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<graph::ConstantOp>())
        note(constant);
  }
  SmallVector<DecisionAttr> decisions;
  if (reasons.empty()) // IR without, as a person may write it
    return decisions;
  Block &body = kernel.getBody().front();
  for (auto [node, op] : llvm::enumerate(body.without_terminator())) {
    std::string name = originOf(op.getLoc()).name;
    decisions.push_back(
        DecisionAttr::get(op.getContext(), name, node, reasons.lookup(name)));
  }
  return decisions;
}

void KernelFormer::form(const Group &group) {
  SmallVector<Value> inputs = inputsOf(group), outputs = outputsOf(group);
  KernelOp own = buildKernel(group, inputs, outputs);
  SmallVector<DecisionAttr> decisions = decisionsFor(group, own);
  StringRef kernel = unify(own, group);
  OpBuilder at(group.ops.front());
  SmallVector<Type> types =
      llvm::map_to_vector(outputs, [](Value v) { return v.getType(); });
  auto launch =
      LaunchOp::create(at, group.ops.back()->getLoc(), types,
                       FlatSymbolRefAttr::get(at.getContext(), kernel), inputs,
                       /*after=*/nullptr, /*offsets=*/nullptr);
  setDecisions(launch, decisions);
  for (auto [output, result] : llvm::zip_equal(outputs, launch.getResults()))
    output.replaceAllUsesWith(result);
  // Reverse order: a consumer must go before its producer.
  for (Operation *op : llvm::reverse(group.ops))
    op->erase();
}

/// What nobody reads any more: constants that kernels have copied, and, in IR
/// that was edited by hand, whatever has lost its users.
void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<graph::GraphDialect>(op.getDialect()) && op.use_empty())
      op.erase();
}

struct FormKernelsPass : dtc::plan::impl::FormKernelsBase<FormKernelsPass> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    if (getOperation().getOps<EntryOp>().empty())
      return;
    KernelFormer former(getOperation());
    getOperation().walk([&](ActivationOp activation) {
      Block &block = activation.getBody().front();
      eraseUnused(block);
      Grouping grouping(block, fuse);
      for (const Group &group : grouping.groups())
        former.form(group);
      eraseUnused(block);
    });
  }
};

} // namespace

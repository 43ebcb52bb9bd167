// plan-form-kernels: graph ops → kernel + launch.
#include "dialects/dist/Dist.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Ops.h"
#include "dialects/plan/Origin.h"
#include "mlir/IR/IRMapping.h"
#include "passes/kernel/Fusion.h"
#include "passes/kernel/HostCodegen.h"
#include "passes/plan/GroupBody.h"
#include "passes/plan/Passes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace dtc::plan {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc;
using namespace dtc::plan;

namespace {

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

  void form(const KernelGroup &group);

private:
  struct Formed {
    SmallVector<unsigned> reads; // as GroupBody's
    KernelOp kernel;
  };

  /// The kernel that computes `body`: one that is there, or a new one.
  KernelOp kernelFor(const GroupBody &body, const KernelGroup &group);
  KernelOp buildKernel(const GroupBody &body, const KernelGroup &group);
  std::string uniqueName(const KernelGroup &group);

  ModuleOp module_;
  OpBuilder builder_;
  llvm::DenseMap<size_t, SmallVector<Formed, 1>> formed_; // by a body's hash
  llvm::StringMap<unsigned> names_; // base name → how often it was tried
  llvm::StringSet<> taken_;         // symbols of the module
};

KernelOp KernelFormer::kernelFor(const GroupBody &body,
                                 const KernelGroup &group) {
  SmallVector<Formed, 1> &alike = formed_[body.hash()];
  for (Formed &formed : alike)
    if (body.reads() == ArrayRef<unsigned>(formed.reads) &&
        body.isComputedBy(formed.kernel))
      return formed.kernel;
  alike.push_back(
      {SmallVector<unsigned>(body.reads()), buildKernel(body, group)});
  return alike.back().kernel;
}

KernelOp KernelFormer::buildKernel(const GroupBody &body,
                                   const KernelGroup &group) {
  auto kernel = KernelOp::create(builder_, group.front()->getLoc(),
                                 uniqueName(group), 1, 1,
                                 /*reference_only=*/false);
  Block &block = kernel.getBody().emplaceBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(&block);
  IRMapping mapping;
  for (Value input : body.inputs())
    mapping.map(input, block.addArgument(input.getType(), input.getLoc()));
  // Decisions (device, reason) stay outside.
  for (Operation *op : body.ops())
    inside.clone(*op, mapping)->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  SmallVector<Value> results = llvm::map_to_vector(
      body.outputs(), [&](Value v) { return mapping.lookup(v); });
  YieldOp::create(inside, group.back()->getLoc(), results);
  kernel.setReferenceOnly(!kernel::isGenerated(group.front()));
  kernel::KernelRange range = kernel::kernelRange(block);
  kernel.setRange(range.range);
  kernel.setGrain(range.grain);
  return kernel;
}

std::string KernelFormer::uniqueName(const KernelGroup &group) {
  constexpr size_t longest = 48; // keeps symbols and tables readable
  std::string name;
  for (Operation *op : group) {
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

/// Why each op of the body is where it is; they are about to go.
SmallVector<DecisionAttr> decisionsFor(const GroupBody &body) {
  SmallVector<DecisionAttr> decisions;
  bool isDecided = false; // not so IR that a person writes
  for (auto [node, op] : llvm::enumerate(body.ops())) {
    auto reason = op->getAttrOfType<dist::ReasonAttr>(dist::reasonAttrName);
    isDecided |= bool(reason);
    decisions.push_back(DecisionAttr::get(op->getContext(),
                                          originNameOf(op->getLoc()), node,
                                          reason ? reason.getText() : ""));
  }
  return isDecided ? decisions : SmallVector<DecisionAttr>();
}

void KernelFormer::form(const KernelGroup &group) {
  GroupBody body(group);
  KernelOp kernel = kernelFor(body, group);
  OpBuilder at(group.front());
  SmallVector<Type> types =
      llvm::map_to_vector(body.outputs(), [](Value v) { return v.getType(); });
  auto launch = LaunchOp::create(
      at, group.back()->getLoc(), types,
      FlatSymbolRefAttr::get(kernel.getSymNameAttr()), body.inputs(),
      /*after=*/nullptr, /*offsets=*/nullptr);
  setDecisions(launch, decisionsFor(body));
  for (auto [output, result] :
       llvm::zip_equal(body.outputs(), launch.getResults()))
    Value(output).replaceAllUsesWith(result);
  // Reverse order: a consumer must go before its producer.
  for (Operation *op : llvm::reverse(group))
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
    KernelGrouper grouper(getOperation(), fuse);
    getOperation().walk([&](ActivationOp activation) {
      Block &block = activation.getBody().front();
      eraseUnused(block);
      for (const KernelGroup &group : grouper.group(activation))
        former.form(group);
      eraseUnused(block);
    });
  }
};

} // namespace

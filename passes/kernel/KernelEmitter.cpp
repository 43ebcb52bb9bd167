#include "passes/kernel/KernelEmitter.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/Copies.h"
#include "passes/kernel/MirrorSums.h"
#include "passes/kernel/RootEmitters.h"
#include <cmath>

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

namespace {
/// What is done for a kind of root.
struct Kind {
  Work (*work)(const BodyPlan &);
  void (*emit)(EmitContext &);
};
} // namespace

static Kind kindOf(Operation *root) {
  if (!root)
    return {elementwiseWork, emitElementwise};
  if (isMove(root))
    return {copyWork, emitCopy};
  if (isMirrorSum(root))
    return {mirrorPadGradWork, emitMirrorPadGrad};
  if (isa<graph::RangeOp>(root))
    return {rangeWork, emitRange};
  if (isScatter(root))
    return {scatterWork, emitScatter};
  if (isConvolution(root))
    return {convolutionWork, emitConvolution};
  if (isa<graph::MaxPoolGradOp>(root))
    return {maxPoolGradWork, emitMaxPoolGrad};
  if (isPool(root))
    return {poolWork, emitPool};
  if (isa<graph::BatchMatmulOp, graph::MatmulOp>(root))
    return {matmulWork, emitMatmul};
  if (isa<graph::SoftmaxOp>(root))
    return {rowsWork, emitSoftmax};
  if (isa<graph::SoftmaxCrossEntropyOp>(root))
    return {rowsWork, emitSoftmaxCrossEntropy};
  if (isa<graph::ArgmaxOp, graph::ArgminOp>(root))
    return {argmaxWork, emitArgmax};
  return {reduceWork, emitReduce};
}

void dtc::kernel::forShare(EmitContext &context, int64_t first, int64_t count,
                           function_ref<void(Value index)> f) {
  LaneBuilder &b = context.body.builder();
  Value lower = b.maxIndex(context.begin, b.index(first)),
        upper = b.minIndex(context.end, b.index(first + count));
  b.loop(lower, upper, 1, [&](Value index) { f(b.addIndex(index, -first)); });
}

KernelRange dtc::kernel::kernelRange(Block &body) {
  // What is wrong with a body is said when it is compiled.
  ScopedDiagnosticHandler quiet(body.getParentOp()->getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<KernelForm> form = analyzeKernel(body);
  if (failed(form))
    return {1, 1};
  constexpr double kPieceNanos = 4000;
  Work work = kindOf(form->root).work(planBody(*form));
  if (work.range < 1) // of an empty tensor
    return {1, 1};
  double grain = std::ceil(kPieceNanos / std::max(work.nanosPerIndex, 1e-3));
  return {work.range, std::clamp<int64_t>(int64_t(grain), 1, work.range)};
}

/// Constants whose elements do not lie in the op itself cannot be compiled.
static LogicalResult checkConstants(Block &body) {
  for (auto constant : body.getOps<graph::ConstantOp>())
    if (!isa<DenseElementsAttr>(constant.getValue()))
      return constant.emitOpError("needs a dense value to be compiled");
  return success();
}

/// The pointers in the array `arguments`, in order.
static SmallVector<Value> loadPointers(LaneBuilder &b, Value arguments,
                                       size_t count) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Value> pointers;
  for (size_t i = 0; i < count; ++i) {
    Value address = LLVM::GEPOp::create(b, pointer, pointer, arguments,
                                        ArrayRef<LLVM::GEPArg>{int32_t(i)},
                                        LLVM::GEPNoWrapFlags::inbounds);
    pointers.push_back(LLVM::LoadOp::create(b, pointer, address, 8));
  }
  return pointers;
}

LogicalResult dtc::kernel::emitKernel(ModuleOp module,
                                      const KernelSource &kernel,
                                      unsigned vectorBits) {
  FailureOr<KernelForm> form = analyzeKernel(*kernel.body);
  if (failed(form) || failed(checkConstants(*kernel.body)))
    return failure();
  BodyPlan plan = planBody(*form);
  LaneBuilder b(kernel.body->getParentOp()->getLoc(), module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, b.getI64Type(), b.getI64Type()});
  auto function = LLVM::LLVMFuncOp::create(b, kernel.name, type);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  size_t inputs = kernel.body->getNumArguments(),
         outputs = form->outputs.size();
  SmallVector<Value> pointers =
      loadPointers(b, entry->getArgument(0), inputs + outputs);
  KernelBody body(b, plan, ArrayRef(pointers).take_front(inputs),
                  ArrayRef(pointers).drop_front(inputs));
  EmitContext context{body, entry->getArgument(1), entry->getArgument(2),
                      vectorBits};
  kindOf(form->root).emit(context);
  LLVM::ReturnOp::create(b, ValueRange());
  return success();
}

#include "tools/dtc/CompileKernels.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/plan/Plan.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "passes/kernel/HostCodegen.h"

using namespace mlir;

namespace dtc::tool {
namespace {

FailureOr<std::string> compileFor(ModuleOp module,
                                  const kernel::HostTarget &target,
                                  unsigned threads) {
  std::vector<kernel::KernelSource> sources;
  for (auto op : module.getOps<plan::KernelOp>())
    if (!op.getReferenceOnly())
      sources.push_back({op.getSymName().str(), &op.getBody().front()});
  return kernel::compileKernels(
      sources, target, module.getContext(), threads,
      [&] { return coded(module.emitError(), Code::Bug); });
}

LogicalResult addCode(ModuleOp module, OpBuilder &builder,
                      const std::string &name, unsigned threads) {
  if (name == "reference") {
    plan::CodeOp::create(builder, module.getLoc(), name,
                         builder.getStrArrayAttr({}), nullptr);
    return success();
  }
  FailureOr<kernel::HostTarget> target = kernel::resolveHostTarget(
      name, [&] { return coded(module.emitError(), Code::BadTarget); });
  if (failed(target))
    return failure();
  FailureOr<std::string> object = compileFor(module, *target, threads);
  if (failed(object))
    return failure();
  SmallVector<StringRef> features(target->features.begin(),
                                  target->features.end());
  auto type = RankedTensorType::get({static_cast<int64_t>(object->size())},
                                    builder.getI8Type());
  auto bytes = DenseResourceElementsAttr::get(
      type, target->cpu,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(
          ArrayRef<char>(object->data(), object->size()), 8));
  plan::CodeOp::create(builder, module.getLoc(), target->cpu,
                       builder.getStrArrayAttr(features), bytes);
  return success();
}

} // namespace

Status checkTarget(const std::string &name) {
  if (name == "reference")
    return Status::ok();
  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler listener(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto complain = [&] { return emitError(UnknownLoc::get(&context)); };
  if (succeeded(kernel::resolveHostTarget(name, complain)))
    return Status::ok();
  return Status::invalidArgument(strCat("--target ", name, ": ", message));
}

LogicalResult compileKernels(ModuleOp module,
                             const std::vector<std::string> &targets,
                             unsigned threads) {
  OpBuilder builder(module.getContext());
  if (module.getOps<plan::EntryOp>().empty())
    return coded(
        module.emitError(
            "has no entry point: a graph file needs at least one graph.func"),
        Code::BadEntry);
  builder.setInsertionPoint(*module.getOps<plan::EntryOp>().begin());
  for (const std::string &target : targets)
    if (failed(addCode(module, builder, target, threads)))
      return failure();
  return success();
}

} // namespace dtc::tool

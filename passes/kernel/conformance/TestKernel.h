// TestKernel: a kernel body written as a func.func, compiled, loaded, run, and
// compared with the reference kernels. For tests only.
#ifndef DTC_PASSES_KERNEL_CONFORMANCE_TESTKERNEL_H
#define DTC_PASSES_KERNEL_CONFORMANCE_TESTKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/kernel/HostCodegen.h"
#include "runtime/kernels/ReferenceKernels.h"
#include <memory>

namespace dtc::kernel {

/// A tensor that owns its bytes, aligned to 64.
struct TestTensor {
  ElementType element;
  std::vector<int64_t> shape;
  int64_t count;
  std::shared_ptr<std::byte[]> storage;
  std::byte *data;

  explicit TestTensor(mlir::Type type);
  TensorRef ref() const { return {element, shape, data}; }
  size_t bytes() const { return size_t(count) * sizeBytes(element); }
  /// Element `index` as a double.
  double at(int64_t index) const;
};

/// resolveHostTarget() for tests: the target, or its error's text.
mlir::FailureOr<HostTarget> resolve(const std::string &name);
std::string resolveError(const std::string &name);

class TestKernel {
public:
  /// `text` holds one func.func; its body is the kernel, called `symbol`.
  explicit TestKernel(const std::string &text, std::string symbol = "k");

  KernelSource source() { return {symbol_, &body()}; }
  KernelRange range() { return kernelRange(body()); }
  const std::string &text() const { return text_; }
  std::vector<TestTensor> &inputs() { return inputs_; }

  /// The shared object; "" after an error.
  std::string compile(const std::string &target, unsigned threads = 1);
  /// The diagnostic of a compilation that must fail.
  std::string compileError();

  /// The outputs of the reference kernels.
  std::vector<TestTensor> runReference();
  /// The outputs of the code in `object`, called once for each piece of the
  /// range, from the last to the first.
  std::vector<TestTensor> run(const std::string &object, int64_t pieces = 1);

private:
  mlir::Block &body();

  std::string text_, symbol_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::func::FuncOp function_;
  std::vector<TestTensor> inputs_;
};

/// Many kernels, compiled into one object a target, since linking takes most
/// of the time.
class TestBatch {
public:
  void add(const std::string &text, double tolerance);
  /// Runs every kernel on random inputs, whole and in pieces, for every level
  /// that this machine has. All runs of a kernel must give the same bits, and
  /// each element must be within the kernel's tolerance (relative; 0: equal
  /// bits) of the reference kernels'.
  void expectMatchesReference();

private:
  std::string compile(const std::string &target);

  std::vector<TestKernel> kernels_;
  std::vector<double> tolerances_;
};

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_CONFORMANCE_TESTKERNEL_H

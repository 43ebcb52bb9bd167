// Evaluator: a graph function on the reference kernels, quickly, many times.
#pragma once

#include "dialects/graph/Ops.h"
#include "runtime/base/Tensor.h"
#include "runtime/kernels/ReferenceKernels.h"
#include <map>

namespace dtc::ops {

using Tensors = std::map<std::string, Tensor>;

/// The runtime's name of an element type of the graph dialect.
ElementType elementTypeOf(mlir::Type type);
Tensor emptyTensor(mlir::Type type);
/// Element `index` as a double, and back.
double at(const Tensor &tensor, size_t index);
void setAt(Tensor &tensor, size_t index, double value);
size_t countOf(const Tensor &tensor);

class Evaluator {
public:
  /// `func` has feeds, outputs and ops with reference kernels only; it must
  /// outlive this. Composites are expanded already.
  explicit Evaluator(graph::FuncOp func);
  /// The outputs by name, from feeds by name. An error names the op.
  Result<Tensors> run(const Tensors &feeds);

private:
  struct Step {
    std::string op;
    Attributes attributes;
    std::vector<size_t> operands, results;
  };
  Status runStep(const Step &step);
  void addStep(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, size_t> places_;
  std::vector<Tensor> tensors_;
  std::vector<Step> steps_;
  std::map<std::string, size_t> feeds_, outputs_;
  Status constants_ = Status::ok();
};

} // namespace dtc::ops

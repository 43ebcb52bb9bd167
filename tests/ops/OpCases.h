// The cases of one op: its file, and the goldens of each case.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tests/ops/Evaluator.h"

namespace dtc::ops {

/// The ops that have a file of cases, sorted.
std::vector<std::string> opsWithCases();

class OpCases {
public:
  /// Reads `cases/OP.mlir`, with `element` ("f64", "f32") for its f64.
  OpCases(const std::string &op, const std::string &element);

  /// Null when the file is wrong; error() says how.
  mlir::ModuleOp module() { return module_ ? *module_ : mlir::ModuleOp(); }
  const std::string &error() const { return error_; }
  const std::string &text() const { return text_; }
  std::vector<graph::FuncOp> cases();
  /// The first op of the kind that the cases are about.
  mlir::Operation *subject();
  mlir::MLIRContext &context() { return context_; }

  /// Composites become primitive ops, as before any kernel.
  bool expandComposites();

  /// The feeds and the outputs of a case, from the goldens, converted to the
  /// types that the case has now.
  Result<Tensors> feeds(graph::FuncOp func) const;
  Result<Tensors> outputs(graph::FuncOp func) const;

private:
  Result<Tensor> golden(graph::FuncOp func, const std::string &name,
                        mlir::Type type) const;

  mlir::MLIRContext context_;
  std::string op_, text_, error_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

/// Kinks, NaN and infinities: no gradient is checked there.
bool isSpecial(graph::FuncOp func);

/// "" or the first element of `actual` that is further from `expected` than
/// `tolerance`, relative to the largest element. NaN equals NaN.
std::string compare(const Tensor &actual, const Tensor &expected,
                    double tolerance);

} // namespace dtc::ops

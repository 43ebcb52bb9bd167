// How a shape rule is written. Rules run before an op exists, so they trust
// neither the kind nor the number of its operands' dimensions, and they say
// what clashes.
#pragma once

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Ops.h"

namespace dtc::graph {

using Types = llvm::SmallVectorImpl<mlir::Type>;
using MaybeLocation = std::optional<mlir::Location>;

// One application of a shape rule: where to complain, about which op.
class Rule {
public:
  // `op` is the op's name without the dialect: "matmul".
  Rule(MaybeLocation location, llvm::StringRef op, mlir::ValueRange operands)
      : location_(location), op_(op), operands_(operands) {}

  // Reports `message` at the op, and where each operand comes from.
  llvm::LogicalResult fail(const llvm::Twine &message,
                           Code code = Code::ShapeMismatch) const;
  // Fills `types` with the operands' types if all are tensors.
  llvm::LogicalResult
  tensors(llvm::SmallVectorImpl<mlir::RankedTensorType> &types) const;
  // Checks that all operands have one element type.
  llvm::LogicalResult
  sameElements(llvm::ArrayRef<mlir::RankedTensorType> types) const;
  // Checks that `axis` counts a dimension of `x`.
  llvm::LogicalResult axis(int64_t axis, mlir::RankedTensorType x) const;
  // Checks that a list has one number for each of the `rank` dimensions.
  llvm::LogicalResult perDimension(llvm::StringRef list, size_t length,
                                   int64_t rank) const;
  // Adds the result's type if it is not too large.
  llvm::LogicalResult result(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                             Types &types) const;

private:
  MaybeLocation location_;
  llvm::StringRef op_;
  mlir::ValueRange operands_;
};

// "2x3 and 4x5".
std::string both(mlir::RankedTensorType lhs, mlir::RankedTensorType rhs);
// A type or an attribute as text.
std::string text(mlir::Type type);
// "[1, 2]".
std::string text(llvm::ArrayRef<int64_t> list);

// "add" of "graph.add".
template <typename Op>
llvm::StringRef mnemonic() {
  return Op::getOperationName().split('.').second;
}

// Defines OP::inferReturnTypes as a call of FUNCTION(rule, types, adaptor,
// results), where `types` are the operands' types.
#define DTC_SHAPE_RULE(OP, FUNCTION)                                           \
  llvm::LogicalResult OP::inferReturnTypes(mlir::MLIRContext *context,         \
                                           MaybeLocation location,             \
                                           Adaptor adaptor, Types &results) {  \
    Rule rule(location, mnemonic<OP>(), adaptor.getOperands());                \
    llvm::SmallVector<mlir::RankedTensorType> types;                           \
    if (failed(rule.tensors(types)))                                           \
      return llvm::failure();                                                  \
    return FUNCTION(rule, types, adaptor, results);                            \
  }

} // namespace dtc::graph

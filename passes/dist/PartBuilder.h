// PartBuilder: the small ops that deal with parts of variables: reads, cuts,
// indices within a part.
#pragma once

#include "passes/dist/NameTable.h"
#include "passes/dist/Shards.h"
#include "llvm/ADT/MapVector.h"

namespace dtc::dist {

/// Split variables and slots, in the order of the text.
using SplitTable = llvm::MapVector<graph::VariableOp, Split>;

/// One value for each part of a variable, in their order.
using PartValues = llvm::SmallVector<mlir::Value>;

class PartBuilder {
public:
  /// The tables must outlive it.
  PartBuilder(graph::FuncOp func, const Variables &variables,
              const SplitTable &splits)
      : variables_(variables), splits_(splits), names_(func) {}

  /// How the variable of that name is split, or null.
  const Split *splitOf(llvm::StringRef variable) const;
  std::string partOf(llvm::StringRef variable, int64_t index) const;

  /// Reads of the parts, beside `read`, of a split variable.
  const PartValues &readsOf(graph::ReadOp read);
  /// The parts of `whole`, cut out along `axis` behind its definition.
  PartValues cut(mlir::Value whole, const Split &split, int64_t axis);
  /// Where rows `indices` of a variable, which has `rows`, are within part
  /// `index`: outside its range for a row of another part.
  mlir::Value localIndices(mlir::Value indices, const Split &split,
                           int64_t rows, int64_t index);
  /// The parts joined, in place of `read`.
  void join(graph::ReadOp read);
  /// The rows that `gather` looks up in `read`, each from its part; in place of
  /// `gather`.
  void lookUp(graph::GatherOp gather, graph::ReadOp read);

  /// Gives the results the names of those of `original`, of part `index`.
  void name(mlir::Operation *op, mlir::Operation *original, int64_t index);

private:
  mlir::Value number(mlir::OpBuilder &builder, mlir::Value like, int64_t value);

  const Variables &variables_;
  const SplitTable &splits_;
  NameTable names_;
  llvm::DenseMap<mlir::Operation *, PartValues> reads_;
};

} // namespace dtc::dist

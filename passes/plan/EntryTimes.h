// EntryTimes: when each instruction of an entry could begin, and when it must
// so that nobody is delayed, if every task had all the threads it can use.
//
// Times are in nanoseconds, reckoned by the rates of dialects/graph/Cost.h;
// nothing is measured. They pass along whatever makes an instruction wait:
// operands, edges between tasks, and that a task's apply activations begin when
// its others have ended. An edge is taken for a meeting: neither activation
// ends before both of its ends were there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dialects/plan/Plan.h"
#include "llvm/ADT/DenseMap.h"

namespace dtc::plan {

/// An entry's instructions and edges by number, in the order of the text. Holds
/// while nothing is added to the entry or taken out.
class EntryIndex {
public:
  static constexpr uint32_t none = UINT32_MAX;

  /// One activation: the instructions [first, end).
  struct Part {
    ActivationOp activation;
    TaskAttr task;
    uint32_t first, end;
  };
  struct Edge {
    uint32_t send = none, recv = none; // its ends' instructions
  };

  explicit EntryIndex(EntryOp entry);

  uint32_t size() const { return ops_.size(); }
  mlir::Operation *op(uint32_t number) const { return ops_[number]; }
  const std::vector<Part> &parts() const { return parts_; }
  const std::vector<Edge> &edges() const { return edges_; }
  /// Who makes a value.
  uint32_t makerOf(mlir::Value value) const {
    return numbers_.lookup(value.getDefiningOp());
  }
  /// The edge of a send or recv; none if it is undeclared or `op` is neither.
  uint32_t edgeOf(mlir::Operation *op) const;

private:
  std::vector<mlir::Operation *> ops_;
  std::vector<Part> parts_;
  std::vector<Edge> edges_;
  llvm::DenseMap<mlir::Operation *, uint32_t> numbers_;
  llvm::DenseMap<mlir::StringAttr, uint32_t> edgeNumbers_;
};

/// How long a launch of each kernel takes.
using KernelTimes = llvm::DenseMap<mlir::StringAttr, int64_t>;
KernelTimes kernelTimesOf(mlir::ModuleOp module);

/// By instruction. Both rise strictly along whatever waits.
struct EntryTimes {
  std::vector<int64_t> earliest, latest;

  /// Nothing if something waits in a circle, or if an edge lacks an end: such a
  /// text is the proof's to judge. Linear in instructions and operands.
  static std::optional<EntryTimes> of(const EntryIndex &index,
                                      const KernelTimes &kernels);
};

} // namespace dtc::plan

// PlanGraph: the graph ops of an entry where its plan computes them, and how
// values flow between them: through kernels, buffers, edges and accumulators.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// A graph op, or an end of an edge, in one activation of one program.
struct PlanOp {
  std::string name;     // "h1"; "dx, dw" where it has two results; "": unknown
  std::string kind;     // "graph.matmul", "load_variable", "send", …
  std::string location; // "digits.mlir:12:8"
  std::string reason;   // why it is there; "": the plan does not say
  std::string task;     // "worker:*", "ps:0"
  const proto::Activation *activation = nullptr;
  uint32_t instruction = 0;
  const proto::Kernel *kernel = nullptr; // that it is computed in
  std::string types;                     // of its results
  uint64_t bytes = 0;                    // of its results
  bool isInMemory = true;                // a result leaves its kernel
  std::vector<size_t> inputs, users;     // numbers of ops

  const proto::Instruction &it() const {
    return activation->instructions(instruction);
  }
};

/// Does not outlive the plan.
class PlanGraph {
public:
  PlanGraph(const Plan &plan, const proto::Entry &entry);

  /// In the order of the plan: programs, activations, instructions, nodes.
  const std::vector<PlanOp> &ops() const { return ops_; }
  /// Ops that have this name; several for a constant, or a variable's reads.
  std::vector<size_t> named(const std::string &name) const;
  /// Every name of an op, sorted.
  std::vector<std::string> names() const;
  /// All ops that `from` reaches within a step, itself apart, in order.
  std::vector<size_t> reachedFrom(size_t from) const;

private:
  void addActivation(const proto::Program &program,
                     const proto::Activation &activation);
  size_t addOp(const proto::Program &program,
               const proto::Activation &activation, uint32_t instruction);
  void addLaunch(const proto::Program &program,
                 const proto::Activation &activation, uint32_t instruction);
  void addNode(size_t op, const proto::Kernel &kernel, int node);
  void addDecisions(size_t first);
  void link(size_t from, size_t to);
  void linkFar();

  const Plan &plan_;
  const proto::Entry &entry_;
  std::vector<PlanOp> ops_;
  std::multimap<std::string, size_t> byName_;
  int nextDecision_ = 0;
  // Of the current activation: who defines a buffer.
  std::vector<size_t> definer_;
};

/// "tensor<4x2xf32>" and its bytes.
std::string typeText(const proto::TensorType &type);
uint64_t typeBytes(const proto::TensorType &type);

} // namespace dtc::tool

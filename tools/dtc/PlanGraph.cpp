#include "tools/dtc/PlanGraph.h"

#include <algorithm>
#include <set>

namespace dtc::tool {
namespace {

/// "dx, dw" → its parts.
std::vector<std::string> namesIn(const std::string &text) {
  std::vector<std::string> names;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(", ", at), text.size());
    names.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

void addType(PlanOp &op, const proto::TensorType &type) {
  op.types += (op.types.empty() ? "" : ", ") + typeText(type);
  op.bytes += typeBytes(type);
}

} // namespace

std::string typeText(const proto::TensorType &type) {
  return TensorType::create(type)->toString();
}

uint64_t typeBytes(const proto::TensorType &type) {
  return TensorType::create(type)->bytes;
}

PlanGraph::PlanGraph(const Plan &plan, const proto::Entry &entry)
    : plan_(plan), entry_(entry) {
  for (const proto::Program &program : entry.programs())
    for (const proto::Activation &activation : program.activations())
      addActivation(program, activation);
  linkFar();
  for (size_t op = 0; op < ops_.size(); ++op)
    for (const std::string &name : namesIn(ops_[op].name))
      byName_.emplace(name, op);
}

void PlanGraph::link(size_t from, size_t to) {
  ops_[from].users.push_back(to);
  ops_[to].inputs.push_back(from);
}

size_t PlanGraph::addOp(const proto::Program &program,
                        const proto::Activation &activation,
                        uint32_t instruction) {
  PlanOp op;
  op.task = toTaskId(program.task()).toString();
  op.activation = &activation;
  op.instruction = instruction;
  op.kind = kindName(op.it());
  op.name = op.it().name();
  op.location = op.it().location();
  ops_.push_back(std::move(op));
  return ops_.size() - 1;
}

void PlanGraph::addNode(size_t op, const proto::Kernel &kernel, int node) {
  const proto::Node &it = kernel.body(node);
  PlanOp &to = ops_[op];
  to.kernel = &kernel;
  to.kind = it.op();
  to.isInMemory = false; // until an output is seen
  // Equal kernels are one, with the names and places of the first launch; an
  // instruction is called as the last op that it stands for.
  bool isLast = node + 1 == kernel.body_size();
  bool isOwn = kernel.body().rbegin()->name() == to.it().name();
  to.name = isLast ? to.it().name() : isOwn ? it.name() : "";
  to.location = isLast ? to.it().location() : isOwn ? it.location() : "";
  for (const proto::TensorType &type : it.results())
    addType(to, type);
}

void PlanGraph::addLaunch(const proto::Program &program,
                          const proto::Activation &activation,
                          uint32_t instruction) {
  const proto::Launch &launch = activation.instructions(instruction).launch();
  const proto::Kernel &kernel = plan_.proto().kernels(launch.kernel());
  std::vector<size_t> values; // who makes value i of the body
  for (uint32_t buffer : launch.inputs())
    values.push_back(definer_[buffer]);
  for (int node = 0; node < kernel.body_size(); ++node) {
    size_t op = addOp(program, activation, instruction);
    addNode(op, kernel, node);
    for (uint32_t operand : kernel.body(node).operands())
      link(values[operand], op);
    values.insert(values.end(), kernel.body(node).results_size(), op);
  }
  for (int i = 0; i < kernel.results_size(); ++i) {
    definer_[launch.outputs(i)] = values[kernel.results(i)];
    ops_[values[kernel.results(i)]].isInMemory = true;
  }
  if (kernel.body_size() > 0)
    return;
  size_t op = addOp(program, activation, instruction); // code alone
  ops_[op].kernel = &kernel;
  for (size_t input : values)
    link(input, op);
  for (uint32_t output : launch.outputs())
    definer_[output] = op;
}

void PlanGraph::addActivation(const proto::Program &program,
                              const proto::Activation &activation) {
  definer_.assign(activation.buffers_size(), 0);
  for (int i = 0; i < activation.instructions_size(); ++i) {
    const proto::Instruction &it = activation.instructions(i);
    size_t first = ops_.size();
    if (it.has_launch()) {
      addLaunch(program, activation, i);
    } else {
      size_t op = addOp(program, activation, i);
      Operands operands = operandsOf(it);
      for (uint32_t buffer : operands.reads)
        link(definer_[buffer], op);
      for (uint32_t buffer : operands.writes) {
        definer_[buffer] = op;
        addType(ops_[op], activation.buffers(buffer).type());
      }
    }
    addDecisions(first);
  }
}

/// What was decided on the ops from `first` on, all of one instruction.
/// Decisions are in the order of the instructions; the check said so.
void PlanGraph::addDecisions(size_t first) {
  for (; nextDecision_ < entry_.decisions_size(); ++nextDecision_) {
    const proto::Decision &next = entry_.decisions(nextDecision_);
    const proto::Program &its = entry_.programs(next.program());
    if (&its.activations(next.activation()) != ops_[first].activation ||
        next.instruction() != ops_[first].instruction)
      return;
    PlanOp &op = ops_[first + next.node()];
    bool isSecond = !op.it().has_launch() && !op.reason.empty();
    op.name = isSecond ? op.name + ", " + next.op() : next.op();
    if (next.reason() && !isSecond)
      op.reason = plan_.proto().reasons(next.reason() - 1);
  }
}

/// What flows from one activation to another.
void PlanGraph::linkFar() {
  std::map<uint32_t, size_t> sends;
  std::multimap<std::string, size_t> accumulates;
  for (size_t op = 0; op < ops_.size(); ++op)
    if (const proto::Instruction &it = ops_[op].it(); it.has_send())
      sends[it.send().edge()] = op;
    else if (it.has_accumulate())
      accumulates.emplace(ops_[op].task + "/" + it.accumulate().accumulator(),
                          op);
  for (size_t op = 0; op < ops_.size(); ++op) {
    const proto::Instruction &it = ops_[op].it();
    if (it.has_recv() && sends.count(it.recv().edge()))
      link(sends[it.recv().edge()], op);
    if (it.has_take())
      for (auto [at, end] = accumulates.equal_range(ops_[op].task + "/" +
                                                    it.take().accumulator());
           at != end; ++at)
        link(at->second, op);
  }
}

std::vector<size_t> PlanGraph::named(const std::string &name) const {
  std::vector<size_t> found;
  for (auto [at, end] = byName_.equal_range(name); at != end; ++at)
    found.push_back(at->second);
  return found;
}

std::vector<std::string> PlanGraph::names() const {
  std::vector<std::string> names;
  for (const auto &[name, op] : byName_)
    if (names.empty() || names.back() != name)
      names.push_back(name);
  return names;
}

std::vector<size_t> PlanGraph::reachedFrom(size_t from) const {
  std::set<size_t> seen;
  std::vector<size_t> pending = ops_[from].users;
  while (!pending.empty()) {
    size_t op = pending.back();
    pending.pop_back();
    if (seen.insert(op).second)
      pending.insert(pending.end(), ops_[op].users.begin(),
                     ops_[op].users.end());
  }
  seen.erase(from);
  return {seen.begin(), seen.end()};
}

} // namespace dtc::tool

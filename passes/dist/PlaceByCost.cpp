#include "passes/dist/PlaceByCost.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Cost.h"
#include "passes/dist/ColocationGroups.h"
#include "passes/dist/CostPolicy.h"
#include "passes/dist/PlacementProblem.h"
#include "passes/dist/UpdateRegion.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
namespace {

constexpr size_t mostRejected = 3; // places named in a reason
constexpr double leastGain = 0.2;  // of the step; see CostProblem
constexpr double threads = 2;      // of a task

/// Whether a kernel probably computes the value for its one user, so that it
/// never is in memory.
bool isWithinKernel(Value value) {
  Operation *definition = value.getDefiningOp();
  if (!definition || !value.hasOneUse())
    return false;
  return (*value.getUsers().begin())->hasTrait<graph::Elementwise>() &&
         !isa<graph::ConstantOp, graph::ReadOp, graph::InputOp>(definition);
}

/// An op as the part of a kernel that it will be, on the threads of a task.
double secondsOf(Operation *op, const graph::Rates &rates) {
  graph::OpCost cost = graph::costOf(op);
  if (cost.flops() == 0 && cost.bytes() == 0)
    return 0;
  bool isFused = false;
  for (Value operand : op->getOperands())
    if (isWithinKernel(operand)) {
      isFused = true;
      cost.bytesRead -= graph::sizeBytes(operand.getType());
    }
  for (Value result : op->getResults())
    if (isWithinKernel(result))
      cost.bytesWritten -= graph::sizeBytes(result.getType());
  double seconds = graph::secondsOf(cost, rates);
  seconds = std::min(seconds, seconds / threads + rates.secondsToSplit);
  return seconds + (isFused ? 0 : rates.secondsPerKernel);
}

std::string milliseconds(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f ms", seconds * 1e3);
  return text;
}

/// One entry as a problem. Variables that an earlier entry placed are fixed.
class EntryProblem {
public:
  EntryProblem(graph::FuncOp func, const Variables &variables,
               const ColocationGroups &groups, int64_t memoryBytes);

  /// Solves it and writes wishes and reasons. Fails if memory is short.
  LogicalResult place();

private:
  using Range = std::pair<size_t, size_t>; // of devices

  void addDevices(int64_t memoryBytes);
  void addVariables();
  void addOps();
  size_t addItem(Operation *op, Range range, size_t initial);
  size_t itemOf(Operation *op);
  graph::VariableOp leadOf(graph::VariableOp variable) const;
  void addOp(Operation *op);
  size_t feed(BlockArgument argument);
  int64_t wireBytes(Type type) const;
  Range tasksOf(StringRef job) const;
  /// The tasks that a wish leaves, of `job`.
  Range allowedTasks(Operation *op, StringRef job) const;
  size_t chief() const {
    return firstOf(cluster_.chief().getJob()) + cluster_.chief().getTask();
  }
  size_t firstOf(StringRef job) const { return firstDevice_.lookup(job); }

  void write(const CostSolution &solution);
  std::string reasonFor(const CostSolution &solution, size_t item) const;
  LogicalResult reportLack(const CostOutcome &outcome);

  graph::FuncOp func_;
  ClusterAttr cluster_;
  const Variables &variables_;
  const ColocationGroups &groups_;
  UpdateRegion region_;
  CostProblem problem_;
  llvm::StringMap<size_t> firstDevice_; // of a job
  llvm::MapVector<Operation *, size_t>
      items_;                      // variables and ops, the first of groups
  DenseMap<Value, size_t> values_; // the op that makes it
  std::optional<size_t> outside_;  // the item of feeds and outputs
  std::vector<double> work_;       // of each item
  graph::Rates rates_;
};

EntryProblem::EntryProblem(graph::FuncOp func, const Variables &variables,
                           const ColocationGroups &groups, int64_t memoryBytes)
    : func_(func), cluster_(clusterOf(func)), variables_(variables),
      groups_(groups), region_(func, variables) {
  graph::LinkRates link;
  problem_.link = {.latencySeconds = link.batchSeconds + link.messageSeconds +
                                     link.threadSeconds,
                   .batchSeconds = link.batchSeconds,
                   .messageSeconds = link.messageSeconds,
                   .handlingSeconds = link.threadSeconds,
                   .bytesPerSecond = link.bytesPerSecond,
                   .landingBytesPerSecond = link.bytesPerSecond};
  problem_.leastGain = leastGain;
  addDevices(memoryBytes);
  addVariables();
  for (BlockArgument argument : func.getBody().getArguments())
    values_[argument] = feed(argument);
  for (Operation &op : func.getBody().front())
    addOp(&op);
}

void EntryProblem::addDevices(int64_t memoryBytes) {
  for (JobAttr job : cluster_.getJobs()) {
    firstDevice_[job.getName()] = problem_.devices.size();
    for (int64_t task = 0; task < job.getTasks(); ++task) {
      problem_.devices.push_back(
          {cluster_.cpu(job.getName(), task).taskString()});
      if (memoryBytes > 0)
        problem_.devices.back().memoryBytes = memoryBytes;
    }
  }
}

EntryProblem::Range EntryProblem::tasksOf(StringRef job) const {
  size_t first = firstOf(job);
  return {first, first + cluster_.numTasks(job)};
}

EntryProblem::Range EntryProblem::allowedTasks(Operation *op,
                                               StringRef job) const {
  std::optional<int64_t> task = groups_.wishOf(op).task;
  Range all = tasksOf(job);
  if (!task)
    return all;
  return {all.first + *task, all.first + *task + 1};
}

size_t EntryProblem::addItem(Operation *op, Range range, size_t initial) {
  problem_.items.push_back({.firstDevice = range.first,
                            .endDevice = range.second,
                            .initialDevice = initial});
  work_.push_back(0);
  if (op)
    items_[op] = problem_.items.size() - 1;
  return problem_.items.size() - 1;
}

/// Of variables that are together, the one that stands for all.
graph::VariableOp EntryProblem::leadOf(graph::VariableOp variable) const {
  graph::VariableOp owner = variables_.ownerOf(variable);
  graph::VariableOp first =
      groups_.contains(owner) ? groups_.variableOf(owner) : owner;
  return variables_.ownerOf(first);
}

/// A variable with its slots, and what is with it, is one item. Initially those
/// of a job are spread over its tasks by bytes, as dist-place would.
void EntryProblem::addVariables() {
  auto module = func_->getParentOfType<ModuleOp>();
  for (auto variable : module.getOps<graph::VariableOp>())
    if (leadOf(variable) == variable) {
      Range range = allowedTasks(variable, jobOf(variable));
      addItem(variable, range, range.first);
    }
  for (auto variable : module.getOps<graph::VariableOp>())
    problem_.items[items_[leadOf(variable)]].residentBytes +=
        graph::sizeBytes(variable.getType());
  for (JobAttr job : cluster_.getJobs()) {
    PlacementProblem spread{.tasks = job.getTasks(), .items = {}};
    std::vector<size_t> members;
    for (auto &[variable, item] : items_) {
      if (jobOf(variable) != job.getName())
        continue;
      const CostProblem::Item &its = problem_.items[item];
      bool staysWithChief = job.getName() != "ps";
      spread.items.push_back({"", its.residentBytes, {}});
      if (its.isFixed() || staysWithChief)
        spread.items.back().fixedTask =
            its.isFixed() ? its.firstDevice - firstOf(job.getName()) : 0;
      members.push_back(item);
    }
    PlacementSolution solution = solvePlacement(spread);
    for (auto [index, item] : llvm::enumerate(members))
      problem_.items[item].initialDevice =
          firstOf(job.getName()) + solution.task[index];
  }
}

/// Of a value while it crosses (G7).
int64_t EntryProblem::wireBytes(Type type) const {
  auto tensor = cast<RankedTensorType>(type);
  Type wire = wireTypeOf(func_);
  return graph::sizeBytes(
      wire && tensor.getElementType().isF32() ? tensor.clone(wire) : tensor);
}

/// A feed is on the chief, from the beginning.
size_t EntryProblem::feed(BlockArgument argument) {
  if (!outside_)
    outside_ = addItem(nullptr, {chief(), chief() + 1}, chief());
  problem_.ops.push_back({.item = *outside_,
                          .bytes = graph::sizeBytes(argument.getType()),
                          .wireBytes = wireBytes(argument.getType())});
  return problem_.ops.size() - 1;
}

/// What the op must be with, as dist-place decides it.
size_t EntryProblem::itemOf(Operation *op) {
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return items_[leadOf(variables_[read.getVariable()])];
  if (auto assign = dyn_cast<graph::AssignOp>(op))
    return items_[leadOf(variables_[assign.getVariable()])];
  if (groups_.contains(op))
    if (graph::VariableOp variable = groups_.variableOf(op))
      return items_[leadOf(variable)];
  bool hasWish = !wishTextOf(op).empty();
  if (graph::VariableOp variable = region_.variableOf(op); variable && !hasWish)
    return items_[leadOf(variable)];
  if (isa<graph::OutputOp>(op) || (region_.isUpdate(op) && !hasWish)) {
    if (!outside_)
      outside_ = addItem(nullptr, {chief(), chief() + 1}, chief());
    return *outside_;
  }
  Operation *first = groups_.contains(op) ? groups_.firstOf(op) : op;
  if (auto found = items_.find(first); found != items_.end())
    return found->second;
  Range range = allowedTasks(op, jobOf(op));
  auto tower = op->getAttrOfType<IntegerAttr>(towerAttrName);
  size_t task = tower ? tower.getInt() % (range.second - range.first) : 0;
  return addItem(first, range, range.first + task);
}

/// Constants are copied to their users, and cost nothing.
void EntryProblem::addOp(Operation *op) {
  if (isa<graph::ConstantOp, graph::ReplicaIndexOp>(op))
    return;
  CostProblem::Op node{.item = itemOf(op)};
  if (!isa<graph::ReadOp, graph::AssignOp, graph::OutputOp>(op))
    node.seconds = secondsOf(op, rates_);
  node.isInPlace = isa<graph::ReadOp>(op);
  for (Value result : op->getResults()) {
    node.bytes += graph::sizeBytes(result.getType());
    node.wireBytes += wireBytes(result.getType());
  }
  llvm::SetVector<size_t> operands;
  for (Value operand : op->getOperands())
    if (auto made = values_.find(operand); made != values_.end())
      operands.insert(made->second);
  node.operands.assign(operands.begin(), operands.end());
  work_[node.item] += node.seconds;
  for (Value result : op->getResults())
    values_[result] = problem_.ops.size();
  problem_.ops.push_back(std::move(node));
}

std::string EntryProblem::reasonFor(const CostSolution &solution,
                                    size_t item) const {
  std::string text = "placement cost: with " + milliseconds(work_[item]) +
                     " of work here, a step of " +
                     milliseconds(solution.outcome.stepSeconds);
  std::vector<std::string> rejected;
  for (const CostAlternative &other : solution.alternatives[item]) {
    if (rejected.size() == mostRejected)
      break;
    rejected.push_back(
        problem_.devices[other.device].name + ", " +
        (other.lackingBytes > solution.outcome.lackingBytes
             ? std::to_string(other.lackingBytes) + " bytes too few"
             : milliseconds(other.stepSeconds)));
  }
  if (solution.outcome.isBetterThan(solution.initial))
    rejected.push_back(
        "placement greedy, " +
        (solution.initial.lackingBytes > 0
             ? std::to_string(solution.initial.lackingBytes) + " bytes too few"
             : milliseconds(solution.initial.stepSeconds)));
  if (rejected.empty())
    return text;
  return text + "; rejected: " + llvm::join(rejected, "; ");
}

void EntryProblem::write(const CostSolution &solution) {
  for (auto &[op, item] : items_) {
    if (problem_.items[item].isFixed())
      continue; // asked for, or no choice
    StringRef job = jobOf(op);
    size_t task = solution.device[item] - firstOf(job);
    op->setAttr(wishAttrName,
                StringAttr::get(op->getContext(),
                                "/job:" + job + "/task:" + Twine(task)));
    setReason(op, reasonFor(solution, item));
  }
}

LogicalResult EntryProblem::reportLack(const CostOutcome &outcome) {
  InFlightDiagnostic error =
      coded(func_.emitError("no placement was found in which @"), Code::NoRoom)
      << func_.getName() << " has room";
  for (auto [device, peak] : llvm::zip(problem_.devices, outcome.peakBytes))
    if (peak > device.memoryBytes)
      error.attachNote() << device.name << " would need " << peak
                         << " bytes of " << device.memoryBytes;
  error.attachNote() << "help: more tasks, or more memory";
  return error;
}

LogicalResult EntryProblem::place() {
  CostSolution solution = solveCost(problem_);
  if (solution.outcome.lackingBytes > 0)
    return reportLack(solution.outcome);
  write(solution);
  return success();
}

LogicalResult findGroups(ModuleOp module, const Variables &variables,
                         ColocationGroups &groups) {
  if (failed(groups.addVariables(module)))
    return failure();
  for (auto func : module.getOps<graph::FuncOp>())
    if (failed(groups.add(func, UpdateRegion(func, variables))))
      return failure();
  return groups.merge(/*soft=*/false);
}

} // namespace

LogicalResult placeByCost(ModuleOp module, const Variables &variables,
                          int64_t memoryBytes) {
  if (modeOf(module) == Mode::Local)
    return success(); // one task
  if (modeOf(module) != Mode::InGraph)
    return coded(module.emitError("placement cost is for mode in-graph; "
                                  "between-graph every worker computes all"),
                 Code::BadMode);
  SmallVector<graph::FuncOp> entries(module.getOps<graph::FuncOp>());
  llvm::stable_sort(entries, [](graph::FuncOp a, graph::FuncOp b) {
    return hasUpdates(a) > hasUpdates(b);
  });
  for (graph::FuncOp func : entries) {
    // Anew: the entry before has placed variables.
    ColocationGroups groups(variables);
    if (failed(findGroups(module, variables, groups)) ||
        failed(EntryProblem(func, variables, groups, memoryBytes).place()))
      return failure();
  }
  return success();
}

} // namespace dtc::dist

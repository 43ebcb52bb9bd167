#include "passes/dist/PlaceVariables.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
namespace {

/// Bytes in memory: a boolean takes a whole one.
int64_t sizeBytes(graph::VariableOp variable) {
  auto type = cast<RankedTensorType>(variable.getType());
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// The variables of one job, spread over its tasks.
class VariablePlacer {
public:
  VariablePlacer(ModuleOp module, StringRef job, const Variables &variables,
                 const ColocationGroups &groups, PlacementPolicy policy)
      : module_(module), cluster_(clusterOf(module)), job_(job),
        variables_(variables), groups_(groups) {
    problem_.tasks = cluster_.numTasks(job);
    problem_.policy = policy;
  }

  void place() {
    for (auto variable : module_.getOps<graph::VariableOp>())
      if (jobOf(leaderOf(variable)) == job_)
        addToProblem(variable);
    PlacementSolution solution = solvePlacement(problem_);
    assert(checkPlacement(problem_, solution).empty());
    for (auto [index, variables] : llvm::enumerate(members_))
      apply(solution, index, variables);
  }

private:
  graph::VariableOp leaderOf(graph::VariableOp variable) const {
    graph::VariableOp leader = groups_.variableOf(variable);
    return leader ? leader : variables_.ownerOf(variable);
  }

  void addToProblem(graph::VariableOp variable) {
    graph::VariableOp leader = leaderOf(variable);
    auto [place, isNew] = index_.try_emplace(leader, problem_.items.size());
    if (isNew) {
      problem_.items.push_back(
          {leader.getSymName().str(), 0, wishedTask(leader)});
      members_.emplace_back();
    }
    problem_.items[place->second].bytes += sizeBytes(variable);
    members_[place->second].push_back(variable);
  }

  std::optional<int64_t> wishedTask(graph::VariableOp leader) const {
    DeviceSpec wish = groups_.wishOf(leader);
    if (wish.task && modeOf(module_) != Mode::Local)
      return wish.task;
    // Without a job for variables they all stay with the chief.
    if (job_ != "ps" && job_ == cluster_.chief().getJob())
      return cluster_.chief().getTask();
    return std::nullopt;
  }

  /// Why the policy chose this task.
  std::string whyTask(const PlacementSolution &solution, size_t index) const {
    std::string task = cluster_.cpu(job_, solution.task[index]).taskString();
    if (problem_.policy == PlacementPolicy::RoundRobin)
      return task + " was next, round robin";
    return task + " held the fewest bytes, " +
           std::to_string(solution.before[index]);
  }

  void apply(const PlacementSolution &solution, size_t index,
             ArrayRef<graph::VariableOp> variables) {
    bool isChosen = !problem_.items[index].fixedTask && problem_.tasks > 1;
    for (graph::VariableOp variable : variables) {
      writeDevice(variable, cluster_.cpu(job_, solution.task[index]));
      if (isChosen && leaderOf(variable) == variable)
        setReason(variable,
                  reasonOf(variable) + "; " + whyTask(solution, index));
    }
  }

  ModuleOp module_;
  ClusterAttr cluster_;
  StringRef job_;
  const Variables &variables_;
  const ColocationGroups &groups_;
  PlacementProblem problem_;
  DenseMap<Operation *, size_t> index_;
  std::vector<SmallVector<graph::VariableOp>> members_;
};

} // namespace

void writeDevice(Operation *op, DeviceAttr device) {
  op->setAttr(deviceAttrName, device);
  op->removeAttr(wishAttrName);
  op->removeAttr(jobAttrName);
}

void placeVariables(ModuleOp module, const Variables &variables,
                    const ColocationGroups &groups, PlacementPolicy policy) {
  for (JobAttr job : clusterOf(module).getJobs())
    VariablePlacer(module, job.getName(), variables, groups, policy).place();
}

} // namespace dtc::dist

#include "passes/dist/PlaceVariables.h"

#include "dialects/graph/Cost.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
namespace {

/// The variables of one job, spread over its tasks.
class VariablePlacer {
public:
  VariablePlacer(ModuleOp module, StringRef job, const PlacementInputs &inputs,
                 PlacementPolicy policy)
      : module_(module), cluster_(clusterOf(module)), job_(job),
        inputs_(inputs) {
    problem_.tasks = cluster_.numTasks(job);
    problem_.policy = policy;
  }

  void gather() {
    for (auto variable : module_.getOps<graph::VariableOp>())
      if (jobFor(leaderOf(variable)) == job_)
        addToProblem(variable);
  }

  void place() {
    PlacementSolution solution = solvePlacement(problem_);
    assert(checkPlacement(problem_, solution).empty());
    for (auto [index, variables] : llvm::enumerate(members_))
      apply(solution, index, variables);
  }

private:
  graph::VariableOp leaderOf(graph::VariableOp variable) const {
    graph::VariableOp leader = inputs_.groups.variableOf(variable);
    return leader ? leader : inputs_.variables.ownerOf(variable);
  }

  DeviceAttr given(graph::VariableOp leader) const {
    return inputs_.file.deviceOf(inputs_.own, leader);
  }

  StringRef jobFor(graph::VariableOp leader) const {
    return given(leader) ? given(leader).getJob() : jobOf(leader);
  }

  void addToProblem(graph::VariableOp variable) {
    graph::VariableOp leader = leaderOf(variable);
    auto [place, isNew] = index_.try_emplace(leader, problem_.items.size());
    if (isNew) {
      problem_.items.push_back(
          {leader.getSymName().str(), 0, wishedTask(leader)});
      members_.emplace_back();
    }
    problem_.items[place->second].bytes += graph::sizeBytes(variable.getType());
    members_[place->second].push_back(variable);
  }

  std::optional<int64_t> wishedTask(graph::VariableOp leader) const {
    if (DeviceAttr device = given(leader))
      return device.getTask();
    DeviceSpec wish = inputs_.groups.wishOf(leader);
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
      if (leaderOf(variable) == variable && given(variable))
        setReason(variable, inputs_.file.reasonOf(inputs_.own, variable));
      writeDevice(variable, cluster_.cpu(job_, solution.task[index]), nullptr);
      if (isChosen && leaderOf(variable) == variable)
        setReason(variable,
                  reasonOf(variable) + "; " + whyTask(solution, index));
    }
  }

  ModuleOp module_;
  ClusterAttr cluster_;
  StringRef job_;
  const PlacementInputs &inputs_;
  PlacementProblem problem_;
  DenseMap<Operation *, size_t> index_;
  std::vector<SmallVector<graph::VariableOp>> members_;
};

} // namespace

void writeDevice(Operation *op, DeviceAttr device, ActivationAttr activation) {
  write(op, {{deviceAttrName, device},
             {activationAttrName, activation},
             {wishAttrName, nullptr},
             {jobAttrName, nullptr}});
}

void placeVariables(ModuleOp module, const PlacementInputs &inputs,
                    PlacementPolicy policy) {
  // Which variables a job has is decided before the first of them is written.
  std::vector<VariablePlacer> jobs;
  for (JobAttr job : clusterOf(module).getJobs())
    jobs.emplace_back(module, job.getName(), inputs, policy);
  for (VariablePlacer &job : jobs)
    job.gather();
  for (VariablePlacer &job : jobs)
    job.place();
}

} // namespace dtc::dist

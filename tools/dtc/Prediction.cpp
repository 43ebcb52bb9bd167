#include "tools/dtc/Prediction.h"

#include <algorithm>
#include <map>
#include <thread>

#include "tools/dtc/PlanGraph.h"
#include "tools/dtc/PlanReport.h"

namespace dtc::tool {
namespace {

/// The problem that an entry is to the simulation.
class ProblemBuilder {
public:
  ProblemBuilder(const Plan &plan, const proto::Entry &entry,
                 const std::vector<double> &kernelSeconds,
                 const RuntimeRates &rates)
      : plan_(plan), entry_(entry), kernelSeconds_(kernelSeconds),
        rates_(rates), tasks_(plan.tasks()), replicas_(plan.replicas(entry)),
        isAsync_(plan.isAsync(entry)) {
    for (uint32_t i = 0; i < tasks_.size(); ++i)
      number_[tasks_[i]] = i;
  }

  StepProblem build(const PredictionRequest &request);

private:
  void addMachine(StepProblem &problem, const PredictionRequest &request);
  SimInstruction instruction(const proto::Activation &activation,
                             const proto::Instruction &it);
  double seconds(const proto::Activation &activation,
                 const proto::Instruction &it);
  uint32_t mostThreads(const proto::Instruction &it) const;
  SimProgram program(const proto::Activation &activation);
  SimTask task(const TaskId &id);
  void addUnits(SimTask &task, const TaskId &id,
                const proto::Activation &activation, uint32_t program);

  const Plan &plan_;
  const proto::Entry &entry_;
  const std::vector<double> &kernelSeconds_;
  const RuntimeRates &rates_;
  std::vector<TaskId> tasks_, replicas_;
  bool isAsync_;
  std::map<TaskId, uint32_t> number_;
};

/// As dtc run and dtc launch share out the cores of this machine; without
/// calibration a machine is assumed for each process.
void ProblemBuilder::addMachine(StepProblem &problem,
                                const PredictionRequest &request) {
  uint32_t processes = request.isProcessPerTask ? tasks_.size() : 1;
  problem.cores = request.calibrate
                      ? std::max(1u, std::thread::hardware_concurrency())
                      : processes * rates_.assumedCores;
  problem.threadsPerProcess = request.threads
                                  ? request.threads
                                  : std::max(1u, problem.cores / processes);
  if (!request.isProcessPerTask && request.threads)
    problem.cores = std::min(problem.cores, request.threads);
  problem.withinProcess = rates_.withinProcess;
  problem.betweenProcesses = rates_.betweenProcesses;
  problem.hopSeconds = rates_.hopSeconds;
  problem.splitSeconds = rates_.splitSeconds;
  problem.coreYield = rates_.coreYield;
}

double ProblemBuilder::seconds(const proto::Activation &activation,
                               const proto::Instruction &it) {
  auto bytes = [&](const std::vector<uint32_t> &buffers) {
    uint64_t sum = 0;
    for (uint32_t buffer : buffers)
      sum += activation.buffers(buffer).bytes();
    return double(sum);
  };
  Operands operands = operandsOf(it);
  if (it.has_launch())
    return kernelSeconds_[it.launch().kernel()];
  if (it.has_load_variable() || it.has_send() || it.has_recv())
    return 0; // a pointer; or the link's
  if (it.has_read_input())
    return bytes(operands.writes) / rates_.inputBytesPerSecond;
  double moved = bytes(operands.reads) + bytes(operands.writes);
  // Reads each replica's.
  if (it.has_take() && !it.take().concat() && !isAsync_)
    moved *= double(entry_.replicas());
  return moved / rates_.copyBytesPerSecond;
}

/// Pieces of a kernel that are worth a thread.
uint32_t ProblemBuilder::mostThreads(const proto::Instruction &it) const {
  if (!it.has_launch())
    return 1;
  const proto::Kernel &kernel = plan_.proto().kernels(it.launch().kernel());
  int64_t pieces = kernel.range() / std::max<int64_t>(kernel.grain(), 1);
  return kernel.reference_only() ? 1 : std::clamp<int64_t>(pieces, 1, 1024);
}

SimInstruction ProblemBuilder::instruction(const proto::Activation &activation,
                                           const proto::Instruction &it) {
  SimInstruction out;
  out.seconds = rates_.secondsPerInstruction + seconds(activation, it);
  out.mostThreads = mostThreads(it);
  if (it.has_send()) {
    out.kind = SimInstruction::Send;
    out.edge = it.send().edge();
  } else if (it.has_recv()) {
    out.kind = SimInstruction::Recv;
    out.edge = it.recv().edge();
  }
  return out;
}

SimProgram ProblemBuilder::program(const proto::Activation &activation) {
  SimProgram program;
  std::vector<uint32_t> definer(activation.buffers_size());
  for (const proto::Instruction &it : activation.instructions()) {
    SimInstruction out = instruction(activation, it);
    Operands operands = operandsOf(it);
    out.after.assign(it.after().begin(), it.after().end());
    for (uint32_t buffer : operands.reads)
      out.after.push_back(definer[buffer]);
    for (uint32_t buffer : operands.writes)
      definer[buffer] = program.size();
    program.push_back(std::move(out));
  }
  return program;
}

/// As runtime/server's Worker does; with update async every replica's push is
/// applied, here behind what comes before all of them.
void ProblemBuilder::addUnits(SimTask &task, const TaskId &id,
                              const proto::Activation &activation,
                              uint32_t program) {
  auto me = std::find(replicas_.begin(), replicas_.end(), id);
  bool isReplica = me != replicas_.end();
  uint32_t own = isReplica ? me - replicas_.begin() : 0;
  uint32_t peer = number_[isReplica ? id : replicas_.front()];
  bool isApply = activation.kind() == proto::Activation::APPLY;
  std::vector<SimUnit> &units = isApply ? task.late : task.early;
  if (activation.kind() == proto::Activation::SERVE || (isApply && isAsync_))
    for (uint32_t r = 0; r < replicas_.size(); ++r)
      units.push_back({program, number_[replicas_[r]], isAsync_ ? r : 0});
  else
    units.push_back({program, peer, isAsync_ ? own : 0});
}

SimTask ProblemBuilder::task(const TaskId &id) {
  SimTask task;
  uint32_t program = 0;
  for (const proto::Program &from : entry_.programs())
    for (const proto::Activation &activation : from.activations()) {
      if (plan_.executes(id, entry_, from))
        addUnits(task, id, activation, program);
      ++program;
    }
  return task;
}

StepProblem ProblemBuilder::build(const PredictionRequest &request) {
  StepProblem problem;
  addMachine(problem, request);
  for (const proto::Program &from : entry_.programs())
    for (const proto::Activation &activation : from.activations())
      problem.programs.push_back(program(activation));
  for (const TaskId &id : tasks_) {
    problem.tasks.push_back(task(id));
    problem.tasks.back().process = request.isProcessPerTask ? number_[id] : 0;
  }
  auto end = [&](const proto::Task &task) {
    return task.index() < 0 ? -1 : int32_t(number_[toTaskId(task)]);
  };
  for (const proto::Edge &edge : entry_.edges())
    problem.edges.push_back(
        {end(edge.source()), end(edge.target()), edge.bytes()});
  problem.chief = number_[plan_.chief()];
  auto chief = std::find(replicas_.begin(), replicas_.end(), plan_.chief());
  if (isAsync_ && chief != replicas_.end())
    problem.chiefLane = chief - replicas_.begin();
  return problem;
}

/// What the critical path calls an instruction.
std::string nameOf(const proto::Entry &entry, const proto::Instruction &it) {
  if (it.has_send())
    return entry.edges(it.send().edge()).tensor();
  if (it.has_recv())
    return entry.edges(it.recv().edge()).tensor();
  return it.name();
}

std::vector<const proto::Activation *>
activationsOf(const proto::Entry &entry) {
  std::vector<const proto::Activation *> all;
  for (const proto::Program &program : entry.programs())
    for (const proto::Activation &activation : program.activations())
      all.push_back(&activation);
  return all;
}

/// Seconds that a task's kernels take in a step, one after the other.
double computeSeconds(const StepProblem &problem, const SimTask &task) {
  double seconds = 0;
  for (const auto *units : {&task.early, &task.late})
    for (const SimUnit &unit : *units)
      for (const SimInstruction &it : problem.programs[unit.program])
        seconds += it.seconds;
  return seconds;
}

} // namespace

Prediction predict(const Plan &plan, const proto::Entry &entry,
                   const std::vector<double> &kernelSeconds,
                   const PredictionRequest &request,
                   const RuntimeRates &rates) {
  StepProblem problem =
      ProblemBuilder(plan, entry, kernelSeconds, rates).build(request);
  StepOutcome outcome = simulateSteps(problem);
  EntryReport report = reportEntry(plan, entry);
  Prediction prediction{.entry = entry.name(),
                        .request = request,
                        .stepSeconds = outcome.stepSeconds,
                        .bytesPerStep = plan.bytesPerStep(entry)};
  for (size_t i = 0; i < report.tasks.size(); ++i) {
    const TaskReport &task = report.tasks[i];
    prediction.tasks.push_back(
        {task.task, computeSeconds(problem, problem.tasks[i]),
         task.bytesSentPerStep, task.bytesReceivedPerStep, task.arenaBytes});
  }
  std::vector<const proto::Activation *> activations = activationsOf(entry);
  for (const SimPathItem &item : outcome.path) {
    const proto::Instruction &it =
        activations[item.program]->instructions(item.instruction);
    prediction.path.push_back({report.tasks[item.task].task, nameOf(entry, it),
                               kindName(it), item.start, item.end});
  }
  return prediction;
}

} // namespace dtc::tool

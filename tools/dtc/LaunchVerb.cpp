// dtc launch: one process for each task of the plan, on this machine.
#include <csignal>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "runtime/plan/Plan.h"
#include "tools/dtc/Exit.h"
#include "tools/dtc/Processes.h"
#include "tools/dtc/RunFlags.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

using Milliseconds = std::chrono::milliseconds;

// What is left of the promise that a lost task ends everything within 5 s:
// time for the others to say why, then to stop, then none.
constexpr Milliseconds settleTime{2500}, stopTime{1000}, pollTime{20};

volatile std::sig_atomic_t caughtSignal = 0;
void onSignal(int signal) { caughtSignal = signal; }

void catchSignals() {
  struct sigaction action{};
  action.sa_handler = onSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// TF_CONFIG of one task of a cluster on these addresses.
std::string tfConfig(const std::map<TaskId, std::string> &addresses,
                     const TaskId &self) {
  nlohmann::ordered_json cluster;
  for (const auto &[task, address] : addresses)
    cluster[task.job].push_back(address); // map order: indexes ascend in a job
  return nlohmann::ordered_json{
      {"cluster", cluster},
      {"task", {{"type", self.job}, {"index", self.index}}}}
      .dump();
}

/// Without --threads the tasks share the machine's cores: more threads than
/// cores only wait for each other.
RunFlags shareCores(RunFlags flags, size_t tasks) {
  if (flags.threads == 0)
    flags.threads =
        std::max<size_t>(1, std::thread::hardware_concurrency() / tasks);
  return flags;
}

Status startAll(const Plan &plan, const RunFlags &flags, ProcessGroup &group) {
  std::vector<TaskId> tasks = plan.tasks();
  DTC_ASSIGN_OR_RETURN(std::vector<int> ports, freePorts(tasks.size()));
  std::map<TaskId, std::string> addresses;
  for (size_t i = 0; i < tasks.size(); ++i)
    addresses[tasks[i]] = strCat("127.0.0.1:", ports[i]);
  std::vector<std::string> arguments = {"dtc", "worker"};
  for (const std::string &argument :
       shareCores(flags, tasks.size()).arguments())
    arguments.push_back(argument);
  for (const TaskId &task : tasks) {
    DTC_RETURN_IF_ERROR(group.start(task, addresses[task], arguments,
                                    {{"TF_CONFIG", tfConfig(addresses, task)}},
                                    task == plan.chief()));
    std::cerr << "started " << task << " (pid " << group.children().back().pid
              << ", " << addresses[task] << ")" << std::endl;
  }
  return Status::ok();
}

/// The child whose end explains the others': a killed one before one that
/// failed by itself, that before one that only lost a peer.
const Child *cause(std::vector<Child> &children) {
  auto rank = [](const Child &child) {
    if (!child.waitStatus || child.exitCode() == exitSuccess)
      return 0;
    return child.wasSignalled() ? 3 : child.exitCode() != exitLostPeer ? 2 : 1;
  };
  const Child *first = nullptr;
  for (const Child &child : children)
    if (rank(child) > (first ? rank(*first) : 0))
      first = &child;
  return first;
}

int report(const Child &child) {
  if (child.wasSignalled()) {
    int signal = child.exitCode() - 128;
    return fail("launch", exitLostPeer,
                strCat("lost ", child.task, " (pid ", child.pid, ", ",
                       child.address, "): killed by signal ", signal, " (",
                       strsignal(signal), "); all tasks were ended"));
  }
  if (child.exitCode() == 128 + SIGINT || child.exitCode() == 128 + SIGTERM)
    return fail("launch", exitLostPeer,
                strCat("lost ", child.task, " (pid ", child.pid, ", ",
                       child.address,
                       "): it was told to stop by a signal; all tasks were "
                       "ended"));
  // What stands behind "error[DTC0402]: ".
  std::string said = child.lastError;
  size_t code = said.find("error[DTC"), text = said.find("]: ", code);
  said = text == std::string::npos ? "" : said.substr(text + 3);
  return fail("launch", child.exitCode(),
              strCat("task ", child.task, " failed",
                     said.empty() ? "" : ": " + said,
                     "; all tasks were ended"));
}

int supervise(ProcessGroup &group) {
  while (!caughtSignal && !cause(group.children()) && group.poll(pollTime))
    continue;
  if (caughtSignal) {
    group.signalAll(SIGTERM);
    group.drain(stopTime);
    return 128 + caughtSignal;
  }
  const Child *first = cause(group.children());
  if (!first)
    return exitSuccess;
  // Others learn it from the wire; what they say is in the log above ours.
  bool wasSignalled = first->wasSignalled();
  group.drain(settleTime);
  if (!wasSignalled)
    first = cause(group.children()); // a killed task may be noticed last
  Child culprit = *first;
  group.signalAll(SIGTERM);
  group.drain(stopTime);
  return report(culprit);
}

int launch(const RunFlags &flags) {
  Result<Plan::Ptr> plan = Plan::load(flags.plan);
  if (!plan)
    return fail("launch", plan.status());
  catchSignals();
  ProcessGroup group;
  if (Status started = startAll(**plan, flags, group); !started.isOk())
    return fail("launch", started);
  return supervise(group);
}

} // namespace

void addLaunchVerb(CLI::App &app, int &exitCode, bool canPredict) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App *verb = app.add_subcommand(
      "launch", "Run a plan as one process for each task, on this machine");
  addRunFlags(*verb, *flags, canPredict); // the chief's child predicts
  verb->callback([flags, &exitCode] { exitCode = launch(*flags); });
}

} // namespace dtc::tool

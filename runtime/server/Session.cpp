#include "runtime/server/Session.h"

#include <algorithm>
#include <thread>

#include "runtime/plan/Proof.h"
#include "runtime/server/Follower.h"
#include "runtime/server/Master.h"
#include "runtime/transport/grpc/GrpcTransport.h"
#include "runtime/transport/loopback/LoopbackNetwork.h"

namespace dtc {
namespace {

unsigned threadsOf(const RunOptions &options) {
  return options.threads ? options.threads
                         : std::max(1u, std::thread::hardware_concurrency());
}

std::unique_ptr<Member> makeMember(Site site) {
  if (site.self == site.plan->chief())
    return std::make_unique<Master>(std::move(site));
  return std::make_unique<Follower>(std::move(site));
}

} // namespace

void Interrupt::raise(Status why) {
  std::lock_guard lock(mutex_);
  if (!raised_.isOk())
    return;
  raised_ = std::move(why);
  for (const auto &[listener, function] : listeners_)
    function(raised_);
}

void Interrupt::listen(void *listener, std::function<void(Status)> function) {
  std::lock_guard lock(mutex_);
  if (!raised_.isOk())
    function(raised_);
  listeners_[listener] = std::move(function);
}

void Interrupt::forget(void *listener) {
  std::lock_guard lock(mutex_);
  listeners_.erase(listener);
}

Result<RunSummary> runInProcess(Plan::Ptr plan, RunOptions options) {
  DTC_RETURN_IF_ERROR(proveNoWaitCycle(*plan));
  DTC_ASSIGN_OR_RETURN(KernelTable::Ptr kernels,
                       KernelTable::create(plan, options.target));
  ThreadPool pool(threadsOf(options));
  TableCache tables;
  LoopbackNetwork network(plan->tasks());
  std::vector<std::unique_ptr<Transport>> transports;
  std::vector<std::unique_ptr<Member>> members;
  Member *chief = nullptr;
  for (const TaskId &task : plan->tasks()) {
    transports.push_back(network.endpoint(task));
    members.push_back(makeMember({plan,
                                  task,
                                  transports.back().get(),
                                  &pool,
                                  kernels,
                                  {},
                                  &tables,
                                  &options}));
    if (task == plan->chief())
      chief = members.back().get();
  }
  std::vector<std::jthread> threads; // joined before what they use goes
  for (const auto &member : members)
    if (member.get() != chief)
      threads.emplace_back([m = member.get()] { (void)m->run(); });
  Result<RunSummary> result = chief->run();
  if (!result.isOk()) // it may have failed before the others knew of it
    for (const auto &member : members)
      if (member.get() != chief)
        member->cancel(result.status());
  threads.clear();
  return result;
}

Status checkCluster(const Plan &plan, const ClusterSpec &cluster,
                    const TaskId &self) {
  DTC_RETURN_IF_ERROR(cluster.checkDense());
  std::vector<TaskId> wanted = plan.tasks(), given = cluster.trainingTasks();
  std::vector<TaskId> a = wanted, b = given;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a != b)
    return Status::invalidArgument(
        strCat(plan.path(), " was compiled for ", shapeText(wanted),
               ", the cluster has ", shapeText(given),
               "\nhelp: compile it with "
               "--cluster ",
               shapeText(given)));
  if (!plan.hasTask(self))
    return Status::invalidArgument(strCat(self, " has no part in ", plan.path(),
                                          ", which is for ",
                                          shapeText(wanted)));
  for (const TaskId &task : wanted)
    if (cluster.address(task).empty())
      return Status::invalidArgument(
          strCat("the cluster has no address for ", task));
  return Status::ok();
}

Result<RunSummary> runTask(Plan::Ptr plan, const ClusterSpec &cluster,
                           const TaskId &self, RunOptions options) {
  DTC_RETURN_IF_ERROR(checkCluster(*plan, cluster, self));
  DTC_RETURN_IF_ERROR(proveNoWaitCycle(*plan));
  DTC_ASSIGN_OR_RETURN(KernelTable::Ptr kernels,
                       KernelTable::create(plan, options.target));
  std::map<TaskId, std::string> addresses;
  for (const TaskId &task : plan->tasks())
    addresses[task] = cluster.address(task);
  options.isWireExact = false; // the tasks' processes could disagree
  GrpcOptions grpc;
  grpc.self = self;
  grpc.addresses = addresses;
  // Not the plan's hash: the chief compares that, and names both.
  grpc.token = "dtc";
  ThreadPool pool(threadsOf(options));
  TableCache tables;
  std::unique_ptr<Transport> transport = makeGrpcTransport(grpc);
  std::unique_ptr<Member> member =
      makeMember({plan, self, transport.get(), &pool, kernels, addresses,
                  &tables, &options});
  return member->run();
}

} // namespace dtc

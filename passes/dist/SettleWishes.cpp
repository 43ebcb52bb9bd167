#include "passes/dist/SettleWishes.h"
#include "dialects/diagnostics/Coded.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
namespace {

/// Says which tasks or devices the user could have meant.
void attachHelp(InFlightDiagnostic &error, ClusterAttr cluster,
                const DeviceSpec &wish, StringRef job) {
  error.attachNote() << "the cluster has " << cluster.describeTasks();
  if (!cluster.hasJob(job))
    error.attachNote() << "help: name a job of the cluster, as in /job:"
                       << cluster.getJobs().back().getName().str();
  else if (wish.replica.value_or(0) != 0)
    error.attachNote() << "help: every task is replica 0";
  else if (wish.type.value_or("CPU") != "CPU" || wish.index.value_or(0) != 0)
    error.attachNote() << "help: a task has one device, /device:CPU:0";
  else if (int64_t last = cluster.numTasks(job) - 1)
    error.attachNote() << "help: job " << job << " has tasks 0 to " << last;
  else
    error.attachNote() << "help: job " << job << " has one task, /job:" << job
                       << "/task:0";
}

/// Finds devices for wishes, and complains.
class Settler {
public:
  Settler(const ColocationGroups &groups, ClusterAttr cluster)
      : groups_(groups), cluster_(cluster), devices_(devicesOf(cluster)) {}

  /// True if a device has all of `wish`, on `job` if it names none.
  bool exists(DeviceSpec wish, StringRef job) const {
    if (!wish.job)
      wish.job = job.str();
    return !candidates(devices_, wish).empty();
  }

  void complain(Operation *member, const DeviceSpec &wish,
                StringRef job) const {
    Operation *wisher = groups_.wisherOf(member);
    bool isAlone = *dist::wishOf(wisher) == wish;
    InFlightDiagnostic error =
        coded(wisher->emitError("'"), Code::DeviceNotInCluster)
        << (isAlone ? wishTextOf(wisher).str() : wish.toString())
        << "' is not in the cluster";
    if (!isAlone)
      groups_.explain(error, member);
    attachHelp(error, cluster_, wish, job);
  }

  void noteSoftened(Operation *member) {
    Operation *wisher = groups_.wisherOf(member);
    ++softened_[wishTextOf(wisher)].second;
    if (!softened_[wishTextOf(wisher)].first)
      softened_[wishTextOf(wisher)].first = wisher;
  }

  void remarkOnSoftened() const {
    for (const auto &[wish, where] : softened_) {
      auto [first, count] = where;
      InFlightDiagnostic remark =
          coded(first->emitRemark("'"), Code::DeviceNotInCluster)
          << wish << "' is not in the cluster: soft placement drops its type "
          << "and number, for " << describe(first);
      if (count > 1)
        remark << " and " << count - 1 << " more";
    }
  }

private:
  const ColocationGroups &groups_;
  ClusterAttr cluster_;
  std::vector<Device> devices_;
  // By wish: the first that has it, and how many groups.
  llvm::MapVector<StringRef, std::pair<Operation *, int64_t>> softened_;
};

} // namespace

FailureOr<SettledWishes> SettledWishes::settle(const ColocationGroups &groups,
                                               ClusterAttr cluster, bool soft,
                                               StringRef variableJob,
                                               StringRef otherJob) {
  SettledWishes result;
  Settler settler(groups, cluster);
  bool isRight = true;
  for (Operation *member : groups.members()) {
    DeviceSpec wish = groups.wishOf(member);
    if (!groups.wisherOf(member) ||
        result.settled_.contains(groups.groupOf(member)))
      continue;
    StringRef job = groups.variableOf(member) ? variableJob : otherJob;
    if (wish.job)
      job = *wish.job;
    bool isSoftened = !settler.exists(wish, job) && soft &&
                      settler.exists(softened(wish), job);
    if (isSoftened) {
      wish = softened(wish);
      settler.noteSoftened(member);
    } else if (!settler.exists(wish, job)) {
      settler.complain(member, wish, job);
      isRight = false;
    }
    result.settled_[groups.groupOf(member)] = {wish, isSoftened};
  }
  settler.remarkOnSoftened();
  if (!isRight)
    return failure();
  return result;
}

DeviceSpec SettledWishes::wishOf(const ColocationGroups &groups,
                                 Operation *op) const {
  return groups.contains(op) ? settled_.lookup(groups.groupOf(op)).wish
                             : DeviceSpec{};
}

bool SettledWishes::isSoftened(const ColocationGroups &groups,
                               Operation *op) const {
  return groups.contains(op) && settled_.lookup(groups.groupOf(op)).isSoftened;
}

void SettledWishes::write(const ColocationGroups &groups) const {
  for (Operation *member : groups.members()) {
    DeviceSpec wish = wishOf(groups, member);
    if (*dist::wishOf(member) == wish)
      continue;
    if (wish == DeviceSpec{})
      member->removeAttr(wishAttrName);
    else
      member->setAttr(wishAttrName,
                      StringAttr::get(member->getContext(), wish.toString()));
  }
}

} // namespace dtc::dist

// What a placement comes to, by CostPolicy's model.
#include "passes/dist/CostPolicy.h"

#include <algorithm>
#include <queue>

namespace dtc::dist {
namespace {

/// Executes a placement in the model.
class Execution {
public:
  Execution(const CostProblem &problem, const std::vector<size_t> &device)
      : problem_(problem), numDevices_(problem.devices.size()),
        queues_(numDevices_), links_(numDevices_ * numDevices_),
        waits_(problem.ops.size()), readyAt_(problem.ops.size()),
        usesLeft_(problem.ops.size() * numDevices_), held_(numDevices_) {
    for (const CostProblem::Op &op : problem.ops)
      deviceOf_.push_back(device[op.item]);
    for (size_t item = 0; item < problem.items.size(); ++item)
      held_[device[item]] += problem.items[item].residentBytes;
    peak_ = held_;
    indexUsers();
  }

  CostOutcome run();

private:
  /// Ops of a device: those whose operands come later, by time; those that are
  /// ready, by their place in the text.
  struct Queue {
    using Pending = std::pair<double, size_t>;
    std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending;
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    double isFree = 0;
  };

  void indexUsers();
  double nextStart(const Queue &queue) const {
    if (!queue.ready.empty())
      return queue.isFree;
    return std::max(queue.isFree, queue.pending.top().first);
  }
  size_t chooseDevice() const;
  void execute(size_t device);
  double arrival(size_t source, size_t target, double time, int64_t bytes);
  void deliver(size_t op, size_t target, double time);
  void hold(size_t device, int64_t bytes) {
    held_[device] += bytes;
    peak_[device] = std::max(peak_[device], held_[device]);
  }
  /// Bytes of a value on a device.
  int64_t bytesOn(size_t op, size_t device) const {
    bool isInPlace = problem_.ops[op].isInPlace && deviceOf_[op] == device;
    return isInPlace ? 0 : problem_.ops[op].bytes;
  }
  int &usesLeft(size_t op, size_t device) {
    return usesLeft_[op * numDevices_ + device];
  }

  const CostProblem &problem_;
  size_t numDevices_;
  std::vector<size_t> deviceOf_; // of each op
  std::vector<Queue> queues_;
  struct Batch {
    double start = 0, end = 0;
  };
  std::vector<Batch> links_; // the last batch of each pair's link
  std::vector<size_t> waits_;
  std::vector<double> readyAt_;
  std::vector<int> usesLeft_;             // of each value, on each device
  std::vector<size_t> userStart_, users_; // of each op
  std::vector<int64_t> held_, peak_;
  double end_ = 0;
};

void Execution::indexUsers() {
  userStart_.assign(problem_.ops.size() + 1, 0);
  for (size_t op = 0; op < problem_.ops.size(); ++op) {
    waits_[op] = problem_.ops[op].operands.size();
    for (size_t operand : problem_.ops[op].operands) {
      ++userStart_[operand + 1];
      ++usesLeft(operand, deviceOf_[op]);
    }
  }
  for (size_t op = 0; op < problem_.ops.size(); ++op)
    userStart_[op + 1] += userStart_[op];
  users_.resize(userStart_.back());
  std::vector<size_t> next(userStart_.begin(), userStart_.end() - 1);
  for (size_t op = 0; op < problem_.ops.size(); ++op)
    for (size_t operand : problem_.ops[op].operands)
      users_[next[operand]++] = op;
}

/// The one whose next op begins first; none when all are done.
size_t Execution::chooseDevice() const {
  size_t best = numDevices_;
  for (size_t device = 0; device < numDevices_; ++device) {
    const Queue &queue = queues_[device];
    if (queue.ready.empty() && queue.pending.empty())
      continue;
    if (best == numDevices_ || nextStart(queue) < nextStart(queues_[best]))
      best = device;
  }
  return best;
}

/// When a value that is handed over at `time` is there.
double Execution::arrival(size_t source, size_t target, double time,
                          int64_t bytes) {
  const CostProblem::Link &link = problem_.link;
  Batch &last = links_[source * numDevices_ + target];
  double seconds = link.messageSeconds + double(bytes) / link.bytesPerSecond;
  if (time >= last.end)
    last = {time, time + link.batchSeconds + seconds};
  else if (time > last.start) // it has left; the next one begins behind it
    last = {last.end, last.end + link.batchSeconds + seconds};
  else
    last.end += seconds;
  return last.end + link.latencySeconds +
         double(bytes) / link.landingBytesPerSecond;
}

/// The users of `op` on `target` have its value from `time` on.
void Execution::deliver(size_t op, size_t target, double time) {
  for (size_t at = userStart_[op]; at < userStart_[op + 1]; ++at) {
    size_t user = users_[at];
    if (deviceOf_[user] != target)
      continue;
    readyAt_[user] = std::max(readyAt_[user], time);
    if (--waits_[user] == 0)
      queues_[target].pending.push({readyAt_[user], user});
  }
}

void Execution::execute(size_t device) {
  Queue &queue = queues_[device];
  double start = nextStart(queue);
  while (!queue.pending.empty() && queue.pending.top().first <= start) {
    queue.ready.push(queue.pending.top().second);
    queue.pending.pop();
  }
  size_t number = queue.ready.top();
  queue.ready.pop();
  const CostProblem::Op &op = problem_.ops[number];
  double end = queue.isFree = start + op.seconds;
  end_ = std::max(end_, end);
  hold(device, bytesOn(number, device));
  for (size_t target = 0; target < numDevices_; ++target) {
    if (target == device || usesLeft(number, target) == 0)
      continue;
    queue.isFree += problem_.link.handlingSeconds;
    hold(target, op.bytes);
    deliver(number, target,
            arrival(device, target, queue.isFree, op.wireBytes));
  }
  deliver(number, device, end);
  if (usesLeft(number, device) == 0)
    held_[device] -= bytesOn(number, device);
  for (size_t operand : op.operands)
    if (--usesLeft(operand, device) == 0)
      held_[device] -= bytesOn(operand, device);
}

CostOutcome Execution::run() {
  for (size_t op = 0; op < problem_.ops.size(); ++op)
    if (waits_[op] == 0)
      queues_[deviceOf_[op]].pending.push({0, op});
  for (size_t device = chooseDevice(); device < numDevices_;
       device = chooseDevice())
    execute(device);
  CostOutcome outcome{.stepSeconds = end_, .peakBytes = peak_};
  for (size_t device = 0; device < numDevices_; ++device)
    outcome.lackingBytes += std::max<int64_t>(
        0, peak_[device] - problem_.devices[device].memoryBytes);
  return outcome;
}

} // namespace

bool CostOutcome::isBetterThan(const CostOutcome &other) const {
  if (lackingBytes != other.lackingBytes)
    return lackingBytes < other.lackingBytes;
  // A gain that rounding alone could make is none.
  return stepSeconds < other.stepSeconds * (1 - 1e-9);
}

CostOutcome evaluateCost(const CostProblem &problem,
                         const std::vector<size_t> &device) {
  return Execution(problem, device).run();
}

} // namespace dtc::dist

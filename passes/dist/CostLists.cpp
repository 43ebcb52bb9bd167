#include "passes/dist/CostLists.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace dtc::dist {
namespace {

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

double edgeSeconds(const CostProblem &problem, size_t op) {
  return problem.link.secondsOf(problem.ops[op].wireBytes);
}

/// How long it is from each op to the end, when every edge counts `caution`
/// times. Before its users an op has a way that is no shorter than theirs.
class Ways {
public:
  Ways(const CostProblem &problem, double caution)
      : problem_(problem), way_(problem.ops.size()) {
    for (size_t op = problem.ops.size(); op-- > 0;) {
      way_[op] += problem.ops[op].seconds;
      for (size_t operand : problem.ops[op].operands)
        way_[operand] = std::max(
            way_[operand], way_[op] + caution * edgeSeconds(problem, operand));
    }
  }

  /// The ops, the longest way first.
  std::vector<size_t> order() const {
    std::vector<size_t> order(problem_.ops.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return way_[a] > way_[b]; });
    return order;
  }
  std::vector<std::vector<size_t>> chains() const;

private:
  const CostProblem &problem_;
  std::vector<double> way_;
};

std::vector<std::vector<size_t>> Ways::chains() const {
  constexpr size_t none = -1;
  std::vector<size_t> heir(problem_.ops.size(), none);
  std::vector<std::vector<size_t>> users(problem_.ops.size());
  for (size_t op = 0; op < problem_.ops.size(); ++op)
    for (size_t operand : problem_.ops[op].operands)
      users[operand].push_back(op);
  std::vector<bool> hasBefore(problem_.ops.size());
  for (size_t op : order()) {
    for (size_t user : users[op])
      if (!hasBefore[user] && (heir[op] == none || way_[user] > way_[heir[op]]))
        heir[op] = user;
    if (heir[op] != none)
      hasBefore[heir[op]] = true;
  }
  std::vector<std::vector<size_t>> chains;
  std::vector<bool> isTaken(problem_.items.size());
  for (size_t first = 0; first < problem_.ops.size(); ++first) {
    if (hasBefore[first])
      continue;
    std::vector<size_t> chain;
    for (size_t op = first; op != none; op = heir[op]) {
      size_t item = problem_.ops[op].item;
      if (!isTaken[item] && !problem_.items[item].isFixed())
        chain.push_back(item);
      isTaken[item] = true;
    }
    if (!chain.empty())
      chains.push_back(std::move(chain));
  }
  return chains;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

class ListPlacement {
public:
  ListPlacement(const CostProblem &problem, double caution)
      : problem_(problem), caution_(caution), device_(problem.items.size()),
        resident_(problem.devices.size()), isFree_(problem.devices.size()),
        done_(problem.ops.size()) {
    for (size_t item = 0; item < problem.items.size(); ++item)
      if (problem.items[item].isFixed())
        put(item, problem.items[item].firstDevice);
  }

  std::vector<size_t> place();

private:
  double edge(size_t op) const { return caution_ * edgeSeconds(problem_, op); }
  double doneOn(size_t op, size_t device) const;
  bool hasRoom(size_t item, size_t device) const {
    return resident_[device] + problem_.items[item].residentBytes <=
           problem_.devices[device].memoryBytes;
  }
  size_t choose(size_t op) const;
  size_t emptiest(size_t item) const;
  void put(size_t item, size_t device) {
    device_[item] = device;
    resident_[device] += problem_.items[item].residentBytes;
  }
  void run(size_t op, size_t device) {
    done_[op] = isFree_[device] = doneOn(op, device);
  }
  void placeSource(size_t op, size_t device);
  void schedule(size_t op);

  const CostProblem &problem_;
  double caution_;
  std::vector<std::optional<size_t>> device_; // of each item
  std::vector<int64_t> resident_;             // of each device
  std::vector<double> isFree_;                // of each device
  std::vector<double> done_;                  // of each op
};

/// A source that has no device yet is made here if it may be.
double ListPlacement::doneOn(size_t op, size_t device) const {
  double start = isFree_[device];
  for (size_t operand : problem_.ops[op].operands) {
    std::optional<size_t> from = device_[problem_.ops[operand].item];
    bool isHere =
        from ? *from == device
             : problem_.items[problem_.ops[operand].item].mayBeOn(device);
    if (!from && isHere)
      start += problem_.ops[operand].seconds;
    else
      start = std::max(start, done_[operand] + (isHere ? 0.0 : edge(operand)));
  }
  return start + problem_.ops[op].seconds;
}

size_t ListPlacement::choose(size_t op) const {
  const CostProblem::Item &item = problem_.items[problem_.ops[op].item];
  size_t best = item.firstDevice;
  for (size_t device = best + 1; device < item.endDevice; ++device) {
    bool fits = hasRoom(problem_.ops[op].item, device),
         bestFits = hasRoom(problem_.ops[op].item, best);
    if (fits != bestFits ? fits : doneOn(op, device) < doneOn(op, best))
      best = device;
  }
  return best;
}

size_t ListPlacement::emptiest(size_t item) const {
  const CostProblem::Item &its = problem_.items[item];
  return std::min_element(resident_.begin() + its.firstDevice,
                          resident_.begin() + its.endDevice) -
         resident_.begin();
}

/// A source, where its user is, if it may be there.
void ListPlacement::placeSource(size_t op, size_t device) {
  size_t item = problem_.ops[op].item;
  bool canBeHere = problem_.items[item].mayBeOn(device);
  put(item, canBeHere && hasRoom(item, device) ? device : emptiest(item));
  run(op, *device_[item]);
}

void ListPlacement::schedule(size_t op) {
  size_t item = problem_.ops[op].item;
  if (!device_[item])
    put(item, choose(op));
  size_t device = *device_[item];
  for (size_t operand : problem_.ops[op].operands)
    if (!device_[problem_.ops[operand].item])
      placeSource(operand, device);
  run(op, device);
}

std::vector<size_t> ListPlacement::place() {
  for (size_t op : Ways(problem_, caution_).order())
    if (device_[problem_.ops[op].item] || !problem_.ops[op].operands.empty())
      schedule(op);
  std::vector<size_t> device;
  for (size_t item = 0; item < problem_.items.size(); ++item) {
    if (!device_[item])
      put(item, emptiest(item));
    device.push_back(*device_[item]);
  }
  return device;
}

} // namespace

std::vector<std::vector<size_t>> chainsOf(const CostProblem &problem) {
  return Ways(problem, 1).chains();
}

std::vector<size_t> placeByLists(const CostProblem &problem, double caution) {
  return ListPlacement(problem, caution).place();
}

} // namespace dtc::dist

// Two buffers may share bytes only when everything that touches the first is
// done before the second is defined. Swept in schedule order: each byte has at
// most one owner, and a new buffer is compared with the owners of its bytes
// only. That suffices, for "done before" is transitive.
#include <algorithm>
#include <map>

#include "runtime/plan/PlanCheck.h"

namespace dtc {
namespace {

// Steps of the search for an order, over one activation. Plans from the
// compiler need about one a dependency; this bounds what a hostile file costs.
constexpr uint64_t maxSearchSteps = 200'000'000;

class OverlapChecker {
public:
  OverlapChecker(const proto::Activation &activation, const std::string &where)
      : activation_(activation), where_(where) {}

  Status check() {
    index();
    for (uint32_t i = 0; i < before_.size(); ++i) {
      const proto::Instruction &it = activation_.instructions(i);
      if (it.has_store_variable())
        DTC_RETURN_IF_ERROR(checkStore(i, it.store_variable().variable()));
      if (it.has_load_variable())
        continue;
      for (uint32_t buffer : operandsOf(it).writes)
        DTC_RETURN_IF_ERROR(claim(i, buffer));
    }
    return Status::ok();
  }

private:
  void index();
  Status claim(uint32_t at, uint32_t buffer);
  Status checkStore(uint32_t at, uint32_t variable);
  Status expectBefore(std::vector<uint32_t> needed, uint32_t at,
                      const std::string &what);

  struct Owner {
    uint64_t end;
    uint32_t buffer;
  };

  const proto::Activation &activation_;
  const std::string &where_;
  std::vector<std::vector<uint32_t>> before_;  // direct dependencies
  std::vector<std::vector<uint32_t>> touches_; // by buffer: definer and readers
  std::map<uint32_t, std::vector<uint32_t>> loads_; // by variable: buffers
  std::map<uint64_t, Owner> owners_;                // by first byte; disjoint
  std::vector<uint32_t> seen_;                      // search number
  uint32_t search_ = 0;
  uint64_t steps_ = 0;
};

void OverlapChecker::index() {
  before_.resize(activation_.instructions_size());
  touches_.resize(activation_.buffers_size());
  seen_.assign(before_.size(), 0);
  for (uint32_t i = 0; i < before_.size(); ++i) {
    const proto::Instruction &it = activation_.instructions(i);
    before_[i].assign(it.after().begin(), it.after().end());
    Operands operands = operandsOf(it);
    for (uint32_t buffer : operands.reads) {
      before_[i].push_back(touches_[buffer].front()); // its definer
      touches_[buffer].push_back(i);
    }
    for (uint32_t buffer : operands.writes)
      touches_[buffer].push_back(i);
    if (it.has_load_variable())
      loads_[it.load_variable().variable()].push_back(
          it.load_variable().buffer());
  }
}

Status OverlapChecker::claim(uint32_t at, uint32_t buffer) {
  uint64_t begin = activation_.buffers(buffer).offset();
  uint64_t end = begin + activation_.buffers(buffer).bytes();
  if (begin == end)
    return Status::ok();
  auto it = owners_.upper_bound(begin);
  if (it != owners_.begin() && std::prev(it)->second.end > begin)
    --it;
  while (it != owners_.end() && it->first < end) {
    auto [start, owner] = *it;
    DTC_RETURN_IF_ERROR(expectBefore(
        touches_[owner.buffer], at,
        strCat("buffer ", buffer, " shares bytes with buffer ", owner.buffer)));
    it = owners_.erase(it);
    if (start < begin)
      owners_[start] = {begin, owner.buffer};
    if (owner.end > end)
      it = owners_.emplace(end, owner).first;
  }
  owners_[begin] = {end, buffer};
  return Status::ok();
}

Status OverlapChecker::checkStore(uint32_t at, uint32_t variable) {
  for (uint32_t buffer : loads_[variable]) {
    // Loading only names the bytes; and a store may store what it loaded.
    std::vector<uint32_t> readers(touches_[buffer].begin() + 1,
                                  touches_[buffer].end());
    std::erase(readers, at);
    DTC_RETURN_IF_ERROR(expectBefore(
        readers, at,
        strCat("variable ", variable, " is stored while buffer ", buffer,
               " still shows its value at the step's start")));
  }
  return Status::ok();
}

/// Breadth first from `at` towards the past: what a scheduler orders on
/// purpose is a direct dependency and found at once.
Status OverlapChecker::expectBefore(std::vector<uint32_t> needed, uint32_t at,
                                    const std::string &what) {
  std::sort(needed.begin(), needed.end());
  uint32_t oldest = needed.empty() ? at : needed.front();
  size_t missing = needed.size();
  std::vector<uint32_t> queue = {at};
  ++search_;
  for (size_t head = 0; head < queue.size() && missing > 0; ++head)
    for (uint32_t previous : before_[queue[head]]) {
      if (++steps_ > maxSearchSteps)
        return Status::resourceExhausted(
            where_ + ": the order of its buffers is too entangled to check");
      if (previous < oldest || seen_[previous] == search_)
        continue;
      seen_[previous] = search_;
      missing -= std::binary_search(needed.begin(), needed.end(), previous);
      queue.push_back(previous);
    }
  for (uint32_t instruction : needed)
    if (seen_[instruction] != search_)
      return Status::dataLoss(strCat(
          where_, ": ", what, ", but ",
          describe(activation_.instructions(at), at), " does not run after ",
          describe(activation_.instructions(instruction), instruction)));
  return Status::ok();
}

} // namespace

Status checkOverlaps(const proto::Activation &activation,
                     const std::string &where) {
  return OverlapChecker(activation, where).check();
}

} // namespace dtc

#include "tools/dtc/EdgeOrder.h"

#include <map>
#include <queue>
#include <string>

#include "runtime/plan/Instructions.h"

namespace dtc::tool {
namespace {

/// What feeds what, over the instructions of all programs; a template counts
/// once.
class DataFlow {
public:
  explicit DataFlow(const proto::Entry &entry) {
    for (const proto::Program &program : entry.programs())
      for (const proto::Activation &activation : program.activations())
        add(program, activation);
    for (const auto &[edge, recv] : recvs_)
      if (auto send = sends_.find(edge); send != sends_.end())
        feed(send->second, recv);
    for (const auto &[name, take] : takes_)
      for (auto [it, end] = given_.equal_range(name); it != end; ++it)
        feed(it->second, take);
  }

  /// The edges by the place of their sends; of several orders that of the text.
  std::vector<uint32_t> order() {
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t node = 0; node < feeds_.size(); ++node)
      if (pending_[node] == 0)
        ready.push(node);
    std::vector<uint32_t> edges;
    while (!ready.empty()) {
      uint32_t node = ready.top();
      ready.pop();
      if (edgeOf_[node] >= 0)
        edges.push_back(edgeOf_[node]);
      for (uint32_t next : feeds_[node])
        if (--pending_[next] == 0)
          ready.push(next);
    }
    return edges;
  }

private:
  void add(const proto::Program &program, const proto::Activation &activation) {
    std::vector<uint32_t> definer(activation.buffers_size());
    for (const proto::Instruction &it : activation.instructions()) {
      uint32_t node = feeds_.size();
      feeds_.emplace_back();
      pending_.push_back(0);
      edgeOf_.push_back(it.has_send() ? int64_t(it.send().edge()) : -1);
      Operands operands = operandsOf(it);
      for (uint32_t buffer : operands.reads)
        feed(definer[buffer], node);
      for (uint32_t buffer : operands.writes)
        definer[buffer] = node;
      std::string task = toTaskId(program.task()).toString() + "/";
      if (it.has_send())
        sends_[it.send().edge()] = node;
      if (it.has_recv())
        recvs_[it.recv().edge()] = node;
      if (it.has_accumulate())
        given_.emplace(task + it.accumulate().accumulator(), node);
      if (it.has_take())
        takes_[task + it.take().accumulator()] = node;
    }
  }
  void feed(uint32_t from, uint32_t to) {
    feeds_[from].push_back(to);
    ++pending_[to];
  }

  std::vector<std::vector<uint32_t>> feeds_;
  std::vector<uint32_t> pending_;
  std::vector<int64_t> edgeOf_; // the edge that the node sends; -1: none
  std::map<uint32_t, uint32_t> sends_, recvs_;
  std::multimap<std::string, uint32_t> given_;
  std::map<std::string, uint32_t> takes_;
};

} // namespace

std::vector<uint32_t> edgesInDataOrder(const proto::Entry &entry) {
  return DataFlow(entry).order();
}

} // namespace dtc::tool

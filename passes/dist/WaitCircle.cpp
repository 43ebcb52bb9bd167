#include "passes/dist/WaitCircle.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;

namespace dtc::dist {
namespace {

// A search costs as much as the function is long.
constexpr size_t maxSearches = 1000;

enum class Why { Data, Arrival, Turn, Room };

/// What an op waits for, and why. A recv that a peer's next send waits for
/// needs only to have begun, so it stands for two moments.
class Waits {
public:
  struct Moment {
    Operation *op;
    bool isBegin; // of a recv: it waits for the value; else it has it
    bool operator==(const Moment &) const = default;
  };
  struct Wait {
    Moment other;
    Why why;
  };

  explicit Waits(Block &body) : body_(body) {
    for (auto send : body.getOps<SendOp>())
      sends_[send.getKey()] = send;
    for (auto recv : body.getOps<RecvOp>())
      recvs_[recv.getKey()] = recv;
    addTurns();
    addRoom();
  }

  SmallVector<Wait> of(Moment moment) const {
    SmallVector<Wait> waits;
    if (auto recv = dyn_cast<RecvOp>(moment.op); recv && !moment.isBegin) {
      if (Operation *send = sends_.lookup(recv.getKey()))
        waits.push_back({{send, false}, Why::Arrival});
      waits.push_back({{recv, true}, Why::Turn});
      return waits;
    }
    for (Value operand : moment.op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        waits.push_back({{maker, false}, Why::Data});
    if (Operation *before = before_.lookup(moment.op))
      waits.push_back({{before, false}, Why::Turn});
    if (Operation *taken = room_.lookup(moment.op))
      waits.push_back({{taken, true}, Why::Room});
    return waits;
  }

private:
  /// The activation that makes the call: that of who gives or takes the value.
  static unsigned activationOf(Operation *call) {
    Operation *partition = call->getNumResults()
                               ? *call->user_begin()
                               : call->getOperand(0).getDefiningOp();
    auto user = dyn_cast_or_null<PartitionOp>(partition);
    return user ? unsigned(user.getActivation()) : 0;
  }

  void addTurns() {
    std::map<std::tuple<std::string, unsigned, std::string>, Operation *> last;
    for (Operation &op : body_) {
      std::string own, peer;
      if (auto send = dyn_cast<SendOp>(op)) {
        own = send.getDevice().taskString();
        peer = send.getTo().taskString();
      } else if (auto recv = dyn_cast<RecvOp>(op); recv && !op.use_empty()) {
        own = recv.getDevice().taskString();
        peer = recv.getFrom().taskString();
      } else {
        continue;
      }
      Operation *&before = last[{own, activationOf(&op), peer}];
      if (before)
        before_[&op] = before;
      before = &op;
    }
  }

  void addRoom() {
    std::map<std::tuple<std::string, unsigned, std::string>, Operation *> last;
    for (auto send : body_.getOps<SendOp>()) {
      Operation *recv = recvs_.lookup(send.getKey());
      Operation *&before =
          last[{send.getDevice().taskString(), activationOf(send),
                send.getTo().taskString()}];
      if (before)
        room_[send] = before;
      before = recv;
    }
  }

  Block &body_;
  llvm::StringMap<Operation *> sends_, recvs_;
  DenseMap<Operation *, Operation *> before_; // the call before, to that peer
  DenseMap<Operation *, Operation *> room_;   // whose beginning makes room
};

using Moment = Waits::Moment;

std::string describe(Operation *op) {
  std::string text;
  if (auto send = dyn_cast<SendOp>(op))
    return send.getDevice().taskString() + " sends edge '" +
           send.getKey().str() + "'";
  if (auto recv = dyn_cast<RecvOp>(op))
    return recv.getDevice().taskString() + " receives edge '" +
           recv.getKey().str() + "'";
  return cast<PartitionOp>(op).getDevice().taskString() +
         " computes this partition";
}

std::string sentence(Operation *op, const Waits::Wait &wait) {
  switch (wait.why) {
  case Why::Data:
    return describe(op) + (isa<SendOp>(op) ? ", and waits for the value"
                                           : ", and waits for a value");
  case Why::Arrival:
    return describe(op) + ", and waits for its send";
  case Why::Turn:
    return describe(op) + ", and waits for its call before to the same peer";
  case Why::Room:
    return describe(op) +
           ", and waits for the recv of its send before: a channel holds one "
           "message";
  }
  llvm_unreachable("every wait has a cause");
}

/// Breadth first from one moment back to it.
class CircleSearch {
public:
  explicit CircleSearch(Block &body) : waits_(body) {
    for (auto recv : body.getOps<RecvOp>())
      if (recvs_.size() < maxSearches)
        recvs_.push_back(recv);
  }

  SmallVector<CircleWait> shortest() {
    SmallVector<CircleWait> best;
    for (Operation *recv : recvs_) { // every circle passes one
      SmallVector<CircleWait> circle = through({recv, false});
      if (!circle.empty() && (best.empty() || circle.size() < best.size()))
        best = std::move(circle);
    }
    return best;
  }

private:
  using Key = std::pair<Operation *, unsigned>;
  static Key keyOf(Moment moment) { return {moment.op, moment.isBegin}; }

  SmallVector<CircleWait> through(Moment start) {
    DenseMap<Key, std::pair<Moment, Waits::Wait>> cameBy;
    SmallVector<Moment> queue = {start};
    for (size_t head = 0; head < queue.size(); ++head)
      for (const Waits::Wait &wait : waits_.of(queue[head])) {
        if (!cameBy.try_emplace(keyOf(wait.other), queue[head], wait).second)
          continue;
        if (wait.other == start)
          return backTo(start, cameBy);
        queue.push_back(wait.other);
      }
    return {};
  }

  static SmallVector<CircleWait>
  backTo(Moment start,
         const DenseMap<Key, std::pair<Moment, Waits::Wait>> &cameBy) {
    SmallVector<CircleWait> circle;
    Moment moment = start;
    do {
      auto [previous, wait] = cameBy.find(keyOf(moment))->second;
      if (previous.op != moment.op) // not between a recv's two moments
        circle.push_back({previous.op, sentence(previous.op, wait)});
      moment = previous;
    } while (!(moment == start));
    std::reverse(circle.begin(), circle.end());
    return circle;
  }

  Waits waits_;
  SmallVector<Operation *> recvs_;
};

} // namespace

SmallVector<CircleWait> findWaitCircle(Block &body) {
  return CircleSearch(body).shortest();
}

} // namespace dtc::dist

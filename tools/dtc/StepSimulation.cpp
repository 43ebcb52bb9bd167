#include "tools/dtc/StepSimulation.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace dtc::tool {
namespace {

constexpr uint32_t warmSteps = 2, allSteps = 6;
constexpr int64_t noRecord = -1;

/// What was executed when, and what it had to wait for.
struct Record {
  uint32_t task, program, instruction;
  double start, end;
  int64_t cause; // another record, or noRecord
};

/// A message: edge, source task, target task, step.
using Channel = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

using Lane = std::pair<uint32_t, uint32_t>; // task, lane

bool hasUnits(const std::vector<SimUnit> &units, Lane lane) {
  return std::any_of(units.begin(), units.end(), [&](const SimUnit &unit) {
    return unit.lane == lane.second;
  });
}

/// A unit under way.
struct Actor {
  uint32_t task;
  const SimUnit *unit;
  uint32_t step;
  bool isLate;
  std::vector<uint32_t> waits; // by instruction
  std::vector<double> readyAt; // by instruction
  std::vector<int64_t> cause;  // by instruction: who made it ready
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  size_t left; // instructions that are not done
  bool isQueued = false, isRunning = false;
};

struct Batch {
  std::vector<Channel> messages;
  uint64_t bytes = 0;
};

/// The way from one process' task to another's.
struct LinkState {
  Batch gathering;            // not yet taken by the sender's thread
  std::deque<Batch> onTheWay; // sent, not yet taken by the receiver's
  bool isSending = false, isReceiving = false;
  double isFree = 0; // of a link without threads
};

struct Event {
  double time;
  uint64_t number; // equal times in the order in which they were made
  std::function<void()> happen;
  bool operator>(const Event &other) const {
    return std::tie(time, number) > std::tie(other.time, other.number);
  }
};

struct Message {
  bool hasArrived = false;
  int64_t sender = noRecord;
  Actor *receiver = nullptr; // that waits for it
  uint32_t instruction = 0;
};

class Simulation {
public:
  explicit Simulation(const StepProblem &problem)
      : problem_(problem), freeCores_(problem.cores),
        busyThreads_(problem.tasks.size()), applying_(problem.tasks.size()),
        last_(problem.tasks.size(), noRecord),
        busySeconds_(problem.tasks.size()) {
    for (const SimProgram &program : problem.programs) {
      wakes_.emplace_back(program.size());
      for (uint32_t i = 0; i < program.size(); ++i)
        for (uint32_t before : program[i].after)
          wakes_.back()[before].push_back(i);
    }
  }

  StepOutcome run();

private:
  void at(double time, std::function<void()> happen) {
    events_.push({time, nextEvent_++, std::move(happen)});
  }
  void beginStep(Lane lane, uint32_t step);
  void beginPhase(Lane lane, uint32_t step, bool isLate);
  void phaseDone(Lane lane, uint32_t step, bool isLate);
  void beginLate(uint32_t task);
  void enqueue(Actor &actor);
  void occupy(double seconds, std::function<void()> then);
  void sendBatch(uint32_t source, uint32_t target);
  void receiveBatch(uint32_t source, uint32_t target);
  void arrive(const Channel &key);
  double slowed(double seconds, uint32_t added) const;
  void dispatch();
  void runNext(Actor &actor);
  void perform(Actor &actor, uint32_t instruction);
  void finish(Actor &actor, uint32_t instruction, int64_t record);
  void send(Actor &actor, const SimInstruction &it, int64_t record);
  bool isWaiting(Actor &actor, uint32_t instruction);
  void stop(Actor &actor);

  const SimInstruction &it(const Actor &actor, uint32_t instruction) const {
    return problem_.programs[actor.unit->program][instruction];
  }
  uint32_t process(uint32_t task) const { return problem_.tasks[task].process; }
  uint32_t end(int32_t task, const Actor &actor) const {
    return task < 0 ? actor.unit->peer : task;
  }
  Channel channel(const Actor &actor, const SimInstruction &it) const {
    const SimEdge &edge = problem_.edges[it.edge];
    // The peer of a unit is its counterpart; its other end is the task itself.
    uint32_t source =
        it.kind == SimInstruction::Send ? actor.task : end(edge.source, actor);
    uint32_t target =
        it.kind == SimInstruction::Recv ? actor.task : end(edge.target, actor);
    return {it.edge, source, target, actor.step};
  }
  const SimLink &link(uint32_t source, uint32_t target) const {
    return process(source) == process(target) ? problem_.withinProcess
                                              : problem_.betweenProcesses;
  }
  std::vector<SimPathItem> criticalPath(double from, double to,
                                        int64_t record) const;

  const StepProblem &problem_;
  double now_ = 0;
  uint64_t nextEvent_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  uint32_t freeCores_;
  std::vector<uint32_t> busyThreads_; // by process
  std::map<Lane, size_t> running_;    // units under way
  /// The lanes of a task that are to be late, in order, the first one being it.
  struct Late {
    std::deque<std::pair<Lane, uint32_t>> lanes; // and their steps
    bool isBusy = false;
  };
  std::vector<Late> applying_;      // by task
  std::vector<int64_t> last_;       // by task: the last record
  std::vector<double> busySeconds_; // by task, of all steps
  std::deque<std::unique_ptr<Actor>> actors_;
  // Who wants a core, in order: an actor, or a link's thread for some seconds.
  struct Wish {
    Actor *actor;
    double seconds;
    std::function<void()> then;
  };
  std::deque<Wish> queue_;
  std::map<Channel, Message> messages_;
  std::map<std::pair<uint32_t, uint32_t>, LinkState> links_;
  std::vector<std::vector<std::vector<uint32_t>>> wakes_; // by program
  std::vector<Record> records_;
  int64_t lastEnded_ = noRecord; // whose core is given away
  std::vector<std::pair<double, int64_t>> chiefSteps_;
};

void Simulation::beginStep(Lane lane, uint32_t step) {
  if (step < allSteps)
    beginPhase(lane, step, false);
}

void Simulation::beginPhase(Lane lane, uint32_t step, bool isLate) {
  uint32_t task = lane.first;
  const SimTask &its = problem_.tasks[task];
  const std::vector<SimUnit> &units = isLate ? its.late : its.early;
  if (!hasUnits(units, lane))
    return phaseDone(lane, step, isLate);
  running_[lane] =
      std::count_if(units.begin(), units.end(), [&](const SimUnit &unit) {
        return unit.lane == lane.second;
      });
  for (const SimUnit &unit : units) {
    if (unit.lane != lane.second)
      continue;
    const SimProgram &program = problem_.programs[unit.program];
    auto actor = std::make_unique<Actor>();
    actor->task = task;
    actor->unit = &unit;
    actor->step = step;
    actor->isLate = isLate;
    actor->left = program.size();
    actor->readyAt.assign(program.size(), now_);
    actor->cause.assign(program.size(), last_[task]);
    for (uint32_t i = 0; i < program.size(); ++i) {
      actor->waits.push_back(program[i].after.size());
      if (program[i].after.empty())
        actor->ready.push(i);
    }
    actors_.push_back(std::move(actor));
    enqueue(*actors_.back());
  }
}

void Simulation::phaseDone(Lane lane, uint32_t step, bool isLate) {
  uint32_t task = lane.first;
  if (!isLate && hasUnits(problem_.tasks[task].late, lane)) {
    applying_[task].lanes.push_back({lane, step});
    return beginLate(task);
  }
  if (isLate) {
    applying_[task].isBusy = false;
    beginLate(task);
  }
  if (lane == Lane{problem_.chief, problem_.chiefLane})
    chiefSteps_.push_back({now_, last_[task]});
  at(now_ + problem_.hopSeconds, [=, this] { beginStep(lane, step + 1); });
}

/// The next lane's turn, if none has it.
void Simulation::beginLate(uint32_t task) {
  Late &late = applying_[task];
  if (late.isBusy || late.lanes.empty())
    return;
  auto [lane, step] = late.lanes.front();
  late.lanes.pop_front();
  late.isBusy = true;
  at(now_ + problem_.hopSeconds,
     [=, this, lane = lane, step = step] { beginPhase(lane, step, true); });
}

void Simulation::enqueue(Actor &actor) {
  if (actor.isQueued || actor.isRunning)
    return;
  actor.isQueued = true;
  queue_.push_back({&actor, 0, {}});
  dispatch();
}

/// A core for `seconds`, then `then`.
void Simulation::occupy(double seconds, std::function<void()> then) {
  queue_.push_back({nullptr, seconds, std::move(then)});
  dispatch();
}

/// Cores that are shared with others yield less, the more of them are busy.
double Simulation::slowed(double seconds, uint32_t added) const {
  double busy = problem_.cores - freeCores_ + added;
  return busy <= 1 ? seconds
                   : seconds * busy / (1 + (busy - 1) * problem_.coreYield);
}

/// Gives free cores to who waits for one, first come first served.
void Simulation::dispatch() {
  for (size_t i = 0; i < queue_.size() && freeCores_ > 0;) {
    if (!queue_[i].actor) {
      Wish wish = std::move(queue_[i]);
      queue_.erase(queue_.begin() + i);
      --freeCores_;
      at(now_ + slowed(wish.seconds, 0), [this, then = std::move(wish.then)] {
        ++freeCores_;
        then();
        dispatch();
      });
      continue;
    }
    Actor &actor = *queue_[i].actor;
    if (busyThreads_[process(actor.task)] >= problem_.threadsPerProcess) {
      ++i;
      continue;
    }
    queue_.erase(queue_.begin() + i);
    actor.isQueued = false;
    actor.isRunning = true;
    --freeCores_;
    ++busyThreads_[process(actor.task)];
    at(now_, [this, &actor] { runNext(actor); });
  }
}

void Simulation::stop(Actor &actor) {
  actor.isRunning = false;
  ++freeCores_;
  --busyThreads_[process(actor.task)];
  dispatch();
}

/// A recv whose message is not there: it is posted, and the thread goes on.
bool Simulation::isWaiting(Actor &actor, uint32_t instruction) {
  if (it(actor, instruction).kind != SimInstruction::Recv)
    return false;
  Message &message = messages_[channel(actor, it(actor, instruction))];
  if (message.hasArrived)
    return false;
  message.receiver = &actor;
  message.instruction = instruction;
  return true;
}

void Simulation::runNext(Actor &actor) {
  while (!actor.ready.empty()) {
    uint32_t instruction = actor.ready.top();
    actor.ready.pop();
    if (isWaiting(actor, instruction))
      continue;
    return perform(actor, instruction);
  }
  stop(actor);
}

void Simulation::perform(Actor &actor, uint32_t instruction) {
  const SimInstruction &work = it(actor, instruction);
  double seconds = work.seconds;
  uint32_t helpers = 0;
  if (work.kind == SimInstruction::Compute) {
    uint32_t idle =
        problem_.threadsPerProcess - busyThreads_[process(actor.task)];
    helpers = std::min({work.mostThreads - 1, freeCores_, idle});
    if (helpers > 0)
      seconds = seconds / (1 + helpers) + problem_.splitSeconds;
  } else {
    auto [edge, source, target, step] = channel(actor, work);
    if (source != target)
      seconds += work.kind == SimInstruction::Send
                     ? link(source, target).sendSeconds
                     : link(source, target).recvSeconds;
  }
  seconds = slowed(seconds, helpers);
  freeCores_ -= helpers;
  busyThreads_[process(actor.task)] += helpers;
  busySeconds_[actor.task] += seconds * (1 + helpers);
  // What was ready long ago waited for the thread.
  bool waited = actor.readyAt[instruction] < now_ && lastEnded_ != noRecord;
  records_.push_back({actor.task, actor.unit->program, instruction, now_,
                      now_ + seconds,
                      waited ? lastEnded_ : actor.cause[instruction]});
  int64_t record = records_.size() - 1;
  at(now_ + seconds, [=, this, &actor] {
    freeCores_ += helpers;
    busyThreads_[process(actor.task)] -= helpers;
    finish(actor, instruction, record);
  });
}

void Simulation::finish(Actor &actor, uint32_t instruction, int64_t record) {
  lastEnded_ = last_[actor.task] = record;
  const SimInstruction &done = it(actor, instruction);
  if (done.kind == SimInstruction::Send)
    send(actor, done, record);
  for (uint32_t next : wakes_[actor.unit->program][instruction])
    if (--actor.waits[next] == 0) {
      actor.readyAt[next] = now_;
      actor.cause[next] = record;
      actor.ready.push(next);
    }
  if (--actor.left > 0)
    return runNext(actor);
  stop(actor);
  Lane lane{actor.task, actor.unit->lane};
  if (--running_[lane] == 0)
    phaseDone(lane, actor.step, actor.isLate);
}

void Simulation::send(Actor &actor, const SimInstruction &it, int64_t record) {
  Channel key = channel(actor, it);
  auto [edge, source, target, step] = key;
  messages_[key].sender = record;
  if (source == target)
    return at(now_, [=, this] { arrive(key); });
  const SimLink &its = link(source, target);
  LinkState &state = links_[{source, target}];
  uint64_t bytes = problem_.edges[edge].bytes;
  if (its.batchSeconds == 0) {
    state.isFree =
        std::max(state.isFree, now_) + double(bytes) / its.bytesPerSecond;
    return at(state.isFree + its.latencySeconds, [=, this] { arrive(key); });
  }
  state.gathering.messages.push_back(key);
  state.gathering.bytes += bytes;
  sendBatch(source, target);
}

void Simulation::arrive(const Channel &key) {
  Message &message = messages_[key];
  message.hasArrived = true;
  if (!message.receiver)
    return;
  Actor &receiver = *message.receiver;
  receiver.readyAt[message.instruction] = now_;
  receiver.cause[message.instruction] = message.sender;
  receiver.ready.push(message.instruction);
  enqueue(receiver);
}

static double secondsOf(const Batch &batch, const SimLink &link) {
  return link.batchSeconds +
         link.messageSeconds * double(batch.messages.size()) +
         double(batch.bytes) / link.bytesPerSecond;
}

/// The sender's thread takes all that has gathered while it was busy.
void Simulation::sendBatch(uint32_t source, uint32_t target) {
  LinkState &state = links_[{source, target}];
  if (state.isSending || state.gathering.messages.empty())
    return;
  state.isSending = true;
  Batch batch = std::exchange(state.gathering, {});
  const SimLink &its = link(source, target);
  occupy(secondsOf(batch, its), [=, this, &state] {
    state.isSending = false;
    at(now_ + its.latencySeconds, [=, this, &state] {
      state.onTheWay.push_back(batch);
      receiveBatch(source, target);
    });
    sendBatch(source, target);
  });
}

void Simulation::receiveBatch(uint32_t source, uint32_t target) {
  LinkState &state = links_[{source, target}];
  if (state.isReceiving || state.onTheWay.empty())
    return;
  state.isReceiving = true;
  Batch batch = std::move(state.onTheWay.front());
  state.onTheWay.pop_front();
  occupy(secondsOf(batch, link(source, target)), [=, this, &state] {
    state.isReceiving = false;
    for (const Channel &key : batch.messages)
      arrive(key);
    receiveBatch(source, target);
  });
}

std::vector<SimPathItem> Simulation::criticalPath(double from, double to,
                                                  int64_t record) const {
  std::vector<SimPathItem> path;
  for (; record != noRecord && records_[record].end > from;
       record = records_[record].cause) {
    const Record &it = records_[record];
    path.push_back({it.task, it.program, it.instruction,
                    std::max(0.0, it.start - from), it.end - from});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

StepOutcome Simulation::run() {
  for (uint32_t task = 0; task < problem_.tasks.size(); ++task) {
    std::set<Lane> lanes;
    for (const auto *units :
         {&problem_.tasks[task].early, &problem_.tasks[task].late})
      for (const SimUnit &unit : *units)
        lanes.insert({task, unit.lane});
    for (Lane lane : lanes)
      at(0, [=, this] { beginStep(lane, 0); });
  }
  while (!events_.empty()) {
    Event event = events_.top();
    events_.pop();
    now_ = event.time;
    event.happen();
  }
  StepOutcome outcome;
  for (double busy : busySeconds_)
    outcome.busySeconds.push_back(busy / allSteps);
  if (chiefSteps_.size() <= warmSteps) {
    outcome.stepSeconds = now_ / allSteps;
    return outcome;
  }
  size_t last = chiefSteps_.size() - 1, first = warmSteps - 1;
  outcome.stepSeconds = (chiefSteps_[last].first - chiefSteps_[first].first) /
                        double(last - first);
  outcome.path =
      criticalPath(chiefSteps_[last - 1].first, chiefSteps_[last].first,
                   chiefSteps_[last].second);
  return outcome;
}

} // namespace

StepOutcome simulateSteps(const StepProblem &problem) {
  return Simulation(problem).run();
}

} // namespace dtc::tool

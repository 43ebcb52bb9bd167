#include "runtime/executor/Executor.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <mutex>
#include <vector>

#include "runtime/base/BFloat16.h"
#include "runtime/plan/WireType.h"

namespace dtc {
namespace {

/// An instruction and who waits for it.
struct Step {
  const proto::Instruction *instruction;
  Operands operands;
  std::vector<uint32_t> wakes; // may hold one twice: it then waits twice
  uint32_t waits = 0;
  bool isHeavy = false;
  uint64_t packAt = 0; // where in a run's memory a send packs
  Accumulator *accumulator = nullptr;
  // Beside asynchronous updates: it reads a variable's storage, and that early:
  // without having waited for anybody.
  bool reads = false, isEarly = false;
};

class ActivationRun;
// The run that this thread is working on, and its list of what is ready: lets a
// completion that comes at once stay on the thread.
thread_local ActivationRun *runOfThread = nullptr;
thread_local std::vector<uint32_t> *readyOfThread = nullptr;
// Whom this thread has held small tensors for; empty whenever it may take long.
thread_local std::vector<std::pair<Transport *, TaskId>> heldOfThread;

constexpr size_t smallBytes = 16
                              << 10; // larger ones fill a write by themselves

/// Lets go of what is held: nobody waits for it longer than for instructions
/// that take no time.
void flushHeld() {
  while (!heldOfThread.empty()) {
    auto [transport, peer] = std::move(heldOfThread.back());
    heldOfThread.pop_back();
    transport->flush(peer);
  }
}

bool takesTime(const proto::Instruction &it) {
  return it.has_launch() || it.has_read_input() || it.has_store_variable();
}

} // namespace

struct Executor::Impl {
  Plan::Ptr plan;
  const proto::Entry *entry;
  const proto::Activation *activation;
  TaskContext *context;
  std::vector<Step> steps;
  std::vector<uint32_t> first; // ready from the start
  uint32_t earlyReads = 0, reads = 0;

  std::mutex mutex; // guards idle, active and arenaBytes
  std::vector<std::unique_ptr<ActivationRun>> idle;
  unsigned active = 0;
  uint64_t arenaBytes = 0; // of all runs, idle and active

  bool isPush() const {
    return context->gate && activation->kind() == proto::Activation::APPLY;
  }
  void index();
  void indexReads();
  Status addAccumulator(Step &step);
  Result<std::unique_ptr<ActivationRun>> acquire();
  void release(std::unique_ptr<ActivationRun> run);
};

namespace {

/// The state of one execution. Kept and used again: its arena and the pointers
/// into it stay.
class ActivationRun {
public:
  static Result<std::unique_ptr<ActivationRun>> create(Executor::Impl &owner);

  void start(const Executor::Run &run, Completion done);
  uint64_t arenaBytes() const { return arena_.sizeBytes(); }

private:
  void begin();
  void readLate(uint32_t i);
  void leaveGate();
  explicit ActivationRun(Executor::Impl &owner)
      : owner_(owner), pending_(owner.steps.size()) {}

  void work(std::vector<uint32_t> ready);
  void handOverHeavy(std::vector<uint32_t> &ready);
  void execute(uint32_t i, std::vector<uint32_t> &ready);
  Status perform(const Step &step, uint32_t i);
  Status launch(const proto::Instruction &it, void *const *arguments);
  void send(uint32_t i);
  std::span<const std::byte> packed(uint32_t i);
  void recv(uint32_t i);
  void arrivedPacked(uint32_t i, Status status);
  bool isPacked(const proto::Edge &edge, const TaskId &peer) const {
    return edge.wire() != proto::ELEMENT_TYPE_UNSPECIFIED &&
           peer != owner_.context->self && !owner_.context->isWireExact;
  }
  Completion completion(uint32_t i);
  void endedElsewhere(uint32_t i, Status status);
  void wake(uint32_t i, std::vector<uint32_t> &ready);
  void fail(const Status &status);
  void leave();
  /// What tells this value of an edge from all others of its source: between
  /// two definite tasks an edge carries one a push.
  RendezvousKey keyOf(uint32_t edge, const TaskId &source) const {
    uint64_t step = run_.step;
    if (owner_.isPush())
      step = step * owner_.entry->replicas() + run_.replica;
    return {step, edge, source};
  }
  TaskId resolve(const proto::Task &task) const {
    return task.index() < 0 ? run_.peer : toTaskId(task);
  }
  std::span<std::byte> bytes(uint32_t buffer) const {
    return {data_[buffer], owner_.activation->buffers(buffer).bytes()};
  }

  Executor::Impl &owner_;
  Buffer arena_;                  // and, behind it, where sends pack
  std::vector<std::byte *> data_; // by buffer
  std::vector<std::vector<void *>> arguments_; // by instruction, of launches
  std::vector<std::atomic<uint32_t>> pending_; // by instruction
  // Instructions that are ready or under way, and one for start() itself.
  std::atomic<uint32_t> outstanding_ = 0;
  std::atomic<bool> hasFailed_ = false;
  std::atomic<uint32_t> earlyReads_ =
      0;             // to come; while any, it is in the gate
  std::mutex mutex_; // guards status_
  Status status_;
  Executor::Run run_;
  Completion done_;
};

Result<std::unique_ptr<ActivationRun>>
ActivationRun::create(Executor::Impl &owner) {
  std::unique_ptr<ActivationRun> run(new ActivationRun(owner));
  const proto::Activation &activation = *owner.activation;
  DTC_ASSIGN_OR_RETURN(run->arena_, owner.context->device->allocate(
                                        memoryBytes(*owner.entry, activation)));
  for (const proto::Buffer &buffer : activation.buffers())
    run->data_.push_back(run->arena_.data() + buffer.offset());
  for (const Step &step : owner.steps)
    if (step.instruction->has_load_variable()) {
      const proto::LoadVariable &load = step.instruction->load_variable();
      run->data_[load.buffer()] =
          owner.context->variables->bytes(load.variable()).data();
    }
  run->arguments_.resize(owner.steps.size());
  for (uint32_t i = 0; i < owner.steps.size(); ++i)
    if (owner.steps[i].instruction->has_launch())
      for (const auto *list :
           {&owner.steps[i].operands.reads, &owner.steps[i].operands.writes})
        for (uint32_t buffer : *list)
          run->arguments_[i].push_back(run->data_[buffer]);
  return run;
}

void ActivationRun::start(const Executor::Run &run, Completion done) {
  run_ = run;
  done_ = std::move(done);
  status_ = Status::ok();
  hasFailed_ = false;
  for (uint32_t i = 0; i < owner_.steps.size(); ++i)
    pending_[i].store(owner_.steps[i].waits, std::memory_order_relaxed);
  outstanding_ = 1 + owner_.first.size();
  UpdateGate *gate = owner_.context->gate;
  earlyReads_ = gate ? owner_.earlyReads : 0;
  auto entered = [this] {
    owner_.context->pool->schedule([this] { begin(); });
  };
  if (owner_.isPush() ? gate->enterToUpdate(entered)
                      : earlyReads_ == 0 || gate->enterToRead(entered))
    begin();
}

void ActivationRun::begin() {
  UpdateGate *gate = owner_.context->gate;
  if (owner_.isPush())
    gate->notePush(run_.replica);
  else if (gate && owner_.reads > 0)
    gate->noteRead(run_.replica);
  work(owner_.first);
  leave();
}

/// The run ends: it lets go of what it still holds.
void ActivationRun::leaveGate() {
  if (owner_.isPush())
    owner_.context->gate->leaveUpdate();
  else if (earlyReads_.exchange(0) > 0)
    owner_.context->gate->leaveRead();
}

/// Executes what is ready, and what that makes ready, in schedule order. Each
/// element of `ready` is counted in outstanding_.
void ActivationRun::work(std::vector<uint32_t> ready) {
  ActivationRun *outerRun = std::exchange(runOfThread, this);
  std::vector<uint32_t> *outerReady = std::exchange(readyOfThread, &ready);
  std::make_heap(ready.begin(), ready.end(), std::greater<>());
  while (true) {
    if (ready.empty())
      flushHeld(); // which may end sends at once, and so make more ready
    if (ready.empty())
      break;
    handOverHeavy(ready);
    std::pop_heap(ready.begin(), ready.end(), std::greater<>());
    uint32_t i = ready.back();
    ready.pop_back();
    if (takesTime(*owner_.steps[i].instruction))
      flushHeld();
    execute(i, ready);
  }
  runOfThread = outerRun;
  readyOfThread = outerReady;
}

/// Gives kernels that are worth a thread to the pool, but for one.
void ActivationRun::handOverHeavy(std::vector<uint32_t> &ready) {
  if (owner_.context->pool->threads() == 1 || ready.size() < 2)
    return;
  bool keptOne = false;
  std::vector<uint32_t> mine;
  for (uint32_t i : ready)
    if (owner_.steps[i].isHeavy && std::exchange(keptOne, true)) {
      // Counted once more: work() may end the run before this thread leaves.
      outstanding_.fetch_add(1);
      owner_.context->pool->schedule([this, i] {
        work({i});
        leave();
      });
    } else {
      mine.push_back(i);
    }
  if (mine.size() == ready.size())
    return;
  ready = std::move(mine);
  std::make_heap(ready.begin(), ready.end(), std::greater<>());
}

void ActivationRun::execute(uint32_t i, std::vector<uint32_t> &ready) {
  const Step &step = owner_.steps[i];
  if (hasFailed_.load(std::memory_order_acquire))
    return leave();
  if (step.instruction->has_send())
    return send(i);
  if (step.instruction->has_recv())
    return recv(i);
  bool isLate = step.reads && !step.isEarly;
  if (isLate && !owner_.context->gate->enterToRead([this, i] { readLate(i); }))
    return;
  Status status = perform(step, i);
  if (isLate || (step.isEarly && earlyReads_.fetch_sub(1) == 1))
    owner_.context->gate->leaveRead();
  if (status.isOk())
    wake(i, ready);
  else
    fail(status);
  leave();
}

/// Instruction `i` had to wait for an update, and may read now.
void ActivationRun::readLate(uint32_t i) {
  owner_.context->pool->schedule([this, i] {
    Status status = perform(owner_.steps[i], i);
    owner_.context->gate->leaveRead();
    endedElsewhere(i, std::move(status));
  });
}

Status ActivationRun::launch(const proto::Instruction &it,
                             void *const *arguments) {
  TaskContext &context = *owner_.context;
  uint32_t kernel = it.launch().kernel();
  Status status = context.kernels->run(kernel, arguments, *context.pool);
  if (!status.isOk()) {
    // The kernel's op may have said the same already.
    std::string where = strCat(it.name(), " (", it.location(), "): ");
    return status.message().starts_with(where) ? status
                                               : status.withPrefix(where);
  }
  if (context.ranKernel)
    context.ranKernel({it, run_.step, run_.replica, arguments});
  return status;
}

/// What needs nobody else.
Status ActivationRun::perform(const Step &step, uint32_t i) {
  using I = proto::Instruction;
  const I &it = *step.instruction;
  TaskContext &context = *owner_.context;
  switch (it.kind_case()) {
  case I::kLaunch:
    return launch(it, arguments_[i].data());
  case I::kStoreVariable: {
    std::span<std::byte> to =
        context.variables->bytes(it.store_variable().variable());
    std::memmove(to.data(), data_[it.store_variable().buffer()], to.size());
    return Status::ok();
  }
  case I::kAccumulate:
    return step.accumulator->accept(run_.replica, run_.step,
                                    bytes(it.accumulate().buffer()));
  case I::kTake:
    if (owner_.isPush())
      return step.accumulator->takeOne(run_.replica, run_.step,
                                       bytes(it.take().buffer()));
    return step.accumulator->take(run_.step, bytes(it.take().buffer()),
                                  it.take().concat() ? Accumulator::Concat
                                                     : Accumulator::Mean);
  case I::kReadInput: {
    std::vector<std::span<std::byte>> columns;
    for (uint32_t buffer : it.read_input().buffers())
      columns.push_back(bytes(buffer));
    return context.readInput(it.read_input().input(), run_.step, columns);
  }
  case I::kReadFeed: {
    std::span<const std::byte> from = context.readFeed(it.read_feed().feed());
    std::span<std::byte> to = bytes(it.read_feed().buffer());
    assert(from.size() == to.size() && "feeds are checked before the run");
    if (!to.empty())
      std::memcpy(to.data(), from.data(), to.size());
    return Status::ok();
  }
  case I::kReplicaIndex: {
    int64_t number = run_.replica;
    std::memcpy(data_[it.replica_index().buffer()], &number, sizeof number);
    return Status::ok();
  }
  case I::kWriteFetch:
    context.writeFetch(it.write_fetch().fetch(), run_.step, run_.replica,
                       bytes(it.write_fetch().buffer()));
    return Status::ok();
  default: // load_variable: its buffer is the variable
    return Status::ok();
  }
}

void ActivationRun::send(uint32_t i) {
  TaskContext &context = *owner_.context;
  const proto::Send &send = owner_.steps[i].instruction->send();
  TaskId target = resolve(owner_.entry->edges(send.edge()).target());
  RendezvousKey key = keyOf(send.edge(), context.self);
  std::span<const std::byte> from = bytes(send.buffer());
  if (context.tap)
    context.tap(
        {run_.step, send.edge(), run_.replica, context.self, target, from});
  if (isPacked(owner_.entry->edges(send.edge()), target))
    from = packed(i);
  if (target != context.self && from.size() <= smallBytes) {
    std::pair held(context.transport, target);
    if (std::ranges::find(heldOfThread, held) == heldOfThread.end())
      heldOfThread.push_back(held);
    return context.transport->holdTensor(target, key, from, completion(i));
  }
  if (target != context.self)
    return context.transport->sendTensor(target, key, from, completion(i));
  context.rendezvous->deliver(key, from.size(), 0, from);
  endedElsewhere(i, Status::ok());
}

/// What send `i` hands over, as the wire has it.
std::span<const std::byte> ActivationRun::packed(uint32_t i) {
  const proto::Send &send = owner_.steps[i].instruction->send();
  std::span<std::byte> room = arena_.span().subspan(
      owner_.steps[i].packAt, owner_.entry->edges(send.edge()).bytes());
  packBFloats(bytes(send.buffer()), room);
  return room;
}

void ActivationRun::recv(uint32_t i) {
  const proto::Recv &recv = owner_.steps[i].instruction->recv();
  const proto::Edge &edge = owner_.entry->edges(recv.edge());
  TaskId source = resolve(edge.source());
  std::span<std::byte> to = bytes(recv.buffer());
  if (isPacked(edge, source))
    owner_.context->rendezvous->recv(
        keyOf(recv.edge(), source), packedPart(to), run_.recvDeadline,
        [this, i](Status status) { arrivedPacked(i, std::move(status)); });
  else
    owner_.context->rendezvous->recv(keyOf(recv.edge(), source), to,
                                     run_.recvDeadline, completion(i));
}

/// Unpacking is work: not on a thread that others need.
void ActivationRun::arrivedPacked(uint32_t i, Status status) {
  if (!status.isOk())
    return endedElsewhere(i, std::move(status));
  std::span<std::byte> tensor =
      bytes(owner_.steps[i].instruction->recv().buffer());
  if (runOfThread == this) {
    unpackBFloats(tensor);
    return endedElsewhere(i, Status::ok());
  }
  owner_.context->pool->schedule([this, i, tensor] {
    unpackBFloats(tensor);
    std::vector<uint32_t> ready;
    wake(i, ready);
    work(std::move(ready));
    leave();
  });
}

Completion ActivationRun::completion(uint32_t i) {
  return [this, i](Status status) { endedElsewhere(i, std::move(status)); };
}

/// A send or a receive ended, on whatever thread: a transport's, the timer's,
/// or this run's own when nothing had to be waited for.
void ActivationRun::endedElsewhere(uint32_t i, Status status) {
  const proto::Instruction &it = *owner_.steps[i].instruction;
  if (!status.isOk() && !it.has_send() && !it.has_recv()) {
    fail(status);
    return leave();
  }
  if (!status.isOk()) {
    bool isOurs = status.code() == StatusCode::DeadlineExceeded ||
                  status.code() == StatusCode::DataLoss;
    const proto::Edge &edge = owner_.entry->edges(
        it.has_send() ? it.send().edge() : it.recv().edge());
    // An abort's status names its cause already and goes on unchanged.
    fail(isOurs ? status.withPrefix(strCat("edge '", edge.key(), "' (",
                                           edge.location(), "): "))
                : status);
    return leave();
  }
  if (runOfThread == this) {
    wake(i, *readyOfThread);
    return leave();
  }
  std::vector<uint32_t> ready;
  wake(i, ready);
  if (ready.empty())
    return leave();
  owner_.context->pool->schedule([this, ready = std::move(ready)]() mutable {
    work(std::move(ready));
    leave(); // of the send or receive
  });
}

/// Moves what waited for `i` alone to `ready`.
void ActivationRun::wake(uint32_t i, std::vector<uint32_t> &ready) {
  for (uint32_t next : owner_.steps[i].wakes)
    if (pending_[next].fetch_sub(1, std::memory_order_acq_rel) == 1) {
      outstanding_.fetch_add(1, std::memory_order_relaxed);
      ready.push_back(next);
      if (&ready == readyOfThread)
        std::push_heap(ready.begin(), ready.end(), std::greater<>());
    }
}

void ActivationRun::fail(const Status &status) {
  {
    std::lock_guard lock(mutex_);
    if (!status_.isOk())
      return;
    status_ = status;
  }
  hasFailed_.store(true, std::memory_order_release);
  if (owner_.context->failed)
    owner_.context->failed(status);
  owner_.context->rendezvous->abort(status);
}

/// One thing less under way; the last one ends the run.
void ActivationRun::leave() {
  if (outstanding_.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  leaveGate();
  Completion done = std::move(done_);
  Status status;
  {
    std::lock_guard lock(mutex_);
    status = status_;
  }
  // The run may be used again from here on.
  owner_.release(std::unique_ptr<ActivationRun>(this));
  done(std::move(status));
}

} // namespace

void Executor::Impl::index() {
  std::vector<uint32_t> definer(activation->buffers_size());
  uint64_t packAt = activation->arena_bytes(); // the room begins behind it
  for (int i = 0; i < activation->instructions_size(); ++i) {
    const proto::Instruction &it = activation->instructions(i);
    Step step{&it, operandsOf(it), {}};
    step.packAt = packAt;
    packAt += packBytes(*entry, it);
    std::vector<uint32_t> before(it.after().begin(), it.after().end());
    for (uint32_t buffer : step.operands.reads)
      before.push_back(definer[buffer]);
    for (uint32_t buffer : step.operands.writes)
      definer[buffer] = i;
    for (uint32_t other : before)
      steps[other].wakes.push_back(i);
    step.waits = before.size();
    step.isHeavy =
        it.has_launch() && context->kernels->isHeavy(it.launch().kernel());
    if (before.empty())
      first.push_back(i);
    steps.push_back(std::move(step));
  }
}

/// Which instructions read a variable's storage while an update may come. A
/// send is none of them: it may take long, so the plan gives it a copy.
void Executor::Impl::indexReads() {
  if (!context->gate || activation->kind() == proto::Activation::APPLY)
    return;
  std::vector<bool> isStorage(activation->buffers_size());
  std::vector<bool> waits(steps.size()); // for a peer, however far back
  for (uint32_t i = 0; i < steps.size(); ++i) {
    Step &step = steps[i];
    const proto::Instruction &it = *step.instruction;
    if (it.has_load_variable())
      isStorage[it.load_variable().buffer()] = true;
    for (uint32_t buffer : step.operands.reads)
      step.reads |= isStorage[buffer];
    waits[i] = waits[i] || it.has_send() || it.has_recv();
    step.isEarly = step.reads && !waits[i];
    // One that reads late waits for the gate.
    waits[i] = waits[i] || (step.reads && !step.isEarly);
    for (uint32_t next : step.wakes)
      waits[next] = waits[next] || waits[i];
    reads += step.reads;
    earlyReads += step.isEarly;
  }
}

Status Executor::Impl::addAccumulator(Step &step) {
  const proto::Instruction &it = *step.instruction;
  if (!it.has_accumulate() && !it.has_take())
    return Status::ok();
  const std::string &name = it.has_accumulate() ? it.accumulate().accumulator()
                                                : it.take().accumulator();
  std::unique_ptr<Accumulator> &slot = context->accumulators[name];
  if (!slot) {
    uint32_t buffer =
        it.has_accumulate() ? it.accumulate().buffer() : it.take().buffer();
    proto::TensorType type = activation->buffers(buffer).type();
    if (it.take().concat() && !context->gate) // of as many rows
      type.set_shape(0, type.shape(0) / entry->replicas());
    auto made = Accumulator::create(name, TensorType::create(type).take(),
                                    entry->replicas(), *context->device);
    if (!made.isOk())
      return made.status().withPrefix(strCat("accumulator '", name, "': "));
    slot = made.take();
  }
  step.accumulator = slot.get();
  return Status::ok();
}

Result<std::unique_ptr<ActivationRun>> Executor::Impl::acquire() {
  {
    std::lock_guard lock(mutex);
    ++active;
    if (!idle.empty()) {
      std::unique_ptr<ActivationRun> run = std::move(idle.back());
      idle.pop_back();
      return run;
    }
  }
  auto made = ActivationRun::create(*this);
  if (!made.isOk()) {
    std::lock_guard lock(mutex);
    --active;
    return made.status().withPrefix(strCat("entry '", entry->name(), "': the ",
                                           kindName(activation->kind()),
                                           " activation: "));
  }
  std::lock_guard lock(mutex);
  arenaBytes += (*made)->arenaBytes();
  return made;
}

void Executor::Impl::release(std::unique_ptr<ActivationRun> run) {
  std::lock_guard lock(mutex);
  --active;
  idle.push_back(std::move(run));
}

Executor::Executor() : impl_(std::make_unique<Impl>()) {}

Executor::~Executor() {
  std::lock_guard lock(impl_->mutex);
  assert(impl_->active == 0 && "a run is under way");
}

Result<std::unique_ptr<Executor>>
Executor::create(Plan::Ptr plan, const proto::Entry &entry,
                 const proto::Activation &activation, TaskContext &context) {
  std::unique_ptr<Executor> executor(new Executor());
  Impl &impl = *executor->impl_;
  impl.plan = std::move(plan);
  impl.entry = &entry;
  impl.activation = &activation;
  impl.context = &context;
  impl.index();
  impl.indexReads();
  for (Step &step : impl.steps)
    DTC_RETURN_IF_ERROR(impl.addAccumulator(step));
  return executor;
}

Status Executor::reserve(size_t runs) {
  std::vector<std::unique_ptr<ActivationRun>> acquired;
  Status failed;
  for (size_t i = 0; i < runs; ++i) {
    auto run = impl_->acquire();
    if (!run.isOk()) {
      failed = run.status();
      break;
    }
    acquired.push_back(run.take());
  }
  for (std::unique_ptr<ActivationRun> &run : acquired)
    impl_->release(std::move(run));
  return failed;
}

uint64_t Executor::arenaBytes() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->arenaBytes;
}

void Executor::start(const Run &run, Completion done) {
  auto acquired = impl_->acquire();
  if (!acquired.isOk()) {
    if (impl_->context->failed)
      impl_->context->failed(acquired.status());
    impl_->context->rendezvous->abort(acquired.status());
    return done(acquired.status());
  }
  // Owns itself while it is under way; leave() gives it back.
  acquired.take().release()->start(run, std::move(done));
}

} // namespace dtc

#include "runtime/base/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace dtc {
namespace {

// About what waking a sleeping thread costs: waiting longer than that awake
// would only take the core from somebody else.
constexpr auto kSpinTime = std::chrono::microseconds(30);

// More pieces than threads, so that a thread that was late does not hold all.
constexpr int64_t kPiecesPerThread = 4;

void pauseCpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits awake, for kSpinTime at most, until `isReady`; false: it was not.
template <typename Predicate>
bool spinUntil(Predicate isReady) {
  auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 64; ++i) {
      if (isReady())
        return true;
      pauseCpu();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// One parallelFor. Lives on its caller's stack.
struct Range {
  int64_t range;
  int64_t pieces;
  const std::function<void(int64_t, int64_t)> *body;
  std::atomic<int64_t> next = 0;    // first piece that nobody took
  std::atomic<unsigned> inside = 0; // helpers at work; changed under the mutex
  unsigned mayJoin;                 // guarded by the pool's mutex

  int64_t begin(int64_t piece) const {
    // range * piece may overflow; this does not, and it is as even.
    return range / pieces * piece + std::min(piece, range % pieces);
  }
  void work() {
    for (int64_t piece; (piece = next.fetch_add(1)) < pieces;)
      (*body)(begin(piece), begin(piece + 1));
  }
};

} // namespace

struct ThreadPool::Impl {
  unsigned count;
  bool maySpin;     // with more threads than cores, spinning only steals time
  std::mutex mutex; // guards queue, ranges, asleep, isStopping
  std::condition_variable workCame;
  std::condition_variable helperLeft;
  std::deque<std::function<void()>> queue;
  std::list<Range *> ranges; // newest first; with pieces that nobody took
  unsigned asleep = 0;
  bool isStopping = false;
  std::atomic<uint64_t> arrivals = 0; // grows with each piece of work
  std::vector<std::thread> workers;

  void loop();
  bool runOne(std::unique_lock<std::mutex> &lock);
  void help(Range &range, std::unique_lock<std::mutex> &lock);
  void announce(unsigned wanted);
  void await(Range &range);
};

/// Runs one task, or helps one range. False: there was nothing to do.
bool ThreadPool::Impl::runOne(std::unique_lock<std::mutex> &lock) {
  for (Range *range : ranges) {
    if (range->mayJoin > 0 && range->next < range->pieces) {
      help(*range, lock);
      return true;
    }
  }
  if (queue.empty())
    return false;
  std::function<void()> task = std::move(queue.front());
  queue.pop_front();
  lock.unlock();
  task();
  task = nullptr;
  lock.lock();
  return true;
}

void ThreadPool::Impl::help(Range &range, std::unique_lock<std::mutex> &lock) {
  --range.mayJoin;
  ++range.inside;
  lock.unlock();
  range.work();
  lock.lock();
  // With the last helper gone its caller may return: `range` is no more.
  if (--range.inside == 0)
    helperLeft.notify_all();
}

void ThreadPool::Impl::loop() {
  std::unique_lock lock(mutex);
  while (true) {
    uint64_t seen = arrivals;
    if (runOne(lock))
      continue;
    if (isStopping)
      return;
    lock.unlock();
    bool came = maySpin && spinUntil([&] { return arrivals != seen; });
    lock.lock();
    if (came || arrivals != seen)
      continue;
    ++asleep;
    workCame.wait(lock); // bounded by the destructor, which notifies
    --asleep;
  }
}

/// Wakes as many sleepers as `wanted`. Call it under the mutex.
void ThreadPool::Impl::announce(unsigned wanted) {
  ++arrivals;
  for (unsigned i = std::min(wanted, asleep); i > 0; --i)
    workCame.notify_one();
}

void ThreadPool::Impl::await(Range &range) {
  if (maySpin && spinUntil([&] { return range.inside == 0; })) {
    // The last helper changed it under the mutex, and still holds that.
    std::lock_guard lock(mutex);
    return;
  }
  std::unique_lock lock(mutex);
  // Bounded by the pieces that the helpers work on.
  helperLeft.wait(lock, [&] { return range.inside == 0; });
}

ThreadPool::ThreadPool(unsigned threads) : impl_(std::make_unique<Impl>()) {
  assert(threads >= 1 && "a pool needs a thread");
  impl_->count = threads;
  impl_->maySpin = threads <= std::thread::hardware_concurrency();
  while (impl_->workers.size() < threads) {
    try {
      impl_->workers.emplace_back([impl = impl_.get()] { impl->loop(); });
    } catch (const std::system_error &) {
      // The system gives no more; those that are there do the same work.
      if (impl_->workers.empty())
        throw;
      break;
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->isStopping = true;
    ++impl_->arrivals;
  }
  impl_->workCame.notify_all();
  for (std::thread &worker : impl_->workers)
    worker.join();
}

unsigned ThreadPool::threads() const { return impl_->count; }

void ThreadPool::schedule(std::function<void()> task) {
  std::lock_guard lock(impl_->mutex);
  impl_->queue.push_back(std::move(task));
  impl_->announce(1);
}

void ThreadPool::parallelFor(
    int64_t range, int64_t grain,
    const std::function<void(int64_t, int64_t)> &body) {
  if (range <= 0)
    return;
  int64_t threads = impl_->count;
  int64_t pieces =
      std::min(range / std::max<int64_t>(grain, 1), threads * kPiecesPerThread);
  if (threads == 1 || pieces <= 1)
    return body(0, range);

  Range work{range, pieces, &body};
  work.mayJoin = static_cast<unsigned>(std::min(threads, pieces) - 1);
  std::list<Range *>::iterator place;
  {
    std::lock_guard lock(impl_->mutex);
    place = impl_->ranges.insert(impl_->ranges.begin(), &work);
    impl_->announce(work.mayJoin);
  }
  work.work();
  {
    // From here on nobody can join; those inside are awaited.
    std::lock_guard lock(impl_->mutex);
    impl_->ranges.erase(place);
  }
  impl_->await(work);
}

} // namespace dtc

#include "runtime/base/Timer.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace dtc {

struct Timer::Impl {
  using Slot = std::pair<TimePoint, Id>;

  std::mutex mutex; // guards all below but `thread`
  std::condition_variable changed;
  std::map<Slot, std::function<void()>> entries;
  std::unordered_map<Id, TimePoint> moments; // of the entries
  TimePoint sleepsUntil = TimePoint::min();
  Id lastId = 0;
  bool isStopping = false;
  std::thread thread;

  void loop();
  void sleep(std::unique_lock<std::mutex> &lock);
};

void Timer::Impl::sleep(std::unique_lock<std::mutex> &lock) {
  sleepsUntil =
      entries.empty() ? TimePoint::max() : entries.begin()->first.first;
  if (sleepsUntil == TimePoint::max())
    changed.wait(lock); // bounded by the destructor, which notifies
  else
    changed.wait_until(lock, sleepsUntil);
  sleepsUntil = TimePoint::min();
}

void Timer::Impl::loop() {
  std::unique_lock lock(mutex);
  while (!isStopping) {
    auto first = entries.begin();
    if (first == entries.end() || first->first.first > Clock::steady().now()) {
      sleep(lock);
      continue;
    }
    std::function<void()> function = std::move(first->second);
    moments.erase(first->first.second);
    entries.erase(first);
    lock.unlock();
    function();
    function = nullptr; // what it holds may take its time, or this lock
    lock.lock();
  }
}

Timer::Timer() : impl_(std::make_unique<Impl>()) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->loop(); });
}

Timer::~Timer() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->isStopping = true;
  }
  impl_->changed.notify_one();
  impl_->thread.join();
}

Timer::Id Timer::at(TimePoint when, std::function<void()> function) {
  std::unique_lock lock(impl_->mutex);
  Id id = ++impl_->lastId;
  impl_->entries.emplace(Impl::Slot{when, id}, std::move(function));
  impl_->moments.emplace(id, when);
  // Deadlines mostly grow, so the thread is rarely woken for a new one.
  bool mustWake = when < impl_->sleepsUntil;
  lock.unlock();
  if (mustWake)
    impl_->changed.notify_one();
  return id;
}

Timer::Id Timer::post(std::function<void()> function) {
  return at(Clock::steady().now(), std::move(function));
}

bool Timer::cancel(Id id) {
  std::function<void()> dropped; // destroyed after the lock is released
  std::lock_guard lock(impl_->mutex);
  auto moment = impl_->moments.find(id);
  if (moment == impl_->moments.end())
    return false;
  auto entry = impl_->entries.find({moment->second, id});
  dropped = std::move(entry->second);
  impl_->entries.erase(entry);
  impl_->moments.erase(moment);
  return true;
}

} // namespace dtc

#include "runtime/server/Recorder.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/Elements.h"

namespace dtc {
namespace {

double msBetween(TimePoint from, TimePoint to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

double toDouble(const Tensor &scalar) {
  double value = 0;
  Status status = visitElement(scalar.element, [&](auto identity) {
    using T = typename decltype(identity)::type;
    value = static_cast<double>(
        load(reinterpret_cast<const T *>(scalar.bytes.data()), 0));
    return Status::ok();
  });
  return status.isOk() ? value : 0;
}

/// The value that `share` of the sorted values do not exceed.
double percentile(std::vector<double> &values, double share) {
  if (values.empty())
    return 0;
  auto at = values.begin() +
            std::min<size_t>(values.size() * share, values.size() - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

} // namespace

Recorder::Recorder(Plan::Ptr plan, const proto::Entry &entry,
                   const RunOptions &options)
    : plan_(std::move(plan)), entry_(entry), options_(options) {
  for (const proto::Fetch &fetch : entry.fetches()) {
    TensorType type = TensorType::create(fetch.type()).take();
    // The bytes come with the first step: until arenas are reserved nobody
    // knows whether there is memory for them.
    fetches_.push_back({type.element, type.shape, {}});
  }
}

void Recorder::begin(int64_t steps, int64_t stepsPerEpoch,
                     int64_t droppedPerEpoch) {
  std::lock_guard lock(mutex_);
  steps_ = steps;
  stepsPerEpoch_ = stepsPerEpoch;
  droppedPerEpoch_ = droppedPerEpoch;
  begun_ = lastDone_ = ended_ = Clock::steady().now();
}

void Recorder::fetch(uint32_t fetch, std::span<const std::byte> bytes) {
  std::lock_guard lock(mutex_);
  fetches_[fetch].bytes.assign(bytes.begin(), bytes.end());
}

std::map<std::string, double> Recorder::scalars() const {
  std::map<std::string, double> values;
  for (int f = 0; f < entry_.fetches_size(); ++f)
    if (fetches_[f].shape.empty())
      values[entry_.fetches(f).name()] = toDouble(fetches_[f]);
  return values;
}

void Recorder::stepDone(uint64_t step) {
  Progress progress;
  {
    std::lock_guard lock(mutex_);
    TimePoint now = Clock::steady().now();
    stepMs_.push_back(msBetween(lastDone_, now));
    lastDone_ = now;
    last_ = scalars();
    for (const auto &[name, value] : last_)
      sums_[name] += value;
    progress.step = ++done_;
    progress.steps = steps_;
    progress.stepsPerEpoch = stepsPerEpoch_;
    if (stepsPerEpoch_ > 0) {
      progress.epoch = step / stepsPerEpoch_;
      progress.isEndOfEpoch = (step + 1) % stepsPerEpoch_ == 0;
    }
    progress.metrics = last_;
  }
  if (options_.progress)
    options_.progress(progress);
}

void Recorder::end() {
  std::lock_guard lock(mutex_);
  ended_ = Clock::steady().now();
}

RunSummary Recorder::summary() {
  std::lock_guard lock(mutex_);
  RunSummary summary;
  summary.steps = done_;
  bool isMean = !entry_.has_updates() && entry_.inputs_size() > 0 && done_ > 0;
  for (const auto &[name, value] : last_)
    summary.metrics[name] = isMean ? sums_[name] / done_ : value;
  for (int f = 0; f < entry_.fetches_size(); ++f)
    summary.fetches[entry_.fetches(f).name()] = fetches_[f];
  summary.stepMsP50 = percentile(stepMs_, 0.5);
  summary.stepMsP90 = percentile(stepMs_, 0.9);
  // Asynchronous replicas may have been slower than the chief.
  TimePoint end = plan_->isAsync(entry_) ? ended_ : lastDone_;
  if (entry_.inputs_size() > 0 && end > begun_) {
    const proto::Input &input = entry_.inputs(0);
    double examples = double(done_) * entry_.replicas() * input.batch() *
                      std::max<int64_t>(input.blocks(), 1);
    summary.examplesPerSecond = examples * 1000 / msBetween(begun_, end);
  }
  if (stepsPerEpoch_ > 0)
    summary.droppedExamples = done_ / stepsPerEpoch_ * droppedPerEpoch_;
  return summary;
}

} // namespace dtc

#include "tools/dtc/Calibration.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <numeric>
#include <thread>

#include "runtime/device/host/HostDevice.h"
#include "runtime/executor/KernelTable.h"

namespace dtc::tool {
namespace {

constexpr size_t leastRuns = 3, mostRuns = 25;
constexpr auto longEnough = std::chrono::milliseconds(1); // of all its runs

/// Arguments of a kernel: floats of 1/2, and zeros, which are labels and rows
/// of every table.
class Arguments {
public:
  static Result<Arguments> create(const proto::Kernel &kernel,
                                  HostDevice &device) {
    Arguments arguments;
    for (const auto *types : {&kernel.inputs(), &kernel.outputs()})
      for (const proto::TensorType &type : *types)
        DTC_RETURN_IF_ERROR(arguments.add(type, device));
    return arguments;
  }
  void *const *data() const { return pointers_.data(); }

private:
  Status add(const proto::TensorType &type, HostDevice &device) {
    DTC_ASSIGN_OR_RETURN(TensorType tensor, TensorType::create(type));
    DTC_ASSIGN_OR_RETURN(Buffer buffer,
                         device.allocate(std::max<uint64_t>(tensor.bytes, 1)));
    std::memset(buffer.data(), 0, buffer.sizeBytes());
    if (tensor.element == ElementType::F32)
      std::fill_n(reinterpret_cast<float *>(buffer.data()), tensor.elements,
                  0.5f);
    pointers_.push_back(buffer.data());
    buffers_.push_back(std::move(buffer));
    return Status::ok();
  }

  std::vector<Buffer> buffers_;
  std::vector<void *> pointers_;
};

Result<double> timeKernel(const KernelTable &table, uint32_t kernel,
                          const Arguments &arguments, ThreadPool &pool) {
  // The first run touches memory and code that nobody has used yet.
  DTC_RETURN_IF_ERROR(table.run(kernel, arguments.data(), pool));
  std::vector<double> seconds;
  TimePoint begun = Clock::steady().now();
  while (seconds.size() < leastRuns ||
         (seconds.size() < mostRuns &&
          Clock::steady().now() - begun < longEnough)) {
    TimePoint before = Clock::steady().now();
    DTC_RETURN_IF_ERROR(table.run(kernel, arguments.data(), pool));
    seconds.push_back(
        std::chrono::duration<double>(Clock::steady().now() - before).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2,
                   seconds.end());
  return seconds[seconds.size() / 2];
}

} // namespace

Result<std::map<uint32_t, double>> timeKernels(const Plan::Ptr &plan,
                                               const std::string &target,
                                               const std::vector<double> &share,
                                               Duration budget) {
  DTC_ASSIGN_OR_RETURN(KernelTable::Ptr table,
                       KernelTable::create(plan, target));
  std::vector<uint32_t> order(share.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return share[a] > share[b]; });
  HostDevice device;
  ThreadPool pool(1); // runs kernels on this thread
  std::map<uint32_t, double> seconds;
  TimePoint begun = Clock::steady().now();
  for (uint32_t kernel : order) {
    if (share[kernel] <= 0 || Clock::steady().now() - begun > budget)
      break;
    DTC_ASSIGN_OR_RETURN(
        Arguments arguments,
        Arguments::create(plan->proto().kernels(kernel), device));
    DTC_ASSIGN_OR_RETURN(seconds[kernel],
                         timeKernel(*table, kernel, arguments, pool));
  }
  return seconds;
}

double measureCores(unsigned threads, Duration duration) {
  std::atomic<int64_t> busyNanos = 0;
  TimePoint begun = Clock::steady().now();
  {
    std::vector<std::jthread> workers; // joined at the end of the block
    for (unsigned i = 0; i < threads; ++i)
      workers.emplace_back([&] {
        while (Clock::steady().now() - begun < duration)
          continue;
        timespec used{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        busyNanos += used.tv_sec * 1'000'000'000 + used.tv_nsec;
      });
  }
  return double(busyNanos) * 1e-9 /
         std::chrono::duration<double>(Clock::steady().now() - begun).count();
}

} // namespace dtc::tool

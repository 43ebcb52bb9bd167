// HostDevice: the CPU's memory. Its streams do everything at once.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "runtime/device/Device.h"

namespace dtc {

/// Buffers are ordinary memory: kernels and transports use span() directly.
class HostDevice final : public Device {
public:
  /// Refuses to hold more than `limitBytes` at once; 0 means the machine's
  /// memory (an arena that cannot fit is then an error, not an OOM kill).
  explicit HostDevice(std::string name = "cpu:0", size_t limitBytes = 0);
  /// Its buffers must be gone.
  ~HostDevice() override;

  const std::string &name() const override { return name_; }
  const std::string &type() const override { return type_; }
  Result<Buffer> allocate(size_t sizeBytes) override;
  std::unique_ptr<Stream> createStream() override;
  size_t allocatedBytes() const override { return allocated_; }

private:
  const std::string name_;
  const std::string type_ = "cpu";
  const size_t limitBytes_;
  std::atomic<size_t> allocated_ = 0;
};

} // namespace dtc

// NullDevice: accepts all, keeps nothing, counts. The skeleton to copy for a
// new device, and what planning runs use when only sizes matter.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "runtime/device/Device.h"

namespace dtc {

/// Its buffers have a size but no memory (data() is null); copyOut leaves the
/// destination as it is.
class NullDevice final : public Device {
public:
  explicit NullDevice(std::string name = "null:0") : name_(std::move(name)) {}

  const std::string &name() const override { return name_; }
  const std::string &type() const override { return type_; }
  Result<Buffer> allocate(size_t sizeBytes) override;
  std::unique_ptr<Stream> createStream() override;
  size_t allocatedBytes() const override { return allocated_; }

  size_t bytesCopiedIn() const { return copiedIn_; }
  size_t bytesCopiedOut() const { return copiedOut_; }

private:
  friend class NullStream;
  const std::string name_;
  const std::string type_ = "null";
  std::atomic<size_t> allocated_ = 0;
  std::atomic<size_t> copiedIn_ = 0;
  std::atomic<size_t> copiedOut_ = 0;
};

} // namespace dtc

#include "runtime/device/null/NullDevice.h"

namespace dtc {

namespace {
class NullEvent final : public Event {
public:
  bool isDone() const override { return true; }
  Status wait(Deadline) override { return Status::ok(); }
};
} // namespace

class NullStream final : public Stream {
public:
  explicit NullStream(NullDevice &device) : device_(device) {}

  Status copyIn(Buffer &to, size_t offset,
                std::span<const std::byte> from) override {
    DTC_RETURN_IF_ERROR(
        checkCopy(device_.name(), to.sizeBytes(), offset, from.size()));
    device_.copiedIn_ += from.size();
    return Status::ok();
  }
  Status copyOut(std::span<std::byte> to, const Buffer &from,
                 size_t offset) override {
    DTC_RETURN_IF_ERROR(
        checkCopy(device_.name(), from.sizeBytes(), offset, to.size()));
    device_.copiedOut_ += to.size();
    return Status::ok();
  }
  std::unique_ptr<Event> record() override {
    return std::make_unique<NullEvent>();
  }
  Status synchronize(Deadline) override { return Status::ok(); }

private:
  NullDevice &device_;
};

Result<Buffer> NullDevice::allocate(size_t sizeBytes) {
  allocated_ += sizeBytes;
  return Buffer(nullptr, sizeBytes,
                [this](std::byte *, size_t size) { allocated_ -= size; });
}

std::unique_ptr<Stream> NullDevice::createStream() {
  return std::make_unique<NullStream>(*this);
}

} // namespace dtc

#include "runtime/device/host/HostDevice.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

#include <unistd.h>

namespace dtc {
namespace {

constexpr std::align_val_t kAlignment{64};

class HostEvent final : public Event {
public:
  bool isDone() const override { return true; }
  Status wait(Deadline) override { return Status::ok(); }
};

class HostStream final : public Stream {
public:
  explicit HostStream(const std::string &device) : device_(device) {}

  Status copyIn(Buffer &to, size_t offset,
                std::span<const std::byte> from) override {
    DTC_RETURN_IF_ERROR(
        checkCopy(device_, to.sizeBytes(), offset, from.size()));
    if (!from.empty()) // memcpy of nothing still wants real pointers
      std::memcpy(to.data() + offset, from.data(), from.size());
    return Status::ok();
  }

  Status copyOut(std::span<std::byte> to, const Buffer &from,
                 size_t offset) override {
    DTC_RETURN_IF_ERROR(
        checkCopy(device_, from.sizeBytes(), offset, to.size()));
    if (!to.empty())
      std::memcpy(to.data(), from.data() + offset, to.size());
    return Status::ok();
  }

  std::unique_ptr<Event> record() override {
    return std::make_unique<HostEvent>();
  }
  Status synchronize(Deadline) override { return Status::ok(); }

private:
  const std::string device_;
};

size_t machineBytes() {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? size_t(pages) * size_t(size) : SIZE_MAX;
}

} // namespace

HostDevice::HostDevice(std::string name, size_t limitBytes)
    : name_(std::move(name)),
      limitBytes_(limitBytes ? limitBytes : machineBytes()) {}

HostDevice::~HostDevice() {
  assert(allocated_ == 0 && "a buffer outlives its device");
}

Result<Buffer> HostDevice::allocate(size_t sizeBytes) {
  size_t held = allocated_;
  do {
    if (held > limitBytes_ || sizeBytes > limitBytes_ - held)
      return Status::resourceExhausted(
          strCat(name_, ": cannot allocate ", sizeBytes, " bytes: ", held,
                 " of ", limitBytes_, " are in use"));
  } while (!allocated_.compare_exchange_weak(held, held + sizeBytes));

  void *data =
      ::operator new(std::max<size_t>(sizeBytes, 1), kAlignment, std::nothrow);
  if (!data) {
    allocated_ -= sizeBytes;
    return Status::resourceExhausted(strCat(
        name_, ": the system refuses to allocate ", sizeBytes, " bytes"));
  }
  return Buffer(static_cast<std::byte *>(data), sizeBytes,
                [this](std::byte *bytes, size_t size) {
                  ::operator delete(bytes, kAlignment);
                  allocated_ -= size;
                });
}

std::unique_ptr<Stream> HostDevice::createStream() {
  return std::make_unique<HostStream>(name_);
}

} // namespace dtc

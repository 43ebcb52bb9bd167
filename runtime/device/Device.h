// Device: memory and an order of work on it. The outside world of kernels,
// behind one interface: host/ computes, null/ only counts, and conformance/
// holds the test suite that every device passes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "runtime/base/Deadline.h"
#include "runtime/base/Status.h"

namespace dtc {

/// Memory of one device, aligned to 64 bytes, not initialised. Owns it and
/// frees it; must not outlive the device. Movable; a moved-from buffer is
/// empty. Not thread-safe by itself.
class Buffer {
public:
  using Free = std::function<void(std::byte *data, size_t sizeBytes)>;

  Buffer() = default;
  Buffer(std::byte *data, size_t sizeBytes, Free free)
      : data_(data), sizeBytes_(sizeBytes), free_(std::move(free)) {}
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer() {
    if (free_)
      free_(data_, sizeBytes_);
  }

  /// A device address: to be read by the CPU on a host device only.
  std::byte *data() const { return data_; }
  size_t sizeBytes() const { return sizeBytes_; }
  /// All its bytes; on a host device only.
  std::span<std::byte> span() const { return {data_, sizeBytes_}; }

private:
  void swap(Buffer &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(sizeBytes_, other.sizeBytes_);
    std::swap(free_, other.free_);
  }

  std::byte *data_ = nullptr;
  size_t sizeBytes_ = 0;
  Free free_;
};

/// A point in a stream's work. Thread-safe.
class Event {
public:
  virtual ~Event() = default;
  virtual bool isDone() const = 0;
  /// Waits until the work before it is done. DEADLINE_EXCEEDED when it is not.
  virtual Status wait(Deadline deadline) = 0;
};

/// Work of a device in order. One thread at a time; several streams of a
/// device may be used from several threads.
class Stream {
public:
  virtual ~Stream() = default;
  /// Copies `from` to `offset` in `to`. OUT_OF_RANGE when it does not fit.
  /// `from` must stay valid until the stream has come past it.
  virtual Status copyIn(Buffer &to, size_t offset,
                        std::span<const std::byte> from) = 0;
  /// Copies from `offset` in `from`, as many bytes as `to` has.
  virtual Status copyOut(std::span<std::byte> to, const Buffer &from,
                         size_t offset) = 0;
  /// The point after all work so far.
  virtual std::unique_ptr<Event> record() = 0;
  /// Waits until all work so far is done.
  virtual Status synchronize(Deadline deadline) = 0;
};

/// Thread-safe. Owned by the server, which hands it down.
class Device {
public:
  virtual ~Device() = default;
  virtual const std::string &name() const = 0; // "cpu:0"
  virtual const std::string &type() const = 0; // "cpu"
  /// RESOURCE_EXHAUSTED (names the device and the bytes) when it is full.
  virtual Result<Buffer> allocate(size_t sizeBytes) = 0;
  virtual std::unique_ptr<Stream> createStream() = 0;
  /// Bytes of the buffers that live now.
  virtual size_t allocatedBytes() const = 0;
};

/// OUT_OF_RANGE, with all numbers, unless [offset, offset + bytes) is inside a
/// buffer of `sizeBytes`.
Status checkCopy(const std::string &device, size_t sizeBytes, size_t offset,
                 size_t bytes);

} // namespace dtc

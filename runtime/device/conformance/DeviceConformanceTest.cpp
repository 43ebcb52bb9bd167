// What every device does. A new device adds itself to the list at the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/host/HostDevice.h"
#include "runtime/device/null/NullDevice.h"

namespace dtc {
namespace {

struct DeviceCase {
  std::string label;
  bool keepsData; // what is copied in can be copied out
  std::function<std::unique_ptr<Device>()> make;
};

std::ostream &operator<<(std::ostream &out, const DeviceCase &c) {
  return out << c.label;
}

class DeviceConformance : public testing::TestWithParam<DeviceCase> {
protected:
  std::unique_ptr<Device> device_ = GetParam().make();
  Deadline soon_ = Deadline::after(std::chrono::seconds(10));
};

std::vector<std::byte> pattern(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = std::byte(i * 7 + 1);
  return bytes;
}

// A device's name begins with its type.
TEST_P(DeviceConformance, NameBeginsWithType) {
  EXPECT_EQ(device_->name().rfind(device_->type() + ":", 0), 0u);
}

// Buffers of any size, also empty ones, are aligned to 64 bytes.
TEST_P(DeviceConformance, BuffersAreAligned) {
  for (size_t size : {0, 1, 63, 64, 65, 1 << 20}) {
    Result<Buffer> buffer = device_->allocate(size);
    ASSERT_TRUE(buffer.isOk()) << buffer.status().toString();
    EXPECT_EQ(buffer->sizeBytes(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
  }
}

// A buffer's bytes are given back when it ends, once, wherever it was moved.
TEST_P(DeviceConformance, BuffersGiveBackTheirBytesOnce) {
  {
    Buffer first = device_->allocate(100).take();
    Buffer second = device_->allocate(28).take();
    EXPECT_EQ(device_->allocatedBytes(), 128u);
    Buffer moved = std::move(first);
    EXPECT_EQ(first.sizeBytes(), 0u);
    EXPECT_EQ(device_->allocatedBytes(), 128u);
    second = std::move(moved);
    EXPECT_EQ(device_->allocatedBytes(), 100u);
  }
  EXPECT_EQ(device_->allocatedBytes(), 0u);
}

// What a stream copies in, it copies out, after what came before.
TEST_P(DeviceConformance, CopiesRoundTripInOrder) {
  Buffer buffer = device_->allocate(1000).take();
  auto stream = device_->createStream();
  std::vector<std::byte> ones(1000, std::byte(1)), all = pattern(1000);
  std::vector<std::byte> out(600);
  ASSERT_TRUE(stream->copyIn(buffer, 0, ones).isOk());
  ASSERT_TRUE(
      stream->copyIn(buffer, 100, std::span(all).subspan(100, 900)).isOk());
  ASSERT_TRUE(stream->copyOut(out, buffer, 50).isOk());
  ASSERT_TRUE(stream->synchronize(soon_).isOk());
  if (!GetParam().keepsData)
    return;
  EXPECT_EQ(out[49], std::byte(1));
  EXPECT_TRUE(std::equal(out.begin() + 50, out.end(), all.begin() + 100));
}

// An empty copy is allowed everywhere inside, the very end included.
TEST_P(DeviceConformance, EmptyCopiesAreAllowed) {
  Buffer buffer = device_->allocate(8).take();
  Buffer empty = device_->allocate(0).take();
  auto stream = device_->createStream();
  EXPECT_TRUE(stream->copyIn(buffer, 8, {}).isOk());
  EXPECT_TRUE(stream->copyOut({}, empty, 0).isOk());
}

// A copy that leaves its buffer is refused with all numbers.
TEST_P(DeviceConformance, CopiesOutOfRangeAreRefused) {
  Buffer buffer = device_->allocate(8).take();
  auto stream = device_->createStream();
  std::vector<std::byte> bytes(9);
  EXPECT_EQ(stream->copyIn(buffer, 0, bytes).message(),
            device_->name() +
                ": copy of 9 bytes at offset 0 leaves a buffer of 8 bytes");
  EXPECT_EQ(stream->copyOut(std::span(bytes).first(2), buffer, 7).code(),
            StatusCode::OutOfRange);
  EXPECT_EQ(stream->copyOut(std::span(bytes).first(2), buffer, SIZE_MAX).code(),
            StatusCode::OutOfRange);
}

// An event is done when the work before it is.
TEST_P(DeviceConformance, EventsMarkTheWorkBefore) {
  Buffer buffer = device_->allocate(64).take();
  auto stream = device_->createStream();
  auto bytes = pattern(64);
  ASSERT_TRUE(stream->copyIn(buffer, 0, bytes).isOk());
  auto event = stream->record();
  ASSERT_TRUE(event->wait(soon_).isOk());
  EXPECT_TRUE(event->isDone());
}

INSTANTIATE_TEST_SUITE_P(
    Devices, DeviceConformance,
    testing::Values(DeviceCase{"host", true,
                               [] { return std::make_unique<HostDevice>(); }},
                    DeviceCase{"null", false,
                               [] { return std::make_unique<NullDevice>(); }}),
    [](const auto &info) { return info.param.label; });

// A full host device names itself, what was asked for, and what it has.
TEST(HostDevice, RefusesMoreThanItsLimit) {
  HostDevice device("cpu:3", 100);
  Buffer held = device.allocate(60).take();
  EXPECT_EQ(device.allocate(41).status().toString(),
            "RESOURCE_EXHAUSTED: cpu:3: cannot allocate 41 bytes: 60 of 100 "
            "are in use");
  EXPECT_TRUE(device.allocate(40).isOk());
  EXPECT_FALSE(device.allocate(SIZE_MAX).isOk());
}

// The null device counts what would have moved.
TEST(NullDevice, CountsCopies) {
  NullDevice device;
  Buffer buffer = device.allocate(100).take();
  auto stream = device.createStream();
  std::vector<std::byte> bytes(30);
  ASSERT_TRUE(stream->copyIn(buffer, 0, bytes).isOk());
  ASSERT_TRUE(stream->copyOut(std::span(bytes).first(10), buffer, 0).isOk());
  EXPECT_EQ(device.bytesCopiedIn(), 30u);
  EXPECT_EQ(device.bytesCopiedOut(), 10u);
}

} // namespace
} // namespace dtc

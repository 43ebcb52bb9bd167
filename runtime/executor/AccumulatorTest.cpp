#include "runtime/executor/Accumulator.h"

#include <gtest/gtest.h>

#include "runtime/device/host/HostDevice.h"

namespace dtc {
namespace {

HostDevice device;

template <typename T>
std::span<const std::byte> bytes(const std::vector<T> &values) {
  return std::as_bytes(std::span(values));
}

std::unique_ptr<Accumulator> make(ElementType element, int64_t length,
                                  uint32_t replicas) {
  proto::TensorType type;
  type.set_element(static_cast<proto::ElementType>(element));
  type.add_shape(length);
  return Accumulator::create("g", TensorType::create(type).take(), replicas,
                             device)
      .take();
}

// 1e8 + 1 - 1e8 is 0 in f32, 1e8 - 1e8 + 1 is 1: the order is the replicas'.
TEST(Accumulator, SumsInReplicaOrderWhateverTheOrderOfArrival) {
  auto accumulator = make(ElementType::F32, 1, 3);
  std::vector<std::vector<float>> values = {{1e8f}, {1.f}, {-1e8f}};
  std::vector<int> order = {0, 1, 2};
  for (uint64_t step = 0; std::next_permutation(order.begin(), order.end());
       ++step) {
    for (int replica : order)
      ASSERT_TRUE(
          accumulator->accept(replica, step, bytes(values[replica])).isOk());
    std::vector<float> mean(1, 7);
    ASSERT_TRUE(accumulator
                    ->take(step, std::as_writable_bytes(std::span(mean)),
                           Accumulator::Mean)
                    .isOk());
    EXPECT_EQ(mean[0], 0.f);
  }
}

TEST(Accumulator, DividesByTheNumberOfReplicas) {
  auto accumulator = make(ElementType::F64, 2, 2);
  ASSERT_TRUE(
      accumulator->accept(1, 5, bytes(std::vector<double>{1, 2})).isOk());
  ASSERT_TRUE(
      accumulator->accept(0, 5, bytes(std::vector<double>{2, 4})).isOk());
  std::vector<double> mean(2);
  ASSERT_TRUE(
      accumulator
          ->take(5, std::as_writable_bytes(std::span(mean)), Accumulator::Mean)
          .isOk());
  EXPECT_EQ(mean, (std::vector<double>{1.5, 3}));
}

// 256 + 1 is 256 in bf16; (256 + 1 + 1) / 3 is 86 all the same.
TEST(Accumulator, RoundsTheMeanOnce) {
  auto accumulator = make(ElementType::BF16, 1, 3);
  const std::vector<uint16_t> large{0x4380}, one{0x3f80};
  ASSERT_TRUE(accumulator->accept(0, 0, bytes(large)).isOk());
  ASSERT_TRUE(accumulator->accept(1, 0, bytes(one)).isOk());
  ASSERT_TRUE(accumulator->accept(2, 0, bytes(one)).isOk());
  std::vector<uint16_t> mean(1);
  ASSERT_TRUE(
      accumulator
          ->take(0, std::as_writable_bytes(std::span(mean)), Accumulator::Mean)
          .isOk());
  EXPECT_EQ(mean[0], 0x42ac); // 86
}

// Indices have no mean; rows of a sparse gradient keep their order.
TEST(Accumulator, ConcatenatesInReplicaOrderWhateverTheOrderOfArrival) {
  auto accumulator = make(ElementType::I64, 2, 3);
  ASSERT_TRUE(
      accumulator->accept(2, 0, bytes(std::vector<int64_t>{5, 6})).isOk());
  ASSERT_TRUE(
      accumulator->accept(0, 0, bytes(std::vector<int64_t>{1, 2})).isOk());
  ASSERT_TRUE(
      accumulator->accept(1, 0, bytes(std::vector<int64_t>{3, 4})).isOk());
  std::vector<int64_t> all(6);
  ASSERT_TRUE(
      accumulator
          ->take(0, std::as_writable_bytes(std::span(all)), Accumulator::Concat)
          .isOk());
  EXPECT_EQ(all, (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Accumulator, NamesTheReplicaThatIsMissing) {
  auto accumulator = make(ElementType::F32, 1, 2);
  std::vector<float> value(1);
  ASSERT_TRUE(accumulator->accept(0, 3, bytes(value)).isOk());
  EXPECT_EQ(
      accumulator
          ->take(3, std::as_writable_bytes(std::span(value)), Accumulator::Mean)
          .message(),
      "accumulator 'g' has no value of replica 1 for step 3");
}

TEST(Accumulator, RefusesASecondValueAndAnotherStep) {
  auto accumulator = make(ElementType::F32, 1, 2);
  std::vector<float> value(1);
  ASSERT_TRUE(accumulator->accept(0, 3, bytes(value)).isOk());
  EXPECT_EQ(accumulator->accept(0, 3, bytes(value)).message(),
            "accumulator 'g' got two values of replica 0 for step 3");
  EXPECT_EQ(accumulator->accept(0, 4, bytes(value)).message(),
            "accumulator 'g' got a value for step 4 while it collects step 3");
}

// Update async: each replica's value is taken by itself, at its own step.
TEST(Accumulator, HandsOutOneReplicasValue) {
  auto accumulator = make(ElementType::F32, 1, 2);
  ASSERT_TRUE(accumulator->accept(1, 7, bytes(std::vector<float>{5})).isOk());
  ASSERT_TRUE(accumulator->accept(0, 3, bytes(std::vector<float>{4})).isOk());
  std::vector<float> value(1);
  auto result = std::as_writable_bytes(std::span(value));
  ASSERT_TRUE(accumulator->takeOne(1, 7, result).isOk());
  EXPECT_EQ(value[0], 5);
  ASSERT_TRUE(accumulator->accept(1, 8, bytes(std::vector<float>{6})).isOk());
  EXPECT_EQ(accumulator->takeOne(0, 4, result).message(),
            "accumulator 'g' has no value of replica 0 for step 4");
  ASSERT_TRUE(accumulator->takeOne(0, 3, result).isOk());
  EXPECT_EQ(value[0], 4);
}

} // namespace
} // namespace dtc

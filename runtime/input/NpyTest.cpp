#include "runtime/input/Npy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace dtc {
namespace {

std::string file(const std::string &dict, const std::string &data,
                 char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  out += static_cast<char>(dict.size() & 255);
  out += static_cast<char>(dict.size() >> 8);
  if (version > 1)
    out += std::string(2, '\0');
  return out + dict + data;
}

std::string dictOf(const std::string &descr, const std::string &shape,
                   const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

std::string errorOf(const std::string &bytes) {
  return parseNpy("x.npy", bytes).status().toString();
}

// Every type that numpy has, and every number of dimensions, round-trips.
TEST(Npy, RoundTrips) {
  for (int number = 1; number <= 9; ++number) {
    ElementType type = *elementTypeFromNumber(number);
    if (type == ElementType::BF16)
      continue;
    for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
             {}, {0}, {3}, {2, 3}, {2, 0, 5}, {1, 2, 3}}) {
      int64_t size = *checkedSizeBytes(type, shape);
      std::vector<std::byte> bytes(size);
      for (int64_t i = 0; i < size; ++i)
        bytes[i] = std::byte(type == ElementType::I1 ? i % 2 : i * 3);
      auto encoded = encodeNpy(type, shape, bytes);
      ASSERT_TRUE(encoded.isOk()) << encoded.status().toString();
      EXPECT_EQ((encoded->size() - size) % 64, 0u);
      auto array = parseNpy("x.npy", *encoded);
      ASSERT_TRUE(array.isOk()) << array.status().toString();
      EXPECT_EQ(array->type, type);
      EXPECT_EQ(array->shape, shape);
      EXPECT_EQ(array->bytes, bytes);
    }
  }
}

// The very bytes that numpy.save writes.
TEST(Npy, WritesWhatNumpyWrites) {
  int32_t values[] = {1, 2, 3};
  int64_t shape[] = {3};
  auto encoded =
      encodeNpy(ElementType::I32, shape, std::as_bytes(std::span(values)));
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': "
                       "(3,), }";
  header.append(118 - header.size() - 1, ' ');
  std::string expected = file(header + "\n", std::string("\1\0\0\0\2\0\0\0\3\0"
                                                         "\0\0",
                                                         12));
  EXPECT_EQ(*encoded, expected);
}

// Other writers' forms: version 2, double quotes, another order of keys, and
// Fortran order where it makes no difference.
TEST(Npy, ReadsOtherForms) {
  EXPECT_TRUE(parseNpy("x", file(dictOf("<f4", "(1,)"), "abcd", 2)).isOk());
  EXPECT_TRUE(parseNpy("x", file("{\"shape\":(2,1),\"descr\":\"|u1\","
                                 "\"fortran_order\":False}",
                                 "ab"))
                  .isOk());
  EXPECT_TRUE(parseNpy("x", file(dictOf("|i1", "(2,)", "True"), "ab")).isOk());
}

// What cannot be read says why, and what would be right.
TEST(Npy, UnreadableFilesSayWhy) {
  EXPECT_EQ(errorOf("hello"), "INVALID_ARGUMENT: x.npy: is not an .npy file");
  EXPECT_EQ(errorOf(file("", "", 9)),
            "INVALID_ARGUMENT: x.npy: has version 9 of .npy, 1 to 3 are "
            "expected");
  EXPECT_EQ(errorOf(file(dictOf("<f4", "(1,)"), "").substr(0, 30)),
            "DATA_LOSS: x.npy: the header is cut short");
  EXPECT_EQ(errorOf(file("{'descr': 3}", "")),
            "INVALID_ARGUMENT: x.npy: the header is damaged");
  EXPECT_EQ(errorOf(file(dictOf("<c8", "(1,)"), "")),
            "INVALID_ARGUMENT: x.npy: elements of type '<c8' cannot be read, "
            "one of f4, f8, f2, b1, i1, u1, i4, i8 is expected");
  EXPECT_EQ(errorOf(file(dictOf(">f4", "(1,)"), "abcd")),
            "INVALID_ARGUMENT: x.npy: its elements ('>f4') are big-endian, "
            "little-endian ones are expected");
  EXPECT_EQ(errorOf(file(dictOf("<f4", "(1, 1)", "True"), "abcd")),
            "INVALID_ARGUMENT: x.npy: is in Fortran order, C order is expected "
            "(numpy.ascontiguousarray)");
  EXPECT_EQ(errorOf(file(dictOf("|b1", "(1,)"), "\2")),
            "INVALID_ARGUMENT: x.npy: a boolean is 2, 0 or 1 is expected");
}

// Sizes are never trusted: too few bytes, too many, and products that overflow.
TEST(Npy, SizesAreNotTrusted) {
  EXPECT_EQ(errorOf(file(dictOf("<f4", "(2, 3)"), "abcd")),
            "DATA_LOSS: x.npy: has 4 bytes of elements, 24 are expected for "
            "f32 of shape (2, 3)");
  EXPECT_EQ(errorOf(file(dictOf("<f4", "()"), "abcde")),
            "DATA_LOSS: x.npy: has 5 bytes of elements, 4 are expected for f32 "
            "of shape ()");
  EXPECT_EQ(errorOf(file(dictOf("<f8", "(4294967296, 4294967296)"), "abcd")),
            "DATA_LOSS: x.npy: has 4 bytes of elements, more than can be are "
            "expected for f64 of shape (4294967296, 4294967296)");
  EXPECT_EQ(errorOf(file(dictOf("<f8", "(99999999999999999999,)"), "")),
            "INVALID_ARGUMENT: x.npy: the header is damaged");
}

// bf16 does not exist in numpy: it is written as f32, and comes back as it was.
TEST(Npy, Bf16IsWrittenAsF32) {
  // 1, -2, inf, NaN, the smallest denormal.
  std::vector<uint16_t> halves = {0x3f80, 0xc000, 0x7f80, 0x7fc1, 1};
  auto bytes = std::as_bytes(std::span(halves));
  int64_t shape[] = {5};
  auto encoded = encodeNpy(ElementType::BF16, shape, bytes);
  ASSERT_TRUE(encoded.isOk()) << encoded.status().toString();
  auto array = parseNpy("x.npy", *encoded);
  ASSERT_TRUE(array.isOk()) << array.status().toString();
  EXPECT_EQ(array->type, ElementType::F32);
  float first[2];
  std::memcpy(first, array->bytes.data(), sizeof first);
  EXPECT_EQ(first[0], 1);
  EXPECT_EQ(first[1], -2);
  std::vector<std::byte> back = narrowToBf16(array->bytes);
  EXPECT_TRUE(std::ranges::equal(back, bytes));
}

// Ties go to the even neighbour; a NaN of low bits alone stays one.
TEST(Npy, NarrowingRounds) {
  std::vector<uint32_t> words = {0x3f808000, 0x3f818000, 0x7f800001,
                                 0x7f7fffff};
  std::vector<uint16_t> halves = {0x3f80, 0x3f82, 0x7fc0, 0x7f80};
  EXPECT_TRUE(std::ranges::equal(narrowToBf16(std::as_bytes(std::span(words))),
                                 std::as_bytes(std::span(halves))));
}

// A wrong number of bytes is refused.
TEST(Npy, UnwritableArraysSayWhy) {
  int64_t shape[] = {2};
  EXPECT_EQ(encodeNpy(ElementType::F32, shape, {}).status().toString(),
            "INVALID_ARGUMENT: an array of shape (2,) is not 0 bytes of f32");
}

// Mutated files give an array or an error, never a crash.
TEST(Npy, MutationsNeverCrash) {
  std::mt19937_64 random(1);
  const std::string good = file(dictOf("<f4", "(2, 3)"), std::string(24, 'x'));
  for (int round = 0; round < 50000; ++round) {
    std::string bytes = good;
    for (uint64_t flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= char(1 << random() % 8);
    if (round % 4 == 0)
      bytes.resize(random() % bytes.size());
    auto array = parseNpy("x.npy", bytes);
    if (array.isOk()) {
      EXPECT_LE(array->bytes.size(), bytes.size());
    }
  }
}

} // namespace
} // namespace dtc

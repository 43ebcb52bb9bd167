#include "runtime/base/Npy.h"

#include <cstdio>

#include <gtest/gtest.h>

namespace dtc {
namespace {

Tensor tensorOf(ElementType element, std::vector<int64_t> shape) {
  size_t bytes = sizeBytes(element);
  for (int64_t dim : shape)
    bytes *= dim;
  Tensor tensor{element, std::move(shape), std::vector<std::byte>(bytes)};
  for (size_t i = 0; i < bytes; ++i)
    tensor.bytes[i] = std::byte(i);
  return tensor;
}

/// A version 1 file with this header and `data` bytes.
std::string file(const std::string &header, size_t data = 24) {
  std::string bytes = "\x93NUMPY";
  bytes += {1, 0, char(header.size()), 0};
  return bytes + header + std::string(data, 'x');
}

std::string messageOf(const std::string &bytes) {
  auto result = parseNpy(bytes, "x.npy");
  return result.isOk() ? "OK" : result.status().message();
}

TEST(Npy, RoundTripsEveryElementTypeAndRank) {
  for (int number = 1; number <= 9; ++number)
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {3}, {2, 3}, {0, 4}, {1, 2, 3, 4}}) {
      Tensor tensor = tensorOf(*elementTypeFromNumber(number), shape);
      std::string bytes = npyBytes(tensor);
      EXPECT_EQ((bytes.size() - tensor.bytes.size()) % 64, 0u);
      auto read = parseNpy(bytes, "x.npy");
      ASSERT_TRUE(read.isOk()) << read.status().toString();
      EXPECT_EQ(*read, tensor);
    }
}

// As numpy.save writes it, byte for byte.
TEST(Npy, WritesWhatNumPyWrites) {
  EXPECT_EQ(npyBytes(tensorOf(ElementType::F32, {2, 3})).substr(10, 59),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
  EXPECT_EQ(npyBytes(tensorOf(ElementType::F32, {2})).substr(60, 8),
            "(2,), } ");
  EXPECT_EQ(npyBytes(tensorOf(ElementType::F32, {})).substr(60, 6), "(), } ");
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_EQ(messageOf("hello"), "x.npy: is no .npy file");
  EXPECT_EQ(messageOf(std::string("\x93NUMPY\x07\0\1\0", 10)),
            "x.npy: has .npy version 7, supported are 1 to 3");
  EXPECT_EQ(messageOf(std::string("\x93NUMPY\1\0\xff\0", 10)),
            "x.npy: is cut short");
  EXPECT_EQ(messageOf(std::string("\x93NUMPY\2\0\xff\0", 10)),
            "x.npy: is cut short");
  EXPECT_EQ(messageOf(file("{'descr': '<f4', 'fortran_order': False, "
                           "'shape': (7,)}")),
            "x.npy: has 24 bytes of data, which is not what its shape needs");
  EXPECT_EQ(messageOf(file("{'descr': '<f4', 'fortran_order': False, 'shape': "
                           "(9000000000000000000, 9000000000000000000)}")),
            "x.npy: has 24 bytes of data, which is not what its shape needs");
  EXPECT_EQ(messageOf(file("{'descr': '<f4', 'fortran_order': True, 'shape': "
                           "(2, 3)}")),
            "x.npy: is in Fortran order\nhelp: save numpy.ascontiguousarray(x) "
            "instead");
  EXPECT_EQ(messageOf(file("{'descr': '>f4', 'fortran_order': False, "
                           "'shape': (6,)}")),
            "x.npy: element type '>f4' is not supported\nhelp: convert it with "
            ".astype('<f4') (or f8, f2, b1, i1, u1, i4, i8)");
  EXPECT_EQ(messageOf(file("{'descr': [('a', '<f4')], 'shape': (6,)}")),
            "x.npy: arrays of records are not supported; save plain numbers");
  for (const char *header :
       {"", "{}", "{'shape': (1,)}", "{'descr': '<f4', 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6 6)}",
        "{'descr': '<f4' 'fortran_order': False}", "{'x': 1}", "{'descr"})
    EXPECT_EQ(messageOf(file(header)),
              "x.npy: the header of this .npy file is damaged")
        << header;
}

TEST(Npy, SurvivesDamage) {
  std::string good = npyBytes(tensorOf(ElementType::I32, {2, 3}));
  for (size_t at = 0; at < good.size(); ++at) {
    EXPECT_NE(messageOf(good.substr(0, at)), "OK");
    for (int byte : {0, 0x27, 0x28, 0x39, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(byte);
      (void)messageOf(bad);
    }
  }
}

TEST(Npy, FilesRoundTripAndAreNamedInErrors) {
  std::string path = testing::TempDir() + "/round_trip.npy";
  Tensor tensor = tensorOf(ElementType::F64, {2, 2});
  ASSERT_TRUE(writeNpy(path, tensor).isOk());
  auto read = readNpy(path);
  ASSERT_TRUE(read.isOk()) << read.status().toString();
  EXPECT_EQ(*read, tensor);
  std::remove(path.c_str());
  EXPECT_EQ(readNpy(path).status().message(),
            path + ": cannot read: No such file or directory");
  EXPECT_EQ(readNpy("/").status().message(), "/: is not a file");
  EXPECT_EQ(writeNpy("/nonexistent/x.npy", tensor).message(),
            "/nonexistent/x.npy: cannot create: No such file or directory");
}

} // namespace
} // namespace dtc

#include "runtime/input/Table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include <zlib.h>

#include "runtime/input/Files.h"
#include "runtime/input/Npy.h"

namespace dtc {
namespace {

std::string temporary(const std::string &name) {
  return testing::TempDir() + "dtc-table-" + std::to_string(getpid()) + "-" +
         name;
}

void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string errorOf(const std::string &text) {
  return parseCsv("a.csv", text).status().toString();
}

// Rows become rows, with blanks, signs, exponents and Windows' line ends.
TEST(Csv, ReadsNumbers) {
  auto table = parseCsv("a.csv", "1, 2.5 ,-3e2\r\n\t4,5,6\n\n");
  ASSERT_TRUE(table.isOk()) << table.status().toString();
  ASSERT_EQ(table->rows(), 2);
  ASSERT_EQ(table->fields(), 3);
  EXPECT_EQ(table->row(0)[1], 2.5);
  EXPECT_EQ(table->row(0)[2], -300);
  EXPECT_EQ(table->row(1)[0], 4);
  EXPECT_EQ(table->where(1, 2), "a.csv:2:3");
}

// The last line needs no line end, and an empty text is an empty table.
TEST(Csv, EndsAsItLikes) {
  EXPECT_EQ(parseCsv("a.csv", "1\n2")->rows(), 2);
  EXPECT_EQ(parseCsv("a.csv", "")->rows(), 0);
}

// A bad row is named by file, line and field, with what would be right.
TEST(Csv, BadRowsAreNamed) {
  EXPECT_EQ(errorOf("1,2\n3\n"),
            "INVALID_ARGUMENT: a.csv:2: row has 1 fields, 2 expected");
  EXPECT_EQ(errorOf("1,2\n3,abc\n"),
            "INVALID_ARGUMENT: a.csv:2:2: 'abc' is not a number");
  EXPECT_EQ(errorOf("1,,2\n"),
            "INVALID_ARGUMENT: a.csv:1:2: '' is not a number");
  EXPECT_EQ(errorOf("1 2\n"),
            "INVALID_ARGUMENT: a.csv:1:1: '1 2' is not a number");
  EXPECT_EQ(errorOf("nan\n"),
            "INVALID_ARGUMENT: a.csv:1:1: 'nan' is not a finite number");
  EXPECT_EQ(errorOf("1e999\n"),
            "INVALID_ARGUMENT: a.csv:1:1: '1e999' is out of a double's range");
  EXPECT_EQ(errorOf("1\n\n2\n"),
            "INVALID_ARGUMENT: a.csv:2: the line is empty, a row expected");
}

// The digits of the example are read from their gzip file.
TEST(ReadTable, ReadsTheDigits) {
  auto table = readTable(DTC_DIGITS);
  ASSERT_TRUE(table.isOk()) << table.status().toString();
  EXPECT_EQ(table->name(), DTC_DIGITS);
  EXPECT_EQ(table->rows(), 1797);
  EXPECT_EQ(table->fields(), 65);
}

// Arrays of one and two dimensions are tables.
TEST(ReadTable, ReadsNpy) {
  std::string path = temporary("x.npy");
  float values[6] = {1, 2, 3, 4, 5, 6};
  int64_t matrix[] = {2, 3}, vector[] = {6}, cube[] = {1, 2, 3};
  auto bytes = std::as_bytes(std::span(values));
  ASSERT_TRUE(writeNpy(path, ElementType::F32, matrix, bytes).isOk());
  auto table = readTable(path);
  ASSERT_TRUE(table.isOk()) << table.status().toString();
  EXPECT_EQ(table->rows(), 2);
  EXPECT_EQ(table->row(1)[2], 6);
  EXPECT_EQ(table->where(1, 2), path + "[1, 2]");
  ASSERT_TRUE(writeNpy(path, ElementType::F32, vector, bytes).isOk());
  EXPECT_EQ(readTable(path)->rows(), 6);
  EXPECT_EQ(readTable(path)->fields(), 1);
  ASSERT_TRUE(writeNpy(path, ElementType::F32, cube, bytes).isOk());
  EXPECT_EQ(readTable(path).status().message(),
            path + ": has 3 dimensions, 1 or 2 expected");
  values[4] = INFINITY;
  ASSERT_TRUE(writeNpy(path, ElementType::F32, matrix, bytes).isOk());
  EXPECT_EQ(readTable(path).status().message(),
            path + "[1, 1]: 'inf' is not a finite number");
  std::remove(path.c_str());
}

// What a table cannot hold as it is, it refuses.
TEST(ReadTable, IntegersThatWouldBeRoundedAreFound) {
  std::string path = temporary("big.npy");
  std::vector<int64_t> values = {1, int64_t(1) << 53, (int64_t(1) << 53) + 2};
  auto bytes = std::as_bytes(std::span(values));
  ASSERT_TRUE(writeNpy(path, ElementType::I64, {{3}}, bytes).isOk());
  EXPECT_EQ(readTable(path).status().message(),
            path + "[2, 0]: the integer is beyond 2^53, up to which "
                   "data sets are exact");
  ASSERT_TRUE(
      writeNpy(path, ElementType::F32, {{int64_t(1) << 62, 0}}, {}).isOk());
  EXPECT_EQ(readTable(path).status().message(),
            path + ": its 4611686018427387904 rows have no fields");
  std::remove(path.c_str());
}

// A file that is not there, or of no kind that is known, is named.
TEST(ReadTable, UnreadableFilesAreNamed) {
  EXPECT_EQ(readTable("/no/such.csv").status().toString(),
            "NOT_FOUND: cannot read '/no/such.csv': No such file or directory");
  EXPECT_EQ(readTable("/no/such.txt").status().toString(),
            "INVALID_ARGUMENT: /no/such.txt: a .csv, .csv.gz or .npy file is "
            "expected");
  EXPECT_EQ(readTable("/proc/self/mem.csv").status().code(),
            StatusCode::NotFound);
}

// gzip data that is cut short or damaged is an error, not a shorter table.
TEST(ReadTable, DamagedGzipIsFound) {
  std::string path = temporary("x.csv.gz");
  std::string good = [] {
    std::ifstream in(DTC_DIGITS, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  writeText(path, good.substr(0, good.size() / 2));
  EXPECT_EQ(readTable(path).status().toString(),
            "DATA_LOSS: cannot read '" + path +
                "': the gzip data is cut short");
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  writeText(path, flipped);
  EXPECT_FALSE(readTable(path).isOk());
  std::remove(path.c_str());
}

// A few bytes of gzip may hold more than any memory.
TEST(Files, BoundsWhatAFileUnpacksTo) {
  EXPECT_EQ(readFile(DTC_DIGITS, 100'000).status().toString(),
            "RESOURCE_EXHAUSTED: cannot read '" DTC_DIGITS
            "': it holds more than 100000 bytes, which is what this machine "
            "has memory for");
  EXPECT_TRUE(readFile(DTC_DIGITS).isOk());
}

// Mutated text gives a table or an error, never a crash.
TEST(Csv, MutationsNeverCrash) {
  std::mt19937_64 random(42);
  const std::string good = "1,2.5,-3e2\n4,5,6\n7,8,9\n";
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (uint64_t flips = 1 + random() % 4; flips > 0; --flips)
      text[random() % text.size()] ^= char(1 << random() % 8);
    if (round % 3 == 0)
      text.resize(random() % text.size());
    auto table = parseCsv("a.csv", text);
    if (table.isOk() && table->rows() > 0) {
      EXPECT_GE(table->fields(), 1);
    }
  }
}

// A file is written whole, or not at all.
TEST(Files, WritesWholeFiles) {
  std::string path = temporary("out");
  std::string text = "hello";
  ASSERT_TRUE(writeFile(path, std::as_bytes(std::span(text))).isOk());
  EXPECT_EQ(*readFile(path), "hello");
  std::remove(path.c_str());
  EXPECT_EQ(writeFile("/no/such", {}).toString(),
            "NOT_FOUND: cannot write '/no/such': No such file or directory");
}

} // namespace
} // namespace dtc

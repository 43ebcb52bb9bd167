#include "runtime/transport/grpc/Frame.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dtc {
namespace {

std::span<const std::byte> bytesOf(const std::string &text) {
  return std::as_bytes(std::span(text));
}

/// Writes down what a decoder finds; pieces that belong together are joined.
struct Record final : FrameSink {
  std::vector<std::string> log;
  size_t pieceBytes = 0;

  Status onFrame(FrameKind kind, std::string payload) override {
    log.push_back(strCat(uint32_t(kind), ":", payload));
    return Status::ok();
  }
  Status onPiece(const PieceHeader &piece,
                 std::span<const std::byte> bytes) override {
    EXPECT_LE(piece.offset, piece.totalBytes);
    EXPECT_LE(bytes.size(), piece.totalBytes - piece.offset);
    pieceBytes += bytes.size();
    log.push_back(strCat("tensor ", piece.edge, " ", piece.step, " ",
                         piece.offset, "+", bytes.size(), "/",
                         piece.totalBytes));
    return Status::ok();
  }
};

const Greeting kGreeting{7, {"worker", 1}, {"ps", 0}, "token"};

/// One frame of each kind, back to back.
std::string allFrames() {
  std::string hello = encodeGreeting(kGreeting);
  return encodeHeader(FrameKind::Hello, hello.size()) + hello +
         encodeHeader(FrameKind::Confirm, 0) +
         encodeHeader(FrameKind::Message, 5) + "hello" +
         encodeHeader(FrameKind::Message, 0) +
         encodePieceHeader({3, 17, 10, 0}, 6) + "abcdef" +
         encodePieceHeader({3, 17, 10, 6}, 4) + "ghij" +
         encodePieceHeader({4, 17, 0, 0}, 0) +
         encodeHeader(FrameKind::Goodbye, 0);
}

// Frames come out as they went in.
TEST(Frame, RoundTrips) {
  Record record;
  ASSERT_TRUE(FrameDecoder(record).feed(bytesOf(allFrames())).isOk());
  EXPECT_EQ(record.log, (std::vector<std::string>{
                            "1:" + encodeGreeting(kGreeting), "3:", "4:hello",
                            "4:", "tensor 3 17 0+6/10", "tensor 3 17 6+4/10",
                            "tensor 4 17 0+0/0", "6:"}));
}

// Where the stream is cut does not matter; a piece then comes in parts.
TEST(Frame, CutsDoNotMatter) {
  std::string stream = allFrames();
  for (size_t step : {1, 2, 3, 7, 39}) {
    Record record;
    FrameDecoder decoder(record);
    for (size_t at = 0; at < stream.size(); at += step)
      ASSERT_TRUE(decoder.feed(bytesOf(stream.substr(at, step))).isOk());
    EXPECT_EQ(record.pieceBytes, 10u);
    EXPECT_EQ(record.log.front(), "1:" + encodeGreeting(kGreeting));
    EXPECT_EQ(record.log.back(), "6:");
  }
}

// A greeting round-trips.
TEST(Frame, GreetingRoundTrips) {
  Result<Greeting> greeting = decodeGreeting(encodeGreeting(kGreeting));
  ASSERT_TRUE(greeting.isOk());
  EXPECT_EQ(greeting->incarnation, 7u);
  EXPECT_EQ(greeting->from, (TaskId{"worker", 1}));
  EXPECT_EQ(greeting->to, (TaskId{"ps", 0}));
  EXPECT_EQ(greeting->token, "token");
}

Status feedAll(const std::string &stream) {
  Record record;
  FrameDecoder decoder(record);
  Status status = decoder.feed(bytesOf(stream));
  EXPECT_EQ(decoder.feed(bytesOf(stream)).message(), status.message());
  return status;
}

// What no dtc sends is refused in words, and stays refused.
TEST(Frame, NonsenseIsRefused) {
  EXPECT_EQ(feedAll("GET / HTTP/1.1").message(),
            "there is no frame of kind 542393671");
  EXPECT_EQ(feedAll(encodeHeader(FrameKind::Hello, 4097)).message(),
            "a frame of kind 1 with 4097 bytes is too long");
  EXPECT_EQ(feedAll(encodeHeader(FrameKind::Goodbye, 1)).message(),
            "a frame of kind 6 with 1 bytes is too long");
  EXPECT_EQ(feedAll(encodePieceHeader({0, 0, 10, 8}, 3)).message(),
            "a piece of 3 bytes at 8 leaves a tensor of 10 bytes");
  EXPECT_FALSE(feedAll(encodePieceHeader({0, 0, 10, UINT64_MAX}, 3)).isOk());
}

// A stranger's greeting, another version's and a damaged one are told apart.
TEST(Frame, BadGreetingsAreRefused) {
  std::string good = encodeGreeting(kGreeting);
  std::string other = good;
  other[8] = 2;
  EXPECT_EQ(decodeGreeting("").status().message(), "the greeting is not dtc's");
  EXPECT_EQ(decodeGreeting(other).status().message(),
            "it speaks version 2 of the link, this is version 1");
  EXPECT_EQ(decodeGreeting(good + "x").status().message(),
            "the greeting is damaged");
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(decodeGreeting(good.substr(0, size)).isOk()) << size;
}

// Flipped bits, cuts and noise give frames or an error, never a crash, and
// never a piece that leaves its tensor (Record checks that).
TEST(Frame, MutationsNeverCrash) {
  std::mt19937_64 random(20240607);
  const std::string good = allFrames();
  for (int round = 0; round < 20000; ++round) {
    std::string stream = good;
    for (uint64_t flips = 1 + random() % 8; flips > 0; --flips)
      stream[random() % stream.size()] ^= char(1 << random() % 8);
    if (round % 3 == 0)
      stream.resize(random() % stream.size());
    if (round % 5 == 0)
      stream.insert(random() % (stream.size() + 1), std::string(9, '\xff'));
    Record record;
    FrameDecoder decoder(record);
    size_t cut = random() % (stream.size() + 1);
    (void)decoder.feed(bytesOf(stream.substr(0, cut)));
    (void)decoder.feed(bytesOf(stream.substr(cut)));
    (void)decodeGreeting(stream);
  }
}

} // namespace
} // namespace dtc

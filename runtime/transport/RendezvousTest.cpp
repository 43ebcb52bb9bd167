#include "runtime/transport/Rendezvous.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace dtc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const RendezvousKey kKey{17, 3, {"ps", 0}};

std::span<const std::byte> bytesOf(const std::string &text) {
  return std::as_bytes(std::span(text));
}

/// One receive and what became of it.
struct Recv {
  std::string data;
  std::promise<Status> promise;
  std::atomic<int> calls = 0;

  Recv(Rendezvous &rendezvous, RendezvousKey key, size_t size,
       Deadline deadline = Deadline::after(seconds(20)))
      : data(size, '.') {
    rendezvous.recv(key, std::as_writable_bytes(std::span(data)), deadline,
                    [this](Status status) {
                      if (++calls == 1)
                        promise.set_value(std::move(status));
                    });
  }
  Status status() {
    auto future = promise.get_future();
    if (future.wait_for(seconds(20)) != std::future_status::ready)
      return Status::internal("the test waited for nothing");
    return future.get();
  }
};

// A key prints as a person would say it.
TEST(RendezvousKey, Prints) {
  EXPECT_EQ(kKey.toString(), "edge 3 of step 17 from ps:0");
}

// A tensor that comes before its receive is kept.
TEST(Rendezvous, DeliverThenRecv) {
  Rendezvous rendezvous;
  rendezvous.deliver(kKey, 5, 0, bytesOf("hello"));
  Recv recv(rendezvous, kKey, 5);
  EXPECT_TRUE(recv.status().isOk());
  EXPECT_EQ(recv.data, "hello");
}

// A receive that comes before its tensor waits.
TEST(Rendezvous, RecvThenDeliver) {
  Rendezvous rendezvous;
  Recv recv(rendezvous, kKey, 5);
  EXPECT_EQ(recv.calls, 0);
  rendezvous.deliver(kKey, 5, 0, bytesOf("hello"));
  EXPECT_TRUE(recv.status().isOk());
  EXPECT_EQ(recv.data, "hello");
}

// A receive may come between the pieces of its tensor.
TEST(Rendezvous, RecvBetweenPieces) {
  Rendezvous rendezvous;
  rendezvous.deliver(kKey, 5, 0, bytesOf("he"));
  Recv recv(rendezvous, kKey, 5);
  rendezvous.deliver(kKey, 5, 2, bytesOf("ll"));
  EXPECT_EQ(recv.calls, 0);
  rendezvous.deliver(kKey, 5, 4, bytesOf("o"));
  EXPECT_TRUE(recv.status().isOk());
  EXPECT_EQ(recv.data, "hello");
}

// A tensor of no bytes is one empty piece, and it still has to come.
TEST(Rendezvous, EmptyTensorHasToCome) {
  Rendezvous rendezvous;
  Recv recv(rendezvous, kKey, 0);
  EXPECT_EQ(recv.calls, 0);
  rendezvous.deliver(kKey, 0, 0, {});
  EXPECT_TRUE(recv.status().isOk());
  RendezvousKey other{18, 3, {"ps", 0}};
  rendezvous.deliver(other, 0, 0, {});
  EXPECT_TRUE(Recv(rendezvous, other, 0).status().isOk());
}

// Steps, edges and sources are kept apart.
TEST(Rendezvous, KeysAreKeptApart) {
  Rendezvous rendezvous;
  Recv a(rendezvous, {1, 0, {"worker", 0}}, 1);
  Recv b(rendezvous, {1, 0, {"worker", 1}}, 1);
  Recv c(rendezvous, {2, 0, {"worker", 0}}, 1);
  Recv d(rendezvous, {1, 1, {"worker", 0}}, 1);
  rendezvous.deliver({1, 1, {"worker", 0}}, 1, 0, bytesOf("d"));
  rendezvous.deliver({2, 0, {"worker", 0}}, 1, 0, bytesOf("c"));
  rendezvous.deliver({1, 0, {"worker", 1}}, 1, 0, bytesOf("b"));
  rendezvous.deliver({1, 0, {"worker", 0}}, 1, 0, bytesOf("a"));
  EXPECT_EQ(a.data + b.data + c.data + d.data, "abcd");
}

// A receive whose tensor does not come ends at its deadline and says for what
// it waited, and for how long.
TEST(Rendezvous, DeadlineNamesTheKey) {
  Rendezvous rendezvous;
  Recv recv(rendezvous, kKey, 5, Deadline::after(milliseconds(20)));
  Status status = recv.status();
  EXPECT_EQ(status.code(), StatusCode::DeadlineExceeded);
  EXPECT_NE(status.message().find("ms for edge 3 of step 17 from ps:0: "
                                  "nothing came"),
            std::string::npos)
      << status.message();
}

// A tensor that came in part says so, and what comes late is swallowed.
TEST(Rendezvous, DeadlineTellsWhatCame) {
  Rendezvous rendezvous;
  Recv recv(rendezvous, kKey, 5, Deadline::after(milliseconds(20)));
  rendezvous.deliver(kKey, 5, 0, bytesOf("he"));
  Status status = recv.status();
  EXPECT_NE(status.message().find("2 of 5 bytes came"), std::string::npos)
      << status.message();
  rendezvous.deliver(kKey, 5, 2, bytesOf("llo"));
  EXPECT_EQ(recv.data, "he...");
}

// A tensor of another size than the plan's is refused with both sizes, whoever
// was first.
TEST(Rendezvous, WrongSizeNamesBoth) {
  Rendezvous rendezvous;
  Recv first(rendezvous, kKey, 5);
  rendezvous.deliver(kKey, 6, 0, bytesOf("hello!"));
  EXPECT_EQ(first.status().toString(),
            "DATA_LOSS: recv of edge 3 of step 17 from ps:0: got 6 bytes, the "
            "plan says 5");
  RendezvousKey other{18, 3, {"ps", 0}};
  rendezvous.deliver(other, 6, 0, bytesOf("hel"));
  Recv second(rendezvous, other, 5);
  EXPECT_EQ(second.status().code(), StatusCode::DataLoss);
}

// Pieces that overlap, leave a gap, leave the tensor or come again spoil it.
TEST(Rendezvous, WrongPiecesSpoilTheTensor) {
  struct Piece {
    uint64_t total, offset;
    std::string bytes;
  };
  const Piece wrong[] = {{5, 1, "e"},
                         {5, 3, "l"},
                         {6, 2, "l"},
                         {5, 2, "llo!"},
                         {5, UINT64_MAX, "l"}};
  for (const Piece &piece : wrong) {
    Rendezvous rendezvous;
    Recv early(rendezvous, kKey, 5);
    rendezvous.deliver(kKey, 5, 0, bytesOf("he"));
    rendezvous.deliver(kKey, piece.total, piece.offset, bytesOf(piece.bytes));
    EXPECT_EQ(early.status().code(), StatusCode::DataLoss);

    RendezvousKey other{18, 3, {"ps", 0}};
    rendezvous.deliver(other, 5, 0, bytesOf("he"));
    rendezvous.deliver(other, piece.total, piece.offset, bytesOf(piece.bytes));
    Recv late(rendezvous, other, 5);
    EXPECT_EQ(late.status().code(), StatusCode::DataLoss);
  }
}

// A tensor that comes twice before it is asked for is refused.
TEST(Rendezvous, TensorTwiceIsRefused) {
  Rendezvous rendezvous;
  rendezvous.deliver(kKey, 2, 0, bytesOf("ab"));
  rendezvous.deliver(kKey, 2, 0, bytesOf("cd"));
  Recv recv(rendezvous, kKey, 2);
  EXPECT_NE(recv.status().message().find("came twice"), std::string::npos);
}

// A key asked for twice fails the second time; the first goes on.
TEST(Rendezvous, RecvTwiceIsRefused) {
  Rendezvous rendezvous;
  Recv first(rendezvous, kKey, 1);
  Recv second(rendezvous, kKey, 1);
  EXPECT_EQ(second.status().toString(),
            "ALREADY_EXISTS: recv of edge 3 of step 17 from ps:0 was asked for "
            "twice");
  rendezvous.deliver(kKey, 1, 0, bytesOf("x"));
  EXPECT_TRUE(first.status().isOk());
}

// An abort ends everything, now and later, with the first reason given.
TEST(Rendezvous, AbortPoisonsTheTable) {
  Rendezvous rendezvous;
  Recv before(rendezvous, kKey, 1);
  rendezvous.abort(Status::unavailable("lost worker:1"));
  rendezvous.abort(Status::internal("a later reason"));
  Recv after(rendezvous, kKey, 1);
  rendezvous.deliver(kKey, 1, 0, bytesOf("x"));
  EXPECT_EQ(before.status().message(), "lost worker:1");
  EXPECT_EQ(after.status().message(), "lost worker:1");
  EXPECT_EQ(rendezvous.status().message(), "lost worker:1");
}

// A reset table is as new: it keeps nothing of the run before.
TEST(Rendezvous, ResetForgets) {
  Rendezvous rendezvous;
  rendezvous.deliver(kKey, 1, 0, bytesOf("x"));
  rendezvous.abort(Status::unavailable("lost worker:1"));
  rendezvous.reset();
  EXPECT_TRUE(rendezvous.status().isOk());
  Recv recv(rendezvous, kKey, 1, Deadline::after(milliseconds(20)));
  EXPECT_EQ(recv.status().code(), StatusCode::DeadlineExceeded);
}

// Ending a rendezvous ends what waits.
TEST(Rendezvous, DestructorCancels) {
  auto rendezvous = std::make_unique<Rendezvous>();
  Recv recv(*rendezvous, kKey, 1, Deadline::infinite());
  rendezvous.reset();
  EXPECT_EQ(recv.status().code(), StatusCode::Cancelled);
}

// A completion may ask for the next tensor at once.
TEST(Rendezvous, CompletionsMayRecv) {
  Rendezvous rendezvous;
  std::byte first, second;
  std::promise<Status> done;
  RendezvousKey next{18, 3, {"ps", 0}};
  Deadline deadline = Deadline::after(seconds(20));
  rendezvous.recv(kKey, {&first, 1}, deadline, [&](Status) {
    rendezvous.recv(next, {&second, 1}, deadline,
                    [&](Status status) { done.set_value(status); });
  });
  rendezvous.deliver(kKey, 1, 0, bytesOf("a"));
  rendezvous.deliver(next, 1, 0, bytesOf("b"));
  EXPECT_TRUE(done.get_future().get().isOk());
  EXPECT_EQ(second, std::byte('b'));
}

// Each completion is called exactly once, whatever deliveries, deadlines and
// an abort do at the same time.
TEST(Rendezvous, CompletionsRunOnceUnderRaces) {
  constexpr int kTensors = 400;
  for (int round = 0; round < 5; ++round) {
    std::vector<std::unique_ptr<Recv>> recvs;
    {
      Rendezvous rendezvous;
      std::vector<std::thread> senders;
      for (int s = 0; s < 3; ++s)
        senders.emplace_back([&, s] {
          for (int i = 0; i < kTensors; ++i) {
            RendezvousKey key{uint64_t(i), 0, {"worker", s}};
            rendezvous.deliver(key, 4, 0, bytesOf("ab"));
            rendezvous.deliver(key, 4, 2, bytesOf("cd"));
          }
        });
      for (int i = 0; i < kTensors; ++i)
        for (int s = 0; s < 3; ++s)
          recvs.push_back(std::make_unique<Recv>(
              rendezvous, RendezvousKey{uint64_t(i), 0, {"worker", s}}, 4,
              Deadline::after(milliseconds(i % 7))));
      if (round % 2)
        rendezvous.abort(Status::aborted("stop"));
      for (std::thread &sender : senders)
        sender.join();
    }
    for (auto &recv : recvs)
      ASSERT_EQ(recv->calls, 1);
  }
}

} // namespace
} // namespace dtc

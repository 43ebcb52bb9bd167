#include "runtime/server/Mailbox.h"

#include <thread>

#include <gtest/gtest.h>

namespace dtc {
namespace {

using namespace std::chrono_literals;

TEST(Mailbox, GivesEventsInOrder) {
  Mailbox mailbox;
  std::string seen;
  mailbox.post([&] { seen += 'a'; });
  mailbox.post([&] { seen += 'b'; });
  mailbox.take(Deadline::infinite())();
  mailbox.take(Deadline::infinite())();
  EXPECT_EQ(seen, "ab");
}

TEST(Mailbox, GivesUpAtTheDeadline) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.take(Deadline::after(5ms)));
}

TEST(Mailbox, WakesWhoeverWaits) {
  Mailbox mailbox;
  std::jthread poster([&] { mailbox.post([] {}); });
  EXPECT_TRUE(mailbox.take(Deadline::after(20s)));
}

} // namespace
} // namespace dtc

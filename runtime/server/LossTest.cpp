// How a run ends when something goes wrong: every task ends, soon, with the
// same first line, and that line names the culprit.
#include <cstring>
#include <fstream>
#include <future>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/plan/PlanFixtures.h"
#include "runtime/server/Follower.h"
#include "runtime/server/Master.h"
#include "runtime/transport/loopback/LoopbackNetwork.h"

namespace dtc {
namespace {

using namespace fixtures;
using namespace std::chrono_literals;

Plan::Ptr planOf(proto::Plan proto, const std::string &sha256 = "fixture") {
  PlanContents contents = contentsOf(std::move(proto));
  contents.sha256 = sha256;
  return Plan::create(std::move(contents), "p.plan").take();
}

/// A cluster of one ps and two workers, a thread each, that runs for ever.
class LossTest : public testing::Test {
protected:
  LossTest() {
    options_.steps = 1'000'000'000;
    options_.timeout = 20s;
    options_.rows = [](auto &, uint64_t, uint32_t, auto columns) {
      std::memset(columns[0].data(), 0, columns[0].size());
      return Status::ok();
    };
    for (const TaskId &task : plan_->tasks())
      addresses_[task] = strCat("127.0.0.1:", 4710 + addresses_.size());
  }

  std::unique_ptr<Member> makeMember(const TaskId &task, Transport &transport) {
    Plan::Ptr plan = plans_.count(task) ? plans_[task] : plan_;
    Site site{plan,     task,       &transport, &pool_,
              kernels_, addresses_, &tables_,   &options_};
    if (task == plan->chief())
      return std::make_unique<Master>(site);
    return std::make_unique<Follower>(site);
  }

  /// Runs the tasks until all have ended; returns what each said. A task that
  /// the test kills does not know it: it is called off once the others ended.
  std::map<TaskId, Status> run(std::vector<TaskId> tasks) {
    std::map<TaskId, std::unique_ptr<Transport>> transports;
    std::map<TaskId, std::unique_ptr<Member>> members;
    std::map<TaskId, std::promise<Status>> ends;
    std::vector<std::jthread> threads;
    for (const TaskId &task : tasks) {
      transports[task] = network_.endpoint(task);
      members[task] = makeMember(task, *transports[task]);
      threads.emplace_back([member = members[task].get(), &end = ends[task]] {
        auto result = member->run();
        end.set_value(result.isOk() ? Status::ok() : result.status());
      });
    }
    std::map<TaskId, Status> statuses;
    for (auto &[task, end] : ends)
      if (task != killed_)
        statuses[task] = end.get_future().get();
    ended_ = Clock::steady().now();
    if (members.count(killed_))
      members[killed_]->cancel(Status::cancelled("killed"));
    return statuses;
  }

  void killAfterSomeSteps(const TaskId &task) {
    killed_ = task;
    afterSomeSteps([this, task] { network_.kill(task); });
  }

  /// Does `what` after the chief's fifth step, and remembers when.
  void afterSomeSteps(std::function<void()> what) {
    options_.progress = [this, what](const Progress &progress) {
      if (progress.step != 5)
        return;
      began_ = Clock::steady().now();
      what();
    };
  }
  double secondsToEnd() const {
    return std::chrono::duration<double>(ended_ - began_).count();
  }

  const TaskId ps{"ps", 0}, chief{"worker", 0}, other{"worker", 1};
  Plan::Ptr plan_ = planOf(clusterPlan(1, 2));
  std::map<TaskId, Plan::Ptr> plans_; // of tasks with another plan
  LoopbackNetwork network_{plan_->tasks()};
  ThreadPool pool_{2};
  KernelTable::Ptr kernels_ = KernelTable::create(plan_).take();
  TableCache tables_;
  RunOptions options_;
  std::map<TaskId, std::string> addresses_;
  TaskId killed_;
  TimePoint began_, ended_;
};

TEST_F(LossTest, AWorkerIsKilled) {
  killAfterSomeSteps(other);
  auto statuses = run({ps, chief, other});
  for (const TaskId &task : {ps, chief}) {
    EXPECT_EQ(statuses[task].code(), StatusCode::Unavailable);
    EXPECT_EQ(statuses[task].message(),
              "lost worker:1 (127.0.0.1:4712): connection closed");
  }
  EXPECT_LT(secondsToEnd(), 5);
}

TEST_F(LossTest, AParameterServerIsKilled) {
  killAfterSomeSteps(ps);
  auto statuses = run({ps, chief, other});
  for (const TaskId &task : {chief, other})
    EXPECT_EQ(statuses[task].message(),
              "lost ps:0 (127.0.0.1:4710): connection closed");
  EXPECT_LT(secondsToEnd(), 5);
}

TEST_F(LossTest, TheChiefIsKilled) {
  killAfterSomeSteps(chief);
  auto statuses = run({ps, chief, other});
  for (const TaskId &task : {ps, other})
    EXPECT_EQ(statuses[task].message(),
              "lost worker:0 (127.0.0.1:4711): connection closed");
  EXPECT_LT(secondsToEnd(), 5);
}

// An error of one task's own is what all tasks say, with that task's name.
TEST_F(LossTest, ATaskFails) {
  began_ = Clock::steady().now();
  options_.rows = [](auto &, uint64_t step, uint32_t replica, auto) {
    return step == 3 && replica == 1
               ? Status::dataLoss("numbers.csv:7: bad row")
               : Status::ok();
  };
  auto statuses = run({ps, chief, other});
  for (const auto &[task, status] : statuses) {
    EXPECT_EQ(status.code(), StatusCode::DataLoss);
    EXPECT_EQ(status.message(), "worker:1: numbers.csv:7: bad row") << task;
  }
  EXPECT_LT(secondsToEnd(), 5);
}

// A task that hangs without dying: the receive that waits for it gives up.
TEST_F(LossTest, ATaskHangs) {
  options_.stepTimeout = 100ms;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  options_.rows = [released](auto &, uint64_t step, uint32_t replica, auto) {
    if (step == 3 && replica == 1)
      released.wait_for(1s);
    return Status::ok();
  };
  auto statuses = run({ps, chief, other});
  EXPECT_EQ(statuses[ps].code(), StatusCode::DeadlineExceeded);
  EXPECT_NE(statuses[ps].message().find("from worker:1"), std::string::npos)
      << statuses[ps].message();
  EXPECT_EQ(statuses[ps].message(), statuses[chief].message());
}

// A task that never starts is named, by the chief and by those who came.
TEST_F(LossTest, ATaskNeverStarts) {
  options_.timeout = 200ms;
  auto statuses = run({ps, chief});
  EXPECT_EQ(statuses[chief].code(), StatusCode::Unavailable);
  EXPECT_EQ(
      statuses[chief].message().find(
          "gave up after 0.2 s: worker:1 (127.0.0.1:4712) never answered"),
      0u)
      << statuses[chief].message();
  EXPECT_EQ(statuses[ps].message(), statuses[chief].message());
}

TEST_F(LossTest, TheChiefNeverStarts) {
  options_.timeout = 100ms;
  auto statuses = run({ps, other});
  for (const auto &[task, status] : statuses) {
    EXPECT_EQ(status.code(), StatusCode::Unavailable);
    EXPECT_EQ(
        status.message(),
        "gave up after 0.1 s: the chief, worker:0 (127.0.0.1:4711), never "
        "came\nhelp: is it running? wait longer with --timeout");
  }
}

// What is waited for is said while it is waited for.
TEST_F(LossTest, ALongWaitIsLogged) {
  options_.timeout = 3500ms;
  std::mutex mutex;
  std::set<std::string> said;
  options_.log = [&](const std::string &text) {
    std::lock_guard lock(mutex);
    said.insert(text);
  };
  run({ps, chief});
  EXPECT_EQ(said.count("waiting for 1 of 3 tasks: worker:1 (127.0.0.1:4712)"),
            1u);
}

TEST_F(LossTest, APlanDiffers) {
  plans_[other] = planOf(clusterPlan(1, 2), "another");
  auto statuses = run({ps, chief, other});
  for (const auto &[task, status] : statuses) {
    EXPECT_EQ(status.code(), StatusCode::FailedPrecondition);
    EXPECT_EQ(status.message(),
              "worker:1 (127.0.0.1:4712) has another plan: SHA-256 another, "
              "worker:0 (127.0.0.1:4711) has fixture\nhelp: give all tasks the "
              "same plan file")
        << task;
  }
}

/// A peer that says what it likes: `answer` to every message.
class Rogue final : public TransportHandler {
public:
  std::function<void(const TaskId &from, const proto::Control &)> answer;

  void onMessage(const TaskId &from, std::string message) override {
    proto::Control control;
    if (answer && control.ParseFromString(message))
      answer(from, control);
  }
  void onTensor(const RendezvousKey &, uint64_t, uint64_t,
                std::span<const std::byte>) override {}
  void onPeerLost(const TaskId &, Status) override {}
};

class RogueTest : public LossTest {
protected:
  /// What the others say when `rogue` sends `message` to `target`.
  std::map<TaskId, Status> runWith(const TaskId &rogue, const TaskId &target,
                                   std::string message) {
    Rogue handler;
    auto transport = network_.endpoint(rogue);
    EXPECT_TRUE(transport->start(handler).isOk());
    transport->connect(target, Deadline::after(20s), [&](Status) {
      (void)transport->sendMessage(target, message);
    });
    return runOthers(rogue, *transport);
  }
  /// What they say when it answers the chief's messages as `change` tells:
  /// `answer` is what an honest task would say.
  std::map<TaskId, Status>
  runAnswering(const TaskId &rogue,
               std::function<void(proto::Control &answer)> change) {
    Rogue handler;
    auto transport = network_.endpoint(rogue);
    handler.answer = [&](const TaskId &from, const proto::Control &control) {
      proto::Control answer;
      if (control.has_hello())
        *answer.mutable_hello() = control.hello();
      else if (control.has_prepare())
        answer.mutable_ready();
      else
        return;
      change(answer);
      (void)transport->sendMessage(from, answer.SerializeAsString());
    };
    EXPECT_TRUE(transport->start(handler).isOk());
    return runOthers(rogue, *transport);
  }

private:
  std::map<TaskId, Status> runOthers(const TaskId &rogue,
                                     Transport &transport) {
    std::vector<TaskId> tasks;
    for (const TaskId &task : plan_->tasks())
      if (task != rogue)
        tasks.push_back(task);
    auto statuses = run(tasks);
    transport.stop(Deadline::after(1s));
    return statuses;
  }
};

TEST_F(RogueTest, NonsenseEndsTheRun) {
  auto statuses = runWith(other, chief, "\xff nonsense");
  for (const auto &[task, status] : statuses)
    EXPECT_EQ(status.message(),
              "worker:1 (127.0.0.1:4712) sent a message that is none of ours");
}

TEST_F(RogueTest, OnlyTheChiefGivesOrders) {
  options_.timeout = 300ms; // the chief may never meet a ps:0 that has ended
  proto::Control control;
  control.mutable_end();
  auto statuses = runWith(other, ps, control.SerializeAsString());
  EXPECT_EQ(statuses[ps].message(),
            "worker:1 (127.0.0.1:4712) gives orders, but the chief is worker:0 "
            "(127.0.0.1:4711)");
}

TEST_F(RogueTest, NobodyGivesOrdersToTheChief) {
  proto::Control control;
  control.mutable_end();
  auto statuses = runWith(other, chief, control.SerializeAsString());
  EXPECT_EQ(statuses[chief].message(),
            "worker:1 (127.0.0.1:4712) sent a message "
            "that is the chief's to send");
}

// Of update async; here nobody leads.
TEST_F(RogueTest, OnlyWhoLeadsSaysWhoseTurnItIs) {
  proto::Control control;
  control.mutable_turn();
  auto statuses = runWith(other, chief, control.SerializeAsString());
  EXPECT_EQ(statuses[chief].message(),
            "worker:1 (127.0.0.1:4712) says whose turn it is, but it does not "
            "lead");
}

TEST_F(RogueTest, TheChiefGivesOrdersOnly) {
  options_.timeout = 300ms;
  proto::Control control;
  control.mutable_done();
  auto statuses = runWith(chief, ps, control.SerializeAsString());
  EXPECT_EQ(
      statuses[ps].message(),
      "worker:0 (127.0.0.1:4711) sent a message that is not the chief's to "
      "send");
}

TEST_F(RogueTest, ATaskOfAnotherVersionIsRefused) {
  auto statuses = runAnswering(ps, [](proto::Control &answer) {
    if (answer.has_hello())
      answer.mutable_hello()->set_protocol(7);
  });
  for (const auto &[task, status] : statuses)
    EXPECT_EQ(status.message(),
              "ps:0 (127.0.0.1:4710) speaks protocol 7, worker:0 "
              "(127.0.0.1:4711) speaks 2\nhelp: use one version of dtc on all "
              "tasks");
}

/// A data set of sixty rows while it lives; the run reads it.
class SixtyRows {
public:
  explicit SixtyRows(RunOptions &options)
      : path_(testing::TempDir() + "/rows" + std::to_string(getpid()) +
              ".csv") {
    std::ofstream csv(path_);
    for (int i = 0; i < 60; ++i)
      csv << "1\n";
    options.rows = nullptr;
    options.data["numbers"] = path_;
  }
  ~SixtyRows() { unlink(path_.c_str()); }

private:
  std::string path_;
};

// Tasks with other data would train, but not what anybody meant.
TEST_F(RogueTest, TasksWithOtherDataAreRefused) {
  SixtyRows rows(options_);
  auto statuses = runAnswering(other, [](proto::Control &answer) {
    if (answer.has_ready())
      answer.mutable_ready()->add_rows()->set_steps_per_epoch(5);
  });
  EXPECT_EQ(statuses[chief].message(),
            "worker:1 (127.0.0.1:4712) has 5 steps an epoch, worker:0 "
            "(127.0.0.1:4711) has 7\nhelp: give all tasks the same data");
}

// As many rows, but others.
TEST_F(RogueTest, TasksWithOtherRowsAreRefused) {
  SixtyRows rows(options_);
  auto statuses = runAnswering(other, [](proto::Control &answer) {
    if (answer.has_ready()) {
      proto::Rows &rows = *answer.mutable_ready()->add_rows();
      rows.set_steps_per_epoch(7);
      rows.set_digest(5);
    }
  });
  EXPECT_EQ(statuses[chief].message(),
            "worker:1 (127.0.0.1:4712) reads other rows than worker:0 "
            "(127.0.0.1:4711)\nhelp: give all tasks the same data");
}

// A task that never gets ready is named.
TEST_F(RogueTest, ATaskThatIsNeverReadyIsNamed) {
  options_.timeout = 200ms;
  auto statuses = runAnswering(other, [&](proto::Control &answer) {
    if (answer.has_ready())
      answer.mutable_progress();
  });
  EXPECT_EQ(statuses[chief].message(),
            "gave up waiting for 1 of 3 tasks: worker:1 (127.0.0.1:4712) to be "
            "ready");
}

// Nor does one that has connected, but never says hello.
TEST_F(RogueTest, ATaskThatNeverSaysHelloIsNamed) {
  options_.timeout = 200ms;
  auto statuses = runAnswering(
      other, [&](proto::Control &answer) { answer.mutable_progress(); });
  EXPECT_EQ(statuses[chief].message(),
            "gave up after 0.2 s waiting for 1 of 3 tasks: worker:1 "
            "(127.0.0.1:4712)");
}

// A chief that asks for more steps than there can be.
TEST_F(RogueTest, AnEndlessRunIsRefused) {
  Rogue handler;
  auto transport = network_.endpoint(chief);
  handler.answer = [&](const TaskId &from, const proto::Control &control) {
    proto::Control order;
    if (control.has_hello())
      order.mutable_prepare()->set_entry("predict");
    else if (control.has_ready())
      order.mutable_start()->set_steps(UINT64_MAX);
    else
      return;
    (void)transport->sendMessage(from, order.SerializeAsString());
  };
  ASSERT_TRUE(transport->start(handler).isOk());
  proto::Control hello;
  hello.mutable_hello();
  transport->connect(ps, Deadline::after(20s), [&](Status) {
    (void)transport->sendMessage(ps, hello.SerializeAsString());
  });
  auto statuses = run({ps});
  transport->stop(Deadline::after(1s));
  EXPECT_EQ(statuses[ps].message(), "worker:0 (127.0.0.1:4711) asks for "
                                    "18446744073709551615 steps");
}

} // namespace
} // namespace dtc

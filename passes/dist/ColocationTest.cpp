#include "passes/dist/Colocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dtc::dist {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

DeviceSpec spec(const std::string &text) { return *parseDeviceSpec(text).spec; }

Device device(const std::string &text, bool isLocal = false) {
  return {spec(text), isLocal};
}

/// Two workers with a CPU and a GPU each, and a ps; worker 1 is the chief.
std::vector<Device> cluster() {
  return {device("/job:worker/replica:0/task:0/device:CPU:0"),
          device("/job:ps/replica:0/task:0/device:CPU:0"),
          device("/job:worker/replica:0/task:1/device:CPU:0", true),
          device("/job:worker/replica:0/task:0/device:GPU:0"),
          device("/job:worker/replica:0/task:1/device:GPU:0", true)};
}

std::vector<std::string> namesOf(const std::vector<Device> &devices) {
  std::vector<std::string> names;
  for (const Device &device : devices)
    names.push_back(*device.name.job + std::to_string(*device.name.task) +
                    *device.name.type);
  return names;
}

std::vector<std::string> candidatesOf(const std::string &wish,
                                      std::vector<std::string> types = {}) {
  return namesOf(candidates(cluster(), spec(wish), types));
}

// P2: by type, then local ones, then by name.
TEST(Candidates, AreOrderedByTypeLocalityAndName) {
  EXPECT_THAT(candidatesOf(""),
              ElementsAre("worker1GPU", "worker0GPU", "worker1CPU", "ps0CPU",
                          "worker0CPU"));
}

// P2
TEST(Candidates, TaskTwoComesBeforeTaskTen) {
  std::vector<Device> many = {device("/job:w/replica:0/task:10/device:CPU:0"),
                              device("/job:w/replica:0/task:2/device:CPU:0")};
  EXPECT_THAT(namesOf(candidates(many, {})), ElementsAre("w2CPU", "w10CPU"));
}

// P2: a kernel must exist.
TEST(Candidates, HaveAKernel) {
  EXPECT_THAT(candidatesOf("/job:worker", {"CPU"}),
              ElementsAre("worker1CPU", "worker0CPU"));
  EXPECT_THAT(candidatesOf("/job:worker/device:GPU:0", {"CPU"}), IsEmpty());
}

// P2: an explicit device, and one that is given in part.
TEST(Candidates, HaveWhatWasAskedFor) {
  EXPECT_THAT(candidatesOf("/job:worker/replica:0/task:0/device:GPU:0"),
              ElementsAre("worker0GPU"));
  EXPECT_THAT(candidatesOf("/job:ps"), ElementsAre("ps0CPU"));
  EXPECT_THAT(candidatesOf("/task:0/device:CPU:*"),
              ElementsAre("ps0CPU", "worker0CPU"));
}

// P5: what does not exist has no candidate, and no devices have none.
TEST(Candidates, OfAnUnknownDeviceAreNone) {
  EXPECT_THAT(candidatesOf("/job:tpu"), IsEmpty());
  EXPECT_THAT(candidatesOf("/job:worker/device:GPU:7"), IsEmpty());
  EXPECT_THAT(candidates({}, {}), IsEmpty());
}

// P4: type and index go, job and task stay.
TEST(Softened, DropsTypeAndIndexOnly) {
  EXPECT_EQ(softened(spec("/job:worker/task:1/device:GPU:3")),
            spec("/job:worker/task:1"));
  EXPECT_THAT(namesOf(candidates(
                  cluster(), softened(spec("/job:ps/task:0/device:GPU:0")))),
              ElementsAre("ps0CPU"));
  EXPECT_THAT(candidates(cluster(), softened(spec("/job:ps/task:9"))),
              IsEmpty());
}

TEST(Colocation, OfAnEmptyGraphIsEmpty) {
  Colocation graph;
  EXPECT_THAT(graph.merge(false), IsEmpty());
  EXPECT_EQ(graph.size(), 0u);
}

// P1: a node without a wish takes its group's.
TEST(Colocation, TheUnplacedFollowThePlaced) {
  Colocation graph;
  size_t w = graph.add(spec("/job:ps/task:1"));
  size_t read = graph.add(), alone = graph.add();
  graph.unite(read, w, "reads it");
  ASSERT_THAT(graph.merge(false), IsEmpty());
  EXPECT_EQ(graph.wishOf(read), spec("/job:ps/task:1"));
  EXPECT_EQ(graph.wishOf(alone), DeviceSpec{});
  EXPECT_EQ(graph.groupOf(read), graph.groupOf(w));
  EXPECT_NE(graph.groupOf(alone), graph.groupOf(w));
}

// D2: parts come together from all over the group.
TEST(Colocation, WishesAreMerged) {
  Colocation graph;
  size_t a = graph.add(spec("/job:worker")), b = graph.add(),
         c = graph.add(spec("/task:1")), d = graph.add(spec("/device:CPU:0"));
  graph.unite(a, b, "");
  graph.unite(c, d, "");
  graph.unite(b, c, "");
  ASSERT_THAT(graph.merge(false), IsEmpty());
  EXPECT_EQ(graph.wishOf(b), spec("/job:worker/task:1/device:CPU:0"));
}

// P1: two groups have nothing to do with each other.
TEST(Colocation, GroupsAreApart) {
  Colocation graph;
  size_t a = graph.add(spec("/job:ps")), b = graph.add(),
         c = graph.add(spec("/job:worker")), d = graph.add();
  graph.unite(a, b, "");
  graph.unite(d, c, "");
  ASSERT_THAT(graph.merge(false), IsEmpty());
  EXPECT_EQ(graph.wishOf(b), spec("/job:ps"));
  EXPECT_EQ(graph.wishOf(d), spec("/job:worker"));
}

// D2: what disagrees is named by kind, the first kind first.
TEST(Colocation, AConflictHasAKind) {
  auto kinds = [](const std::string &a, const std::string &b) {
    Colocation graph;
    graph.unite(graph.add(spec(a)), graph.add(spec(b)), "");
    auto conflicts = graph.merge(false);
    return conflicts.empty() ? "" : conflicts.front().kinds;
  };
  EXPECT_EQ(kinds("/job:ps/task:0", "/job:worker/task:1"), "jobs");
  EXPECT_EQ(kinds("/replica:0", "/replica:1"), "replicas");
  EXPECT_EQ(kinds("/job:ps/task:0", "/job:ps/task:1"), "tasks");
  EXPECT_EQ(kinds("/device:CPU:0", "/device:GPU:0"), "types");
  EXPECT_EQ(kinds("/device:CPU:0", "/device:CPU:1"), "ids");
  EXPECT_EQ(kinds("/job:ps", "/task:1"), "");
}

// P5: the way from one end to the other, shortest, with who says so.
TEST(Colocation, AConflictHasAChain) {
  Colocation graph;
  size_t w = graph.add(spec("/job:ps")), read = graph.add(), h = graph.add(),
         g = graph.add(spec("/job:worker"));
  graph.unite(read, w, "reads w");
  graph.unite(h, read, "is with w");
  graph.unite(g, h, "is with h");
  auto conflicts = graph.merge(false);
  ASSERT_THAT(conflicts, SizeIs(1));
  EXPECT_EQ(conflicts[0].first, w);
  EXPECT_EQ(conflicts[0].second, g);
  ASSERT_THAT(conflicts[0].chain, SizeIs(3));
  EXPECT_EQ(conflicts[0].chain[0].from, w);
  EXPECT_EQ(conflicts[0].chain[0].teller, read);
  EXPECT_EQ(conflicts[0].chain[1].why, "is with w");
  EXPECT_EQ(conflicts[0].chain[2].to, g);
}

// P5: each group says its first conflict, no group hides another's.
TEST(Colocation, EveryGroupReportsItsOwn) {
  Colocation graph;
  for (int group = 0; group < 2; ++group) {
    size_t a = graph.add(spec("/job:ps")), b = graph.add(spec("/job:worker")),
           c = graph.add(spec("/job:local"));
    graph.unite(b, a, "");
    graph.unite(c, b, "");
  }
  auto conflicts = graph.merge(false);
  ASSERT_THAT(conflicts, SizeIs(2));
  EXPECT_EQ(conflicts[0].second, 1u);
  EXPECT_EQ(conflicts[1].second, 4u);
}

// D2, P4: a soft merge drops what disagrees of type and index, nothing else.
TEST(Colocation, ASoftMergeKeepsJobAndTask) {
  Colocation graph;
  size_t a = graph.add(spec("/job:ps/task:0/device:CPU:0"));
  size_t b = graph.add(spec("/device:GPU:0"));
  graph.unite(a, b, "");
  ASSERT_THAT(graph.merge(true), IsEmpty());
  EXPECT_EQ(graph.wishOf(b), spec("/job:ps/task:0"));
  Colocation jobs;
  jobs.unite(jobs.add(spec("/job:ps")), jobs.add(spec("/job:worker")), "");
  EXPECT_THAT(jobs.merge(true), SizeIs(1));
}

// P2: all of the group need a kernel there.
TEST(Colocation, TypesAreThoseOfAll) {
  Colocation graph;
  size_t a = graph.add({}, {"GPU", "CPU"}), b = graph.add({}, {"CPU"}),
         any = graph.add();
  graph.unite(a, b, "");
  graph.unite(b, any, "");
  ASSERT_THAT(graph.merge(false), IsEmpty());
  EXPECT_THAT(graph.typesOf(any), ElementsAre("CPU"));
  EXPECT_FALSE(graph.isImpossible(any));
  Colocation apart;
  size_t gpu = apart.add({}, {"GPU"});
  apart.unite(gpu, apart.add({}, {"CPU"}), "");
  apart.merge(false);
  EXPECT_TRUE(apart.isImpossible(gpu));
}

} // namespace
} // namespace dtc::dist

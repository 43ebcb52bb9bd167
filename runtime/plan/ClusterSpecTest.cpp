#include "runtime/plan/ClusterSpec.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

std::string messageOf(std::string_view text) {
  auto spec = ClusterSpec::parseJson(text, "TF_CONFIG");
  return spec.isOk() ? "OK" : spec.status().message();
}

std::string shapeMessage(std::string_view text) {
  auto spec = ClusterSpec::parseShape(text);
  return spec.isOk() ? "OK" : spec.status().message();
}

TEST(ClusterSpec, ReadsJobsTasksAndTheOwnRole) {
  auto spec = ClusterSpec::parseJson(
      R"({"cluster":{"ps":["a:1"],"worker":["b:2","c:3"]},
          "task":{"type":"worker","index":1},"environment":"cloud"})",
      "TF_CONFIG");
  ASSERT_TRUE(spec.isOk()) << spec.status().toString();
  EXPECT_EQ(spec->trainingTasks().size(), 3u);
  EXPECT_EQ(spec->task, (TaskId{"worker", 1}));
  EXPECT_EQ(spec->address({"worker", 1}), "c:3");
  EXPECT_EQ(spec->address({"worker", 2}), "");
  EXPECT_EQ(shapeText(spec->trainingTasks()), "ps=1,worker=2");
  EXPECT_TRUE(spec->checkDense().isOk());
}

// A job may list some of its tasks by number, as JSON can: with string keys.
TEST(ClusterSpec, ReadsSparseJobs) {
  auto spec = ClusterSpec::parseJson(
      R"({"cluster":{"worker":{"1":"b:2","0":"[::1]:3"}}})", "f.json");
  ASSERT_TRUE(spec.isOk()) << spec.status().toString();
  EXPECT_EQ(spec->address({"worker", 0}), "[::1]:3");
  spec =
      ClusterSpec::parseJson(R"({"cluster":{"worker":{"1":"b:2"}}})", "f.json");
  EXPECT_EQ(spec->checkDense().message(),
            "the cluster lists 1 entry (1) of job 'worker'\nhelp: list all its "
            "tasks, 0 to 1");
}

TEST(ClusterSpec, AnEvaluatorTrainsNothing) {
  auto spec = ClusterSpec::parseJson(
      R"({"cluster":{"worker":["b:2"],"chief":["a:1"],"evaluator":["e:5"]},
          "task":{"type":"evaluator"}})",
      "f.json");
  ASSERT_TRUE(spec.isOk()) << spec.status().toString();
  EXPECT_EQ(shapeText(spec->trainingTasks()), "worker=1,chief=1");
}

TEST(ClusterSpec, SaysWhereTheIndexIsWrong) {
  EXPECT_EQ(
      messageOf(
          R"({"cluster":{"worker":["a:2222","b:2222"]},"task":{"type":"worker","index":2}})"),
      "TF_CONFIG:1:75: task.index is 2, but cluster.worker has 2 entries (0 "
      "and 1)"
      "\nhelp: count workers from 0");
  EXPECT_EQ(messageOf("{\"cluster\":\n {\"worker\":[\"a:1\"]},\n"
                      "\"task\":{\"type\":\"worker\", \"index\" : -1 }}"),
            "TF_CONFIG:3:36: task.index is the number -1, expected a whole "
            "number from 0");
  EXPECT_EQ(
      messageOf(
          R"({"cluster":{"worker":["a:1"]},"task":{"type":"worker","index":1.5}})"),
      "TF_CONFIG:1:63: task.index is a number that is not whole or too "
      "large, expected a whole number from 0");
  EXPECT_EQ(
      messageOf(
          R"({"cluster":{"worker":["a:1"]},"task":{"type":"worker","index":99999999999999999999}})"),
      "TF_CONFIG:1:63: task.index is a number that is not whole or too "
      "large, expected a whole number from 0");
}

TEST(ClusterSpec, SaysWhatIsWrongWithTheTask) {
  EXPECT_EQ(
      messageOf(
          R"({"cluster":{"worker":["a:1"]},"task":{"type":"ps","index":0}})"),
      "TF_CONFIG:1:46: task.type is \"ps\", but the cluster has no such "
      "job\nhelp: one of worker");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":["a:1"]},"task":{"index":0}})"),
            "TF_CONFIG:1:38: task.type is missing\nhelp: one of worker");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":["a:1"]},"task":{"type":7}})"),
            "TF_CONFIG:1:46: task.type is the number 7, expected a job name");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":["a:1"]},"task":[]})"),
            "TF_CONFIG:1:38: task is a list, expected {\"type\": …, \"index\": "
            "…}");
}

TEST(ClusterSpec, SaysWhatIsWrongWithAnAddress) {
  for (const char *bad : {"a", "a:", ":1", "a:0", "a:65536", "a:-1", "a:1x",
                          "a b:1", "a;rm:1", "[]:1"})
    EXPECT_EQ(
        messageOf(std::string(R"({"cluster":{"worker":[")") + bad + "\"]}}"),
        std::string("TF_CONFIG:1:23: worker:0: \"") + bad +
            "\" is no address\nhelp: write \"host:port\" with a port of "
            "1 to 65535");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":[3]}})"),
            "TF_CONFIG:1:23: worker:0 has the number 3 for an address\nhelp: "
            "write \"host:port\"");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":["a:1"],"ps":["a:1"]}})"),
            "TF_CONFIG:1:36: \"a:1\" is given to both worker:0 and ps:0\nhelp: "
            "give each task on one host its own port");
}

TEST(ClusterSpec, SaysWhatIsWrongWithAJob) {
  EXPECT_EQ(
      messageOf(R"({"cluster":{"w-1":["a:1"]}})"),
      "TF_CONFIG:1:13: 'w-1' is no job name\nhelp: a job name begins with "
      "a letter and has letters, digits and _ (ps, worker, chief)");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":{"x":"a:1"}}})"),
            "TF_CONFIG:1:23: cluster.worker: \"x\" is no task index");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":{"1":"a:1","01":"b:1"}}})"),
            "TF_CONFIG:1:33: cluster.worker has two tasks 1");
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":"a:1"}})"),
            "TF_CONFIG:1:22: cluster.worker is \"a:1\", expected a list of "
            "addresses");
  EXPECT_EQ(
      messageOf(R"({"cluster":{"chief":["a:1","b:1"]}})"),
      "TF_CONFIG:1:13: cluster.chief has 2 entries (0 and 1), there can be "
      "one");
  EXPECT_EQ(messageOf(R"({"cluster":{"ps":["a:1"],"ps":["b:1"]}})"),
            "TF_CONFIG:1:26: there are two members \"ps\"");
}

TEST(ClusterSpec, SaysWhatIsWrongWithTheDocument) {
  EXPECT_EQ(messageOf("[]"),
            "TF_CONFIG:1:1: expected an object with \"cluster\", found a list");
  EXPECT_NE(
      messageOf("{}").find("TF_CONFIG:1:1: \"cluster\" is missing\nhelp: {"),
      std::string::npos);
  EXPECT_NE(
      messageOf(R"({"cluster":{}})").find("cluster is an object, expected"),
      std::string::npos);
  EXPECT_EQ(messageOf(R"({"cluster":{"worker":[]}})"),
            "TF_CONFIG: the cluster has no task");
  EXPECT_EQ(messageOf(R"({"cluster":{"evaluator":["a:1"]}})"),
            "TF_CONFIG: the cluster has no task");
  EXPECT_NE(
      messageOf("{\"cluster\":\n oops}").find("TF_CONFIG:2:2: syntax error"),
      std::string::npos);
  EXPECT_EQ(messageOf(std::string(100000, '[')),
            "TF_CONFIG:1:17: is nested more than 16 deep");
  EXPECT_EQ(messageOf(std::string(2 << 20, ' ')),
            "TF_CONFIG: has 2097152 bytes, at most 1048576 are allowed");
}

// Whatever a text is cut to, or which byte of it is changed: no crash.
TEST(ClusterSpec, SurvivesDamage) {
  std::string good =
      R"({"cluster":{"ps":{"0":"a:1"},"worker":["b:2"]},"task":{"type":"ps","index":0}})";
  for (size_t at = 0; at < good.size(); ++at) {
    EXPECT_NE(messageOf(good.substr(0, at)), "OK");
    for (int byte : {0, 0x22, 0x5b, 0x7d, 0x39, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(byte);
      (void)messageOf(bad);
    }
  }
}

TEST(ClusterSpec, ReadsShapes) {
  auto spec = ClusterSpec::parseShape("ps=1,worker=2");
  ASSERT_TRUE(spec.isOk());
  EXPECT_EQ(spec->trainingTasks(),
            (std::vector<TaskId>{{"ps", 0}, {"worker", 0}, {"worker", 1}}));
  const std::string help =
      "\nhelp: write ps=1,worker=2, or name a file with a TF_CONFIG in it";
  EXPECT_EQ(shapeMessage(""), "cluster \"\": '' is not JOB=COUNT" + help);
  EXPECT_EQ(shapeMessage("ps=1,"),
            "cluster \"ps=1,\": '' is not JOB=COUNT" + help);
  EXPECT_EQ(shapeMessage("ps=x"),
            "cluster \"ps=x\": 'x' is no number of tasks" + help);
  EXPECT_EQ(shapeMessage("ps=99999999999"),
            "cluster \"ps=99999999999\": '99999999999' is no number of tasks" +
                help);
  EXPECT_EQ(shapeMessage("ps=1,ps=2"),
            "cluster \"ps=1,ps=2\": job 'ps' is given twice" + help);
  EXPECT_EQ(shapeMessage("chief=2"),
            "cluster \"chief=2\": there can be one chief" + help);
  EXPECT_EQ(shapeMessage("ps=0"),
            "cluster \"ps=0\": there is no task in it" + help);
}

} // namespace
} // namespace dtc

#include "runtime/plan/PlanFile.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>
#include <zip.h>

#include "runtime/plan/Plan.h"
#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

std::map<std::string, std::string> someMembers() {
  return {{"kernels/x.so", std::string(300, 'k')}, {"source/graph.mlir", "g"}};
}

std::string goodBytes() {
  return planFileBytes(fixtures::clusterPlan(1, 2), someMembers()).take();
}

bool isEqual(const proto::Plan &a, const proto::Plan &b) {
  return google::protobuf::util::MessageDifferencer::Equals(a, b);
}

/// A ZIP of `members`, made without our writer.
std::string
zipOf(const std::vector<std::pair<std::string, std::string>> &members,
      int method = ZIP_CM_STORE) {
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  zip_source_keep(target);
  zip_t *archive = zip_open_from_source(target, ZIP_TRUNCATE, nullptr);
  for (const auto &[name, bytes] : members) {
    zip_source_t *source =
        zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
    EXPECT_GE(index, 0);
    zip_set_file_compression(archive, index, method, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  zip_stat_t stat;
  zip_source_stat(target, &stat);
  std::string bytes(stat.size, '\0');
  zip_source_open(target);
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

std::string messageOf(const std::string &bytes) {
  auto result = readPlanBytes(bytes, "x.plan");
  EXPECT_FALSE(result.isOk());
  return result.status().message();
}

// What was written is what is read.
TEST(PlanFile, RoundTrips) {
  auto contents = readPlanBytes(goodBytes(), "x.plan");
  ASSERT_TRUE(contents.isOk()) << contents.status().toString();
  EXPECT_EQ(contents->members, someMembers());
  EXPECT_TRUE(isEqual(contents->plan, fixtures::clusterPlan(1, 2)));
  EXPECT_EQ(contents->sha256.size(), 64u);
}

// Equal contents give equal bytes, whatever the time zone says.
TEST(PlanFile, BytesDependOnContentsOnly) {
  std::string expected = goodBytes();
  for (const char *zone : {"UTC", "Pacific/Kiritimati", "America/St_Johns",
                           "Africa/Monrovia", "Asia/Kathmandu"}) {
    setenv("TZ", zone, 1);
    tzset();
    EXPECT_EQ(goodBytes(), expected) << zone;
  }
  unsetenv("TZ");
  tzset();
}

// A reader never sees half a file, and nothing else is left in the folder.
TEST(PlanFile, IsWrittenInOneStep) {
  std::string path = testing::TempDir() + "/one_step.plan";
  ASSERT_TRUE(
      writePlanFile(path, fixtures::clusterPlan(1, 2), someMembers()).isOk());
  ASSERT_TRUE(
      writePlanFile(path, fixtures::clusterPlan(1, 2), someMembers()).isOk());
  auto plan = readPlanFile(path);
  EXPECT_TRUE(plan.isOk()) << plan.status().toString();
  EXPECT_FALSE(std::ifstream(path + ".tmp." + std::to_string(getpid())));
  std::remove(path.c_str());
}

TEST(PlanFile, NamesThePathThatCannotBeWritten) {
  Status status = writePlanFile("/nonexistent/x.plan", {}, {});
  EXPECT_EQ(status.code(), StatusCode::NotFound);
  EXPECT_NE(status.message().find("/nonexistent/x.plan"), std::string::npos);
}

// A rename over /dev/null would take it from the whole machine; over a link to
// it, only the link, so that this test harms nobody when it fails.
TEST(PlanFile, WritesADeviceAsItIs) {
  namespace fs = std::filesystem;
  fs::path link = fs::path(testing::TempDir()) / strCat("full.", getpid());
  fs::create_symlink("/dev/full", link);
  Status status = writePlanFile(link, fixtures::clusterPlan(1, 2), {});
  EXPECT_NE(status.message().find("No space left"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(link));
  fs::remove(link);
}

TEST(PlanFile, NamesThePathThatCannotBeRead) {
  EXPECT_EQ(readPlanFile("/nonexistent.plan").status().code(),
            StatusCode::NotFound);
  EXPECT_EQ(readPlanFile("/").status().message(), "/: is not a file");
}

// Every single-byte change and every truncation is noticed, and none crashes.
TEST(PlanFile, NoticesEveryFlippedByteAndEveryTruncation) {
  std::string good = planFileBytes(fixtures::localPlan(), {{"a", "b"}}).take();
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 0x55;
    auto result = readPlanBytes(bad, "x.plan");
    // What is still accepted changed a time stamp that nothing reads.
    EXPECT_TRUE(!result.isOk() || isEqual(result->plan, fixtures::localPlan()))
        << at;
    EXPECT_FALSE(readPlanBytes(good.substr(0, at), "x.plan").isOk()) << at;
  }
}

TEST(PlanFile, RefusesWhatIsNoZip) {
  EXPECT_EQ(messageOf("hello"), "x.plan: damaged plan: Not a zip archive");
  EXPECT_EQ(messageOf(""), "x.plan: damaged plan: it has no member 'plan.pb'");
}

TEST(PlanFile, NamesAMissingMember) {
  EXPECT_EQ(messageOf(zipOf({{"a", "b"}})),
            "x.plan: damaged plan: it has no member 'plan.pb'");
  EXPECT_EQ(messageOf(zipOf({{"plan.pb", "b"}})),
            "x.plan: damaged plan: it has no member 'manifest.json'");
  EXPECT_EQ(
      messageOf(zipOf({{"plan.pb", ""},
                       {"manifest.json", R"({"members":{"kernels/a":{}}})"}})),
      "x.plan: damaged plan: member 'kernels/a' is missing");
}

TEST(PlanFile, NamesAMemberThatDiffersFromItsDigest) {
  EXPECT_EQ(messageOf(zipOf({{"plan.pb", "b"},
                             {"manifest.json",
                              R"({"members":{"plan.pb":{"sha256":"00"}}})"}})),
            "x.plan: damaged plan: member 'plan.pb' has SHA-256 "
            "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d, "
            "its manifest says 00");
  EXPECT_EQ(
      messageOf(zipOf({{"plan.pb", "b"},
                       {"manifest.json", R"({"members":{"plan.pb":{}}})"}})),
      "x.plan: damaged plan: member 'plan.pb' has no digest");
  EXPECT_EQ(messageOf(zipOf({{"plan.pb", "b"}, {"manifest.json", "{}"}})),
            "x.plan: damaged plan: 'manifest.json' is not a manifest");
  EXPECT_EQ(messageOf(zipOf(
                {{"plan.pb", "b"}, {"manifest.json", R"({"members":{}})"}})),
            "x.plan: damaged plan: member 'plan.pb' is not in its manifest");
}

TEST(PlanFile, RefusesNamesThatLeaveTheArchive) {
  for (std::string name : {"../x", "/etc/passwd", "a/../b", "a//b", "a b"})
    EXPECT_EQ(messageOf(zipOf({{name, "b"}})),
              "x.plan: damaged plan: member name '" + name +
                  "' is not allowed");
  EXPECT_EQ(planFileBytes({}, {{"../x", ""}}).status().message(),
            "plan member name '../x' is not allowed");
}

TEST(PlanFile, RefusesTwoMembersOfOneName) {
  std::string bytes = zipOf({{"plan.pa", "b"}, {"plan.pb", "b"}});
  for (size_t at; (at = bytes.find("plan.pa")) != std::string::npos;)
    bytes.replace(at, 7, "plan.pb");
  EXPECT_EQ(messageOf(bytes),
            "x.plan: damaged plan: there are two members of one name");
}

// Nothing is ever inflated: what a plan claims to hold, its file holds.
TEST(PlanFile, RefusesCompressedMembers) {
  EXPECT_EQ(messageOf(zipOf({{"a", std::string(100000, 'a')}}, ZIP_CM_DEFLATE)),
            "x.plan: damaged plan: member 'a' is compressed");
}

TEST(PlanFile, RefusesANewerSchemaAndSaysWhatToDo) {
  proto::Plan plan = fixtures::localPlan();
  plan.set_schema_version(7);
  plan.set_compiler_version("dtc 9.9");
  auto result = readPlanBytes(planFileBytes(plan, {}).take(), "x.plan");
  EXPECT_EQ(result.status().code(), StatusCode::Unimplemented);
  EXPECT_EQ(result.status().message(),
            "x.plan: plan has schema 7, this dtc reads up to 1\nhelp: use the "
            "dtc that wrote it (dtc 9.9), or compile the graph again");
  plan.set_schema_version(0);
  EXPECT_EQ(messageOf(planFileBytes(plan, {}).take()),
            "x.plan: damaged plan: member 'plan.pb' has no schema version");
}

} // namespace
} // namespace dtc

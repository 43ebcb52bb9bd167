#include "runtime/checkpoint/Saver.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dtc {
namespace {

namespace fs = std::filesystem;

class SaverTest : public testing::Test {
protected:
  SaverTest()
      : root_(fs::path(testing::TempDir()) /
              ("saver" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~SaverTest() override { fs::remove_all(root_); }

  std::string path(const std::string &name) { return root_ / name; }
  /// What lies in the folder, and nothing else.
  std::vector<std::string> names(const fs::path &folder) {
    std::vector<std::string> found;
    for (const auto &entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path root_;
  Tensor pair_{ElementType::F32, {2}, std::vector<std::byte>(8, std::byte(1))};
  Tensor scalar_{ElementType::I64, {}, std::vector<std::byte>(8, std::byte(2))};
};

TEST_F(SaverTest, WhatIsSavedIsLoaded) {
  std::map<std::string, Tensor> variables = {{"dense/w", pair_},
                                             {"n", scalar_}};
  ASSERT_TRUE(saveVariables(path("a/b/"), variables).isOk());
  EXPECT_EQ(names(path("a/b")),
            (std::vector<std::string>{"dense%2Fw.npy", "n.npy"}));
  EXPECT_EQ(names(path("a")), (std::vector<std::string>{"b"}));
  auto loaded =
      loadVariables(path("a/b"), {{"dense/w", {ElementType::F32, {2}}},
                                  {"n", {ElementType::I64, {}}}});
  ASSERT_TRUE(loaded.isOk()) << loaded.status().toString();
  EXPECT_EQ(*loaded, variables);
}

// bf16 is f32 in the file, and itself again in the plan; other types differ.
TEST_F(SaverTest, Bf16IsSavedAndLoaded) {
  std::map<std::string, Tensor> variables = {
      {"w",
       {ElementType::BF16, {2}, std::vector<std::byte>(4, std::byte(63))}}};
  ASSERT_TRUE(saveVariables(path("s"), variables).isOk());
  auto loaded = loadVariables(path("s"), {{"w", {ElementType::BF16, {2}}}});
  ASSERT_TRUE(loaded.isOk()) << loaded.status().toString();
  EXPECT_EQ(*loaded, variables);
  EXPECT_FALSE(
      loadVariables(path("s"), {{"w", {ElementType::F16, {2}}}}).isOk());
}

// A second save replaces the first; nothing of it is left over.
TEST_F(SaverTest, ReplacesAnEarlierSave) {
  ASSERT_TRUE(saveVariables(path("s"), {{"old", pair_}}).isOk());
  ASSERT_TRUE(saveVariables(path("s"), {{"new", pair_}}).isOk());
  EXPECT_EQ(names(path("s")), (std::vector<std::string>{"new.npy"}));
  EXPECT_EQ(names(root_), (std::vector<std::string>{"s"}));
}

// A slip of the hand must not cost a folder of photographs.
TEST_F(SaverTest, NeverReplacesAFolderOfOtherThings) {
  fs::create_directories(path("photos"));
  std::ofstream(path("photos/cat.jpg")) << "x";
  EXPECT_EQ(saveVariables(path("photos"), {{"w", pair_}}).message(),
            path("photos") + ": holds 'cat.jpg', which is no saved variable\n"
                             "help: save to a new folder");
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(saveVariables(path("file"), {{"w", pair_}}).message(),
            path("file") + ": is not a folder, so nothing is saved there");
  EXPECT_EQ(checkSaveDirectory(path("file/")).message(),
            path("file") + ": is not a folder, so nothing is saved there");
  EXPECT_TRUE(checkSaveDirectory(path("new")).isOk());
}

TEST_F(SaverTest, ListsWhatDoesNotFit) {
  ASSERT_TRUE(saveVariables(path("s"), {{"w", pair_}, {"n", scalar_}}).isOk());
  auto loaded = loadVariables(path("s"), {{"b", {ElementType::F32, {3}}},
                                          {"n", {ElementType::I64, {}}},
                                          {"w", {ElementType::F32, {2, 5}}}});
  EXPECT_EQ(loaded.status().message(),
            path("s") + ": 2 of 3 variables do not fit the plan:\n"
                        "  'b' is missing (b.npy)\n"
                        "  'w' is tensor<2x5xf32> in the plan, but "
                        "tensor<2xf32> in w.npy");
  std::map<std::string, VariableShape> many;
  for (int i = 0; i < 15; ++i)
    many["v" + std::to_string(i)] = {ElementType::F32, {1}};
  EXPECT_NE(
      loadVariables(path("s"), many).status().message().find("\n  and 5 more"),
      std::string::npos);
}

TEST_F(SaverTest, NamesTheFileThatIsDamaged) {
  ASSERT_TRUE(saveVariables(path("s"), {{"w", pair_}}).isOk());
  std::ofstream(path("s/w.npy")) << "nonsense";
  EXPECT_EQ(loadVariables(path("s"), {{"w", {ElementType::F32, {2}}}})
                .status()
                .message(),
            path("s/w.npy") + ": is not an .npy file");
}

TEST_F(SaverTest, NamesTheFolderThatIsMissing) {
  EXPECT_EQ(loadVariables(path("no"), {}).status().message(),
            path("no") + ": cannot read: No such file or directory");
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(loadVariables(path("file"), {}).status().message(),
            path("file") + ": is not a folder");
  EXPECT_NE(saveVariables("/proc/none/x", {})
                .message()
                .find("/proc/none: cannot create"),
            std::string::npos);
}

TEST_F(SaverTest, FileNamesAreSafe) {
  EXPECT_EQ(variableFileName("w1.momentum"), "w1.momentum.npy");
  EXPECT_EQ(variableFileName("../x"), "%2E.%2Fx.npy");
  EXPECT_EQ(variableFileName(".hidden"), "%2Ehidden.npy");
}

} // namespace
} // namespace dtc

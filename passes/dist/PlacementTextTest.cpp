#include "passes/dist/PlacementText.h"

#include <gmock/gmock.h>

namespace dtc::dist {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

PlacementText parsed(std::string_view text) {
  auto result = parsePlacementText(text);
  if (auto *error = std::get_if<PlacementTextError>(&result))
    ADD_FAILURE() << error->line << ":" << error->column << ": "
                  << error->message;
  auto *right = std::get_if<PlacementText>(&result);
  return right ? *right : PlacementText{};
}

PlacementTextError errorOf(std::string_view text) {
  auto result = parsePlacementText(text);
  auto *error = std::get_if<PlacementTextError>(&result);
  EXPECT_TRUE(error) << text;
  return error ? *error : PlacementTextError{};
}

TEST(PlacementText, ALineIsANameAndADevice) {
  PlacementText text = parsed("# remark\nvariables\n\n  w1 ps:0 # why\r\n"
                              "entry train\n h\tworker:*/cpu:0");
  ASSERT_THAT(text.sections, SizeIs(2));
  EXPECT_FALSE(text.sections[0].isEntry);
  ASSERT_THAT(text.sections[0].lines, SizeIs(1));
  EXPECT_EQ(text.sections[0].lines[0].name.text, "w1");
  EXPECT_EQ(text.sections[0].lines[0].name.line, 4u);
  EXPECT_EQ(text.sections[0].lines[0].name.column, 3u);
  EXPECT_EQ(text.sections[0].lines[0].device.text, "ps:0");
  EXPECT_EQ(text.sections[0].lines[0].device.column, 6u);
  EXPECT_TRUE(text.sections[1].isEntry);
  EXPECT_EQ(text.sections[1].name.text, "train");
  EXPECT_EQ(text.sections[1].lines[0].device.text, "worker:*/cpu:0");
}

TEST(PlacementText, NothingIsATextToo) {
  EXPECT_THAT(parsed("").sections, SizeIs(0));
  EXPECT_THAT(parsed("# only a remark").sections, SizeIs(0));
}

// Things may be called as sections are.
TEST(PlacementText, AVariableMayBeCalledVariables) {
  PlacementText text = parsed("variables\nvariables ps:0\nentry ps:1");
  ASSERT_THAT(text.sections, SizeIs(1));
  ASSERT_THAT(text.sections[0].lines, SizeIs(2));
  EXPECT_EQ(text.sections[0].lines[0].name.text, "variables");
}

TEST(PlacementText, PrintedAndReadItIsTheSame) {
  std::string text = "# of a model\n"
                     "variables\n"
                     "  w     ps:0/cpu:0\n"
                     "  long  ps:1/cpu:0\n"
                     "entry f\n";
  PlacementText read = parsed(text);
  read.remark = "of a model";
  EXPECT_EQ(read.toString(), text);
}

TEST(PlacementText, AVeryLongNamePushesOnlyItsOwnDevice) {
  PlacementText text;
  text.sections = {{false, {"variables"}, {{{"w"}, {"ps:0"}}}}};
  text.sections[0].lines.push_back({{std::string(99, 'x')}, {"ps:1"}});
  EXPECT_THAT(text.toString(),
              HasSubstr("  w" + std::string(39, ' ') + "  ps:0\n"));
}

TEST(PlacementText, WhatIsWrongIsNamedWithItsPlace) {
  PlacementTextError error = errorOf("variables\n  w1\n");
  EXPECT_EQ(error.line, 2u);
  EXPECT_EQ(error.column, 3u);
  EXPECT_EQ(error.message, "'w1' has no device");
  error = errorOf("variables\nw1 ps:0 cpu:0\n");
  EXPECT_EQ(error.column, 9u);
  EXPECT_THAT(error.message, HasSubstr("one word too many"));
  error = errorOf("w1 ps:0\n");
  EXPECT_THAT(error.message, HasSubstr("'w1' is in no section"));
  EXPECT_THAT(error.help, HasSubstr("write 'variables' or 'entry NAME'"));
  error = errorOf("entry f\nvariables\nentry f\n");
  EXPECT_EQ(error.line, 3u);
  EXPECT_THAT(error.message, HasSubstr("section 'f' is there twice"));
  EXPECT_THAT(error.help, HasSubstr("line 1"));
}

TEST(PlacedTask, IsATaskOrEachTaskOfAJob) {
  auto task = [](std::string_view text) {
    auto result = parsePlacedTask(text);
    auto *right = std::get_if<PlacedTask>(&result);
    return right ? right->job + " " + std::to_string(right->task)
                 : std::get<std::string>(result);
  };
  EXPECT_EQ(task("ps:12/cpu:0"), "ps 12");
  EXPECT_EQ(task("ps:1"), "ps 1");
  EXPECT_EQ(task("worker:*/cpu:0"), "worker -1");
  EXPECT_EQ(task("/job:ps/task:1"), "ps 1"); // D1
  EXPECT_EQ(task("/task:1/job:ps/cpu:0"), "ps 1");
  for (const char *text : {"ps", "ps:", ":0", "ps:one", "ps:-1", "ps:0/gpu:0",
                           "/job:ps", "/job:ps/task:0/device:GPU:0"})
    EXPECT_THAT(task(text), HasSubstr("is no device here: a device is a task"));
  EXPECT_THAT(task("/job:1"), HasSubstr("a job is a letter"));
}

} // namespace
} // namespace dtc::dist

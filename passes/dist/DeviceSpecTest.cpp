#include "passes/dist/DeviceSpec.h"

#include <gmock/gmock.h>

namespace dtc::dist {
namespace {

using testing::HasSubstr;

DeviceSpec parsed(std::string_view text) {
  ParsedDeviceSpec result = parseDeviceSpec(text);
  EXPECT_TRUE(result.spec) << result.error;
  return result.spec.value_or(DeviceSpec{});
}

std::string errorOf(std::string_view text) {
  ParsedDeviceSpec result = parseDeviceSpec(text);
  EXPECT_FALSE(result.spec) << text;
  return result.error;
}

// D1
TEST(DeviceSpec, AFullNameSetsEveryPart) {
  DeviceSpec spec = parsed("/job:worker/replica:0/task:1/device:CPU:2");
  EXPECT_EQ(spec, (DeviceSpec{"worker", 0, 1, "CPU", 2}));
  EXPECT_EQ(spec.toString(), "/job:worker/replica:0/task:1/device:CPU:2");
}

// D1
TEST(DeviceSpec, PartsComeInAnyOrderAndMayBeMissing) {
  EXPECT_EQ(parsed("/device:GPU:1/task:3/job:ps"),
            (DeviceSpec{"ps", std::nullopt, 3, "GPU", 1}));
  EXPECT_EQ(parsed(""), DeviceSpec{});
}

// D1
TEST(DeviceSpec, AStarMatchesAnything) {
  EXPECT_EQ(parsed("/job:*/replica:*/task:*/device:*:*"), DeviceSpec{});
  EXPECT_EQ(parsed("/device:GPU:*").type, "GPU");
  EXPECT_EQ(parsed("/device:GPU").index, std::nullopt);
}

// D3
TEST(DeviceSpec, TheOldShortFormsAreUpperCased) {
  EXPECT_EQ(parsed("/cpu:0").toString(), "/device:CPU:0");
  EXPECT_EQ(parsed("/job:worker/gpu:1").toString(), "/job:worker/device:GPU:1");
}

// D3 ▲
TEST(DeviceSpec, ALowerCaseTypeIsRefusedWithTheRightOne) {
  EXPECT_THAT(errorOf("/device:gpu:0"),
              HasSubstr("write /device:GPU, not /device:gpu"));
}

TEST(DeviceSpec, WhatIsWrongIsNamed) {
  EXPECT_THAT(errorOf("job:worker"), HasSubstr("a part begins with '/'"));
  EXPECT_THAT(errorOf("/worker"), HasSubstr("'worker' has no ':'"));
  EXPECT_THAT(errorOf("/rack:1"), HasSubstr("not 'rack'"));
  EXPECT_THAT(errorOf("/job:1ps"), HasSubstr("a job is a letter"));
  EXPECT_THAT(errorOf("/job:a-b"), HasSubstr("not 'a-b'"));
  EXPECT_THAT(errorOf("/task:one"), HasSubstr("a task is a number or '*'"));
  EXPECT_THAT(errorOf("/task:-1"), HasSubstr("a task is a number"));
  EXPECT_THAT(errorOf("/task:99999999999999999999"), HasSubstr("a number"));
  EXPECT_THAT(errorOf("/task:1/task:1"), HasSubstr("task is given twice"));
  EXPECT_THAT(errorOf("/cpu:0/device:CPU:0"),
              HasSubstr("device is given twice"));
  EXPECT_THAT(errorOf("/device::0"), HasSubstr("TYPE:NUMBER"));
}

// D1
TEST(DeviceSpec, APartlySetSpecIsSpecifiedByAFullerOne) {
  EXPECT_TRUE(isSpecification(parsed("/job:ps"), parsed("/job:ps/task:1")));
  EXPECT_TRUE(isSpecification(DeviceSpec{}, parsed("/cpu:0")));
  EXPECT_FALSE(isSpecification(parsed("/job:ps/task:1"), parsed("/job:ps")));
  EXPECT_FALSE(isSpecification(parsed("/job:ps"), parsed("/job:worker")));
}

// D2
TEST(DeviceSpec, AMergeTakesWhatEitherSets) {
  ParsedDeviceSpec merged =
      mergeDeviceSpecs(parsed("/job:worker"), parsed("/task:1/cpu:0"));
  EXPECT_EQ(merged.spec, parsed("/job:worker/task:1/cpu:0"));
}

// D2
TEST(DeviceSpec, AMergeNamesTheKindThatDisagrees) {
  auto clash = [](std::string_view a, std::string_view b) {
    return mergeDeviceSpecs(parsed(a), parsed(b)).error;
  };
  EXPECT_EQ(clash("/job:ps", "/job:worker"),
            "cannot merge devices with incompatible jobs: '/job:ps' and "
            "'/job:worker'");
  EXPECT_THAT(clash("/replica:0", "/replica:1"), HasSubstr("replicas"));
  EXPECT_THAT(clash("/task:0", "/task:1"), HasSubstr("tasks"));
  EXPECT_THAT(clash("/cpu:0", "/gpu:0"), HasSubstr("types"));
  EXPECT_THAT(clash("/cpu:0", "/cpu:1"), HasSubstr("ids"));
}

// D2, P4
TEST(DeviceSpec, ASoftMergeRelaxesTypeAndIndexOnly) {
  auto soft = [](std::string_view a, std::string_view b) {
    return mergeDeviceSpecs(parsed(a), parsed(b), /*soft=*/true);
  };
  EXPECT_EQ(soft("/task:1/cpu:0", "/gpu:0").spec, parsed("/task:1"));
  EXPECT_EQ(soft("/cpu:0", "/cpu:1").spec, parsed("/device:CPU"));
  EXPECT_FALSE(soft("/task:0", "/task:1").spec);
}

} // namespace
} // namespace dtc::dist

#include "runtime/executor/KernelTable.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;

/// A shared object with the kernel "twice", y[i] = 2 x[i], as the compiler
/// would make it; "" when there is no C compiler here.
std::string twiceObject() {
  std::string base = testing::TempDir() + "/twice" + std::to_string(getpid());
  std::ofstream(base + ".c")
      << "void twice(void *const *a, long begin, long end) {\n"
         "  const float *x = a[0]; float *y = a[1];\n"
         "  for (long i = begin; i < end; ++i) y[i] = 2 * x[i];\n}\n";
  std::string command =
      "cc -shared -fPIC -O1 -o " + base + ".so " + base + ".c >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0)
    return "";
  std::ostringstream bytes;
  bytes << std::ifstream(base + ".so", std::ios::binary).rdbuf();
  unlink((base + ".c").c_str());
  unlink((base + ".so").c_str());
  return bytes.str();
}

PlanContents twicePlan(const std::string &object) {
  PlanContents contents;
  contents.plan.set_schema_version(1);
  addJob(contents.plan, "local", 1);
  proto::Kernel *kernel = contents.plan.add_kernels();
  kernel->set_name("twice");
  *kernel->add_inputs() = f32({1000});
  *kernel->add_outputs() = f32({1000});
  kernel->set_range(1000);
  kernel->set_grain(10);
  proto::CodeObject *code = contents.plan.add_objects();
  code->set_target("host");
  code->set_member("kernels/host.so");
  contents.members["kernels/host.so"] = object;
  return contents;
}

std::string messageOf(PlanContents contents, const std::string &target = "") {
  auto plan = Plan::create(std::move(contents), "p");
  EXPECT_TRUE(plan.isOk()) << plan.status().toString();
  auto table = KernelTable::create(*plan, target);
  return table.isOk() ? "OK" : table.status().message();
}

// The object is loaded from memory, and a kernel's range is spread over
// threads without a difference.
TEST(KernelTable, RunsNativeKernels) {
  std::string object = twiceObject();
  if (object.empty())
    GTEST_SKIP() << "no C compiler";
  auto table = KernelTable::create(Plan::create(twicePlan(object), "p").take());
  ASSERT_TRUE(table.isOk()) << table.status().toString();
  EXPECT_EQ((*table)->target(), "host");
  EXPECT_TRUE((*table)->isHeavy(0));
  std::vector<float> x(1000), y(1000), expected(1000);
  for (int i = 0; i < 1000; ++i)
    expected[i] = 2 * (x[i] = i);
  void *arguments[] = {x.data(), y.data()};
  for (unsigned threads : {1, 3}) {
    ThreadPool pool(threads);
    y.assign(1000, 0);
    ASSERT_TRUE((*table)->run(0, arguments, pool).isOk());
    EXPECT_EQ(y, expected);
  }
}

TEST(KernelTable, NamesAKernelThatTheObjectLacks) {
  std::string object = twiceObject();
  if (object.empty())
    GTEST_SKIP() << "no C compiler";
  PlanContents contents = twicePlan(object);
  contents.plan.mutable_kernels(0)->set_name("thrice");
  EXPECT_EQ(messageOf(contents),
            "p: member 'kernels/host.so' has no kernel 'thrice'");
}

TEST(KernelTable, RefusesWhatIsNoSharedObject) {
  EXPECT_NE(messageOf(twicePlan("not an object"))
                .find("p: member 'kernels/host.so' is no whole shared object"),
            std::string::npos);
}

// A machine that lacks a feature says which, before it executes anything.
TEST(KernelTable, NamesTheFeatureThatIsMissing) {
  PlanContents contents = twicePlan("");
  contents.plan.mutable_objects(0)->add_features("quantum");
  EXPECT_EQ(
      messageOf(contents),
      "p: has no kernels that this CPU can execute\nnote: the code for "
      "host needs quantum, which this machine does not have\nhelp: compile "
      "it with --target host on this machine, or with --target reference "
      "for any");
  contents.plan.mutable_objects(0)->clear_features();
  contents.plan.mutable_objects(0)->set_target("cuda:sm_90");
  EXPECT_NE(messageOf(contents).find("the code for cuda:sm_90 needs a GPU"),
            std::string::npos);
  EXPECT_FALSE(cpuHasFeature("quantum"));
}

// The plan may hold code for many machines; the first that fits is taken.
TEST(KernelTable, FallsBackToTheNextTarget) {
  PlanContents contents = contentsOf(localPlan());
  proto::CodeObject native;
  native.set_target("x");
  native.set_member("kernels/x.so");
  native.add_features("quantum");
  contents.members["kernels/x.so"] = "";
  *contents.plan.add_objects() = native;
  contents.plan.mutable_objects()->SwapElements(0, 1);
  auto table = KernelTable::create(Plan::create(contents, "p").take());
  ASSERT_TRUE(table.isOk()) << table.status().toString();
  EXPECT_EQ((*table)->target(), "reference");
  EXPECT_EQ(messageOf(contents, "reference"), "OK");
  EXPECT_EQ(messageOf(contents, "avr"),
            "p: has no kernels for 'avr'\nhelp: it has x, reference");
}

TEST(KernelTable, RunsBodiesByReferenceKernels) {
  auto table =
      KernelTable::create(Plan::create(contentsOf(localPlan()), "p").take());
  ASSERT_TRUE(table.isOk()) << table.status().toString();
  std::vector<float> w = {1, 2, 3, 4}, v = {1, 1, 1, 1}, x = {2, 2, 2, 2};
  std::vector<float> dw(4), dv(4), loss(1);
  void *arguments[] = {w.data(),  v.data(),  x.data(),
                       dw.data(), dv.data(), loss.data()};
  ThreadPool pool(1);
  ASSERT_TRUE((*table)->run(GradientsKernel, arguments, pool).isOk());
  EXPECT_EQ(dv, (std::vector<float>{3, 5, 7, 9}));
  EXPECT_EQ(dw, (std::vector<float>{6, 10, 14, 18}));
  EXPECT_EQ(loss[0], 24);
}

// Sizes of a damaged plan must not wrap around to a little memory.
TEST(KernelTable, RefusesABodyThatFitsInNoMemory) {
  PlanContents contents = twicePlan("");
  proto::TensorType huge = f32({int64_t(1) << 45});
  proto::Kernel *kernel = contents.plan.mutable_kernels(0);
  *kernel->mutable_inputs(0) = *kernel->mutable_outputs(0) = huge;
  for (uint32_t value = 0; value < 3; ++value)
    addNode(*kernel, "graph.relu", {value}, huge);
  kernel->add_results(3);
  contents.plan.mutable_objects(0)->set_target("reference");
  EXPECT_EQ(messageOf(contents, "reference"),
            "p: kernel 'twice' needs more than 281474976710656 bytes for "
            "intermediate values");
}

TEST(KernelTable, NamesAnOperationWithoutAReferenceKernel) {
  PlanContents contents = contentsOf(localPlan());
  proto::Node *node = contents.plan.mutable_kernels(0)->mutable_body(0);
  node->set_op("graph.fly");
  node->set_name("h");
  node->set_location("g.mlir:3:4");
  EXPECT_EQ(messageOf(contents),
            "p: kernel 'gradients', h (g.mlir:3:4): there is "
            "no reference kernel for graph.fly");
  contents.plan.mutable_kernels(0)->clear_body();
  contents.plan.mutable_kernels(0)->clear_results();
  EXPECT_EQ(messageOf(contents),
            "p: kernel 'gradients' has no body to interpret");
}

} // namespace
} // namespace dtc

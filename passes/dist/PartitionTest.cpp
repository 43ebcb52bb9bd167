// Partitions of random graphs: every op is where placement put it, once; every
// value crosses once; every send has its recv (G1 to G4, G14).
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "dialects/dist/Dist.h"
#include "dialects/graph/GraphFile.h"
#include "dialects/graph/Ops.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "passes/dist/Decisions.h"
#include "passes/dist/Pipeline.h"

namespace dtc::dist {
namespace {

using namespace mlir;

struct Setting {
  std::string cluster, mode;
};

/// A graph over two variables, one of which is updated, with random devices.
class RandomGraph {
public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {}

  std::string text() {
    text_ =
        "graph.variable @a : tensor<4xf32> = #graph.fill<1.0>\n"
        "graph.variable @b : tensor<4xf32> = #graph.fill<2.0>\n"
        "graph.func @train() {\n"
        "  %x = graph.input \"d\" rows 0 to 40 [#graph.column<\"x\", fields "
        "0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>\n"
        "  %a = graph.read @a : tensor<4xf32>\n"
        "  %b = graph.read @b : tensor<4xf32>\n"
        "  %c = graph.constant dense<0.5> : tensor<4xf32>\n";
    values_ = {"x", "a", "b", "c"};
    for (int count = 5 + pick(25), n = 0; n < count; ++n)
      addOp("v" + std::to_string(n));
    text_ += "  %new = graph.sub %a, %" + any() +
             " : tensor<4xf32>, tensor<4xf32>\n"
             "  graph.assign @a, %new : tensor<4xf32>\n"
             "  graph.output \"out\" = %" +
             values_.back() + " : tensor<4xf32>\n}\n";
    return text_;
  }

private:
  size_t pick(size_t count) { return random_() % count; }
  std::string any() { return values_[pick(values_.size())]; }

  void addOp(const std::string &name) {
    static const char *const unary[] = {"neg", "relu", "square"};
    static const char *const binary[] = {"add", "mul", "sub"};
    std::string device;
    if (pick(2))
      device =
          " {device = \"/job:worker/task:" + std::to_string(pick(3)) + "\"}";
    bool isUnary = pick(2);
    text_ += "  %" + name + " = graph." + (isUnary ? unary : binary)[pick(3)] +
             " %" + any() + (isUnary ? "" : ", %" + any()) + device +
             " : tensor<4xf32>" + (isUnary ? "" : ", tensor<4xf32>") + "\n";
    values_.push_back(name);
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> values_;
};

/// What an op is: its kind, its name, where and when it runs. Constants are
/// copied to whoever takes them, so they do not count.
using Identity = std::string;

Identity identityOf(Operation *op, DeviceAttr device, Activation activation) {
  return (op->getName().getStringRef() + " " + graph::nameOf(op) + " on " +
          device.taskString() + " " + stringifyActivation(activation))
      .str();
}

std::multiset<Identity> placedOps(ModuleOp module) {
  std::multiset<Identity> ops;
  for (auto func : module.getOps<graph::FuncOp>())
    for (Operation &op : func.getBody().front())
      if (!isa<graph::ConstantOp>(op))
        ops.insert(identityOf(&op, deviceOf(&op), *activationOf(&op)));
  return ops;
}

std::multiset<Identity> partitionedOps(ModuleOp module) {
  std::multiset<Identity> ops;
  module.walk([&](PartitionOp partition) {
    for (Operation &op : *partition.getBlock())
      if (!isa<graph::ConstantOp, YieldOp>(op))
        ops.insert(
            identityOf(&op, partition.getDevice(), partition.getActivation()));
  });
  return ops;
}

/// G3, G4, G14: the ends of the edges.
void checkEdges(ModuleOp module) {
  std::map<std::string, SendOp> sends;
  std::map<std::string, RecvOp> recvs;
  module.walk([&](SendOp send) {
    EXPECT_TRUE(sends.emplace(send.getKey().str(), send).second)
        << send.getKey().str() << " is sent twice";
  });
  module.walk([&](RecvOp recv) {
    EXPECT_TRUE(recvs.emplace(recv.getKey().str(), recv).second)
        << recv.getKey().str() << " is received twice";
  });
  EXPECT_EQ(sends.size(), recvs.size());
  std::set<std::tuple<const void *, const void *, int>>
      taken; // value, target, activation
  for (auto &[key, send] : sends) {
    ASSERT_TRUE(recvs.count(key)) << key << " is never received";
    RecvOp recv = recvs[key];
    EXPECT_EQ(send.getTensor(), recv.getTensor()) << key;
    EXPECT_EQ(send.getTo(), recv.getDevice()) << key;
    EXPECT_EQ(send.getDevice(), recv.getFrom()) << key;
    auto taker = dyn_cast<PartitionOp>(*recv->user_begin());
    ASSERT_TRUE(taker) << key;
    // G2: what stays in a task and an activation needs no edge.
    auto maker = send.getValue().getDefiningOp<PartitionOp>();
    EXPECT_FALSE(maker.getDevice() == taker.getDevice() &&
                 maker.getActivation() == taker.getActivation())
        << key;
    EXPECT_TRUE(taken
                    .insert({send.getValue().getAsOpaquePointer(),
                             send.getTo().getAsOpaquePointer(),
                             int(taker.getActivation())})
                    .second)
        << key << ": the value crosses twice";
  }
}

LogicalResult partition(ModuleOp module, const Setting &setting,
                        std::multiset<Identity> &placed) {
  PassManager place(module.getContext());
  buildPlacementPipeline(place,
                         {.cluster = setting.cluster, .mode = setting.mode});
  if (failed(place.run(module)))
    return failure();
  placed = placedOps(module);
  PassManager split(module.getContext());
  buildPartitionPipeline(split);
  return split.run(module);
}

// The channels' door proves each of them; here what it starts from is compared
// with what comes out.
TEST(Partition, FiveHundredRandomGraphs) {
  DialectRegistry registry;
  registry.insert<graph::GraphDialect, DistDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  const Setting settings[] = {{"worker=3", "in-graph"},
                              {"ps=2,worker=3", "in-graph"},
                              {"ps=1,worker=3", "between-graph"},
                              {"ps=2,worker=3", "between-graph"},
                              {"local=1", "local"}};
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::string text = RandomGraph(seed).text();
    const Setting &setting = settings[seed % std::size(settings)];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + setting.mode + " " +
                 setting.cluster + "\n" + text);
    auto module = graph::parseGraph(text, "random.mlir", &context);
    std::multiset<Identity> placed;
    ASSERT_TRUE(module && succeeded(partition(*module, setting, placed)));
    EXPECT_EQ(partitionedOps(*module), placed);
    checkEdges(*module);
    if (setting.mode == "local")
      module->walk([](SendOp send) { FAIL() << send.getKey().str(); });
    if (HasFailure())
      return;
  }
}

} // namespace
} // namespace dtc::dist

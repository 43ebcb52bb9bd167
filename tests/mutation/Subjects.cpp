#include "tests/mutation/Subjects.h"

#include "tools/dtc/Compiler.h"
#include "tools/dtc/Files.h"

namespace dtc::mutation {
namespace {

struct Graph {
  const char *name, *path;
  int64_t batch = 0; // a small one: faults do not depend on it
  int leastWorkers = 1;
};

const Graph exampleGraphs[] = {
    {"digits", "examples/digits/digits.mlir", 6},
    {"two layers", "examples/in_graph_vs_between_graph/graph.mlir", 6, 2},
    {"convnet", "examples/convnet/convnet.mlir", 2},
    {"recommender", "examples/recommender/recommender.mlir", 6},
    {"transformer", "examples/transformer/transformer.mlir"},
    {"sync and async", "examples/sync_vs_async/graph.mlir", 6},
};
const Graph ownGraphs[] = {
    {"pipeline", "tests/mutation/graphs/pipeline.mlir"},
    {"swap", "tests/mutation/graphs/swap.mlir"},
    {"adam", "tests/mutation/graphs/adam.mlir"},
    {"moves", "tests/mutation/graphs/moves.mlir"},
    {"norm", "tests/mutation/graphs/norm.mlir"},
    {"dropout", "tests/cluster/graphs/dropout.mlir", 6},
    {"entangled", "tests/cluster/graphs/entangled.mlir", 6},
    {"shards", "tests/mutation/graphs/shards.mlir"},
};

/// Splits most variables of these graphs in two or more.
constexpr int64_t smallShard = 192;

/// The ways to compile a graph, on a target.
class Recipes {
public:
  Recipes(const Graph &graph, std::string target, std::vector<Recipe> &all)
      : graph_(graph), target_(std::move(target)), all_(all) {}

  Recipe &add(const char *cluster, const char *mode, int64_t replicas = 1) {
    all_.push_back({graph_.name, graph_.path, cluster, mode, target_,
                    graph_.batch, replicas});
    return all_.back();
  }
  Recipe &addSplit(const char *cluster, const char *mode,
                   int64_t replicas = 1) {
    Recipe &recipe = add(cluster, mode, replicas);
    recipe.maxShardBytes = smallShard;
    return recipe;
  }

private:
  const Graph &graph_;
  std::string target_;
  std::vector<Recipe> &all_;
};

} // namespace

std::string Recipe::text() const {
  std::string text = strCat(name, ", ", mode);
  if (!cluster.empty())
    text += ", " + cluster;
  if (replicas > 1)
    text += strCat(", ", replicas, " towers");
  if (update != "sync")
    text += ", update " + update;
  if (placement != "greedy")
    text += ", placed by " + placement;
  if (maxShardBytes)
    text += strCat(", parts of ", maxShardBytes, " B");
  return text + (target == "reference" ? "" : ", " + target);
}

std::vector<Recipe> suite() {
  std::vector<Recipe> all;
  auto add = [&](const Graph &graph, const char *target) {
    Recipes recipes(graph, target, all);
    recipes.add("ps=2,worker=3", "between-graph");
    recipes.add("ps=1,worker=3", "in-graph");
    recipes.add("worker=3", "in-graph", 2);
    recipes.add("worker=3", "in-graph", 2).placement = "cost";
    recipes.add("ps=2,worker=3", "between-graph").update = "async";
    recipes.addSplit("ps=3,worker=3", "between-graph");
    recipes.addSplit("ps=2,worker=3", "in-graph", 2);
    recipes.addSplit("ps=2,worker=3", "between-graph").update = "async";
  };
  for (const Graph &graph : ownGraphs)
    add(graph, "reference");
  for (const Graph &graph : exampleGraphs)
    add(graph, "reference");
  // Generated code has ranges, the reference has not.
  add(ownGraphs[0], "host");
  return all;
}

std::vector<Recipe> examples() {
  struct Cluster {
    const char *shape;
    int workers, servers = 0;
  };
  const Cluster clusters[] = {
      {"worker=1", 1},         {"ps=1,worker=1", 1, 1}, {"worker=2", 2},
      {"ps=1,worker=2", 2, 1}, {"ps=2,worker=3", 3, 2}, {"ps=3,worker=5", 5, 3},
  };
  std::vector<Recipe> all;
  for (const Graph &graph : exampleGraphs) {
    Recipes recipes(graph, "reference", all);
    recipes.add("", "local");
    recipes.add("", "local", 3);
    for (const auto &[shape, workers, servers] : clusters) {
      if (workers < graph.leastWorkers)
        continue; // it names a task that would not be there
      recipes.add(shape, "between-graph");
      recipes.add(shape, "between-graph").update = "async";
      recipes.add(shape, "in-graph");
      recipes.add(shape, "in-graph", 2);
      recipes.add(shape, "in-graph", 2).placement = "cost";
      if (servers == 0)
        continue;
      recipes.addSplit(shape, "between-graph");
      recipes.addSplit(shape, "between-graph").update = "async";
      recipes.addSplit(shape, "in-graph", 2);
    }
  }
  return all;
}

Result<Plan::Ptr> compileRecipe(const Recipe &recipe) {
  DTC_ASSIGN_OR_RETURN(std::string text, tool::readFile(recipe.graph));
  tool::CompileOptions options;
  options.cluster = recipe.cluster;
  options.mode = recipe.mode;
  options.targets = {recipe.target};
  if (recipe.batch)
    options.batch = recipe.batch;
  options.replicas = recipe.replicas;
  options.update = recipe.update;
  options.placement = recipe.placement;
  options.maxShardBytes = recipe.maxShardBytes;
  auto refused = Status::invalidArgument(recipe.text() + " does not compile");
  tool::Compiler compiler;
  auto module = compiler.parse(text, recipe.graph);
  if (failed(module))
    return refused;
  compiler.setSource(**module, text);
  if (failed(
          compiler.lower(**module, tool::firstPhase, tool::lastPhase, options)))
    return refused;
  auto plan = compiler.finish(**module, text, recipe.text());
  return succeeded(plan) ? Result<Plan::Ptr>(*plan) : refused;
}

Result<Subject> prepare(const Recipe &recipe,
                        const tool::VerifyOptions &options) {
  Subject subject{recipe, nullptr, options, {}};
  DTC_ASSIGN_OR_RETURN(subject.plan, compileRecipe(recipe));
  for (const proto::Entry &entry : subject.plan->proto().entries()) {
    DTC_ASSIGN_OR_RETURN(tool::Expectation expected,
                         tool::expectationOf(*subject.plan, entry, options));
    subject.expected.emplace(entry.name(), std::move(expected));
  }
  return subject;
}

} // namespace dtc::mutation

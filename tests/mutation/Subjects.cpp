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
};
const Graph ownGraphs[] = {
    {"pipeline", "tests/mutation/graphs/pipeline.mlir"},
    {"swap", "tests/mutation/graphs/swap.mlir"},
    {"adam", "tests/mutation/graphs/adam.mlir"},
    {"moves", "tests/mutation/graphs/moves.mlir"},
    {"norm", "tests/mutation/graphs/norm.mlir"},
    {"dropout", "tests/cluster/graphs/dropout.mlir", 6},
};

} // namespace

std::string Recipe::text() const {
  std::string text = strCat(name, ", ", mode);
  if (!cluster.empty())
    text += ", " + cluster;
  if (replicas > 1)
    text += strCat(", ", replicas, " towers");
  return text + (target == "reference" ? "" : ", " + target);
}

std::vector<Recipe> suite() {
  std::vector<Recipe> recipes;
  auto add = [&](const Graph &graph, const char *target) {
    auto one = [&](const char *cluster, const char *mode, int64_t replicas) {
      recipes.push_back({graph.name, graph.path, cluster, mode, target,
                         graph.batch, replicas});
    };
    one("ps=2,worker=3", "between-graph", 1);
    one("ps=1,worker=3", "in-graph", 1);
    one("worker=3", "in-graph", 2);
  };
  for (const Graph &graph : ownGraphs)
    add(graph, "reference");
  for (const Graph &graph : exampleGraphs)
    add(graph, "reference");
  // Generated code has ranges, the reference has not.
  add(ownGraphs[0], "host");
  return recipes;
}

std::vector<Recipe> examples() {
  std::vector<Recipe> recipes;
  struct Cluster {
    const char *shape;
    int workers;
  };
  const Cluster clusters[] = {
      {"worker=1", 1},      {"ps=1,worker=1", 1}, {"worker=2", 2},
      {"ps=1,worker=2", 2}, {"ps=2,worker=3", 3}, {"ps=3,worker=5", 5},
  };
  for (const Graph &graph : exampleGraphs) {
    auto add = [&](const char *cluster, const char *mode, int64_t replicas) {
      recipes.push_back({graph.name, graph.path, cluster, mode, "reference",
                         graph.batch, replicas});
    };
    add("", "local", 1);
    add("", "local", 3);
    for (const Cluster &cluster : clusters) {
      if (cluster.workers < graph.leastWorkers)
        continue; // it names a task that would not be there
      add(cluster.shape, "between-graph", 1);
      add(cluster.shape, "in-graph", 1);
      add(cluster.shape, "in-graph", 2);
    }
  }
  return recipes;
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
  auto refused = Status::invalidArgument(recipe.text() + " does not compile");
  tool::Compiler compiler;
  auto module = compiler.parse(text, recipe.graph);
  if (failed(module))
    return refused;
  compiler.setSource(**module, text);
  if (failed(
          compiler.lower(**module, tool::firstPhase, tool::lastPhase, options)))
    return refused;
  auto contents = compiler.finish(**module, text);
  if (failed(contents))
    return refused;
  return Plan::create(std::move(*contents), recipe.text());
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

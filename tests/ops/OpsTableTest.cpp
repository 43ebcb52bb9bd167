// docs/ops.md: what holds for which op. The table is computed from the dialect,
// the cases and the compiler; the test says that the file is up to date and
// that no cell is empty without a reason.
#include "passes/kernel/Fusion.h"
#include "tests/ops/OpCases.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace mlir;
using namespace dtc;
using namespace dtc::ops;

namespace {
/// Why an op has no cases: nothing is computed.
const std::map<std::string, std::string> structural = {
    {"call", "structure: inlined before anything runs"},
    {"replica_index",
     "becomes a constant of each tower, or what the plan asks its run"},
    {"return", "structure: inlined before anything runs"},
    {"assign", "state: `tests/lit/graph`, `tests/cluster`"},
    {"assign_add", "state: becomes read, add and assign"},
    {"constant", "a value of the graph: used by most cases"},
    {"func", "structure"},
    {"global_step", "state: becomes a read"},
    {"input", "data: `runtime/input`, `tests/cluster`"},
    {"minimize", "training: expanded before anything runs"},
    {"output", "structure: every case has one"},
    {"read", "state: `tests/lit/graph`, `tests/cluster`"},
    {"variable", "state: `tests/lit/graph`, `tests/cluster`"},
};

/// Why an op has a reference kernel only.
const std::map<std::string, std::string> notGenerated = {
    {"cumsum", "each sum waits for the one before it"},
    {"floor_mod", "of floats, as fmod's length depends on its values; of "
                  "integers yes"},
    {"random_normal", "one implementation, so that all targets draw the same"},
    {"random_truncated_normal",
     "one implementation, so that all targets draw the same"},
    {"random_uniform", "one implementation, so that all targets draw the same"},
    {"shape", "simplification makes it a constant"},
    {"top_k", "sorts: nothing to do side by side"},
    {"unique_rows", "looks up what came before in a growing table"},
};

struct Row {
  std::string op, value, gradient, reference, generated, verify;
  bool isComplete() const {
    return !value.empty() && !gradient.empty() && !reference.empty() &&
           !generated.empty() && !verify.empty();
  }
};

/// The ops that a composite becomes, sorted.
std::string expansionOf(OpCases &file) {
  if (!file.expandComposites())
    return "";
  std::set<std::string> names;
  file.module().walk([&](Operation *op) {
    if (op->getNumResults() && !isa<graph::ConstantOp>(op))
      names.insert(op->getName().stripDialect().str());
  });
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string gradientCell(Operation *subject, size_t cases) {
  if (subject->hasTrait<graph::StopsGradient>())
    return "none: piecewise constant, or no smooth operand";
  if (subject->hasTrait<graph::NoGradient>())
    return "none: part of an update";
  return isa<graph::GradientOpInterface>(subject)
             ? std::to_string(cases) + " cases"
             : "";
}

/// "" where an op stays on its reference kernel without a reason.
std::string generatedCell(const std::string &op, Operation *subject) {
  if (kernel::isGenerated(subject))
    return "yes";
  auto found = notGenerated.find(op);
  return found == notGenerated.end() ? "" : "no: " + found->second;
}

Row rowOf(const std::string &op) {
  if (auto found = structural.find(op); found != structural.end())
    return {op, found->second, "–", "–", "–", "–"};
  std::vector<std::string> known = opsWithCases();
  if (!llvm::is_contained(known, op))
    return {.op = op};
  OpCases file(op, "f64");
  Operation *subject = file.module() ? file.subject() : nullptr;
  if (!subject)
    return {.op = op};
  size_t all = file.cases().size(),
         smooth = llvm::count_if(
             file.cases(), [](graph::FuncOp func) { return !isSpecial(func); });
  Row row{op,
          std::to_string(all) + " cases",
          gradientCell(subject, smooth),
          hasReferenceKernel("graph." + op) ? "yes" : "",
          generatedCell(op, subject),
          "yes"};
  if (isa<graph::CompositeOpInterface>(subject))
    row.reference = row.generated = "expands: " + expansionOf(file);
  return row;
}

std::string table() {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect>();
  std::vector<std::string> ops;
  for (RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("graph"))
    ops.push_back(name.stripDialect().str());
  llvm::sort(ops);
  std::ostringstream text;
  text << "# Ops and what is tested of them\n\n"
          "Made by `tests/ops` from the dialect, its cases and the compiler "
          "(`DTC_UPDATE=1 dtc_ops_test`).\n`dtc explain OP` says what an op "
          "means.\n\n"
          "* value: against goldens of NumPy or PyTorch, in f64\n"
          "* gradient: against central differences, in f64, within 1e-6\n"
          "* reference kernel: plain C++, the oracle\n"
          "* generated kernel: code for the CPU, against the goldens in f64 "
          "and f32\n"
          "* verify: `dtc verify --kernels` of the cases\n\n"
          "| op | value | gradient | reference kernel | generated kernel | "
          "verify |\n|---|---|---|---|---|---|\n";
  for (const std::string &op : ops) {
    Row row = rowOf(op);
    EXPECT_TRUE(row.isComplete()) << "graph." << op << " has an empty cell";
    text << "| " << row.op << " | " << row.value << " | " << row.gradient
         << " | " << row.reference << " | " << row.generated << " | "
         << row.verify << " |\n";
  }
  return text.str();
}
} // namespace

TEST(OpsTable, IsUpToDate) {
  std::string expected = table();
  if (std::getenv("DTC_UPDATE"))
    std::ofstream(DTC_OPS_TABLE) << expected;
  std::ostringstream actual;
  actual << std::ifstream(DTC_OPS_TABLE).rdbuf();
  EXPECT_EQ(actual.str(), expected) << "run dtc_ops_test with DTC_UPDATE=1";
}

#include "tests/ops/OpCases.h"

#include "dialects/graph/GraphFile.h"
#include "mlir/Pass/PassManager.h"
#include "passes/graph/Passes.h"
#include "runtime/input/Npy.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace mlir;
namespace fs = std::filesystem;

namespace dtc::ops {

static const fs::path folder = DTC_OPS_FOLDER;

std::vector<std::string> opsWithCases() {
  std::vector<std::string> ops;
  for (const fs::directory_entry &file :
       fs::directory_iterator(folder / "cases"))
    if (file.path().extension() == ".mlir")
      ops.push_back(file.path().stem());
  std::sort(ops.begin(), ops.end());
  return ops;
}

static std::string replaceAll(std::string text, const std::string &from,
                              const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

OpCases::OpCases(const std::string &op, const std::string &element) : op_(op) {
  fs::path path = folder / "cases" / (op + ".mlir");
  std::stringstream stream;
  stream << std::ifstream(path).rdbuf();
  text_ = replaceAll(stream.str(), "f64", element);
  context_.loadDialect<graph::GraphDialect>();
  ScopedDiagnosticHandler handler(&context_, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(error_)
        << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  module_ = graph::parseGraph(text_, path.string(), &context_);
}

std::vector<graph::FuncOp> OpCases::cases() {
  auto range = module().getOps<graph::FuncOp>();
  return {range.begin(), range.end()};
}

Operation *OpCases::subject() {
  Operation *subject = nullptr;
  module().walk([&](Operation *op) {
    if (!subject && op->getName().stripDialect() == op_)
      subject = op;
  });
  return subject;
}

bool OpCases::expandComposites() {
  PassManager pm(&context_);
  pm.addNestedPass<graph::FuncOp>(graph::createExpandComposites());
  return succeeded(pm.run(module()));
}

Result<Tensor> OpCases::golden(graph::FuncOp func, const std::string &name,
                               Type type) const {
  fs::path path = folder / "goldens" / op_ /
                  (func.getSymName().str() + "." + name + ".npy");
  DTC_ASSIGN_OR_RETURN(NpyArray array, readNpy(path));
  Tensor from{array.type, array.shape, std::move(array.bytes)};
  Tensor to = emptyTensor(type);
  if (from.shape != to.shape)
    return Status::invalidArgument(path.string() + " has another shape");
  if (from.element == to.element)
    return from;
  for (size_t i = 0; i < countOf(to); ++i)
    setAt(to, i, at(from, i));
  return to;
}

Result<Tensors> OpCases::feeds(graph::FuncOp func) const {
  Tensors tensors;
  for (BlockArgument argument : func.getArguments()) {
    std::string name = graph::nameOf(argument);
    DTC_ASSIGN_OR_RETURN(tensors[name], golden(func, name, argument.getType()));
  }
  return tensors;
}

Result<Tensors> OpCases::outputs(graph::FuncOp func) const {
  Tensors tensors;
  for (auto output : func.getBody().front().getOps<graph::OutputOp>()) {
    std::string name = output.getOutputName().str();
    DTC_ASSIGN_OR_RETURN(tensors[name],
                         golden(func, name, output.getValue().getType()));
  }
  return tensors;
}

bool isSpecial(graph::FuncOp func) {
  return func.getSymName().starts_with("special_");
}

std::string compare(const Tensor &actual, const Tensor &expected,
                    double tolerance) {
  if (actual.shape != expected.shape || actual.element != expected.element)
    return "the types differ";
  double largest = 0;
  for (size_t i = 0; i < countOf(expected); ++i)
    if (double value = std::abs(at(expected, i)); std::isfinite(value))
      largest = std::max(largest, value);
  for (size_t i = 0; i < countOf(expected); ++i) {
    double a = at(actual, i), b = at(expected, i);
    bool isEqual = a == b || (std::isnan(a) && std::isnan(b)) ||
                   std::abs(a - b) <= tolerance * largest;
    if (!isEqual)
      return strCat("element ", i, " is ", a, ", not ", b, " (difference ",
                    std::abs(a - b), ")");
  }
  return "";
}

} // namespace dtc::ops

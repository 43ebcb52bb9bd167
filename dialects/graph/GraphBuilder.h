// A graph declared in code, for models that are too long to write by hand:
//
//   GraphBuilder graph("lenet");
//   for (bool trains : {true, false}) {
//     Scope net = graph.entry(trains ? "train" : "eval", trains);
//     auto columns = net.input(trains ? training : test);
//     Value h = net.relu(net.conv2d(columns[0], 32, {5, 5}, "conv1"));
//     Value logits = net.dense(net.flatten(h), 10, "fc");
//     Value loss = net.crossEntropy(logits, columns[1], "loss");
//     if (trains)
//       net.minimize(loss, net.sgd(0.1));
//     net.output("loss", loss);
//   }
//   std::cout << graph.print();
//
// A layer declares its variables when its name is used first; entry points that
// use the name again share them. Its ops carry the place of the call in the
// program and names below its own ("conv1", "conv1.filter"). A mistake in a
// shape is a mistake in the program: it is reported, and the program ends.
#pragma once

#include "dialects/graph/Ops.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>
#include <source_location>
#include <string>
#include <vector>

namespace dtc::graph {

using Shape = std::vector<int64_t>;
using Place = std::source_location;

// An argument of a function.
struct Feed {
  std::string name;
  Shape shape;
  std::string element = "f32"; // as in the text: "bf16", "i64"
};

// A column of a data set; `shape` is one row's. See ColumnAttr.
struct Column {
  std::string name;
  Shape shape;
  int64_t first, end;
  double scale, min, max;
  std::string element = "f32";
};

struct Dataset {
  std::string name, path;
  int64_t firstRow, endRow, batch;
  bool shuffle;
  std::vector<Column> columns;
};

class Scope;

// Not thread-safe. Owns the graph and its context.
class GraphBuilder {
public:
  // `element` is that of the layers' variables.
  explicit GraphBuilder(llvm::StringRef name, llvm::StringRef element = "f32");
  ~GraphBuilder();

  // Begins an entry point; `isTraining` is what batch_norm and dropout ask.
  Scope entry(llvm::StringRef name, bool isTraining,
              llvm::ArrayRef<Feed> feeds = {}, Place place = Place::current());
  // Begins a private function, for Scope::call; end it with Scope::returns.
  Scope block(llvm::StringRef name, llvm::ArrayRef<Feed> feeds,
              Place place = Place::current());

  // Declares a variable, or finds the one of that name and shape.
  VariableOp variable(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                      mlir::Attribute initializer, mlir::Location location);

  mlir::MLIRContext *context() { return context_.get(); }
  mlir::ModuleOp module() { return *module_; }
  // A type from its text: "f32".
  mlir::Type element(llvm::StringRef text);
  mlir::Type element() const { return element_; }

  // The file. Fails after a diagnostic if the graph is not valid.
  mlir::FailureOr<std::string> print();

private:
  Scope begin(llvm::StringRef name, bool isTraining, llvm::ArrayRef<Feed> feeds,
              Place place);

  std::unique_ptr<mlir::MLIRContext> context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::Type element_;
  llvm::StringMap<VariableOp> variables_;
};

// A function under construction. Layers are named; an empty name leaves a
// value to be named after its op.
class Scope {
public:
  using Value = mlir::Value;

  bool isTraining() const { return isTraining_; }
  Value feed(unsigned number) { return func_.getArgument(number); }
  std::vector<Value> input(const Dataset &dataset,
                           Place place = Place::current());
  Value constant(double number, llvm::StringRef name = "",
                 Place place = Place::current());
  Value read(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
             mlir::Attribute initializer, Place place = Place::current());

  // Layers with variables.
  Value dense(Value x, int64_t units, llvm::StringRef name,
              Place place = Place::current());
  Value conv2d(Value x, int64_t filters, std::array<int64_t, 2> window,
               llvm::StringRef name, llvm::StringRef padding = "SAME",
               std::array<int64_t, 2> strides = {1, 1},
               Place place = Place::current());
  // Trains: normalises by the batch and moves the averages towards it, as
  // TensorFlow does (average -= (average - batch's) * (1 - momentum)).
  Value batchNorm(Value x, llvm::StringRef name, double momentum = 0.99,
                  double epsilon = 1e-3, Place place = Place::current());
  Value layerNorm(Value x, llvm::StringRef name, double epsilon = 1e-6,
                  Place place = Place::current());
  Value embedding(Value ids, int64_t rows, int64_t width, llvm::StringRef name,
                  Place place = Place::current());
  // Scaled dot-product self-attention of x [batch, length, width].
  Value attention(Value x, int64_t heads, llvm::StringRef name,
                  Place place = Place::current());

  // Layers without.
  Value relu(Value x, Place place = Place::current());
  Value gelu(Value x, Place place = Place::current());
  Value add(Value x, Value y, Place place = Place::current());
  Value maxPool(Value x, int64_t window, int64_t stride,
                Place place = Place::current());
  Value flatten(Value x, Place place = Place::current()); // but the batch
  Value reshape(Value x, llvm::ArrayRef<int64_t> shape,
                Place place = Place::current());
  Value dropout(Value x, double rate, llvm::StringRef name, int64_t seed = 0,
                Place place = Place::current());
  // Mean cross entropy of logits [batch, classes] and labels [batch].
  Value crossEntropy(Value logits, Value labels, llvm::StringRef name,
                     Place place = Place::current());

  // Any op: `net.make<TanhOp>("h2", x)`.
  template <typename Op, typename... Arguments>
  Value make(llvm::StringRef name, Arguments &&...arguments) {
    auto op =
        Op::create(builder_, location_, std::forward<Arguments>(arguments)...);
    if (!name.empty())
      setName(op->getResult(0), name);
    return op->getResult(0);
  }

  std::vector<Value> call(Scope &block, llvm::ArrayRef<Value> inputs,
                          llvm::StringRef name, Place place = Place::current());
  void returns(llvm::ArrayRef<Value> values);
  void output(llvm::StringRef name, Value value,
              Place place = Place::current());
  void assign(llvm::StringRef variable, Value value,
              Place place = Place::current());
  // One step on all variables that the loss depends on.
  void minimize(Value loss, mlir::Attribute optimizer,
                Place place = Place::current());
  mlir::Attribute sgd(double learningRate);
  mlir::Attribute momentum(double learningRate, double momentum);
  mlir::Attribute adam(double learningRate, double beta1 = 0.9,
                       double beta2 = 0.999, double epsilon = 1e-7);
  mlir::Attribute adagrad(double learningRate, double initialAccumulator = 0.1,
                          double epsilon = 1e-7);

private:
  friend class GraphBuilder;
  Scope(GraphBuilder &graph, FuncOp func, bool isTraining);

  void enter(Place place);
  // Variable "layer/kind", read as "layer.kind".
  Value weight(llvm::StringRef layer, llvm::StringRef kind,
               llvm::ArrayRef<int64_t> shape, mlir::Attribute initializer);
  void moveAverage(llvm::StringRef layer, llvm::StringRef kind, Value average,
                   Value batch, double momentum);
  Value splitHeads(Value x, int64_t heads, llvm::StringRef name);
  mlir::Attribute fill(double number);
  mlir::Attribute glorot();
  mlir::RankedTensorType tensor(llvm::ArrayRef<int64_t> shape);

  GraphBuilder *graph_;
  FuncOp func_;
  bool isTraining_;
  mlir::OpBuilder builder_;
  mlir::Location location_;
};

} // namespace dtc::graph

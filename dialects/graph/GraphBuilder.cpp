#include "dialects/graph/GraphBuilder.h"

#include "dialects/graph/GradientMaker.h"
#include "dialects/graph/GraphFile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace dtc::graph;

static Location locationOf(MLIRContext *context, Place place) {
  return FileLineColLoc::get(context, place.file_name(), place.line(),
                             place.column());
}

//===----------------------------------------------------------------------===//
// GraphBuilder
//===----------------------------------------------------------------------===//

GraphBuilder::GraphBuilder(StringRef name, StringRef element)
    : context_(
          std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED)) {
  context_->loadDialect<GraphDialect>();
  context_->printOpOnDiagnostic(false);
  module_ = ModuleOp::create(UnknownLoc::get(context()), name);
  element_ = this->element(element);
}

GraphBuilder::~GraphBuilder() = default;

Type GraphBuilder::element(StringRef text) {
  Type type = parseType(text, context());
  if (!type || !isElementType(type))
    llvm::report_fatal_error(llvm::Twine("there is no element type ") + text);
  return type;
}

Scope GraphBuilder::begin(StringRef name, bool isTraining, ArrayRef<Feed> feeds,
                          Place place) {
  OpBuilder builder = OpBuilder::atBlockEnd(module_->getBody());
  auto types = llvm::map_to_vector(feeds, [&](const Feed &feed) -> Type {
    return RankedTensorType::get(feed.shape, element(feed.element));
  });
  auto func = FuncOp::create(builder, locationOf(context(), place), name,
                             TypeRange(types));
  for (auto [argument, feed] : llvm::zip_equal(func.getArguments(), feeds))
    setName(argument, feed.name);
  return Scope(*this, func, isTraining);
}

Scope GraphBuilder::entry(StringRef name, bool isTraining, ArrayRef<Feed> feeds,
                          Place place) {
  return begin(name, isTraining, feeds, place);
}

Scope GraphBuilder::block(StringRef name, ArrayRef<Feed> feeds, Place place) {
  Scope scope = begin(name, false, feeds, place);
  scope.func_.setPrivate();
  return scope;
}

VariableOp GraphBuilder::variable(StringRef name, ArrayRef<int64_t> shape,
                                  Attribute initializer, Location location) {
  auto type = RankedTensorType::get(shape, element_);
  VariableOp &variable = variables_[name];
  if (variable && variable.getType() != type)
    llvm::report_fatal_error(llvm::Twine("variable ") + name +
                             " is used under two shapes");
  if (variable)
    return variable;
  // In the order of their first use, before the functions.
  OpBuilder builder(context());
  Block *body = module_->getBody();
  auto functions = body->getOps<FuncOp>();
  if (functions.empty())
    builder.setInsertionPointToEnd(body);
  else
    builder.setInsertionPoint(*functions.begin());
  variable = VariableOp::create(builder, location, name, type, initializer,
                                /*slot=*/false);
  return variable;
}

FailureOr<std::string> GraphBuilder::print() {
  if (failed(verify(*module_)))
    return failure();
  for (auto func : module_->getOps<FuncOp>())
    assignNames(func, /*renameTaken=*/true);
  return printGraph(*module_);
}

//===----------------------------------------------------------------------===//
// Scope: data and variables
//===----------------------------------------------------------------------===//

Scope::Scope(GraphBuilder &graph, FuncOp func, bool isTraining)
    : graph_(&graph), func_(func), isTraining_(isTraining),
      builder_(OpBuilder::atBlockEnd(&func.getBody().front())),
      location_(func.getLoc()) {}

void Scope::enter(Place place) {
  location_ = locationOf(graph_->context(), place);
}

RankedTensorType Scope::tensor(ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, graph_->element());
}

Attribute Scope::fill(double number) {
  return FillAttr::get(graph_->context(), number);
}

Attribute Scope::glorot() { return GlorotUniformAttr::get(graph_->context()); }

std::vector<Value> Scope::input(const Dataset &dataset, Place place) {
  enter(place);
  SmallVector<Type> types;
  SmallVector<Attribute> columns;
  for (const Column &column : dataset.columns) {
    Shape shape = {dataset.batch};
    shape.insert(shape.end(), column.shape.begin(), column.shape.end());
    types.push_back(
        RankedTensorType::get(shape, graph_->element(column.element)));
    columns.push_back(
        ColumnAttr::get(graph_->context(), column.name, column.first,
                        column.end, llvm::APFloat(column.scale),
                        llvm::APFloat(column.min), llvm::APFloat(column.max)));
  }
  auto op = InputOp::create(
      builder_, location_, types, builder_.getStringAttr(dataset.name),
      builder_.getStringAttr(dataset.path),
      builder_.getI64IntegerAttr(dataset.firstRow),
      builder_.getI64IntegerAttr(dataset.endRow),
      dataset.shuffle ? builder_.getUnitAttr() : UnitAttr(),
      builder_.getArrayAttr(columns));
  for (auto [result, column] :
       llvm::zip_equal(op.getResults(), dataset.columns))
    setName(result, column.name);
  return {op.getResults().begin(), op.getResults().end()};
}

Value Scope::constant(double number, StringRef name, Place place) {
  enter(place);
  return make<ConstantOp>(
      name, DenseElementsAttr::get(
                tensor({}), builder_.getFloatAttr(graph_->element(), number)));
}

Value Scope::read(StringRef name, ArrayRef<int64_t> shape,
                  Attribute initializer, Place place) {
  enter(place);
  graph_->variable(name, shape, initializer, location_);
  std::string value = name.str();
  llvm::replace(value, '/', '.');
  return make<ReadOp>(value, tensor(shape), name);
}

Value Scope::weight(StringRef layer, StringRef kind, ArrayRef<int64_t> shape,
                    Attribute initializer) {
  std::string name = (layer + "/" + kind).str();
  graph_->variable(name, shape, initializer, location_);
  return make<ReadOp>((layer + "." + kind).str(), tensor(shape), name);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

// Leading dimensions are rows: [batch, length, width] is multiplied as it is.
Value Scope::dense(Value x, int64_t units, StringRef name, Place place) {
  enter(place);
  Shape shape(shapeOf(x).begin(), shapeOf(x).end());
  int64_t width = shape.back(), rows = 1;
  for (size_t dim = 0; dim + 1 < shape.size(); ++dim)
    rows *= shape[dim];
  Value w = weight(name, "w", {width, units}, glorot());
  Value b = weight(name, "b", {units}, fill(0));
  std::string prefix = name.str();
  bool isMatrix = shape.size() == 2;
  if (!isMatrix)
    x = make<ReshapeOp>(prefix + ".rows", tensor({rows, width}), x);
  Value product = make<MatmulOp>(prefix + ".matmul", x, w, false, false);
  Value y = make<BiasAddOp>(isMatrix ? prefix : prefix + ".sum", product, b);
  shape.back() = units;
  return isMatrix ? y : make<ReshapeOp>(prefix, tensor(shape), y);
}

Value Scope::conv2d(Value x, int64_t filters, std::array<int64_t, 2> window,
                    StringRef name, StringRef padding,
                    std::array<int64_t, 2> strides, Place place) {
  enter(place);
  Value filter =
      weight(name, "filter", {window[0], window[1], shapeOf(x).back(), filters},
             glorot());
  Value bias = weight(name, "bias", {filters}, fill(0));
  Value y = make<Conv2dOp>(
      (name + ".conv").str(), x, filter, ArrayRef<int64_t>(strides),
      builder_.getStringAttr(padding), ArrayRef<int64_t>{1, 1});
  return make<BiasAddOp>(name, y, bias);
}

void Scope::moveAverage(StringRef layer, StringRef kind, Value average,
                        Value batch, double momentum) {
  std::string prefix = (layer + "." + kind).str();
  Value rate = make<ConstantOp>(
      prefix + ".rate",
      DenseElementsAttr::get(
          tensor({}), builder_.getFloatAttr(graph_->element(), 1 - momentum)));
  Value step = make<MulOp>(
      prefix + ".step", make<SubOp>(prefix + ".delta", average, batch), rate);
  AssignOp::create(builder_, location_, (layer + "/" + kind).str(),
                   make<SubOp>(prefix + ".new", average, step));
}

Value Scope::batchNorm(Value x, StringRef name, double momentum, double epsilon,
                       Place place) {
  enter(place);
  int64_t channels = shapeOf(x).back();
  Value scale = weight(name, "scale", {channels}, fill(1));
  Value offset = weight(name, "offset", {channels}, fill(0));
  Value mean = weight(name, "moving_mean", {channels}, fill(0));
  Value variance = weight(name, "moving_variance", {channels}, fill(1));
  if (!isTraining_)
    return make<BatchNormInferenceOp>(name, x, scale, offset, mean, variance,
                                      llvm::APFloat(epsilon));
  auto op = BatchNormOp::create(builder_, location_, x, scale, offset,
                                llvm::APFloat(epsilon));
  setName(op.getY(), name);
  setName(op.getMean(), (name + ".mean").str());
  setName(op.getUnbiased(), (name + ".unbiased").str());
  setName(op.getVariance(), (name + ".variance").str());
  moveAverage(name, "moving_mean", mean, op.getMean(), momentum);
  moveAverage(name, "moving_variance", variance, op.getUnbiased(), momentum);
  return op.getY();
}

Value Scope::layerNorm(Value x, StringRef name, double epsilon, Place place) {
  enter(place);
  int64_t width = shapeOf(x).back();
  Value scale = weight(name, "scale", {width}, fill(1));
  Value offset = weight(name, "offset", {width}, fill(0));
  return make<LayerNormOp>(name, x, scale, offset, llvm::APFloat(epsilon));
}

Value Scope::embedding(Value ids, int64_t rows, int64_t width, StringRef name,
                       Place place) {
  enter(place);
  Value table = weight(name, "table", {rows, width},
                       UniformAttr::get(graph_->context(), -0.05, 0.05));
  return make<GatherOp>(name, table, ids, /*axis=*/int64_t(0));
}

// [batch, length, width] → [batch, heads, length, width / heads].
Value Scope::splitHeads(Value x, int64_t heads, StringRef name) {
  ArrayRef<int64_t> shape = shapeOf(x);
  Value parts =
      make<ReshapeOp>((name + ".parts").str(),
                      tensor({shape[0], shape[1], heads, shape[2] / heads}), x);
  return make<TransposeOp>((name + ".heads").str(), parts,
                           ArrayRef<int64_t>{0, 2, 1, 3});
}

Value Scope::attention(Value x, int64_t heads, StringRef name, Place place) {
  Shape shape(shapeOf(x).begin(), shapeOf(x).end());
  int64_t width = shape.back();
  std::string prefix = name.str();
  auto project = [&](StringRef kind) {
    std::string layer = prefix + "." + kind.str();
    return splitHeads(dense(x, width, layer, place), heads, layer);
  };
  Value q = project("q"), k = project("k"), v = project("v");
  Value products = make<BatchMatmulOp>(prefix + ".products", q, k,
                                       /*transpose_a=*/false,
                                       /*transpose_b=*/true);
  Value scale =
      constant(1 / std::sqrt(double(width / heads)), prefix + ".scale", place);
  Value scores = make<MulOp>(prefix + ".scores", products, scale);
  Value weights = make<SoftmaxOp>(prefix + ".weights", scores);
  Value mixed =
      make<BatchMatmulOp>(prefix + ".mixed", weights, v, false, false);
  Value back =
      make<TransposeOp>(prefix + ".back", mixed, ArrayRef<int64_t>{0, 2, 1, 3});
  Value joined = make<ReshapeOp>(prefix + ".joined", tensor(shape), back);
  return dense(joined, width, prefix + ".out", place);
}

Value Scope::relu(Value x, Place place) {
  enter(place);
  return make<ReluOp>("", x);
}

Value Scope::gelu(Value x, Place place) {
  enter(place);
  return make<GeluOp>("", x, /*approximate=*/false);
}

Value Scope::add(Value x, Value y, Place place) {
  enter(place);
  return make<AddOp>("", x, y);
}

Value Scope::maxPool(Value x, int64_t window, int64_t stride, Place place) {
  enter(place);
  return make<MaxPoolOp>("", x, ArrayRef<int64_t>{window, window},
                         ArrayRef<int64_t>{stride, stride},
                         builder_.getStringAttr("VALID"));
}

Value Scope::flatten(Value x, Place place) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t width = 1;
  for (int64_t dim : shape.drop_front())
    width *= dim;
  return reshape(x, {shape.front(), width}, place);
}

Value Scope::reshape(Value x, ArrayRef<int64_t> shape, Place place) {
  enter(place);
  return make<ReshapeOp>("", cast<RankedTensorType>(x.getType()).clone(shape),
                         x);
}

Value Scope::dropout(Value x, double rate, StringRef name, int64_t seed,
                     Place place) {
  enter(place);
  if (!isTraining_)
    return x;
  Value step = make<GlobalStepOp>("");
  return make<DropoutOp>(name, x.getType(), x, step, /*replica=*/Value(),
                         llvm::APFloat(rate), seed, name);
}

Value Scope::crossEntropy(Value logits, Value labels, StringRef name,
                          Place place) {
  enter(place);
  Value rows =
      make<SoftmaxCrossEntropyOp>((name + ".rows").str(), logits, labels);
  return make<ReduceMeanOp>(name, rows, ArrayRef<int64_t>{0},
                            /*keep_dims=*/false);
}

//===----------------------------------------------------------------------===//
// Calls and effects
//===----------------------------------------------------------------------===//

std::vector<Value> Scope::call(Scope &block, ArrayRef<Value> inputs,
                               StringRef name, Place place) {
  enter(place);
  auto op = CallOp::create(builder_, location_, block.func_.getResultTypes(),
                           block.func_.getSymName(), inputs,
                           /*scope=*/StringAttr());
  if (op.getNumResults() && !name.empty())
    setName(op.getResult(0), name);
  return {op.getResults().begin(), op.getResults().end()};
}

void Scope::returns(ArrayRef<Value> values) {
  ReturnOp::create(builder_, location_, values);
  func_.setFunctionType(builder_.getFunctionType(
      func_.getArgumentTypes(), ValueRange(values).getTypes()));
}

void Scope::output(StringRef name, Value value, Place place) {
  enter(place);
  OutputOp::create(builder_, location_, name, value);
}

void Scope::assign(StringRef variable, Value value, Place place) {
  enter(place);
  AssignOp::create(builder_, location_, variable, value);
}

void Scope::minimize(Value loss, Attribute optimizer, Place place) {
  enter(place);
  MinimizeOp::create(builder_, location_, loss, optimizer,
                     /*variables=*/ArrayAttr(), /*weight_decay=*/FloatAttr(),
                     /*clip_by_value=*/FloatAttr(),
                     /*clip_by_global_norm=*/FloatAttr());
}

Attribute Scope::sgd(double learningRate) {
  return SgdAttr::get(graph_->context(),
                      builder_.getF64FloatAttr(learningRate));
}

Attribute Scope::momentum(double learningRate, double momentum) {
  return MomentumAttr::get(graph_->context(),
                           builder_.getF64FloatAttr(learningRate),
                           llvm::APFloat(momentum), /*nesterov=*/false);
}

Attribute Scope::adagrad(double learningRate, double initialAccumulator,
                         double epsilon) {
  return AdagradAttr::get(
      graph_->context(), builder_.getF64FloatAttr(learningRate),
      llvm::APFloat(initialAccumulator), llvm::APFloat(epsilon));
}

Attribute Scope::adam(double learningRate, double beta1, double beta2,
                      double epsilon) {
  return AdamAttr::get(
      graph_->context(), builder_.getF64FloatAttr(learningRate),
      llvm::APFloat(beta1), llvm::APFloat(beta2), llvm::APFloat(epsilon));
}

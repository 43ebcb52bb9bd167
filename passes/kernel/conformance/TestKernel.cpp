#include "passes/kernel/conformance/TestKernel.h"

#include "dialects/graph/Ops.h"
#include "mlir/Parser/Parser.h"
#include "passes/kernel/Fusion.h"
#include "runtime/kernels/Elements.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static ElementType elementType(Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isInteger(1))
    return ElementType::I1;
  if (type.isInteger(8))
    return type.isUnsignedInteger() ? ElementType::U8 : ElementType::I8;
  return type.isInteger(32) ? ElementType::I32 : ElementType::I64;
}

TestTensor::TestTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  element = elementType(tensor.getElementType());
  shape = tensor.getShape().vec();
  count = tensor.getNumElements();
  storage.reset(new std::byte[bytes() + 64]);
  data = storage.get();
  data += -reinterpret_cast<uintptr_t>(data) % 64;
  // What is never written shows.
  std::memset(data, 0xcd, bytes());
}

double TestTensor::at(int64_t index) const {
  double value = 0;
  (void)!visitElement(element, [&]<typename T>(std::type_identity<T>) {
    value = double(load(reinterpret_cast<const T *>(data), index));
    return Status::ok();
  }).isOk();
  return value;
}

/// Values that do not depend on the machine: small integers for integer types,
/// else numbers around 0, positive ones where `isPositive`. Integers are below
/// `integers`.
static void fill(TestTensor &tensor, std::mt19937 &random, bool isPositive,
                 int64_t integers) {
  Status status =
      visitElement(tensor.element, [&]<typename T>(std::type_identity<T>) {
        for (int64_t i = 0; i < tensor.count; ++i) {
          double unit = double(random()) / 4294967296.0;
          double value = isPositive ? unit * 4 + 0.01 : unit * 8 - 4;
          using C = Compute<T>;
          if constexpr (std::is_same_v<C, bool>)
            store(reinterpret_cast<T *>(tensor.data), i, unit < 0.5);
          else if constexpr (std::is_integral_v<C>)
            store(reinterpret_cast<T *>(tensor.data), i,
                  C(unit * double(integers)));
          else
            store(reinterpret_cast<T *>(tensor.data), i, C(value));
        }
        return Status::ok();
      });
  ASSERT_TRUE(status.isOk());
}

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

static std::vector<std::byte> constantBytes(graph::ConstantOp op) {
  TestTensor tensor(op.getType());
  auto value = cast<DenseElementsAttr>(op.getValue());
  size_t size = sizeBytes(tensor.element);
  for (int64_t i = 0; i < tensor.count; ++i) {
    std::byte *at = tensor.data + size_t(i) * size;
    if (tensor.element == ElementType::I1)
      *at = std::byte(value.getValues<bool>()[i]);
    else
      std::memcpy(at,
                  value.getRawData().data() +
                      (value.isSplat() ? 0 : size_t(i) * size),
                  size);
  }
  return {tensor.data, tensor.data + tensor.bytes()};
}

/// An op's attributes as the runtime sees them.
static Attributes attributesOf(Operation *op) {
  Attributes result;
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    result["value"] = constantBytes(constant);
    return result;
  }
  DictionaryAttr dictionary = op->getAttrDictionary();
  for (NamedAttribute attribute : dictionary) {
    std::string name = attribute.getName().str();
    Attribute value = attribute.getValue();
    if (isa<UnitAttr>(value))
      result[name] = true;
    else if (auto integer = dyn_cast<IntegerAttr>(value))
      result[name] = integer.getInt();
    else if (auto real = dyn_cast<FloatAttr>(value))
      result[name] = real.getValueAsDouble();
    else if (auto text = dyn_cast<StringAttr>(value))
      result[name] = text.str();
    else if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
      result[name] = std::vector<int64_t>(list.asArrayRef());
  }
  return result;
}

std::vector<TestTensor> TestKernel::runReference() {
  DenseMap<Value, size_t> places;
  std::vector<TestTensor> tensors = inputs_;
  for (auto [number, argument] : llvm::enumerate(body().getArguments()))
    places[argument] = number;
  for (Operation &op : body().without_terminator()) {
    std::vector<TensorRef> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(tensors[places.lookup(operand)].ref());
    for (Value result : op.getResults()) {
      places[result] = tensors.size();
      tensors.emplace_back(result.getType());
      results.push_back(tensors.back().ref());
    }
    Status status = runReferenceKernel(op.getName().getStringRef().str(),
                                       operands, results, attributesOf(&op));
    EXPECT_TRUE(status.isOk()) << status.message();
  }
  std::vector<TestTensor> outputs;
  for (Value output : body().getTerminator()->getOperands())
    outputs.push_back(tensors[places.lookup(output)]);
  return outputs;
}

//===----------------------------------------------------------------------===//
// Compiled code
//===----------------------------------------------------------------------===//

namespace {
/// A shared object loaded from memory, as the runtime does it.
class LoadedObject {
public:
  explicit LoadedObject(const std::string &bytes) {
    int file = memfd_create("kernels", MFD_CLOEXEC);
    EXPECT_EQ(write(file, bytes.data(), bytes.size()), ssize_t(bytes.size()));
    std::string path = "/proc/self/fd/" + std::to_string(file);
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(handle_) << dlerror();
    close(file);
  }
  ~LoadedObject() {
    if (handle_)
      dlclose(handle_);
  }
  using Function = void(void *const *, int64_t, int64_t);
  Function *find(const char *name) {
    return handle_ ? reinterpret_cast<Function *>(dlsym(handle_, name))
                   : nullptr;
  }

private:
  void *handle_;
};
} // namespace

/// One context for all: kernels of one object must share it.
static MLIRContext &context() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registry.insert<graph::GraphDialect, func::FuncDialect>();
    registerCodegenDialects(registry);
    auto *context = new MLIRContext(registry);
    context->loadAllAvailableDialects();
    return context;
  }();
  return *context;
}

static std::string compileAll(ArrayRef<KernelSource> sources,
                              const std::string &target, unsigned threads) {
  auto emitError = [] { return mlir::emitError(UnknownLoc::get(&context())); };
  FailureOr<HostTarget> resolved = resolveHostTarget(target, emitError);
  EXPECT_TRUE(succeeded(resolved));
  FailureOr<std::string> object =
      compileKernels(sources, *resolved, &context(), threads, emitError);
  return succeeded(object) ? *object : "";
}

std::string TestKernel::compile(const std::string &target, unsigned threads) {
  return compileAll(source(), target, threads);
}

std::string TestKernel::compileError() {
  std::string text;
  ScopedDiagnosticHandler handler(&context(), [&](Diagnostic &diagnostic) {
    text += diagnostic.str() + "\n";
    return success();
  });
  EXPECT_EQ(compile("x86-64-v3"), "");
  return text;
}

std::vector<TestTensor> TestKernel::run(const std::string &object,
                                        int64_t pieces) {
  std::vector<TestTensor> outputs;
  for (Value output : body().getTerminator()->getOperands())
    outputs.emplace_back(output.getType());
  LoadedObject loaded(object);
  auto *function = loaded.find(symbol_.c_str());
  EXPECT_TRUE(function);
  if (!function)
    return outputs;
  std::vector<void *> arguments;
  for (TestTensor &tensor : inputs_)
    arguments.push_back(tensor.data);
  for (TestTensor &tensor : outputs)
    arguments.push_back(tensor.data);
  int64_t range = this->range().range;
  for (int64_t i = pieces; i-- > 0;)
    function(arguments.data(), range * i / pieces, range * (i + 1) / pieces);
  return outputs;
}

//===----------------------------------------------------------------------===//
// The test
//===----------------------------------------------------------------------===//

FailureOr<HostTarget> dtc::kernel::resolve(const std::string &name) {
  return resolveHostTarget(
      name, [] { return mlir::emitError(UnknownLoc::get(&context())); });
}

std::string dtc::kernel::resolveError(const std::string &name) {
  std::string text;
  ScopedDiagnosticHandler handler(&context(), [&](Diagnostic &diagnostic) {
    text += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(resolve(name)));
  return text;
}

TestKernel::TestKernel(const std::string &text, std::string symbol)
    : text_(text), symbol_(std::move(symbol)) {
  // Bodies of tests may be what no verifier would let pass (graph.read of a
  // variable that is not there).
  ParserConfig config(&context(), /*verifyAfterParse=*/false);
  module_ = parseSourceString<ModuleOp>(text, config);
  EXPECT_TRUE(module_) << text;
  function_ = *module_->getOps<func::FuncOp>().begin();
  std::mt19937 random(1);
  bool isPositive = text.find("graph.log") != std::string::npos ||
                    text.find("graph.sqrt") != std::string::npos;
  // So that some are places of a one_hot and some are not.
  int64_t integers = 13;
  function_.walk([&](graph::SoftmaxCrossEntropyOp op) {
    integers = op.getLogits().getType().getDimSize(1);
  });
  for (Type type : function_.getArgumentTypes()) {
    inputs_.emplace_back(type);
    fill(inputs_.back(), random, isPositive, integers);
  }
}

Block &TestKernel::body() { return function_.getBody().front(); }

/// NaNs are equal whatever their bits are.
static void expectEqualBits(const TestTensor &a, const TestTensor &b) {
  if (std::memcmp(a.data, b.data, a.bytes()) == 0)
    return;
  size_t size = sizeBytes(a.element);
  for (int64_t i = 0; i < a.count; ++i) {
    if (std::isnan(a.at(i)) && std::isnan(b.at(i)))
      continue;
    ASSERT_EQ(std::memcmp(a.data + i * size, b.data + i * size, size), 0)
        << "element " << i << ": " << a.at(i) << " and " << b.at(i);
  }
}

static void expectClose(const TestTensor &a, const TestTensor &b,
                        double tolerance) {
  if (tolerance == 0)
    return expectEqualBits(a, b);
  for (int64_t i = 0; i < a.count; ++i) {
    double x = a.at(i), y = b.at(i);
    if (std::isnan(x) && std::isnan(y))
      continue;
    // Near 0 (a logarithm of about 1) the error is that of the summands.
    ASSERT_LE(std::abs(x - y), tolerance * std::max(std::abs(y), 0.05))
        << "element " << i << ": " << x << ", reference " << y;
  }
}

void TestBatch::add(const std::string &text, double tolerance) {
  kernels_.emplace_back(text, "k" + std::to_string(kernels_.size()));
  tolerances_.push_back(tolerance);
}

std::string TestBatch::compile(const std::string &target) {
  std::vector<KernelSource> sources;
  for (TestKernel &kernel : kernels_)
    sources.push_back(kernel.source());
  return compileAll(sources, target, 2);
}

void TestBatch::expectMatchesReference() {
  std::string narrow = compile("x86-64-v3"), wide;
  if (__builtin_cpu_supports("avx512vl"))
    wide = compile("x86-64-v4");
  for (auto [kernel, tolerance] : llvm::zip_equal(kernels_, tolerances_)) {
    SCOPED_TRACE(kernel.text());
    std::vector<TestTensor> expected = kernel.runReference();
    std::vector<TestTensor> first = kernel.run(narrow);
    std::vector<TestTensor> pieces = kernel.run(narrow, 3);
    for (size_t i = 0; i < expected.size(); ++i) {
      expectClose(first[i], expected[i], tolerance);
      expectEqualBits(first[i], pieces[i]);
    }
    if (wide.empty())
      continue;
    SCOPED_TRACE("x86-64-v4");
    pieces = kernel.run(wide, std::min<int64_t>(kernel.range().range, 5));
    for (size_t i = 0; i < expected.size(); ++i)
      expectEqualBits(first[i], pieces[i]);
  }
}

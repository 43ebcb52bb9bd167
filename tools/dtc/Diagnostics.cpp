#include "tools/dtc/Diagnostics.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// The registered op that is nearest to `name`; "" when none is near.
std::string nearestOp(MLIRContext &context, StringRef name) {
  std::string best;
  unsigned bestDistance = name.size() / 3 + 1;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    unsigned distance =
        name.edit_distance(op.getStringRef(), true, bestDistance);
    if (distance < bestDistance || (distance == bestDistance && best.empty())) {
      bestDistance = distance;
      best = op.getStringRef().str();
    }
  }
  return best;
}

/// The op's name in MLIR's "custom op 'x' is unknown" or "Dialect `d' not found
/// for custom op 'd.x'", or "".
StringRef unknownOp(StringRef message) {
  auto [before, rest] = message.split("custom op '");
  auto [name, after] = rest.split("'");
  return after.contains("unknown") || before.starts_with("Dialect") ? name : "";
}

/// MLIR's parser speaks to those who build compilers; what dtc says instead.
std::string inOurWords(StringRef message) {
  if (StringRef name = unknownOp(message); !name.empty())
    return ("there is no op '" + name + "'").str();
  if (message == "expected non-function type")
    return "expected a type, such as tensor<32x64xf32>; the element types are "
           "f32, f64, f16, bf16, i1, i8, ui8, i32 and i64";
  return "";
}

} // namespace

Diagnostics::Diagnostics(MLIRContext &context)
    : context_(context), printer_(sources_, &context, llvm::errs()),
      translator_(&context, [this](Diagnostic &diagnostic) {
        return translate(diagnostic);
      }) {}

void Diagnostics::addSource(const std::string &text, const std::string &name) {
  sources_.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                              SMLoc());
}

LogicalResult Diagnostics::translate(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  std::string ours = inOurWords(message);
  if (ours.empty())
    return failure(); // as it is: printer_ prints it
  InFlightDiagnostic translated = emitError(diagnostic.getLocation()) << ours;
  StringRef name = unknownOp(message);
  if (name.empty())
    return success();
  std::string guess = nearestOp(context_, name);
  translated.attachNote()
      << (guess.empty()
              ? std::string("the ops of a graph file start with 'graph.'")
              : "did you mean '" + guess + "'?");
  return success();
}

} // namespace dtc::tool

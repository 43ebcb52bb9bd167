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

/// The op's name in MLIR's "custom op 'x' is unknown", or "".
StringRef unknownOp(StringRef message) {
  auto [before, rest] = message.split("custom op '");
  auto [name, after] = rest.split("'");
  return after.contains("unknown") ? name : "";
}

} // namespace

Diagnostics::Diagnostics(MLIRContext &context)
    : context_(context), printer_(sources_, &context, llvm::errs()),
      suggester_(&context, [this](Diagnostic &diagnostic) {
        suggest(diagnostic);
        return failure(); // handled further: printer_ prints it
      }) {}

void Diagnostics::addSource(const std::string &text, const std::string &name) {
  sources_.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                              SMLoc());
}

void Diagnostics::suggest(Diagnostic &diagnostic) {
  std::string name = unknownOp(diagnostic.str()).str();
  if (name.empty())
    return;
  std::string guess = nearestOp(context_, name);
  diagnostic.attachNote()
      << (guess.empty()
              ? std::string("the ops of a graph file start with 'graph.'")
              : "did you mean '" + guess + "'?");
}

} // namespace dtc::tool

#include "tools/dtc/EditedText.h"

#include <algorithm>
#include <vector>

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// "12:8" of "digits.mlir:12:8", of each instruction.
std::vector<std::string> places(const proto::Plan &plan) {
  std::vector<std::string> places;
  for (const proto::Entry &entry : plan.entries())
    for (const proto::Program &program : entry.programs())
      for (const proto::Activation &activation : program.activations())
        for (const proto::Instruction &it : activation.instructions()) {
          const std::string &text = it.location();
          size_t line = text.rfind(':', text.rfind(':') - 1);
          places.push_back(line < text.size() ? text.substr(line) : "");
        }
  return places;
}

/// How many instructions are in one place in both.
size_t countSame(const std::vector<std::string> &a,
                 const std::vector<std::string> &b) {
  size_t same = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    same += !a[i].empty() && a[i] == b[i];
  return same;
}

/// The plan that a text is compiled to; no places if to none.
std::vector<std::string> placesFrom(const std::string &text, Phase phase,
                                    CompileOptions options) {
  options.targets = {"reference"}; // code has no part in it
  Compiler compiler;
  ScopedDiagnosticHandler quiet(&compiler.context(),
                                [](Diagnostic &) { return success(); });
  auto module = compiler.parse(text, phaseName(phase), phase);
  if (failed(module) ||
      failed(compiler.lower(**module, phase, lastPhase, options)))
    return {};
  auto plan =
      compiler.finish(**module, "", phaseName(phase), /*wasEdited=*/true);
  return failed(plan) ? std::vector<std::string>() : places((*plan)->proto());
}

} // namespace

std::optional<Phase> phaseOfPlaces(const Plan &plan, const Plan &anew,
                                   const std::map<Phase, std::string> &texts,
                                   const CompileOptions &options) {
  std::vector<std::string> own = places(plan.proto());
  size_t most = std::max(countSame(own, places(anew.proto())), own.size() / 4);
  std::optional<Phase> best;
  for (const auto &[phase, text] : texts)
    if (size_t same = countSame(own, placesFrom(text, phase, options));
        same > most) {
      most = same;
      best = phase;
    }
  return best;
}

} // namespace dtc::tool

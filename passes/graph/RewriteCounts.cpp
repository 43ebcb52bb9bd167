#include "passes/graph/RewriteCounts.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace dtc::graph;

static constexpr RewriteName names[] = {
    {"fold-batch-norm", "scales filters instead of normalising, where nothing "
                        "trains (rounds differently)"},
    {"fold-constants", "computes what is constant"},
    {"identities", "x * 1, x / 1, x - 0, --x"},
    {"powers", "x to the 1 or 2 (2: correctly rounded)"},
    {"divisions", "multiplies instead of dividing by a power of two"},
    {"casts", "widened and back"},
    {"reshapes", "one reshape instead of several"},
    {"transposes", "one transpose instead of several, or none"},
    {"moves", "slices of everything, pads of nothing, concats of one"},
    {"push-transposes", "transposes that meet across element-wise ops"},
    {"cse", "computes equal values once, a + b and b + a too"},
    {"prune", "drops what no output or assignment needs"},
};

ArrayRef<RewriteName> dtc::graph::rewriteNames() { return names; }

bool dtc::graph::isRewriteName(StringRef name) {
  return llvm::any_of(names,
                      [&](const RewriteName &n) { return n.name == name; });
}

void RewriteCounter::runAfterPass(Pass *pass, Operation *) {
  auto *counting = dynamic_cast<CountingPass *>(pass);
  if (!counting)
    return;
  std::lock_guard lock(mutex_);
  for (const auto &[name, times] : counting->takeCounts())
    total_[name] += times;
}

// graph-assign-names: every value has a name that is unique in its function.
#include "passes/graph/Passes.h"

namespace dtc::graph {
#define GEN_PASS_DEF_ASSIGNNAMES
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

namespace {
struct AssignNamesPass : dtc::graph::impl::AssignNamesBase<AssignNamesPass> {
  void runOnOperation() override {
    dtc::graph::assignNames(getOperation(), /*renameTaken=*/true);
  }
};
} // namespace

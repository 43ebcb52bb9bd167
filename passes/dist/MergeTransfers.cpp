// dist-merge-transfers: a value crosses to a place once (TensorFlow's rule G4).
#include "dialects/graph/Ops.h"
#include "passes/dist/Passes.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_MERGETRANSFERSPASS
#include "passes/dist/Passes.h.inc"

namespace {

struct MergeTransfers : impl::MergeTransfersPassBase<MergeTransfers> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<graph::FuncOp>())
      merge(func.getBody().front());
  }

private:
  void merge(Block &body) {
    llvm::DenseMap<std::tuple<Value, Type, Activation>, TransferOp> first;
    for (auto transfer :
         llvm::make_early_inc_range(body.getOps<TransferOp>())) {
      TransferOp &kept = first[{transfer.getValue(), transfer.getType(),
                                transfer.getActivation()}];
      if (!kept) {
        kept = transfer;
        continue;
      }
      transfer.getResult().replaceAllUsesWith(kept.getResult());
      transfer.erase();
    }
  }
};

} // namespace
} // namespace dtc::dist

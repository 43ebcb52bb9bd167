// dist-split-transfers: a transfer becomes the two ends of an edge.
#include "dialects/dist/EdgeKey.h"
#include "dialects/graph/Ops.h"
#include "passes/dist/Passes.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_SPLITTRANSFERSPASS
#include "passes/dist/Passes.h.inc"

namespace {

struct SplitTransfers : impl::SplitTransfersPassBase<SplitTransfers> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<graph::FuncOp>()) {
      llvm::StringSet<> keys;
      for (auto transfer :
           llvm::make_early_inc_range(func.getBody().getOps<TransferOp>()))
        split(transfer, keys);
    }
  }

private:
  /// The ends stay side by side, so that all tasks see all edges in one order.
  void split(TransferOp transfer, llvm::StringSet<> &keys) {
    PlacedType from = transfer.getValue().getType();
    PlacedType to = transfer.getResult().getType();
    EdgeKey key{transfer.getValueName().str(), int64_t(transfer.getSlot()),
                from.getDevice().taskString(), to.getDevice().taskString()};
    while (!keys.insert(key.toString()).second)
      ++key.copy;
    OpBuilder builder(transfer);
    StringAttr text = builder.getStringAttr(key.toString());
    SendOp::create(builder, transfer.getLoc(), transfer.getValue(), text,
                   to.getDevice(), transfer.getReasonAttr(),
                   transfer.getWireAttr());
    auto recv = RecvOp::create(builder, transfer.getLoc(), to, text,
                               from.getDevice(), transfer.getWireAttr());
    transfer.getResult().replaceAllUsesWith(recv.getResult());
    transfer.erase();
  }
};

} // namespace
} // namespace dtc::dist

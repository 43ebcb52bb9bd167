// dist-narrow-transfers: what f32 is on the wire (TensorFlow's rule G7).
//
// A property of the transfer and no op: whoever looks at values sees f32 at
// both ends, and a run may leave the rounding out.
#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Ops.h"
#include "passes/dist/Decisions.h"
#include "passes/dist/Passes.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_NARROWTRANSFERSPASS
#include "passes/dist/Passes.h.inc"

namespace {

bool leavesTask(TransferOp transfer) {
  return transfer.getValue().getType().getDevice().taskString() !=
         transfer.getResult().getType().getDevice().taskString();
}

void narrow(TransferOp transfer, Type wire) {
  transfer.setWire(wire);
  Builder builder(transfer.getContext());
  transfer.setReasonAttr(builder.getStringAttr(
      transfer.getReason() + "; rounded to bf16 on the way, as was asked"));
}

struct NarrowTransfers : impl::NarrowTransfersPassBase<NarrowTransfers> {
  void runOnOperation() override {
    Type wire = wireTypeOf(getOperation());
    if (!wire)
      return;
    if (!wire.isBF16()) { // a text that was edited by hand
      coded(getOperation().emitError(wireTypeAttrName), Code::BadMode)
          << " is " << wire << "; f32 crosses as bf16, or as it is without it";
      return signalPassFailure();
    }
    for (auto func : getOperation().getOps<graph::FuncOp>())
      for (auto transfer : func.getBody().getOps<TransferOp>())
        if (leavesTask(transfer) &&
            transfer.getValue().getType().getTensor().getElementType().isF32())
          narrow(transfer, wire);
  }
};

} // namespace
} // namespace dtc::dist

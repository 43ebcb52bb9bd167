// graph-fold-batch-norm: a convolution with batch_norm_inference behind it
// becomes one whose filter is scaled, and a bias.
//
// It rounds differently: (x * f) * s and x * (f * s) are two numbers. So entry
// points that train are left alone, and a switch turns it off. Filter and
// statistics must not depend on the data, or the images would be the cheaper
// thing to scale.
#include "dialects/graph/GradientMaker.h"
#include "passes/graph/Passes.h"
#include "passes/graph/RewriteCounts.h"

namespace dtc::graph {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

namespace {

bool isGiven(Value value) {
  return value.getDefiningOp<ReadOp>() || value.getDefiningOp<ConstantOp>();
}

// The convolution to fold `norm` into, or null.
Conv2dOp findConvolution(BatchNormInferenceOp norm) {
  auto conv = norm.getX().getDefiningOp<Conv2dOp>();
  if (!conv || !conv->hasOneUse() || !isGiven(conv.getFilter()))
    return {};
  bool areGiven =
      llvm::all_of(ValueRange(norm->getOperands()).drop_front(), isGiven);
  bool isOnOneDevice = llvm::all_of(
      ArrayRef<StringRef>{deviceWishName, colocateWishName},
      [&](StringRef wish) {
        return conv->getDiscardableAttr(wish) == norm->getDiscardableAttr(wish);
      });
  return areGiven && isOnOneDevice ? conv : Conv2dOp();
}

// Puts the ops behind `before` where the user put `norm`.
void keepDevice(BatchNormInferenceOp norm, Operation *before) {
  keepWishes(norm, before, norm->getPrevNode());
}

// filter * s and offset - mean * s, with s = rsqrt(variance + epsilon) * scale.
void fold(BatchNormInferenceOp norm, Conv2dOp conv) {
  OpBuilder builder(norm);
  Operation *before = norm->getPrevNode(); // the convolution or behind it
  Maker maker(builder, norm);
  Value epsilon =
      maker.scalar(norm.getEpsilon().convertToDouble(), norm.getVariance());
  Value deviation =
      maker.make<RsqrtOp>(maker.make<AddOp>(norm.getVariance(), epsilon));
  Value factor = maker.make<MulOp>(deviation, norm.getScale());
  Value filter = maker.make<MulOp>(conv.getFilter(), factor);
  Value bias = maker.make<SubOp>(norm.getOffset(),
                                 maker.make<MulOp>(norm.getMean(), factor));
  Value y = maker.make<Conv2dOp>(conv.getX(), filter, conv.getStrides(),
                                 conv.getPadding(), conv.getDilations());
  auto biased = maker.make<BiasAddOp>(y, bias);
  if (std::string name = nameOf(conv.getY()); !name.empty())
    setName(y, name);
  if (std::string name = nameOf(norm.getY()); !name.empty())
    setName(biased, name);
  keepDevice(norm, before);
  norm.replaceAllUsesWith(biased);
  norm.erase();
  conv.erase();
}

struct FoldBatchNormPass
    : dtc::graph::impl::FoldBatchNormBase<FoldBatchNormPass>,
      CountingPass {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    if (!block.getOps<MinimizeOp>().empty())
      return;
    for (auto norm :
         llvm::make_early_inc_range(block.getOps<BatchNormInferenceOp>()))
      if (Conv2dOp conv = findConvolution(norm)) {
        fold(norm, conv);
        count("fold-batch-norm");
      }
  }
};

} // namespace

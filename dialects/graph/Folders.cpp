#include "dialects/graph/Ops.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace dtc::graph;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
OpFoldResult NegOp::fold(FoldAdaptor) { return {}; }
OpFoldResult AddOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SubOp::fold(FoldAdaptor) { return {}; }
OpFoldResult MulOp::fold(FoldAdaptor) { return {}; }
OpFoldResult DivOp::fold(FoldAdaptor) { return {}; }
OpFoldResult CastOp::fold(FoldAdaptor) { return {}; }
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return {}; }
OpFoldResult BroadcastToOp::fold(FoldAdaptor) { return {}; }
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &,
                                            MLIRContext *) {}

// One emitter a kind of kernel. Each builds the loops over [begin, end) of the
// kernel's range at the builder's insertion point, and each says what its range
// is and what an index of it costs.
#ifndef DTC_PASSES_KERNEL_ROOTEMITTERS_H
#define DTC_PASSES_KERNEL_ROOTEMITTERS_H

#include "passes/kernel/KernelBody.h"

namespace dtc::kernel {

/// How much work a kernel has. The range does not depend on the CPU.
struct Work {
  int64_t range;        // indices
  double nanosPerIndex; // a rough guess, for the grain
};

/// What an emitter gets to know.
struct EmitContext {
  KernelBody &body;
  mlir::Value begin, end; // the part of the range
  unsigned vectorBits;    // 256 or 512
};

Work convolutionWork(const BodyPlan &plan); // Convolution.cpp
void emitConvolution(EmitContext &context);

Work copyWork(const BodyPlan &plan); // Copy.cpp: what Copies.h knows
void emitCopy(EmitContext &context);

Work rangeWork(const BodyPlan &plan); // Range.cpp
void emitRange(EmitContext &context);

Work scatterWork(const BodyPlan &plan); // Scatter.cpp
void emitScatter(EmitContext &context);

Work mirrorPadGradWork(const BodyPlan &plan); // MirrorPadGrad.cpp
void emitMirrorPadGrad(EmitContext &context);

Work maxPoolGradWork(const BodyPlan &plan); // MaxPoolGrad.cpp
void emitMaxPoolGrad(EmitContext &context);

Work poolWork(const BodyPlan &plan); // Pooling.cpp
void emitPool(EmitContext &context);

Work elementwiseWork(const BodyPlan &plan); // Elementwise.cpp
void emitElementwise(EmitContext &context);

Work matmulWork(const BodyPlan &plan); // Matmul.cpp
void emitMatmul(EmitContext &context);

Work reduceWork(const BodyPlan &plan); // Reduce.cpp
void emitReduce(EmitContext &context);

Work argmaxWork(const BodyPlan &plan); // Argmax.cpp
void emitArgmax(EmitContext &context);

Work rowsWork(const BodyPlan &plan);    // Rows.cpp: softmax and
void emitSoftmax(EmitContext &context); // softmax_cross_entropy
void emitSoftmaxCrossEntropy(EmitContext &context);

/// Of a range that is several, one behind the other: builds the loop over what
/// of [begin, end) lies in the `count` indices from `first` on. `f` gets
/// indices that count from 0 there.
void forShare(EmitContext &context, int64_t first, int64_t count,
              llvm::function_ref<void(mlir::Value index)> f);

/// What the element-wise ops of a body cost for one element.
double epilogueNanos(const BodyPlan &plan);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_ROOTEMITTERS_H

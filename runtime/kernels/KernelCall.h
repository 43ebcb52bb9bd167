// KernelCall: the arguments of one reference kernel, and the checks that all
// of them share. What a kernel reads after its checks is in bounds.
#pragma once

#include "runtime/kernels/Elements.h"
#include "runtime/kernels/ReferenceKernels.h"

namespace dtc {

using Shape = std::vector<int64_t>;

/// Product of the dimensions; only for shapes that KernelCall::check passed.
int64_t elementCount(const Shape &shape);
/// How many elements there are before an axis, and how many behind it.
struct AxisSplit {
  int64_t before, behind;
};
AxisSplit splitAt(const Shape &shape, int64_t axis);
/// "tensor<2x3xf32>", as graph files spell it.
std::string typeName(const TensorRef &tensor);

template <typename T>
T *elements(const TensorRef &tensor) {
  return reinterpret_cast<T *>(tensor.data);
}

struct KernelCall {
  const std::string &op;
  std::span<const TensorRef> operands;
  std::span<const TensorRef> results;
  const Attributes &attributes;

  /// Tensors are tensors: known elements, no negative dimension, a count that
  /// does not overflow, data where there are elements.
  Status check() const;
  Status expectCounts(size_t operandCount, size_t resultCount) const;
  Status expectShape(const TensorRef &tensor, const Shape &shape) const;
  Status expectElement(const TensorRef &tensor, ElementType element) const;
  Status expectFloat(const TensorRef &tensor) const;
  /// All operands and results have the first operand's element type.
  Status expectOneElement() const;
  /// INVALID_ARGUMENT "graph.op: …".
  Status error(const std::string &what) const;

  /// The attribute, or `fallback` when absent; an error when its kind differs.
  Result<bool> flag(const std::string &name, bool fallback) const;
  Result<int64_t> integer(const std::string &name) const;
  Result<double> real(const std::string &name) const;
  Result<Shape> integers(const std::string &name) const;
};

// The kernels, by file. Each checks its own arguments beyond check().
Status runBinary(const KernelCall &call);          // Binary.cpp
Status runPow(const KernelCall &call);             //
Status runUnary(const KernelCall &call);           // Unary.cpp
Status runGelu(const KernelCall &call);            //
Status runLeakyRelu(const KernelCall &call);       //
Status runClip(const KernelCall &call);            //
Status runLogicalNot(const KernelCall &call);      //
Status runReluGrad(const KernelCall &call);        //
Status runEqual(const KernelCall &call);           // Compare.cpp
Status runCompare(const KernelCall &call);         //
Status runLogical(const KernelCall &call);         //
Status runChoice(const KernelCall &call);          // Choice.cpp
Status runCast(const KernelCall &call);            // Cast.cpp
Status runGradientDescent(const KernelCall &call); // Training.cpp
Status runMomentum(const KernelCall &call);        //
Status runAdagrad(const KernelCall &call);         //
Status runAdam(const KernelCall &call);            //
Status runRmsprop(const KernelCall &call);         //
Status runReplicaMean(const KernelCall &call);     //
Status runRandomUniform(const KernelCall &call);   // Random.cpp
Status runRandomNormal(const KernelCall &call);    //
Status runRandomTruncatedNormal(const KernelCall &call);
Status runMatMul(const KernelCall &call);  // MatMul.cpp
Status runReduce(const KernelCall &call);  // Reductions.cpp
Status runArg(const KernelCall &call);     //
Status runCumsum(const KernelCall &call);  // Scans.cpp
Status runTopK(const KernelCall &call);    //
Status runSoftmax(const KernelCall &call); // Rows.cpp
Status runConv2d(const KernelCall &call);  // Convolution.cpp
Status runConv2dBackpropInput(const KernelCall &call);
Status runConv2dBackpropFilter(const KernelCall &call);
Status runDepthwise(const KernelCall &call); // Depthwise.cpp
Status runDepthwiseBackpropInput(const KernelCall &call);
Status runDepthwiseBackpropFilter(const KernelCall &call);
Status runMaxPool(const KernelCall &call);     // Pooling.cpp
Status runAvgPool(const KernelCall &call);     //
Status runMaxPoolGrad(const KernelCall &call); //
Status runAvgPoolGrad(const KernelCall &call); //
Status runSoftmaxCrossEntropy(const KernelCall &call);
Status runOneHot(const KernelCall &call);
Status runConstant(const KernelCall &call);         // Shapes.cpp
Status runReshape(const KernelCall &call);          //
Status runBroadcastTo(const KernelCall &call);      //
Status runTranspose(const KernelCall &call);        // Moves.cpp
Status runSlice(const KernelCall &call);            // Moves.cpp
Status runStridedSlice(const KernelCall &call);     // Moves.cpp
Status runStridedSliceGrad(const KernelCall &call); // Moves.cpp
Status runPad(const KernelCall &call);              // Moves.cpp
Status runMirrorPadGrad(const KernelCall &call);    // Moves.cpp
Status runTile(const KernelCall &call);             // Moves.cpp
Status runFill(const KernelCall &call);             // Moves.cpp
Status runRange(const KernelCall &call);            // Moves.cpp
Status runConcat(const KernelCall &call);           // Joins.cpp
Status runStack(const KernelCall &call);            // Joins.cpp
Status runSplit(const KernelCall &call);            // Joins.cpp
Status runUnstack(const KernelCall &call);          // Joins.cpp
Status runShape(const KernelCall &call);            // Joins.cpp
Status runGather(const KernelCall &call);           // Gather.cpp
Status runIndexedSlices(const KernelCall &call);    // Gather.cpp
Status runScatter(const KernelCall &call);          // Gather.cpp
Status runUniqueRows(const KernelCall &call);       // Gather.cpp

} // namespace dtc

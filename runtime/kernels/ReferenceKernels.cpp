#include "runtime/kernels/ReferenceKernels.h"

#include "runtime/kernels/KernelCall.h"

#include <algorithm>

using namespace dtc;

namespace {
struct Entry {
  const char *op;
  Status (*run)(const KernelCall &);
};

constexpr Entry kKernels[] = {
    {"graph.abs", runUnary},
    {"graph.add", runBinary},
    {"graph.apply_adagrad", runAdagrad},
    {"graph.apply_adam", runAdam},
    {"graph.apply_gradient_descent", runGradientDescent},
    {"graph.apply_momentum", runMomentum},
    {"graph.apply_rmsprop", runRmsprop},
    {"graph.argmax", runArg},
    {"graph.argmin", runArg},
    {"graph.avg_pool", runAvgPool},
    {"graph.avg_pool_grad", runAvgPoolGrad},
    {"graph.batch_matmul", runMatMul},
    {"graph.bias_add", runBinary},
    {"graph.broadcast_to", runBroadcastTo},
    {"graph.cast", runCast},
    {"graph.ceil", runUnary},
    {"graph.clip", runClip},
    {"graph.concat", runConcat},
    {"graph.constant", runConstant},
    {"graph.conv2d", runConv2d},
    {"graph.conv2d_backprop_filter", runConv2dBackpropFilter},
    {"graph.conv2d_backprop_input", runConv2dBackpropInput},
    {"graph.cos", runUnary},
    {"graph.cumsum", runCumsum},
    {"graph.depthwise_conv2d", runDepthwise},
    {"graph.depthwise_conv2d_backprop_filter", runDepthwiseBackpropFilter},
    {"graph.depthwise_conv2d_backprop_input", runDepthwiseBackpropInput},
    {"graph.div", runBinary},
    {"graph.elu", runUnary},
    {"graph.equal", runEqual},
    {"graph.erf", runUnary},
    {"graph.exp", runUnary},
    {"graph.expand_dims", runReshape},
    {"graph.fill", runFill},
    {"graph.floor", runUnary},
    {"graph.floor_div", runBinary},
    {"graph.floor_mod", runBinary},
    {"graph.gather", runGather},
    {"graph.gelu", runGelu},
    {"graph.greater", runCompare},
    {"graph.greater_equal", runCompare},
    {"graph.indexed_slices", runIndexedSlices},
    {"graph.leaky_relu", runLeakyRelu},
    {"graph.less", runCompare},
    {"graph.less_equal", runCompare},
    {"graph.log", runUnary},
    {"graph.logical_and", runLogical},
    {"graph.logical_not", runLogicalNot},
    {"graph.logical_or", runLogical},
    {"graph.matmul", runMatMul},
    {"graph.max_pool", runMaxPool},
    {"graph.max_pool_grad", runMaxPoolGrad},
    {"graph.maximum", runBinary},
    {"graph.minimum", runBinary},
    {"graph.mirror_pad_grad", runMirrorPadGrad},
    {"graph.mul", runBinary},
    {"graph.neg", runUnary},
    {"graph.not_equal", runEqual},
    {"graph.one_hot", runOneHot},
    {"graph.pad", runPad},
    {"graph.pow", runPow},
    {"graph.random_normal", runRandomNormal},
    {"graph.random_truncated_normal", runRandomTruncatedNormal},
    {"graph.random_uniform", runRandomUniform},
    {"graph.range", runRange},
    {"graph.reduce_max", runReduce},
    {"graph.reduce_mean", runReduce},
    {"graph.reduce_min", runReduce},
    {"graph.reduce_prod", runReduce},
    {"graph.reduce_sum", runReduce},
    {"graph.relu", runUnary},
    {"graph.relu6", runUnary},
    {"graph.relu_grad", runReluGrad},
    {"graph.replica_mean", runReplicaMean},
    {"graph.reshape", runReshape},
    {"graph.rsqrt", runUnary},
    {"graph.scatter_add", runScatter},
    {"graph.scatter_update", runScatter},
    {"graph.select", runChoice},
    {"graph.shape", runShape},
    {"graph.sigmoid", runUnary},
    {"graph.sign", runUnary},
    {"graph.sin", runUnary},
    {"graph.slice", runSlice},
    {"graph.softmax", runSoftmax},
    {"graph.softmax_cross_entropy", runSoftmaxCrossEntropy},
    {"graph.softplus", runUnary},
    {"graph.split", runSplit},
    {"graph.sqrt", runUnary},
    {"graph.square", runUnary},
    {"graph.squeeze", runReshape},
    {"graph.stack", runStack},
    {"graph.strided_slice", runStridedSlice},
    {"graph.strided_slice_grad", runStridedSliceGrad},
    {"graph.sub", runBinary},
    {"graph.tanh", runUnary},
    {"graph.tile", runTile},
    {"graph.top_k", runTopK},
    {"graph.transpose", runTranspose},
    {"graph.unique_rows", runUniqueRows},
    {"graph.unstack", runUnstack},
    {"graph.where", runChoice},
};

const Entry *find(const std::string &op) {
  const Entry *it = std::find_if(std::begin(kKernels), std::end(kKernels),
                                 [&](const Entry &e) { return op == e.op; });
  return it == std::end(kKernels) ? nullptr : it;
}
} // namespace

bool dtc::hasReferenceKernel(const std::string &op) { return find(op); }

Status dtc::runReferenceKernel(const std::string &op,
                               std::span<const TensorRef> operands,
                               std::span<const TensorRef> results,
                               const Attributes &attributes) {
  const Entry *entry = find(op);
  if (!entry)
    return Status::unimplemented("no reference kernel for '" + op + "'");
  KernelCall call{op, operands, results, attributes};
  DTC_RETURN_IF_ERROR(call.check());
  return entry->run(call);
}

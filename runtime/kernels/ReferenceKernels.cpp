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
    {"graph.add", runBinary},
    {"graph.apply_adagrad", runAdagrad},
    {"graph.apply_adam", runAdam},
    {"graph.apply_gradient_descent", runGradientDescent},
    {"graph.apply_momentum", runMomentum},
    {"graph.apply_rmsprop", runRmsprop},
    {"graph.argmax", runArgMax},
    {"graph.bias_add", runBinary},
    {"graph.broadcast_to", runBroadcastTo},
    {"graph.cast", runCast},
    {"graph.constant", runConstant},
    {"graph.div", runBinary},
    {"graph.equal", runEqual},
    {"graph.exp", runUnary},
    {"graph.log", runUnary},
    {"graph.matmul", runMatMul},
    {"graph.maximum", runBinary},
    {"graph.mul", runBinary},
    {"graph.neg", runUnary},
    {"graph.one_hot", runOneHot},
    {"graph.random_normal", runRandomNormal},
    {"graph.random_truncated_normal", runRandomTruncatedNormal},
    {"graph.random_uniform", runRandomUniform},
    {"graph.reduce_max", runReduce},
    {"graph.reduce_mean", runReduce},
    {"graph.reduce_sum", runReduce},
    {"graph.relu", runUnary},
    {"graph.relu_grad", runReluGrad},
    {"graph.replica_mean", runReplicaMean},
    {"graph.reshape", runReshape},
    {"graph.softmax", runSoftmax},
    {"graph.softmax_cross_entropy", runSoftmaxCrossEntropy},
    {"graph.sqrt", runUnary},
    {"graph.square", runUnary},
    {"graph.sub", runBinary},
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

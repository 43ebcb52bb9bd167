#include "dialects/graph/Cost.h"

#include <algorithm>
#include <cmath>

#include "dialects/graph/Ops.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace dtc::graph {
namespace {

int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : 0;
}

int64_t resultElements(Operation *op) {
  int64_t elements = 0;
  for (Value result : op->getResults())
    elements += elementsOf(result);
  return elements;
}

int64_t lastDim(Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  return shape.empty() ? 1 : shape.back();
}

OpCost multiplyAdds(int64_t count) { return {.multiplyAdds = count}; }
OpCost operations(int64_t count) { return {.operations = count}; }

template <typename ProductOp>
OpCost productCost(ProductOp op) {
  auto shape = cast<RankedTensorType>(op.getA().getType()).getShape();
  int64_t inner = shape[shape.size() - (op.getTransposeA() ? 2 : 1)];
  return multiplyAdds(elementsOf(op.getResult()) * inner);
}

/// Each element of dy (or y) meets a filter of one output channel.
OpCost convolutionCost(Value y, Value filter, bool isDepthwise) {
  auto shape = cast<RankedTensorType>(filter.getType()).getShape();
  int64_t taps = shape[0] * shape[1] * (isDepthwise ? 1 : shape[2]);
  return multiplyAdds(elementsOf(y) * taps);
}

int64_t windowSize(ArrayRef<int64_t> window) {
  int64_t size = 1;
  for (int64_t dim : window)
    size *= dim;
  return size;
}

/// How many exps an element of an element-wise op is worth; 0 for arithmetic.
int64_t expsOf(Operation *op) {
  if (isa<PowOp>(op))
    return 7;
  if (isa<ErfOp, GeluOp, SinOp, CosOp>(op))
    return 3;
  if (isa<ExpOp, LogOp, TanhOp, SigmoidOp, SoftplusOp, EluOp>(op))
    return 1;
  return 0;
}

OpCost elementwiseCost(Operation *op) {
  int64_t elements = resultElements(op);
  if (int64_t exps = expsOf(op))
    return {.specials = exps * elements};
  bool isSlow = isa<DivOp, SqrtOp, RsqrtOp, FloorDivOp, FloorModOp>(op);
  return operations((isSlow ? 4 : 1) * elements);
}

/// Along rows: a maximum, exps, a sum, a division or the like.
OpCost rowsCost(Value x) {
  return {.operations = 4 * elementsOf(x), .specials = elementsOf(x)};
}

/// Passes of a sort.
OpCost sortCost(Value x) {
  double length = std::max<int64_t>(2, lastDim(x));
  return operations(
      int64_t(double(elementsOf(x)) * 2 * std::ceil(std::log2(length))));
}

/// Elements of the variable, and arithmetic on each.
OpCost applyCost(Operation *op, int64_t each) {
  return operations(each * elementsOf(op->getOperand(0)));
}

/// Products, convolutions, and their gradients; nothing for other ops.
OpCost contractionCost(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpCost>(op)
      .Case<MatmulOp, BatchMatmulOp>([](auto p) { return productCost(p); })
      .Case([](Conv2dOp c) {
        return convolutionCost(c.getY(), c.getFilter(), false);
      })
      .Case([](DepthwiseConv2dOp c) {
        return convolutionCost(c.getY(), c.getFilter(), true);
      })
      .Case([](Conv2dBackpropInputOp c) {
        return convolutionCost(c.getRhs(), c.getLhs(), false);
      })
      .Case([](DepthwiseConv2dBackpropInputOp c) {
        return convolutionCost(c.getRhs(), c.getLhs(), true);
      })
      .Case([](Conv2dBackpropFilterOp c) {
        return convolutionCost(c.getRhs(), c.getGradient(), false);
      })
      .Case([](DepthwiseConv2dBackpropFilterOp c) {
        return convolutionCost(c.getRhs(), c.getGradient(), true);
      })
      .Default([](Operation *) { return OpCost(); });
}

OpCost poolCost(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpCost>(op)
      .Case<MaxPoolOp, AvgPoolOp>([](auto pool) {
        return operations(elementsOf(pool.getY()) *
                          windowSize(pool.getWindow()));
      })
      .Case([](MaxPoolGradOp pool) {
        return operations(2 * elementsOf(pool.getY()) *
                          windowSize(pool.getWindow()));
      })
      .Case([](AvgPoolGradOp pool) {
        return operations(elementsOf(pool.getDy()) *
                          windowSize(pool.getWindow()));
      })
      .Default([](Operation *) { return OpCost(); });
}

/// What changes variables, by the arithmetic on each element.
OpCost updateCost(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpCost>(op)
      .Case([](ApplyGradientDescentOp op) { return applyCost(op, 2); })
      .Case([](ApplyMomentumOp op) { return applyCost(op, 4); })
      .Case([](ApplyAdagradOp op) { return applyCost(op, 12); })
      .Case<ApplyAdamOp, ApplyRmspropOp>(
          [](Operation *apply) { return applyCost(apply, 18); })
      .Case([](ReplicaMeanOp mean) {
        return operations(int64_t(mean->getNumOperands()) *
                          resultElements(mean));
      })
      .Default([](Operation *) { return OpCost(); });
}

/// What goes along rows or over all elements.
OpCost sweepCost(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpCost>(op)
      .Case<SoftmaxOp, LogSoftmaxOp, SoftmaxCrossEntropyOp,
            DenseSoftmaxCrossEntropyOp, SigmoidCrossEntropyOp>(
          [](Operation *rows) { return rowsCost(rows->getOperand(0)); })
      .Case<BatchNormOp, BatchNormInferenceOp, LayerNormOp>(
          [](Operation *norm) {
            return operations(8 * elementsOf(norm->getOperand(0)));
          })
      .Case<ArgmaxOp, ArgminOp>([](Operation *best) {
        return operations(2 * elementsOf(best->getOperand(0)));
      })
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp,
            CumsumOp, L2LossOp>([](Operation *reduction) {
        return operations(elementsOf(reduction->getOperand(0)));
      })
      .Case<TopKOp, UniqueRowsOp>(
          [](Operation *sort) { return sortCost(sort->getOperand(0)); })
      .Case<RandomUniformOp, DropoutOp>([](Operation *random) {
        return operations(20 * resultElements(random));
      })
      .Case<RandomNormalOp, RandomTruncatedNormalOp>([](Operation *random) {
        int64_t elements = resultElements(random);
        return OpCost{.operations = 20 * elements, .specials = 3 * elements};
      })
      .Case<ScatterAddOp, IndexedSlicesOp>([](Operation *scatter) {
        return operations(elementsOf(scatter->getOperands().back()));
      })
      .Default([](Operation *) { return OpCost(); });
}

} // namespace

OpCost &OpCost::operator+=(const OpCost &other) {
  multiplyAdds += other.multiplyAdds;
  operations += other.operations;
  specials += other.specials;
  bytesRead += other.bytesRead;
  bytesWritten += other.bytesWritten;
  return *this;
}

int64_t sizeBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  return tensor.getNumElements() *
         std::max<int64_t>(1, tensor.getElementTypeBitWidth() / 8);
}

OpCost computationOf(Operation *op) {
  if (op->hasTrait<Elementwise>())
    return elementwiseCost(op);
  OpCost cost; // of one of these kinds; moves, views and constants: of none
  for (auto costOfKind : {contractionCost, poolCost, sweepCost, updateCost})
    cost += costOfKind(op);
  return cost;
}

OpCost costOf(Operation *op) {
  if (isa<ConstantOp, ReshapeOp, ExpandDimsOp, SqueezeOp, ReadOp, ShapeOp>(op))
    return {};
  OpCost cost = computationOf(op);
  for (Value result : op->getResults())
    cost.bytesWritten += sizeBytes(result.getType());
  for (Value operand : op->getOperands())
    cost.bytesRead += sizeBytes(operand.getType());
  // Only the rows that are asked for are read.
  if (auto gather = dyn_cast<GatherOp>(op))
    cost.bytesRead =
        cost.bytesWritten + sizeBytes(gather.getIndices().getType());
  if (isa<AssignOp, OutputOp>(op))
    cost.bytesWritten = cost.bytesRead; // a copy
  return cost;
}

double secondsOf(const OpCost &cost, const Rates &rates) {
  double computing = double(cost.multiplyAdds) / rates.multiplyAddsPerSecond +
                     double(cost.operations) / rates.operationsPerSecond +
                     double(cost.specials) / rates.specialsPerSecond;
  return std::max(computing, double(cost.bytes()) / rates.bytesPerSecond);
}

} // namespace dtc::graph

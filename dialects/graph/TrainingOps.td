// Training: what minimize expands to, and what replication inserts.
#ifndef DTC_DIALECTS_GRAPH_TRAININGOPS_TD
#define DTC_DIALECTS_GRAPH_TRAININGOPS_TD

include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Graph_GlobalStepOp
    : Graph_Op<"global_step", [Pure, Graph_StopsGradient]> {
  let summary = "how many steps were trained before this one";
  let description = [{
    Reads the variable @global_step, a scalar i64 that graph-expand-training
    declares if the module does not; every minimize adds 1 to it.
  }] #
                    doc<"a scalar of i64",
                          "DTC0110 where @global_step is something else",
                          "tf.compat.v1.train.get_global_step">.text;
  let results = (outs Graph_Count:$step);
  let assemblyFormat = "attr-dict";
}

def Graph_AssignAddOp
    : Graph_Op<"assign_add", [MemoryEffects<[MemWrite]>,
                              DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "adds a value to the variable, at the step's end";
  let description = [{
    Counts as the variable's one assignment of the step.
  }] #
                    doc<"the variable's",
                          "DTC0108 for an unknown variable, DTC0109 for another type",
                          "tf.compat.v1.assign_add">.text;
  let arguments = (ins FlatSymbolRefAttr:$variable, Graph_NumberTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

// Element-wise on a variable, its slots and its gradient, which have one type;
// the rate is a scalar of the same elements. Each arithmetic operation rounds.
class Graph_ApplyOp<string mnemonic, list<string> slots>
    : Graph_Op<mnemonic, [Pure, Graph_Elementwise, Graph_NoGradient,
        AllTypesMatch<!listconcat(["variable", "gradient", "new_variable"], slots)>,
        TypesMatchWith<"the learning rate is a scalar of the variable's elements",
                       "variable", "learning_rate",
                       "::mlir::RankedTensorType::get({}, ::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())">]>;

def Graph_ApplyGradientDescentOp : Graph_ApplyOp<"apply_gradient_descent", []> {
  let summary = "variable - gradient * learning_rate: two roundings";
  let description = doc<"variable, slots, gradient and results are alike; the rate is a scalar",
                          "DTC0105 where they are not",
                          "tf.raw_ops.ApplyGradientDescent">.text;
  let arguments = (ins Graph_FloatTensor:$variable, Graph_FloatTensor:$gradient,
                       Graph_FloatTensor:$learning_rate);
  let results = (outs Graph_FloatTensor:$new_variable);
  let assemblyFormat = [{
    $variable `,` $gradient `learning_rate` $learning_rate attr-dict
    `:` type($variable)
  }];
}

def Graph_ApplyMomentumOp
    : Graph_ApplyOp<"apply_momentum", ["slot", "new_slot"]> {
  let summary = "new slot = slot * momentum + gradient; new variable = variable - new slot * learning_rate";
  let description = [{
    With `nesterov` the variable becomes
    variable - (gradient * learning_rate + new slot * momentum * learning_rate).
    Each multiplication, addition and subtraction rounds, in the order written.
  }] #
                    doc<"variable, slots, gradient and results are alike; the rate is a scalar",
                          "DTC0105 where they are not",
                          "tf.raw_ops.ApplyMomentum">.text;
  let arguments = (ins Graph_FloatTensor:$variable, Graph_FloatTensor:$slot,
                       Graph_FloatTensor:$gradient,
                       Graph_FloatTensor:$learning_rate, F64Attr:$momentum,
                       UnitAttr:$nesterov);
  let results = (outs Graph_FloatTensor:$new_variable,
                      Graph_FloatTensor:$new_slot);
  let assemblyFormat = [{
    $variable `,` $slot `,` $gradient `learning_rate` $learning_rate
    `momentum` custom<Real>($momentum) (`nesterov` $nesterov^)? attr-dict `:` type($variable)
  }];
}

def Graph_ApplyAdagradOp
    : Graph_ApplyOp<"apply_adagrad", ["accumulator", "new_accumulator"]> {
  let summary = "new accumulator = accumulator + gradient^2; new variable = variable - gradient * learning_rate / (sqrt(new accumulator) + epsilon)";
  let description = doc<"variable, slots, gradient and results are alike; the rate is a scalar",
                          "DTC0105 where they are not",
                          "tf.raw_ops.ApplyAdagradV2">.text;
  let arguments = (ins Graph_FloatTensor:$variable,
                       Graph_FloatTensor:$accumulator,
                       Graph_FloatTensor:$gradient,
                       Graph_FloatTensor:$learning_rate, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$new_variable,
                      Graph_FloatTensor:$new_accumulator);
  let assemblyFormat = [{
    $variable `,` $accumulator `,` $gradient `learning_rate` $learning_rate
    `epsilon` custom<Real>($epsilon) attr-dict `:` type($variable)
  }];
}

def Graph_ApplyAdamOp
    : Graph_ApplyOp<"apply_adam", ["m", "v", "new_m", "new_v"]> {
  let summary = "new m = m + (gradient - m) * (1 - beta1); new v = v + (gradient^2 - v) * (1 - beta2); new variable = variable - learning_rate * new m / (sqrt(new v) + epsilon)";
  let description = [{
    `learning_rate` is already corrected for the bias of step t:
    rate * sqrt(1 - beta2^t) / (1 - beta1^t).
  }] #
                    doc<"variable, slots, gradient and results are alike; the rate is a scalar",
                          "DTC0105 where they are not",
                          "tf.raw_ops.ApplyAdam">.text;
  let arguments = (ins Graph_FloatTensor:$variable, Graph_FloatTensor:$m,
                       Graph_FloatTensor:$v, Graph_FloatTensor:$gradient,
                       Graph_FloatTensor:$learning_rate, F64Attr:$beta1,
                       F64Attr:$beta2, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$new_variable, Graph_FloatTensor:$new_m,
                      Graph_FloatTensor:$new_v);
  let assemblyFormat = [{
    $variable `,` $m `,` $v `,` $gradient `learning_rate` $learning_rate
    `beta1` custom<Real>($beta1) `beta2` custom<Real>($beta2) `epsilon` custom<Real>($epsilon) attr-dict
    `:` type($variable)
  }];
}

def Graph_ApplyRmspropOp
    : Graph_ApplyOp<"apply_rmsprop", ["ms", "mom", "new_ms", "new_mom"]> {
  let summary = "new ms = ms + (gradient^2 - ms) * (1 - rho); new mom = mom * momentum + gradient * learning_rate / sqrt(new ms + epsilon); new variable = variable - new mom";
  let description = doc<"variable, slots, gradient and results are alike; the rate is a scalar",
                          "DTC0105 where they are not",
                          "tf.raw_ops.ApplyRMSProp">.text;
  let arguments = (ins Graph_FloatTensor:$variable, Graph_FloatTensor:$ms,
                       Graph_FloatTensor:$mom, Graph_FloatTensor:$gradient,
                       Graph_FloatTensor:$learning_rate, F64Attr:$rho,
                       F64Attr:$momentum, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$new_variable,
                      Graph_FloatTensor:$new_ms, Graph_FloatTensor:$new_mom);
  let assemblyFormat = [{
    $variable `,` $ms `,` $mom `,` $gradient `learning_rate` $learning_rate
    `rho` custom<Real>($rho) `momentum` custom<Real>($momentum) `epsilon` custom<Real>($epsilon) attr-dict
    `:` type($variable)
  }];
}

def Graph_ReplicaMeanOp
    : Graph_Op<"replica_mean", [Pure, SameOperandsAndResultType,
                                Graph_Elementwise, Graph_NoGradient]> {
  let summary = "mean of the replicas' values";
  let description = [{
    Summed in operand order, starting with the first, then divided by their
    number.
  }] #
                    doc<"all alike",
                          "",
                          "tf.distribute.ReduceOp.MEAN">.text;
  let arguments = (ins Variadic<Graph_FloatTensor>:$values);
  let results = (outs Graph_FloatTensor:$mean);
  let assemblyFormat = "$values attr-dict `:` type($mean)";
}

#endif // DTC_DIALECTS_GRAPH_TRAININGOPS_TD

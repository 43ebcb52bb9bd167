// Initializers, schedules, optimizers, and the columns of a data set.
#ifndef DTC_DIALECTS_GRAPH_ATTRIBUTES_TD
#define DTC_DIALECTS_GRAPH_ATTRIBUTES_TD

include "dialects/graph/Dialect.td"
include "mlir/IR/CommonAttrConstraints.td"

class Graph_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Graph_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// Named parameters, of which those that exist are told where one is unknown.
class Graph_NamedAttr<string name, string attrMnemonic, dag fields>
    : Graph_Attr<name, attrMnemonic> {
  let parameters = fields;
  defvar names = !interleave(
      !foreach(i, !range(!size(fields)), !getdagname(fields, i)), ",");
  let assemblyFormat = "`<` custom<Names>(\"getMnemonic()\", \"\\\"" # names
                       # "\\\"\") `` struct(params) `>`";
  let genVerifyDecl = 1;
}

// A double, written in the fewest digits that read back to the same bits.
def Graph_Real : APFloatParameter<""> {
  let parser = "::dtc::graph::parseReal($_parser)";
  let printer = "$_printer.printFloat($_self)";
}

//===----------------------------------------------------------------------===//
// Initializers: a function of seed, variable name and these parameters only
//===----------------------------------------------------------------------===//

def Graph_FillAttr : Graph_Attr<"Fill", "fill"> {
  let summary = "every element is `value`";
  let parameters = (ins Graph_Real:$value);
  let builders = [AttrBuilder<(ins "double":$value), [{
    return $_get($_ctxt, ::llvm::APFloat(value));
  }]>];
  let assemblyFormat = "`<` $value `>`";
}

def Graph_UniformAttr : Graph_Attr<"Uniform", "uniform"> {
  let summary = "uniform in [low, high)";
  let parameters = (ins Graph_Real:$low, Graph_Real:$high);
  let builders = [AttrBuilder<(ins "double":$low, "double":$high), [{
    return $_get($_ctxt, ::llvm::APFloat(low), ::llvm::APFloat(high));
  }]>];
  let assemblyFormat = "`<` $low `,` $high `>`";
  let genVerifyDecl = 1;
}

class Graph_NormalLikeAttr<string name, string mnemonic>
    : Graph_Attr<name, mnemonic> {
  let parameters = (ins Graph_Real:$mean, Graph_Real:$stddev);
  let builders = [AttrBuilder<(ins "double":$mean, "double":$stddev), [{
    return $_get($_ctxt, ::llvm::APFloat(mean), ::llvm::APFloat(stddev));
  }]>];
  let assemblyFormat = "`<` $mean `,` $stddev `>`";
  let genVerifyDecl = 1;
}
def Graph_NormalAttr : Graph_NormalLikeAttr<"Normal", "normal"> {
  let summary = "normal with that mean and standard deviation";
}
def Graph_TruncatedNormalAttr
    : Graph_NormalLikeAttr<"TruncatedNormal", "truncated_normal"> {
  let summary = "normal, drawn again beyond two standard deviations";
}

def Graph_GlorotUniformAttr : Graph_Attr<"GlorotUniform", "glorot_uniform"> {
  let summary = "uniform within +-sqrt(6 / (fan in + fan out))";
  let assemblyFormat = "`` custom<NoParameters>(\"getMnemonic()\")";
}
def Graph_HeNormalAttr : Graph_Attr<"HeNormal", "he_normal"> {
  let summary = "truncated normal of variance 2 / fan in";
  let assemblyFormat = "`` custom<NoParameters>(\"getMnemonic()\")";
}

// An attribute of several kinds, held as it is.
class Graph_OneOfAttr<Pred predicate, string description>
    : Attr<predicate, description> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

// `dense<…>`, whose elements are at hand.
def Graph_DenseAttr
    : ElementsAttrBase<CPred<"::llvm::isa<::mlir::DenseElementsAttr>($_self)">,
                       "dense constant"> {
  let storageType = "::mlir::DenseElementsAttr";
  let returnType = "::mlir::DenseElementsAttr";
  let convertFromStorage = "$_self";
}

def Graph_InitializerAttr
    : Graph_OneOfAttr<CPred<"::dtc::graph::isInitializer($_self)">,
           "#graph.fill, #graph.uniform, #graph.normal, #graph.truncated_normal, "
           "#graph.glorot_uniform, #graph.he_normal or a dense constant">;

// "SAME", "VALID", or [top, bottom, left, right].
def Graph_PaddingAttr
    : Graph_OneOfAttr<CPred<"::dtc::graph::isPadding($_self)">,
           "\"SAME\", \"VALID\", or array<i64: top, bottom, left, right>">;

//===----------------------------------------------------------------------===//
// Schedules: a learning rate as a function of the step
//===----------------------------------------------------------------------===//

// A double with a default.
class Graph_RealOr<string value> : APFloatParameter<""> {
  let parser = "::dtc::graph::parseReal($_parser)";
  let printer = "$_printer.printFloat($_self)";
  let defaultValue = "::llvm::APFloat(" # value # ")";
}
// `true` or `false`, which may be left out.
def Graph_Switch : AttrOrTypeParameter<"bool", ""> {
  let parser = "::dtc::graph::parseSwitch($_parser)";
  let printer = [{$_printer << ($_self ? "true" : "false")}];
  let defaultValue = "false";
}
// A number, held as an f64, or a schedule.
def Graph_Rate : AttrOrTypeParameter<"::mlir::Attribute", ""> {
  let parser = "::dtc::graph::parseRate($_parser)";
  let printer = "::dtc::graph::printRate($_printer, $_self)";
}
// Whole numbers and doubles in brackets.
def Graph_Integers : AttrOrTypeParameter<"::mlir::DenseI64ArrayAttr", "">;
def Graph_Reals : AttrOrTypeParameter<"::mlir::DenseF64ArrayAttr", ""> {
  let parser = "::dtc::graph::parseReals($_parser)";
}

def Graph_PiecewiseConstantAttr
    : Graph_NamedAttr<"PiecewiseConstant", "piecewise_constant",
        (ins Graph_Integers:$boundaries, Graph_Reals:$values,
             DefaultValuedParameter<"int64_t", "noBatch">:$batch)> {
  let summary = "values[i], where i boundaries are below the step";
  let description = [{
    ```mlir
    #graph.piecewise_constant<boundaries = [40000, 60000],
                              values = [0.1, 0.01, 0.001], batch = 128>
    ```
    The step equal to a boundary still has the value before it. With `batch`,
    the examples of all replicas in a step, boundaries count examples: the
    boundary in steps is boundary / batch, rounded down. Source: TensorFlow's
    piecewise_constant.
  }];
}

def Graph_ExponentialDecayAttr
    : Graph_NamedAttr<"ExponentialDecay", "exponential_decay",
        (ins Graph_Real:$rate, "int64_t":$decay_steps,
             Graph_Real:$decay_rate, Graph_Switch:$staircase)> {
  let summary = "rate * decay_rate ^ (step / decay_steps)";
  let description = [{
    With `staircase = true` the exponent is rounded down. Source: TensorFlow's
    exponential_decay.
  }];
}

def Graph_CosineDecayAttr
    : Graph_NamedAttr<"CosineDecay", "cosine_decay",
        (ins Graph_Real:$rate, "int64_t":$decay_steps,
             Graph_RealOr<"0.0">:$alpha)> {
  let summary = "rate * ((1 - alpha) * (1 + cos(pi * p)) / 2 + alpha), p = min(step / decay_steps, 1)";
  let description = "Source: TensorFlow's cosine_decay.";
}

def Graph_WarmUpAttr
    : Graph_NamedAttr<"WarmUp", "warm_up",
        (ins "int64_t":$steps, Graph_Rate:$after)> {
  let summary = "min(step / steps, 1) * after(max(step, steps))";
  let description = [{
    ```mlir
    #graph.warm_up<steps = 100, after = #graph.cosine_decay<rate = 0.1, decay_steps = 1000>>
    ```
    From 0, in a line, to what `after`, a number or a schedule, says at step
    `steps`; then `after`. Source: LinearWarmup of TensorFlow's Model Garden.
  }];
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

// Everywhere, learning_rate is a number or a schedule.
def Graph_SgdAttr
    : Graph_NamedAttr<"Sgd", "sgd",
        (ins Graph_Rate:$learning_rate)> {
  let summary = "variable -= learning_rate * gradient";
}

def Graph_MomentumAttr
    : Graph_NamedAttr<"Momentum", "momentum",
        (ins Graph_Rate:$learning_rate, Graph_Real:$momentum,
             Graph_Switch:$nesterov)> {
  let summary = "slot = slot * momentum + gradient; variable -= learning_rate * slot";
  let description = "With `nesterov = true` as graph.apply_momentum says.";
}

def Graph_AdagradAttr
    : Graph_NamedAttr<"Adagrad", "adagrad",
        (ins Graph_Rate:$learning_rate,
             Graph_RealOr<"0.1">:$initial_accumulator,
             Graph_RealOr<"1e-7">:$epsilon)> {
  let summary = "steps that shrink with the sum of squared gradients: graph.apply_adagrad";
}

def Graph_AdamAttr
    : Graph_NamedAttr<"Adam", "adam",
        (ins Graph_Rate:$learning_rate, Graph_RealOr<"0.9">:$beta1,
             Graph_RealOr<"0.999">:$beta2,
             Graph_RealOr<"1e-7">:$epsilon)> {
  let summary = "graph.apply_adam, corrected for the bias of the step";
}

def Graph_AdamwAttr
    : Graph_NamedAttr<"Adamw", "adamw",
        (ins Graph_Rate:$learning_rate, Graph_RealOr<"0.9">:$beta1,
             Graph_RealOr<"0.999">:$beta2,
             Graph_RealOr<"1e-7">:$epsilon,
             Graph_Real:$weight_decay)> {
  let summary = "variable -= variable * (learning_rate * weight_decay); then adam";
  let description = "Source: Keras's AdamW.";
}

def Graph_RmspropAttr
    : Graph_NamedAttr<"Rmsprop", "rmsprop",
        (ins Graph_Rate:$learning_rate, Graph_RealOr<"0.9">:$rho,
             Graph_RealOr<"0.0">:$momentum,
             Graph_RealOr<"1e-7">:$epsilon)> {
  let summary = "steps divided by the root of a running mean of squares: graph.apply_rmsprop";
}

def Graph_LambAttr
    : Graph_NamedAttr<"Lamb", "lamb",
        (ins Graph_Rate:$learning_rate, Graph_RealOr<"0.9">:$beta1,
             Graph_RealOr<"0.999">:$beta2,
             Graph_RealOr<"1e-6">:$epsilon,
             Graph_RealOr<"0.0">:$weight_decay)> {
  let summary = "adam's step, as long as the variable's norm times learning_rate";
  let description = [{
    With m and v as adam has them and t = step + 1:
    u = (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
        + variable * weight_decay;
    variable -= u * (learning_rate * |variable| / |u|), where a norm of 0 makes
    the quotient 1. Source: TensorFlow Addons' LAMB.
  }];
}

def Graph_OptimizerAttr
    : Graph_OneOfAttr<CPred<"::dtc::graph::isOptimizer($_self)">,
           "#graph.sgd, #graph.momentum, #graph.adagrad, #graph.adam, "
           "#graph.adamw, #graph.rmsprop or #graph.lamb">;

//===----------------------------------------------------------------------===//
// Data sets
//===----------------------------------------------------------------------===//

def Graph_ColumnAttr : Graph_Attr<"Column", "column"> {
  let summary = "fields [first, end) of a record, as one tensor";
  let description = [{
    `value = field * scale`; `range` bounds the valid *fields*, inclusive, so
    that `dtc verify` can make valid rows. Scale is 1 where the tensor's
    elements are integers.
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$first,
                        "int64_t":$end, Graph_Real:$scale, Graph_Real:$min,
                        Graph_Real:$max);
  let assemblyFormat = [{
    `<` $name `,` `fields` $first `to` $end `,` `scale` $scale `,`
        `range` $min `to` $max `>`
  }];
  let genVerifyDecl = 1;
}

#endif // DTC_DIALECTS_GRAPH_ATTRIBUTES_TD

// The ops of the graph dialect. Names and meaning are TensorFlow's where it
// has the op. Every result is rounded once, to the result's element type.
#ifndef DTC_DIALECTS_GRAPH_OPS_TD
#define DTC_DIALECTS_GRAPH_OPS_TD

include "dialects/graph/Attributes.td"
include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

defvar Gradient = DeclareOpInterfaceMethods<Graph_GradientOpInterface>;
defvar UsesSymbols = DeclareOpInterfaceMethods<SymbolUserOpInterface>;

//===----------------------------------------------------------------------===//
// Structure: entry points, variables, data, results
//===----------------------------------------------------------------------===//

def Graph_FuncOp : Graph_Op<"func", [FunctionOpInterface, IsolatedFromAbove,
                                     SingleBlock, NoTerminator]> {
  let summary = "entry point; arguments are feeds";
  let description = [{
    ```mlir
    graph.func @predict(%x: tensor<1x64xf32>) { … }
    graph.func @train() attributes {graph.epochs = 20} { … }
    ```
    `graph.epochs` is how long to run when the command line does not say.
    The order of its ops is an order in which they may run. A variable is
    assigned at most once, and an output name is given at most once.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 CArg<"::mlir::TypeRange", "{}">:$feeds)>];
  let extraClassDeclaration = printsNames # [{
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn setName) {
      ::dtc::graph::printArgumentNames(region, setName);
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Graph_VariableOp : Graph_Op<"variable", [Symbol]> {
  let summary = "state that steps share; `slot` says that an optimizer made it";
  let description = [{
    ```mlir
    graph.variable @w1 : tensor<64x64xf32> = #graph.glorot_uniform
    ```
    The initializer is one of the dialect's (fill, uniform, normal,
    truncated_normal, glorot_uniform, he_normal) or a `dense` constant.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<Graph_AnyTensor>:$type,
                       Graph_InitializerAttr:$initializer, UnitAttr:$slot);
  let assemblyFormat = [{
    $sym_name `:` $type `=` $initializer (`slot` $slot^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Graph_InputOp : Graph_Op<"input", [Pure, Graph_StopsGradient]> {
  let summary = "the replica's next rows of a data set, one result per column";
  let description = [{
    ```mlir
    %pixels, %label = graph.input "digits" at "digits.csv.gz" rows 0 to 1500
        shuffle [#graph.column<"pixels", …>, #graph.column<"label", …>]
        : tensor<30x64xf32>, tensor<30xi64>
    ```
    `at` is the file to read when the run names no other (`--data`). The
    leading dimension of every result is one replica's batch.
  }];
  let arguments = (ins StrAttr:$dataset, OptionalAttr<StrAttr>:$path,
                       I64Attr:$first_row, I64Attr:$end_row, UnitAttr:$shuffle,
                       TypedArrayAttrBase<Graph_ColumnAttr,
                                          "array of #graph.column">:$columns);
  let results = (outs Variadic<Graph_AnyTensor>:$values);
  let assemblyFormat = [{
    $dataset (`at` $path^)? `rows` $first_row `to` $end_row
    (`shuffle` $shuffle^)? $columns attr-dict `:` type($values)
  }];
  let hasVerifier = 1;
}

def Graph_ReadOp : Graph_Op<"read", [Pure, UsesSymbols, Graph_StopsGradient]> {
  let summary = "the variable's value at the step's start";
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Graph_AnyTensor:$value);
  let assemblyFormat = "$variable attr-dict `:` type($value)";
}

def Graph_AssignOp : Graph_Op<"assign", [MemoryEffects<[MemWrite]>, UsesSymbols]> {
  let summary = "gives the variable a value, at the step's end";
  let arguments = (ins FlatSymbolRefAttr:$variable, Graph_AnyTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Graph_OutputOp : Graph_Op<"output", [MemoryEffects<[MemWrite]>]> {
  let summary = "names a value that the step returns to the chief";
  let description = [{
    ```mlir
    graph.output "loss" = %loss : tensor<f32>
    ```
  }];
  let arguments = (ins StrAttr:$output_name, Graph_AnyTensor:$value);
  let assemblyFormat = "$output_name `=` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Graph_MinimizeOp
    : Graph_Op<"minimize", [MemoryEffects<[MemWrite]>, UsesSymbols]> {
  let summary = "one step of an optimizer on all variables, or on those named";
  let description = [{
    ```mlir
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1> for [@w]
    ```
    `graph-expand-training` turns it into gradients, apply ops and assignments.
  }];
  let arguments = (ins Graph_FloatTensor:$loss, Graph_OptimizerAttr:$optimizer,
                       OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr,
                           "array of variables">>:$variables);
  let assemblyFormat = [{
    $loss `:` type($loss) `with` $optimizer (`for` $variables^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Graph_ConstantOp
    : Graph_Op<"constant", [ConstantLike, Pure, InferTypeOpAdaptor,
                            Graph_StopsGradient]> {
  let summary = "a value written in the graph";
  let arguments = (ins Graph_DenseAttr:$value);
  let results = (outs Graph_AnyTensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

class Graph_UnaryOp<string mnemonic, Type type, list<Trait> traits = [Gradient]>
    : Graph_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$x);
  let results = (outs type:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Graph_NegOp : Graph_UnaryOp<"neg", Graph_SignedTensor> {
  let summary = "-x";
  let hasFolder = 1;
}
def Graph_ExpOp : Graph_UnaryOp<"exp", Graph_FloatTensor> {
  let summary = "e to the x";
}
def Graph_LogOp : Graph_UnaryOp<"log", Graph_FloatTensor> {
  let summary = "natural logarithm";
}
def Graph_SqrtOp : Graph_UnaryOp<"sqrt", Graph_FloatTensor> {
  let summary = "square root";
}
def Graph_SquareOp : Graph_UnaryOp<"square", Graph_NumberTensor> {
  let summary = "x * x";
}
def Graph_ReluOp : Graph_UnaryOp<"relu", Graph_FloatTensor> {
  let summary = "maximum(x, 0)";
}

def Graph_ReluGradOp
    : Graph_Op<"relu_grad", [Pure, SameOperandsAndResultType, Gradient]> {
  let summary = "dy where x > 0, else 0 (TensorFlow's ReluGrad)";
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $x attr-dict `:` type($dx)";
}

// Shapes broadcast as in NumPy; element types are equal.
class Graph_BinaryOp<string mnemonic, Type type, Type result = type,
                     list<Trait> traits = [Gradient]>
    : Graph_Op<mnemonic, !listconcat([Pure, InferTypeOpAdaptor], traits)> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs result:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Graph_AddOp : Graph_BinaryOp<"add", Graph_NumberTensor> {
  let summary = "lhs + rhs; integers wrap";
  let hasFolder = 1;
}
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumberTensor> {
  let summary = "lhs - rhs; integers wrap";
  let hasFolder = 1;
}
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumberTensor> {
  let summary = "lhs * rhs; integers wrap";
  let hasFolder = 1;
}
def Graph_DivOp : Graph_BinaryOp<"div", Graph_FloatTensor> {
  let summary = "lhs / rhs";
  let hasFolder = 1;
}
def Graph_MaximumOp : Graph_BinaryOp<"maximum", Graph_NumberTensor> {
  let summary = "the larger of lhs and rhs; NaN if either is NaN";
}
def Graph_EqualOp : Graph_BinaryOp<"equal", Graph_AnyTensor, Graph_BoolTensor,
                                   [Graph_StopsGradient]> {
  let summary = "whether lhs and rhs are equal";
}

// Result type is written: `%y = graph.cast %x : A to B`.
class Graph_ToTypeOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, !listconcat([Pure, Gradient], traits)> {
  let arguments = (ins Graph_AnyTensor:$x);
  let results = (outs Graph_AnyTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($y)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Graph_CastOp : Graph_ToTypeOp<"cast"> {
  let summary = "changes the element type";
  let description = [{
    Float to float rounds to nearest even; float to integer truncates toward
    zero and saturates, NaN becomes 0; anything to i1 is `x != 0`; i1 to a
    number is 0 or 1; integer to integer wraps.
  }];
}
def Graph_ReshapeOp : Graph_ToTypeOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
}
def Graph_BroadcastToOp : Graph_ToTypeOp<"broadcast_to"> {
  let summary = "repeats x along new and along unit dimensions (NumPy's rule)";
}

//===----------------------------------------------------------------------===//
// Linear algebra and neural networks
//===----------------------------------------------------------------------===//

def Graph_MatmulOp
    : Graph_Op<"matmul", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "matrix product, accumulated sequentially over the inner dimension";
  let description = [{
    ```mlir
    %d = graph.matmul %x, %dy transpose_a : tensor<32x64xf32>, tensor<32x10xf32>
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$a, Graph_FloatTensor:$b,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    attr-dict `:` type($a) `,` type($b)
  }];
}

def Graph_BiasAddOp
    : Graph_Op<"bias_add", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "adds a vector along the last dimension";
  let arguments = (ins Graph_NumberTensor:$x, Graph_NumberTensor:$bias);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = "$x `,` $bias attr-dict `:` type($x) `,` type($bias)";
}

def Graph_SoftmaxOp : Graph_UnaryOp<"softmax", Graph_FloatTensor> {
  let summary = "exp(x - max) / sum(exp(x - max)) along the last dimension";
  let hasVerifier = 1;
}

def Graph_SoftmaxCrossEntropyOp
    : Graph_Op<"softmax_cross_entropy", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "-log(softmax(logits)[label]) of each row";
  let description = [{
    Per row: log(sum(exp(x - max))) - (x[label] - max). A label outside
    [0, classes) is an error of the data, reported when the step runs.
  }];
  let arguments = (ins Graph_FloatTensor:$logits, Graph_IndexTensor:$labels);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels)
  }];
}

def Graph_OneHotOp
    : Graph_Op<"one_hot", [Pure, InferTypeOpAdaptor, Graph_StopsGradient]> {
  let summary = "1 at the label's place of a new last dimension, else 0";
  let description = [{
    ```mlir
    %h = graph.one_hot %labels depth 10 as f32 : tensor<30xi64>
    ```
  }];
  let arguments = (ins Graph_IndexTensor:$labels, I64Attr:$depth,
                       TypeAttr:$element_type);
  let results = (outs Graph_AnyTensor:$result);
  let assemblyFormat = [{
    $labels `depth` $depth `as` $element_type attr-dict `:` type($labels)
  }];
}

//===----------------------------------------------------------------------===//
// Reductions: one canonical order, a function of the reduced length only
//===----------------------------------------------------------------------===//

class Graph_ReductionOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Gradient]> {
  let description = [{
    ```mlir
    %m = graph.reduce_mean %x axes [0, 2] keep_dims : tensor<4x5x6xf32>
    ```
    Axes ascend. The reduced elements are taken in row-major order.
  }];
  let arguments = (ins type:$x, DenseI64ArrayAttr:$axes, UnitAttr:$keep_dims);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $x `axes` $axes (`keep_dims` $keep_dims^)? attr-dict `:` type($x)
  }];
}

def Graph_ReduceSumOp : Graph_ReductionOp<"reduce_sum", Graph_NumberTensor> {
  let summary = "sum over axes";
}
def Graph_ReduceMeanOp : Graph_ReductionOp<"reduce_mean", Graph_FloatTensor> {
  let summary = "sum over axes, divided by the number of elements reduced";
}
def Graph_ReduceMaxOp : Graph_ReductionOp<"reduce_max", Graph_NumberTensor> {
  let summary = "maximum over axes; NaN if any is NaN";
}

def Graph_ArgmaxOp
    : Graph_Op<"argmax", [Pure, InferTypeOpAdaptor, Graph_StopsGradient]> {
  let summary = "index of the largest element along an axis; the first of equals";
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$axis);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// Training: what minimize expands to, and what replication inserts
//===----------------------------------------------------------------------===//

def Graph_ApplyGradientDescentOp
    : Graph_Op<"apply_gradient_descent", [Pure, SameOperandsAndResultType,
                                          Graph_NoGradient]> {
  let summary = "variable - gradient * learning_rate: two roundings";
  let arguments = (ins Graph_FloatTensor:$variable, Graph_FloatTensor:$gradient,
                       F64Attr:$learning_rate);
  let results = (outs Graph_FloatTensor:$new_variable);
  let assemblyFormat = [{
    $variable `,` $gradient `learning_rate` $learning_rate attr-dict
    `:` type($variable)
  }];
}

def Graph_ApplyMomentumOp
    : Graph_Op<"apply_momentum", [Pure, SameOperandsAndResultType,
                                  Graph_NoGradient]> {
  let summary = "new slot = slot * momentum + gradient; new variable = variable - new slot * learning_rate";
  let description = "Each multiplication, addition and subtraction rounds.";
  let arguments = (ins Graph_FloatTensor:$variable, Graph_FloatTensor:$slot,
                       Graph_FloatTensor:$gradient, F64Attr:$learning_rate,
                       F64Attr:$momentum);
  let results = (outs Graph_FloatTensor:$new_variable,
                      Graph_FloatTensor:$new_slot);
  let assemblyFormat = [{
    $variable `,` $slot `,` $gradient `learning_rate` $learning_rate
    `momentum` $momentum attr-dict `:` type($variable)
  }];
}

def Graph_ReplicaMeanOp
    : Graph_Op<"replica_mean", [Pure, SameOperandsAndResultType,
                                Graph_NoGradient]> {
  let summary = "mean of the replicas' values";
  let description = [{
    Summed in operand order, starting with the first, then divided by their
    number.
  }];
  let arguments = (ins Variadic<Graph_FloatTensor>:$values);
  let results = (outs Graph_FloatTensor:$mean);
  let assemblyFormat = "$values attr-dict `:` type($mean)";
}

#endif // DTC_DIALECTS_GRAPH_OPS_TD

// The ops of the graph dialect: structure here, the others in a file a kind.
// Names and meaning are TensorFlow's where it has the op. Every result is
// rounded once, to the result's element type.
#ifndef DTC_DIALECTS_GRAPH_OPS_TD
#define DTC_DIALECTS_GRAPH_OPS_TD

include "dialects/graph/Attributes.td"
include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "dialects/graph/MathOps.td"
include "dialects/graph/NeuralOps.td"
include "dialects/graph/RandomOps.td"
include "dialects/graph/ReductionOps.td"
include "dialects/graph/ShapeOps.td"
include "dialects/graph/TrainingOps.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

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

    A private function is a block that entry points call, written once. It
    returns values, and neither assigns, outputs, trains nor reads data.
    ```mlir
    graph.func private @dense(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %w = graph.read @w : tensor<4x4xf32>
      %y = graph.matmul %x, %w : tensor<8x4xf32>, tensor<4x4xf32>
      graph.return %y : tensor<8x4xf32>
    }
    ```
  }] #
                    doc<"feeds are tensors of any shape",
                          "DTC0106 and DTC0114 for what is no tensor, DTC0116 for results, DTC0110 for names given twice",
                          "tf.function with an input signature">.text;
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

def Graph_ReturnOp
    : Graph_Op<"return", [Terminator, HasParent<"FuncOp">, Graph_NoGradient]> {
  let summary = "the values of a private function";
  let arguments = (ins Variadic<Graph_AnyTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let description = doc<"those that the function declares",
                          "DTC0116 where they do not fit",
                          "tf.function">.text;
}

def Graph_CallOp : Graph_Op<"call", [UsesSymbols, Graph_NoGradient]> {
  let summary = "the ops of a private function, in this place";
  let description = [{
    ```mlir
    %h = graph.call @dense(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %h = graph.call @dense(%x) as "first" : (tensor<8x4xf32>) -> tensor<8x4xf32>
    ```
    `graph-inline` puts them there: the function's %y becomes %h, its other
    values get names below the call's ("h.w", or "first.w").
  }] #
                    doc<"those of the function",
                          "DTC0116 where operands or results do not fit",
                          "tf.raw_ops.PartitionedCall">.text;
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Graph_AnyTensor>:$inputs,
                       OptionalAttr<StrAttr>:$scope);
  let results = (outs Variadic<Graph_AnyTensor>:$values);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`as` $scope^)? attr-dict
    `:` functional-type($inputs, $values)
  }];
}

def Graph_VariableOp : Graph_Op<"variable", [Symbol]> {
  let summary = "state that steps share; `slot` says that an optimizer made it";
  let description = [{
    ```mlir
    graph.variable @w1 : tensor<64x64xf32> = #graph.glorot_uniform
    ```
    The initializer is one of the dialect's (fill, uniform, normal,
    truncated_normal, glorot_uniform, he_normal) or a `dense` constant.
  }] #
                    doc<"any",
                          "DTC0106 and DTC0114 for a type that is no tensor, DTC0111 for a bad name, DTC0117 for an initial value that does not fit",
                          "tf.Variable">.text;
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<Graph_AnyTensor>:$type,
                       Graph_InitializerAttr:$initializer, UnitAttr:$slot);
  let assemblyFormat = [{
    $sym_name `:` custom<TensorType>($type) `=` $initializer (`slot` $slot^)? attr-dict
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
  }] #
                    doc<"the batch, then a row's shape",
                          "DTC0115 where rows or columns do not fit",
                          "tf.data.Dataset, batched">.text;
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
  let description = doc<"the variable's",
                          "DTC0108 for an unknown variable, DTC0109 for another type",
                          "tf.raw_ops.ReadVariableOp">.text;
}

def Graph_AssignOp : Graph_Op<"assign", [MemoryEffects<[MemWrite]>, UsesSymbols]> {
  let summary = "gives the variable a value, at the step's end";
  let arguments = (ins FlatSymbolRefAttr:$variable, Graph_AnyTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
  let description = doc<"the variable's",
                          "DTC0108 for an unknown variable, DTC0109 for another type",
                          "tf.raw_ops.AssignVariableOp">.text;
}

def Graph_OutputOp : Graph_Op<"output", [MemoryEffects<[MemWrite]>]> {
  let summary = "names a value that the step returns to the chief";
  let description = [{
    ```mlir
    graph.output "loss" = %loss : tensor<f32>
    ```
  }] #
                    doc<"any",
                          "DTC0111 for a bad name, DTC0110 for one given twice",
                          "the fetches of tf.compat.v1.Session.run">.text;
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
        weight_decay 2.0e-4 clip_by_global_norm 1.0
    ```
    `graph-expand-training` turns it into gradients, apply ops and assignments.
    A gradient, the mean of the replicas', changes in this order:
    `weight_decay d` adds variable * d; `clip_by_value c` bounds each element to
    [-c, c]; `clip_by_global_norm c` multiplies all of them by
    c * min(1 / norm, 1 / c), norm = sqrt(2 * sum of the gradients' l2_loss),
    TensorFlow's formula.
  }] #
                    doc<"the loss is a scalar",
                          "DTC0152 where nothing can be trained, DTC0151 where an op has no gradient",
                          "tf.compat.v1.train.Optimizer.minimize">.text;
  let arguments = (ins Graph_FloatTensor:$loss, Graph_OptimizerAttr:$optimizer,
                       OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr,
                           "array of variables">>:$variables,
                       OptionalAttr<F64Attr>:$weight_decay,
                       OptionalAttr<F64Attr>:$clip_by_value,
                       OptionalAttr<F64Attr>:$clip_by_global_norm);
  let assemblyFormat = [{
    $loss `:` type($loss) `with` $optimizer
    oilist(`for` $variables | `weight_decay` custom<Real>($weight_decay)
           | `clip_by_value` custom<Real>($clip_by_value)
           | `clip_by_global_norm` custom<Real>($clip_by_global_norm))
    attr-dict
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
  let description = doc<"that of the value",
                          "DTC0105 for other elements",
                          "tf.constant">.text;
}

#endif // DTC_DIALECTS_GRAPH_OPS_TD

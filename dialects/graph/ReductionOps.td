// Reductions and scans: one canonical order, a function of the reduced length
// only.
#ifndef DTC_DIALECTS_GRAPH_REDUCTIONOPS_TD
#define DTC_DIALECTS_GRAPH_REDUCTIONOPS_TD

include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Graph_ReductionOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Gradient]> {
  string about = [{
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
  let description = about # doc<"x without the axes, or with size 1 there",
                          "DTC0113 for an axis that x does not have or that does not ascend",
                          "tf.math.reduce_sum">.text;
}
def Graph_ReduceMeanOp : Graph_ReductionOp<"reduce_mean", Graph_FloatTensor> {
  let summary = "sum over axes, divided by the number of elements reduced";
  let description = about # doc<"x without the axes, or with size 1 there",
                          "DTC0113 for an axis that x does not have or that does not ascend",
                          "tf.math.reduce_mean">.text;
}
def Graph_ReduceMaxOp : Graph_ReductionOp<"reduce_max", Graph_NumberTensor> {
  let summary = "maximum over axes; NaN if any is NaN";
  let description = about # doc<"x without the axes, or with size 1 there",
                          "DTC0113 for an axis that x does not have or that does not ascend",
                          "tf.math.reduce_max">.text;
}
def Graph_ReduceMinOp : Graph_ReductionOp<"reduce_min", Graph_NumberTensor> {
  let summary = "minimum over axes; NaN if any is NaN";
  let description = about # doc<"x without the axes, or with size 1 there",
                          "DTC0113 for an axis that x does not have or that does not ascend",
                          "tf.math.reduce_min">.text;
}
def Graph_ReduceProdOp : Graph_ReductionOp<"reduce_prod", Graph_NumberTensor> {
  let summary = "product over axes; integers wrap";
  let description = about # doc<"x without the axes, or with size 1 there",
                          "DTC0113 for an axis that x does not have or that does not ascend",
                          "tf.math.reduce_prod">.text;
}

class Graph_ArgOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Graph_StopsGradient]> {
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$axis);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` type($x)";
}
def Graph_ArgmaxOp : Graph_ArgOp<"argmax"> {
  let summary = "index of the largest element along an axis; the first of equals";
  let description = doc<"x without the axis; elements of i64",
                          "DTC0113 for an axis that x does not have, DTC0102 for an empty one",
                          "tf.math.argmax">.text;
}
def Graph_ArgminOp : Graph_ArgOp<"argmin"> {
  let summary = "index of the smallest element along an axis; the first of equals";
  let description = doc<"x without the axis; elements of i64",
                          "DTC0113 for an axis that x does not have, DTC0102 for an empty one",
                          "tf.math.argmin">.text;
}

def Graph_CumsumOp
    : Graph_Op<"cumsum", [Pure, SameOperandsAndResultType, Gradient]> {
  let summary = "running sum along an axis, from its begin or, reversed, its end";
  let description = [{
    ```mlir
    %y = graph.cumsum %x axis 1 exclusive reverse : tensor<4x8xf32>
    ```
    Added one after the other, in f32 for 16-bit floats; each result is rounded
    from that sum. `exclusive` leaves the element itself out.
  }] #
                    doc<"y has the shape and the elements of x",
                          "DTC0113 for an axis that x does not have",
                          "tf.math.cumsum">.text;
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$axis,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Graph_NumberTensor:$y);
  let assemblyFormat = [{
    $x `axis` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)? attr-dict
    `:` type($x)
  }];
  let hasVerifier = 1;
}

def Graph_TopKOp
    : Graph_Op<"top_k", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "the k largest of the last dimension, descending, and where they were";
  let description = [{
    ```mlir
    %values, %indices = graph.top_k %x k 3 : tensor<4x8xf32>
    ```
    Of equals the lower index comes first. A NaN counts as the largest.
  }] #
                    doc<"x with k for its last dimension; indices of i32",
                          "DTC0102 where k is not from 1 to the last dimension",
                          "tf.math.top_k">.text;
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$k);
  let results = (outs Graph_NumberTensor:$values, Graph_IndexTensor:$indices);
  let assemblyFormat = "$x `k` $k attr-dict `:` type($x)";
}

#endif // DTC_DIALECTS_GRAPH_REDUCTIONOPS_TD

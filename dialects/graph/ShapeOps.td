// Ops that move elements without computing, and ops on indices and rows.
#ifndef DTC_DIALECTS_GRAPH_SHAPEOPS_TD
#define DTC_DIALECTS_GRAPH_SHAPEOPS_TD

include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "dialects/graph/MathOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Graph_ReshapeOp : Graph_ToTypeOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let description = doc<"any with as many elements",
                          "DTC0102 where the numbers of elements differ",
                          "tf.reshape">.text;
}
def Graph_BroadcastToOp : Graph_ToTypeOp<"broadcast_to"> {
  let summary = "repeats x along new and along unit dimensions (NumPy's rule)";
  let description = doc<"any that x broadcasts to",
                          "DTC0102 where it does not",
                          "tf.broadcast_to">.text;
}

// `%y = graph.transpose %x perm [1, 0] : tensor<2x3xf32>`
class Graph_MoveOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, !listconcat([Pure, InferTypeOpAdaptor, Gradient], traits)> {
  let results = (outs Graph_AnyTensor:$y);
}

def Graph_TransposeOp : Graph_MoveOp<"transpose"> {
  let summary = "permutes dimensions: dimension i of y is dimension perm[i] of x";
  let arguments = (ins Graph_AnyTensor:$x, DenseI64ArrayAttr:$perm);
  let assemblyFormat = "$x `perm` $perm attr-dict `:` type($x)";
  let hasFolder = 1;
  let description = doc<"dimension i of y is dimension perm[i] of x",
                          "DTC0102 and DTC0113 where perm is no permutation",
                          "tf.transpose">.text;
}

def Graph_ExpandDimsOp : Graph_MoveOp<"expand_dims"> {
  let summary = "inserts a dimension of size 1 before `axis`";
  let arguments = (ins Graph_AnyTensor:$x, I64Attr:$axis);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` type($x)";
  let description = doc<"x with a 1 before the axis",
                          "DTC0102 for an axis beyond the rank",
                          "tf.expand_dims">.text;
}

def Graph_SqueezeOp : Graph_MoveOp<"squeeze"> {
  let summary = "drops the dimensions `axes`, which have size 1";
  let arguments = (ins Graph_AnyTensor:$x, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "$x `axes` $axes attr-dict `:` type($x)";
  let description = doc<"x without the axes",
                          "DTC0113 for an axis that x does not have, DTC0102 for one whose size is not 1",
                          "tf.squeeze">.text;
}

def Graph_SliceOp : Graph_MoveOp<"slice"> {
  let summary = "`size` elements from `begin` on, in every dimension";
  let description = [{
    ```mlir
    %y = graph.slice %x begin [0, 2] size [4, 3] : tensor<4x8xf32>
    ```
  }] #
                    doc<"size",
                          "DTC0102 where begin and size leave x",
                          "tf.slice">.text;
  let arguments = (ins Graph_AnyTensor:$x, DenseI64ArrayAttr:$begin,
                       DenseI64ArrayAttr:$size);
  let assemblyFormat = "$x `begin` $begin `size` $size attr-dict `:` type($x)";
}

def Graph_StridedSliceOp : Graph_MoveOp<"strided_slice"> {
  let summary = "every strides[i]-th element from begin[i] to end[i], end excluded";
  let description = [{
    ```mlir
    %y = graph.strided_slice %x begin [7, 0] end [-9, 8] strides [-1, 2]
        : tensor<8x8xf32>
    ```
    As `x[begin:end:strides]` in NumPy: negative positions count from the end,
    what lies outside is cut; strides may be negative, not 0.
  }] #
                    doc<"in each dimension the elements that are taken",
                          "DTC0102 for a stride of 0 or lists of another length",
                          "tf.strided_slice">.text;
  let arguments = (ins Graph_AnyTensor:$x, DenseI64ArrayAttr:$begin,
                       DenseI64ArrayAttr:$end, DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $x `begin` $begin `end` $end `strides` $strides attr-dict `:` type($x)
  }];
}

def Graph_StridedSliceGradOp : Graph_Op<"strided_slice_grad", [Pure, Gradient]> {
  let summary = "dy at the places that strided_slice reads, 0 elsewhere";
  let arguments = (ins Graph_AnyTensor:$dy, DenseI64ArrayAttr:$begin,
                       DenseI64ArrayAttr:$end, DenseI64ArrayAttr:$strides);
  let results = (outs Graph_AnyTensor:$dx);
  let assemblyFormat = [{
    $dy `begin` $begin `end` $end `strides` $strides attr-dict
    `:` type($dy) `to` type($dx)
  }];
  let hasVerifier = 1;
  let description = doc<"the type that is written; dy is what strided_slice takes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.StridedSliceGrad">.text;
}

def Graph_PadOp : Graph_MoveOp<"pad"> {
  let summary = "adds elements before and behind every dimension";
  let description = [{
    ```mlir
    %y = graph.pad %x before [1, 2] after [1, 0] value 0.0 : tensor<4x8xf32>
    %z = graph.pad %x before [1, 2] after [1, 0] reflect : tensor<4x8xf32>
    ```
    `reflect` mirrors without repeating the border, so that a dimension of size
    n grows by at most n - 1 on each side.
  }] #
                    doc<"before + x + after, in each dimension",
                          "DTC0102 for reflections beyond the border, DTC0107 for negative numbers and for a value that is none of the elements",
                          "tf.pad">.text;
  let arguments = (ins Graph_AnyTensor:$x, DenseI64ArrayAttr:$before,
                       DenseI64ArrayAttr:$after, OptionalAttr<F64Attr>:$value,
                       UnitAttr:$reflect);
  let assemblyFormat = [{
    $x `before` $before `after` $after (`value` custom<Real>($value)^)? (`reflect` $reflect^)?
    attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

def Graph_MirrorPadGradOp : Graph_Op<"mirror_pad_grad", [Pure, Gradient]> {
  let summary = "the sum of dy over all places where `pad reflect` puts an element";
  let arguments = (ins Graph_FloatTensor:$dy, DenseI64ArrayAttr:$before,
                       DenseI64ArrayAttr:$after);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = [{
    $dy `before` $before `after` $after attr-dict `:` type($dy) `to` type($dx)
  }];
  let hasVerifier = 1;
  let description = doc<"the type that is written; dy is its padded form",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.MirrorPadGrad">.text;
}

def Graph_TileOp : Graph_MoveOp<"tile"> {
  let summary = "x repeated multiples[i] times along dimension i";
  let arguments = (ins Graph_AnyTensor:$x, DenseI64ArrayAttr:$multiples);
  let assemblyFormat = "$x `multiples` $multiples attr-dict `:` type($x)";
  let description = doc<"multiples[i] times dimension i of x",
                          "DTC0102 for lists of another length",
                          "tf.tile">.text;
}

def Graph_ConcatOp : Graph_MoveOp<"concat"> {
  let summary = "the operands one behind the other along an axis";
  let arguments = (ins Variadic<Graph_AnyTensor>:$xs, I64Attr:$axis);
  let assemblyFormat = "$xs `axis` $axis attr-dict `:` type($xs)";
  let description = doc<"sizes add up along the axis, the others are equal",
                          "DTC0102 where they differ, DTC0113 for an axis that is not there",
                          "tf.concat">.text;
}

def Graph_StackOp : Graph_MoveOp<"stack"> {
  let summary = "the operands, all of one shape, along a new axis";
  let arguments = (ins Variadic<Graph_AnyTensor>:$xs, I64Attr:$axis);
  let assemblyFormat = "$xs `axis` $axis attr-dict `:` type($xs)";
  let description = doc<"a new dimension, as long as there are operands",
                          "DTC0102 where shapes differ",
                          "tf.stack">.text;
}

def Graph_SplitOp
    : Graph_Op<"split", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "cuts x along an axis into pieces of the given sizes";
  let description = [{
    ```mlir
    %a, %b = graph.split %x axis 1 sizes [3, 5] : tensor<4x8xf32>
    ```
  }] #
                    doc<"x with sizes[i] along the axis",
                          "DTC0102 where sizes do not add up, DTC0113 for an axis that is not there",
                          "tf.split">.text;
  let arguments = (ins Graph_AnyTensor:$x, I64Attr:$axis,
                       DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<Graph_AnyTensor>:$ys);
  let assemblyFormat = "$x `axis` $axis `sizes` $sizes attr-dict `:` type($x)";
}

def Graph_UnstackOp
    : Graph_Op<"unstack", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "x cut along an axis into as many tensors, without that axis";
  let arguments = (ins Graph_AnyTensor:$x, I64Attr:$axis);
  let results = (outs Variadic<Graph_AnyTensor>:$ys);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` type($x)";
  let description = doc<"x without the axis, as many as the axis is long (at most 4,096)",
                          "DTC0113 for an axis that is not there",
                          "tf.unstack">.text;
}

//===----------------------------------------------------------------------===//
// Made from the shape alone
//===----------------------------------------------------------------------===//

def Graph_ShapeOp
    : Graph_Op<"shape", [Pure, InferTypeOpAdaptor, Graph_StopsGradient]> {
  let summary = "the dimensions of x, as a vector of i64";
  let arguments = (ins Graph_AnyTensor:$x);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasFolder = 1;
  let description = doc<"a vector as long as the rank of x",
                          "",
                          "tf.shape">.text;
}

def Graph_FillOp : Graph_Op<"fill", [Pure, Gradient]> {
  let summary = "a tensor whose every element is the scalar x";
  let description = [{
    ```mlir
    %y = graph.fill %x : tensor<f32> to tensor<4x8xf32>
    ```
  }] #
                    doc<"any",
                          "DTC0102 where x is no scalar",
                          "tf.fill">.text;
  let arguments = (ins Graph_AnyTensor:$x);
  let results = (outs Graph_AnyTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}

def Graph_RangeOp : Graph_Op<"range", [Pure, Graph_StopsGradient]> {
  let summary = "start, start + delta, start + 2 delta, …: as many as the type says";
  let description = [{
    ```mlir
    %y = graph.range from 0.0 by 0.5 : tensor<8xf32>
    ```
    Element i is start + i * delta, computed in f64, for integers too, and
    rounded once.
  }] #
                    doc<"a vector",
                          "DTC0102 where the type is no vector, DTC0107 for a start, an end or a delta that it cannot hold",
                          "tf.range">.text;
  let arguments = (ins F64Attr:$start, F64Attr:$delta);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = "`from` custom<Real>($start) `by` custom<Real>($delta) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Indices and rows
//===----------------------------------------------------------------------===//

def Graph_OneHotOp
    : Graph_Op<"one_hot", [Pure, InferTypeOpAdaptor, Graph_StopsGradient]> {
  let summary = "1 at the label's place of a new last dimension, else 0";
  let description = [{
    ```mlir
    %h = graph.one_hot %labels depth 10 as f32 : tensor<30xi64>
    ```
    A label outside [0, depth) makes zeros; with `strict` it is an error of the
    data, reported when the step runs.
  }] #
                    doc<"that of the labels, then depth",
                          "DTC0107 for a negative depth, DTC0106 for unknown elements",
                          "tf.one_hot">.text;
  let arguments = (ins Graph_IndexTensor:$labels, I64Attr:$depth,
                       TypeAttr:$element_type, UnitAttr:$strict);
  let results = (outs Graph_AnyTensor:$result);
  let assemblyFormat = [{
    $labels `depth` $depth `as` $element_type (`strict` $strict^)? attr-dict
    `:` type($labels)
  }];
}

def Graph_GatherOp : Graph_MoveOp<"gather"> {
  let summary = "the slices of x at `indices` along an axis";
  let description = [{
    ```mlir
    %rows = graph.gather %table, %ids axis 0 : tensor<100x8xf32>, tensor<32x4xi64>
    ```
    The axis is replaced by the dimensions of `indices`. An index outside the
    axis reads zeros, as TensorFlow does on a GPU. Along axis 0 the gradient is
    sparse: graph.indexed_slices.
  }] #
                    doc<"x with the dimensions of the indices for the axis",
                          "DTC0113 for an axis that x does not have",
                          "tf.gather">.text;
  let arguments = (ins Graph_AnyTensor:$x, Graph_IndexTensor:$indices,
                       I64Attr:$axis);
  let assemblyFormat = [{
    $x `,` $indices `axis` $axis attr-dict `:` type($x) `,` type($indices)
  }];
}

def Graph_IndexedSlicesOp : Graph_Op<"indexed_slices", [Pure, Gradient]> {
  let summary = "a sparse gradient: the tensor that is 0 but for sums of rows";
  let description = [{
    ```mlir
    %g = graph.indexed_slices %ids, %rows
        : tensor<32xi64>, tensor<32x8xf32> to tensor<100x8xf32>
    ```
    Row v is the sum, in order, of the rows[i] with indices[i] = v. Optimizers
    read indices and rows and never make the tensor; where another op reads it,
    it is made. An index outside is dropped.
  }] #
                    doc<"the type that is written; rows has the dimensions of indices, then those of a row",
                          "DTC0102 where rows are something else",
                          "tf.IndexedSlices">.text;
  let arguments = (ins Graph_IndexTensor:$indices, Graph_FloatTensor:$rows);
  let results = (outs Graph_FloatTensor:$dense);
  let assemblyFormat = [{
    $indices `,` $rows attr-dict
    `:` type($indices) `,` type($rows) `to` type($dense)
  }];
  let hasVerifier = 1;
}

def Graph_UniqueRowsOp
    : Graph_Op<"unique_rows", [Pure, InferTypeOpAdaptor, Graph_NoGradient]> {
  let summary = "sums the rows of equal indices: as many rows, each index once";
  let description = [{
    ```mlir
    %i, %r = graph.unique_rows %ids, %rows : tensor<32xi64>, tensor<32x8xf32>
    ```
    The sum of the rows of an index stands, in order of addition, where the
    index comes first; every later place has index -1 and zeros.
  }] #
                    doc<"those of the operands",
                          "DTC0102 where there is not one index a row",
                          "TensorFlow's _deduplicate_indexed_slices">.text;
  let arguments = (ins Graph_IndexTensor:$indices, Graph_FloatTensor:$rows);
  let results = (outs Graph_IndexTensor:$unique, Graph_FloatTensor:$sums);
  let assemblyFormat = [{
    $indices `,` $rows attr-dict `:` type($indices) `,` type($rows)
  }];
}

class Graph_ScatterOp<string mnemonic, Type type, list<Trait> traits>
    : Graph_Op<mnemonic, !listconcat([Pure, AllTypesMatch<["x", "y"]>], traits)> {
  let arguments = (ins type:$x, Graph_IndexTensor:$indices, type:$updates);
  let results = (outs type:$y);
  let assemblyFormat = [{
    $x `,` $indices `,` $updates attr-dict
    `:` type($x) `,` type($indices) `,` type($updates)
  }];
  let hasVerifier = 1;
}
def Graph_ScatterAddOp
    : Graph_ScatterOp<"scatter_add", Graph_NumberTensor, [Gradient]> {
  let summary = "x with updates[i] added to row indices[i], in order";
  let description = [{
    An index outside the rows of x is dropped.
  }] #
                    doc<"y is like x; updates has the dimensions of indices, then those of a row",
                          "DTC0102 where updates are something else",
                          "tf.tensor_scatter_nd_add">.text;
}
def Graph_ScatterUpdateOp
    : Graph_ScatterOp<"scatter_update", Graph_AnyTensor, [Graph_NoGradient]> {
  let summary = "x with row indices[i] replaced by updates[i]; the last one stays";
  let description = [{
    An index outside the rows of x is dropped.
  }] #
                    doc<"y is like x; updates has the dimensions of indices, then those of a row",
                          "DTC0102 where updates are something else",
                          "tf.tensor_scatter_nd_update">.text;
}

#endif // DTC_DIALECTS_GRAPH_SHAPEOPS_TD

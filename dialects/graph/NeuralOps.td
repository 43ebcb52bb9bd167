// Linear algebra and neural networks. Images are NHWC, filters HWIO.
#ifndef DTC_DIALECTS_GRAPH_NEURALOPS_TD
#define DTC_DIALECTS_GRAPH_NEURALOPS_TD

include "dialects/graph/Attributes.td"
include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "dialects/graph/MathOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Products: accumulated sequentially, each step a fused multiply-add
//===----------------------------------------------------------------------===//

class Graph_ProductOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Gradient]> {
  let arguments = (ins Graph_FloatTensor:$a, Graph_FloatTensor:$b,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    attr-dict `:` type($a) `,` type($b)
  }];
}

def Graph_MatmulOp : Graph_ProductOp<"matmul"> {
  let summary = "matrix product, accumulated sequentially over the inner dimension";
  let description = [{
    ```mlir
    %d = graph.matmul %x, %dy transpose_a : tensor<32x64xf32>, tensor<32x10xf32>
    ```
  }] #
                    doc<"[m, k] and [k, n] make [m, n]; a flag swaps an operand's dimensions",
                          "DTC0102 where inner dimensions differ",
                          "tf.linalg.matmul">.text;
}
def Graph_BatchMatmulOp : Graph_ProductOp<"batch_matmul"> {
  let summary = "matmul of the last two dimensions; those before broadcast";
  let description = [{
    ```mlir
    %s = graph.batch_matmul %q, %k transpose_b
        : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
    ```
  }] #
                    doc<"as matmul in the last two dimensions; those before broadcast",
                          "DTC0102 where they do not fit",
                          "tf.raw_ops.BatchMatMulV2">.text;
}

def Graph_BiasAddOp
    : Graph_Op<"bias_add", [Pure, InferTypeOpAdaptor, Graph_Elementwise, Gradient]> {
  let summary = "adds a vector along the last dimension";
  let arguments = (ins Graph_NumberTensor:$x, Graph_NumberTensor:$bias);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = "$x `,` $bias attr-dict `:` type($x) `,` type($bias)";
  let description = doc<"y is like x; the bias is as long as the last dimension",
                          "DTC0102 where it is not",
                          "tf.nn.bias_add">.text;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// Strides and dilations are [height, width]. Padding is "SAME", "VALID", or
// [top, bottom, left, right].
defvar Graph_WindowAttrs = (ins DenseI64ArrayAttr:$strides,
                                Graph_PaddingAttr:$padding,
                                DenseI64ArrayAttr:$dilations);

class Graph_ConvolutionOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Gradient]> {
  let arguments = !con((ins Graph_FloatTensor:$x, Graph_FloatTensor:$filter),
                       Graph_WindowAttrs);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = [{
    $x `,` $filter `strides` $strides `padding` $padding `dilations` $dilations
    attr-dict `:` type($x) `,` type($filter)
  }];
}

def Graph_Conv2dOp : Graph_ConvolutionOp<"conv2d"> {
  let summary = "convolution of images with filters [height, width, in, out]";
  let description = [{
    ```mlir
    %y = graph.conv2d %x, %f strides [1, 1] padding "SAME" dilations [1, 1]
        : tensor<8x28x28x1xf32>, tensor<5x5x1x32xf32>
    ```
    Accumulated by fused multiply-adds over (height, width, in) of the filter;
    outside the image x is 0, and takes part.
  }] #
                    doc<"[n, h, w, c] and [kh, kw, c, o] make [n, oh, ow, o]",
                          "DTC0102 where channels differ or the window does not fit",
                          "tf.nn.conv2d">.text;
}
def Graph_DepthwiseConv2dOp : Graph_ConvolutionOp<"depthwise_conv2d"> {
  let summary = "convolution of each channel with its filters [height, width, in, multiplier]";
  let description = [{
    Channel `c * multiplier + m` of y is channel c of x with filter (c, m).
  }] #
                    doc<"[n, h, w, c] and [kh, kw, c, m] make [n, oh, ow, c * m]",
                          "DTC0102 where channels differ or the window does not fit",
                          "tf.nn.depthwise_conv2d">.text;
}

// The gradient with respect to x has the type that is written.
class Graph_ConvolutionGradOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, Gradient]> {
  let arguments = !con((ins Graph_FloatTensor:$lhs, Graph_FloatTensor:$rhs),
                       Graph_WindowAttrs);
  let results = (outs Graph_FloatTensor:$gradient);
  let assemblyFormat = [{
    $lhs `,` $rhs `strides` $strides `padding` $padding `dilations` $dilations
    attr-dict `:` type($lhs) `,` type($rhs) `to` type($gradient)
  }];
  let hasVerifier = 1;
}
def Graph_Conv2dBackpropInputOp
    : Graph_ConvolutionGradOp<"conv2d_backprop_input"> {
  let summary = "conv2d's gradient with respect to x, from (filter, dy)";
  let description = [{
    Accumulated by fused multiply-adds over (height, width, out) of the filter.
  }] #
                    doc<"the type that is written, and what the convolution makes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.Conv2DBackpropInput">.text;
}
def Graph_Conv2dBackpropFilterOp
    : Graph_ConvolutionGradOp<"conv2d_backprop_filter"> {
  let summary = "conv2d's gradient with respect to the filter, from (x, dy)";
  let description = [{
    Accumulated by fused multiply-adds over (batch, height, width) of dy.
  }] #
                    doc<"the type that is written, and what the convolution makes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.Conv2DBackpropFilter">.text;
}
def Graph_DepthwiseConv2dBackpropInputOp
    : Graph_ConvolutionGradOp<"depthwise_conv2d_backprop_input"> {
  let summary = "depthwise_conv2d's gradient with respect to x, from (filter, dy)";
  let description = doc<"the type that is written, and what the convolution makes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.DepthwiseConv2dNativeBackpropInput">.text;
}
def Graph_DepthwiseConv2dBackpropFilterOp
    : Graph_ConvolutionGradOp<"depthwise_conv2d_backprop_filter"> {
  let summary = "depthwise_conv2d's gradient with respect to the filter, from (x, dy)";
  let description = doc<"the type that is written, and what the convolution makes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.DepthwiseConv2dNativeBackpropFilter">.text;
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

class Graph_PoolOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Gradient]> {
  string about = [{
    ```mlir
    %y = graph.max_pool %x window [2, 2] padding "VALID" strides [2, 2]
        : tensor<8x28x28x32xf32>
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$x, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, Graph_PaddingAttr:$padding);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = [{
    $x `window` $window `padding` $padding `strides` $strides attr-dict
    `:` type($x)
  }];
}
def Graph_MaxPoolOp : Graph_PoolOp<"max_pool"> {
  let summary = "the largest element of each window; padding takes no part";
  let description = about # doc<"[n, h, w, c] makes [n, oh, ow, c]",
                          "DTC0102 where the window does not fit",
                          "tf.nn.max_pool2d">.text;
}
def Graph_AvgPoolOp : Graph_PoolOp<"avg_pool"> {
  let summary = "the mean of the elements of each window that lie in the image";
  let description = about # doc<"[n, h, w, c] makes [n, oh, ow, c]",
                          "DTC0102 where the window does not fit",
                          "tf.nn.avg_pool2d">.text;
}

def Graph_MaxPoolGradOp : Graph_Op<"max_pool_grad", [Pure, Gradient]> {
  let summary = "dy at the first largest element of each window, summed";
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$y,
                       Graph_FloatTensor:$dy, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, Graph_PaddingAttr:$padding);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = [{
    $x `,` $y `,` $dy `window` $window `padding` $padding `strides` $strides
    attr-dict `:` type($x) `,` type($y) `,` type($dy) `to` type($dx)
  }];
  let hasVerifier = 1;
  let description = doc<"the type that is written, and what the convolution makes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.MaxPoolGrad">.text;
}
def Graph_AvgPoolGradOp : Graph_Op<"avg_pool_grad", [Pure, Gradient]> {
  let summary = "each dy, shared by the elements of its window, summed";
  let arguments = (ins Graph_FloatTensor:$dy, DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, Graph_PaddingAttr:$padding);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = [{
    $dy `window` $window `padding` $padding `strides` $strides attr-dict
    `:` type($dy) `to` type($dx)
  }];
  let hasVerifier = 1;
  let description = doc<"the type that is written, and what the convolution makes of it",
                          "DTC0102 where dy is something else",
                          "tf.raw_ops.AvgPoolGrad">.text;
}

//===----------------------------------------------------------------------===//
// Normalisation: composites
//===----------------------------------------------------------------------===//

def Graph_BatchNormOp
    : Graph_Op<"batch_norm", [Pure, InferTypeOpAdaptor, Gradient, Composite]> {
  let summary = "normalises each channel by its mean and variance over the batch";
  let description = [{
    ```mlir
    %y, %mean, %unbiased, %variance = graph.batch_norm %x, %scale, %offset
        epsilon 1.0e-5 : tensor<8x14x14x32xf32>, tensor<32xf32>
    ```
    `y = (x - mean) * rsqrt(variance + epsilon) * scale + offset` over all but
    the last dimension, n elements a channel. `variance` is the biased one;
    `unbiased` is variance * n / (n - 1), which TensorFlow's moving average
    takes. Source: TensorFlow's FusedBatchNormV3.
  }] #
                    doc<"y is like x; all else is as long as the last dimension",
                          "DTC0102 where it is not, DTC0107 where epsilon is not above 0",
                          "tf.raw_ops.FusedBatchNormV3">.text;
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Graph_FloatTensor:$offset, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$y, Graph_FloatTensor:$mean,
                      Graph_FloatTensor:$unbiased, Graph_FloatTensor:$variance);
  let assemblyFormat = [{
    $x `,` $scale `,` $offset `epsilon` custom<Real>($epsilon) attr-dict
    `:` type($x) `,` type($scale) `,` type($offset)
  }];
  let hasVerifier = 1;
}

def Graph_BatchNormInferenceOp
    : Graph_Op<"batch_norm_inference", [Pure, InferTypeOpAdaptor, Gradient,
                                        Composite]> {
  let summary = "normalises each channel by a given mean and variance";
  let description = [{
    `y = (x - mean) * rsqrt(variance + epsilon) * scale + offset`
  }] #
                    doc<"y is like x; all else is as long as the last dimension",
                          "DTC0102 where it is not, DTC0107 where epsilon is not above 0",
                          "tf.nn.batch_normalization">.text;
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Graph_FloatTensor:$offset, Graph_FloatTensor:$mean,
                       Graph_FloatTensor:$variance, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = [{
    $x `,` $scale `,` $offset `,` $mean `,` $variance `epsilon` custom<Real>($epsilon)
    attr-dict `:` type($x) `,` type($scale) `,` type($offset) `,` type($mean)
    `,` type($variance)
  }];
  let hasVerifier = 1;
}

def Graph_LayerNormOp
    : Graph_Op<"layer_norm", [Pure, InferTypeOpAdaptor, Gradient, Composite]> {
  let summary = "normalises each row of the last dimension by its mean and variance";
  let description = [{
    ```mlir
    %y = graph.layer_norm %x, %scale, %offset epsilon 1.0e-5
        : tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>
    ```
    `y = (x - mean) * rsqrt(variance + epsilon) * scale + offset`
  }] #
                    doc<"y is like x; scale and offset are as long as the last dimension",
                          "DTC0102 where they are not, DTC0107 where epsilon is not above 0",
                          "tf.keras.layers.LayerNormalization">.text;
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Graph_FloatTensor:$offset, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = [{
    $x `,` $scale `,` $offset `epsilon` custom<Real>($epsilon) attr-dict
    `:` type($x) `,` type($scale) `,` type($offset)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Softmax and losses
//===----------------------------------------------------------------------===//

def Graph_SoftmaxOp : Graph_UnaryOp<"softmax", Graph_FloatTensor> {
  let summary = "exp(x - max) / sum(exp(x - max)) along the last dimension";
  let hasVerifier = 1;
  let description = doc<"y has the shape and the elements of x",
                          "DTC0102 for a scalar",
                          "tf.nn.softmax">.text;
}
def Graph_LogSoftmaxOp
    : Graph_UnaryOp<"log_softmax", Graph_FloatTensor, [Gradient, Composite]> {
  let summary = "x - max - log(sum(exp(x - max))) along the last dimension";
  let hasVerifier = 1;
  let description = doc<"y has the shape and the elements of x",
                          "DTC0102 for a scalar",
                          "tf.nn.log_softmax">.text;
}

def Graph_SoftmaxCrossEntropyOp
    : Graph_Op<"softmax_cross_entropy", [Pure, InferTypeOpAdaptor, Gradient]> {
  let summary = "-log(softmax(logits)[label]) of each row";
  let description = [{
    Per row: log(sum(exp(x - max))) - (x[label] - max). A label outside
    [0, classes) is an error of the data, reported when the step runs, also
    where only the gradient is computed.
  }] #
                    doc<"[batch, classes] and [batch] make [batch]",
                          "DTC0102 where they do not fit",
                          "tf.nn.sparse_softmax_cross_entropy_with_logits">.text;
  let arguments = (ins Graph_FloatTensor:$logits, Graph_IndexTensor:$labels);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels)
  }];
}
def Graph_DenseSoftmaxCrossEntropyOp
    : Graph_Op<"dense_softmax_cross_entropy", [Pure, InferTypeOpAdaptor,
                                               Gradient, Composite]> {
  let summary = "-sum(labels * log_softmax(logits)) of each row";
  let description = [{
    Labels are distributions: one probability a class. The gradient is
    TensorFlow's, `softmax(logits) - labels`: labels sum to 1.
  }] #
                    doc<"[..., classes] twice makes [...]",
                          "DTC0102 where they differ",
                          "tf.nn.softmax_cross_entropy_with_logits">.text;
  let arguments = (ins Graph_FloatTensor:$logits, Graph_FloatTensor:$labels);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels)
  }];
}
def Graph_SigmoidCrossEntropyOp
    : Graph_Op<"sigmoid_cross_entropy", [Pure, InferTypeOpAdaptor, Gradient,
                                         Composite]> {
  let summary = "max(x, 0) - x * label + log(1 + exp(-|x|)) of each element";
  let arguments = (ins Graph_FloatTensor:$logits, Graph_FloatTensor:$labels);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels)
  }];
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast",
                          "tf.nn.sigmoid_cross_entropy_with_logits">.text;
}
def Graph_L2LossOp
    : Graph_Op<"l2_loss", [Pure, InferTypeOpAdaptor, Gradient, Composite]> {
  let summary = "half the sum of the squares of all elements";
  let arguments = (ins Graph_FloatTensor:$x);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let description = doc<"a scalar",
                          "",
                          "tf.nn.l2_loss">.text;
}

#endif // DTC_DIALECTS_GRAPH_NEURALOPS_TD

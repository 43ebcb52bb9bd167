// Element-wise ops: each result element is a function of one element of each
// operand.
#ifndef DTC_DIALECTS_GRAPH_MATHOPS_TD
#define DTC_DIALECTS_GRAPH_MATHOPS_TD

include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class Graph_UnaryOp<string mnemonic, Type type, list<Trait> traits = [Gradient]>
    : Graph_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$x);
  let results = (outs type:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class Graph_MapOp<string mnemonic, Type type, list<Trait> traits = [Gradient]>
    : Graph_UnaryOp<mnemonic, type, !listconcat([Graph_Elementwise], traits)>;

def Graph_NegOp : Graph_MapOp<"neg", Graph_SignedTensor> {
  let summary = "-x";
  let hasFolder = 1;
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.negative">.text;
}
def Graph_AbsOp : Graph_MapOp<"abs", Graph_SignedTensor> {
  let summary = "|x|; the least integer stays as it is";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.abs">.text;
}
def Graph_SignOp : Graph_MapOp<"sign", Graph_SignedTensor, [Graph_StopsGradient]> {
  let summary = "-1, 0 or 1; NaN for NaN, and a zero keeps its sign";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.sign">.text;
}
def Graph_FloorOp : Graph_MapOp<"floor", Graph_FloatTensor, [Graph_StopsGradient]> {
  let summary = "the largest integer that is not above x";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.floor">.text;
}
def Graph_CeilOp : Graph_MapOp<"ceil", Graph_FloatTensor, [Graph_StopsGradient]> {
  let summary = "the smallest integer that is not below x";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.ceil">.text;
}
def Graph_SquareOp : Graph_MapOp<"square", Graph_NumberTensor> {
  let summary = "x * x";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.square">.text;
}
def Graph_ExpOp : Graph_MapOp<"exp", Graph_FloatTensor> {
  let summary = "e to the x";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.exp">.text;
}
def Graph_LogOp : Graph_MapOp<"log", Graph_FloatTensor> {
  let summary = "natural logarithm";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.log">.text;
}
def Graph_SqrtOp : Graph_MapOp<"sqrt", Graph_FloatTensor> {
  let summary = "square root";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.sqrt">.text;
}
def Graph_RsqrtOp : Graph_MapOp<"rsqrt", Graph_FloatTensor> {
  let summary = "1 / sqrt(x): a square root and a division, rounded once each";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.rsqrt">.text;
}
def Graph_SinOp : Graph_MapOp<"sin", Graph_FloatTensor> {
  let summary = "sine of x in radians";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.sin">.text;
}
def Graph_CosOp : Graph_MapOp<"cos", Graph_FloatTensor> {
  let summary = "cosine of x in radians";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.cos">.text;
}
def Graph_TanhOp : Graph_MapOp<"tanh", Graph_FloatTensor> {
  let summary = "hyperbolic tangent";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.tanh">.text;
}
def Graph_SigmoidOp : Graph_MapOp<"sigmoid", Graph_FloatTensor> {
  let summary = "1 / (1 + exp(-x))";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.sigmoid">.text;
}
def Graph_ErfOp : Graph_MapOp<"erf", Graph_FloatTensor> {
  let summary = "the error function";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.erf">.text;
}
def Graph_SoftplusOp : Graph_MapOp<"softplus", Graph_FloatTensor> {
  let summary = "log(1 + exp(x)), without overflow";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.softplus">.text;
}
def Graph_ReluOp : Graph_MapOp<"relu", Graph_FloatTensor> {
  let summary = "maximum(x, 0)";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.nn.relu">.text;
}
def Graph_Relu6Op : Graph_MapOp<"relu6", Graph_FloatTensor> {
  let summary = "minimum(maximum(x, 0), 6)";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.nn.relu6">.text;
}
def Graph_EluOp : Graph_MapOp<"elu", Graph_FloatTensor> {
  let summary = "x where x > 0, else exp(x) - 1";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.nn.elu">.text;
}

def Graph_GeluOp : Graph_Op<"gelu", [Pure, SameOperandsAndResultType,
                                     Graph_Elementwise, Gradient]> {
  let summary = "x * Phi(x), Phi the normal distribution function";
  let description = [{
    `0.5 x (1 + erf(x / sqrt(2)))`; with `approximate`
    `0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`.
    ```mlir
    %y = graph.gelu %x approximate : tensor<4x8xf32>
    ```
  }] #
                    doc<"y has the shape and the elements of x",
                          "",
                          "tf.nn.gelu">.text;
  let arguments = (ins Graph_FloatTensor:$x, UnitAttr:$approximate);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x (`approximate` $approximate^)? attr-dict `:` type($x)";
}

def Graph_LeakyReluOp
    : Graph_Op<"leaky_relu", [Pure, SameOperandsAndResultType,
                              Graph_Elementwise, Gradient]> {
  let summary = "x where x > 0, else alpha * x";
  let description = [{
    ```mlir
    %y = graph.leaky_relu %x alpha 0.2 : tensor<4x8xf32>
    ```
  }] #
                    doc<"y has the shape and the elements of x",
                          "DTC0107 where alpha is not a number of those elements",
                          "tf.nn.leaky_relu">.text;
  let arguments = (ins Graph_FloatTensor:$x, F64Attr:$alpha);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x `alpha` custom<Real>($alpha) attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def Graph_ClipOp : Graph_Op<"clip", [Pure, SameOperandsAndResultType,
                                     Graph_Elementwise, Gradient]> {
  let summary = "x bounded to [low, high]; NaN stays NaN (clip_by_value)";
  let description = [{
    ```mlir
    %y = graph.clip %x from -1.0 to 1.0 : tensor<4x8xf32>
    ```
    The gradient passes where low <= x <= high.
  }] #
                    doc<"y has the shape and the elements of x",
                          "DTC0107 where low is above high",
                          "tf.clip_by_value">.text;
  let arguments = (ins Graph_FloatTensor:$x, F64Attr:$low, F64Attr:$high);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x `from` custom<Real>($low) `to` custom<Real>($high) attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def Graph_LogicalNotOp
    : Graph_MapOp<"logical_not", Graph_BoolTensor, [Graph_StopsGradient]> {
  let summary = "true where x is false";
  let description = doc<"y has the shape and the elements of x",
                          "",
                          "tf.math.logical_not">.text;
}

def Graph_ReluGradOp
    : Graph_Op<"relu_grad", [Pure, SameOperandsAndResultType,
                             Graph_Elementwise, Gradient]> {
  let summary = "dy where x > 0, else 0 (TensorFlow's ReluGrad)";
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $x attr-dict `:` type($dx)";
  let description = doc<"dy, x and dx are alike",
                          "",
                          "tf.raw_ops.ReluGrad">.text;
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

def Graph_CastOp : Graph_ToTypeOp<"cast", [Graph_Elementwise]> {
  let summary = "changes the element type";
  let description = [{
    Float to float rounds to nearest even; float to integer truncates toward
    zero and saturates, NaN becomes 0; anything to i1 is `x != 0`; i1 to a
    number is 0 or 1; integer to integer wraps.
  }] #
                    doc<"y has the shape of x",
                          "DTC0102 where shapes differ",
                          "tf.cast, but floats out of an integer's range saturate">.text;
}

//===----------------------------------------------------------------------===//
// Two operands: shapes broadcast as in NumPy; element types are equal
//===----------------------------------------------------------------------===//

class Graph_BinaryOp<string mnemonic, Type type, Type result = type,
                     list<Trait> traits = [Gradient]>
    : Graph_Op<mnemonic, !listconcat([Pure, InferTypeOpAdaptor,
                                      Graph_Elementwise], traits)> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs result:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Graph_AddOp : Graph_BinaryOp<"add", Graph_NumberTensor> {
  let summary = "lhs + rhs; integers wrap";
  let hasFolder = 1;
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.add">.text;
}
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumberTensor> {
  let summary = "lhs - rhs; integers wrap";
  let hasFolder = 1;
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.subtract">.text;
}
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumberTensor> {
  let summary = "lhs * rhs; integers wrap";
  let hasFolder = 1;
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.multiply">.text;
}
def Graph_DivOp : Graph_BinaryOp<"div", Graph_NumberTensor> {
  let summary = "lhs / rhs; integers truncate toward zero, and n / 0 is 0";
  let hasFolder = 1;
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.raw_ops.Div">.text;
}
def Graph_FloorDivOp : Graph_BinaryOp<"floor_div", Graph_NumberTensor,
                                      Graph_NumberTensor, [Graph_StopsGradient]> {
  let summary = "floor(lhs / rhs); an integer n over 0 is 0";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.floordiv">.text;
}
def Graph_FloorModOp : Graph_BinaryOp<"floor_mod", Graph_NumberTensor> {
  let summary = "lhs - floor(lhs / rhs) * rhs, as if the quotient were not rounded; the sign is rhs's";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.floormod">.text;
}
def Graph_MaximumOp : Graph_BinaryOp<"maximum", Graph_NumberTensor> {
  let summary = "the larger of lhs and rhs; NaN if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.maximum">.text;
}
def Graph_MinimumOp : Graph_BinaryOp<"minimum", Graph_NumberTensor> {
  let summary = "the smaller of lhs and rhs; NaN if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.minimum">.text;
}
def Graph_PowOp : Graph_BinaryOp<"pow", Graph_FloatTensor> {
  let summary = "lhs to the rhs, C's pow in every special case";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.pow">.text;
}

class Graph_CompareOp<string mnemonic, Type type = Graph_NumberTensor>
    : Graph_BinaryOp<mnemonic, type, Graph_BoolTensor, [Graph_StopsGradient]>;

def Graph_EqualOp : Graph_CompareOp<"equal", Graph_AnyTensor> {
  let summary = "whether lhs and rhs are equal";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.equal">.text;
}
def Graph_NotEqualOp : Graph_CompareOp<"not_equal", Graph_AnyTensor> {
  let summary = "whether lhs and rhs differ; true if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.not_equal">.text;
}
def Graph_LessOp : Graph_CompareOp<"less"> {
  let summary = "lhs < rhs; false if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.less">.text;
}
def Graph_LessEqualOp : Graph_CompareOp<"less_equal"> {
  let summary = "lhs <= rhs; false if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.less_equal">.text;
}
def Graph_GreaterOp : Graph_CompareOp<"greater"> {
  let summary = "lhs > rhs; false if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.greater">.text;
}
def Graph_GreaterEqualOp : Graph_CompareOp<"greater_equal"> {
  let summary = "lhs >= rhs; false if either is NaN";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.greater_equal">.text;
}

class Graph_LogicalOp<string mnemonic>
    : Graph_BinaryOp<mnemonic, Graph_BoolTensor, Graph_BoolTensor,
                     [Graph_StopsGradient]>;
def Graph_LogicalAndOp : Graph_LogicalOp<"logical_and"> {
  let summary = "whether both are true";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.logical_and">.text;
}
def Graph_LogicalOrOp : Graph_LogicalOp<"logical_or"> {
  let summary = "whether either is true";
  let description = doc<"NumPy's broadcasting; elements are equal",
                          "DTC0102 where shapes do not broadcast, DTC0105 where elements differ",
                          "tf.math.logical_or">.text;
}

//===----------------------------------------------------------------------===//
// A choice
//===----------------------------------------------------------------------===//

class Graph_ChoiceOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, InferTypeOpAdaptor, Graph_Elementwise, Gradient]> {
  let arguments = (ins Graph_BoolTensor:$condition, Graph_AnyTensor:$x,
                       Graph_AnyTensor:$y);
  let results = (outs Graph_AnyTensor:$result);
  let assemblyFormat = [{
    $condition `,` $x `,` $y attr-dict
    `:` type($condition) `,` type($x) `,` type($y)
  }];
}
def Graph_SelectOp : Graph_ChoiceOp<"select"> {
  let summary = "x where the condition holds, else y; shapes are equal";
  let description = doc<"all four have one shape; x, y and the result one element type",
                          "DTC0102 where shapes differ",
                          "tf.raw_ops.Select">.text;
}
def Graph_WhereOp : Graph_ChoiceOp<"where"> {
  let summary = "x where the condition holds, else y; shapes broadcast";
  let description = doc<"the three operands broadcast to the result",
                          "DTC0102 where shapes do not broadcast",
                          "tf.where">.text;
}

#endif // DTC_DIALECTS_GRAPH_MATHOPS_TD

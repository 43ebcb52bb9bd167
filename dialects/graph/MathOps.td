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
}
def Graph_AbsOp : Graph_MapOp<"abs", Graph_SignedTensor> {
  let summary = "|x|; the least integer stays as it is";
}
def Graph_SignOp : Graph_MapOp<"sign", Graph_SignedTensor, [Graph_StopsGradient]> {
  let summary = "-1, 0 or 1; NaN for NaN, and a zero keeps its sign";
}
def Graph_FloorOp : Graph_MapOp<"floor", Graph_FloatTensor, [Graph_StopsGradient]> {
  let summary = "the largest integer that is not above x";
}
def Graph_CeilOp : Graph_MapOp<"ceil", Graph_FloatTensor, [Graph_StopsGradient]> {
  let summary = "the smallest integer that is not below x";
}
def Graph_SquareOp : Graph_MapOp<"square", Graph_NumberTensor> {
  let summary = "x * x";
}
def Graph_ExpOp : Graph_MapOp<"exp", Graph_FloatTensor> {
  let summary = "e to the x";
}
def Graph_LogOp : Graph_MapOp<"log", Graph_FloatTensor> {
  let summary = "natural logarithm";
}
def Graph_SqrtOp : Graph_MapOp<"sqrt", Graph_FloatTensor> {
  let summary = "square root";
}
def Graph_RsqrtOp : Graph_MapOp<"rsqrt", Graph_FloatTensor> {
  let summary = "1 / sqrt(x): a square root and a division, rounded once each";
}
def Graph_SinOp : Graph_MapOp<"sin", Graph_FloatTensor> {
  let summary = "sine of x in radians";
}
def Graph_CosOp : Graph_MapOp<"cos", Graph_FloatTensor> {
  let summary = "cosine of x in radians";
}
def Graph_TanhOp : Graph_MapOp<"tanh", Graph_FloatTensor> {
  let summary = "hyperbolic tangent";
}
def Graph_SigmoidOp : Graph_MapOp<"sigmoid", Graph_FloatTensor> {
  let summary = "1 / (1 + exp(-x))";
}
def Graph_ErfOp : Graph_MapOp<"erf", Graph_FloatTensor> {
  let summary = "the error function";
}
def Graph_SoftplusOp : Graph_MapOp<"softplus", Graph_FloatTensor> {
  let summary = "log(1 + exp(x)), without overflow";
}
def Graph_ReluOp : Graph_MapOp<"relu", Graph_FloatTensor> {
  let summary = "maximum(x, 0)";
}
def Graph_Relu6Op : Graph_MapOp<"relu6", Graph_FloatTensor> {
  let summary = "minimum(maximum(x, 0), 6)";
}
def Graph_EluOp : Graph_MapOp<"elu", Graph_FloatTensor> {
  let summary = "x where x > 0, else exp(x) - 1";
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
  }];
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
  }];
  let arguments = (ins Graph_FloatTensor:$x, F64Attr:$alpha);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x `alpha` $alpha attr-dict `:` type($x)";
}

def Graph_ClipOp : Graph_Op<"clip", [Pure, SameOperandsAndResultType,
                                     Graph_Elementwise, Gradient]> {
  let summary = "x bounded to [low, high]; NaN stays NaN (clip_by_value)";
  let description = [{
    ```mlir
    %y = graph.clip %x from -1.0 to 1.0 : tensor<4x8xf32>
    ```
    The gradient passes where low <= x <= high.
  }];
  let arguments = (ins Graph_FloatTensor:$x, F64Attr:$low, F64Attr:$high);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x `from` $low `to` $high attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def Graph_LogicalNotOp
    : Graph_MapOp<"logical_not", Graph_BoolTensor, [Graph_StopsGradient]> {
  let summary = "true where x is false";
}

def Graph_ReluGradOp
    : Graph_Op<"relu_grad", [Pure, SameOperandsAndResultType,
                             Graph_Elementwise, Gradient]> {
  let summary = "dy where x > 0, else 0 (TensorFlow's ReluGrad)";
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $x attr-dict `:` type($dx)";
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
  }];
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
}
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumberTensor> {
  let summary = "lhs - rhs; integers wrap";
  let hasFolder = 1;
}
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumberTensor> {
  let summary = "lhs * rhs; integers wrap";
  let hasFolder = 1;
}
def Graph_DivOp : Graph_BinaryOp<"div", Graph_NumberTensor> {
  let summary = "lhs / rhs; integers truncate toward zero, and n / 0 is 0";
  let hasFolder = 1;
}
def Graph_FloorDivOp : Graph_BinaryOp<"floor_div", Graph_NumberTensor,
                                      Graph_NumberTensor, [Graph_StopsGradient]> {
  let summary = "floor(lhs / rhs); an integer n over 0 is 0";
}
def Graph_FloorModOp : Graph_BinaryOp<"floor_mod", Graph_NumberTensor> {
  let summary = "lhs - floor_div(lhs, rhs) * rhs: the sign is rhs's";
}
def Graph_MaximumOp : Graph_BinaryOp<"maximum", Graph_NumberTensor> {
  let summary = "the larger of lhs and rhs; NaN if either is NaN";
}
def Graph_MinimumOp : Graph_BinaryOp<"minimum", Graph_NumberTensor> {
  let summary = "the smaller of lhs and rhs; NaN if either is NaN";
}
def Graph_PowOp : Graph_BinaryOp<"pow", Graph_FloatTensor> {
  let summary = "lhs to the rhs, C's pow in every special case";
}

class Graph_CompareOp<string mnemonic, Type type = Graph_NumberTensor>
    : Graph_BinaryOp<mnemonic, type, Graph_BoolTensor, [Graph_StopsGradient]>;

def Graph_EqualOp : Graph_CompareOp<"equal", Graph_AnyTensor> {
  let summary = "whether lhs and rhs are equal";
}
def Graph_NotEqualOp : Graph_CompareOp<"not_equal", Graph_AnyTensor> {
  let summary = "whether lhs and rhs differ; true if either is NaN";
}
def Graph_LessOp : Graph_CompareOp<"less"> {
  let summary = "lhs < rhs; false if either is NaN";
}
def Graph_LessEqualOp : Graph_CompareOp<"less_equal"> {
  let summary = "lhs <= rhs; false if either is NaN";
}
def Graph_GreaterOp : Graph_CompareOp<"greater"> {
  let summary = "lhs > rhs; false if either is NaN";
}
def Graph_GreaterEqualOp : Graph_CompareOp<"greater_equal"> {
  let summary = "lhs >= rhs; false if either is NaN";
}

class Graph_LogicalOp<string mnemonic>
    : Graph_BinaryOp<mnemonic, Graph_BoolTensor, Graph_BoolTensor,
                     [Graph_StopsGradient]>;
def Graph_LogicalAndOp : Graph_LogicalOp<"logical_and"> {
  let summary = "whether both are true";
}
def Graph_LogicalOrOp : Graph_LogicalOp<"logical_or"> {
  let summary = "whether either is true";
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
}
def Graph_WhereOp : Graph_ChoiceOp<"where"> {
  let summary = "x where the condition holds, else y; shapes broadcast";
}

#endif // DTC_DIALECTS_GRAPH_MATHOPS_TD

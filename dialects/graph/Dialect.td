// The graph dialect, its tensors, and the classes that its ops are made of.
#ifndef DTC_DIALECTS_GRAPH_DIALECT_TD
#define DTC_DIALECTS_GRAPH_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let summary = "What to compute: a model, its loss and its training.";
  let description = [{
    A module declares variables as symbols with initializers and entry points
    as functions that share them. Within a step every read of a variable sees
    the value at the step's start; assignments take effect at its end. Rounding
    belongs to the op: each op rounds its own result.
  }];
  let cppNamespace = "::dtc::graph";
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// Every tensor of the dialect has a static shape, which may be empty, and
// at most 2^40 elements; `predicate` adds what the element type may be.
class Graph_Tensor<string predicate, string description>
    : Type<CPred<"::dtc::graph::" # predicate # "($_self)">,
           description # " (static shape, at most 2^40 elements)",
           "::mlir::RankedTensorType">;

def Graph_AnyTensor : Graph_Tensor<"isTensor",
    "tensor of f32, f64, f16, bf16, i1, i8, ui8, i32 or i64">;
def Graph_NumberTensor : Graph_Tensor<"isNumberTensor",
    "tensor of f32, f64, f16, bf16, i8, ui8, i32 or i64">;
def Graph_SignedTensor : Graph_Tensor<"isSignedTensor",
    "tensor of f32, f64, f16, bf16, i8, i32 or i64">;
def Graph_FloatTensor : Graph_Tensor<"isFloatTensor",
    "tensor of f32, f64, f16 or bf16">;
def Graph_IndexTensor : Graph_Tensor<"isIndexTensor",
    "tensor of i8, ui8, i32 or i64">;
def Graph_BoolTensor : Graph_Tensor<"isBoolTensor", "tensor of i1">;
def Graph_Count
    : Type<CPred<"::dtc::graph::isCount($_self)">, "tensor<i64>",
           "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

// Differentiation stops here: the result does not change smoothly with the
// operands (argmax), or there is nothing above it (input, read).
def Graph_StopsGradient : NativeOpTrait<"StopsGradient"> {
  let cppNamespace = "::dtc::graph";
}
// Differentiating through this op is refused.
def Graph_NoGradient : NativeOpTrait<"NoGradient"> {
  let cppNamespace = "::dtc::graph";
}

// Each result element is a function of one element of each operand.
def Graph_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::dtc::graph";
}

// What the reference says of every op below its description. Errors are codes
// (dialects/diagnostics/Codes.def).
class doc<string shapes, string errors, string source> {
  string text = "\n    * Shapes: " # shapes # ".\n    * Errors: " #
                "DTC0105 for operands of another kind" #
                !if(!empty(errors), "", "; " # errors) # ".\n    * Source: " #
                source # ".\n  ";
}

// Values print under the names that their op's location carries (Names.h).
class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, !listconcat([OpAsmOpInterface], traits)> {
  code printsNames = [{
    void getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      ::dtc::graph::printResultNames(getOperation(), setName);
    }
  }];
  let extraClassDeclaration = printsNames;
}

#endif // DTC_DIALECTS_GRAPH_DIALECT_TD

// What a differentiable op promises.
#ifndef DTC_DIALECTS_GRAPH_INTERFACES_TD
#define DTC_DIALECTS_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_GradientOpInterface : OpInterface<"GradientOpInterface"> {
  let description = [{
    An op that knows its gradient. Every op of the dialect has this interface,
    or the trait StopsGradient, or the trait NoGradient.
  }];
  let cppNamespace = "::dtc::graph";
  let methods = [
    InterfaceMethod<[{
      Builds, at the builder's insertion point, the gradient of some scalar with
      respect to each operand, given its gradient with respect to each result.
      `operandGradients` gets one value per operand, of the operand's type;
      null says that the operand has no influence. `outputGradients` holds one
      value per result, null where the scalar does not depend on that result.
      Fails after a diagnostic.
    }], "::llvm::LogicalResult", "buildGradient",
    (ins "::mlir::OpBuilder &":$builder,
         "::mlir::ValueRange":$outputGradients,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGradients)>
  ];
}

def Graph_CompositeOpInterface : OpInterface<"CompositeOpInterface"> {
  let description = [{
    An op that is short for others. It has no kernel: graph-expand-composites
    replaces it, after the rewrites that know it.
  }];
  let cppNamespace = "::dtc::graph";
  let methods = [
    InterfaceMethod<[{
      Builds, at the builder's insertion point, what computes the results:
      one value per result, of its type.
    }], "void", "expand",
    (ins "::mlir::OpBuilder &":$builder,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$values)>
  ];
}

defvar Gradient = DeclareOpInterfaceMethods<Graph_GradientOpInterface>;
defvar Composite = DeclareOpInterfaceMethods<Graph_CompositeOpInterface>;

#endif // DTC_DIALECTS_GRAPH_INTERFACES_TD

// What a graph computes, made explicit. One pass, one file.
#ifndef DTC_PASSES_GRAPH_PASSES
#define DTC_PASSES_GRAPH_PASSES

include "mlir/Pass/PassBase.td"

def Inline : Pass<"graph-inline", "::mlir::ModuleOp"> {
  let summary = "Puts the ops of private functions in the places of their calls";
}

def InferShapes : Pass<"graph-infer-shapes", "::dtc::graph::FuncOp"> {
  let summary = "Types every result from its operands; another batch starts at the inputs of training";
  let options = [
    Option<"batch", "batch", "int64_t", /*default=*/"0",
           "rows a replica takes a step, where a function trains; 0: as written">
  ];
}

def ExpandTraining : Pass<"graph-expand-training", "::mlir::ModuleOp"> {
  let summary = "Turns each minimize into gradients, apply ops and assignments";
}

def ExpandComposites : Pass<"graph-expand-composites", "::dtc::graph::FuncOp"> {
  let summary = "Replaces ops that are short for others (batch_norm, dropout, …) by those others";
}

def FoldBatchNorm : Pass<"graph-fold-batch-norm", "::dtc::graph::FuncOp"> {
  let summary = "Where nothing trains, scales a convolution's filter instead of normalising what it makes";
}

def Simplify : Pass<"graph-simplify", "::dtc::graph::FuncOp"> {
  let summary = "Folds what is constant; algebra; transposes that meet: rules, in one sweep";
  let options = [
    ListOption<"disable", "disable", "std::string", "rules to leave out">,
    ListOption<"only", "only", "std::string", "if there are any: no other rules">
  ];
}

def Cse : Pass<"graph-cse", "::dtc::graph::FuncOp"> {
  let summary = "Computes once what is computed twice, a + b and b + a too";
}

def Prune : Pass<"graph-prune", "::dtc::graph::FuncOp"> {
  let summary = "Keeps what outputs and assignments need";
}

def AssignNames : Pass<"graph-assign-names", "::dtc::graph::FuncOp"> {
  let summary = "Gives every value a name that no other of its function has";
}

def VerifyClosed : Pass<"graph-verify-closed", "::mlir::ModuleOp"> {
  let summary = "Checks that training is expanded and that names are unique";
}

#endif // DTC_PASSES_GRAPH_PASSES

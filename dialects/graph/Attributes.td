// Initializers, optimizers, and the columns of a data set.
#ifndef DTC_DIALECTS_GRAPH_ATTRIBUTES_TD
#define DTC_DIALECTS_GRAPH_ATTRIBUTES_TD

include "dialects/graph/Dialect.td"
include "mlir/IR/CommonAttrConstraints.td"

class Graph_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Graph_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// A double, written in the fewest digits that read back to the same bits.
def Graph_Real : APFloatParameter<""> {
  let parser = "::dtc::graph::parseReal($_parser)";
  let printer = "$_printer.printFloat($_self)";
}

//===----------------------------------------------------------------------===//
// Initializers: a function of seed, variable name and these parameters only
//===----------------------------------------------------------------------===//

def Graph_FillAttr : Graph_Attr<"Fill", "fill"> {
  let summary = "every element is `value`";
  let parameters = (ins Graph_Real:$value);
  let builders = [AttrBuilder<(ins "double":$value), [{
    return $_get($_ctxt, ::llvm::APFloat(value));
  }]>];
  let assemblyFormat = "`<` $value `>`";
}

def Graph_UniformAttr : Graph_Attr<"Uniform", "uniform"> {
  let summary = "uniform in [low, high)";
  let parameters = (ins Graph_Real:$low, Graph_Real:$high);
  let builders = [AttrBuilder<(ins "double":$low, "double":$high), [{
    return $_get($_ctxt, ::llvm::APFloat(low), ::llvm::APFloat(high));
  }]>];
  let assemblyFormat = "`<` $low `,` $high `>`";
  let genVerifyDecl = 1;
}

class Graph_NormalLikeAttr<string name, string mnemonic>
    : Graph_Attr<name, mnemonic> {
  let parameters = (ins Graph_Real:$mean, Graph_Real:$stddev);
  let builders = [AttrBuilder<(ins "double":$mean, "double":$stddev), [{
    return $_get($_ctxt, ::llvm::APFloat(mean), ::llvm::APFloat(stddev));
  }]>];
  let assemblyFormat = "`<` $mean `,` $stddev `>`";
  let genVerifyDecl = 1;
}
def Graph_NormalAttr : Graph_NormalLikeAttr<"Normal", "normal"> {
  let summary = "normal with that mean and standard deviation";
}
def Graph_TruncatedNormalAttr
    : Graph_NormalLikeAttr<"TruncatedNormal", "truncated_normal"> {
  let summary = "normal, drawn again beyond two standard deviations";
}

def Graph_GlorotUniformAttr : Graph_Attr<"GlorotUniform", "glorot_uniform"> {
  let summary = "uniform within +-sqrt(6 / (fan in + fan out))";
}
def Graph_HeNormalAttr : Graph_Attr<"HeNormal", "he_normal"> {
  let summary = "truncated normal of variance 2 / fan in";
}

// An attribute of several kinds, held as it is.
class Graph_OneOfAttr<Pred predicate, string description>
    : Attr<predicate, description> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

// `dense<…>`, whose elements are at hand.
def Graph_DenseAttr
    : ElementsAttrBase<CPred<"::llvm::isa<::mlir::DenseElementsAttr>($_self)">,
                       "dense constant"> {
  let storageType = "::mlir::DenseElementsAttr";
  let returnType = "::mlir::DenseElementsAttr";
  let convertFromStorage = "$_self";
}

def Graph_InitializerAttr
    : Graph_OneOfAttr<CPred<"::dtc::graph::isInitializer($_self)">,
           "#graph.fill, #graph.uniform, #graph.normal, #graph.truncated_normal, "
           "#graph.glorot_uniform, #graph.he_normal or a dense constant">;

// "SAME", "VALID", or [top, bottom, left, right].
def Graph_PaddingAttr
    : Graph_OneOfAttr<CPred<"::dtc::graph::isPadding($_self)">,
           "\"SAME\", \"VALID\", or array<i64: top, bottom, left, right>">;

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

def Graph_SgdAttr : Graph_Attr<"Sgd", "sgd"> {
  let summary = "variable -= learning_rate * gradient";
  let parameters = (ins Graph_Real:$learning_rate);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Graph_MomentumAttr : Graph_Attr<"Momentum", "momentum"> {
  let summary = "slot = slot * momentum + gradient; variable -= learning_rate * slot";
  let parameters = (ins Graph_Real:$learning_rate, Graph_Real:$momentum);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Graph_OptimizerAttr
    : Graph_OneOfAttr<CPred<"::llvm::isa<::dtc::graph::SgdAttr, ::dtc::graph::MomentumAttr>($_self)">,
           "#graph.sgd or #graph.momentum">;

//===----------------------------------------------------------------------===//
// Data sets
//===----------------------------------------------------------------------===//

def Graph_ColumnAttr : Graph_Attr<"Column", "column"> {
  let summary = "fields [first, end) of a record, as one tensor";
  let description = [{
    `value = field * scale`; `range` bounds the valid *fields*, inclusive, so
    that `dtc verify` can make valid rows. Scale is 1 where the tensor's
    elements are integers.
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$first,
                        "int64_t":$end, Graph_Real:$scale, Graph_Real:$min,
                        Graph_Real:$max);
  let assemblyFormat = [{
    `<` $name `,` `fields` $first `to` $end `,` `scale` $scale `,`
        `range` $min `to` $max `>`
  }];
  let genVerifyDecl = 1;
}

#endif // DTC_DIALECTS_GRAPH_ATTRIBUTES_TD

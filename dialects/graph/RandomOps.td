// Stateless random numbers: a value is a function of seed, stream, step and
// index only (Philox 4x32-10, counter-based).
#ifndef DTC_DIALECTS_GRAPH_RANDOMOPS_TD
#define DTC_DIALECTS_GRAPH_RANDOMOPS_TD

include "dialects/graph/Dialect.td"
include "dialects/graph/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Graph_ReplicaIndexOp
    : Graph_Op<"replica_index", [Pure, Graph_StopsGradient]> {
  let summary = "which block of the global batch this replica computes, from 0";
  let results = (outs Graph_Count:$result);
  let assemblyFormat = "attr-dict";
  let description = doc<"a scalar of i64",
                          "",
                          "the replica number of tf.distribute">.text;
}

// The stream is a name; two ops of one stream and seed draw the same numbers.
// Elements count over the global batch: replica r's begin behind those of
// replica r - 1.
class Graph_RandomOp<string mnemonic, string first, string second>
    : Graph_Op<mnemonic, [Pure, Graph_StopsGradient]> {
  let arguments = (ins Graph_Count:$step,
                       Optional<Graph_Count>:$replica, I64Attr:$seed,
                       StrAttr:$stream, F64Attr:$low, F64Attr:$high);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$step (`replica` $replica^)? `seed` $seed `stream` $stream `" #
                       first # "` custom<Real>($low) `" # second # "` custom<Real>($high) attr-dict `:` type($result)";
  let hasVerifier = 1;
  string about = [{
    ```mlir
    %u = graph.random_uniform %step seed 7 stream "noise" low 0.0 high 1.0
        : tensor<4x8xf32>
    ```
    `step` is a scalar i64. Without `replica` all replicas draw alike until
    replication gives each its index.
  }];
}
def Graph_RandomUniformOp : Graph_RandomOp<"random_uniform", "low", "high"> {
  let summary = "uniform in [low, high)";
  let description = about # doc<"any",
                          "DTC0107 where low is not below high, or one is no number of the elements",
                          "tf.random.stateless_uniform; Philox 4x32-10: Salmon et al., 2011">.text;
}
def Graph_RandomNormalOp : Graph_RandomOp<"random_normal", "mean", "stddev"> {
  let summary = "normal of that mean and standard deviation";
  let description = about # doc<"any",
                          "DTC0107 for a negative deviation, and for what is no number of the elements",
                          "tf.random.stateless_normal; Philox 4x32-10: Salmon et al., 2011">.text;
}
def Graph_RandomTruncatedNormalOp
    : Graph_RandomOp<"random_truncated_normal", "mean", "stddev"> {
  let summary = "normal, cut at two standard deviations";
  let description = about # doc<"any",
                          "DTC0107 for a negative deviation, and for what is no number of the elements",
                          "tf.random.stateless_truncated_normal; Philox 4x32-10: Salmon et al., 2011">.text;
}

def Graph_DropoutOp
    : Graph_Op<"dropout", [Pure, AllTypesMatch<["x", "y"]>, Gradient, Composite]> {
  let summary = "x / (1 - rate), or 0 with probability rate";
  let description = [{
    ```mlir
    %y = graph.dropout %x, %step rate 0.1 seed 7 stream "drop1" : tensor<4x8xf32>
    ```
    An element stays where random_uniform of the same step, seed and stream is
    at least `rate`, as TensorFlow decides it.
  }] #
                    doc<"y has the shape and the elements of x",
                          "DTC0107 where rate is not from 0 to below 1",
                          "tf.nn.dropout">.text;
  let arguments = (ins Graph_FloatTensor:$x, Graph_Count:$step,
                       Optional<Graph_Count>:$replica, F64Attr:$rate,
                       I64Attr:$seed, StrAttr:$stream);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = [{
    $x `,` $step (`replica` $replica^)? `rate` custom<Real>($rate) `seed` $seed
    `stream` $stream attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

#endif // DTC_DIALECTS_GRAPH_RANDOMOPS_TD

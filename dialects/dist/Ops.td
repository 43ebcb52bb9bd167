// The dist dialect: where. A cluster, devices, values that live on a device,
// partitions (fragments of a graph that run on one device), and the edges
// between them.
#ifndef DTC_DIALECTS_DIST_OPS
#define DTC_DIALECTS_DIST_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Dist_Dialect : Dialect {
  let name = "dist";
  let summary = "Where a graph runs: devices, partitions and the edges between them";
  let description = [{
    While the passes decide, ops carry discardable attributes: `dist.device`,
    `dist.activation` and `dist.reason`. Once they have decided, every value
    that leaves a partition has the type `!dist.placed<tensor, device>`, so that
    a forgotten transfer is a type error that names both devices.

    Attributes of the module: `dist.cluster`, `dist.mode`, `dist.update`, and
    `dist.wire_type` if f32 shall cross between tasks as something narrower; of a
    function: `dist.replicas`, the workers that run it side by side.
  }];
  let cppNamespace = "::dtc::dist";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributesAndTypes();
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Dist_Attr<string name, string attrMnemonic> : AttrDef<Dist_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Dist_DeviceAttr : Dist_Attr<"Device", "device"> {
  let summary = "A device of a task: `#dist.device<worker:0/cpu:0>`";
  let description = [{
    Task `*` (-1 in C++) makes a template: each task of the job, so that a plan
    for a thousand workers holds one program for them.
  }];
  let parameters = (ins StringRefParameter<>:$job, "int64_t":$task,
                        StringRefParameter<>:$type, "int64_t":$index);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isTemplate() const { return getTask() < 0; }
    /// "worker:0", "worker:*".
    std::string taskString() const;
    /// "worker:0/cpu:0".
    std::string toString() const;
  }];
}

def Dist_JobAttr : Dist_Attr<"Job", "job"> {
  let summary = "A job and the number of its tasks: `#dist.job<ps = 1>`";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$tasks);
  let assemblyFormat = "`<` custom<JobName>($name) `=` $tasks `>`";
}

def Dist_ClusterAttr : Dist_Attr<"Cluster", "cluster"> {
  let summary = "The cluster's shape: `#dist.cluster<ps = 1, worker = 2>`";
  let parameters = (ins ArrayRefParameter<"::dtc::dist::JobAttr">:$jobs);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Tasks of `job`; 0 if the cluster has no such job.
    int64_t numTasks(::llvm::StringRef job) const;
    bool hasJob(::llvm::StringRef job) const { return numTasks(job) > 0; }
    /// True if `device` is a CPU of a task of the cluster, or a template of a
    /// job of it.
    bool contains(DeviceAttr device) const;
    /// The first CPU of a task; -1 is the template.
    DeviceAttr cpu(::llvm::StringRef job, int64_t task) const;
    /// chief:0, master:0, worker:0, local:0, or else the first task of the
    /// first job: it decides about the run, and fetches end on it.
    DeviceAttr chief() const;
    /// The job whose template every replica runs: worker, else the chief's.
    ::llvm::StringRef replicaJob() const;
    /// True if `job` runs replicas: worker, chief or master.
    static bool runsReplicas(::llvm::StringRef job);
    /// Tasks of all jobs that run replicas.
    int64_t numReplicas() const;
    /// "ps:0, worker:0, worker:1".
    std::string describeTasks() const;
  }];
}

def Dist_ReasonAttr : Dist_Attr<"Reason", "reason"> {
  let summary = "Why an op is where it is, why an edge exists: a sentence";
  let parameters = (ins StringRefParameter<>:$text);
  let assemblyFormat = "`<` $text `>`";
}

def Dist_ShardAttr : Dist_Attr<"Shard", "shard"> {
  let summary = "On a graph.variable: which part of a split one it is";
  let description = [{
    Parts are contiguous, the first ones one longer; or, interleaved, element i
    of the axis is element i / count of part i % count.
  }];
  let parameters = (ins StringRefParameter<>:$whole, ArrayRefParameter<"int64_t">:$shape,
                        "int64_t":$axis, "int64_t":$index, "int64_t":$count,
                        "bool":$interleaved);
  let assemblyFormat = [{
    `<` $whole `:` `[` $shape `]` `axis` $axis `,` $index `of` $count `,`
    `interleaved` $interleaved `>`
  }];
  let extraClassDeclaration = [{
    /// "part 0 of 4 of 'w'".
    std::string describe() const;
  }];
}

class Dist_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::dtc::dist";
  let genSpecializedAttr = 0;
}

def Dist_Mode : Dist_Enum<"Mode", "How a graph is split over tasks", [
    I32EnumAttrCase<"Local", 0, "local">, I32EnumAttrCase<"InGraph", 1, "in_graph">,
    I32EnumAttrCase<"BetweenGraph", 2, "between_graph">]>;
def Dist_ModeAttr : EnumAttr<Dist_Dialect, Dist_Mode, "mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Dist_Update : Dist_Enum<"Update", "When updates of replicas take effect", [
    I32EnumAttrCase<"Sync", 0, "sync">, I32EnumAttrCase<"Async", 1, "async">]>;
def Dist_UpdateAttr : EnumAttr<Dist_Dialect, Dist_Update, "update"> {
  let assemblyFormat = "`<` $value `>`";
}

// step: once a step. serve: once a step for each replica. apply: once a step,
// after the task's own step and serve.
def Dist_Activation : Dist_Enum<"Activation", "When a partition runs", [
    I32EnumAttrCase<"Step", 0, "step">, I32EnumAttrCase<"Serve", 1, "serve">,
    I32EnumAttrCase<"Apply", 2, "apply">]>;
def Dist_ActivationAttr : EnumAttr<Dist_Dialect, Dist_Activation, "activation"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Dist_PlacedType : TypeDef<Dist_Dialect, "Placed"> {
  let mnemonic = "placed";
  let summary = "A tensor that lives on a device: `!dist.placed<tensor<4xf32>, ps:0/cpu:0>`";
  let parameters = (ins "::mlir::RankedTensorType":$tensor,
                        "::dtc::dist::DeviceAttr":$device);
  let assemblyFormat = "`<` $tensor `,` custom<BareDevice>($device) `>`";
}

def Dist_Tensor : Type<CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
                       "ranked tensor", "::mlir::RankedTensorType">;

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

class Dist_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dist_Dialect, mnemonic, traits>;

// Gives the values the SSA names that a reader expects (see Ops.cpp).
class Dist_NamedOp<string mnemonic, list<Trait> traits = []>
    : Dist_Op<mnemonic, traits # [DeclareOpInterfaceMethods<OpAsmOpInterface,
                                                           ["getAsmResultNames"]>]>;

def Dist_PartitionOp : Dist_Op<"partition", [
    IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames",
                                                 "getAsmBlockArgumentNames"]>]> {
  let summary = "An acyclic fragment of a graph, on one device";
  let description = [{
    ```mlir
    %worker.loss = dist.partition on <worker:*/cpu:0> step
      ("w1" = %worker.w1 as %w1 : tensor<64x64xf32> from <ps:0/cpu:0>)
      -> ("loss" : tensor<f32>) {
      …
      dist.yield %loss : tensor<f32>
    }
    ```
    The body sees plain tensors. Outside, an operand is a value placed on the
    partition's own device, or an argument of the function (`feed`). Each has
    the name of the value in the graph; `from` says on which other device it was
    made (and `slot` which result of its op it is, if not the first), so that a
    lost edge can be named. A device may own many partitions,
    also of one activation: they run in the order of the text.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Dist_DeviceAttr:$device,
                       Dist_ActivationAttr:$activation, StrArrayAttr:$operandNames,
                       ArrayAttr:$sources, DenseI64ArrayAttr:$slots,
                       StrArrayAttr:$resultNames);
  let results = (outs Variadic<Dist_PlacedType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBlock() { return &getBody().front(); }
    ::llvm::StringRef operandName(unsigned index);
    ::llvm::StringRef resultName(unsigned index);
    /// Where operand `index` was made: a device, or null for a feed.
    DeviceAttr source(unsigned index);
    /// The edge that operand `index` comes over; "" if it is a feed or was made
    /// on this device.
    std::string edgeOf(unsigned index);
  }];
}

def Dist_YieldOp : Dist_Op<"yield", [
    Pure, Terminator, ParentOneOf<["PartitionOp"]>]> {
  let summary = "The values that leave a partition";
  let arguments = (ins Variadic<Dist_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

def Dist_TransferOp : Dist_NamedOp<"transfer"> {
  let summary = "Moves a value to another device: the only crossing";
  let description = [{
    `activation` is that of the partition which takes the value; `wire` the type
    that its elements have on the way, if not their own.
    ```mlir
    %worker.w1 = dist.transfer %ps0.w1 name "w1" slot 0 into step reason "…"
        : !dist.placed<tensor<4xf32>, ps:0/cpu:0> to !dist.placed<tensor<4xf32>, worker:*/cpu:0>
    ```
  }];
  let arguments = (ins Dist_PlacedType:$value, StrAttr:$valueName, I64Attr:$slot,
                       Dist_ActivationAttr:$activation, StrAttr:$reason,
                       OptionalAttr<TypeAttr>:$wire);
  let results = (outs Dist_PlacedType:$result);
  let assemblyFormat = [{
    $value `name` $valueName `slot` $slot `into` custom<BareActivation>($activation)
    `reason` $reason (`wire` $wire^)? attr-dict `:` custom<FullType>(type($value))
    `to` custom<FullType>(type($result))
  }];
  let hasVerifier = 1;
}

def Dist_SendOp : Dist_Op<"send"> {
  let summary = "The near end of an edge";
  let description = [{
    The key is `<name>:<slot> <source task>-><target task>` and unique in its
    function. Exactly one `dist.recv` has the same. `wire` is the type that the
    elements have on the way, if not their own: the send rounds to it, the recv
    widens again, and both say it.
  }];
  let arguments = (ins Dist_PlacedType:$value, StrAttr:$key, Dist_DeviceAttr:$to,
                       StrAttr:$reason, OptionalAttr<TypeAttr>:$wire);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    DeviceAttr getDevice() { return getValue().getType().getDevice(); }
    ::mlir::RankedTensorType getTensor() { return getValue().getType().getTensor(); }
  }];
}

def Dist_RecvOp : Dist_NamedOp<"recv"> {
  let summary = "The far end of an edge";
  let arguments = (ins StrAttr:$key, Dist_DeviceAttr:$from,
                       OptionalAttr<TypeAttr>:$wire);
  let results = (outs Dist_PlacedType:$result);
  let assemblyFormat = [{
    `key` $key `from` custom<DeviceInAngles>($from) (`wire` $wire^)? attr-dict `:` custom<FullType>(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    DeviceAttr getDevice() { return getResult().getType().getDevice(); }
    ::mlir::RankedTensorType getTensor() { return getResult().getType().getTensor(); }
  }];
}

//===----------------------------------------------------------------------===//
// Aggregation
//===----------------------------------------------------------------------===//

def Dist_AccumulateOp : Dist_Op<"accumulate"> {
  let summary = "Hands this replica's value of the step to an accumulator";
  let description = "`concat`: what dist.take does with it.";
  let arguments = (ins Dist_Tensor:$value, StrAttr:$accumulator, UnitAttr:$concat);
  let assemblyFormat = [{
    $value `into` $accumulator (`concat` $concat^)? attr-dict `:` type($value)
  }];
}

def Dist_TakeOp : Dist_NamedOp<"take"> {
  let summary = "The replicas' mean, or all their rows";
  let description = [{
    `async`: this replica's value as it is, once for each push.

    `sync`: the sum over all replicas in replica order, starting with the
    first's, divided by their number. With `concat` the replicas' rows one
    behind the other, in replica order: as TensorFlow combines the indices and
    the rows of sparse gradients.
  }];
  let arguments = (ins StrAttr:$accumulator, Dist_UpdateAttr:$policy,
                       UnitAttr:$concat);
  let results = (outs Dist_Tensor:$result);
  let assemblyFormat = [{
    $accumulator `policy` custom<BareUpdate>($policy) (`concat` $concat^)? attr-dict
    `:` type($result)
  }];
}

#endif // DTC_DIALECTS_DIST_OPS

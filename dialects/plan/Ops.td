// The plan dialect: how. One to one with runtime/plan/plan.proto, which says
// what each word means; Serialization.cpp translates between the two.
//
//   module (the plan)
//     plan.variable …   plan.kernel …   plan.code …
//     plan.entry @train
//       plan.feed, plan.fetch, plan.input, plan.edge     declarations
//       plan.program on <worker:*>
//         plan.activation step
//           instructions: recv, launch, send, …
#ifndef DTC_DIALECTS_PLAN_OPS
#define DTC_DIALECTS_PLAN_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::dtc::plan";
  let summary = "How a partitioned graph runs: programs, kernels, buffers, order";
  let description = [{
    Every instruction may carry `plan.decisions`, an array of `#plan.decision`:
    the graph ops that it stands for and why they are there. A variable may carry
    `plan.reason`, a string.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Plan_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Plan_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Plan_TaskAttr : Plan_Attr<"Task", "task"> {
  let summary = "A task of the cluster; `*` is every task of the job";
  let parameters = (ins StringRefParameter<>:$job, "int32_t":$index);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isTemplate() const { return getIndex() < 0; }
    /// "worker:*", "ps:0".
    std::string toString() const;
  }];
}

def Plan_JobAttr : Plan_Attr<"Job", "job"> {
  let summary = "A job of the cluster's shape: its name, tasks and device type";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$tasks,
                        StringRefParameter<>:$device);
  let assemblyFormat = "`<` $name `=` $tasks `x` $device `>`";
}

def Plan_FillAttr : Plan_Attr<"Fill", "fill"> {
  let summary = "Initial value: every element is `value`";
  let parameters = (ins APFloatParameter<"">:$value);
  let assemblyFormat = "`<` custom<Double>($value) `>`";
}

def Plan_UniformAttr : Plan_Attr<"Uniform", "uniform"> {
  let summary = "Initial value: uniform on [low, high)";
  let parameters = (ins APFloatParameter<"">:$low, APFloatParameter<"">:$high);
  let assemblyFormat = "`<` custom<Double>($low) `,` custom<Double>($high) `>`";
}

def Plan_NormalAttr : Plan_Attr<"Normal", "normal"> {
  let summary = "Initial value: normal, and truncated to two deviations if so";
  let parameters = (ins APFloatParameter<"">:$mean, APFloatParameter<"">:$stddev, "bool":$truncated);
  let assemblyFormat = [{
    `<` custom<Double>($mean) `,` custom<Double>($stddev) `,` $truncated `>`
  }];
}

def Plan_ColumnAttr : Plan_Attr<"Column", "column"> {
  let summary = "A run of a record's fields, read as one tensor";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$firstField,
                        "int64_t":$fields, APFloatParameter<"">:$scale, APFloatParameter<"">:$min,
                        APFloatParameter<"">:$max);
  let assemblyFormat = [{
    `<` $name `,` `fields` $firstField `+` $fields `,` `scale` custom<Double>($scale)
    `,` `range` custom<Double>($min) `to` custom<Double>($max) `>`
  }];
}

def Plan_ShardAttr : Plan_Attr<"Shard", "shard"> {
  let summary = "Which part of a variable that is split along one axis this is";
  let parameters = (ins StringRefParameter<>:$whole, ArrayRefParameter<"int64_t">:$shape,
                        "int64_t":$axis, "int64_t":$index, "int64_t":$count,
                        "bool":$interleaved);
  let assemblyFormat = [{
    `<` $whole `:` `[` $shape `]` `axis` $axis `,` $index `of` $count `,`
    `interleaved` $interleaved `>`
  }];
}

def Plan_DecisionAttr : Plan_Attr<"Decision", "decision"> {
  let summary = "Which graph op, node of the kernel if there is one, and why it is there";
  let parameters = (ins StringRefParameter<>:$op, "int64_t":$node,
                        StringRefParameter<>:$reason);
  let assemblyFormat = "`<` $op `:` $node `because` $reason `>`";
}

def Plan_ActivationKind : I32EnumAttr<"ActivationKind", "When an activation runs", [
    I32EnumAttrCase<"Step", 1, "step">, I32EnumAttrCase<"Serve", 2, "serve">,
    I32EnumAttrCase<"Apply", 3, "apply">]> {
  let cppNamespace = "::dtc::plan";
  let genSpecializedAttr = 0;
}
def Plan_ActivationKindAttr
    : EnumAttr<Plan_Dialect, Plan_ActivationKind, "activation_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Plan_Mode : I32EnumAttr<"Mode", "How the graph was split", [
    I32EnumAttrCase<"Local", 1, "local">, I32EnumAttrCase<"InGraph", 2, "in_graph">,
    I32EnumAttrCase<"BetweenGraph", 3, "between_graph">]> {
  let cppNamespace = "::dtc::plan";
  let genSpecializedAttr = 0;
}
def Plan_ModeAttr : EnumAttr<Plan_Dialect, Plan_Mode, "mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Plan_Update : I32EnumAttr<"Update", "When replicas' updates take effect", [
    I32EnumAttrCase<"Sync", 1, "sync">, I32EnumAttrCase<"Async", 2, "async">]> {
  let cppNamespace = "::dtc::plan";
  let genSpecializedAttr = 0;
}
def Plan_UpdateAttr : EnumAttr<Plan_Dialect, Plan_Update, "update"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// The plan's parts
//===----------------------------------------------------------------------===//

class Plan_Op<string mnemonic, list<Trait> traits = []>
    : Op<Plan_Dialect, mnemonic, traits>;

/// A static, dense, row-major tensor.
def Plan_Tensor : StaticShapeTensorOf<[AnyType]>;

def VariableOp : Plan_Op<"variable", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A variable, the task that holds it, and its initial value";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type,
                       Plan_TaskAttr:$home, AnyAttr:$initializer, UnitAttr:$slot,
                       OptionalAttr<Plan_ShardAttr>:$shard);
  let assemblyFormat = [{
    $sym_name `:` $type `on` $home `=` $initializer (`slot` $slot^)?
    (`part` $shard^)? attr-dict
  }];
}

def KernelOp : Plan_Op<"kernel", [Symbol, IsolatedFromAbove, SingleBlock,
                                  HasParent<"::mlir::ModuleOp">]> {
  let summary = "A pure function from tensors to tensors; its body is graph ops";
  let description = [{
    A generated kernel may be called on any part of [0, range): each index
    writes elements of its own. `grain` indexes are worth a thread. One that is
    `reference_only` has no code: its body runs on the reference kernels.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$range, I64Attr:$grain,
                       UnitAttr:$reference_only);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `range` $range `grain` $grain
    (`reference_only` $reference_only^)? custom<KernelBody>($body)
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::TypeRange getResultTypes();
  }];
}

def YieldOp : Plan_Op<"yield", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "A kernel's results";
  let arguments = (ins Variadic<Plan_Tensor>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

def CodeOp : Plan_Op<"code", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "All kernels, compiled for one target";
  let description = [{
    `object` holds the bytes of a shared object; the target `reference` has
    none: the runtime executes the kernels' bodies.
  }];
  let arguments = (ins StrAttr:$target, StrArrayAttr:$features,
                       OptionalAttr<ElementsAttr>:$object);
  let assemblyFormat = "$target `needs` $features ($object^)? attr-dict";
}

class Plan_Declaration<string mnemonic>
    : Plan_Op<mnemonic, [HasParent<"EntryOp">]>;

def EntryOp : Plan_Op<"entry", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator,
                                NoRegionArguments, HasParent<"::mlir::ModuleOp">]> {
  let summary = "An entry point over the whole cluster";
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$replicas,
                       UnitAttr:$has_updates,
                       DefaultValuedAttr<I64Attr, "0">:$epochs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `replicas` $replicas (`updates` $has_updates^)?
    (`epochs` $epochs^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def FeedOp : Plan_Declaration<"feed"> {
  let summary = "A tensor that the user gives";
  let arguments = (ins StrAttr:$name, TypeAttr:$type);
  let assemblyFormat = "$name `:` $type attr-dict";
}

def FetchOp : Plan_Declaration<"fetch"> {
  let summary = "A tensor that the user gets, from the chief";
  let arguments = (ins StrAttr:$name, TypeAttr:$type);
  let assemblyFormat = "$name `:` $type attr-dict";
}

def InputOp : Plan_Declaration<"input"> {
  let summary = "A data set, bound by name when the plan runs";
  let arguments = (ins StrAttr:$dataset, StrAttr:$path, I64Attr:$first_row,
                       I64Attr:$end_row, I64Attr:$batch, UnitAttr:$shuffle,
                       I64Attr:$block, I64Attr:$blocks, ArrayAttr:$columns,
                       TypeArrayAttr:$types);
  let assemblyFormat = [{
    $dataset `at` $path `rows` $first_row `to` $end_row `batch` $batch
    (`shuffle` $shuffle^)? `block` $block `of` $blocks $columns `:` $types attr-dict
  }];
}

def EdgeOp : Plan_Declaration<"edge"> {
  let summary = "A tensor that crosses from one task to another, and why";
  let description = "`wire`: the type that its elements have on the way.";
  let arguments = (ins StrAttr:$key, StrAttr:$tensor, TypeAttr:$type,
                       Plan_TaskAttr:$source, Plan_TaskAttr:$target,
                       StrAttr:$reason, OptionalAttr<TypeAttr>:$wire);
  let assemblyFormat = [{
    $key `carries` $tensor `:` $type (`wire` $wire^)? `from` $source `to` $target `because` $reason
    attr-dict
  }];
}

def ProgramOp : Plan_Op<"program", [SingleBlock, NoTerminator, NoRegionArguments,
                                    IsolatedFromAbove,
                                    HasParent<"EntryOp">]> {
  let summary = "What the tasks `task` do in a step";
  let arguments = (ins Plan_TaskAttr:$task);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`on` $task attr-dict-with-keyword $body";
}

def ActivationOp : Plan_Op<"activation", [SingleBlock, NoTerminator,
                                          NoRegionArguments, IsolatedFromAbove,
                                          HasParent<"ProgramOp">]> {
  let summary = "One dataflow program over one arena";
  let arguments = (ins Plan_ActivationKindAttr:$kind,
                       DefaultValuedAttr<I64Attr, "0">:$arena_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<Kind>($kind) (`arena` $arena_bytes^)? attr-dict-with-keyword $body
  }];
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

// `after` holds the positions, in the activation, of instructions that must be
// done first beyond those that define the operands; `offsets` the byte offset
// of each result in the arena (absent before plan-assign-buffers).
class Plan_Instruction<string mnemonic, list<Trait> traits = []>
    : Plan_Op<mnemonic, traits> {
  dag order = (ins OptionalAttr<DenseI32ArrayAttr>:$after);
  dag place = (ins OptionalAttr<DenseI32ArrayAttr>:$after,
                   OptionalAttr<DenseI64ArrayAttr>:$offsets);
}

def LaunchOp : Plan_Instruction<"launch"> {
  let summary = "Runs a kernel";
  let arguments = !con((ins FlatSymbolRefAttr:$kernel, Variadic<Plan_Tensor>:$inputs), place);
  let results = (outs Variadic<Plan_Tensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` (`at` $offsets^)? (`after` $after^)? attr-dict
    `:` functional-type($inputs, $outputs)
  }];
}

def SendOp : Plan_Instruction<"send"> {
  let summary = "Hands a tensor to the edge's target";
  let arguments = !con((ins StrAttr:$edge, Plan_Tensor:$value), order);
  let assemblyFormat = "$edge `(` $value `)` (`after` $after^)? attr-dict `:` type($value)";
}

def RecvOp : Plan_Instruction<"recv"> {
  let summary = "Waits for the edge's tensor";
  let arguments = !con((ins StrAttr:$edge), place);
  let results = (outs Plan_Tensor:$value);
  let assemblyFormat = "$edge (`at` $offsets^)? (`after` $after^)? attr-dict `:` type($value)";
}

def LoadVariableOp : Plan_Instruction<"load_variable"> {
  let summary = "The variable's storage, as it was at the step's start";
  let arguments = !con((ins FlatSymbolRefAttr:$variable), order);
  let results = (outs Plan_Tensor:$value);
  let assemblyFormat = "$variable (`after` $after^)? attr-dict `:` type($value)";
}

def StoreVariableOp : Plan_Instruction<"store_variable"> {
  let summary = "Gives the variable its next value";
  let arguments = !con((ins FlatSymbolRefAttr:$variable, Plan_Tensor:$value), order);
  let assemblyFormat = "$variable `(` $value `)` (`after` $after^)? attr-dict `:` type($value)";
}

def AccumulateOp : Plan_Instruction<"accumulate"> {
  let summary = "Hands the replica's value of the step to an accumulator";
  let arguments = !con((ins StrAttr:$accumulator, Plan_Tensor:$value), order);
  let assemblyFormat = "$accumulator `(` $value `)` (`after` $after^)? attr-dict `:` type($value)";
}

def TakeOp : Plan_Instruction<"take"> {
  let summary = "The replicas' mean, or their rows, in replica order";
  let arguments = !con((ins StrAttr:$accumulator, UnitAttr:$concat), place);
  let results = (outs Plan_Tensor:$value);
  let assemblyFormat = [{
    $accumulator (`concat` $concat^)? (`at` $offsets^)? (`after` $after^)? attr-dict
    `:` type($value)
  }];
}

def ReadInputOp : Plan_Instruction<"read_input"> {
  let summary = "This replica's rows of the step; `input` counts plan.input ops";
  let arguments = !con((ins I64Attr:$input), place);
  let results = (outs Variadic<Plan_Tensor>:$columns);
  let assemblyFormat = "$input (`at` $offsets^)? (`after` $after^)? attr-dict `:` type($columns)";
}

def ReadFeedOp : Plan_Instruction<"read_feed"> {
  let summary = "The tensor that the user gave";
  let arguments = !con((ins StrAttr:$feed), place);
  let results = (outs Plan_Tensor:$value);
  let assemblyFormat = "$feed (`at` $offsets^)? (`after` $after^)? attr-dict `:` type($value)";
}

def ReplicaIndexOp : Plan_Instruction<"replica_index"> {
  let summary = "Which block of the global batch the replica computes, from 0";
  let arguments = place;
  let results = (outs Plan_Tensor:$value);
  let assemblyFormat = "(`at` $offsets^)? (`after` $after^)? attr-dict `:` type($value)";
}

def WriteFetchOp : Plan_Instruction<"write_fetch"> {
  let summary = "The tensor that the user gets";
  let arguments = !con((ins StrAttr:$fetch, Plan_Tensor:$value), order);
  let assemblyFormat = "$fetch `(` $value `)` (`after` $after^)? attr-dict `:` type($value)";
}

#endif // DTC_DIALECTS_PLAN_OPS

// From a graph to partitions with sends and recvs. One pass, one file.
#ifndef DTC_PASSES_DIST_PASSES
#define DTC_PASSES_DIST_PASSES

include "mlir/Pass/PassBase.td"

class DistPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::dtc::dist::DistDialect"];
}

def AssignJobsPass : DistPass<"dist-assign-jobs"> {
  let summary = "Gives variables and their updates to job ps, the rest to the workers; "
                "explicit devices win";
  let options = [
    Option<"cluster", "cluster", "std::string", "\"\"",
           "the cluster's shape, as in ps=1,worker=2 (without: what the module says)">,
    Option<"mode", "mode", "std::string", "\"\"",
           "local, in-graph or between-graph (without: what the module says)">,
    Option<"update", "update", "std::string", "\"\"", "sync or async">,
    Option<"wireType", "wire-type", "std::string", "\"\"",
           "bf16: what f32 is rounded to when it crosses between tasks; or f32">,
    Option<"softPlacement", "soft-placement", "bool", "false",
           "whether a wish's type and number give way where there is no such device">];
}

def SplitVariablesPass : DistPass<"dist-split-variables"> {
  let summary = "Splits variables over job ps into parts, with their slots, reads and updates";
  let options = [
    Option<"cluster", "cluster", "std::string", "\"\"",
           "the cluster's shape, as in ps=1,worker=2 (without: what the module says)">,
    Option<"mode", "mode", "std::string", "\"\"",
           "local, in-graph or between-graph (without: what the module says)">,
    Option<"maxShardBytes", "max-shard-bytes", "int64_t", "0",
           "the largest part, in bytes; 0: variables that do not ask for shards stay whole">];
}

def ReplicatePass : DistPass<"dist-replicate"> {
  let summary = "Makes a between-graph entry a template for all workers, or clones towers";
  let options = [Option<"replicas", "replicas", "int64_t", "1",
                        "towers of an entry with updates, in modes local and in-graph">,
                 Option<"numbered", "numbered", "bool", "false",
                        "a single replica asks for its number, too, when it runs">];
}

def InsertAggregationPass : DistPass<"dist-insert-aggregation"> {
  let summary = "Combines the replicas' values where they enter an update or an output";
}

def PlacePass : DistPass<"dist-place"> {
  let summary = "Gives every variable and op a full device, an activation and a reason";
  let options = [
    Option<"placement", "placement", "std::string", "\"greedy\"",
           "greedy or round-robin: how variables are spread over tasks; manual: the "
           "placement text has all; or cost: the step is predicted to be shortest">,
    Option<"deviceMemory", "device-memory", "int64_t", "0",
           "bytes of each task, for cost; 0: enough">,
    Option<"place", "place", "std::string", "\"\"",
           "the text of a placement file: what it names is where it says">,
    Option<"placeName", "place-name", "std::string", "\"place\"",
           "what diagnostics call that file">];
}

def InsertRelaysPass : DistPass<"dist-insert-relays"> {
  let summary = "Leads a replica's values from one task to another through its worker";
}

def InsertPushesPass : DistPass<"dist-insert-pushes"> {
  let summary = "With update async lets a part of each push come to every task that applies it";
}

def VerifyPlacementPass : DistPass<"dist-verify-placement"> {
  let summary = "Checks that every op has a device that exists and can hand its values on";
}

def FormPartitionsPass : DistPass<"dist-form-partitions"> {
  let summary = "Groups ops into partitions; what crosses becomes a transfer";
}

def MergeTransfersPass : DistPass<"dist-merge-transfers"> {
  let summary = "Leaves one transfer per value, target device and activation";
}

def NarrowTransfersPass : DistPass<"dist-narrow-transfers"> {
  let summary = "Lets f32 cross between tasks as the module's dist.wire_type";
}

def SplitTransfersPass : DistPass<"dist-split-transfers"> {
  let summary = "Turns each transfer into a send and a recv with one key";
}

def VerifyChannelsPass : DistPass<"dist-verify-channels"> {
  let summary = "Checks that every send has its one recv: same key, producer, type and peers";
}

#endif // DTC_PASSES_DIST_PASSES

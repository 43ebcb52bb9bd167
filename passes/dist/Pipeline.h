// The order of the dist passes.
#pragma once

#include "mlir/Pass/PassManager.h"

#include <string>

namespace dtc::dist {

struct PlacementOptions {
  /// "ps=1,worker=2". Ignored in mode local, which has one task, local:0.
  std::string cluster;
  std::string mode = "local"; // or "in-graph", "between-graph"
  std::string update = "sync";
  /// "bf16": f32 is rounded to it when it crosses between tasks; "f32" or "":
  /// nothing is.
  std::string wireType;
  /// Variables on job ps that are larger are split; 0: none is.
  int64_t maxShardBytes = 0;
  /// Towers of an entry with updates (modes local and in-graph).
  int64_t replicas = 1;
  /// An entry for one replica asks, when it runs, for the replica's number.
  bool numbered = false;
  /// Whether a wish's type and number give way where no device has them.
  bool softPlacement = false;
  /// How variables are spread over tasks: "greedy" or "round-robin"; "manual"
  /// if the placement file says so of all; "cost" if ops, too, are where the
  /// step is predicted to be shortest.
  std::string placement = "greedy";
  /// Bytes of each task, for "cost"; 0: enough.
  int64_t deviceMemory = 0;
  /// The text of a placement file, and what diagnostics call it.
  std::string place, placeName = "place";
};

/// A closed graph → devices, activations and reasons (phase `place`).
void buildPlacementPipeline(mlir::OpPassManager &pm,
                            const PlacementOptions &options);
/// → partitions joined by sends and recvs (phase `partition`). Unless it
/// `merges`, a value crosses once for each of its uses.
void buildPartitionPipeline(mlir::OpPassManager &pm, bool merges = true);
/// The doors alone, for a text that was edited by hand: what the phases `place`
/// and `partition` promise to whoever goes on from there.
void addPlacementDoor(mlir::OpPassManager &pm);
void addPartitionDoor(mlir::OpPassManager &pm);
/// Makes them known to dtc-opt as `dist-placement-pipeline`, with the options
/// above, and `dist-partition-pipeline`.
void registerDistPipelines();

} // namespace dtc::dist

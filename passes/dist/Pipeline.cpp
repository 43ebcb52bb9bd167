#include "passes/dist/Pipeline.h"

#include "passes/dist/Passes.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace dtc::dist {

void addPlacementDoor(mlir::OpPassManager &pm) {
  pm.addPass(createVerifyPlacementPass());
}

void addPartitionDoor(mlir::OpPassManager &pm) {
  pm.addPass(createVerifyChannelsPass());
}

void buildPlacementPipeline(mlir::OpPassManager &pm,
                            const PlacementOptions &options) {
  // Variables first: from then on a part is a variable like any other.
  SplitVariablesPassOptions split;
  split.cluster = options.cluster;
  split.mode = options.mode;
  split.maxShardBytes = options.maxShardBytes;
  pm.addPass(createSplitVariablesPass(split));

  // Then jobs: what is a variable's and what is a worker's decides what is
  // cloned or made a template, and where replicas meet.
  AssignJobsPassOptions jobs;
  jobs.cluster = options.cluster;
  jobs.mode = options.mode;
  jobs.update = options.update;
  jobs.wireType = options.wireType;
  jobs.softPlacement = options.softPlacement;
  pm.addPass(createAssignJobsPass(jobs));

  // Replicas before aggregation: it must know how many there are, and that a
  // tower is already combined.
  ReplicatePassOptions replicate;
  replicate.replicas = options.replicas;
  replicate.numbered = options.numbered;
  pm.addPass(createReplicatePass(replicate));
  pm.addPass(createInsertAggregationPass());

  // When every op exists that needs a device.
  PlacePassOptions place;
  place.placement = options.placement;
  place.place = options.place;
  place.placeName = options.placeName;
  place.deviceMemory = options.deviceMemory;
  pm.addPass(createPlacePass(place));

  // Now that each task is known that applies pushes, and before relays: a
  // worker's own value may have to pass one.
  pm.addPass(createInsertPushesPass());

  // Last: only now it is known which values travel between which tasks.
  pm.addPass(createInsertRelaysPass());
  addPlacementDoor(pm);
}

void buildPartitionPipeline(mlir::OpPassManager &pm, bool merges) {
  // One transfer for each use first, merged afterwards: whoever forms
  // partitions need not know who else asks for a value.
  pm.addPass(createFormPartitionsPass());
  if (merges)
    pm.addPass(createMergeTransfersPass());

  // When each crossing is there once, and before it has two ends to agree.
  pm.addPass(createNarrowTransfersPass());

  // From here on keys, not uses, tie the ends together.
  pm.addPass(createSplitTransfersPass());
  addPartitionDoor(pm);
}

namespace {
struct TextOptions : mlir::PassPipelineOptions<TextOptions> {
  Option<std::string> cluster{*this, "cluster",
                              llvm::cl::desc("as in ps=1,worker=2")};
  Option<std::string> mode{*this, "mode", llvm::cl::init("local")};
  Option<std::string> update{*this, "update", llvm::cl::init("sync")};
  Option<std::string> wireType{*this, "wire-type"};
  Option<int64_t> replicas{*this, "replicas", llvm::cl::init(1)};
  Option<int64_t> maxShardBytes{*this, "max-shard-bytes", llvm::cl::init(0)};
  Option<bool> softPlacement{*this, "soft-placement", llvm::cl::init(false)};
  Option<std::string> placement{*this, "placement", llvm::cl::init("greedy")};
  Option<std::string> place{*this, "place"};
  Option<int64_t> deviceMemory{*this, "device-memory", llvm::cl::init(0)};
};
} // namespace

void registerDistPipelines() {
  mlir::PassPipelineRegistration<TextOptions>(
      "dist-placement-pipeline", "Graph to placed graph",
      [](mlir::OpPassManager &pm, const TextOptions &options) {
        buildPlacementPipeline(pm, {.cluster = options.cluster,
                                    .mode = options.mode,
                                    .update = options.update,
                                    .wireType = options.wireType,
                                    .maxShardBytes = options.maxShardBytes,
                                    .replicas = options.replicas,
                                    .softPlacement = options.softPlacement,
                                    .placement = options.placement,
                                    .deviceMemory = options.deviceMemory,
                                    .place = options.place});
      });
  mlir::PassPipelineRegistration<>("dist-partition-pipeline",
                                   "Placed graph to partitions",
                                   [](mlir::OpPassManager &pm) {
                                     addPlacementDoor(pm);
                                     buildPartitionPipeline(pm);
                                   });
}

} // namespace dtc::dist

#include "tests/mutation/Faults.h"

#include "tests/mutation/FaultLists.h"

namespace dtc::mutation {

const std::vector<FaultKind> &faultKinds() {
  static const std::vector<FaultKind> kinds = {
      {"dropped transfer", droppedTransfers()},
      {"doubled transfer", doubledTransfers()},
      {"swapped keys", swappedKeys()},
      {"off-by-one shard", offByOneShards()},
      {"wrong axis", wrongAxes()},
      {"wrong peer", wrongPeers()},
      {"stale read", staleReads()},
      {"lost control edge", lostControlEdges()},
      {"missing reduction", missingReductions()},
      {"doubled reduction", doubledReductions()},
      {"reordered calls", reorderedCalls()},
      {"wrong byte count", wrongByteCounts()},
  };
  return kinds;
}

} // namespace dtc::mutation

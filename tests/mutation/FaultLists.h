// The variants of each kind of fault, by the file that holds them.
#pragma once

#include "tests/mutation/Faults.h"

namespace dtc::mutation {

using Variants = std::vector<Inject>;

Variants droppedTransfers(); // TransferFaults.cpp
Variants doubledTransfers();
Variants swappedKeys();
Variants wrongPeers();
Variants staleReads(); // OrderFaults.cpp
Variants lostControlEdges();
Variants reorderedCalls();
Variants missingReductions(); // ReductionFaults.cpp
Variants doubledReductions();
Variants offByOneShards(); // ShapeFaults.cpp
Variants shiftedParts();   // ShardFaults.cpp; off-by-one shards, too
Variants wrongAxes();      // ShapeFaults.cpp
Variants wrongByteCounts();

} // namespace dtc::mutation

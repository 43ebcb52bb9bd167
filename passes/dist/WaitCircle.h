// WaitCircle: who would wait for whom when partitions, sends and recvs run as
// the text has them. For messages only: the proof of a plan is runtime/plan's.
#pragma once

#include "dialects/dist/Dist.h"

#include <string>

namespace dtc::dist {

/// One wait: what `op` waits for is the next one's op.
struct CircleWait {
  mlir::Operation *op;
  std::string text; // "worker:0 receives 'w' …, and waits for …"
};

/// A shortest circle of waits among the ops of a function of phase `partition`,
/// in which every key has its send and its recv, or nothing. A task makes its
/// calls to one peer in the order of the text, and a channel holds one message.
llvm::SmallVector<CircleWait> findWaitCircle(mlir::Block &body);

} // namespace dtc::dist

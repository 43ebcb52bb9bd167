// Proof that a plan cannot hang.
//
// Model. Every task executes its activations as dataflow, but talks to others
// in a stricter way than the runtime does: between two activations, sends are
// handed over one at a time in schedule order, receives are served one at a
// time in schedule order, and a channel holds one message. What holds here
// holds on every transport (sockets, GPU channels, queues of one).
//
// Replicas are all alike, so three of them stand for any number.
#pragma once

#include "runtime/plan/Plan.h"

namespace dtc {

/// OK when no step of any entry can wait for itself. Otherwise
/// FAILED_PRECONDITION with the shortest circle, one line a wait, each with its
/// task, edge and source location. Time and memory are near linear in the
/// number of instructions.
Status proveNoWaitCycle(const Plan &plan);

} // namespace dtc

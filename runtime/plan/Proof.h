// Proof that a plan cannot hang.
//
// Model. Every task executes its activations as dataflow, but talks to others
// in a stricter way than the runtime does. All that an activation says to one
// peer and hears from it is one sequence of calls in schedule order, and a call
// begins when the one before it has ended, as on a GPU channel. A channel
// between two tasks holds one message each way: the next send, also one of
// apply after those of step and serve, waits until the receive of the one
// before it has begun. What holds here holds on every transport. What the
// activations of one task hand to each other keeps to the same rules.
//
// Replicas are all alike, so three of them stand for any number: a circle over
// more has a twin over one that is the chief and one that is not.
#pragma once

#include "runtime/plan/Plan.h"

namespace dtc {

/// OK when no step of any entry can wait for itself. Otherwise
/// FAILED_PRECONDITION with the shortest circle, one line a wait, each with its
/// task, edge, source location and cause. Time and memory are near linear in
/// the number of instructions.
Status proveNoWaitCycle(const Plan &plan);

} // namespace dtc

// StepSimulation: how long a step takes when tasks execute their programs as
// dataflow on the cores of one machine. Plain C++: knows instructions by their
// seconds and edges by their bytes, no plan and no op.
//
// An activation is executed by one thread at a time, which takes what is ready
// in the order of the program; a kernel that is worth it spreads over the cores
// that are free. Messages of a link arrive in order. The tasks of a process
// share its threads, the processes share the cores. Between processes the links
// have threads of their own, which take what has gathered at once, and want
// cores like all others. Steps follow one another without a barrier but what
// the edges make.
#pragma once

#include <cstdint>
#include <vector>

namespace dtc::tool {

struct SimInstruction {
  enum Kind { Compute, Send, Recv } kind = Compute;
  double seconds = 0;          // of one thread
  uint32_t mostThreads = 1;    // that share it
  uint32_t edge = 0;           // of a send or recv
  std::vector<uint32_t> after; // instructions that it waits for
};

/// What an activation does.
using SimProgram = std::vector<SimInstruction>;

/// One execution of an activation in a step.
struct SimUnit {
  uint32_t program = 0;
  uint32_t peer = 0; // the task that an edge's end "peer" means
  uint32_t lane = 0;
};

/// A lane goes from step to step without waiting for the task's other lanes;
/// its late units begin when all its early ones are done. Of the lanes of a
/// task one at a time is late.
struct SimTask {
  uint32_t process = 0;
  std::vector<SimUnit> early, late;
};

/// From a task to a task; -1 is the unit's peer.
struct SimEdge {
  int32_t source = 0, target = 0;
  uint64_t bytes = 0;
};

/// What a message between two processes costs, or between two tasks of one.
struct SimLink {
  double latencySeconds = 0;
  double bytesPerSecond = 1e9;
  double sendSeconds = 0; // of the sender's thread
  double recvSeconds = 0; // of the receiver's
  /// Of the link's own threads, on either side, for a batch of messages; 0: it
  /// has none. They take the time of the bytes too.
  double batchSeconds = 0;
  double messageSeconds = 0; // for each of them
};

struct StepProblem {
  uint32_t cores = 1;
  uint32_t threadsPerProcess = 1;
  SimLink withinProcess, betweenProcesses;
  double hopSeconds = 0; // to wake a thread that waits for work
  /// What a second busy core adds to the first: 1 on a machine of our own.
  double coreYield = 1;
  double splitSeconds = 0; // to share a kernel, and to join again
  std::vector<SimProgram> programs;
  std::vector<SimTask> tasks;
  std::vector<SimEdge> edges;
  uint32_t chief = 0, chiefLane = 0; // whose steps are counted
};

/// One instruction of the critical path. It began when what stands before it
/// had ended, or its message had arrived.
struct SimPathItem {
  uint32_t task, program, instruction;
  double start, end; // seconds since the step began
};

struct StepOutcome {
  double stepSeconds = 0;          // in the steady state
  std::vector<SimPathItem> path;   // of one step, in order of time
  std::vector<double> busySeconds; // of each task, in a step
};

/// Deterministic. An instruction that waits for a message that nobody sends
/// never ends; the step then is as long as what comes before.
StepOutcome simulateSteps(const StepProblem &problem);

} // namespace dtc::tool

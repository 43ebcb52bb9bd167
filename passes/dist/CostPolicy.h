// CostPolicy: which device computes what, by a model of costs. Plain C++, apart
// from the IR, so that it can be tested and replaced.
//
// The model. A device executes one op at a time, of those that are ready the
// one that stands first. A value goes once to each other device that needs it,
// over the link of that pair of devices. A link takes values in batches: all
// that gathered while it was busy. The step time is when the last op is done.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dtc::dist {

struct CostProblem {
  struct Device {
    std::string name; // "worker:1"
    int64_t memoryBytes = std::numeric_limits<int64_t>::max();
  };
  /// What must be together: an op; a variable, its reads and its updates.
  struct Item {
    int64_t residentBytes = 0;             // that stay in memory: a variable's
    size_t firstDevice = 0, endDevice = 1; // it may be on one of these
    size_t initialDevice = 0; // where it would be without the policy
    bool isFixed() const { return endDevice - firstDevice == 1; }
    bool mayBeOn(size_t device) const {
      return device >= firstDevice && device < endDevice;
    }
  };
  struct Op {
    size_t item;
    double seconds = 0;
    int64_t bytes = 0;            // of its results
    int64_t wireBytes = 0;        // of them while they cross
    bool isInPlace = false;       // they are part of what resides there
    std::vector<size_t> operands; // ops before it, each once
  };
  std::vector<Device> devices;
  std::vector<Item> items;
  std::vector<Op> ops;
  struct Link {
    double latencySeconds = 0;  // of a batch, when it has left
    double batchSeconds = 0;    // that the link is busy with a batch, beside
    double messageSeconds = 0;  // each value of it
    double handlingSeconds = 0; // of the device, to send a value
    double bytesPerSecond = std::numeric_limits<double>::infinity();
    /// Of what has left, at the far end.
    double landingBytesPerSecond = std::numeric_limits<double>::infinity();

    /// Of one value on an idle link.
    double secondsOf(int64_t bytes) const {
      return latencySeconds + batchSeconds + messageSeconds + handlingSeconds +
             double(bytes) / bytesPerSecond +
             double(bytes) / landingBytesPerSecond;
    }
  };
  Link link;
  /// What part of the initial step time a placement has to save: the model is
  /// no better than that.
  double leastGain = 0;
};

/// What a placement comes to.
struct CostOutcome {
  double stepSeconds = 0;
  /// Of each device: what resides there, and values while others need them.
  std::vector<int64_t> peakBytes;
  int64_t lackingBytes = 0; // over all devices that have too little memory

  /// Room first, then time.
  bool isBetterThan(const CostOutcome &other) const;
};

/// `device`: of each item.
CostOutcome evaluateCost(const CostProblem &problem,
                         const std::vector<size_t> &device);

/// A place that an item could have had, all others staying where they are.
struct CostAlternative {
  size_t device;
  double stepSeconds;
  int64_t lackingBytes;
};

struct CostSolution {
  std::vector<size_t> device; // of each item
  CostOutcome outcome, initial;
  /// Of each item, the best first; empty where it is fixed, and all empty in a
  /// problem that is too large to try them.
  std::vector<std::vector<CostAlternative>> alternatives;
};

/// The best placement found: the initial one; all on one device; lists of ops
/// by their way to the end, each to the device where it is done first; the best
/// of these, with items and groups of items moved while that helps; or the
/// initial one, if it fits and nothing gains enough. The work is bounded by a
/// number of ops looked at, not by time, so that the same problem has the same
/// solution anywhere.
CostSolution solveCost(const CostProblem &problem);

} // namespace dtc::dist

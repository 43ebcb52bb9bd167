// TaskContext: what the executors of one task share, and how they reach the
// world beyond it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"
#include "runtime/base/ThreadPool.h"
#include "runtime/device/Device.h"
#include "runtime/executor/Accumulator.h"
#include "runtime/executor/KernelTable.h"
#include "runtime/executor/UpdateGate.h"
#include "runtime/executor/Variables.h"
#include "runtime/transport/Rendezvous.h"
#include "runtime/transport/Transport.h"

namespace dtc {

/// A tensor that is being sent, for whoever listens in (`dtc verify`).
struct SentTensor {
  uint64_t step;
  uint32_t edge;    // of the entry
  uint32_t replica; // that the sender serves, or is
  TaskId source;
  TaskId target;
  std::span<const std::byte> bytes; // valid during the call
};

/// A kernel that has run well, for whoever looks on (`dtc verify`).
struct KernelRun {
  const proto::Instruction &launch;
  uint64_t step;
  uint32_t replica;       // that the activation serves, or is; else 0
  void *const *arguments; // its inputs, then its outputs; during the call
};

/// All pointers outlive the executors. Functions are called from any thread,
/// several at once, and must not block.
struct TaskContext {
  TaskId self;
  ThreadPool *pool = nullptr;
  Device *device = nullptr;
  Rendezvous *rendezvous = nullptr;
  Transport *transport = nullptr; // may be null when nothing is sent to others
  Variables *variables = nullptr;
  KernelTable::Ptr kernels;
  std::map<std::string, std::unique_ptr<Accumulator>> accumulators;
  /// There for an entry with update async: apply activations are for one
  /// replica's push, and go through it one by one.
  UpdateGate *gate = nullptr;
  /// Every tensor crosses as it is, whatever the plan says (`dtc verify`). The
  /// tasks at the two ends of a link must agree.
  bool isWireExact = false;

  /// Fills the columns of input `input` with the task's rows of `step`.
  std::function<Status(uint32_t input, uint64_t step,
                       std::span<const std::span<std::byte>> columns)>
      readInput;
  /// The bytes of feed `feed`, which stay valid; the right number of them.
  std::function<std::span<const std::byte>(uint32_t feed)> readFeed;
  /// Takes fetch `fetch` of `step`; `bytes` are valid during the call. With
  /// update async, of each replica.
  std::function<void(uint32_t fetch, uint64_t step, uint32_t replica,
                     std::span<const std::byte> bytes)>
      writeFetch;
  std::function<void(const SentTensor &)> tap;      // may be empty
  std::function<void(const KernelRun &)> ranKernel; // may be empty
  /// Told of the first error of a run, before what waits has ended.
  std::function<void(const Status &)> failed; // may be empty
};

} // namespace dtc

// What an instruction reads and writes, and how messages call it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/TaskId.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

/// Buffer numbers of the activation.
struct Operands {
  std::vector<uint32_t> reads;
  std::vector<uint32_t> writes;
};
Operands operandsOf(const proto::Instruction &instruction);

/// "launch", "send", … or "nothing" when the instruction has no kind.
const char *kindName(const proto::Instruction &instruction);
/// "step", "serve", "apply".
const char *kindName(proto::Activation::Kind kind);

inline TaskId toTaskId(const proto::Task &task) {
  return {task.job(), task.index()};
}

/// "instruction 3, send 'w1.grad' (digits.mlir:12:8)".
std::string describe(const proto::Instruction &instruction, uint32_t index);

} // namespace dtc

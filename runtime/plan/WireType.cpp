#include "runtime/plan/WireType.h"

#include <algorithm>

namespace dtc {

constexpr uint64_t alignment = 64; // as a buffer's

ElementType wireElement(const proto::Edge &edge) {
  return static_cast<ElementType>(edge.wire() ? edge.wire()
                                              : edge.type().element());
}

uint64_t wireBytes(const proto::Edge &edge, uint64_t tensorBytes) {
  size_t whole = sizeBytes(static_cast<ElementType>(edge.type().element()));
  return whole ? tensorBytes / whole * sizeBytes(wireElement(edge)) : 0;
}

uint64_t packBytes(const proto::Entry &entry,
                   const proto::Instruction &instruction) {
  if (!instruction.has_send())
    return 0;
  const proto::Edge &edge = entry.edges(instruction.send().edge());
  if (edge.wire() == proto::ELEMENT_TYPE_UNSPECIFIED)
    return 0;
  uint64_t bytes = std::min(edge.bytes(), tooManyBytes);
  return (bytes + alignment - 1) / alignment * alignment;
}

uint64_t memoryBytes(const proto::Entry &entry,
                     const proto::Activation &activation) {
  uint64_t bytes = std::min(activation.arena_bytes(), tooManyBytes);
  for (const proto::Instruction &instruction : activation.instructions())
    bytes = std::min(bytes + packBytes(entry, instruction), tooManyBytes);
  return bytes;
}

} // namespace dtc

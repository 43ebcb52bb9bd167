// WireType: what an edge's elements are while they cross, and the memory that
// this takes.
#pragma once

#include <cstdint>

#include "runtime/base/ElementType.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

/// What the edge's elements are while they cross: those of its type, or
/// narrower ones.
ElementType wireElement(const proto::Edge &edge);

/// Of a tensor with `tensorBytes` bytes of the edge's type, while it crosses.
uint64_t wireBytes(const proto::Edge &edge, uint64_t tensorBytes);

/// Room, in bytes, that `instruction` of `entry` needs to pack what it sends:
/// 0, or a multiple of 64. The edge was checked.
uint64_t packBytes(const proto::Entry &entry,
                   const proto::Instruction &instruction);

/// What one execution of the activation needs: its arena, and behind that the
/// room in which its sends pack, one behind the other in their order. No less
/// than `tooManyBytes` if it is that many.
uint64_t memoryBytes(const proto::Entry &entry,
                     const proto::Activation &activation);
inline constexpr uint64_t tooManyBytes = uint64_t(1) << 60;

} // namespace dtc

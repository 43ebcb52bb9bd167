// PlanEdit: changes to a plan's message that keep its numbering whole, so that
// a fault is the one that was meant and not a broken index.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/plan/plan.pb.h"

namespace dtc::mutation {

/// Calls `visit` for each buffer number of the instruction; it may change it.
void forEachBuffer(proto::Instruction &it,
                   const std::function<void(uint32_t &)> &visit);
/// Only for those that it reads.
void forEachRead(proto::Instruction &it,
                 const std::function<void(uint32_t &)> &visit);
/// The edge of a send or a receive.
uint32_t edgeOf(const proto::Instruction &it);
void setEdge(proto::Instruction &it, uint32_t edge);

/// Takes instruction `at` out. What was to run after it no longer waits.
void eraseInstruction(proto::Activation &activation, uint32_t at);
/// Puts `it` before instruction `at`; its `after` counts as before.
void insertInstruction(proto::Activation &activation, uint32_t at,
                       const proto::Instruction &it);
/// Moves instruction `from` to `to`. False, and nothing changes, when a
/// dependency stands in between.
bool moveInstruction(proto::Activation &activation, uint32_t from, uint32_t to);
/// Puts instruction `order[i]` at i. `order` must respect all dependencies.
void reorder(proto::Activation &activation, const std::vector<uint32_t> &order);
/// What must be done before each instruction: operands and `after`.
std::vector<std::vector<uint32_t>>
dependencies(const proto::Activation &activation);

/// Takes a buffer that nothing defines or reads out.
void eraseBuffer(proto::Activation &activation, uint32_t buffer);
/// A buffer like `buffer`, behind all others.
uint32_t copyBuffer(proto::Activation &activation, uint32_t buffer);
/// Takes an edge that nothing sends or receives out.
void eraseEdge(proto::Entry &entry, uint32_t edge);

} // namespace dtc::mutation

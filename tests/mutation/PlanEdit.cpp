#include "tests/mutation/PlanEdit.h"

#include <algorithm>

#include "runtime/plan/Instructions.h"

namespace dtc::mutation {
namespace {

template <typename List>
void visitAll(List *list, const std::function<void(uint32_t &)> &visit) {
  for (uint32_t &buffer : *list)
    visit(buffer);
}

template <typename Message>
void visitOne(Message *message, const std::function<void(uint32_t &)> &visit) {
  uint32_t buffer = message->buffer();
  visit(buffer);
  message->set_buffer(buffer);
}

void forEachWrite(proto::Instruction &it,
                  const std::function<void(uint32_t &)> &visit) {
  using I = proto::Instruction;
  switch (it.kind_case()) {
  case I::kLaunch:
    return visitAll(it.mutable_launch()->mutable_outputs(), visit);
  case I::kReadInput:
    return visitAll(it.mutable_read_input()->mutable_buffers(), visit);
  case I::kRecv:
    return visitOne(it.mutable_recv(), visit);
  case I::kLoadVariable:
    return visitOne(it.mutable_load_variable(), visit);
  case I::kTake:
    return visitOne(it.mutable_take(), visit);
  case I::kReadFeed:
    return visitOne(it.mutable_read_feed(), visit);
  case I::kReplicaIndex:
    return visitOne(it.mutable_replica_index(), visit);
  default:
    return;
  }
}

/// Renumbers by `renumber`; -1 takes an entry out.
void renumberAfter(proto::Activation &activation,
                   const std::function<int64_t(uint32_t)> &renumber) {
  for (proto::Instruction &it : *activation.mutable_instructions()) {
    std::vector<uint32_t> after;
    for (uint32_t before : it.after())
      if (int64_t now = renumber(before); now >= 0)
        after.push_back(now);
    std::sort(after.begin(), after.end());
    it.mutable_after()->Assign(after.begin(), after.end());
  }
}

} // namespace

void forEachRead(proto::Instruction &it,
                 const std::function<void(uint32_t &)> &visit) {
  using I = proto::Instruction;
  switch (it.kind_case()) {
  case I::kLaunch:
    return visitAll(it.mutable_launch()->mutable_inputs(), visit);
  case I::kSend:
    return visitOne(it.mutable_send(), visit);
  case I::kStoreVariable:
    return visitOne(it.mutable_store_variable(), visit);
  case I::kAccumulate:
    return visitOne(it.mutable_accumulate(), visit);
  case I::kWriteFetch:
    return visitOne(it.mutable_write_fetch(), visit);
  default:
    return;
  }
}

void forEachBuffer(proto::Instruction &it,
                   const std::function<void(uint32_t &)> &visit) {
  forEachRead(it, visit);
  forEachWrite(it, visit);
}

void eraseInstruction(proto::Activation &activation, uint32_t at) {
  activation.mutable_instructions()->DeleteSubrange(at, 1);
  renumberAfter(activation, [&](uint32_t i) -> int64_t {
    return i == at ? -1 : i > at ? int64_t(i) - 1 : i;
  });
}

void insertInstruction(proto::Activation &activation, uint32_t at,
                       const proto::Instruction &it) {
  *activation.add_instructions() = it;
  renumberAfter(activation,
                [&](uint32_t i) -> int64_t { return i >= at ? i + 1 : i; });
  auto *list = activation.mutable_instructions();
  for (int i = list->size() - 1; i > int(at); --i)
    list->SwapElements(i, i - 1);
}

std::vector<std::vector<uint32_t>>
dependencies(const proto::Activation &activation) {
  std::vector<std::vector<uint32_t>> before;
  std::vector<uint32_t> definer(activation.buffers_size());
  for (const proto::Instruction &it : activation.instructions()) {
    std::vector<uint32_t> own(it.after().begin(), it.after().end());
    Operands operands = operandsOf(it);
    for (uint32_t buffer : operands.reads)
      own.push_back(definer[buffer]);
    for (uint32_t buffer : operands.writes)
      definer[buffer] = before.size();
    before.push_back(std::move(own));
  }
  return before;
}

void reorder(proto::Activation &activation,
             const std::vector<uint32_t> &order) {
  std::vector<uint32_t> placeOf(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    placeOf[order[i]] = i;
  proto::Activation old = activation;
  for (size_t i = 0; i < order.size(); ++i)
    *activation.mutable_instructions(i) = old.instructions(order[i]);
  renumberAfter(activation, [&](uint32_t i) -> int64_t { return placeOf[i]; });
}

bool moveInstruction(proto::Activation &activation, uint32_t from,
                     uint32_t to) {
  auto before = dependencies(activation);
  auto dependsOn = [&](uint32_t later, uint32_t earlier) {
    return std::count(before[later].begin(), before[later].end(), earlier) > 0;
  };
  for (uint32_t i = from + 1; i <= to; ++i)
    if (dependsOn(i, from))
      return false;
  for (uint32_t i = to; i < from; ++i)
    if (dependsOn(from, i))
      return false;
  std::vector<uint32_t> order;
  for (int i = 0; i < activation.instructions_size(); ++i)
    if (uint32_t(i) != from)
      order.push_back(i);
  order.insert(order.begin() + to, from);
  reorder(activation, order);
  return true;
}

void eraseBuffer(proto::Activation &activation, uint32_t buffer) {
  activation.mutable_buffers()->DeleteSubrange(buffer, 1);
  for (proto::Instruction &it : *activation.mutable_instructions())
    forEachBuffer(it, [&](uint32_t &b) { b -= b > buffer; });
}

uint32_t copyBuffer(proto::Activation &activation, uint32_t buffer) {
  proto::Buffer copy = activation.buffers(buffer);
  copy.set_offset((activation.arena_bytes() + 63) / 64 * 64);
  uint64_t bytes = std::max<uint64_t>(copy.bytes(), 1);
  activation.set_arena_bytes(copy.offset() + (bytes + 63) / 64 * 64);
  *activation.add_buffers() = copy;
  return activation.buffers_size() - 1;
}

uint32_t edgeOf(const proto::Instruction &it) {
  return it.has_send() ? it.send().edge() : it.recv().edge();
}

void setEdge(proto::Instruction &it, uint32_t edge) {
  if (it.has_send())
    it.mutable_send()->set_edge(edge);
  else
    it.mutable_recv()->set_edge(edge);
}

void eraseEdge(proto::Entry &entry, uint32_t edge) {
  entry.mutable_edges()->DeleteSubrange(edge, 1);
  for (proto::Program &program : *entry.mutable_programs())
    for (proto::Activation &activation : *program.mutable_activations())
      for (proto::Instruction &it : *activation.mutable_instructions())
        if ((it.has_send() || it.has_recv()) && edgeOf(it) > edge)
          setEdge(it, edgeOf(it) - 1);
}

} // namespace dtc::mutation

#include "runtime/plan/Instructions.h"

#include "runtime/base/Status.h"

namespace dtc {

Operands operandsOf(const proto::Instruction &instruction) {
  using I = proto::Instruction;
  auto list = [](const auto &numbers) {
    return std::vector<uint32_t>(numbers.begin(), numbers.end());
  };
  switch (instruction.kind_case()) {
  case I::kLaunch:
    return {list(instruction.launch().inputs()),
            list(instruction.launch().outputs())};
  case I::kSend:
    return {{instruction.send().buffer()}, {}};
  case I::kRecv:
    return {{}, {instruction.recv().buffer()}};
  case I::kLoadVariable:
    return {{}, {instruction.load_variable().buffer()}};
  case I::kStoreVariable:
    return {{instruction.store_variable().buffer()}, {}};
  case I::kAccumulate:
    return {{instruction.accumulate().buffer()}, {}};
  case I::kTake:
    return {{}, {instruction.take().buffer()}};
  case I::kReadInput:
    return {{}, list(instruction.read_input().buffers())};
  case I::kReadFeed:
    return {{}, {instruction.read_feed().buffer()}};
  case I::kReplicaIndex:
    return {{}, {instruction.replica_index().buffer()}};
  case I::kWriteFetch:
    return {{instruction.write_fetch().buffer()}, {}};
  case I::KIND_NOT_SET:
    return {};
  }
  return {};
}

const char *kindName(const proto::Instruction &instruction) {
  using I = proto::Instruction;
  switch (instruction.kind_case()) {
  case I::kLaunch:
    return "launch";
  case I::kSend:
    return "send";
  case I::kRecv:
    return "recv";
  case I::kLoadVariable:
    return "load_variable";
  case I::kStoreVariable:
    return "store_variable";
  case I::kAccumulate:
    return "accumulate";
  case I::kTake:
    return "take";
  case I::kReadInput:
    return "read_input";
  case I::kReadFeed:
    return "read_feed";
  case I::kReplicaIndex:
    return "replica_index";
  case I::kWriteFetch:
    return "write_fetch";
  case I::KIND_NOT_SET:
    return "nothing";
  }
  return "nothing";
}

const char *kindName(proto::Activation::Kind kind) {
  switch (kind) {
  case proto::Activation::STEP:
    return "step";
  case proto::Activation::SERVE:
    return "serve";
  case proto::Activation::APPLY:
    return "apply";
  default:
    return "no kind";
  }
}

std::string describe(const proto::Instruction &instruction, uint32_t index) {
  std::string text = strCat("instruction ", index, ", ", kindName(instruction));
  if (!instruction.name().empty())
    text += strCat(" '", instruction.name(), "'");
  if (!instruction.location().empty())
    text += strCat(" (", instruction.location(), ")");
  return text;
}

} // namespace dtc

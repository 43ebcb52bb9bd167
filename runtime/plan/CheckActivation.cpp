#include <algorithm>
#include <map>

#include "runtime/plan/PlanCheck.h"

namespace dtc {
namespace {

constexpr uint64_t alignment = 64;
constexpr uint64_t maxArenaBytes = uint64_t(1) << 48;

/// Checks one activation; knows where it stands and what was defined so far.
class ActivationChecker {
public:
  ActivationChecker(const proto::Plan &plan, const proto::Entry &entry,
                    const ActivationSite &site)
      : plan_(plan), entry_(entry), activation_(*site.activation),
        where_(site.where) {}

  Status check() {
    if (activation_.arena_bytes() > maxArenaBytes)
      return fail(strCat("an arena of ", activation_.arena_bytes(),
                         " bytes is over the limit of ", maxArenaBytes));
    DTC_RETURN_IF_ERROR(checkBuffers());
    definer_.assign(activation_.buffers_size(), -1);
    for (int i = 0; i < activation_.instructions_size(); ++i) {
      at_ = i;
      DTC_RETURN_IF_ERROR(checkOrder());
      DTC_RETURN_IF_ERROR(checkKind());
    }
    for (int b = 0; b < activation_.buffers_size(); ++b)
      if (definer_[b] < 0)
        return fail(strCat("buffer ", b, " is never defined"));
    return checkArenaIsUsed();
  }

private:
  Status fail(const std::string &what) const {
    return Status::dataLoss(where_ + ": " + what);
  }
  const proto::Instruction &instruction() const {
    return activation_.instructions(at_);
  }
  Status failHere(const std::string &what) const {
    return fail(describe(instruction(), at_) + ": " + what);
  }

  Status checkBuffers();
  Status checkOrder();
  Status checkKind();
  Status checkLaunch();
  Status checkReadInput();
  Status checkLoad();
  Status expectType(uint32_t buffer, const proto::TensorType &expected,
                    const std::string &whose) const;
  Status expectVariable(uint32_t variable, uint32_t buffer) const;
  /// A buffer that names no arena bytes belongs to load_variable alone.
  Status checkArenaBytes(uint32_t buffer) const;
  /// What a plan says that a task needs is what it needs.
  Status checkArenaIsUsed() const;

  const proto::Plan &plan_;
  const proto::Entry &entry_;
  const proto::Activation &activation_;
  const std::string &where_;
  std::vector<TensorType> types_;
  std::vector<int> definer_; // by buffer; -1: not yet
  uint32_t at_ = 0;
};

Status ActivationChecker::checkBuffers() {
  for (int b = 0; b < activation_.buffers_size(); ++b) {
    const proto::Buffer &buffer = activation_.buffers(b);
    auto type = TensorType::create(buffer.type());
    if (!type.isOk())
      return fail(strCat("buffer ", b, ": ", type.status().message()));
    if (buffer.bytes() != type->bytes)
      return fail(strCat("buffer ", b, " has ", buffer.bytes(), " bytes, ",
                         *type, " has ", type->bytes));
    if (buffer.offset() % alignment != 0)
      return fail(strCat("buffer ", b, " lies at ", buffer.offset(),
                         ", not at a multiple of ", alignment));
    types_.push_back(type.take());
  }
  return Status::ok();
}

Status ActivationChecker::checkOrder() {
  for (uint32_t before : instruction().after())
    if (before >= at_)
      return failHere(strCat("is to run after instruction ", before,
                             ", which does not come before it"));
  Operands operands = operandsOf(instruction());
  for (uint32_t buffer : operands.reads) {
    if (buffer >= types_.size())
      return failHere(
          strCat("reads buffer ", buffer, ", there are ", types_.size()));
    if (definer_[buffer] < 0)
      return failHere(
          strCat("reads buffer ", buffer, " before anything defines it"));
  }
  for (uint32_t buffer : operands.writes) {
    if (buffer >= types_.size())
      return failHere(
          strCat("writes buffer ", buffer, ", there are ", types_.size()));
    if (definer_[buffer] >= 0)
      return failHere(
          strCat("writes buffer ", buffer, ", which is already defined by ",
                 describe(activation_.instructions(definer_[buffer]),
                          definer_[buffer])));
    definer_[buffer] = at_;
    if (!instruction().has_load_variable())
      DTC_RETURN_IF_ERROR(checkArenaBytes(buffer));
  }
  return Status::ok();
}

Status ActivationChecker::checkArenaBytes(uint32_t buffer) const {
  uint64_t end = activation_.buffers(buffer).offset() + types_[buffer].bytes;
  if (end < types_[buffer].bytes || end > activation_.arena_bytes())
    return fail(strCat("buffer ", buffer, " lies at ",
                       activation_.buffers(buffer).offset(), " with ",
                       types_[buffer].bytes, " bytes, the arena has ",
                       activation_.arena_bytes()));
  return Status::ok();
}

Status ActivationChecker::checkArenaIsUsed() const {
  uint64_t end = 0; // of the last buffer; an empty one takes a place, too
  for (int b = 0; b < activation_.buffers_size(); ++b)
    if (!activation_.instructions(definer_[b]).has_load_variable())
      end = std::max(end, activation_.buffers(b).offset() +
                              std::max<uint64_t>(types_[b].bytes, 1));
  uint64_t needed = (end + alignment - 1) / alignment * alignment;
  if (activation_.arena_bytes() > needed ||
      activation_.arena_bytes() % alignment != 0)
    return fail(strCat("an arena of ", activation_.arena_bytes(),
                       " bytes, but its buffers need ", needed));
  return Status::ok();
}

Status ActivationChecker::expectType(uint32_t buffer,
                                     const proto::TensorType &expected,
                                     const std::string &whose) const {
  auto type = TensorType::create(expected);
  if (!type.isOk())
    return failHere(strCat(whose, ": ", type.status().message()));
  if (!(*type == types_[buffer]))
    return failHere(strCat("buffer ", buffer, " is ", types_[buffer], ", ",
                           whose, " is ", *type));
  return Status::ok();
}

Status ActivationChecker::expectVariable(uint32_t variable,
                                         uint32_t buffer) const {
  if (variable >= static_cast<uint32_t>(plan_.variables_size()))
    return failHere(strCat("names variable ", variable, ", there are ",
                           plan_.variables_size()));
  const proto::Variable &declared = plan_.variables(variable);
  return expectType(buffer, declared.type(),
                    strCat("variable '", declared.name(), "'"));
}

Status ActivationChecker::checkLaunch() {
  const proto::Launch &launch = instruction().launch();
  if (launch.kernel() >= static_cast<uint32_t>(plan_.kernels_size()))
    return failHere(strCat("launches kernel ", launch.kernel(), ", there are ",
                           plan_.kernels_size()));
  const proto::Kernel &kernel = plan_.kernels(launch.kernel());
  if (launch.inputs_size() != kernel.inputs_size() ||
      launch.outputs_size() != kernel.outputs_size())
    return failHere(
        strCat("gives kernel '", kernel.name(), "' ", launch.inputs_size(),
               " inputs and ", launch.outputs_size(), " outputs, it has ",
               kernel.inputs_size(), " and ", kernel.outputs_size()));
  for (int i = 0; i < kernel.inputs_size(); ++i)
    DTC_RETURN_IF_ERROR(
        expectType(launch.inputs(i), kernel.inputs(i),
                   strCat("input ", i, " of kernel '", kernel.name(), "'")));
  for (int i = 0; i < kernel.outputs_size(); ++i)
    DTC_RETURN_IF_ERROR(
        expectType(launch.outputs(i), kernel.outputs(i),
                   strCat("output ", i, " of kernel '", kernel.name(), "'")));
  return Status::ok();
}

Status ActivationChecker::checkReadInput() {
  const proto::ReadInput &read = instruction().read_input();
  if (read.input() >= static_cast<uint32_t>(entry_.inputs_size()))
    return failHere(strCat("reads input ", read.input(), ", there are ",
                           entry_.inputs_size()));
  const proto::Input &input = entry_.inputs(read.input());
  if (read.buffers_size() != input.columns_size())
    return failHere(strCat("reads ", read.buffers_size(),
                           " columns, data set '", input.dataset(), "' has ",
                           input.columns_size()));
  for (int i = 0; i < input.columns_size(); ++i)
    DTC_RETURN_IF_ERROR(
        expectType(read.buffers(i), input.columns(i).type(),
                   strCat("column '", input.columns(i).name(),
                          "' of data set '", input.dataset(), "'")));
  return Status::ok();
}

Status ActivationChecker::checkLoad() {
  const proto::LoadVariable &load = instruction().load_variable();
  if (activation_.buffers(load.buffer()).offset() != 0)
    return failHere(strCat("buffer ", load.buffer(), " lies at ",
                           activation_.buffers(load.buffer()).offset(),
                           ", but a variable has its own bytes (0)"));
  return expectVariable(load.variable(), load.buffer());
}

template <typename List>
bool isIndex(uint32_t index, const List &list) {
  return index < static_cast<uint32_t>(list.size());
}

Status ActivationChecker::checkKind() {
  using I = proto::Instruction;
  const proto::Instruction &it = instruction();
  auto edge = [&](uint32_t index, uint32_t buffer) {
    if (!isIndex(index, entry_.edges()))
      return failHere(
          strCat("names edge ", index, ", there are ", entry_.edges_size()));
    return expectType(buffer, entry_.edges(index).type(),
                      strCat("edge '", entry_.edges(index).key(), "'"));
  };
  switch (it.kind_case()) {
  case I::kLaunch:
    return checkLaunch();
  case I::kSend:
    return edge(it.send().edge(), it.send().buffer());
  case I::kRecv:
    return edge(it.recv().edge(), it.recv().buffer());
  case I::kLoadVariable:
    return checkLoad();
  case I::kStoreVariable:
    return expectVariable(it.store_variable().variable(),
                          it.store_variable().buffer());
  case I::kReadInput:
    return checkReadInput();
  case I::kReadFeed:
    if (!isIndex(it.read_feed().feed(), entry_.feeds()))
      return failHere(strCat("names feed ", it.read_feed().feed(),
                             ", there are ", entry_.feeds_size()));
    return expectType(
        it.read_feed().buffer(), entry_.feeds(it.read_feed().feed()).type(),
        strCat("feed '", entry_.feeds(it.read_feed().feed()).name(), "'"));
  case I::kWriteFetch:
    if (!isIndex(it.write_fetch().fetch(), entry_.fetches()))
      return failHere(strCat("names fetch ", it.write_fetch().fetch(),
                             ", there are ", entry_.fetches_size()));
    return expectType(it.write_fetch().buffer(),
                      entry_.fetches(it.write_fetch().fetch()).type(),
                      strCat("fetch '",
                             entry_.fetches(it.write_fetch().fetch()).name(),
                             "'"));
  case I::kReplicaIndex: {
    proto::TensorType count;
    count.set_element(proto::I64);
    return expectType(it.replica_index().buffer(), count,
                      "the number of a replica");
  }
  case I::kAccumulate:
  case I::kTake:
    return Status::ok(); // the two ends are compared by checkEntry
  case I::KIND_NOT_SET:
    return failHere("does nothing");
  }
  return failHere("does nothing");
}

} // namespace

Status checkActivation(const proto::Plan &plan, const proto::Entry &entry,
                       const ActivationSite &site) {
  return ActivationChecker(plan, entry, site).check();
}

} // namespace dtc

#include "runtime/plan/Shards.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace dtc {

std::vector<WholeVariable> wholeVariables(const Plan &plan) {
  std::map<std::string, WholeVariable> wholes;
  for (int v = 0; v < plan.proto().variables_size(); ++v) {
    const proto::Variable &variable = plan.proto().variables(v);
    const proto::Shard &shard = variable.shard();
    TensorType type = plan.variableType(v);
    bool isPart = variable.has_shard();
    WholeVariable &whole = wholes[isPart ? shard.whole() : variable.name()];
    whole.parts.resize(isPart ? shard.count() : 1);
    whole.parts[shard.index()] = v;
    if (isPart) {
      type.shape.assign(shard.shape().begin(), shard.shape().end());
      type.elements = 1;
      for (int64_t size : type.shape)
        type.elements *= size;
      type.bytes = type.elements * sizeBytes(type.element);
    }
    whole.type = std::move(type);
  }
  std::vector<WholeVariable> list;
  for (auto &[name, whole] : wholes) {
    whole.name = name;
    list.push_back(std::move(whole));
  }
  return list;
}

PartLayout::PartLayout(const proto::Shard &shard) {
  for (int i = 0; i < shard.shape_size(); ++i)
    if (uint32_t(i) != shard.axis())
      (uint32_t(i) < shard.axis() ? outer_ : inner_) *= shard.shape(i);
  wholeSize_ = shard.shape(shard.axis());
  uint64_t index = shard.index(), count = shard.count();
  uint64_t longer = wholeSize_ % count; // that many parts have one more
  size_ = wholeSize_ / count + (index < longer);
  stride_ = shard.interleaved() ? count : 1;
  start_ = shard.interleaved()
               ? index
               : index * (wholeSize_ / count) + std::min(index, longer);
}

uint64_t PartLayout::inWhole(uint64_t element) const {
  uint64_t behind = element % inner_, row = element / inner_ % size_,
           before = element / inner_ / size_;
  return (before * wholeSize_ + start_ + row * stride_) * inner_ + behind;
}

/// Calls visit(byte in the part, byte in the whole, bytes) for runs of elements
/// that are neighbours in both.
template <typename Visit>
static void visitRuns(const Plan &plan, uint32_t part, Visit visit) {
  PartLayout layout(plan.proto().variables(part).shard());
  uint64_t size = sizeBytes(plan.variableType(part).element);
  for (uint64_t begin = 0, end = 0; begin < layout.elements(); begin = end) {
    uint64_t first = layout.inWhole(begin);
    for (end = begin + 1; end < layout.elements() &&
                          layout.inWhole(end) == first + (end - begin);)
      ++end;
    visit(begin * size, first * size, (end - begin) * size);
  }
}

std::vector<std::byte>
joinParts(const Plan &plan, const WholeVariable &whole,
          const std::vector<std::vector<std::byte>> &variables) {
  std::vector<std::byte> bytes(whole.type.bytes);
  for (uint32_t part : whole.parts)
    visitRuns(plan, part, [&](uint64_t from, uint64_t to, uint64_t count) {
      std::memcpy(bytes.data() + to, variables[part].data() + from, count);
    });
  return bytes;
}

std::vector<std::byte> cutPart(const Plan &plan, uint32_t part,
                               std::span<const std::byte> whole) {
  std::vector<std::byte> bytes(plan.variableType(part).bytes);
  visitRuns(plan, part, [&](uint64_t to, uint64_t from, uint64_t count) {
    std::memcpy(bytes.data() + to, whole.data() + from, count);
  });
  return bytes;
}

/// The part's own numbers.
static Status checkPart(const proto::Variable &variable) {
  const proto::Shard &shard = variable.shard();
  proto::TensorType whole = variable.type();
  *whole.mutable_shape() = shard.shape();
  DTC_RETURN_IF_ERROR(TensorType::create(whole).status());
  if (shard.whole().empty())
    return Status::dataLoss("is a part of a variable without a name");
  if (shard.axis() >= uint32_t(shard.shape_size()))
    return Status::dataLoss(strCat("is split along axis ", shard.axis(), " of ",
                                   shard.shape_size()));
  int64_t size = shard.shape(shard.axis());
  if (shard.count() < 1 || shard.count() > size ||
      shard.index() >= shard.count())
    return Status::dataLoss(strCat("is part ", shard.index(), " of ",
                                   shard.count(), " of an axis of ", size));
  whole.set_shape(shard.axis(), PartLayout(shard).size());
  if (!std::equal(whole.shape().begin(), whole.shape().end(),
                  variable.type().shape().begin(),
                  variable.type().shape().end()))
    return Status::dataLoss(strCat("is ", *TensorType::create(variable.type()),
                                   ", but part ", shard.index(), " of ",
                                   shard.count(), " of '", shard.whole(),
                                   "' is ", *TensorType::create(whole)));
  return Status::ok();
}

/// Whether two parts can be of one variable.
static bool isSameSplit(const proto::Variable &a, const proto::Variable &b) {
  const proto::Shard &x = a.shard(), &y = b.shard();
  return std::equal(x.shape().begin(), x.shape().end(), y.shape().begin(),
                    y.shape().end()) &&
         x.axis() == y.axis() && x.count() == y.count() &&
         x.interleaved() == y.interleaved() &&
         a.type().element() == b.type().element() && a.is_slot() == b.is_slot();
}

Status checkShards(const proto::Plan &plan) {
  std::map<std::string, std::map<uint32_t, const proto::Variable *>> wholes;
  for (const proto::Variable &variable : plan.variables()) {
    std::string where = strCat("variable '", variable.name(), "': ");
    if (!variable.has_shard())
      continue;
    DTC_RETURN_IF_ERROR(checkPart(variable).withPrefix(where));
    auto &parts = wholes[variable.shard().whole()];
    auto [other, isNew] = parts.emplace(variable.shard().index(), &variable);
    if (!isNew)
      return Status::dataLoss(
          strCat(where, "is the same part as '", other->second->name(), "'"));
    if (!isSameSplit(variable, *parts.begin()->second))
      return Status::dataLoss(strCat(where, "is split in another way than '",
                                     parts.begin()->second->name(), "'"));
  }
  for (const auto &[whole, parts] : wholes)
    if (parts.size() != parts.begin()->second->shard().count())
      return Status::dataLoss(
          strCat("variable '", whole, "': there are ", parts.size(), " of ",
                 parts.begin()->second->shard().count(), " parts"));
  for (const proto::Variable &variable : plan.variables())
    if (!variable.has_shard() && wholes.count(variable.name()))
      return Status::dataLoss(strCat("variable '", variable.name(),
                                     "' is there whole and in parts"));
  return Status::ok();
}

} // namespace dtc

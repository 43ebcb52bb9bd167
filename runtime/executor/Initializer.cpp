#include "runtime/executor/Initializer.h"

#include <cmath>
#include <cstring>
#include <functional>

#include "runtime/kernels/Elements.h"
#include "runtime/kernels/Philox.h"
#include "runtime/plan/Shards.h"

namespace dtc {
namespace {

/// FNV-1a: the same on every machine, unlike std::hash.
uint64_t stableHash(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

constexpr uint32_t spreadAttempt = 0xffff; // no initializer gets that far

/// The random numbers of one variable: block `attempt` of element `index`.
class Source {
public:
  Source(uint64_t seed, const std::string &name)
      : key_{uint32_t(seed), uint32_t(seed >> 32)}, name_(stableHash(name)) {}

  PhiloxBlock block(uint64_t index, uint32_t attempt) const {
    // 48 bits of index and 16 of attempt: a tensor has fewer elements.
    return philox(key_, {uint32_t(index),
                         (uint32_t(index >> 32) & 0xffff) | attempt << 16,
                         uint32_t(name_), uint32_t(name_ >> 32)});
  }
  double uniform(uint64_t index, uint32_t attempt = 0) const {
    PhiloxBlock bits = block(index, attempt);
    return openUnit(bits[0], bits[1]);
  }
  /// Box-Muller; one of the pair is enough.
  double normal(uint64_t index, uint32_t attempt) const {
    PhiloxBlock bits = block(index, attempt);
    double radius = std::sqrt(-2 * std::log(openUnit(bits[0], bits[1])));
    return radius * std::cos(2 * M_PI * openUnit(bits[2], bits[3]));
  }
  /// Within two standard deviations, by rejection.
  double truncatedNormal(uint64_t index) const {
    for (uint32_t attempt = 0; attempt < 1000; ++attempt)
      if (double value = normal(index, attempt); std::fabs(value) <= 2)
        return value;
    return 0; // one attempt in 22 is rejected: nobody ever comes here
  }

private:
  std::array<uint32_t, 2> key_;
  uint64_t name_;
};

/// Gives element i the value valueOf(i, what it was).
void change(const TensorType &type, std::span<std::byte> bytes,
            const std::function<double(uint64_t, double)> &valueOf) {
  Status status = visitElement(type.element, [&](auto identity) {
    using T = typename decltype(identity)::type;
    T *data = reinterpret_cast<T *>(bytes.data());
    for (uint64_t i = 0; i < type.elements; ++i)
      store(data, i, static_cast<Compute<T>>(valueOf(i, load(data, i))));
    return Status::ok();
  });
  assert(status.isOk() && "the plan was checked");
  (void)status;
}

void fill(const TensorType &type, std::span<std::byte> bytes,
          const std::function<double(uint64_t)> &valueAt) {
  change(type, bytes, [&](uint64_t i, double) { return valueAt(i); });
}

/// As the graph says. Element i of the variable is inWhole(i) of the whole.
void declaredValue(const Plan &plan, uint32_t variable, const Source &source,
                   const std::function<uint64_t(uint64_t)> &inWhole,
                   std::span<std::byte> bytes) {
  const proto::Initializer &how =
      plan.proto().variables(variable).initializer();
  const TensorType &type = plan.variableType(variable);
  switch (how.kind_case()) {
  case proto::Initializer::kConstant: {
    const std::string *member = plan.member("constants/" + how.constant());
    // One element may stand for all.
    for (size_t at = 0; at < bytes.size(); at += member->size())
      std::memcpy(bytes.data() + at, member->data(), member->size());
    return;
  }
  case proto::Initializer::kUniform:
    return fill(type, bytes, [&](uint64_t i) {
      double low = how.uniform().low(), high = how.uniform().high();
      return low + (high - low) * source.uniform(inWhole(i));
    });
  case proto::Initializer::kNormal:
    return fill(type, bytes, [&](uint64_t i) {
      uint64_t at = inWhole(i);
      double z = how.normal().truncated() ? source.truncatedNormal(at)
                                          : source.normal(at, 0);
      return how.normal().mean() + how.normal().stddev() * z;
    });
  case proto::Initializer::kFill:
  case proto::Initializer::KIND_NOT_SET:
    return fill(type, bytes, [&](uint64_t) { return how.fill(); });
  }
}

} // namespace

void initialValue(const Plan &plan, uint32_t variable, uint64_t seed,
                  double spread, std::span<std::byte> bytes) {
  const proto::Variable &declared = plan.proto().variables(variable);
  const TensorType &type = plan.variableType(variable);
  std::function<uint64_t(uint64_t)> inWhole = [](uint64_t i) { return i; };
  if (declared.has_shard())
    inWhole = [layout = PartLayout(declared.shard())](uint64_t i) {
      return layout.inWhole(i);
    };
  Source source(seed, declared.has_shard() ? declared.shard().whole()
                                           : declared.name());
  declaredValue(plan, variable, source, inWhole, bytes);
  if (spread > 0 && isFloat(type.element))
    change(type, bytes, [&](uint64_t i, double value) {
      return value + spread * source.uniform(inWhole(i), spreadAttempt);
    });
}

} // namespace dtc

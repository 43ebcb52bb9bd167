// graph.cast. Float to integer truncates and saturates, NaN gives 0; integer
// to integer wraps; anything to i1 asks whether it is not 0; f64 to a 16-bit
// float rounds to f32 on the way, as every 16-bit value is made in f32.

#include "runtime/kernels/KernelCall.h"

#include <cmath>
#include <limits>

using namespace dtc;

namespace {
template <typename To, typename From>
To floatToInteger(From value) {
  if (value != value)
    return 0;
  // The limits as From has them; max() may round up, hence >=.
  if (value <= From(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  if (value >= From(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return To(value);
}

template <typename To, typename From>
To convert(From value) {
  if constexpr (std::is_same_v<To, bool>)
    return value != From(0);
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return floatToInteger<To>(value);
  else
    return To(value);
}

template <typename From, typename To>
void castAll(const KernelCall &call) {
  const From *x = elements<From>(call.operands[0]);
  To *result = elements<To>(call.results[0]);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i)
    store(result, i, convert<Compute<To>>(load(x, i)));
}
} // namespace

Status dtc::runCast(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], call.operands[0].shape));
  return visitElement(
      call.operands[0].element, [&]<typename From>(std::type_identity<From>) {
        return visitElement(call.results[0].element,
                            [&]<typename To>(std::type_identity<To>) {
                              castAll<From, To>(call);
                              return Status::ok();
                            });
      });
}

// graph.cast. Float to integer truncates and saturates, NaN gives 0; integer
// to integer wraps; anything to i1 asks whether it is not 0; f64 to a 16-bit
// float rounds to f32 on the way, as every 16-bit value is made in f32.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/KernelCall.h"

using namespace dtc;

namespace {
template <typename From, typename To>
void castAll(const KernelCall &call) {
  const From *x = elements<From>(call.operands[0]);
  To *result = elements<To>(call.results[0]);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i)
    store(result, i, arithmetic::convert<Compute<To>>(load(x, i)));
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

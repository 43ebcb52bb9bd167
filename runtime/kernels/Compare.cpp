// Comparisons and the logical operations on two tensors, with NumPy
// broadcasting; the result is i1. A NaN is unequal to everything.

#include "runtime/kernels/Elementwise.h"

#include <functional>

using namespace dtc;

static Status checkComparison(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(
      call.expectElement(call.operands[1], call.operands[0].element));
  DTC_RETURN_IF_ERROR(call.expectElement(call.results[0], ElementType::I1));
  return checkBroadcast(call);
}

namespace {
constexpr std::tuple kEqualities{
    Named{"graph.equal", std::equal_to<>()},
    Named{"graph.not_equal", std::not_equal_to<>()}};

constexpr std::tuple kOrders{
    Named{"graph.greater", std::greater<>()},
    Named{"graph.greater_equal", std::greater_equal<>()},
    Named{"graph.less", std::less<>()},
    Named{"graph.less_equal", std::less_equal<>()}};

constexpr std::tuple kLogical{Named{"graph.logical_and", std::logical_and<>()},
                              Named{"graph.logical_or", std::logical_or<>()}};

template <typename T, typename Functions>
Status compare(const KernelCall &call, const Functions &functions) {
  if (mapNamed(call, functions,
               [&](auto f) { mapBinary<T, Boolean>(call, f); }))
    return Status::ok();
  return call.error("compares nothing");
}
} // namespace

Status dtc::runEqual(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkComparison(call));
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T>) {
                        return compare<T>(call, kEqualities);
                      });
}

Status dtc::runCompare(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkComparison(call));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    return compare<T>(call, kOrders);
  });
}

Status dtc::runLogical(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkComparison(call));
  DTC_RETURN_IF_ERROR(call.expectElement(call.operands[0], ElementType::I1));
  return compare<Boolean>(call, kLogical);
}

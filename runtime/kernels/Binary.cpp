// Arithmetic on two tensors with NumPy broadcasting. bias_add is an add of a
// vector to the last dimension.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/Elementwise.h"

using namespace dtc;
using namespace dtc::arithmetic;

Status dtc::checkBroadcast(const KernelCall &call) {
  const TensorRef &a = call.operands[0], &b = call.operands[1];
  std::optional<Shape> shape = commonShape(a.shape, b.shape);
  if (!shape)
    return call.error("shapes do not broadcast, " + typeName(a) + " and " +
                      typeName(b));
  return call.expectShape(call.results[0], *shape);
}

static Status checkBiasAdd(const KernelCall &call) {
  const TensorRef &value = call.operands[0], &bias = call.operands[1];
  if (value.shape.empty())
    return call.error("needs a last dimension, got " + typeName(value));
  return call.expectShape(bias, {value.shape.back()});
}

namespace {
constexpr std::tuple kFunctions{Named{"graph.add", Add()},
                                Named{"graph.bias_add", Add()},
                                Named{"graph.div", Div()},
                                Named{"graph.floor_div", FloorDiv()},
                                Named{"graph.floor_mod", FloorMod()},
                                Named{"graph.maximum", Maximum()},
                                Named{"graph.minimum", Minimum()},
                                Named{"graph.mul", Mul()},
                                Named{"graph.sub", Sub()}};
} // namespace

Status dtc::runBinary(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_RETURN_IF_ERROR(call.op == "graph.bias_add" ? checkBiasAdd(call)
                                                  : Status::ok());
  DTC_RETURN_IF_ERROR(checkBroadcast(call));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    if (mapNamed(call, kFunctions, [&](auto f) { mapBinary<T, T>(call, f); }))
      return Status::ok();
    return call.error("is no operation on two tensors");
  });
}

Status dtc::runPow(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_RETURN_IF_ERROR(checkBroadcast(call));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    using C = Compute<T>;
    mapBinary<T, T>(call, [](C x, C y) { return std::pow(x, y); });
    return Status::ok();
  });
}

// Binary and unary operations, relu_grad and equal, with NumPy broadcasting
// for the binary ones. bias_add is an add of a vector to the last dimension.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/Broadcast.h"

using namespace dtc;
using namespace dtc::arithmetic;

static Status checkBroadcast(const KernelCall &call) {
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
/// result[i] = f(a[i], b[i]), both broadcast; In and Out are stored types.
template <typename In, typename Out, typename F>
void mapBinary(const KernelCall &call, F f) {
  const TensorRef &a = call.operands[0], &b = call.operands[1],
                  &result = call.results[0];
  BroadcastIndex ofA(a.shape, result.shape), ofB(b.shape, result.shape);
  for (int64_t i = 0, n = elementCount(result.shape); i < n; ++i)
    store(elements<Out>(result), i,
          Compute<Out>(
              f(load(elements<In>(a), ofA(i)), load(elements<In>(b), ofB(i)))));
}

template <typename In, typename F>
void mapUnary(const KernelCall &call, F f) {
  const In *x = elements<In>(call.operands[0]);
  In *result = elements<In>(call.results[0]);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i)
    store(result, i, f(load(x, i)));
}

template <typename T>
Status dispatchBinary(const KernelCall &call) {
  const std::string &op = call.op;
  if (op == "graph.add" || op == "graph.bias_add")
    mapBinary<T, T>(call, Add());
  else if (op == "graph.sub")
    mapBinary<T, T>(call, Sub());
  else if (op == "graph.mul")
    mapBinary<T, T>(call, Mul());
  else if (op == "graph.maximum")
    mapBinary<T, T>(call, Maximum());
  else if constexpr (std::is_floating_point_v<Compute<T>>)
    mapBinary<T, T>(call, Div());
  else
    return call.expectFloat(call.operands[0]);
  return Status::ok();
}

template <typename T>
Status dispatchUnary(const KernelCall &call) {
  using C = Compute<T>;
  const std::string &op = call.op;
  if (op == "graph.neg")
    mapUnary<T>(call, [](C x) {
      if constexpr (std::is_floating_point_v<C>)
        return -x;
      else
        return Sub()(C(0), x);
    });
  else if (op == "graph.square")
    mapUnary<T>(call, [](C x) { return Mul()(x, x); });
  else if constexpr (!std::is_floating_point_v<C>)
    return call.expectFloat(call.operands[0]);
  else if (op == "graph.relu")
    mapUnary<T>(call, Relu());
  else if (op == "graph.exp")
    mapUnary<T>(call, [](C x) { return std::exp(x); });
  else if (op == "graph.log")
    mapUnary<T>(call, [](C x) { return std::log(x); });
  else
    mapUnary<T>(call, [](C x) { return std::sqrt(x); });
  return Status::ok();
}

/// visitElement() without i1, which is no number.
template <typename F>
Status visitNumber(const KernelCall &call, F f) {
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T> tag) {
                        if constexpr (std::is_same_v<T, Boolean>)
                          return call.error("works on numbers, not on " +
                                            typeName(call.operands[0]));
                        else
                          return f(tag);
                      });
}
} // namespace

Status dtc::runBinary(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_RETURN_IF_ERROR(call.op == "graph.bias_add" ? checkBiasAdd(call)
                                                  : Status::ok());
  DTC_RETURN_IF_ERROR(checkBroadcast(call));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    return dispatchBinary<T>(call);
  });
}

Status dtc::runUnary(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], call.operands[0].shape));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    return dispatchUnary<T>(call);
  });
}

Status dtc::runReluGrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.operands[1], call.operands[0].shape));
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], call.operands[0].shape));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    using C = Compute<T>;
    mapBinary<T, T>(call, [](C dy, C x) { return x > C(0) ? dy : C(0); });
    return Status::ok();
  });
}

Status dtc::runEqual(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(
      call.expectElement(call.operands[1], call.operands[0].element));
  DTC_RETURN_IF_ERROR(call.expectElement(call.results[0], ElementType::I1));
  DTC_RETURN_IF_ERROR(checkBroadcast(call));
  return visitElement(
      call.operands[0].element, [&]<typename T>(std::type_identity<T>) {
        mapBinary<T, Boolean>(
            call, [](Compute<T> a, Compute<T> b) { return a == b; });
        return Status::ok();
      });
}

// What the element-wise kernels share: loops over elements, checks of shapes.
#pragma once

#include "runtime/kernels/Broadcast.h"

#include <tuple>

namespace dtc {

/// The operands broadcast to the result's shape.
Status checkBroadcast(const KernelCall &call);

/// result[i] = f(x[i]); the result has x's shape and stored type.
template <typename T, typename F>
void mapUnary(const KernelCall &call, F f) {
  const T *x = elements<T>(call.operands[0]);
  T *result = elements<T>(call.results[0]);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i)
    store(result, i, Compute<T>(f(load(x, i))));
}

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

/// A scalar function and the operation that it is.
template <typename F>
struct Named {
  const char *op;
  F f;
};
template <typename F>
Named(const char *, F) -> Named<F>;

/// Calls map(f) with the function of `call.op` in a tuple of Named; whether
/// there is one.
template <typename Functions, typename Map>
bool mapNamed(const KernelCall &call, const Functions &functions, Map map) {
  return std::apply(
      [&](const auto &...entry) {
        return ((call.op == entry.op && (map(entry.f), true)) || ...);
      },
      functions);
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

/// visitElement() on floats only.
template <typename F>
Status visitFloat(const KernelCall &call, F f) {
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T> tag) {
                        if constexpr (std::is_floating_point_v<Compute<T>>)
                          return f(tag);
                        else
                          return call.expectFloat(call.operands[0]);
                      });
}

} // namespace dtc

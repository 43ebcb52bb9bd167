// Operations on the rows of the last axis: softmax, softmax_cross_entropy,
// one_hot. Within them everything is computed in Compute<T>; one rounding at
// the end.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/CanonicalTree.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Labels.h"

using namespace dtc;

namespace {
template <typename T>
Compute<T> rowMaximum(const T *row, int64_t length) {
  using C = Compute<T>;
  return reduceByTree(length, arithmetic::Maximum::identity<C>(),
                      arithmetic::Maximum(),
                      [&](int64_t i) { return load(row, i); });
}

/// Sum of exp(x - maximum) over the row.
template <typename T>
Compute<T> rowSum(const T *row, int64_t length, Compute<T> maximum) {
  using C = Compute<T>;
  return reduceByTree(length, C(0), arithmetic::Add(), [&](int64_t i) {
    return std::exp(load(row, i) - maximum);
  });
}

template <typename T>
void softmaxRows(const KernelCall &call, int64_t length) {
  int64_t count = elementCount(call.operands[0].shape);
  for (int64_t begin = 0; begin < count; begin += length) {
    const T *row = elements<T>(call.operands[0]) + begin;
    Compute<T> maximum = rowMaximum(row, length);
    Compute<T> sum = rowSum(row, length, maximum);
    for (int64_t i = 0; i < length; ++i)
      store(elements<T>(call.results[0]), begin + i,
            std::exp(load(row, i) - maximum) / sum);
  }
}

/// -log softmax(row)[label]; the labels were checked.
template <typename T, typename Label>
void crossEntropyRows(const KernelCall &call, int64_t rows, int64_t length) {
  using C = Compute<T>;
  for (int64_t i = 0; i < rows; ++i) {
    const T *row = elements<T>(call.operands[0]) + i * length;
    int64_t label(load(elements<Label>(call.operands[1]), i));
    C maximum = rowMaximum(row, length);
    store(elements<T>(call.results[0]), i,
          std::log(rowSum(row, length, maximum)) -
              (load(row, label) - maximum));
  }
}

template <typename Label, typename T>
void oneHotRows(const KernelCall &call, int64_t depth) {
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    int64_t label(load(elements<Label>(call.operands[0]), i));
    for (int64_t j = 0; j < depth; ++j)
      store(elements<T>(call.results[0]), i * depth + j,
            Compute<T>(j == label ? 1 : 0));
  }
}

/// visitElement() for labels: integers only.
template <typename F>
Status visitLabel(const KernelCall &call, const TensorRef &labels, F f) {
  return visitElement(
      labels.element, [&]<typename T>(std::type_identity<T> tag) {
        if constexpr (std::is_integral_v<T>)
          return f(tag);
        else
          return call.error("labels are integers, not " + typeName(labels));
      });
}
} // namespace

Status dtc::checkLabels(const std::string &op, const TensorRef &labels,
                        int64_t classes) {
  return visitElement(labels.element, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>)
      for (int64_t i = 0, n = elementCount(labels.shape); i < n; ++i) {
        int64_t label(load(elements<T>(labels), i));
        if (label < 0 || label >= classes)
          return Status::invalidArgument(
              strCat(op, ": label ", label, ", number ", i,
                     " of them, is outside [0, ", classes, ")"));
      }
    return Status::ok();
  });
}

Status dtc::runSoftmax(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectFloat(call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  const Shape &shape = call.operands[0].shape;
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], shape));
  if (shape.empty())
    return call.error("needs a last dimension, got " +
                      typeName(call.operands[0]));
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T>) {
                        if constexpr (std::is_floating_point_v<Compute<T>>)
                          softmaxRows<T>(call, shape.back());
                        return Status::ok();
                      });
}

Status dtc::runSoftmaxCrossEntropy(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  const TensorRef &logits = call.operands[0], &labels = call.operands[1];
  DTC_RETURN_IF_ERROR(call.expectFloat(logits));
  DTC_RETURN_IF_ERROR(call.expectElement(call.results[0], logits.element));
  if (logits.shape.size() != 2)
    return call.error("logits are a matrix, not " + typeName(logits));
  int64_t rows = logits.shape[0], length = logits.shape[1];
  DTC_RETURN_IF_ERROR(call.expectShape(labels, {rows}));
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], {rows}));
  DTC_RETURN_IF_ERROR(checkLabels(call.op, labels, length));
  return visitElement(logits.element, [&]<typename T>(std::type_identity<T>) {
    return visitLabel(call, labels,
                      [&]<typename Label>(std::type_identity<Label>) {
                        if constexpr (std::is_floating_point_v<Compute<T>>)
                          crossEntropyRows<T, Label>(call, rows, length);
                        return Status::ok();
                      });
  });
}

Status dtc::runOneHot(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_ASSIGN_OR_RETURN(int64_t depth, call.integer("depth"));
  Shape shape = call.operands[0].shape;
  shape.push_back(depth);
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], shape));
  DTC_ASSIGN_OR_RETURN(bool isStrict, call.flag("strict", false));
  if (isStrict)
    DTC_RETURN_IF_ERROR(checkLabels(call.op, call.operands[0], depth));
  return visitLabel(
      call, call.operands[0], [&]<typename Label>(std::type_identity<Label>) {
        return visitElement(call.results[0].element,
                            [&]<typename T>(std::type_identity<T>) {
                              oneHotRows<Label, T>(call, depth);
                              return Status::ok();
                            });
      });
}

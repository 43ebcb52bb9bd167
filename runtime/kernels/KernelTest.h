// Tensors that own their elements, and calls of reference kernels. For tests
// only.
#pragma once

#include "runtime/kernels/Elements.h"
#include "runtime/kernels/ReferenceKernels.h"

#include <gtest/gtest.h>

namespace dtc {

template <typename T>
constexpr ElementType elementOf();
template <>
constexpr ElementType elementOf<float>() {
  return ElementType::F32;
}
template <>
constexpr ElementType elementOf<double>() {
  return ElementType::F64;
}
template <>
constexpr ElementType elementOf<int8_t>() {
  return ElementType::I8;
}
template <>
constexpr ElementType elementOf<uint8_t>() {
  return ElementType::U8;
}
template <>
constexpr ElementType elementOf<int32_t>() {
  return ElementType::I32;
}
template <>
constexpr ElementType elementOf<int64_t>() {
  return ElementType::I64;
}
template <>
constexpr ElementType elementOf<Boolean>() {
  return ElementType::I1;
}
template <>
constexpr ElementType elementOf<Half>() {
  return ElementType::F16;
}

/// A tensor that owns its elements.
template <typename T>
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<T> values;
  TensorRef ref() {
    return {elementOf<T>(), shape,
            reinterpret_cast<std::byte *>(values.data())};
  }
};

template <typename T>
Tensor<T> zeros(std::vector<int64_t> shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return {shape, std::vector<T>(count)};
}

/// Runs `op` for one result of type T and `shape`; its elements.
template <typename T>
std::vector<T> run(const std::string &op, std::vector<TensorRef> operands,
                   std::vector<int64_t> shape, Attributes attributes = {}) {
  Tensor<T> result = zeros<T>(shape);
  std::vector<TensorRef> results = {result.ref()};
  Status status =
      runReferenceKernel("graph." + op, operands, results, attributes);
  EXPECT_TRUE(status.isOk()) << status.message();
  return result.values;
}

/// The message of the error that `op` gives for a result of type T.
template <typename T>
std::string errorOf(const std::string &op, std::vector<TensorRef> operands,
                    std::vector<int64_t> shape, Attributes attributes = {}) {
  Tensor<T> result = zeros<T>(shape);
  std::vector<TensorRef> results = {result.ref()};
  Status status =
      runReferenceKernel("graph." + op, operands, results, attributes);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  return status.message();
}

inline std::vector<int64_t> axes(std::vector<int64_t> list) { return list; }

} // namespace dtc

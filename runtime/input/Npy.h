// Npy: numpy's .npy files.
//
// "\x93NUMPY", version (major, minor), header length (u16, from version 2 on
// u32), a Python dict {'descr': '<f4', 'fortran_order': False, 'shape': (2,
// 3),} padded with blanks, then the elements. We write version 1.0,
// little-endian, row-major, data aligned to 64 bytes, as numpy does.
//
// numpy has no bf16. Such elements are written as f32, which holds them all;
// whoever reads them back narrows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/ElementType.h"
#include "runtime/base/Status.h"

namespace dtc {

struct NpyArray {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;   // [] is a scalar
  std::vector<std::byte> bytes; // row-major, dense, little-endian
};

/// Errors as readTable's; INVALID_ARGUMENT also for what numpy can and we
/// cannot (big-endian, Fortran order, other element types).
Result<NpyArray> readNpy(const std::string &path);

/// The same for a file's bytes. Total: any bytes give an array or an error;
/// memory is bounded by their number. `name` begins the messages.
Result<NpyArray> parseNpy(const std::string &name, std::string_view bytes);

/// A file's bytes. INVALID_ARGUMENT when `bytes` is not the shape's size.
Result<std::string> encodeNpy(ElementType type, std::span<const int64_t> shape,
                              std::span<const std::byte> bytes);

/// bf16 elements as f32, exactly.
std::vector<std::byte> widenBf16(std::span<const std::byte> bytes);
/// f32 elements as bf16, rounded to nearest even.
std::vector<std::byte> narrowToBf16(std::span<const std::byte> bytes);

/// Writes the file whole or not at all.
Status writeNpy(const std::string &path, ElementType type,
                std::span<const int64_t> shape,
                std::span<const std::byte> bytes);

/// The product of a shape times the element's size; nothing when a dimension
/// is negative or the product does not fit.
std::optional<int64_t> checkedSizeBytes(ElementType type,
                                        std::span<const int64_t> shape);

} // namespace dtc

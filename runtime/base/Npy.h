// Npy: NumPy's file format for one array, versions 1 to 3, in the part that
// maps to a Tensor: little-endian, C order, numbers and booleans. bf16, which
// NumPy does not know, is kept as it keeps foreign types of two bytes ("V2").
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"

namespace dtc {

/// The file's bytes; equal tensors give equal bytes.
std::string npyBytes(const Tensor &tensor);
/// Parses bytes that nobody vouches for. Errors: INVALID_ARGUMENT that says
/// what is wrong and what would be right; `name` is what it calls the file.
Result<Tensor> parseNpy(std::string_view bytes, const std::string &name);

/// The same with files. Errors also: NOT_FOUND, PERMISSION_DENIED, UNKNOWN;
/// they name the path.
Result<Tensor> readNpy(const std::string &path);
Status writeNpy(const std::string &path, const Tensor &tensor);

} // namespace dtc

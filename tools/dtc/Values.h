// Values: tensors as the command line reads, prints and compares them.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"
#include "runtime/plan/TensorType.h"
#include "tools/dtc/PlanReport.h"

namespace dtc::tool {

/// "@FILE.npy", or "1,2.5,3": elements of type `numbers`, of shape [n] (one
/// number is a scalar, none is shape [0]); i1 may be true or false, too.
/// INVALID_ARGUMENT names what is no such number.
Result<Tensor> parseValue(const std::string &text, ElementType numbers);

/// `tensor` as `type`: unit dimensions may differ; numbers are converted where
/// that keeps their meaning (any to float, whole ones to integer). Otherwise
/// INVALID_ARGUMENT with both types.
Result<Tensor> fitTensor(Tensor tensor, const TensorType &type);

Result<Tensor> loadNpy(const std::string &path);
Status saveNpy(const std::string &path, const Tensor &tensor);

/// "7", "1 2 3", at most 1,024 elements.
std::string valuesText(const Tensor &tensor);
/// The elements as nested arrays; nothing for more than 1,024 of them.
std::optional<Json> valuesJson(const Tensor &tensor);

/// A bf16 tensor as f32, as its .npy file has it; any other as it is.
Tensor asInFile(Tensor tensor);

/// "" when |a - b| <= atol + rtol * |b| everywhere (bits equal, or both NaN,
/// always is); else the worst element and both values.
std::string compareTensors(const Tensor &actual, const Tensor &expected,
                           double rtol, double atol);

/// Element `index` as a number (i64 beyond 2^53 is rounded).
double elementAsDouble(const Tensor &tensor, size_t index);
size_t elementCount(const Tensor &tensor);

} // namespace dtc::tool

// Rounding: how far tensors that were rounded on their way are from exact ones.
#pragma once

#include <string>

#include "runtime/base/Tensor.h"

namespace dtc::tool {

class Rounding {
public:
  /// `what` is the tensor's name for messages; both have one type.
  void compare(const std::string &what, const Tensor &rounded,
               const Tensor &exact);

  /// The largest difference of an element, over the largest magnitude of its
  /// tensor, of all tensors: 0 to 2. What is not finite in either is left out.
  double largest() const { return largest_; }
  /// The tensor with that difference; "" if there is none.
  const std::string &where() const { return where_; }
  /// The first element that was finite and is not after rounding, as a
  /// sentence; "" if there is none.
  const std::string &lost() const { return lost_; }

private:
  double largest_ = 0;
  std::string where_, lost_;
};

} // namespace dtc::tool

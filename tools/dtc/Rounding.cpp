#include "tools/dtc/Rounding.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/Status.h"
#include "tools/dtc/Values.h"

namespace dtc::tool {

void Rounding::compare(const std::string &what, const Tensor &rounded,
                       const Tensor &exact) {
  double difference = 0, magnitude = 0;
  for (size_t i = 0; i < elementCount(exact); ++i) {
    double a = elementAsDouble(rounded, i), b = elementAsDouble(exact, i);
    if (lost_.empty() && std::isfinite(b) && !std::isfinite(a))
      lost_ = strCat(what, ": element ", i, " is ", a,
                     " with rounding on the wire, ", b, " without");
    if (!std::isfinite(a) || !std::isfinite(b))
      continue;
    difference = std::max(difference, std::fabs(a - b));
    magnitude = std::max({magnitude, std::fabs(a), std::fabs(b)});
  }
  if (difference == 0 || difference / magnitude <= largest_)
    return;
  largest_ = difference / magnitude;
  where_ = what;
}

} // namespace dtc::tool

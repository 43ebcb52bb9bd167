// Where an instruction comes from: the graph op's name and its place in the
// graph file, which ops carry in their locations.
#pragma once

#include <string>

#include "mlir/IR/Location.h"

namespace dtc::plan {

/// An op's name (the names of its results, as in "w.new, slot.new") and
/// "file:line:col" (base name of the file, so that a plan does not depend on
/// where it was compiled); empty strings where there is none.
struct OpOrigin {
  std::string name;
  std::string location;
};
OpOrigin originOf(mlir::Location location);
/// The name alone.
std::string originNameOf(mlir::Location location);
mlir::Location locationOf(const OpOrigin &origin, mlir::MLIRContext &context);

} // namespace dtc::plan

#include "dialects/plan/Origin.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace dtc::plan {

OpOrigin originOf(Location location) {
  OpOrigin origin;
  if (auto fused = dyn_cast<FusedLoc>(location))
    if (!fused.getLocations().empty())
      location = fused.getLocations().front();
  if (auto named = dyn_cast<NameLoc>(location)) {
    origin.name = named.getName().str();
    location = named.getChildLoc();
  }
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    origin.location = (llvm::sys::path::filename(file.getFilename()) + ":" +
                       Twine(file.getLine()) + ":" + Twine(file.getColumn()))
                          .str();
  return origin;
}

/// "digits.mlir:12:8" → its location; anything else is unknown.
static Location parseFileLocation(StringRef text, MLIRContext &context) {
  auto [fileAndLine, columnText] = text.rsplit(':');
  auto [file, lineText] = fileAndLine.rsplit(':');
  unsigned line = 0, column = 0;
  if (file.empty() || lineText.getAsInteger(10, line) ||
      columnText.getAsInteger(10, column))
    return UnknownLoc::get(&context);
  return FileLineColLoc::get(&context, file, line, column);
}

Location locationOf(const OpOrigin &origin, MLIRContext &context) {
  Location file = parseFileLocation(origin.location, context);
  if (origin.name.empty())
    return file;
  return NameLoc::get(StringAttr::get(&context, origin.name), file);
}

} // namespace dtc::plan

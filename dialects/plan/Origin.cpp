#include "dialects/plan/Origin.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace dtc::plan {

constexpr const char *separator = ", ";

/// What an op that stands for several is called after.
static Location leading(Location location) {
  if (auto fused = dyn_cast<FusedLoc>(location))
    if (!fused.getLocations().empty())
      return fused.getLocations().front();
  return location;
}

std::string originNameOf(Location location) {
  std::string name;
  // One NameLoc for each result, the first outermost.
  location = leading(location);
  while (auto named = dyn_cast<NameLoc>(location)) {
    name += name.empty() ? "" : separator;
    name += named.getName().strref();
    location = named.getChildLoc();
  }
  return name;
}

OpOrigin originOf(Location location) {
  OpOrigin origin{originNameOf(location), ""};
  if (auto file = leading(location)->findInstanceOf<FileLineColLoc>())
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
  Location location = parseFileLocation(origin.location, context);
  SmallVector<StringRef> names;
  StringRef(origin.name).split(names, separator, -1, /*KeepEmpty=*/false);
  for (StringRef name : llvm::reverse(names))
    location = NameLoc::get(StringAttr::get(&context, name), location);
  return location;
}

} // namespace dtc::plan

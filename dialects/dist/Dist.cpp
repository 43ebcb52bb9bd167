#include "dialects/dist/Dist.h"

#include "dialects/dist/Dialect.cpp.inc"

using namespace mlir;

namespace dtc::dist {

void DistDialect::initialize() {
  registerAttributesAndTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/dist/Ops.cpp.inc"
      >();
}

std::string placedName(DeviceAttr device, llvm::StringRef name) {
  std::string task =
      device.isTemplate() ? "" : std::to_string(device.getTask());
  return device.getJob().str() + task + "." + name.str();
}

} // namespace dtc::dist

#include "runtime/device/Device.h"

namespace dtc {

Status checkCopy(const std::string &device, size_t sizeBytes, size_t offset,
                 size_t bytes) {
  if (offset <= sizeBytes && bytes <= sizeBytes - offset)
    return Status::ok();
  return Status::outOfRange(
      strCat(device, ": copy of ", bytes, " bytes at offset ", offset,
             " leaves a buffer of ", sizeBytes, " bytes"));
}

} // namespace dtc

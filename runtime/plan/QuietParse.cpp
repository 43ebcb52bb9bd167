#include "runtime/plan/QuietParse.h"

#include <cstdint>

#include <google/protobuf/stubs/logging.h>

namespace dtc {

bool parseQuietly(google::protobuf::MessageLite &message,
                  const std::string &bytes) {
  google::protobuf::LogSilencer silencer;
  return bytes.size() <= INT32_MAX && message.ParseFromString(bytes);
}

} // namespace dtc

// Parsing what nobody vouches for without protobuf's own lines on stderr: the
// caller has a Status for it.
#pragma once

#include <string>

#include <google/protobuf/message_lite.h>

namespace dtc {

bool parseQuietly(google::protobuf::MessageLite &message,
                  const std::string &bytes);

} // namespace dtc

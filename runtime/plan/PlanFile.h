// PlanFile: the plan as bytes. A ZIP that stock tools can list.
//
//   plan.pb          the proto::Plan, deterministically serialised
//   manifest.json    {"members":{NAME:{"bytes":N,"sha256":HEX}},"schema":…}
//                    for every other member
//   kernels/ constants/ source/ …   whatever the compiler adds
//
// Members are stored (never compressed), in name order, with one fixed time
// stamp: equal contents give equal bytes on any host, in any time zone.
// Nothing in a plan file is ever written to disk under a name it carries.
#pragma once

#include <map>
#include <string>

#include "runtime/base/Status.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

/// The schema that this dtc writes, and the newest that it reads.
inline constexpr uint32_t planSchemaVersion = 1;

struct PlanContents {
  proto::Plan plan;
  std::map<std::string, std::string> members; // without plan.pb, manifest.json
  std::string sha256; // of the whole file; filled by reading
};

/// The bytes of a plan file. Errors: INVALID_ARGUMENT for a member whose name
/// a reader would refuse.
Result<std::string>
planFileBytes(const proto::Plan &plan,
              const std::map<std::string, std::string> &members);

/// Writes the plan file at `path` in one step: a reader sees the old file or
/// the whole new one. Errors name the path.
Status writePlanFile(const std::string &path, const proto::Plan &plan,
                     const std::map<std::string, std::string> &members);

/// Reads a plan file and checks every member against the manifest. Total: any
/// byte string gives contents or DATA_LOSS (damaged), UNIMPLEMENTED (written
/// by a newer dtc) or RESOURCE_EXHAUSTED (over the limits). `name` is what
/// messages call the file.
Result<PlanContents> readPlanBytes(const std::string &bytes,
                                   const std::string &name);
/// The same for a file. Errors also: NOT_FOUND, PERMISSION_DENIED, UNKNOWN.
Result<PlanContents> readPlanFile(const std::string &path);

} // namespace dtc

// How dtc ends: one code for each thing that a script may want to tell apart.
#pragma once

#include <string>

#include "dialects/diagnostics/Codes.h"
#include "runtime/base/Status.h"

namespace dtc::tool {

enum ExitCode : int {
  exitSuccess = 0,
  exitBadInput = 1,       // the input is wrong; diagnostics were printed
  exitUsage = 2,          // the command line or the environment is wrong
  exitDiffers = 3,        // it ran, but results differ
  exitNothingMatched = 4, // no such thing in the plan
  exitFile = 5,           // a file could not be read or written
  exitRunFailed = 6,      // permanent failure at run time
  exitBug = 70,           // dtc is wrong
  exitLostPeer = 200,     // a peer was lost, or the cluster never formed: retry
};

/// Which code says what `status` says.
int exitCodeOf(const Status &status);

/// Prints "dtc VERB: error[CODE]: MESSAGE" to stderr and returns the exit code.
int fail(const std::string &verb, const Status &status);
/// The same with a code of the caller's choice.
int fail(const std::string &verb, int code, const std::string &message);
/// The same where the exit code does not say what the mistake is.
int fail(const std::string &verb, int exitCode, Code code,
         const std::string &message);

} // namespace dtc::tool

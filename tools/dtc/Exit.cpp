#include "tools/dtc/Exit.h"

#include "tools/dtc/Report.h"

namespace dtc::tool {
namespace {

/// The kind of mistake that ends a verb with `exitCode`.
Code codeOfExit(int exitCode, const std::string &message) {
  switch (exitCode) {
  case exitBadInput:
    return Code::BadPlan;
  case exitUsage:
    return message.find("TF_CONFIG") < message.find(' ') ? Code::BadTfConfig
                                                         : Code::BadUsage;
  case exitDiffers:
    return Code::Differs;
  case exitNothingMatched:
    return Code::NothingMatched;
  case exitFile:
    return Code::FileAccess;
  case exitRunFailed:
    return Code::RunFailed;
  case exitLostPeer:
    return Code::LostPeer;
  default:
    return Code::Bug;
  }
}

/// Splits "what\nnote: why\nhelp: how" into message, note and help.
Report toReport(const std::string &verb, Code code,
                const std::string &message) {
  Report report{.code = code, .place = {.file = "dtc " + verb}};
  size_t help = std::min(message.find("\nhelp: "), message.size());
  size_t note = std::min(message.find("\nnote: "), help);
  report.message = message.substr(0, note);
  if (note < help)
    report.notes.push_back({.text = message.substr(note + 7, help - note - 7)});
  if (help < message.size())
    report.notes.push_back({.isHelp = true, .text = message.substr(help + 7)});
  return report;
}

} // namespace

int exitCodeOf(const Status &status) {
  switch (status.code()) {
  case StatusCode::Ok:
    return exitSuccess;
  case StatusCode::InvalidArgument:
  case StatusCode::DataLoss:
  case StatusCode::OutOfRange:
  case StatusCode::FailedPrecondition:
  case StatusCode::Unimplemented:
    return exitBadInput;
  case StatusCode::NotFound:
  case StatusCode::PermissionDenied:
  case StatusCode::Unknown: // what else the system says of a file
    return exitFile;
  case StatusCode::AlreadyExists: // its name is taken, perhaps by one that died
  case StatusCode::Unavailable:
  case StatusCode::DeadlineExceeded:
  case StatusCode::Aborted:
  case StatusCode::Cancelled:
    return exitLostPeer;
  case StatusCode::ResourceExhausted:
    return exitRunFailed;
  case StatusCode::Internal:
    return exitBug;
  }
  return exitBug;
}

int fail(const std::string &verb, int code, const std::string &message) {
  return fail(verb, code, codeOfExit(code, message), message);
}

int fail(const std::string &verb, int exitCode, Code code,
         const std::string &message) {
  print(toReport(verb, code, message));
  return exitCode;
}

int fail(const std::string &verb, const Status &status) {
  return fail(verb, exitCodeOf(status), status.message());
}

} // namespace dtc::tool

// Files: whole files in and out, with errors that name the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/base/Status.h"

namespace dtc {

/// A quarter of this machine's memory: a table, or an array and its conversion,
/// takes about three times the bytes that it is made of.
uint64_t maxFileBytes();

/// The file's bytes, unpacked if it is gzip. NOT_FOUND, PERMISSION_DENIED or
/// UNKNOWN "cannot read 'PATH': why"; DATA_LOSS for damaged gzip;
/// RESOURCE_EXHAUSTED beyond `maxBytes`, which a small gzip file can hold.
Result<std::string> readFile(const std::string &path,
                             uint64_t maxBytes = maxFileBytes());

/// Writes the file whole or not at all (a new file takes the old one's place).
Status writeFile(const std::string &path, std::span<const std::byte> bytes);

} // namespace dtc

// SHA-256 as the plan format and the run summary spell it: lower-case hex.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dtc {

std::string sha256Hex(std::string_view bytes);

/// The digest of a byte string that comes in pieces.
class Sha256 {
public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256 &) = delete;

  void update(std::span<const std::byte> bytes);
  /// Ends the digest; call once.
  std::string hex();

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace dtc

#include "runtime/plan/Sha256.h"

#include <array>
#include <cassert>

#include <openssl/evp.h>

namespace dtc {

struct Sha256::Impl {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  ~Impl() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  [[maybe_unused]] int ok =
      EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr);
  assert(ok == 1 && "libcrypto always has SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr);
  std::string text;
  for (unsigned char byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string sha256Hex(std::string_view bytes) {
  Sha256 digest;
  digest.update(std::as_bytes(std::span(bytes.data(), bytes.size())));
  return digest.hex();
}

} // namespace dtc

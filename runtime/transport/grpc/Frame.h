// Frame: the format of the byte stream between two tasks.
//
// A link carries frames back to back; where one gRPC message ends and the next
// begins means nothing. All numbers are little-endian.
//
//   frame   := kind u32, payloadBytes u32, [piece], payload
//   piece   := edge u32, zero u32, step u64, totalBytes u64, offset u64
//              (kind Tensor only: where the payload belongs)
//
//   kind        payload
//   1 Hello     greeting: who opens the link, and to whom
//   2 Welcome   greeting of the one who was called
//   3 Confirm   none: the link that the opener offered is the one to use
//   4 Message   a control message, whole
//   5 Tensor    a piece of a tensor
//   6 Goodbye   none: the sender leaves in good order and says no more
//
//   greeting := magic u64 "dtc-link", version u32, incarnation u64,
//               from task, to task, token string
//   task     := job string, index u32
//   string   := bytes u32, the bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"

namespace dtc {

enum class FrameKind : uint32_t {
  Hello = 1,
  Welcome = 2,
  Confirm = 3,
  Message = 4,
  Tensor = 5,
  Goodbye = 6,
};

constexpr uint32_t kLinkVersion = 1;
constexpr size_t kMaxGreetingBytes = 4096;
constexpr size_t kMaxMessageBytes = 64 << 20;
constexpr size_t kMaxPieceBytes = 1 << 20;

/// Who speaks, to whom it means to speak, and in which cluster.
struct Greeting {
  uint64_t incarnation = 0; // random; tells two processes of one name apart
  TaskId from;
  TaskId to;
  std::string token; // equal on all tasks of a run
};

/// Where a piece of a tensor belongs.
struct PieceHeader {
  uint32_t edge = 0;
  uint64_t step = 0;
  uint64_t totalBytes = 0;
  uint64_t offset = 0;
};

/// The bytes before a payload of `payloadBytes`.
std::string encodeHeader(FrameKind kind, size_t payloadBytes);
std::string encodePieceHeader(const PieceHeader &piece, size_t payloadBytes);

std::string encodeGreeting(const Greeting &greeting);
/// INVALID_ARGUMENT, in words, for anything that encodeGreeting does not make.
Result<Greeting> decodeGreeting(std::string_view payload);

/// What a decoder finds. An error ends the decoding.
class FrameSink {
public:
  virtual ~FrameSink() = default;
  /// Any frame but Tensor.
  virtual Status onFrame(FrameKind kind, std::string payload) = 0;
  /// Part of a piece; `piece.offset` is that of these bytes, which are valid
  /// during the call only. A piece comes as one call or several.
  virtual Status onPiece(const PieceHeader &piece,
                         std::span<const std::byte> bytes) = 0;
};

/// Cuts a byte stream into frames. Total: any bytes give frames or an error
/// (INVALID_ARGUMENT); memory grows with what has come, never with what a
/// header claims. Not thread-safe.
class FrameDecoder {
public:
  explicit FrameDecoder(FrameSink &sink) : sink_(sink) {}
  /// Takes the stream's next bytes. After an error it only repeats that.
  Status feed(std::span<const std::byte> bytes);

private:
  Status takeHeader();
  Status takePayload(std::span<const std::byte> &bytes);

  FrameSink &sink_;
  Status status_;
  std::string header_;       // as much as has come
  size_t headerBytes_ = 8;   // what it needs
  bool isInPayload_ = false; // the header is whole
  FrameKind kind_ = FrameKind::Hello;
  size_t left_ = 0; // bytes of the payload to come
  PieceHeader piece_;
  std::string payload_;
};

} // namespace dtc

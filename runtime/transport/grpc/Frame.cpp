#include "runtime/transport/grpc/Frame.h"

#include <algorithm>
#include <concepts>

namespace dtc {
namespace {

constexpr uint64_t kMagic = 0x6b6e696c2d637464; // "dtc-link"
constexpr size_t kHeaderBytes = 8;
constexpr size_t kPieceHeaderBytes = 40;

template <std::unsigned_integral T>
void put(std::string &out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<char>(value >> (8 * i)));
}

void putString(std::string &out, const std::string &text) {
  put(out, static_cast<uint32_t>(text.size()));
  out += text;
}

void putTask(std::string &out, const TaskId &task) {
  putString(out, task.job);
  put(out, static_cast<uint32_t>(task.index));
}

/// Reads numbers and strings off a text; isBad once it was too short.
struct Reader {
  std::string_view left;
  bool isBad = false;

  template <std::unsigned_integral T>
  T number() {
    if (left.size() < sizeof(T)) {
      isBad = true;
      return 0;
    }
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value |= T(static_cast<unsigned char>(left[i])) << (8 * i);
    left.remove_prefix(sizeof(T));
    return value;
  }
  std::string string() {
    uint32_t size = number<uint32_t>();
    if (isBad || size > left.size()) {
      isBad = true;
      return {};
    }
    std::string text(left.substr(0, size));
    left.remove_prefix(size);
    return text;
  }
  TaskId task() {
    TaskId id;
    id.job = string();
    uint32_t index = number<uint32_t>();
    isBad |= index > INT32_MAX;
    id.index = static_cast<int>(index & INT32_MAX);
    return id;
  }
};

size_t maxPayloadBytes(FrameKind kind) {
  switch (kind) {
  case FrameKind::Hello:
  case FrameKind::Welcome:
    return kMaxGreetingBytes;
  case FrameKind::Message:
    return kMaxMessageBytes;
  case FrameKind::Tensor:
    return kMaxPieceBytes;
  case FrameKind::Confirm:
  case FrameKind::Goodbye:
    return 0;
  }
  return 0;
}

} // namespace

std::string encodeHeader(FrameKind kind, size_t payloadBytes) {
  std::string out;
  put(out, static_cast<uint32_t>(kind));
  put(out, static_cast<uint32_t>(payloadBytes));
  return out;
}

std::string encodePieceHeader(const PieceHeader &piece, size_t payloadBytes) {
  std::string out = encodeHeader(FrameKind::Tensor, payloadBytes);
  put(out, piece.edge);
  put(out, uint32_t(0));
  put(out, piece.step);
  put(out, piece.totalBytes);
  put(out, piece.offset);
  return out;
}

std::string encodeGreeting(const Greeting &greeting) {
  std::string out;
  put(out, kMagic);
  put(out, kLinkVersion);
  put(out, greeting.incarnation);
  putTask(out, greeting.from);
  putTask(out, greeting.to);
  putString(out, greeting.token);
  return out;
}

Result<Greeting> decodeGreeting(std::string_view payload) {
  Reader reader{payload};
  if (reader.number<uint64_t>() != kMagic)
    return Status::invalidArgument("the greeting is not dtc's");
  uint32_t version = reader.number<uint32_t>();
  if (!reader.isBad && version != kLinkVersion)
    return Status::invalidArgument(strCat("it speaks version ", version,
                                          " of the link, this is version ",
                                          kLinkVersion));
  Greeting greeting;
  greeting.incarnation = reader.number<uint64_t>();
  greeting.from = reader.task();
  greeting.to = reader.task();
  greeting.token = reader.string();
  if (reader.isBad || !reader.left.empty())
    return Status::invalidArgument("the greeting is damaged");
  return greeting;
}

Status FrameDecoder::feed(std::span<const std::byte> bytes) {
  while (status_.isOk() && (!bytes.empty() || (isInPayload_ && left_ == 0))) {
    if (isInPayload_) {
      status_ = takePayload(bytes);
      continue;
    }
    size_t take = std::min(headerBytes_ - header_.size(), bytes.size());
    header_.append(reinterpret_cast<const char *>(bytes.data()), take);
    bytes = bytes.subspan(take);
    if (header_.size() == headerBytes_)
      status_ = takeHeader();
  }
  return status_;
}

/// The header is as long as was known so far: reads it.
Status FrameDecoder::takeHeader() {
  Reader reader{header_};
  uint32_t kind = reader.number<uint32_t>();
  uint32_t size = reader.number<uint32_t>();
  if (kind < uint32_t(FrameKind::Hello) || kind > uint32_t(FrameKind::Goodbye))
    return Status::invalidArgument(strCat("there is no frame of kind ", kind));
  kind_ = static_cast<FrameKind>(kind);
  if (size > maxPayloadBytes(kind_))
    return Status::invalidArgument(
        strCat("a frame of kind ", kind, " with ", size, " bytes is too long"));
  if (kind_ == FrameKind::Tensor && headerBytes_ == kHeaderBytes) {
    headerBytes_ = kPieceHeaderBytes;
    return Status::ok();
  }
  if (kind_ == FrameKind::Tensor) {
    piece_.edge = reader.number<uint32_t>();
    uint32_t zero = reader.number<uint32_t>();
    piece_.step = reader.number<uint64_t>();
    piece_.totalBytes = reader.number<uint64_t>();
    piece_.offset = reader.number<uint64_t>();
    if (zero != 0 || piece_.offset > piece_.totalBytes ||
        size > piece_.totalBytes - piece_.offset)
      return Status::invalidArgument(
          strCat("a piece of ", size, " bytes at ", piece_.offset,
                 " leaves a tensor of ", piece_.totalBytes, " bytes"));
  }
  header_.clear();
  headerBytes_ = kHeaderBytes;
  isInPayload_ = true;
  left_ = size;
  payload_.clear();
  return Status::ok();
}

/// Takes from `bytes` what belongs to the frame; ends the frame if it is whole.
Status FrameDecoder::takePayload(std::span<const std::byte> &bytes) {
  auto part = bytes.first(std::min(left_, bytes.size()));
  bytes = bytes.subspan(part.size());
  left_ -= part.size();
  if (left_ == 0)
    isInPayload_ = false;
  if (kind_ == FrameKind::Tensor) {
    PieceHeader piece = piece_;
    piece_.offset += part.size();
    return sink_.onPiece(piece, part);
  }
  payload_.append(reinterpret_cast<const char *>(part.data()), part.size());
  return left_ == 0 ? sink_.onFrame(kind_, std::move(payload_)) : Status::ok();
}

} // namespace dtc

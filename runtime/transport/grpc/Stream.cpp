#include "runtime/transport/grpc/Stream.h"

#include <algorithm>
#include <utility>

#include "runtime/transport/grpc/Address.h"

namespace dtc {
namespace {

// Below this a copy into the batch is cheaper than a slice of its own.
constexpr size_t kCopyBytes = 8 << 10;

} // namespace

OutgoingTensor::~OutgoingTensor() {
  if (done_)
    owner_.post([done = std::move(done_), status = std::move(status_)] {
      done(status);
    });
}

void OutgoingTensor::finish() {
  if (Completion done = std::exchange(done_, nullptr))
    done(std::move(status_));
}

namespace {

/// Hands a tensor back. Here no lock is held, so the last holder may call.
void release(std::shared_ptr<OutgoingTensor> tensor) {
  if (tensor.use_count() == 1)
    tensor->finish();
}

} // namespace

/// Collects the slices of one gRPC message: small things are copied together,
/// large payloads are referenced.
class Stream::Batch {
public:
  size_t bytes() const { return bytes_; }

  void copy(std::string_view data) {
    text_ += data;
    bytes_ += data.size();
  }
  void reference(std::shared_ptr<OutgoingTensor> tensor,
                 std::span<const std::byte> data) {
    flush();
    using Holder = std::shared_ptr<OutgoingTensor>;
    slices_.emplace_back(
        const_cast<std::byte *>(data.data()), data.size(),
        [](void *holder) { delete static_cast<Holder *>(holder); },
        new Holder(std::move(tensor)));
    bytes_ += data.size();
  }
  grpc::ByteBuffer take() {
    flush();
    return grpc::ByteBuffer(slices_.data(), slices_.size());
  }

private:
  void flush() {
    if (!text_.empty())
      slices_.emplace_back(text_.data(), text_.size());
    text_.clear();
  }

  std::string text_;
  std::vector<grpc::Slice> slices_;
  size_t bytes_ = 0;
};

bool Stream::sendFrame(FrameKind kind, const std::string &payload) {
  {
    std::lock_guard lock(mutex_);
    if (isClosing_)
      return false;
    bool isMessage = kind == FrameKind::Message;
    queue_.push_back({.head = encodeHeader(kind, payload.size()) + payload,
                      .isMessage = isMessage});
    if (isMessage)
      queuedMessageBytes_ += queue_.back().head.size();
  }
  flush();
  return true;
}

void Stream::sendTensor(uint32_t edge, uint64_t step,
                        std::shared_ptr<OutgoingTensor> tensor, bool isHeld) {
  {
    std::lock_guard lock(mutex_);
    if (isClosing_) {
      if (!why_.isOk())
        tensor->setStatus(why_);
      return; // its destructor has the completion called
    }
    uint64_t total = tensor->bytes().size();
    queue_.push_back(
        {.tensor = std::move(tensor), .piece = {edge, step, total, 0}});
  }
  if (!isHeld)
    flush();
}

void Stream::flush() {
  {
    std::lock_guard lock(mutex_);
    isDue_ = true;
  }
  pump();
}

/// Sends the next batch, unless one is out or what is queued is merely held.
void Stream::pump() {
  {
    std::lock_guard lock(mutex_);
    if (isWriting_ || isClosing_ || !isDue_ || queue_.empty())
      return;
    fillBatch();
    isDue_ = !queue_.empty();
    isWriting_ = true;
    ++entered_;
  }
  startWrite(&out_);
  leave();
}

/// Moves about chunkBytes_ from the queue to out_. Call it under the lock.
void Stream::fillBatch() {
  Batch batch;
  while (!queue_.empty() && batch.bytes() < chunkBytes_) {
    Outgoing &next = queue_.front();
    bool isWhole = next.tensor ? takePiece(next, batch)
                               : takeControl(next, batch, chunkBytes_);
    if (!isWhole)
      continue;
    if (next.isMessage)
      queuedMessageBytes_ -= next.head.size();
    queue_.pop_front();
  }
  out_ = batch.take();
}

/// Moves a part of a control frame to the batch; true: it was the last.
bool Stream::takeControl(Outgoing &next, Batch &batch, size_t chunkBytes) {
  auto part = std::string_view(next.head).substr(next.headSent, chunkBytes);
  batch.copy(part);
  next.headSent += part.size();
  return next.headSent == next.head.size();
}

/// Moves a piece of a tensor to the batch; true: it was the last.
bool Stream::takePiece(Outgoing &next, Batch &batch) {
  auto rest = next.tensor->bytes().subspan(next.piece.offset);
  auto data = rest.first(std::min(rest.size(), chunkBytes_));
  batch.copy(encodePieceHeader(next.piece, data.size()));
  if (data.size() < kCopyBytes)
    batch.copy({reinterpret_cast<const char *>(data.data()), data.size()});
  else
    batch.reference(next.tensor, data);
  bool isLast = data.size() == rest.size();
  inFlight_.push_back({next.tensor, data.size(), isLast});
  next.piece.offset += data.size();
  return isLast;
}

void Stream::writeDone(bool isOk) {
  std::vector<Sent> sent;
  {
    std::lock_guard lock(mutex_);
    sent = std::move(inFlight_);
    inFlight_.clear();
    isWriting_ = false;
    out_.Clear();
  }
  size_t bytes = 0;
  for (const Sent &chunk : sent)
    bytes += chunk.bytes;
  if (isOk && !sent.empty())
    owner_.onTensorsWritten(*this, bytes);
  for (Sent &chunk : sent) {
    if (isOk && chunk.isLast)
      chunk.tensor->setStatus(Status::ok());
    release(std::move(chunk.tensor));
  }
  if (!isOk)
    return closeNow(Status::ok(), false);
  pump();
}

void Stream::begin() { read(); }

void Stream::begun() { leave(); }

void Stream::read() {
  if (!enter())
    return;
  startRead(&in_);
  leave();
}

void Stream::readDone(bool isOk) {
  if (!isOk)
    return closeNow(Status::ok(), false);
  {
    // gRPC orders its callbacks in ways that a thread checker cannot see; this
    // shows it that the decoder passes from one thread to the next.
    std::lock_guard lock(mutex_);
  }
  std::vector<grpc::Slice> slices;
  Status status;
  if (!in_.Dump(&slices).ok())
    status = Status::internal("gRPC cannot read what it received");
  for (const grpc::Slice &slice : slices) {
    if (!status.isOk())
      break;
    status =
        decoder_.feed(std::as_bytes(std::span(slice.begin(), slice.size())));
  }
  in_.Clear();
  if (!status.isOk())
    return close(std::move(status));
  read();
}

void Stream::cancelled() { closeNow(Status::ok(), false); }

void Stream::close(Status why) { closeNow(std::move(why), true); }

void Stream::closeNow(Status why, bool isOwnWish) {
  if (!enter())
    return;
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
    isOwnWish_ = isOwnWish;
    why_ = std::move(why);
  }
  leave();
}

/// False: the stream is closing, gRPC must be left alone.
bool Stream::enter() {
  std::lock_guard lock(mutex_);
  if (isClosing_)
    return false;
  ++entered_;
  return true;
}

/// The last to leave a closing stream ends it.
void Stream::leave() {
  Status why;
  bool isOwnWish;
  {
    std::lock_guard lock(mutex_);
    if (--entered_ > 0 || !isClosing_ || hasEnded_)
      return;
    hasEnded_ = true;
    why = why_;
    isOwnWish = isOwnWish_;
  }
  end(why, isOwnWish);
}

/// gRPC has called back for the last time.
void Stream::done(const Status &seen) {
  std::deque<Outgoing> rest;
  Status why;
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
    rest = std::move(queue_);
    why = why_.isOk() ? seen : why_;
  }
  for (Outgoing &outgoing : rest) {
    if (!outgoing.tensor)
      continue;
    outgoing.tensor->setStatus(why);
    release(std::move(outgoing.tensor));
  }
  owner_.onEnd(*this, why);
}

void ClientStream::start(const std::string &address,
                         const grpc::ChannelArguments &args,
                         const std::string &hello) {
  self_ = std::static_pointer_cast<ClientStream>(shared_from_this());
  auto channel = grpc::CreateCustomChannel(
      address, grpc::InsecureChannelCredentials(), args);
  // Not "wait for ready": whoever retries wants to know what failed.
  context_ = std::make_shared<grpc::ClientContext>();
  context_->set_wait_for_ready(false);
  grpc::GenericStub(channel).PrepareBidiStreamingCall(
      context_.get(), kLinkMethod, grpc::StubOptions(), this);
  AddHold(); // sends start outside of gRPC's callbacks; end() removes it
  begin();
  sendFrame(FrameKind::Hello, hello);
  StartCall();
  begun();
}

void ClientStream::end(const Status &, bool isOwnWish) {
  // When the other end is gone, gRPC knows why; a cancel would hide that.
  if (isOwnWish)
    context_->TryCancel();
  RemoveHold();
}

void ClientStream::OnDone(const grpc::Status &status) {
  auto self = std::move(self_);
  // The last channel of a process joins gRPC's threads, and here is one.
  owner_.post([context = std::move(context_)] {});
  Status seen = fromGrpc(status);
  done(seen.isOk() ? Status::unavailable("connection closed") : seen);
}

void ServerStream::start() {
  self_ = std::static_pointer_cast<ServerStream>(shared_from_this());
  begin();
  begun();
}

void ServerStream::end(const Status &why, bool) {
  // A cancel is this end's affair; the other only sees the link go.
  bool isCancel = why.code() == StatusCode::Cancelled;
  Finish(toGrpc(isCancel ? Status::unavailable("connection closed") : why));
}

void ServerStream::OnDone() {
  auto self = std::move(self_);
  done(Status::unavailable("connection closed"));
}

} // namespace dtc

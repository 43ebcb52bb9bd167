// Stream: one gRPC stream between two processes, seen as an ordered pipe of
// frames. Knows nothing of who is at the other end.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "runtime/transport/Transport.h"
#include "runtime/transport/grpc/Frame.h"

namespace dtc {

class Stream;

/// Whom a stream reports to. Calls for one stream come one at a time, from
/// gRPC's threads; onEnd is the last.
class StreamOwner {
public:
  virtual ~StreamOwner() = default;
  /// An error closes the stream.
  virtual Status onFrame(Stream &stream, FrameKind kind,
                         std::string payload) = 0;
  virtual Status onPiece(Stream &stream, const PieceHeader &piece,
                         std::span<const std::byte> bytes) = 0;
  /// The stream is over: for the reason given to close(), or what gRPC saw.
  virtual void onEnd(Stream &stream, const Status &why) = 0;
  /// A write was handed to the wire, with so much of tensors' payload.
  virtual void onTensorsWritten(Stream &stream, size_t bytes) = 0;
  /// A completion that must not run on the present thread (it may hold gRPC's
  /// locks): the owner calls it soon, elsewhere.
  virtual void post(std::function<void()> function) = 0;
};

/// A tensor on its way out. Its completion runs once, when gRPC has let go of
/// the last reference to its bytes.
class OutgoingTensor {
public:
  OutgoingTensor(StreamOwner &owner, std::span<const std::byte> bytes,
                 Completion done)
      : owner_(owner), bytes_(bytes), done_(std::move(done)) {}
  ~OutgoingTensor();

  std::span<const std::byte> bytes() const { return bytes_; }
  /// What the completion gets; UNAVAILABLE if nobody says.
  void setStatus(Status status) { status_ = std::move(status); }
  /// Runs the completion now, on this thread. Only for the last holder.
  void finish();

private:
  StreamOwner &owner_;
  std::span<const std::byte> bytes_;
  Completion done_;
  Status status_ = Status::unavailable("the link broke while it was sent");
};

/// Thread-safe, but for what says otherwise. Keeps itself alive from start()
/// to onEnd(), and outlives neither its owner nor the owner's gRPC server.
class Stream : public std::enable_shared_from_this<Stream> {
public:
  Stream(StreamOwner &owner, size_t chunkBytes)
      : owner_(owner), decoder_(sink_), chunkBytes_(chunkBytes) {}
  virtual ~Stream() = default;

  /// Queues a frame. False: the stream is closed, nothing will be sent.
  bool sendFrame(FrameKind kind, const std::string &payload);
  /// Queues a tensor, to be sent in chunks. If the stream is closed, or closes
  /// before it is sent, its completion gets the reason.
  /// One that `isHeld` waits in the queue for flush() or any other frame.
  void sendTensor(uint32_t edge, uint64_t step,
                  std::shared_ptr<OutgoingTensor> tensor, bool isHeld);
  void flush();
  /// Bytes of control messages that wait to be sent.
  size_t queuedMessageBytes() const { return queuedMessageBytes_; }
  /// Ends the stream; the first reason counts. The caller's side sends an
  /// error on; what is queued is dropped.
  void close(Status why);

protected:
  // The gRPC half, which differs between client and server.
  virtual void startRead(grpc::ByteBuffer *to) = 0;
  virtual void startWrite(const grpc::ByteBuffer *from) = 0;
  /// Called once: makes gRPC end the call. `isOwnWish` is false when the other
  /// end is gone already. No start… is called afterwards.
  virtual void end(const Status &why, bool isOwnWish) = 0;

  // What gRPC reports.
  void begin(); // first read
  void begun(); // start() is over
  void readDone(bool isOk);
  void writeDone(bool isOk);
  void cancelled();
  void done(const Status &seen);

  StreamOwner &owner_;

private:
  struct Outgoing {
    std::string head; // header and payload of a control frame
    size_t headSent = 0;
    bool isMessage = false;
    std::shared_ptr<OutgoingTensor> tensor;
    PieceHeader piece; // offset: what is sent already
  };
  struct Sent {
    std::shared_ptr<OutgoingTensor> tensor;
    size_t bytes;
    bool isLast;
  };
  struct Sink final : FrameSink {
    explicit Sink(Stream &stream) : stream(stream) {}
    Status onFrame(FrameKind kind, std::string payload) override {
      return stream.owner_.onFrame(stream, kind, std::move(payload));
    }
    Status onPiece(const PieceHeader &piece,
                   std::span<const std::byte> bytes) override {
      return stream.owner_.onPiece(stream, piece, bytes);
    }
    Stream &stream;
  };
  class Batch;

  void pump();
  void fillBatch();
  static bool takeControl(Outgoing &next, Batch &batch, size_t chunkBytes);
  bool takePiece(Outgoing &next, Batch &batch);
  void read();
  void closeNow(Status why, bool isOwnWish);
  bool enter();
  void leave();

  Sink sink_{*this};
  FrameDecoder decoder_;
  const size_t chunkBytes_;

  std::mutex mutex_; // guards what follows
  std::deque<Outgoing> queue_;
  std::vector<Sent> inFlight_; // of the write that is out
  bool isWriting_ = false;
  bool isDue_ = false; // something in the queue is not merely held
  bool isClosing_ = false;
  bool isOwnWish_ = false;
  bool hasEnded_ = false; // end() was called
  Status why_;            // of the close; OK: ask gRPC
  // Calls of start… that are at work: gRPC forbids them after the end, and may
  // call back from inside them, so they run without the lock. The first is
  // start(): a close() that comes before has to wait for it.
  int entered_ = 1;

  std::atomic<size_t> queuedMessageBytes_ = 0;
  grpc::ByteBuffer in_;
  grpc::ByteBuffer out_;
};

/// The end that opened the stream.
class ClientStream final
    : public Stream,
      public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
public:
  using Stream::Stream;
  /// Opens the stream to `address`, with `hello` as its first frame.
  void start(const std::string &address, const grpc::ChannelArguments &args,
             const std::string &hello);

private:
  void startRead(grpc::ByteBuffer *to) override { StartRead(to); }
  void startWrite(const grpc::ByteBuffer *from) override { StartWrite(from); }
  void end(const Status &why, bool isOwnWish) override;
  void OnReadDone(bool isOk) override { readDone(isOk); }
  void OnWriteDone(bool isOk) override { writeDone(isOk); }
  void OnDone(const grpc::Status &status) override;

  std::shared_ptr<grpc::ClientContext> context_; // holds the channel
  std::shared_ptr<ClientStream> self_;
};

/// The end that was called.
class ServerStream final : public Stream,
                           public grpc::ServerGenericBidiReactor {
public:
  using Stream::Stream;
  /// Call it when gRPC asked for the reactor, before it gets it.
  void start();

private:
  void startRead(grpc::ByteBuffer *to) override { StartRead(to); }
  void startWrite(const grpc::ByteBuffer *from) override { StartWrite(from); }
  void end(const Status &why, bool isOwnWish) override;
  void OnReadDone(bool isOk) override { readDone(isOk); }
  void OnWriteDone(bool isOk) override { writeDone(isOk); }
  void OnCancel() override { cancelled(); }
  void OnDone() override;

  std::shared_ptr<ServerStream> self_;
};

} // namespace dtc

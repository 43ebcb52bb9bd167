// Member: one task of a run, whatever its role. Owns what the task computes
// with, and the mailbox through which everything reaches the one thread that
// runs it. Master and Follower add who says what to whom.
//
// How a run ends. The first cause wins. A task that fails reports to the chief
// and waits at most settleTime for the verdict; the chief tells everybody; all
// end with the same first line. A task that is gone cannot report: its peers
// and the chief see its link break and name it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/device/host/HostDevice.h"
#include "runtime/server/Datasets.h"
#include "runtime/server/Mailbox.h"
#include "runtime/server/Session.h"
#include "runtime/server/Worker.h"
#include "runtime/server/control.pb.h"

namespace dtc {

/// Where a member runs. Everything outlives it.
struct Site {
  Plan::Ptr plan;
  TaskId self;
  Transport *transport;
  ThreadPool *pool;
  KernelTable::Ptr kernels;
  std::map<TaskId, std::string> addresses; // of tasks that have one
  TableCache *tables;
  const RunOptions *options;
};

/// A failure as a message, and back. Any code that a peer may send is read.
proto::Control abortOf(const Status &why);
Status statusOf(const proto::Abort &abort);

class Member : public TransportHandler {
public:
  explicit Member(Site site);
  ~Member() override;

  /// Takes part in the run and leaves the cluster. Blocks; call once.
  Result<RunSummary> run();
  /// Ends the part with `why`, unless it has already failed. Thread-safe.
  void cancel(Status why);

  // TransportHandler; any thread.
  void onMessage(const TaskId &from, std::string message) final;
  void onTensor(const RendezvousKey &key, uint64_t totalBytes, uint64_t offset,
                std::span<const std::byte> bytes) final;
  void onPeerLost(const TaskId &peer, Status why) final;

protected:
  // All below: on the thread of run() only.

  /// The role's part, up to the end of the run.
  virtual Result<RunSummary> takePart() = 0;
  virtual void onControl(const TaskId &from, const proto::Control &control) = 0;
  /// Agrees with the others on why the run failed; returns what all say.
  virtual Status settle(Status own) = 0;
  /// Does losing `peer` end the run now?
  virtual bool needs(const TaskId &peer) const = 0;
  /// From any thread.
  virtual void stepDone(uint32_t lane, uint64_t step) {}

  /// Acts on what comes until `isDone`. Errors: the run's failure, or
  /// DEADLINE_EXCEEDED. `what` is logged while it takes long.
  Status waitUntil(const std::function<bool()> &isDone, Deadline deadline,
                   const std::function<std::string()> &what);
  /// The same after the run has failed; errors no longer end it. False when
  /// time is up.
  bool handleUntil(const std::function<bool()> &isDone, Deadline deadline);
  /// The run has failed, unless it has already.
  void fail(Status why);
  /// The same for what went wrong here: others shall read whose fault it is.
  void failHere(const Status &why);
  /// Failures that links break of: they wait a moment for the link's own word.
  void failWeakly(Status why);

  /// Finds the entry and opens what the task reads in it.
  Status openEntry(const std::string &entry, uint64_t seed);
  /// Then begins to make ready: links, variables, feeds. When isPrepared() all
  /// of it is there.
  Status prepare(uint64_t seed, bool load);
  bool isPrepared() const { return pending_ == 0; }
  void startWorker(uint64_t first, uint64_t steps);
  /// A completion that counts down pending_ on this thread.
  Completion pendingCompletion();

  Status send(const TaskId &to, const proto::Control &control);
  std::string address(const TaskId &task) const; // " (host:port)" or ""
  std::string named(const TaskId &task) const;   // "ps:0 (host:port)"
  const RunOptions &options() const { return *site_.options; }
  Deadline formationDeadline() const {
    return Deadline::after(options().timeout);
  }
  /// Acts on a message that may come from any task; false: it is not one.
  bool onTurn(const TaskId &from, const proto::Control &control);
  /// Of the pushes that were applied here; nothing with update sync.
  Staleness staleness() const;
  /// How far tasks may be apart in a lane, in steps of the entry.
  uint64_t window() const;
  uint64_t tensorBytesSent() const;

  Site site_;
  Mailbox mailbox_;
  HostDevice device_;
  Rendezvous rendezvous_;
  TaskContext context_;
  std::unique_ptr<UpdateGate> gate_; // with update async
  std::unique_ptr<Variables> variables_;
  std::unique_ptr<Datasets> datasets_;
  std::vector<std::vector<std::byte>> feeds_; // by the entry's index
  const proto::Entry *entry_ = nullptr;       // once it is known
  std::unique_ptr<Worker> worker_;
  bool isWorkerRunning_ = false;
  size_t pending_ = 0; // completions that prepare or collect waits for
  std::map<TaskId, Status> lost_;
  Status failure_;

private:
  Status takePartAndSettle(RunSummary &summary);
  void leave(const Status &status);
  void connectPeers();
  void receiveFeeds();
  void prepareVariables(uint64_t seed, bool load);
  void sayTurn(uint32_t lane);

  std::optional<TaskId> leader_; // in whose order pushes are applied
  std::vector<TaskId> led_;      // by this task
  std::optional<Deadline> weakDeadline_;
  Status weakFailure_;
};

} // namespace dtc

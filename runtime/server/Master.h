// Master: the chief's part. Forms the cluster, says what is run, and is the one
// who decides how the run ended.
#pragma once

#include "runtime/server/Member.h"
#include "runtime/server/Recorder.h"

namespace dtc {

class Master final : public Member {
public:
  explicit Master(Site site);

private:
  Result<RunSummary> takePart() override;
  void onControl(const TaskId &from, const proto::Control &control) override;
  Status settle(Status own) override;
  bool needs(const TaskId &peer) const override { return !hasEnded_; }
  void stepDone(uint32_t lane, uint64_t step) override;

  Status form();
  void greet(const TaskId &task);
  Status meet();
  Status comparePlans();
  Status makeReady();
  Status sendFeeds();
  Status sendVariables();
  Status agreeOnEpoch();
  Result<uint64_t> countSteps();
  Status execute();
  void findLanes();
  void reported(const TaskId &task, uint32_t lane, uint64_t step);
  void reportedAll(const TaskId &task);
  Result<RunSummary> conclude();
  Status collectVariables();
  void broadcast(const proto::Control &control);
  std::string missing(const std::function<bool(const TaskId &)> &isHere) const;

  std::vector<TaskId> others_;
  bool isForming_ = false;             // others_ are being connected
  std::map<TaskId, Status> connected_; // how connecting ended
  std::map<TaskId, proto::Hello> hellos_;
  std::map<TaskId, proto::Ready> ready_;
  std::map<TaskId, proto::Done> done_;
  /// How far each task is that has a part in the lane, in steps.
  struct Lane {
    std::map<TaskId, uint64_t> progress;
    uint64_t limit = 0;
  };
  std::map<uint32_t, Lane> lanes_;
  std::map<std::string, Tensor> loaded_;
  std::vector<std::vector<std::byte>> collected_; // by variable
  TaskUse own_;
  uint64_t reportEvery_ = 1;
  int64_t stepsPerEpoch_ = 0, droppedPerEpoch_ = 0;
  bool hasEnded_ = false;
  std::unique_ptr<Recorder> recorder_;
};

} // namespace dtc

// Follower: a task that does what the chief says.
#pragma once

#include <atomic>

#include "runtime/server/Member.h"

namespace dtc {

class Follower final : public Member {
public:
  explicit Follower(Site site);

private:
  Result<RunSummary> takePart() override;
  void onControl(const TaskId &from, const proto::Control &control) override;
  Status settle(Status own) override;
  bool needs(const TaskId &peer) const override;
  void stepDone(uint32_t lane, uint64_t step) override;

  void onHello(const proto::Hello &hello);
  Status form();
  Status makeReady();
  Status execute();
  void sendVariables();
  std::string chiefText() const;

  TaskId chief_;
  bool hasHello_ = false, hasEnd_ = false, isDone_ = false;
  std::optional<proto::Prepare> prepare_;
  std::optional<proto::Start> start_;
  std::optional<Status> verdict_;
  uint64_t reportEvery_ = 1;
};

} // namespace dtc

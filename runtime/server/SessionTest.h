// What tests of whole runs share: plans by hand, rows, and a run that succeeds.
#pragma once

#include <cstring>

#include <gtest/gtest.h>

#include "runtime/plan/PlanFixtures.h"
#include "runtime/server/Session.h"

namespace dtc::fixtures {

inline Plan::Ptr planOf(proto::Plan proto) {
  return Plan::create(contentsOf(std::move(proto)), "p.plan").take();
}

/// Rows that depend on step and replica, as a data set's would.
inline Status someRows(const proto::Input &, uint64_t step, uint32_t replica,
                       std::span<const std::span<std::byte>> columns) {
  float x[4];
  for (int i = 0; i < 4; ++i)
    x[i] = float((step * 7 + replica * 3 + i) % 5) / 8;
  std::memcpy(columns[0].data(), x, sizeof x);
  return Status::ok();
}

inline RunSummary run(Plan::Ptr plan, RunOptions options) {
  auto result = runInProcess(std::move(plan), std::move(options));
  EXPECT_TRUE(result.isOk()) << result.status().toString();
  return result.isOk() ? result.take() : RunSummary();
}

} // namespace dtc::fixtures

// Loads: how many bytes of variables, slots among them, each parameter server
// holds.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// Of ps:0, ps:1, …; empty without a job ps.
using Loads = std::vector<uint64_t>;

Loads loadsOf(const proto::Plan &plan);
/// "ps:0 holds 38 KB, ps:1 36 KB of variables; the fullest 1.03 times the
/// mean". The loads are not empty.
std::string loadLine(const Loads &loads);
/// {"bytes": […], "max_over_mean": 1.03}; null without a job ps.
nlohmann::ordered_json toJson(const Loads &loads);

} // namespace dtc::tool

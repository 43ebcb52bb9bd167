// Why something is where it is in a plan: an op, an edge, a variable, a task.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// One thing that a name stands for. A list of facts, each with a key for
/// programs and lines for people.
class Explanation {
public:
  Explanation(const std::string &kind, const std::string &name,
              const std::string &title);

  void say(const std::string &key, const std::string &text);
  void list(const std::string &key, const std::vector<std::string> &texts);
  void number(const std::string &key, uint64_t value, const std::string &text);
  /// The reason of a decision: its sentence, and what was rejected.
  void why(const std::string &reason);

  /// Indented under its title, the keys in one column.
  std::string text() const;
  const nlohmann::ordered_json &json() const { return json_; }

private:
  std::string title_;
  std::vector<std::pair<std::string, std::vector<std::string>>> lines_;
  nlohmann::ordered_json json_;
};

/// All that `name` stands for in the entry: a variable, a task ("ps:0",
/// "worker:*"), an op, an edge by its key, its tensor or its ends ("ps:0 ->
/// worker:1"). Empty when there is nothing.
std::vector<Explanation> explainName(const Plan &plan,
                                     const proto::Entry &entry,
                                     const std::string &name);
/// Every name that explainName() knows, tensors' and pairs of tasks included.
std::vector<std::string> explainableNames(const Plan &plan,
                                          const proto::Entry &entry);

} // namespace dtc::tool

// Colocation: which ops and variables must be on one device, and on which
// devices their wishes leave them (TensorFlow's rules P1, P2, P4). Plain C++: a
// node is a number, and whoever asked knows what it stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/dist/DeviceSpec.h"

namespace dtc::dist {

/// A device that exists, by its full name, all parts set.
struct Device {
  DeviceSpec name;
  bool isLocal = false; // of the task that the chief is
  bool operator==(const Device &) const = default;
};

/// The devices that have all that `wish` asks for and a type out of `types`
/// (empty: any), best first: by type (GPU before CPU), local ones first, then
/// by name, task 2 before task 10.
std::vector<Device> candidates(const std::vector<Device> &devices,
                               const DeviceSpec &wish,
                               const std::vector<std::string> &types = {});

/// What a wish comes to where it cannot be had: without its index and type,
/// never without its job, replica or task.
DeviceSpec softened(const DeviceSpec &wish);

class Colocation {
public:
  /// An op or a variable with a wish, and the types of devices that have a
  /// kernel for it (empty: any). Returns its number; numbers count from 0.
  size_t add(DeviceSpec wish = {}, std::vector<std::string> types = {});
  /// Both must be on one device, says `node`; `why` goes into a chain.
  void unite(size_t node, size_t other, std::string why);

  /// One step on the way from a node to another of its group.
  struct Link {
    size_t from, to;
    size_t teller; // the one of the two that says so
    std::string why;
  };
  /// Two wishes in one group that cannot both be had.
  struct Conflict {
    std::string kinds; // "jobs", "replicas", "tasks", "types" or "ids"
    size_t first, second;
    std::vector<Link> chain; // the shortest from `first` to `second`
  };
  /// Merges the wishes of each group (D2), in the order of their numbers.
  /// Groups that have no merge are reported, each by its first conflict, and
  /// keep what was merged before. Once, when all is added.
  std::vector<Conflict> merge(bool soft);

  /// The first node of the group of `node`.
  size_t groupOf(size_t node) const;
  /// What the group asks for together. After merge().
  const DeviceSpec &wishOf(size_t node) const {
    return groups_[groupOf(node)].wish;
  }
  /// The types of devices that can run all of the group; empty: any, unless
  /// `isImpossible`. After merge().
  const std::vector<std::string> &typesOf(size_t node) const {
    return groups_[groupOf(node)].types;
  }
  /// True if no type of device can run all of the group. After merge().
  bool isImpossible(size_t node) const {
    return groups_[groupOf(node)].isImpossible;
  }
  /// The shortest way from a node to another one of its group.
  std::vector<Link> chain(size_t from, size_t to) const;
  size_t size() const { return nodes_.size(); }

private:
  struct Node {
    DeviceSpec wish;
    std::vector<std::string> types;
    std::vector<std::pair<size_t, size_t>> links; // to node, by reason
  };
  struct Group {
    DeviceSpec wish;
    std::vector<std::string> types;
    bool isImpossible = false;
  };
  void mergeTypes(Group &group, const std::vector<std::string> &types);
  Conflict conflictWith(size_t node, const std::string &kinds) const;

  std::vector<Node> nodes_;
  struct Reason {
    size_t teller;
    std::string why;
  };
  std::vector<Reason> reasons_;
  std::vector<Group> groups_;           // by first node
  mutable std::vector<size_t> parents_; // union-find; roots are first nodes
};

} // namespace dtc::dist

#include "passes/dist/Colocation.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace dtc::dist {

/// TensorFlow's: the fastest first.
static int priorityOf(const std::string &type) {
  if (type == "GPU")
    return 210;
  return type == "CPU" ? 70 : 0;
}

std::vector<Device> candidates(const std::vector<Device> &devices,
                               const DeviceSpec &wish,
                               const std::vector<std::string> &types) {
  std::vector<Device> fitting;
  for (const Device &device : devices)
    if (isSpecification(wish, device.name) &&
        (types.empty() || std::find(types.begin(), types.end(),
                                    *device.name.type) != types.end()))
      fitting.push_back(device);
  auto rank = [](const Device &device) {
    const DeviceSpec &name = device.name;
    return std::make_tuple(-priorityOf(*name.type), !device.isLocal, name.job,
                           name.replica, name.task, name.type, name.index);
  };
  std::stable_sort(
      fitting.begin(), fitting.end(),
      [&](const Device &a, const Device &b) { return rank(a) < rank(b); });
  return fitting;
}

DeviceSpec softened(const DeviceSpec &wish) {
  DeviceSpec rest = wish;
  rest.type.reset();
  rest.index.reset();
  return rest;
}

size_t Colocation::add(DeviceSpec wish, std::vector<std::string> types) {
  parents_.push_back(nodes_.size());
  nodes_.push_back({std::move(wish), std::move(types), {}});
  return nodes_.size() - 1;
}

void Colocation::unite(size_t node, size_t other, std::string why) {
  nodes_[node].links.push_back({other, reasons_.size()});
  nodes_[other].links.push_back({node, reasons_.size()});
  reasons_.push_back({node, std::move(why)});
  auto [first, second] = std::minmax({groupOf(node), groupOf(other)});
  parents_[second] = first;
}

size_t Colocation::groupOf(size_t node) const {
  while (parents_[node] != node)
    node = parents_[node] = parents_[parents_[node]];
  return node;
}

void Colocation::mergeTypes(Group &group,
                            const std::vector<std::string> &types) {
  if (types.empty() || group.isImpossible)
    return;
  if (group.types.empty()) {
    group.types = types;
    return;
  }
  std::erase_if(group.types, [&](const std::string &type) {
    return std::find(types.begin(), types.end(), type) == types.end();
  });
  group.isImpossible = group.types.empty();
}

std::vector<Colocation::Conflict> Colocation::merge(bool soft) {
  std::vector<Conflict> conflicts;
  groups_.assign(nodes_.size(), {});
  std::vector<bool> isBroken(nodes_.size());
  for (size_t node = 0; node < nodes_.size(); ++node) {
    size_t group = groupOf(node);
    if (isBroken[group])
      continue;
    const DeviceSpec &before = groups_[group].wish, &wish = nodes_[node].wish;
    mergeTypes(groups_[group], nodes_[node].types);
    ParsedDeviceSpec merged = mergeDeviceSpecs(before, wish, soft);
    if (merged.spec) {
      groups_[group].wish = *merged.spec;
      continue;
    }
    conflicts.push_back(conflictWith(node, clashOf(before, wish, soft)));
    isBroken[group] = true;
  }
  return conflicts;
}

/// The first node of the group that wants another one of these `kinds`.
Colocation::Conflict Colocation::conflictWith(size_t node,
                                              const std::string &kinds) const {
  size_t first = groupOf(node);
  while (first < node &&
         (groupOf(first) != groupOf(node) ||
          clashOf(nodes_[first].wish, nodes_[node].wish, false) != kinds))
    ++first;
  return {kinds, first, node, chain(first, node)};
}

std::vector<Colocation::Link> Colocation::chain(size_t from, size_t to) const {
  constexpr size_t none = ~size_t{0};
  std::vector<std::pair<size_t, size_t>> cameBy(nodes_.size(), {none, none});
  std::deque<size_t> pending{from};
  cameBy[from] = {from, none};
  while (!pending.empty() && cameBy[to].first == none) {
    size_t node = pending.front();
    pending.pop_front();
    for (auto [next, reason] : nodes_[node].links)
      if (cameBy[next].first == none) {
        cameBy[next] = {node, reason};
        pending.push_back(next);
      }
  }
  std::vector<Link> links;
  for (size_t node = to; node != from && cameBy[node].first != none;
       node = cameBy[node].first) {
    const Reason &reason = reasons_[cameBy[node].second];
    links.push_back({cameBy[node].first, node, reason.teller, reason.why});
  }
  std::reverse(links.begin(), links.end());
  return links;
}

} // namespace dtc::dist

#include "dialects/dist/EdgeKey.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace dtc::dist {

std::string EdgeKey::toString() const {
  std::string text =
      name + ":" + std::to_string(slot) + " " + source + "->" + target;
  return copy == 1 ? text : text + " #" + std::to_string(copy);
}

std::optional<EdgeKey> EdgeKey::parse(StringRef text) {
  EdgeKey key;
  auto [value, rest] = text.split(' ');
  auto [tasks, copy] = rest.split(" #");
  auto [name, slot] = value.rsplit(':');
  auto [source, target] = tasks.split("->");
  if (name.empty() || slot.getAsInteger(10, key.slot) || source.empty() ||
      target.empty() || target.contains(' '))
    return std::nullopt;
  if (!copy.empty() && copy.getAsInteger(10, key.copy))
    return std::nullopt;
  key.name = name;
  key.source = source;
  key.target = target;
  return key;
}

} // namespace dtc::dist

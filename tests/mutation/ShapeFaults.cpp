// Faults of extent: which rows, which axis, how many bytes.
#include <algorithm>

#include "runtime/base/Status.h"
#include "tests/mutation/FaultLists.h"
#include "tests/mutation/Sites.h"

namespace dtc::mutation {
namespace {

int64_t step(Dice &dice) { return dice.flip() ? 1 : -1; }

struct InputSite {
  proto::Entry *entry;
  proto::Input *input;
};

std::optional<InputSite> anyInput(proto::Plan &plan, Dice &dice) {
  std::vector<InputSite> inputs;
  for (proto::Entry &entry : *plan.mutable_entries())
    for (proto::Input &input : *entry.mutable_inputs())
      inputs.push_back({&entry, &input});
  if (inputs.empty())
    return std::nullopt;
  return dice.of(inputs);
}

std::string shiftRows(proto::Plan &plan, Dice &dice) {
  auto site = anyInput(plan, dice);
  if (!site)
    return "";
  proto::Input &input = *site->input;
  int64_t by = step(dice);
  if (dice.flip())
    input.set_first_row(input.first_row() + by);
  else
    input.set_end_row(input.end_row() + by);
  return strCat("rows ", input.first_row(), " to ", input.end_row(), " of '",
                input.dataset(), "' in @", site->entry->name());
}

std::string shiftFields(proto::Plan &plan, Dice &dice) {
  auto site = anyInput(plan, dice);
  if (!site || site->input->columns_size() == 0)
    return "";
  proto::Column &column =
      *site->input->mutable_columns(dice.below(site->input->columns_size()));
  column.set_first_field(column.first_field() + step(dice));
  return strCat("column '", column.name(), "' begins at field ",
                column.first_field());
}

std::string shiftBlock(proto::Plan &plan, Dice &dice) {
  auto site = anyInput(plan, dice);
  if (!site)
    return "";
  proto::Input &input = *site->input;
  if (dice.flip())
    input.set_blocks(std::max<int64_t>(1, input.blocks()) + step(dice));
  else
    input.set_block(input.block() + step(dice));
  return strCat("block ", input.block(), " of ", input.blocks(), " of '",
                input.dataset(), "' in @", site->entry->name());
}

/// A list or number among a node's attributes, by name.
std::string changeAttribute(proto::Plan &plan, Dice &dice,
                            const std::vector<std::string> &names,
                            void (*change)(proto::Attribute &, Dice &)) {
  struct Place {
    proto::Node *node;
    std::string name;
  };
  std::vector<Place> places;
  for (proto::Kernel &kernel : *plan.mutable_kernels())
    for (proto::Node &node : *kernel.mutable_body())
      for (const std::string &name : names)
        if (node.attributes().count(name))
          places.push_back({&node, name});
  if (places.empty())
    return "";
  const Place &place = dice.of(places);
  proto::Attribute &attribute = (*place.node->mutable_attributes())[place.name];
  std::string before = attribute.ShortDebugString();
  change(attribute, dice);
  if (attribute.ShortDebugString() == before)
    return "";
  return strCat("attribute ", place.name, " of node '", place.node->name(),
                "': ", attribute.ShortDebugString(), ", was ", before);
}

std::string shiftSlice(proto::Plan &plan, Dice &dice) {
  return changeAttribute(
      plan, dice, {"begin", "before", "index", "stop", "end", "block"},
      [](proto::Attribute &attribute, Dice &dice) {
        if (attribute.has_i())
          attribute.set_i(attribute.i() + step(dice));
        else if (attribute.ints().values_size() > 0) {
          int which = dice.below(attribute.ints().values_size());
          attribute.mutable_ints()->set_values(
              which, attribute.ints().values(which) + step(dice));
        }
      });
}

std::string changeAxis(proto::Plan &plan, Dice &dice) {
  return changeAttribute(
      plan, dice, {"axis", "axes", "perm"},
      [](proto::Attribute &attribute, Dice &dice) {
        if (attribute.has_i()) {
          attribute.set_i(attribute.i() ^ 1);
          return;
        }
        auto &values = *attribute.mutable_ints()->mutable_values();
        if (values.size() > 1)
          values.SwapElements(0, 1 + dice.below(values.size() - 1));
        else if (values.size() == 1)
          values.Set(0, values.Get(0) ^ 1);
      });
}

std::string changeTranspose(proto::Plan &plan, Dice &dice) {
  return changeAttribute(plan, dice,
                         {"transpose_a", "transpose_b", "keep_dims"},
                         [](proto::Attribute &attribute, Dice &) {
                           attribute.set_b(!attribute.b());
                         });
}

/// The replicas' rows side by side instead of their mean, or back.
std::string changeTake(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice,
                      [](const Site &site) { return site.it().has_take(); });
  if (!site)
    return "";
  bool was = site->it().take().concat();
  site->it().mutable_take()->set_concat(!was);
  return strCat(was ? "mean of: " : "rows of: ", site->text());
}

/// A tensor crosses with its axes swapped.
std::string turnEdge(proto::Plan &plan, Dice &dice) {
  proto::Entry &entry = *plan.mutable_entries(dice.below(plan.entries_size()));
  if (entry.edges_size() == 0)
    return "";
  proto::Edge &edge = *entry.mutable_edges(dice.below(entry.edges_size()));
  auto &shape = *edge.mutable_type()->mutable_shape();
  if (shape.size() < 2 || shape.Get(0) == shape.Get(1))
    return "";
  shape.SwapElements(0, 1);
  return "edge '" + edge.key() + "' with its axes swapped";
}

uint64_t otherCount(uint64_t count, Dice &dice) {
  switch (dice.below(4)) {
  case 0:
    return count + 1;
  case 1:
    return count > 0 ? count - 1 : 8;
  case 2:
    return count * 2 + (count == 0);
  default:
    return count >= 64 ? count - 64 : count + 64;
  }
}

std::string edgeBytes(proto::Plan &plan, Dice &dice) {
  proto::Entry &entry = *plan.mutable_entries(dice.below(plan.entries_size()));
  if (entry.edges_size() == 0)
    return "";
  proto::Edge &edge = *entry.mutable_edges(dice.below(entry.edges_size()));
  edge.set_bytes(otherCount(edge.bytes(), dice));
  return strCat("edge '", edge.key(), "' has ", edge.bytes(), " bytes");
}

/// With a type that has as many.
std::string edgeType(proto::Plan &plan, Dice &dice) {
  proto::Entry &entry = *plan.mutable_entries(dice.below(plan.entries_size()));
  if (entry.edges_size() == 0)
    return "";
  proto::Edge &edge = *entry.mutable_edges(dice.below(entry.edges_size()));
  auto &shape = *edge.mutable_type()->mutable_shape();
  if (shape.empty() || shape.Get(0) == 0)
    return "";
  edge.set_bytes(edge.bytes() / shape.Get(0) * (shape.Get(0) + 1));
  shape.Set(0, shape.Get(0) + 1);
  return strCat("edge '", edge.key(), "' has a row more, ", edge.bytes(),
                " bytes");
}

std::string bufferBytes(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [](const Site &) { return true; });
  if (!site || site->activation->buffers_size() == 0)
    return "";
  uint32_t which = dice.below(site->activation->buffers_size());
  proto::Buffer &buffer = *site->activation->mutable_buffers(which);
  if (dice.flip())
    buffer.set_bytes(otherCount(buffer.bytes(), dice));
  else
    buffer.set_offset(otherCount(buffer.offset(), dice));
  return strCat("buffer ", which, " has ", buffer.bytes(), " bytes at ",
                buffer.offset(), " in the activation of ", site->text());
}

std::string arenaBytes(proto::Plan &plan, Dice &dice) {
  auto site = anySite(plan, dice, [](const Site &) { return true; });
  if (!site)
    return "";
  site->activation->set_arena_bytes(
      otherCount(site->activation->arena_bytes(), dice));
  return strCat("an arena of ", site->activation->arena_bytes(),
                " bytes for the activation of ", site->text());
}

std::string kernelRange(proto::Plan &plan, Dice &dice) {
  if (plan.kernels_size() == 0)
    return "";
  proto::Kernel &kernel =
      *plan.mutable_kernels(dice.below(plan.kernels_size()));
  kernel.set_range(otherCount(kernel.range(), dice));
  return strCat("range ", kernel.range(), " of kernel '", kernel.name(), "'");
}

} // namespace

Variants offByOneShards() {
  Variants all = {shiftRows, shiftFields, shiftBlock, shiftSlice};
  for (Inject ofParts : shiftedParts())
    all.push_back(ofParts);
  return all;
}
Variants wrongAxes() {
  return {changeAxis, changeTranspose, changeTake, turnEdge};
}
Variants wrongByteCounts() {
  return {edgeBytes, edgeType, bufferBytes, arenaBytes, kernelRange};
}

} // namespace dtc::mutation

#include "tests/mutation/Sites.h"

#include "runtime/base/Status.h"
#include "runtime/plan/Instructions.h"
#include "tests/mutation/PlanEdit.h"

namespace dtc::mutation {

std::string Site::text() const {
  return strCat("@", entry->name(), " ", toTaskId(program->task()), " ",
                kindName(activation->kind()), ": ", describe(it(), at));
}

std::vector<Site> sitesOf(proto::Plan &plan, const Wanted &wanted) {
  std::vector<Site> sites;
  for (proto::Entry &entry : *plan.mutable_entries())
    for (proto::Program &program : *entry.mutable_programs())
      for (proto::Activation &activation : *program.mutable_activations())
        for (int i = 0; i < activation.instructions_size(); ++i) {
          Site site{&entry, &program, &activation, uint32_t(i)};
          if (wanted(site))
            sites.push_back(site);
        }
  return sites;
}

std::optional<Site> anySite(proto::Plan &plan, Dice &dice,
                            const Wanted &wanted) {
  std::vector<Site> sites = sitesOf(plan, wanted);
  if (sites.empty())
    return std::nullopt;
  return dice.of(sites);
}

std::string repeatAny(proto::Plan &plan, Dice &dice, const Wanted &wanted,
                      const std::string &what) {
  auto site = anySite(plan, dice, wanted);
  if (!site)
    return "";
  insertInstruction(*site->activation, site->at + 1,
                    proto::Instruction(site->it()));
  return what + site->text();
}

std::optional<Site> sendOf(proto::Plan &plan, const proto::Entry &entry,
                           uint32_t edge) {
  Dice first(0);
  return anySite(plan, first, [&](const Site &site) {
    return site.entry == &entry && site.it().has_send() &&
           site.it().send().edge() == edge;
  });
}

std::optional<Site> recvOf(proto::Plan &plan, const proto::Entry &entry,
                           uint32_t edge) {
  Dice first(0);
  return anySite(plan, first, [&](const Site &site) {
    return site.entry == &entry && site.it().has_recv() &&
           site.it().recv().edge() == edge;
  });
}

std::string NodeSite::text() const {
  return strCat("node '", node->name(), "' of kernel '", kernel->name(), "'");
}

std::optional<NodeSite>
anyNode(proto::Plan &plan, Dice &dice,
        const std::function<bool(const proto::Node &)> &wanted) {
  std::vector<NodeSite> nodes;
  for (proto::Kernel &kernel : *plan.mutable_kernels())
    for (proto::Node &node : *kernel.mutable_body())
      if (wanted(node))
        nodes.push_back({&kernel, &node});
  if (nodes.empty())
    return std::nullopt;
  return dice.of(nodes);
}

bool haveOneType(const proto::Buffer &a, const proto::Buffer &b) {
  return a.type().SerializeAsString() == b.type().SerializeAsString();
}

std::optional<uint32_t> twinOf(const Site &site, uint32_t buffer, Dice &dice) {
  std::vector<uint32_t> twins;
  for (uint32_t i = 0; i < site.at; ++i)
    for (uint32_t other : operandsOf(site.activation->instructions(i)).writes)
      if (other != buffer &&
          haveOneType(site.buffer(other), site.buffer(buffer)))
        twins.push_back(other);
  if (twins.empty())
    return std::nullopt;
  return dice.of(twins);
}

void replaceReads(const Site &site, uint32_t from, uint32_t to) {
  for (int i = site.at + 1; i < site.activation->instructions_size(); ++i)
    forEachRead(*site.activation->mutable_instructions(i),
                [&](uint32_t &b) { b = b == from ? to : b; });
}

} // namespace dtc::mutation

// Sites: where in a plan an instruction of some kind stands.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tests/mutation/Faults.h"

namespace dtc::mutation {

struct Site {
  proto::Entry *entry;
  proto::Program *program;
  proto::Activation *activation;
  uint32_t at;

  proto::Instruction &it() const {
    return *activation->mutable_instructions(at);
  }
  const proto::Buffer &buffer(uint32_t number) const {
    return activation->buffers(number);
  }
  /// "@train ps:0 apply: instruction 3, send 'w' (…)".
  std::string text() const;
};

using Wanted = std::function<bool(const Site &)>;

std::vector<Site> sitesOf(proto::Plan &plan, const Wanted &wanted);
std::optional<Site> anySite(proto::Plan &plan, Dice &dice,
                            const Wanted &wanted);

/// Puts one that `wanted` takes in twice; "" or `what` and its text.
std::string repeatAny(proto::Plan &plan, Dice &dice, const Wanted &wanted,
                      const std::string &what);

/// The other end of an edge.
std::optional<Site> sendOf(proto::Plan &plan, const proto::Entry &entry,
                           uint32_t edge);
std::optional<Site> recvOf(proto::Plan &plan, const proto::Entry &entry,
                           uint32_t edge);

/// Another buffer of the type of `buffer` that is defined before `site`.
std::optional<uint32_t> twinOf(const Site &site, uint32_t buffer, Dice &dice);

/// Makes what reads `from`, behind instruction `at`, read `to`.
void replaceReads(const Site &site, uint32_t from, uint32_t to);

/// A node of a kernel's body.
struct NodeSite {
  proto::Kernel *kernel;
  proto::Node *node;
  /// "node 'add_1' of kernel 'add'".
  std::string text() const;
};
std::optional<NodeSite>
anyNode(proto::Plan &plan, Dice &dice,
        const std::function<bool(const proto::Node &)> &wanted);

bool haveOneType(const proto::Buffer &a, const proto::Buffer &b);

} // namespace dtc::mutation

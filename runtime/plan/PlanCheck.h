// The checks behind Plan::create. Each returns DATA_LOSS with a message that
// names the place and both values; none of them trusts anything.
#pragma once

#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc {

/// Jobs, variables, kernels, code objects.
Status checkTables(const PlanContents &contents);

/// An activation and where it stands, for the checks of one entry.
struct ActivationSite {
  const proto::Program *program;
  const proto::Activation *activation;
  std::string where; // "entry 'train', ps:0 serve"
};

/// Buffers, instructions and their order within one activation.
Status checkActivation(const proto::Plan &plan, const proto::Entry &entry,
                       const ActivationSite &site);
/// Bytes that two buffers share are never in use by both.
Status checkOverlaps(const proto::Activation &activation,
                     const std::string &where);
/// An edge's wire type and bytes, which are those on the wire. What is wrong
/// continues "edge 'x' ".
Status checkWire(const proto::Edge &edge, const TensorType &type);
/// What sends pack has room. checkWire has passed for all edges.
Status checkPackBytes(const proto::Entry &entry,
                      const std::vector<ActivationSite> &sites);
/// One entry: its edges, and what its activations do together. checkActivation
/// and checkTables have passed.
Status checkEntry(const Plan &plan, const proto::Entry &entry,
                  const std::vector<ActivationSite> &sites);

/// The reasons of an entry's ops. The entry has passed the checks above.
Status checkDecisions(const proto::Plan &plan, const proto::Entry &entry);

} // namespace dtc

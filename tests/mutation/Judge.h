// Judge: what becomes of a mutant.
#pragma once

#include <string>

#include "tests/mutation/Subjects.h"

namespace dtc::mutation {

enum class Fate {
  Refused,    // when it is loaded, or by the proof
  Failed,     // verify's run ends with an error
  Differs,    // verify names a difference
  Hangs,      // a receive waits until its deadline: not caught
  Equivalent, // equal bits, whatever is run and in whatever order
  Missed,     // verify is content, and yet it is another plan
};
const char *fateName(Fate fate);

struct Judgement {
  Fate fate;
  std::string why; // the message, or what the judge alone found
};

/// Serialises `plan` with right digests and does with it what `dtc verify` does
/// with a file. Equivalent: it found nothing.
Judgement verifyAnew(const Subject &subject, const proto::Plan &plan);

/// The same for a mutant. One in which verify finds nothing must be proven
/// equivalent: by other seeds, more steps, real data, and with the instructions
/// of every activation in other orders that their dependencies allow.
Judgement judge(const Subject &subject, const proto::Plan &mutant,
                uint64_t seed);

} // namespace dtc::mutation

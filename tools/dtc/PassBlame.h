// PassBlame: where the difference that verify found came in. The plan's graph
// is compiled anew; what is there after each pass is asked for its values, by
// bisection, until the first pass is found after which they are wrong.
//
// A text of phase `place` is brought to one device (OneDevice). A later one is
// finished as plainly as the compiler can, without what only makes plans
// better, so that a mistake of a later pass does not show in an earlier text.
// Phase `rewrite` is the oracle's, too, and so never found.
#pragma once

#include <string>
#include <vector>

#include "tools/dtc/Compiler.h"
#include "tools/dtc/Verification.h"

namespace dtc::tool {

struct PassBlame {
  /// Set if the plan that the compiler makes anew is wrong, too.
  std::string phase, pass;
  /// Passes that cannot be told from it: texts between it and the last right
  /// one have no values, or no later text has values without them.
  std::vector<std::string> orOneOf;

  /// Else: the first place where the plan at hand is another one (empty if
  /// there is none), and the phase from whose text it was compiled, if that can
  /// be told.
  std::string place, from;

  /// For a message.
  std::string sentence() const;
};

/// Asks about a difference in `entry` of `plan`. Compiles and runs the entry
/// about five times, with the deadlines of `options`. `compile` are the plan's
/// options (optionsOf). INVALID_ARGUMENT if the plan holds no graph that
/// compiles with them, to a plan that runs.
Result<PassBlame> blameFor(const Plan &plan, const proto::Entry &entry,
                           const Expectation &expected,
                           const VerifyOptions &options,
                           const CompileOptions &compile);

} // namespace dtc::tool

// EditedText: of which phase the text was that a plan was compiled from. A plan
// does not say so; but its places are lines of that text.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tools/dtc/Compiler.h"

namespace dtc::tool {

/// `texts` are those that the plan's graph is compiled to with `options`. The
/// phase whose text has most of the plan's instructions on the lines that the
/// plan names: what was edited stands on others, what was not on the same ones.
/// Nothing if it is `anew`, compiled from the graph itself, or none.
std::optional<Phase> phaseOfPlaces(const Plan &plan, const Plan &anew,
                                   const std::map<Phase, std::string> &texts,
                                   const CompileOptions &options);

} // namespace dtc::tool

// The verbs of dtc. Each add…Verb() declares one subcommand; when it was
// called, `exitCode` holds its outcome after parsing.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/dtc/Prediction.h"

namespace dtc::tool {

// With the compiler:
void addCompileVerb(CLI::App &app, int &exitCode);
void addInspectVerb(CLI::App &app, int &exitCode);
void addVerifyVerb(CLI::App &app, int &exitCode);
void addExplainVerb(CLI::App &app, int &exitCode);
void addDiffVerb(CLI::App &app, int &exitCode);
// With the runtime alone. Without a predictor they cannot --predict.
void addRunVerb(CLI::App &app, int &exitCode, Predictor predictor = {});
void addLaunchVerb(CLI::App &app, int &exitCode, bool canPredict = false);
void addWorkerVerb(CLI::App &app, int &exitCode, Predictor predictor = {});

/// Declares --diagnostics, which sets reportStyle(); runCommandLine() has
/// looked for it before, since the command line may be wrong.
void addDiagnosticsFlag(CLI::App &verb);
/// The same, and --max-errors.
void addReportFlags(CLI::App &verb);

/// Parses the command line and runs the verb. Usage errors exit with 2 and say
/// what would have been right.
int runCommandLine(CLI::App &app, int argc, char **argv, int &exitCode);

} // namespace dtc::tool

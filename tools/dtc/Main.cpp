// dtc: the dataflow graph compiler and its runtime, one verb at a time.
#include "tools/dtc/Exit.h"
#include "tools/dtc/KernelCosts.h"
#include "tools/dtc/Verbs.h"

int main(int argc, char **argv) {
  CLI::App app("Compiles dataflow graphs, partitions them, and runs the plans");
  int exitCode = dtc::tool::exitSuccess;
  dtc::tool::addCompileVerb(app, exitCode);
  dtc::tool::addInspectVerb(app, exitCode);
  dtc::tool::addVerifyVerb(app, exitCode);
  dtc::tool::addExplainVerb(app, exitCode);
  dtc::tool::addDiffVerb(app, exitCode);
  dtc::tool::addRunVerb(app, exitCode, dtc::tool::predictPlan);
  dtc::tool::addLaunchVerb(app, exitCode, /*canPredict=*/true);
  dtc::tool::addWorkerVerb(app, exitCode, dtc::tool::predictPlan);
  return dtc::tool::runCommandLine(app, argc, argv, exitCode);
}

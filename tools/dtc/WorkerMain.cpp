// dtc-worker: one task of a plan, for machines that have the runtime alone.
#include "tools/dtc/Exit.h"
#include "tools/dtc/Verbs.h"

int main(int argc, char **argv) {
  CLI::App app("Runs one task of a plan");
  int exitCode = dtc::tool::exitSuccess;
  dtc::tool::addRunVerb(app, exitCode);
  dtc::tool::addLaunchVerb(app, exitCode);
  dtc::tool::addWorkerVerb(app, exitCode);
  return dtc::tool::runCommandLine(app, argc, argv, exitCode);
}

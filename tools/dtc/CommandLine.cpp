// How every dtc program reads its command line.
#include <algorithm>
#include <iostream>

#include "tools/dtc/Exit.h"
#include "tools/dtc/Report.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

/// Reports a slip on the command line.
int slip(Code code, const std::string &where, const std::string &message,
         const std::string &guess, const std::string &help) {
  Report report{.code = code, .place = {.file = where}, .message = message};
  if (!guess.empty())
    report.notes.push_back(
        {.isHelp = true, .text = "did you mean '" + guess + "'?"});
  report.notes.push_back({.isHelp = true, .text = help});
  print(report);
  return exitUsage;
}

std::vector<std::string> verbNames(CLI::App &app) {
  std::vector<std::string> names;
  for (CLI::App *verb : app.get_subcommands([](CLI::App *) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> optionNames(const CLI::App &verb) {
  std::vector<std::string> names;
  for (const CLI::Option *option : verb.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

/// CLI11 reports an unknown flag only after it has complained of something
/// else; so look first.
int checkWords(CLI::App &app, int argc, char **argv) {
  if (argc < 2)
    return exitSuccess;
  std::string verb = argv[1];
  if (verb == "-I" || verb == "-O")
    return slip(Code::OtherDtc, "dtc",
                "this is the dataflow graph compiler, not the device tree "
                "compiler",
                "",
                "the other one is /usr/bin/dtc (Debian package "
                "device-tree-compiler)");
  if (!verb.empty() && verb[0] == '-')
    return exitSuccess;
  CLI::App *found = nullptr;
  for (CLI::App *candidate :
       app.get_subcommands([](CLI::App *) { return true; }))
    if (candidate->get_name() == verb)
      found = candidate;
  if (!found)
    return slip(Code::UnknownVerb, "dtc",
                strCat("there is no verb '", verb, "'"),
                mostLike(verb, verbNames(app)), "dtc --help lists the verbs");
  std::vector<std::string> known = optionNames(*found);
  for (int i = 2; i < argc; ++i) {
    std::string word = argv[i];
    word = word.substr(0, word.find('='));
    if (word.rfind("--", 0) != 0 || word == "--" || word == "--help" ||
        std::find(known.begin(), known.end(), word) != known.end())
      continue;
    return slip(Code::UnknownOption, "dtc " + verb,
                strCat("unknown option '", word, "'"), mostLike(word, known),
                strCat("dtc ", verb, " --help lists the options"));
  }
  return exitSuccess;
}

/// What is wrong with a command line is reported as it asks.
void findReportStyle(int argc, char **argv) {
  const std::string flag = "--diagnostics";
  for (int i = 1; i < argc; ++i)
    if (argv[i] == flag + "=json" ||
        (argv[i] == flag && i + 1 < argc && argv[i + 1] == std::string("json")))
      reportStyle().json = true;
}

} // namespace

void addReportFlags(CLI::App &verb) {
  verb.add_option("--max-errors", reportStyle().maxErrors,
                  "Errors to print; 0: all (default: 20)");
  addDiagnosticsFlag(verb);
}

void addDiagnosticsFlag(CLI::App &verb) {
  verb.add_option_function<std::string>(
          "--diagnostics",
          [](const std::string &form) { reportStyle().json = form == "json"; },
          "text, or json: one object a line on standard error")
      ->check(CLI::IsMember({"text", "json"}));
}

int runCommandLine(CLI::App &app, int argc, char **argv, int &exitCode) {
  app.set_version_flag(
      "--version", std::string("dtc (dataflow graph compiler) ") + DTC_VERSION);
  app.require_subcommand(1);
  findReportStyle(argc, argv);
  if (int code = checkWords(app, argc, argv))
    return code;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion &version) {
    return app.exit(version);
  } catch (const CLI::ParseError &error) {
    return slip(Code::BadUsage, "dtc", error.what(), "",
                "dtc --help, or dtc VERB --help");
  }
  // A result that nobody can read is no success.
  if (!std::cout.flush() && exitCode == exitSuccess) {
    print({.code = Code::FileAccess,
           .place = {.file = "dtc"},
           .message = "cannot write standard output",
           .notes = {}});
    return exitFile;
  }
  return exitCode;
}

} // namespace dtc::tool

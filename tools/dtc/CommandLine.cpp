// How every dtc program reads its command line.
#include <algorithm>
#include <iostream>

#include "tools/dtc/Exit.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

/// "; did you mean 'x'?" for the nearest of `candidates`, or "".
std::string guess(const std::string &word,
                  const std::vector<std::string> &candidates) {
  std::string best;
  size_t bestDistance = word.size() / 3 + 1;
  for (const std::string &candidate : candidates)
    if (size_t distance = editDistance(word, candidate);
        distance <= bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  return best.empty() ? "" : strCat("; did you mean '", best, "'?");
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
  if (!verb.empty() && verb[0] == '-')
    return exitSuccess;
  CLI::App *found = nullptr;
  for (CLI::App *candidate :
       app.get_subcommands([](CLI::App *) { return true; }))
    if (candidate->get_name() == verb)
      found = candidate;
  if (!found) {
    std::cerr << "dtc: error: there is no verb '" << verb << "'"
              << guess(verb, verbNames(app))
              << "\nhelp: dtc --help lists the verbs" << std::endl;
    return exitUsage;
  }
  std::vector<std::string> known = optionNames(*found);
  for (int i = 2; i < argc; ++i) {
    std::string word = argv[i];
    word = word.substr(0, word.find('='));
    if (word.rfind("--", 0) != 0 || word == "--" || word == "--help" ||
        std::find(known.begin(), known.end(), word) != known.end())
      continue;
    std::cerr << "dtc " << verb << ": error: unknown option '" << word << "'"
              << guess(word, known) << "\nhelp: dtc " << verb
              << " --help lists the options" << std::endl;
    return exitUsage;
  }
  return exitSuccess;
}

} // namespace

int runCommandLine(CLI::App &app, int argc, char **argv, int &exitCode) {
  app.set_version_flag(
      "--version", std::string("dtc (dataflow graph compiler) ") + DTC_VERSION);
  app.require_subcommand(1);
  if (int code = checkWords(app, argc, argv))
    return code;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion &version) {
    return app.exit(version);
  } catch (const CLI::ParseError &error) {
    std::cerr << "dtc: error: " << error.what()
              << "\nhelp: dtc --help, or dtc VERB --help" << std::endl;
    return exitUsage;
  }
  // A result that nobody can read is no success.
  if (!std::cout.flush() && exitCode == exitSuccess) {
    std::cerr << "dtc: error: cannot write standard output" << std::endl;
    return exitFile;
  }
  return exitCode;
}

} // namespace dtc::tool

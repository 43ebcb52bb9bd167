#include "tools/dtc/RunFlags.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "tools/dtc/Exit.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Values.h"
#include "tools/dtc/Verbs.h"

namespace dtc::tool {
namespace {

namespace fs = std::filesystem;

struct NameAndValue {
  std::string name, value;
};

/// `text` is NAME=VALUE: namedValue() has looked.
NameAndValue splitFlag(const std::string &text) {
  size_t equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// What is wrong with a flag's form is a usage error, found before anything is
/// read.
CLI::Validator namedValue(const std::string &form, bool mayBeEmpty = false) {
  return {[form, mayBeEmpty](const std::string &text) {
            size_t equals = text.find('=');
            bool isPair = equals != 0 && equals != std::string::npos &&
                          (mayBeEmpty || equals + 1 != text.size());
            return isPair ? std::string()
                          : strCat("'", text, "' is not ", form);
          },
          ""};
}

CLI::Validator atLeastOne() {
  return {[](const std::string &text) {
            return std::strtoll(text.c_str(), nullptr, 10) >= 1
                       ? std::string()
                       : strCat("'", text, "' is not a whole number above 0");
          },
          ""};
}

CLI::Validator notEmpty() {
  return {[](const std::string &text) {
            return text.empty() ? std::string("a folder needs a name")
                                : std::string();
          },
          ""};
}

/// CLI::Range lets NaN pass.
CLI::Validator between(double low, double high) {
  return {[low, high](const std::string &text) {
            double value = std::strtod(text.c_str(), nullptr);
            return value >= low && value <= high
                       ? std::string()
                       : strCat("'", text, "' is not a number from ", low,
                                " to ", high);
          },
          ""};
}

/// "y.npy" of "@y.npy"; the sign may be left out.
std::string fetchFile(const std::string &value) {
  return value[0] == '@' ? value.substr(1) : value;
}

const proto::Feed *findFeed(const proto::Entry &entry,
                            const std::string &name) {
  for (const proto::Feed &feed : entry.feeds())
    if (feed.name() == name)
      return &feed;
  return nullptr;
}

template <typename Range>
std::string namesOf(const Range &range) {
  std::string names;
  for (const auto &item : range)
    names += (names.empty() ? "'" : ", '") + item.name() + "'";
  return names.empty() ? "none" : names;
}

Status givenTwice(const std::string &flag, const std::string &name) {
  return Status::invalidArgument(
      strCat(flag, " ", name, " is given twice; which one counts?"));
}

Status readFeeds(const RunFlags &flags, const proto::Entry &entry,
                 RunOptions &options) {
  for (const std::string &text : flags.feeds) {
    NameAndValue flag = splitFlag(text);
    const proto::Feed *feed = findFeed(entry, flag.name);
    if (!feed)
      return Status::invalidArgument(
          strCat("--feed ", text, ": @", entry.name(), " has no feed '",
                 flag.name, "'; its feeds: ", namesOf(entry.feeds())));
    DTC_ASSIGN_OR_RETURN(TensorType type, TensorType::create(feed->type()));
    DTC_ASSIGN_OR_RETURN(Tensor value, parseValue(flag.value, type.element));
    // A list of numbers has no shape of its own.
    if (flag.value[0] != '@' && value.bytes.size() == type.bytes)
      value.shape = type.shape;
    Result<Tensor> fitted = fitTensor(std::move(value), type);
    if (!fitted)
      return fitted.status().withPrefix(strCat("--feed ", flag.name, ": "));
    if (!options.feeds.emplace(flag.name, fitted.take()).second)
      return givenTwice("--feed", flag.name);
  }
  for (const proto::Feed &feed : entry.feeds())
    if (!options.feeds.count(feed.name()))
      return Status::invalidArgument(strCat(
          "@", entry.name(), " needs a value for '", feed.name(), "': --feed ",
          feed.name(), "=@FILE.npy (", *TensorType::create(feed.type()), ")"));
  return Status::ok();
}

Status checkFetches(const RunFlags &flags, const proto::Entry &entry) {
  auto check = [&](const std::string &flag,
                   const std::vector<std::string> &texts) -> Status {
    for (const std::string &text : texts) {
      NameAndValue pair = splitFlag(text);
      bool known = std::any_of(
          entry.fetches().begin(), entry.fetches().end(),
          [&](const proto::Fetch &fetch) { return fetch.name() == pair.name; });
      if (!known)
        return Status::invalidArgument(
            strCat(flag, " ", text, ": @", entry.name(), " has no output '",
                   pair.name, "'; its outputs: ", namesOf(entry.fetches())));
    }
    return Status::ok();
  };
  DTC_RETURN_IF_ERROR(check("--fetch", flags.fetches));
  return check("--expect", flags.expects);
}

Json summaryJson(const proto::Entry &entry, const RunSummary &summary) {
  Json metrics = Json::object(), fetches = Json::object();
  for (const auto &[name, value] : summary.metrics)
    metrics[name] = value;
  for (const auto &[name, tensor] : summary.fetches)
    if (std::optional<Json> values = valuesJson(tensor))
      fetches[name] = *values;
  Json json = {
      {"schema", "dtc.run/1"},
      {"entry", entry.name()},
      {"steps", summary.steps},
      {"metrics", metrics},
      {"step_ms", {{"p50", summary.stepMsP50}, {"p90", summary.stepMsP90}}},
      {"examples_per_s", summary.examplesPerSecond},
      {"bytes_per_step", summary.bytesPerStep},
      {"bytes_total", summary.bytesTotal},
      {"variables_sha256", summary.variablesSha256},
      {"dropped_examples", summary.droppedExamples},
      {"target", summary.target},
      {"fetches", fetches}};
  if (summary.staleness)
    json["staleness"] = {{"mean", summary.staleness->mean()},
                         {"max", summary.staleness->max}};
  return json;
}

void printSummary(const RunSummary &summary) {
  std::cerr << "ran " << summary.steps
            << (summary.steps == 1 ? " step" : " steps") << ", p50 "
            << summary.stepMsP50 << " ms a step";
  if (summary.examplesPerSecond > 0)
    std::cerr << ", " << static_cast<int64_t>(summary.examplesPerSecond)
              << " examples/s";
  if (summary.droppedExamples > 0)
    std::cerr << ", " << summary.droppedExamples
              << " examples left over at the ends of epochs";
  if (summary.staleness)
    std::cerr << "\nstaleness mean " << summary.staleness->mean() << ", max "
              << summary.staleness->max
              << " (pushes of others between a worker's read and its push)";
  std::cerr << "\nvariables sha256 " << summary.variablesSha256 << std::endl;
  for (const auto &[name, value] : summary.metrics)
    std::cout << name << " " << value << "\n";
}

Status writeFetches(const RunFlags &flags, const RunSummary &summary) {
  for (const std::string &text : flags.fetches) {
    NameAndValue flag = splitFlag(text);
    auto found = summary.fetches.find(flag.name);
    if (found == summary.fetches.end())
      return Status::internal(strCat("the run gave no '", flag.name, "'"));
    if (flag.value == "-" && !flags.json)
      std::cout << flag.name << " = " << valuesText(found->second) << std::endl;
    else if (flag.value != "-")
      DTC_RETURN_IF_ERROR(saveNpy(fetchFile(flag.value), found->second));
  }
  return Status::ok();
}

/// The sentence that says how a fetch differs from what was expected, or "".
Result<std::string> compareExpected(const RunFlags &flags,
                                    const RunSummary &summary) {
  for (const std::string &text : flags.expects) {
    NameAndValue flag = splitFlag(text);
    auto found = summary.fetches.find(flag.name);
    if (found == summary.fetches.end())
      return Status::internal(strCat("the run gave no '", flag.name, "'"));
    DTC_ASSIGN_OR_RETURN(Tensor expected,
                         parseValue(flag.value, found->second.element));
    // A list of numbers has no shape of its own, a file no bf16.
    if (flag.value[0] != '@' &&
        expected.bytes.size() == found->second.bytes.size())
      expected.shape = found->second.shape;
    Tensor actual = found->second;
    if (expected.element == ElementType::F32)
      actual = asInFile(std::move(actual));
    std::string difference =
        compareTensors(actual, expected, flags.rtol, flags.atol);
    if (!difference.empty())
      return strCat("'", flag.name,
                    "' is not what --expect says: ", difference);
  }
  return std::string();
}

void addOption(std::vector<std::string> &words, const std::string &flag,
               const std::string &value) {
  if (!value.empty()) {
    words.push_back(flag);
    words.push_back(value);
  }
}

/// Reads back as the same number.
std::string exactText(double number) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), number).ptr};
}

} // namespace

std::vector<std::string> RunFlags::arguments() const {
  std::vector<std::string> words = {plan};
  addOption(words, "--entry", entry);
  addOption(words, "--save", saveDirectory);
  addOption(words, "--load", loadDirectory);
  addOption(words, "--target", target);
  if (steps)
    addOption(words, "--steps", std::to_string(*steps));
  if (epochs)
    addOption(words, "--epochs", std::to_string(*epochs));
  addOption(words, "--seed", std::to_string(seed));
  addOption(words, "--threads", std::to_string(threads));
  addOption(words, "--timeout", exactText(timeoutSeconds));
  addOption(words, "--rtol", exactText(rtol));
  addOption(words, "--atol", exactText(atol));
  for (const std::string &text : data)
    addOption(words, "--data", text);
  for (const std::string &text : feeds)
    addOption(words, "--feed", text);
  for (const std::string &text : fetches)
    addOption(words, "--fetch", text);
  for (const std::string &text : expects)
    addOption(words, "--expect", text);
  if (json)
    words.push_back("--json");
  if (predict)
    words.push_back("--predict");
  return words;
}

void addRunFlags(CLI::App &verb, RunFlags &flags, bool canPredict) {
  verb.add_option("plan", flags.plan, "The plan file")->required();
  verb.add_option("--entry", flags.entry,
                  "The entry point (default: the one that trains)");
  verb.add_option("--steps", flags.steps, "Steps to run")->check(atLeastOne());
  verb.add_option("--epochs", flags.epochs, "Epochs to run")
      ->check(atLeastOne())
      ->excludes("--steps");
  verb.add_option("--data", flags.data, "NAME=PATH: the file of a data set")
      ->check(namedValue("NAME=PATH"))
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--seed", flags.seed,
                  "Of initial values and of the order of examples")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--save", flags.saveDirectory,
                  "Keep the variables in this folder, one .npy each")
      ->check(notEmpty());
  verb.add_option("--load", flags.loadDirectory,
                  "Begin with the variables of this folder")
      ->check(notEmpty());
  verb.add_option("--feed", flags.feeds, "NAME=@FILE.npy or NAME=1,2,3")
      ->check(namedValue("NAME=@FILE.npy or NAME=1,2,3", true))
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--fetch", flags.fetches,
                  "NAME=@FILE.npy, or NAME=- to print")
      ->check(namedValue("NAME=@FILE.npy or NAME=-"))
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--expect", flags.expects,
                  "NAME=@FILE.npy: exit 3 if the output differs")
      ->check(namedValue("NAME=@FILE.npy", true))
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--rtol", flags.rtol, "Relative tolerance of --expect")
      ->check(between(0, 1e300));
  verb.add_option("--atol", flags.atol, "Absolute tolerance of --expect")
      ->check(between(0, 1e300));
  verb.add_option("--target", flags.target,
                  "Run this target's kernels (default: the first that fits)");
  verb.add_option("--threads", flags.threads,
                  "Compute threads (default: one a core)")
      ->check(CLI::Range(0, 1024));
  verb.add_option("--timeout", flags.timeoutSeconds,
                  "Seconds to wait for the cluster to form")
      ->check(between(0.01, 86400.0 * 7));
  verb.add_flag("--json", flags.json, "One JSON object, schema dtc.run/1");
  if (canPredict)
    verb.add_flag("--predict", flags.predict,
                  "Print what was predicted beside what was measured");
  addDiagnosticsFlag(verb);
}

Result<RunOptions> toRunOptions(const RunFlags &flags, const Plan &plan) {
  DTC_ASSIGN_OR_RETURN(const proto::Entry *entry,
                       chooseEntry(plan, flags.entry));
  RunOptions options;
  options.entry = entry->name();
  options.seed = flags.seed;
  options.steps = flags.steps;
  options.epochs = flags.epochs;
  options.loadDirectory = flags.loadDirectory;
  options.saveDirectory = flags.saveDirectory;
  options.target = flags.target;
  options.threads = flags.threads;
  options.timeout = Duration(static_cast<int64_t>(flags.timeoutSeconds * 1e9));
  for (const std::string &text : flags.data) {
    NameAndValue flag = splitFlag(text);
    if (!options.data.emplace(flag.name, flag.value).second)
      return givenTwice("--data", flag.name);
  }
  DTC_RETURN_IF_ERROR(readFeeds(flags, *entry, options));
  DTC_RETURN_IF_ERROR(checkFetches(flags, *entry));
  return options;
}

Status checkFetchFiles(const RunFlags &flags) {
  std::set<std::string> files;
  for (const std::string &text : flags.fetches) {
    NameAndValue flag = splitFlag(text);
    if (flag.value == "-")
      continue;
    std::string file = fetchFile(flag.value);
    fs::path folder = fs::path(file).parent_path();
    std::error_code error;
    if (file.empty() || fs::is_directory(file, error))
      return Status::invalidArgument(strCat("--fetch ", text, ": '", file,
                                            "' is no file\nhelp: write ",
                                            flag.name, "=@FILE.npy"));
    if (!folder.empty() && !fs::is_directory(folder, error))
      return Status::notFound(strCat("--fetch ", text, ": there is no folder '",
                                     folder.string(), "'"));
    if (!files.insert(file).second)
      return givenTwice("--fetch", file);
  }
  return Status::ok();
}

int reportRun(const std::string &verb, const RunFlags &flags, const Plan &plan,
              const RunSummary &summary,
              const std::optional<Prediction> &prediction) {
  Result<const proto::Entry *> entry = chooseEntry(plan, flags.entry);
  if (flags.json) {
    Json json = summaryJson(**entry, summary);
    if (prediction)
      json["prediction"] = comparisonJson(*prediction, summary);
    std::cout << json.dump(2) << std::endl;
  } else {
    printSummary(summary);
    if (prediction)
      std::cout << "\n" << comparisonText(*prediction, summary) << std::flush;
  }
  if (Status written = writeFetches(flags, summary); !written.isOk())
    return fail(verb, written);
  Result<std::string> difference = compareExpected(flags, summary);
  if (!difference)
    return fail(verb, difference.status());
  return difference->empty() ? int(exitSuccess)
                             : fail(verb, exitDiffers, *difference);
}

} // namespace dtc::tool

#include "runtime/plan/ClusterSpec.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "runtime/plan/JsonText.h"

namespace dtc {
namespace {

constexpr int maxTaskIndex = 65535;

bool isJobName(std::string_view name) { // [a-zA-Z][_a-zA-Z0-9]*
  if (name.empty() || name.size() > 64 || !std::isalpha((unsigned char)name[0]))
    return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  });
}

/// A whole number from `text` and nothing else.
std::optional<int> wholeNumber(std::string_view text, int limit) {
  int value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  bool plain = !text.empty() && std::isdigit((unsigned char)text[0]);
  if (!plain || error != std::errc() || end != text.data() + text.size() ||
      value > limit)
    return std::nullopt;
  return value;
}

/// "host:port" with a non-empty host and a port of 1 to 65535.
bool isAddress(std::string_view address) {
  size_t colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || address.size() > 300)
    return false;
  auto port = wholeNumber(address.substr(colon + 1), 65535);
  if (!port || *port == 0)
    return false;
  std::string_view host = address.substr(0, colon);
  if (host.front() == '[') // [::1]
    return host.size() > 2 && host.back() == ']';
  return std::all_of(host.begin(), host.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_';
  });
}

/// "2 entries (0 and 1)", "1 entry (0)".
std::string entries(const ClusterSpec::Job &job) {
  if (job.tasks.empty())
    return "no entry";
  std::string list;
  size_t n = 0;
  for (const auto &[index, address] : job.tasks) {
    ++n;
    if (job.tasks.size() > 6 && n > 2 && n < job.tasks.size())
      continue; // "0, 1, … and 9"
    if (n > 1)
      list += n < job.tasks.size()   ? ", "
              : job.tasks.size() > 6 ? ", … and "
                                     : " and ";
    list += std::to_string(index);
  }
  return strCat(job.tasks.size(),
                job.tasks.size() == 1 ? " entry (" : " entries (", list, ")");
}

class Parser {
public:
  Parser(std::string_view text, const std::string &name)
      : text_(text), name_(name) {}

  Result<ClusterSpec> parse() {
    DTC_ASSIGN_OR_RETURN(JsonValue root, dtc::parseJson(text_, name_));
    if (root.kind != JsonValue::Kind::Object)
      return error(root.offset,
                   strCat("expected an object with \"cluster\", found ",
                          root.describe()));
    const JsonValue::Member *cluster = root.find("cluster");
    if (!cluster)
      return error(root.offset, "\"cluster\" is missing", example);
    if (cluster->value.kind != JsonValue::Kind::Object ||
        cluster->value.members.empty())
      return error(cluster->value.offset,
                   strCat("cluster is ", cluster->value.describe(),
                          ", expected an object from job names to addresses"),
                   example);
    for (const JsonValue::Member &job : cluster->value.members)
      DTC_RETURN_IF_ERROR(parseJob(job));
    if (const JsonValue::Member *task = root.find("task"))
      DTC_RETURN_IF_ERROR(parseTask(task->value));
    return std::move(spec_);
  }

private:
  static constexpr const char *example =
      "{\"cluster\":{\"ps\":[\"host:2222\"],\"worker\":[\"host:2223\"]},"
      "\"task\":{\"type\":\"worker\",\"index\":0}}";

  Status error(size_t offset, const std::string &what,
               const std::string &help = "") const {
    return Status::invalidArgument(
        strCat(jsonPosition(text_, offset, name_), what,
               help.empty() ? "" : "\nhelp: " + help));
  }

  Status parseJob(const JsonValue::Member &member) {
    if (!isJobName(member.name))
      return error(member.offset, strCat("'", member.name, "' is no job name"),
                   "a job name begins with a letter and has letters, digits "
                   "and _ (ps, worker, chief)");
    ClusterSpec::Job job{member.name, {}};
    const JsonValue &value = member.value;
    if (value.kind == JsonValue::Kind::Array) {
      for (size_t i = 0; i < value.elements.size(); ++i)
        DTC_RETURN_IF_ERROR(
            addTask(job, static_cast<int>(i), value.elements[i]));
    } else if (value.kind == JsonValue::Kind::Object) {
      for (const JsonValue::Member &task : value.members) {
        auto index = wholeNumber(task.name, maxTaskIndex);
        if (!index)
          return error(task.offset, strCat("cluster.", job.name, ": \"",
                                           task.name, "\" is no task index"));
        if (job.tasks.count(*index))
          return error(task.offset,
                       strCat("cluster.", job.name, " has two tasks ", *index));
        DTC_RETURN_IF_ERROR(addTask(job, *index, task.value));
      }
    } else {
      return error(value.offset,
                   strCat("cluster.", job.name, " is ", value.describe(),
                          ", expected a list of addresses"));
    }
    if ((job.name == "chief" || job.name == "master") && job.tasks.size() > 1)
      return error(member.offset, strCat("cluster.", job.name, " has ",
                                         entries(job), ", there can be one"));
    if (!job.tasks.empty())
      spec_.jobs.push_back(std::move(job));
    return Status::ok();
  }

  Status addTask(ClusterSpec::Job &job, int index, const JsonValue &address) {
    std::string task = strCat(job.name, ":", index);
    if (index > maxTaskIndex)
      return error(address.offset,
                   strCat("cluster.", job.name, " has more than ",
                          maxTaskIndex + 1, " tasks"));
    if (address.kind != JsonValue::Kind::String)
      return error(address.offset,
                   strCat(task, " has ", address.describe(), " for an address"),
                   "write \"host:port\"");
    if (!isAddress(address.string))
      return error(address.offset,
                   strCat(task, ": \"", address.string, "\" is no address"),
                   "write \"host:port\" with a port of 1 to 65535");
    auto [other, fresh] = owners_.emplace(address.string, task);
    if (!fresh)
      return error(address.offset,
                   strCat("\"", address.string, "\" is given to both ",
                          other->second, " and ", task),
                   "give each task on one host its own port");
    job.tasks[index] = address.string;
    return Status::ok();
  }

  Status parseTask(const JsonValue &task) {
    if (task.kind != JsonValue::Kind::Object)
      return error(task.offset,
                   strCat("task is ", task.describe(),
                          ", expected {\"type\": …, \"index\": …}"));
    const JsonValue::Member *type = task.find("type");
    if (!type)
      return error(task.offset, "task.type is missing",
                   strCat("one of ", jobNames()));
    if (type->value.kind != JsonValue::Kind::String)
      return error(type->value.offset,
                   strCat("task.type is ", type->value.describe(),
                          ", expected a job name"));
    const ClusterSpec::Job *job = spec_.job(type->value.string);
    // An evaluator need not be listed: nobody connects to it.
    bool evaluator = type->value.string == "evaluator";
    if (!job && !evaluator)
      return error(type->value.offset,
                   strCat("task.type is \"", type->value.string,
                          "\", but the cluster has no such job"),
                   strCat("one of ", jobNames()));
    DTC_ASSIGN_OR_RETURN(int index, parseIndex(task.find("index"), job));
    spec_.task = TaskId{type->value.string, index};
    return Status::ok();
  }

  Result<int> parseIndex(const JsonValue::Member *member,
                         const ClusterSpec::Job *job) {
    if (!member)
      return 0; // as TensorFlow takes it
    const JsonValue &value = member->value;
    std::optional<int> index;
    if (value.kind == JsonValue::Kind::Integer && value.integer >= 0 &&
        value.integer <= INT32_MAX)
      index = static_cast<int>(value.integer);
    if (value.kind == JsonValue::Kind::String) // some launchers quote it
      index = wholeNumber(value.string, INT32_MAX);
    if (!index)
      return error(value.offset, strCat("task.index is ", value.describe(),
                                        ", expected a whole number from 0"));
    if (job && !job->tasks.count(*index))
      return error(value.offset,
                   strCat("task.index is ", *index, ", but cluster.", job->name,
                          " has ", entries(*job)),
                   strCat("count ", job->name, "s from 0"));
    return *index;
  }

  std::string jobNames() const {
    std::string names;
    for (const ClusterSpec::Job &job : spec_.jobs)
      names += (names.empty() ? "" : ", ") + job.name;
    return names;
  }

  std::string_view text_;
  const std::string &name_;
  ClusterSpec spec_;
  std::map<std::string, std::string> owners_; // address → task
};

} // namespace

Result<ClusterSpec> ClusterSpec::parseJson(std::string_view text,
                                           const std::string &name) {
  DTC_ASSIGN_OR_RETURN(ClusterSpec spec, Parser(text, name).parse());
  if (spec.trainingTasks().empty())
    return Status::invalidArgument(strCat(name, ": the cluster has no task"));
  return spec;
}

Result<ClusterSpec> ClusterSpec::parseShape(std::string_view text) {
  auto bad = [&](const std::string &what) {
    return Status::invalidArgument(
        strCat("cluster \"", text, "\": ", what,
               "\nhelp: write ps=1,worker=2, or name "
               "a file with a TF_CONFIG in it"));
  };
  ClusterSpec spec;
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    std::string_view part = text.substr(at, comma - at);
    at = comma + 1;
    size_t equals = part.find('=');
    if (equals == std::string_view::npos || !isJobName(part.substr(0, equals)))
      return bad(strCat("'", part, "' is not JOB=COUNT"));
    std::string name(part.substr(0, equals));
    auto count = wholeNumber(part.substr(equals + 1), maxTaskIndex + 1);
    if (!count)
      return bad(
          strCat("'", part.substr(equals + 1), "' is no number of tasks"));
    if (spec.job(name))
      return bad(strCat("job '", name, "' is given twice"));
    if ((name == "chief" || name == "master") && *count > 1)
      return bad(strCat("there can be one ", name));
    Job job{name, {}};
    for (int i = 0; i < *count; ++i)
      job.tasks[i] = "";
    if (*count > 0)
      spec.jobs.push_back(std::move(job));
  }
  if (spec.trainingTasks().empty())
    return bad("there is no task in it");
  return spec;
}

const ClusterSpec::Job *ClusterSpec::job(std::string_view name) const {
  for (const Job &job : jobs)
    if (job.name == name)
      return &job;
  return nullptr;
}

bool ClusterSpec::hasTask(const TaskId &task) const {
  const Job *found = job(task.job);
  return found && found->tasks.count(task.index);
}

std::string ClusterSpec::address(const TaskId &task) const {
  return hasTask(task) ? job(task.job)->tasks.at(task.index) : "";
}

std::vector<TaskId> ClusterSpec::trainingTasks() const {
  std::vector<TaskId> tasks;
  for (const Job &job : jobs)
    if (job.name != "evaluator")
      for (const auto &[index, address] : job.tasks)
        tasks.push_back({job.name, index});
  return tasks;
}

Status ClusterSpec::checkDense() const {
  for (const Job &job : jobs)
    if (job.name != "evaluator" &&
        job.tasks.rbegin()->first + 1 != static_cast<int>(job.tasks.size()))
      return Status::invalidArgument(strCat(
          "the cluster lists ", entries(job), " of job '", job.name,
          "'\nhelp: list all its tasks, 0 to ", job.tasks.rbegin()->first));
  return Status::ok();
}

std::string shapeText(const std::vector<TaskId> &tasks) {
  std::vector<std::pair<std::string, int>> counts;
  for (const TaskId &task : tasks)
    if (counts.empty() || counts.back().first != task.job)
      counts.push_back({task.job, 1});
    else
      ++counts.back().second;
  std::string text;
  for (const auto &[job, count] : counts)
    text += strCat(text.empty() ? "" : ",", job, "=", count);
  return text;
}

} // namespace dtc

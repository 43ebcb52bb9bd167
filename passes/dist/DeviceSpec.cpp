#include "passes/dist/DeviceSpec.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace dtc::dist {

namespace {

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts)
    text += part;
  return text;
}

/// Reads a spec part by part; `error` is set by the first part that is wrong.
class Parser {
public:
  explicit Parser(std::string_view text) : text_(text), rest_(text) {}

  ParsedDeviceSpec parse() {
    while (!rest_.empty() && error_.empty())
      parsePart();
    if (error_.empty())
      return {spec_, ""};
    return {std::nullopt, join({"'", text_, "' is no device: ", error_})};
  }

private:
  void parsePart() {
    if (rest_.front() != '/')
      return fail("a part begins with '/', as in /job:worker/task:0");
    rest_.remove_prefix(1);
    std::string_view part = rest_.substr(0, rest_.find('/'));
    rest_.remove_prefix(part.size());
    std::string_view kind = part.substr(0, part.find(':'));
    if (kind.size() == part.size())
      return fail(join({"'", part, "' has no ':' and value"}));
    std::string_view value = part.substr(kind.size() + 1);
    if (kind == "job")
      setJob(value);
    else if (kind == "replica")
      setNumber(spec_.replica, hasReplica_, "replica", value);
    else if (kind == "task")
      setNumber(spec_.task, hasTask_, "task", value);
    else if (kind == "device")
      setDevice(value);
    else if (kind == "cpu" || kind == "CPU" || kind == "gpu" || kind == "GPU")
      setLegacyDevice(kind, value);
    else
      fail(join({"a part is job, replica, task or device, not '", kind, "'"}));
  }

  void setJob(std::string_view value) {
    if (!once(hasJob_, "job") || value == "*")
      return;
    auto isLetter = [](unsigned char c) { return std::isalpha(c) != 0; };
    auto isWord = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    if (value.empty() || !isLetter(value.front()) ||
        !std::all_of(value.begin(), value.end(), isWord))
      return fail(join({"a job is a letter, then letters, digits or '_', not '",
                        value, "'"}));
    spec_.job = value;
  }

  void setNumber(std::optional<int64_t> &field, bool &seen, const char *kind,
                 std::string_view value) {
    if (!once(seen, kind) || value == "*")
      return;
    int64_t number = 0;
    const char *end = value.data() + value.size();
    auto [rest, code] = std::from_chars(value.data(), end, number);
    if (value.empty() || code != std::errc() || rest != end || number < 0)
      return fail(join({"a ", kind, " is a number or '*', not '", value, "'"}));
    field = number;
  }

  void setDevice(std::string_view value) {
    std::string_view type = value.substr(0, value.find(':'));
    if (!once(hasType_, "device"))
      return;
    if (type != "*")
      setType(type);
    if (type.size() < value.size())
      setNumber(spec_.index, hasIndex_, "device number",
                value.substr(type.size() + 1));
  }

  void setType(std::string_view type) {
    auto isUpper = [](unsigned char c) {
      return std::isupper(c) || std::isdigit(c) || c == '_';
    };
    if (type.empty())
      return fail("a device is TYPE:NUMBER, as in /device:CPU:0");
    if (std::all_of(type.begin(), type.end(), isUpper)) {
      spec_.type = type;
      return;
    }
    std::string upper(type);
    for (char &c : upper)
      c = char(std::toupper(static_cast<unsigned char>(c)));
    fail(join({"device types are upper case: write /device:", upper,
               ", not /device:", type}));
  }

  void setLegacyDevice(std::string_view kind, std::string_view value) {
    if (!once(hasType_, "device"))
      return;
    spec_.type = kind == "cpu" || kind == "CPU" ? "CPU" : "GPU";
    setNumber(spec_.index, hasIndex_, "device number", value);
  }

  bool once(bool &seen, const char *kind) {
    if (seen)
      fail(join({kind, " is given twice"}));
    return !std::exchange(seen, true);
  }

  void fail(std::string message) {
    if (error_.empty())
      error_ = std::move(message);
  }

  std::string_view text_, rest_;
  DeviceSpec spec_;
  bool hasJob_ = false, hasReplica_ = false, hasTask_ = false;
  bool hasType_ = false, hasIndex_ = false;
  std::string error_;
};

template <typename T>
bool agree(const std::optional<T> &a, const std::optional<T> &b) {
  return !a || !b || *a == *b;
}

template <typename T>
bool specifies(const std::optional<T> &general,
               const std::optional<T> &special) {
  return !general || general == special;
}

} // namespace

std::string DeviceSpec::toString() const {
  std::string text;
  if (job)
    text += "/job:" + *job;
  if (replica)
    text += "/replica:" + std::to_string(*replica);
  if (task)
    text += "/task:" + std::to_string(*task);
  if (type || index)
    text += "/device:" + type.value_or("*") + ":" +
            (index ? std::to_string(*index) : "*");
  return text;
}

ParsedDeviceSpec parseDeviceSpec(std::string_view text) {
  return Parser(text).parse();
}

bool isSpecification(const DeviceSpec &general, const DeviceSpec &special) {
  return specifies(general.job, special.job) &&
         specifies(general.replica, special.replica) &&
         specifies(general.task, special.task) &&
         specifies(general.type, special.type) &&
         specifies(general.index, special.index);
}

std::string clashOf(const DeviceSpec &a, const DeviceSpec &b, bool soft) {
  if (!agree(a.job, b.job))
    return "jobs";
  if (!agree(a.replica, b.replica))
    return "replicas";
  if (!agree(a.task, b.task))
    return "tasks";
  if (!soft && !agree(a.type, b.type))
    return "types";
  if (!soft && !agree(a.index, b.index))
    return "ids";
  return "";
}

ParsedDeviceSpec mergeDeviceSpecs(const DeviceSpec &a, const DeviceSpec &b,
                                  bool soft) {
  if (std::string kinds = clashOf(a, b, soft); !kinds.empty())
    return {std::nullopt,
            join({"cannot merge devices with incompatible ", kinds, ": '",
                  a.toString(), "' and '", b.toString(), "'"})};
  DeviceSpec merged{a.job ? a.job : b.job, a.replica ? a.replica : b.replica,
                    a.task ? a.task : b.task, a.type ? a.type : b.type,
                    a.index ? a.index : b.index};
  if (!agree(a.type, b.type)) {
    merged.type.reset();
    merged.index.reset();
  } else if (!agree(a.index, b.index)) {
    merged.index.reset();
  }
  return {merged, ""};
}

} // namespace dtc::dist

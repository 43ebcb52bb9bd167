#include "passes/dist/PlacementText.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "passes/dist/DeviceSpec.h"

namespace dtc::dist {
namespace {

using Word = PlacementText::Word;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The words of one line, without its remark.
std::vector<Word> wordsOf(std::string_view line, unsigned number) {
  line = line.substr(0, line.find('#'));
  std::vector<Word> words;
  for (size_t at = 0; at < line.size();) {
    if (isSpace(line[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < line.size() && !isSpace(line[end]))
      ++end;
    words.push_back(
        {std::string(line.substr(at, end - at)), number, unsigned(at + 1)});
    at = end;
  }
  return words;
}

class Parser {
public:
  std::variant<PlacementText, PlacementTextError> parse(std::string_view text) {
    for (unsigned number = 1; !text.empty() && !error_; ++number) {
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      addLine(wordsOf(line, number));
    }
    if (error_)
      return *error_;
    return result_;
  }

private:
  void addLine(const std::vector<Word> &words) {
    if (words.empty())
      return;
    if (words.size() == 1 && words[0].text == "variables")
      return addSection({false, words[0], {}});
    // An op may be called "entry"; no entry has a ':' in its name.
    if (words.size() == 2 && words[0].text == "entry" &&
        words[1].text.find(':') == std::string::npos)
      return addSection({true, words[1], {}});
    if (words.size() == 1)
      return fail(words[0], "'" + words[0].text + "' has no device",
                  "a line is a name and a device, as in 'w1 ps:0/cpu:0'; a "
                  "section begins with 'variables' or 'entry NAME'");
    if (words.size() > 2)
      return fail(words[2], "'" + words[2].text + "' is one word too many",
                  "a line is a name and a device; a remark begins with '#'");
    if (result_.sections.empty())
      return fail(words[0], "'" + words[0].text + "' is in no section",
                  "write 'variables' or 'entry NAME' above it");
    result_.sections.back().lines.push_back({words[0], words[1]});
  }

  void addSection(PlacementText::Section section) {
    for (const PlacementText::Section &other : result_.sections)
      if (other.isEntry == section.isEntry &&
          other.name.text == section.name.text)
        return fail(section.name,
                    "section '" + section.name.text + "' is there twice",
                    "its lines belong to the one in line " +
                        std::to_string(other.name.line));
    result_.sections.push_back(std::move(section));
  }

  void fail(const Word &word, std::string message, std::string help) {
    error_ = {word.line, word.column, std::move(message), std::move(help)};
  }

  PlacementText result_;
  std::optional<PlacementTextError> error_;
};

/// "ps:0" or "worker:*".
std::optional<PlacedTask> parseShort(std::string_view text) {
  for (std::string_view tail : {"/cpu:0", "/CPU:0"})
    if (text.ends_with(tail))
      text.remove_suffix(tail.size());
  size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos)
    return std::nullopt;
  PlacedTask task{std::string(text.substr(0, colon)), -1};
  std::string_view number = text.substr(colon + 1);
  if (number == "*")
    return task;
  const char *end = number.data() + number.size();
  auto [rest, code] = std::from_chars(number.data(), end, task.task);
  if (number.empty() || code != std::errc() || rest != end || task.task < 0)
    return std::nullopt;
  return task;
}

std::string padded(const std::string &text, size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

} // namespace

std::string PlacementText::toString() const {
  // One long name does not push all devices out of sight.
  constexpr size_t widest = 40;
  std::string text;
  if (!remark.empty())
    text += "# " + remark + "\n";
  for (const Section &section : sections) {
    text += section.isEntry ? "entry " + section.name.text : "variables";
    text += "\n";
    size_t width = 0;
    for (const Line &line : section.lines)
      width = std::min(widest, std::max(width, line.name.text.size()));
    for (const Line &line : section.lines)
      text +=
          "  " + padded(line.name.text, width) + "  " + line.device.text + "\n";
  }
  return text;
}

std::variant<PlacementText, PlacementTextError>
parsePlacementText(std::string_view text) {
  return Parser().parse(text);
}

std::variant<PlacedTask, std::string> parsePlacedTask(std::string_view text) {
  if (text.starts_with("/")) {
    ParsedDeviceSpec parsed = parseDeviceSpec(text);
    if (!parsed.spec)
      return parsed.error;
    const DeviceSpec &spec = *parsed.spec;
    bool isCpu = spec.type.value_or("CPU") == "CPU" &&
                 spec.index.value_or(0) == 0 && spec.replica.value_or(0) == 0;
    if (spec.job && spec.task && isCpu)
      return PlacedTask{*spec.job, *spec.task};
  } else if (std::optional<PlacedTask> task = parseShort(text)) {
    return *task;
  }
  return "'" + std::string(text) +
         "' is no device here: a device is a task, as in ps:0/cpu:0, or each "
         "task of a job, as in worker:*/cpu:0";
}

} // namespace dtc::dist

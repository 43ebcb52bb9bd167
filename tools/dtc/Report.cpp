#include "tools/dtc/Report.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace dtc::tool {
namespace {

using Json = nlohmann::ordered_json;

const char *severityName(Report::Severity severity) {
  switch (severity) {
  case Report::Severity::Error:
    return "error";
  case Report::Severity::Warning:
    return "warning";
  case Report::Severity::Remark:
    return "remark";
  }
  return "error";
}

/// Wraps text into escape sequences, or leaves it.
struct Paint {
  bool hasColour;
  std::string operator()(const char *sequence, const std::string &text) const {
    return hasColour ? std::string("\x1b[") + sequence + "m" + text + "\x1b[0m"
                     : text;
  }
};

std::string placeText(const Place &place) {
  if (place.line == 0)
    return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::strchr("_.$-", c) != nullptr;
}

/// How many columns the word at `column` of `line` takes, sigil included.
unsigned wordWidth(const std::string &line, size_t column) {
  size_t end = column + 1;
  if (column < line.size() &&
      (isWordCharacter(line[column]) || std::strchr("%@#!", line[column])))
    while (end < line.size() && isWordCharacter(line[end]))
      ++end;
  return end - column;
}

/// A long line is shown around the column: what a person can take in.
constexpr size_t longestLine = 160;

/// "  9 | text" and, below, the caret.
std::string sourceExcerpt(const Place &place, const Paint &paint) {
  if (place.line == 0 || place.sourceLine.empty() || place.column == 0 ||
      place.column > place.sourceLine.size() + 1)
    return "";
  std::string line = place.sourceLine;
  size_t column = place.column - 1, cut = 0;
  if (line.size() > longestLine && column > longestLine / 2)
    cut = column - longestLine / 2;
  bool isCutAtEnd = line.size() - cut > longestLine;
  line = line.substr(cut, longestLine) + (isCutAtEnd ? "..." : "");
  column -= cut;
  unsigned width = place.width ? place.width : wordWidth(line, column);
  width = std::max<size_t>(1, std::min<size_t>(width, line.size() - column));
  std::string number = std::to_string(place.line), gutter(number.size(), ' ');
  std::string indent;
  for (size_t i = 0; i < column; ++i)
    indent += line[i] == '\t' ? '\t' : ' ';
  for (char &c : line)
    if (std::iscntrl(static_cast<unsigned char>(c)) && c != '\t')
      c = '?';
  return "  " + number + " | " + line + "\n  " + gutter + " | " + indent +
         paint("1;32", "^" + std::string(width - 1, '~')) + "\n";
}

std::string noteText(const Report::Note &note, const Paint &paint) {
  if (note.isHelp)
    return paint("1;36", "help:") + " " + note.text + "\n";
  std::string where = placeText(note.place);
  return (where.empty() ? "" : where + ": ") + paint("1;34", "note:") + " " +
         note.text + "\n" + sourceExcerpt(note.place, paint);
}

Json placeJson(Json json, const Place &place) {
  json["file"] = place.file;
  json["line"] = place.line;
  json["column"] = place.column;
  return json;
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Changes of letters from `a` to `b`; capitals are no change.
size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substituted = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value;
}

} // namespace

ReportStyle &reportStyle() {
  static ReportStyle style{.hasColour = wantsColour()};
  return style;
}

bool wantsColour() {
  const char *terminal = std::getenv("TERM");
  if (isSet("NO_COLOR"))
    return false;
  if (isSet("FORCE_COLOR"))
    return true;
  return isatty(STDERR_FILENO) && terminal &&
         std::strcmp(terminal, "dumb") != 0;
}

std::string render(const Report &report, bool hasColour) {
  Paint paint{hasColour};
  std::string where = placeText(report.place);
  bool isError = report.severity == Report::Severity::Error;
  std::string text =
      (where.empty() ? "" : where + ": ") +
      paint(isError ? "1;31" : "1;35",
            std::string(severityName(report.severity)) +
                (isError ? "[" + codeText(report.code) + "]" : "") + ":") +
      " " + paint("1", report.message) + "\n" +
      sourceExcerpt(report.place, paint);
  for (bool isHelp : {false, true})
    for (const Report::Note &note : report.notes)
      if (note.isHelp == isHelp)
        text += noteText(note, paint);
  return text;
}

std::string renderJson(const Report &report) {
  Json notes = Json::array();
  for (const Report::Note &note : report.notes)
    notes.push_back(placeJson(
        {{"kind", note.isHelp ? "help" : "note"}, {"message", note.text}},
        note.place));
  Json json = placeJson({{"code", codeText(report.code)},
                         {"severity", severityName(report.severity)}},
                        report.place);
  json["message"] = report.message;
  json["notes"] = notes;
  json["rendered"] = render(report, false);
  // A file may hold anything; JSON holds UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print(const Report &report) {
  static std::mutex mutex; // guards the order of lines on stderr
  std::string text = reportStyle().json
                         ? renderJson(report)
                         : render(report, reportStyle().hasColour);
  std::lock_guard lock(mutex);
  std::cerr << text << std::flush;
}

std::string mostLike(const std::string &word,
                     const std::vector<std::string> &candidates) {
  std::string best;
  size_t bestDistance = word.size() / 3 + 2;
  for (const std::string &candidate : candidates)
    if (size_t distance = editDistance(word, candidate);
        distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  return best;
}

} // namespace dtc::tool

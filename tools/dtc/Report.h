// Report: one message to a person, or to a script that asked for JSON. Needs no
// MLIR, so that every program speaks alike.
#pragma once

#include <string>
#include <vector>

#include "dialects/diagnostics/Codes.h"

namespace dtc::tool {

/// A place in a text. Without a line it is a file or a program ("dtc run").
struct Place {
  std::string file;
  unsigned line = 0, column = 0; // from 1; 0: unknown
  unsigned width = 0;            // columns to underline; 0: the word there
  std::string sourceLine;        // "": not at hand
};

struct Report {
  enum class Severity { Error, Warning, Remark };
  struct Note {
    bool isHelp = false; // the mending, without a place
    Place place;
    std::string text;
  };

  Severity severity = Severity::Error;
  Code code = Code::Bug;
  Place place;
  std::string message;
  std::vector<Note> notes;
};

/// How this process reports; set once, before a verb begins.
struct ReportStyle {
  bool json = false;
  bool hasColour = false;
  unsigned maxErrors = 20; // 0: no bound
};
ReportStyle &reportStyle();

/// Whether stderr is a terminal that shows colours and nobody objects
/// (NO_COLOR, FORCE_COLOR, TERM=dumb).
bool wantsColour();

/// The form of user messages: place, severity, code, text; the source line with
/// a caret; notes; helps last. Ends with a newline.
std::string render(const Report &report, bool hasColour);
/// The same as one JSON object on a line.
std::string renderJson(const Report &report);
/// Writes `report` to stderr in the style of this process. Thread-safe.
void print(const Report &report);

/// The word that is most like `word`, capitals aside, if any is; else "".
std::string mostLike(const std::string &word,
                     const std::vector<std::string> &candidates);

} // namespace dtc::tool

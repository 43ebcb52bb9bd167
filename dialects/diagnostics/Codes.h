// Codes: the name of each kind of mistake, stable from release to release.
//
// The table is Codes.def. A number is never used for another mistake; one that
// is no longer thrown stays in the table's comments.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dtc {

enum class Code : unsigned {
#define DTC_CODE(NUMBER, NAME, TITLE, PAGE) NAME = NUMBER,
#include "dialects/diagnostics/Codes.def"
};

// What the table says of a code.
struct CodePage {
  Code code;
  std::string_view name;  // "ShapeMismatch"
  std::string_view title; // a line
  std::string_view page;  // Markdown: what is wrong, an example, its mending
};

// All codes, ascending.
std::span<const CodePage> codePages();
// The page of "DTC0102", "dtc102" or "102".
std::optional<CodePage> codePage(std::string_view text);
// "DTC0102".
std::string codeText(Code code);

} // namespace dtc

#include "dialects/diagnostics/Codes.h"

#include <algorithm>
#include <cctype>

namespace dtc {
namespace {

constexpr CodePage pages[] = {
#define DTC_CODE(NUMBER, NAME, TITLE, PAGE) {Code::NAME, #NAME, TITLE, PAGE},
#include "dialects/diagnostics/Codes.def"
};

constexpr bool ascends() {
  for (size_t i = 1; i < std::size(pages); ++i)
    if (pages[i - 1].code >= pages[i].code)
      return false;
  return true;
}
static_assert(ascends(), "Codes.def is sorted, and no number is used twice");

} // namespace

std::span<const CodePage> codePages() { return pages; }

std::optional<CodePage> codePage(std::string_view text) {
  if (text.size() > 3 && std::tolower(text[0]) == 'd' &&
      std::tolower(text[1]) == 't' && std::tolower(text[2]) == 'c')
    text.remove_prefix(3);
  if (text.empty() || text.size() > 4 ||
      !std::all_of(text.begin(), text.end(),
                   [](unsigned char c) { return std::isdigit(c) != 0; }))
    return std::nullopt;
  unsigned number = 0;
  for (char digit : text)
    number = 10 * number + (digit - '0');
  for (const CodePage &page : pages)
    if (page.code == static_cast<Code>(number))
      return page;
  return std::nullopt;
}

std::string codeText(Code code) {
  std::string digits = std::to_string(static_cast<unsigned>(code));
  return "DTC" + std::string(4 - std::min<size_t>(4, digits.size()), '0') +
         digits;
}

} // namespace dtc

#include "tests/fuzz/Mutator.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace dtc::fuzz {
namespace {

constexpr size_t mostBytes = size_t{2} << 20;

constexpr const char *numbers[] = {"0",
                                   "-1",
                                   "1",
                                   "2147483648",
                                   "4294967297",
                                   "1099511627776",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "99999999999999999999999",
                                   "1e308",
                                   "0x7FF00000"};
constexpr const char *sizes[] = {"0", "1", "2", "3", "7", "64", "1023"};
constexpr const char *elements[] = {
    "f32",       "f64",          "f16",           "bf16",       "i1",  "i8",
    "ui8",       "i32",          "i64",           "index",      "f33", "i0",
    "i99999999", "complex<f32>", "tensor<4xf32>", "!graph.none"};
constexpr const char *brackets[] = {"(",
                                    "[",
                                    "{",
                                    "<",
                                    "module {",
                                    "graph.func @f() {",
                                    "affine_map<(d0) -> (",
                                    "affine_map<(d0) -> (-",
                                    "tensor<2x",
                                    "dense<[",
                                    "array<i64: ",
                                    "#graph.",
                                    "loc(fused[",
                                    "loc(callsite(",
                                    "((",
                                    "-> ("};
constexpr size_t depths[] = {1, 3, 200, 300, 9999, 100000};

class Mutator {
public:
  Mutator(const Corpus &corpus, uint64_t seed)
      : corpus_(corpus), random_(seed), text_(anyText()) {}

  std::string run() {
    // Half of the mutants change in one place, so that many are valid.
    for (uint64_t count = below(2) ? 1 : 2 + below(3); count > 0; --count)
      mutateOnce();
    text_.resize(std::min(text_.size(), mostBytes));
    return std::move(text_);
  }

private:
  // Not std::uniform_int_distribution, which differs between libraries.
  uint64_t below(uint64_t bound) { return bound ? random_() % bound : 0; }
  template <typename T, size_t n>
  const T &any(const T (&list)[n]) {
    return list[below(n)];
  }
  const std::string &anyText() { return corpus_[below(corpus_.size())].second; }

  void mutateOnce() {
    switch (below(15)) {
    case 0:
      return flipBytes();
    case 1:
      return erase();
    case 2:
      return repeatLine();
    case 3:
      return splice();
    case 4:
    case 5:
    case 6:
      return replaceWord(isNumber, any(numbers));
    case 7:
      return replaceWord(isElement, any(elements));
    case 8:
      return renameOne('%');
    case 9:
      return renameOne('@');
    case 10:
      return nest();
    case 11:
      return swapLines();
    case 12:
      return moveWord();
    case 13:
      return replaceEverywhere(isNumber, any(sizes));
    case 14:
      return replaceEverywhere(isElement, any(elements));
    }
  }

  void flipBytes() {
    for (uint64_t count = 1 + below(3); count > 0 && !text_.empty(); --count)
      text_[below(text_.size())] = static_cast<char>(random_());
  }

  void erase() {
    size_t at = below(text_.size());
    text_.erase(at, 1 + below(40));
  }

  /// Begin and length, with the newline, of a line.
  std::pair<size_t, size_t> anyLine() {
    size_t at = below(text_.size());
    size_t begin = text_.rfind('\n', at);
    begin = begin == std::string::npos || begin == at ? at : begin + 1;
    size_t end = std::min(text_.find('\n', begin), text_.size());
    return {begin, std::min(end + 1, text_.size()) - begin};
  }

  void repeatLine() {
    auto [begin, size] = anyLine();
    std::string line = text_.substr(begin, size);
    uint64_t times = below(20) == 0 ? 2000 : 1 + below(3);
    std::string lines;
    for (uint64_t i = 0; i < times && lines.size() < mostBytes; ++i)
      lines += line;
    text_.insert(begin, lines);
  }

  void splice() {
    const std::string &other = anyText();
    text_ = text_.substr(0, below(text_.size())) +
            other.substr(below(other.size()));
  }

  void swapLines() {
    auto [begin, size] = anyLine();
    std::string line = text_.substr(begin, size);
    text_.erase(begin, size);
    if (!text_.empty())
      text_.insert(anyLine().first, line);
  }

  void nest() {
    std::string opening;
    const std::string bracket = any(brackets);
    for (size_t depth = any(depths); depth > 0; --depth)
      opening += bracket;
    text_.insert(below(text_.size() + 1), opening);
  }

  static bool isNumber(const std::string &word) {
    return std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  }
  static bool isElement(const std::string &word) {
    return word == "f32" || word == "f64" || word == "i64" || word == "i1" ||
           word == "i32";
  }
  static bool isAny(const std::string &) { return true; }

  /// Begin and length of every word that `fits`. "4x3xf32" is five words.
  template <typename Fits>
  std::vector<std::pair<size_t, size_t>> words(Fits fits) const {
    std::vector<std::pair<size_t, size_t>> found;
    auto kindOf = [](unsigned char c) {
      return std::isdigit(c) ? 1 : std::isalpha(c) || c == '_' ? 2 : 0;
    };
    for (size_t at = 0; at < text_.size();) {
      int kind = kindOf(text_[at]);
      size_t end = at + 1;
      // A letter may be followed by digits, as in f32, unless it is an x.
      while (kind && end < text_.size() && kindOf(text_[end]) &&
             (kindOf(text_[end]) == kind || kind == 2) &&
             !(end == at + 1 && text_[at] == 'x' && kind == 2))
        ++end;
      if (kind && fits(text_.substr(at, end - at)))
        found.push_back({at, end - at});
      at = end;
    }
    return found;
  }

  void replaceWord(bool (*fits)(const std::string &), const char *other) {
    auto found = words(fits);
    if (found.empty())
      return;
    auto [begin, size] = found[below(found.size())];
    text_.replace(begin, size, other);
  }

  /// Gives all words that are alike another value: what agreed still agrees.
  void replaceEverywhere(bool (*fits)(const std::string &),
                         const std::string &other) {
    auto found = words(fits);
    if (found.empty())
      return;
    auto [begin, size] = found[below(found.size())];
    const std::string word = text_.substr(begin, size);
    std::string changed;
    size_t end = 0;
    for (auto [at, length] : found)
      if (text_.compare(at, length, word) == 0) {
        changed.append(text_, end, at - end).append(other);
        end = at + length;
      }
    text_ = changed.append(text_, end);
  }

  /// Puts a word of the text where another is.
  void moveWord() {
    auto found = words(isAny);
    if (found.empty())
      return;
    auto [from, fromSize] = found[below(found.size())];
    auto [to, toSize] = found[below(found.size())];
    text_.replace(to, toSize, text_.substr(from, fromSize));
  }

  /// Gives a name with this sigil another that the text has: names twice, uses
  /// of other values, of values below.
  void renameOne(char sigil) {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t at = text_.find(sigil); at != std::string::npos;
         at = text_.find(sigil, at + 1)) {
      size_t end = at + 1;
      while (end < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[end])) ||
              text_[end] == '_' || text_[end] == '.'))
        ++end;
      found.push_back({at, end - at});
    }
    if (found.empty())
      return;
    auto [from, fromSize] = found[below(found.size())];
    auto [to, toSize] = found[below(found.size())];
    text_.replace(to, toSize, text_.substr(from, fromSize));
  }

  const Corpus &corpus_;
  std::mt19937_64 random_;
  std::string text_;
};

} // namespace

Corpus readCorpus(const std::string &folder) {
  Corpus corpus;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".mlir")
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    corpus.push_back({entry.path().filename().string(),
                      std::string(std::istreambuf_iterator<char>(file), {})});
  }
  std::sort(corpus.begin(), corpus.end());
  return corpus;
}

std::string mutant(const Corpus &corpus, uint64_t seed) {
  return Mutator(corpus, seed).run();
}

} // namespace dtc::fuzz

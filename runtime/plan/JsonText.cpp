#include "runtime/plan/JsonText.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

namespace dtc {
namespace {

constexpr size_t maxBytes = 1 << 20;
constexpr size_t maxDepth = 16;

/// Counts what the parser has consumed: the only way to learn where it is.
class CountingIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  CountingIterator(const char *at, size_t *consumed)
      : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator &operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator &other) const {
    return at_ == other.at_;
  }
  bool operator!=(const CountingIterator &other) const {
    return at_ != other.at_;
  }

private:
  const char *at_;
  size_t *consumed_;
};

/// Builds the tree from the parser's events.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
  Builder(std::string_view text, const size_t &consumed)
      : text_(text), consumed_(consumed) {}

  JsonValue root;
  std::string error;
  size_t errorOffset = 0;

  bool null() override { return scalar({}); }
  bool boolean(bool) override {
    return scalar({.kind = JsonValue::Kind::Bool});
  }
  bool number_integer(number_integer_t value) override {
    return scalar({.kind = JsonValue::Kind::Integer, .integer = value});
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > INT64_MAX)
      return scalar({.kind = JsonValue::Kind::Float});
    return number_integer(static_cast<int64_t>(value));
  }
  bool number_float(number_float_t, const string_t &) override {
    return scalar({.kind = JsonValue::Kind::Float});
  }
  bool string(string_t &value) override {
    return scalar({.kind = JsonValue::Kind::String, .string = value});
  }
  bool binary(binary_t &) override { return false; }
  bool start_object(size_t) override {
    return open({.kind = JsonValue::Kind::Object});
  }
  bool start_array(size_t) override {
    return open({.kind = JsonValue::Kind::Array});
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t &name) override {
    size_t offset = tokenStart();
    JsonValue &object = *stack_.back();
    if (object.find(name))
      return fail(offset, strCat("there are two members \"", name, "\""));
    object.members.push_back({name, offset, {}});
    return true;
  }
  bool parse_error(size_t position, const std::string &,
                   const nlohmann::detail::exception &ex) override {
    std::string what = ex.what();
    // "[json.exception.parse_error.101] parse error at …: syntax error while
    // …": only the last part helps a person.
    size_t cut = what.find("syntax error");
    return fail(position == 0 ? 0 : position - 1, cut == std::string::npos
                                                      ? "this is not JSON"
                                                      : what.substr(cut));
  }

private:
  bool fail(size_t offset, std::string what) {
    if (error.empty()) {
      error = std::move(what);
      errorOffset = std::min(offset, text_.size());
    }
    return false;
  }
  /// The parser reports a token after it: it began after the last event.
  size_t tokenStart() {
    size_t at = lastEnd_;
    while (at < text_.size() && std::string_view(" \t\r\n,:").find(text_[at]) !=
                                    std::string_view::npos)
      ++at;
    lastEnd_ = consumed_;
    return at;
  }
  JsonValue *place(JsonValue value) {
    value.offset = tokenStart();
    if (stack_.empty())
      return &(root = std::move(value));
    JsonValue &parent = *stack_.back();
    if (parent.kind == JsonValue::Kind::Object)
      return &(parent.members.back().value = std::move(value));
    return &parent.elements.emplace_back(std::move(value));
  }
  bool scalar(JsonValue value) {
    place(std::move(value));
    return true;
  }
  bool open(JsonValue value) {
    if (stack_.size() >= maxDepth)
      return fail(lastEnd_, strCat("is nested more than ", maxDepth, " deep"));
    stack_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    stack_.pop_back();
    lastEnd_ = consumed_;
    return true;
  }

  std::string_view text_;
  const size_t &consumed_;
  size_t lastEnd_ = 0;
  std::vector<JsonValue *> stack_; // open lists and objects; stay in place
};

} // namespace

const JsonValue::Member *JsonValue::find(std::string_view name) const {
  for (const Member &member : members)
    if (member.name == name)
      return &member;
  return nullptr;
}

std::string JsonValue::describe() const {
  switch (kind) {
  case Kind::Null:
    return "null";
  case Kind::Bool:
    return "true or false";
  case Kind::Integer:
    return strCat("the number ", integer);
  case Kind::Float:
    return "a number that is not whole or too large";
  case Kind::String:
    return strCat("\"", string, "\"");
  case Kind::Array:
    return "a list";
  case Kind::Object:
    return "an object";
  }
  return "";
}

std::string jsonPosition(std::string_view text, size_t offset,
                         const std::string &name) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  size_t line = 1 + std::count(before.begin(), before.end(), '\n');
  size_t newline = before.rfind('\n');
  size_t column =
      before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  return strCat(name, ":", line, ":", column, ": ");
}

Result<JsonValue> parseJson(std::string_view text, const std::string &name) {
  if (text.size() > maxBytes)
    return Status::invalidArgument(strCat(name, ": has ", text.size(),
                                          " bytes, at most ", maxBytes,
                                          " are allowed"));
  size_t consumed = 0;
  Builder builder(text, consumed);
  CountingIterator begin(text.data(), &consumed);
  CountingIterator end(text.data() + text.size(), &consumed);
  if (!nlohmann::json::sax_parse(begin, end, &builder))
    return Status::invalidArgument(
        jsonPosition(text, builder.errorOffset, name) + builder.error);
  return std::move(builder.root);
}

} // namespace dtc

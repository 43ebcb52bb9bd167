#include "runtime/input/Table.h"

#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>

#include "runtime/input/Elements.h"
#include "runtime/input/Files.h"
#include "runtime/input/Npy.h"

namespace dtc {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() &&
         (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// What is wrong with the field, or nothing.
std::string parseField(std::string_view text, double &value) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    return strCat("'", text.substr(0, 40), "' is out of a double's range");
  if (error != std::errc() || end != text.data() + text.size())
    return strCat("'", text.substr(0, 40), "' is not a number");
  if (!std::isfinite(value))
    return strCat("'", text.substr(0, 40), "' is not a finite number");
  return "";
}

/// Adds the fields of one line to `values`; gives their number.
Result<int64_t> parseLine(std::string_view line, const std::string &where,
                          std::vector<double> &values) {
  for (int64_t field = 1;; ++field) {
    size_t comma = line.find(',');
    double value = 0;
    std::string wrong = parseField(trim(line.substr(0, comma)), value);
    if (!wrong.empty())
      return Status::invalidArgument(strCat(where, ":", field, ": ", wrong));
    values.push_back(value);
    if (comma == std::string_view::npos)
      return field;
    line.remove_prefix(comma + 1);
  }
}

bool endsWith(const std::string &text, std::string_view end) {
  return std::string_view(text).ends_with(end);
}

/// Why a table cannot hold the number exactly, or nothing.
std::string problemOf(double value, ElementType type) {
  if (!std::isfinite(value))
    return strCat("'", value, "' is not a finite number");
  if (type == ElementType::I64 && std::fabs(value) > 0x1p53)
    return "the integer is beyond 2^53, up to which data sets are exact";
  return "";
}

Result<Table> tableFromNpy(const std::string &name, const NpyArray &array) {
  if (array.shape.empty() || array.shape.size() > 2)
    return Status::invalidArgument(strCat(name, ": has ", array.shape.size(),
                                          " dimensions, 1 or 2 expected"));
  int64_t rows = array.shape[0];
  int64_t fields = array.shape.size() == 2 ? array.shape[1] : 1;
  if (fields == 0 && rows > 0)
    return Status::invalidArgument(
        strCat(name, ": its ", rows, " rows have no fields"));
  int64_t count = rows * fields; // readNpy has checked the product
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = loadElement(array.type, array.bytes.data(), i);
  Table table(name, rows, fields, std::move(values), false);
  for (int64_t i = 0; i < count; ++i)
    if (std::string wrong =
            problemOf(table.row(i / fields)[i % fields], array.type);
        !wrong.empty())
      return Status::invalidArgument(
          strCat(table.where(i / fields, i % fields), ": ", wrong));
  return table;
}

} // namespace

/// FNV-1a over whole values (Fowler, Noll and Vo): tells files apart that were
/// mixed up, and is no defence against whoever makes them alike.
static uint64_t digestOf(int64_t fields, std::span<const double> values) {
  constexpr uint64_t prime = 0x100000001b3;
  uint64_t digest = 0xcbf29ce484222325 ^ static_cast<uint64_t>(fields);
  for (double value : values) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    digest = (digest ^ bits) * prime;
    digest ^= digest >> 32; // high bits of a value count, too
  }
  return digest;
}

Table::Table(std::string name, int64_t rows, int64_t fields,
             std::vector<double> values, bool rowsAreLines)
    : name_(std::move(name)), rows_(rows), fields_(fields),
      values_(std::move(values)), rowsAreLines_(rowsAreLines) {
  assert(values_.size() == size_t(rows_ * fields_) && "rows are not equal");
  digest_ = digestOf(fields_, values_);
}

std::string Table::where(int64_t row, int64_t field) const {
  return rowsAreLines_ ? strCat(name_, ":", row + 1, ":", field + 1)
                       : strCat(name_, "[", row, ", ", field, "]");
}

Result<Table> parseCsv(std::string name, std::string_view text) {
  std::vector<double> values;
  int64_t rows = 0, fields = 0, emptyLine = 0;
  for (int64_t line = 1; !text.empty(); ++line) {
    size_t end = text.find('\n');
    std::string_view content = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (content.empty()) {
      if (emptyLine == 0)
        emptyLine = line;
      continue;
    }
    if (emptyLine != 0)
      return Status::invalidArgument(
          strCat(name, ":", emptyLine, ": the line is empty, a row expected"));
    std::string where = strCat(name, ":", line);
    DTC_ASSIGN_OR_RETURN(int64_t found, parseLine(content, where, values));
    if (rows == 0)
      fields = found;
    if (found != fields)
      return Status::invalidArgument(
          strCat(where, ": row has ", found, " fields, ", fields, " expected"));
    ++rows;
  }
  return Table(std::move(name), rows, fields, std::move(values), true);
}

Result<Table> readTable(const std::string &path) {
  std::string name = path;
  bool isNpy = endsWith(path, ".npy");
  if (!isNpy && !endsWith(path, ".csv") && !endsWith(path, ".csv.gz"))
    return Status::invalidArgument(
        strCat(name, ": a .csv, .csv.gz or .npy file is expected"));
  if (isNpy) {
    DTC_ASSIGN_OR_RETURN(NpyArray array, readNpy(path));
    return tableFromNpy(name, array);
  }
  DTC_ASSIGN_OR_RETURN(std::string text, readFile(path));
  return parseCsv(std::move(name), text);
}

} // namespace dtc

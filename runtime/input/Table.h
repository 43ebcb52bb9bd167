// Table: a data set in memory, rows of numbers; and the readers that make it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/Status.h"

namespace dtc {

/// Rows x fields of finite numbers, row-major. Immutable once made.
class Table {
public:
  /// `name` is what messages call it (a file's base name). With `rowsAreLines`
  /// row 0 is line 1 of a text file.
  Table(std::string name, int64_t rows, int64_t fields,
        std::vector<double> values, bool rowsAreLines);

  const std::string &name() const { return name_; }
  int64_t rows() const { return rows_; }
  int64_t fields() const { return fields_; }
  std::span<const double> row(int64_t row) const {
    return std::span(values_).subspan(row * fields_, fields_);
  }
  /// Equal for equal rows, whatever file they came from.
  uint64_t digest() const { return digest_; }
  /// Where a field stands: "digits.csv.gz:17:9" (line and field, from 1), or
  /// "x.npy[16, 8]" (from 0).
  std::string where(int64_t row, int64_t field) const;

private:
  std::string name_;
  int64_t rows_, fields_;
  std::vector<double> values_;
  bool rowsAreLines_;
  uint64_t digest_;
};

/// Reads a data set by its name's end: .csv, .csv.gz or .npy (1-D or 2-D).
/// NOT_FOUND, PERMISSION_DENIED or UNKNOWN when it cannot be read,
/// DATA_LOSS when it is damaged, INVALID_ARGUMENT, with line and field, when it
/// does not hold equally long rows of finite numbers.
Result<Table> readTable(const std::string &path);

/// The same for the text of a csv file: no header line, comma between fields,
/// blanks around them allowed, empty lines only at the end.
Result<Table> parseCsv(std::string name, std::string_view text);

} // namespace dtc

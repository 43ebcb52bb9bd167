#include "tools/dtc/Table.h"

#include <algorithm>
#include <cassert>
#include <cctype>

namespace dtc::tool {
namespace {

bool isNumber(const std::string &cell) {
  bool isSigned = cell.size() > 1 && (cell[0] == '+' || cell[0] == '-');
  return cell.size() > isSigned &&
         std::isdigit(static_cast<unsigned char>(cell[isSigned]));
}

} // namespace

std::string Table::toString() const {
  size_t columns = rows_[0].size();
  std::vector<size_t> widths(columns);
  std::vector<bool> numeric(columns, rows_.size() > 1);
  for (size_t r = 0; r < rows_.size(); ++r) {
    assert(rows_[r].size() == columns && "a row has a cell for each column");
    for (size_t c = 0; c < columns; ++c) {
      widths[c] = std::max(widths[c], rows_[r][c].size());
      if (r > 0 && !isNumber(rows_[r][c]))
        numeric[c] = false;
    }
  }
  std::string text;
  for (const std::vector<std::string> &row : rows_) {
    std::string line;
    for (size_t c = 0; c < columns; ++c) {
      std::string pad(widths[c] - row[c].size(), ' ');
      line += "  " + (numeric[c] ? pad + row[c] : row[c] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace dtc::tool

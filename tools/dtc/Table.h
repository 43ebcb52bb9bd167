// Table: aligned columns for people. Numbers go right, words go left.
#pragma once

#include <string>
#include <vector>

namespace dtc::tool {

class Table {
public:
  explicit Table(std::vector<std::string> header) {
    rows_.push_back(std::move(header));
  }
  /// A row has as many cells as the header.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Lines of two spaces, then the columns.
  std::string toString() const;

private:
  std::vector<std::vector<std::string>> rows_;
};

} // namespace dtc::tool

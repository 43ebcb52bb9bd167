#include "passes/dist/NameTable.h"

using namespace mlir;

namespace dtc::dist {

NameTable::NameTable(graph::FuncOp func) {
  SmallVector<Value> unnamed;
  auto note = [&](Value value) {
    std::string name = graph::nameOf(value);
    if (name.empty() || !taken_.insert(name).second)
      unnamed.push_back(value);
  };
  for (Value argument : func.getBody().getArguments())
    note(argument);
  for (Operation &op : func.getBody().front())
    for (Value result : op.getResults())
      note(result);
  // Once all names are known, so that the second of two equal ones yields.
  for (Value value : unnamed) {
    std::string base = graph::nameOf(value);
    if (base.empty())
      base = value.getDefiningOp()
                 ? value.getDefiningOp()->getName().stripDialect().str()
                 : "feed";
    graph::setName(value, take(base));
  }
}

std::string NameTable::take(llvm::StringRef base) {
  std::string name = base.str();
  for (int64_t number = 2; !taken_.insert(name).second; ++number)
    name = base.str() + "_" + std::to_string(number);
  return name;
}

} // namespace dtc::dist

#include "passes/dist/NameTable.h"

using namespace mlir;

namespace dtc::dist {

NameTable::NameTable(graph::FuncOp func) : context_(func.getContext()) {
  SmallVector<Value> unnamed;
  auto note = [&](Value value) {
    StringAttr name = graph::nameAttrOf(value);
    if (!name || name.empty() || !taken_.insert(name).second)
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
  auto isFree = [&] {
    return taken_.insert(StringAttr::get(context_, name)).second;
  };
  for (int64_t number = 2; !isFree(); ++number)
    name = base.str() + "_" + std::to_string(number);
  return name;
}

} // namespace dtc::dist

#include "dialects/graph/Names.h"

#include "dialects/graph/Ops.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace dtc::graph {

// The names of a chain, outermost first.
static SmallVector<StringAttr> namesOf(Location location) {
  SmallVector<StringAttr> names;
  LocationAttr rest = location;
  while (auto name = dyn_cast<NameLoc>(rest)) {
    names.push_back(name.getName());
    rest = name.getChildLoc();
  }
  return names;
}

static Location chain(ArrayRef<StringAttr> names, Location place) {
  for (StringAttr name : llvm::reverse(names))
    place = NameLoc::get(name, place);
  return place;
}

Location withoutNames(Location location) {
  LocationAttr rest = location;
  while (auto name = dyn_cast<NameLoc>(rest))
    rest = name.getChildLoc();
  return rest;
}

Location namedLocation(StringRef name, Location location) {
  return NameLoc::get(StringAttr::get(location.getContext(), name),
                      withoutNames(location));
}

// The name `number` of a chain; null beyond its end.
static StringAttr nameIn(LocationAttr chain, unsigned number) {
  for (auto name = dyn_cast<NameLoc>(chain); name;
       name = dyn_cast<NameLoc>(LocationAttr(name.getChildLoc())))
    if (number-- == 0)
      return name.getName();
  return {};
}

StringAttr nameAttrOf(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return nameIn(result.getOwner()->getLoc(), result.getResultNumber());
  return nameIn(value.getLoc(), 0);
}

static std::string textOf(StringAttr name) { return name ? name.str() : ""; }

std::string nameOf(Value value) { return textOf(nameAttrOf(value)); }

std::string nameOf(Operation *op) {
  if (auto assign = dyn_cast<AssignOp>(op))
    return (assign.getVariable() + ".assign").str();
  if (auto output = dyn_cast<OutputOp>(op))
    return output.getOutputName().str();
  return textOf(nameIn(op->getLoc(), 0));
}

static void setName(Value value, StringAttr text) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    argument.setLoc(NameLoc::get(text, withoutNames(argument.getLoc())));
    return;
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  SmallVector<StringAttr> names = namesOf(op->getLoc());
  names.resize(op->getNumResults(), StringAttr::get(value.getContext(), ""));
  names[result.getResultNumber()] = text;
  op->setLoc(chain(names, withoutNames(op->getLoc())));
}

void setName(Value value, StringRef name) {
  setName(value, StringAttr::get(value.getContext(), name));
}

void setName(Operation *op, StringRef name) { setName(op->getResult(0), name); }

// The values defined within `scope`, in the order of the text.
static SmallVector<Value> valuesWithin(Operation *scope) {
  SmallVector<Value> values;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::append_range(values, op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getArguments());
  });
  return values;
}

// What to call a value that nobody named.
static std::string defaultBase(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? op->getName().stripDialect().str() : "argument";
}

void assignNames(Operation *scope, bool renameTaken) {
  SmallVector<Value> unnamed;
  llvm::DenseSet<StringAttr> taken; // looked up only
  for (Value value : valuesWithin(scope)) {
    StringAttr name = nameAttrOf(value);
    bool hasName = name && !name.empty();
    if (!hasName || (!taken.insert(name).second && renameTaken))
      unnamed.push_back(value);
  }
  llvm::StringMap<unsigned> next;
  for (Value value : unnamed) {
    std::string base = nameOf(value);
    if (base.empty())
      base = defaultBase(value);
    unsigned &number = next[base];
    StringAttr name;
    do
      name = StringAttr::get(value.getContext(),
                             base + "_" + llvm::Twine(number++));
    while (!taken.insert(name).second);
    setName(value, name);
  }
}

std::string fileLocation(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (llvm::sys::path::filename(place.getFilename().getValue()) + ":" +
          Twine(place.getLine()) + ":" + Twine(place.getColumn()))
      .str();
}

void printResultNames(Operation *op, OpAsmSetValueNameFn setName) {
  for (OpResult result : op->getResults())
    if (StringAttr name = nameAttrOf(result); name && !name.empty())
      setName(result, name);
}

void printArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (StringAttr name = nameAttrOf(argument); name && !name.empty())
      setName(argument, name);
}

} // namespace dtc::graph

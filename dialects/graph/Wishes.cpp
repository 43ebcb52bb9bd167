#include "dialects/graph/Wishes.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Ops.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace dtc::graph {
namespace {

// "loc:@w1", as TensorFlow spells it, is w1.
StringRef nameIn(Attribute entry) {
  auto text = dyn_cast<StringAttr>(entry);
  StringRef name = text ? text.getValue() : "";
  name.consume_front("loc:@");
  return name;
}

// The name in `names` that is most like `name`, or "".
StringRef mostLike(StringRef name,
                   const llvm::MapVector<StringRef, int> &names) {
  StringRef best;
  unsigned bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const auto &[candidate, unused] : names) {
    unsigned distance = name.edit_distance_insensitive(candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

// What the ops of one function, or the variables, can be with.
class Partners {
public:
  void add(StringRef name) { names_.insert({name, 0}); }
  void add(Value value) {
    std::string name = nameOf(value);
    if (!name.empty())
      add(StringAttr::get(value.getContext(), name).getValue());
  }

  LogicalResult check(Operation *op, StringRef kind) const {
    for (StringRef name : colocationNames(op)) {
      if (names_.contains(name))
        continue;
      InFlightDiagnostic diagnostic =
          coded(op->emitError(), Code::BadColocation)
          << "'" << colocateWishName << "' names '" << name
          << "', but there is no such " << kind;
      if (StringRef guess = mostLike(name, names_); !guess.empty())
        diagnostic << "; did you mean '" << guess << "'?";
      return diagnostic;
    }
    return success();
  }

private:
  llvm::MapVector<StringRef, int> names_; // in the file's order, for guesses
};

} // namespace

SmallVector<StringRef> colocationNames(Operation *op) {
  SmallVector<StringRef> names;
  if (auto list =
          dyn_cast_or_null<ArrayAttr>(op->getDiscardableAttr(colocateWishName)))
    for (Attribute entry : list)
      if (StringRef name = nameIn(entry); !name.empty())
        names.push_back(name);
  return names;
}

void keepWishes(Operation *from, Operation *made) {
  for (StringRef name : {deviceWishName, colocateWishName})
    if (Attribute wish = from->getDiscardableAttr(name))
      made->setDiscardableAttr(name, wish);
}

void keepWishes(Operation *from, Operation *before, Operation *last) {
  if (from->getDiscardableAttr(deviceWishName) ||
      from->getDiscardableAttr(colocateWishName))
    for (Operation *made = last; made != before; made = made->getPrevNode())
      keepWishes(from, made);
}

LogicalResult checkColocate(Operation *op) {
  Attribute wish = op->getDiscardableAttr(colocateWishName);
  if (!wish)
    return success();
  auto list = dyn_cast<ArrayAttr>(wish);
  if (!list || list.empty() ||
      llvm::any_of(list, [](Attribute entry) { return nameIn(entry).empty(); }))
    return coded(op->emitError("attribute '"), Code::BadColocation)
           << colocateWishName << "' is a list of names, as in [\"w1\"], not "
           << wish;
  if (isa<OutputOp>(op))
    return coded(op->emitError("an output is on the chief"),
                 Code::BadColocation)
           << "; leave '" << colocateWishName << "' out";
  return success();
}

LogicalResult checkColocations(ModuleOp module) {
  bool isRight = true;
  Partners variables;
  for (auto variable : module.getOps<VariableOp>())
    variables.add(variable.getSymName());
  for (auto variable : module.getOps<VariableOp>())
    isRight &= succeeded(variables.check(variable, "variable"));
  for (auto func : module.getOps<FuncOp>()) {
    Partners all;
    bool isAsked = false;
    for (Operation &op : func.getBody().front()) {
      isAsked |= op.hasAttr(colocateWishName);
      for (Value result : op.getResults())
        all.add(result);
    }
    if (!isAsked)
      continue;
    for (auto variable : module.getOps<VariableOp>())
      all.add(variable.getSymName());
    for (Operation &op : func.getBody().front())
      isRight &= succeeded(
          all.check(&op, "variable, and no such value in this function"));
  }
  return success(isRight);
}

} // namespace dtc::graph

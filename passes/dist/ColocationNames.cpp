#include "passes/dist/ColocationNames.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
namespace {

void write(Operation *op, ArrayRef<std::string> names) {
  SmallVector<StringRef> refs(names.begin(), names.end());
  op->setAttr(graph::colocateWishName,
              Builder(op->getContext()).getStrArrayAttr(refs));
}

SmallVector<std::string> namesOf(Operation *op) {
  return llvm::map_to_vector(graph::colocationNames(op),
                             [](StringRef name) { return name.str(); });
}

/// The names of one entry.
class Resolver {
public:
  Resolver(graph::FuncOp func, const Variables &variables)
      : body_(func.getBody().front()), variables_(variables) {}

  void run() {
    bool isAsked = llvm::any_of(body_, [](Operation &op) {
      return op.hasAttr(graph::colocateWishName);
    });
    if (!isAsked)
      return;
    for (Operation &op : body_)
      for (Value result : op.getResults())
        named_[graph::nameOf(result)] = &op;
    SmallVector<Operation *> asking;
    for (Operation &op : body_)
      if (op.hasAttr(graph::colocateWishName))
        asking.push_back(&op);
    for (Operation *op : asking)
      resolve(op);
  }

private:
  void resolve(Operation *op) {
    SmallVector<std::string> names = namesOf(op);
    for (std::string &name : names) {
      if (Operation *target = named_.lookup(name))
        label(target, name);
      else if (variables_.find(name))
        name.insert(name.begin(), '@');
    }
    // The op itself may be a target that was labelled.
    SmallVector<std::string> own = namesOf(op);
    for (const std::string &name : own)
      if (!llvm::is_contained(names, name) && named_.lookup(name) == op)
        names.push_back(name);
    write(op, names);
  }

  void label(Operation *target, const std::string &name) {
    SmallVector<std::string> names = namesOf(target);
    if (llvm::is_contained(names, name))
      return;
    names.push_back(name);
    write(target, names);
  }

  Block &body_;
  const Variables &variables_;
  llvm::StringMap<Operation *> named_;
};

} // namespace

void resolveColocations(ModuleOp module, const Variables &variables) {
  for (auto variable : module.getOps<graph::VariableOp>()) {
    SmallVector<std::string> names = namesOf(variable);
    for (std::string &name : names)
      if (variables.find(name))
        name.insert(name.begin(), '@');
    if (!names.empty())
      write(variable, names);
  }
  for (auto func : module.getOps<graph::FuncOp>())
    Resolver(func, variables).run();
}

SmallVector<graph::VariableOp> colocatedVariables(Operation *op,
                                                  const Variables &variables) {
  SmallVector<graph::VariableOp> found;
  for (StringRef name : graph::colocationNames(op))
    if (name.consume_front("@"))
      if (graph::VariableOp variable = variables.find(name))
        found.push_back(variable);
  return found;
}

SmallVector<StringRef> colocationLabels(Operation *op) {
  SmallVector<StringRef> labels = graph::colocationNames(op);
  llvm::erase_if(labels, [](StringRef name) { return name.starts_with("@"); });
  return labels;
}

void colocate(Operation *op, graph::VariableOp variable) {
  SmallVector<std::string> names = namesOf(op);
  std::string name = "@" + variable.getSymName().str();
  if (llvm::is_contained(names, name))
    return;
  names.push_back(name);
  write(op, names);
}

StringRef firstPartner(Operation *op) {
  for (StringRef name : graph::colocationNames(op)) {
    bool isOwn = llvm::any_of(op->getResults(), [&](Value result) {
      return graph::nameOf(result) == name;
    });
    name.consume_front("@");
    if (!isOwn)
      return name;
  }
  return "";
}

} // namespace dtc::dist

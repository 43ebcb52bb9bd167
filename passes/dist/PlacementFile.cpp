#include "passes/dist/PlacementFile.h"

#include "dialects/diagnostics/Coded.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

/// Reads one text for one module.
class PlacementFileReader {
public:
  PlacementFileReader(ModuleOp module, StringRef name,
                      const Variables &variables,
                      const ColocationGroups &groups, const Entries &entries)
      : module_(module), cluster_(clusterOf(module)), mode_(modeOf(module)),
        name_(StringAttr::get(module.getContext(), name)), groups_(groups),
        entries_(entries), own_(variables, groups) {}

  FailureOr<PlacementFile> read(StringRef text) {
    auto parsed = parsePlacementText(std::string_view(text));
    if (auto *error = std::get_if<PlacementTextError>(&parsed)) {
      InFlightDiagnostic diagnostic = complain({"", error->line, error->column})
                                      << error->message;
      if (!error->help.empty())
        diagnostic.attachNote() << "help: " << error->help;
      return failure();
    }
    for (const auto &section : std::get<PlacementText>(parsed).sections)
      readSection(section);
    if (!isRight_)
      return failure();
    return std::move(file_);
  }

private:
  using Word = PlacementText::Word;

  /// Where ops that one section's lines may name are found.
  struct Scope {
    llvm::StringMap<Operation *> ops;
    SmallVector<StringRef> order; // for guesses
    bool isReplicated = false;
    std::string what; // "variable", "op of entry 'train'"
  };

  Location locationOf(const Word &word) const {
    return FileLineColLoc::get(name_, word.line, word.column);
  }

  InFlightDiagnostic complain(const Word &word) {
    isRight_ = false;
    return coded(emitError(locationOf(word)), Code::BadPlaceFile);
  }

  void readSection(const PlacementText::Section &section) {
    Scope scope;
    if (!section.isEntry) {
      scope = scopeOfVariables();
    } else if (graph::FuncOp func = findEntry(section.name)) {
      scope = scopeOf(func);
    } else {
      return;
    }
    for (const PlacementText::Line &line : section.lines)
      readLine(line, scope);
  }

  graph::FuncOp findEntry(const Word &name);
  Scope scopeOfVariables();
  Scope scopeOf(graph::FuncOp func);
  void readLine(const PlacementText::Line &line, const Scope &scope);
  DeviceAttr readDevice(const Word &word);
  bool checkDevice(const PlacementText::Line &line, Operation *op,
                   DeviceAttr device, const Scope &scope);
  void give(const PlacementText::Line &line, Operation *op, DeviceAttr device);

  ModuleOp module_;
  ClusterAttr cluster_;
  Mode mode_;
  StringAttr name_;
  const ColocationGroups &groups_;
  const Entries &entries_;
  OwnDevices own_;
  PlacementFile file_;
  bool isRight_ = true;
};

/// The candidate that is most like `name`, or "".
static StringRef mostLike(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best;
  unsigned bestDistance = std::max<size_t>(1, (name.size() + 1) / 3) + 1;
  for (StringRef candidate : candidates) {
    unsigned distance =
        name.edit_distance_insensitive(candidate, true, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

static void attachGuess(InFlightDiagnostic &diagnostic, StringRef name,
                        ArrayRef<StringRef> candidates) {
  if (StringRef guess = mostLike(name, candidates); !guess.empty())
    diagnostic.attachNote() << "help: did you mean '" << guess << "'?";
}

graph::FuncOp PlacementFileReader::findEntry(const Word &name) {
  SmallVector<StringRef> names;
  for (const auto &entry : entries_) {
    graph::FuncOp func = entry.first;
    if (func.getSymName() == name.text)
      return func;
    names.push_back(func.getSymName());
  }
  InFlightDiagnostic diagnostic = complain(name)
                                  << "there is no entry '" << name.text << "'";
  attachGuess(diagnostic, name.text, names);
  return {};
}

PlacementFileReader::Scope PlacementFileReader::scopeOfVariables() {
  Scope scope;
  scope.what = "variable";
  for (auto variable : module_.getOps<graph::VariableOp>()) {
    scope.ops[variable.getSymName()] = variable;
    scope.order.push_back(variable.getSymName());
  }
  return scope;
}

PlacementFileReader::Scope PlacementFileReader::scopeOf(graph::FuncOp func) {
  Scope scope;
  scope.what = "op in entry '" + func.getSymName().str() + "'";
  scope.isReplicated = isReplicated(func);
  for (Operation &op : func.getBody().front())
    if (op.getNumResults() > 0) {
      auto [place, isNew] = scope.ops.try_emplace(graph::nameOf(&op), &op);
      scope.order.push_back(place->getKey());
    }
  return scope;
}

void PlacementFileReader::readLine(const PlacementText::Line &line,
                                   const Scope &scope) {
  Operation *op = scope.ops.lookup(line.name.text);
  if (!op) {
    InFlightDiagnostic diagnostic =
        complain(line.name) << "there is no " << scope.what
                            << " with the name '" << line.name.text << "'";
    return attachGuess(diagnostic, line.name.text, scope.order);
  }
  if (std::string why = own_.whyFollows(op); !why.empty()) {
    complain(line.name) << "'" << line.name.text << "' " << why
                        << ", so it has no line of its own";
    return;
  }
  DeviceAttr device = readDevice(line.device);
  if (device && checkDevice(line, op, device, scope))
    give(line, op, device);
}

DeviceAttr PlacementFileReader::readDevice(const Word &word) {
  auto parsed = parsePlacedTask(word.text);
  if (auto *wrong = std::get_if<std::string>(&parsed)) {
    complain(word) << *wrong;
    return {};
  }
  const PlacedTask &task = std::get<PlacedTask>(parsed);
  DeviceAttr device = cluster_.cpu(task.job, task.task);
  if (cluster_.contains(device))
    return device;
  InFlightDiagnostic diagnostic = complain(word) << device.toString()
                                                 << " is not in the cluster";
  diagnostic.attachNote() << "the cluster has " << cluster_.describeTasks();
  if (int64_t tasks = cluster_.numTasks(task.job))
    diagnostic.attachNote() << "help: the last task of job " << task.job
                            << " is " << task.job << ":" << tasks - 1;
  return {};
}

/// Whether the op can run there.
bool PlacementFileReader::checkDevice(const PlacementText::Line &line,
                                      Operation *op, DeviceAttr device,
                                      const Scope &scope) {
  bool isPerReplica =
      scope.isReplicated && activationOf(op) != Activation::Apply;
  bool isWorkers = ClusterAttr::runsReplicas(device.getJob());
  auto refuse = [&](const Twine &why, const Twine &help) {
    InFlightDiagnostic diagnostic = complain(line.device)
                                    << describe(op) << " cannot be on "
                                    << device.toString() << ": " << why;
    diagnostic.attachNote() << "help: " << help;
    return false;
  };
  std::string workers = cluster_.cpu(cluster_.replicaJob(), -1).toString();
  if (!isPerReplica) {
    if (device.isTemplate())
      return refuse(
          isa<graph::VariableOp>(op) ? "a variable lives on one task"
                                     : "it runs once a step, on one task",
          "name a task, as in " + cluster_.cpu(device.getJob(), 0).toString());
    if (mode_ == Mode::BetweenGraph && isWorkers &&
        !isa<graph::VariableOp>(op) && device != cluster_.chief())
      return refuse("between-graph what no replica runs is on the chief or on "
                    "a task that runs no replicas",
                    "write " + cluster_.chief().toString());
    return true;
  }
  if (device.isTemplate() && device.getJob() == cluster_.replicaJob())
    return true;
  if (isa<graph::InputOp, graph::ReplicaIndexOp>(op))
    return refuse("between-graph each worker reads its own rows",
                  "write " + workers);
  if (isWorkers)
    return refuse("between-graph each worker runs it", "write " + workers);
  if (device.isTemplate())
    return refuse("only workers run an op each",
                  "name a task, as in " +
                      cluster_.cpu(device.getJob(), 0).toString());
  return true;
}

void PlacementFileReader::give(const PlacementText::Line &line, Operation *op,
                               DeviceAttr device) {
  PlacementFile::Given &given = file_.given_[own_.speakerOf(op)];
  if (!given.device) {
    given = {device, line.name.line, line.name.column, op};
    return;
  }
  Location before = FileLineColLoc::get(name_, given.line, given.column);
  if (given.op == op) {
    complain(line.name) << "'" << line.name.text << "' has a line already"
                        << ", line " << given.line;
    return;
  }
  if (given.device == device)
    return;
  InFlightDiagnostic diagnostic =
      complain(line.name) << describe(op) << " and " << describe(given.op)
                          << " must be on one device, not on "
                          << device.toString() << " and "
                          << given.device.toString();
  diagnostic.attachNote(before) << describe(given.op) << " is placed here";
  groups_.explainChain(diagnostic, given.op, op);
  diagnostic.attachNote() << "help: leave this line out: " << describe(op)
                          << " follows " << describe(given.op);
}

FailureOr<PlacementFile> PlacementFile::read(ModuleOp module, StringRef text,
                                             StringRef name,
                                             const Variables &variables,
                                             const ColocationGroups &groups,
                                             const Entries &entries) {
  return PlacementFileReader(module, name, variables, groups, entries)
      .read(text);
}

std::string PlacementFile::reasonOf(const OwnDevices &own,
                                    Operation *op) const {
  const Given &given = given_.lookup(own.speakerOf(op));
  std::string line =
      "line " + std::to_string(given.line) + " of the placement file";
  return given.op == op ? line + " says so"
                        : "with " + describe(given.op) + ": " + line;
}

LogicalResult PlacementFile::checkComplete(ModuleOp module,
                                           const OwnDevices &own,
                                           const Entries &entries) const {
  Operation *first = nullptr;
  int64_t missing = 0;
  auto note = [&](Operation *op, const UpdateRegion *region) {
    bool isUpdate = region && (region->isUpdate(op) ||
                               activationOf(op) == Activation::Apply);
    if (isUpdate || !own.whyFollows(op).empty() || deviceOf(own, op))
      return;
    first = first ? first : op;
    ++missing;
  };
  for (auto variable : module.getOps<graph::VariableOp>())
    note(variable, nullptr);
  for (const auto &[func, region] : entries)
    for (Operation &op : graph::FuncOp(func).getBody().front())
      note(&op, &region);
  if (!first)
    return success();
  InFlightDiagnostic diagnostic =
      coded(first->emitError("the placement file has no line for "),
            Code::BadPlaceFile)
      << describe(first);
  if (missing > 1)
    diagnostic << " and " << missing - 1 << " more";
  diagnostic << ", and placement is manual";
  diagnostic.attachNote() << "help: without --placement manual the compiler "
                             "places what the file leaves out";
  return diagnostic;
}

} // namespace dtc::dist

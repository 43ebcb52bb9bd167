// PlacementFile: what a placement text (PlacementText.h) means for a module,
// and the text of a module that was placed.
#pragma once

#include "passes/dist/ColocationGroups.h"
#include "passes/dist/PlacementText.h"
#include "llvm/ADT/MapVector.h"

namespace dtc::dist {

/// The entries of a module, and what updates variables in each.
using Entries = llvm::MapVector<graph::FuncOp, UpdateRegion>;

/// Who has a device of its own, and so a line in a placement text. What follows
/// something else has none: it moves along.
class OwnDevices {
public:
  /// All must outlive this.
  OwnDevices(const Variables &variables, const ColocationGroups &groups)
      : variables_(variables), groups_(groups) {}

  /// Why an op or a variable follows, as a sentence's end: "is with variable
  /// 'w'"; "" if its device is its own.
  std::string whyFollows(mlir::Operation *op) const;
  /// Of a group that is placed together one speaks for all: the same for each.
  mlir::Operation *speakerOf(mlir::Operation *op) const {
    return groups_.contains(op) ? groups_.firstOf(op) : op;
  }

private:
  const Variables &variables_;
  const ColocationGroups &groups_;
};

/// The devices that a placement file gives.
class PlacementFile {
public:
  /// Gives none.
  PlacementFile() = default;
  /// Reads `text`, called `name` in diagnostics, before dist-place: towers and
  /// what runs once a step are there. Reports all mistakes, each by its place
  /// in the text: names that nothing has (with a guess) or that follow
  /// something else, devices that the cluster does not have or that cannot run
  /// the op, two devices for what must be together (P5).
  static mlir::FailureOr<PlacementFile>
  read(mlir::ModuleOp module, llvm::StringRef text, llvm::StringRef name,
       const Variables &variables, const ColocationGroups &groups,
       const Entries &entries);
  /// Fails, with a diagnostic, if something with a device of its own has none
  /// in the file.
  mlir::LogicalResult checkComplete(mlir::ModuleOp module,
                                    const OwnDevices &own,
                                    const Entries &entries) const;

  /// The device that it gives to `op`, or to what must be with `op`; or null.
  DeviceAttr deviceOf(const OwnDevices &own, mlir::Operation *op) const {
    return given_.lookup(own.speakerOf(op)).device;
  }
  /// Why `op` is there. It has a device here.
  std::string reasonOf(const OwnDevices &own, mlir::Operation *op) const;

  /// A line of the text.
  struct Given {
    DeviceAttr device;
    unsigned line = 0, column = 0;
    mlir::Operation *op = nullptr;
  };

private:
  friend class PlacementFileReader;
  llvm::DenseMap<mlir::Operation *, Given> given_; // by speaker; looked up only
};

/// The text of a module of phase `place`: compiled with it, the same graph with
/// the same cluster and mode is placed as `module` is.
std::string printPlacement(mlir::ModuleOp module);

} // namespace dtc::dist

// PlaceVariables: which task of its job holds each variable.
#pragma once

#include "passes/dist/ColocationGroups.h"
#include "passes/dist/PlacementFile.h"
#include "passes/dist/PlacementProblem.h"

namespace dtc::dist {

/// What dist-place knows before it decides. The groups are merged.
struct PlacementInputs {
  const Variables &variables;
  const ColocationGroups &groups;
  const OwnDevices &own;
  const PlacementFile &file;
};

/// Gives every variable of `module` its device: a group of variables that must
/// be together is one item of a PlacementProblem, its slots among them (P9). A
/// reason says what decided.
void placeVariables(mlir::ModuleOp module, const PlacementInputs &inputs,
                    PlacementPolicy policy);

/// Writes where an op or a variable (which has no activation: null) is, and
/// takes away what only the decision needed.
void writeDevice(mlir::Operation *op, DeviceAttr device,
                 ActivationAttr activation);

} // namespace dtc::dist

// The pieces of text that several attributes, types and ops of dist share.
#pragma once

#include "dialects/dist/Dist.h"

namespace dtc::dist {

/// `worker:*/cpu:0`
mlir::ParseResult parseBareDevice(mlir::AsmParser &parser, DeviceAttr &device);
void printBareDevice(mlir::AsmPrinter &printer, DeviceAttr device);

/// `<worker:*/cpu:0>`
mlir::ParseResult parseDeviceInAngles(mlir::AsmParser &parser,
                                      DeviceAttr &device);
void printDeviceInAngles(mlir::AsmPrinter &printer, DeviceAttr device);
inline void printDeviceInAngles(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                DeviceAttr device) {
  printDeviceInAngles(printer, device);
}

/// `step`, `serve` or `apply`
mlir::ParseResult parseBareActivation(mlir::AsmParser &parser,
                                      ActivationAttr &activation);
inline void printBareActivation(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                ActivationAttr activation) {
  printer << stringifyActivation(activation.getValue());
}

/// `sync` or `async`
mlir::ParseResult parseBareUpdate(mlir::AsmParser &parser, UpdateAttr &update);
inline void printBareUpdate(mlir::OpAsmPrinter &printer, mlir::Operation *,
                            UpdateAttr update) {
  printer << stringifyUpdate(update.getValue());
}

/// `!dist.placed<…>` with its prefix, which MLIR would drop.
inline mlir::ParseResult parseFullType(mlir::OpAsmParser &parser,
                                       mlir::Type &type) {
  return parser.parseType(type);
}
inline void printFullType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                          mlir::Type type) {
  printer << type;
}

} // namespace dtc::dist

// The dist dialect's C++ classes.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/dist/Dialect.h.inc"
#include "dialects/dist/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/dist/Attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/dist/Types.h.inc"

#define GET_OP_CLASSES
#include "dialects/dist/Ops.h.inc"

namespace dtc::dist {

// Names of the attributes that other dialects' ops carry.
inline constexpr llvm::StringLiteral clusterAttrName = "dist.cluster";
inline constexpr llvm::StringLiteral modeAttrName = "dist.mode";
inline constexpr llvm::StringLiteral updateAttrName = "dist.update";
inline constexpr llvm::StringLiteral wireTypeAttrName = "dist.wire_type";
inline constexpr llvm::StringLiteral replicasAttrName = "dist.replicas";
inline constexpr llvm::StringLiteral deviceAttrName = "dist.device";
inline constexpr llvm::StringLiteral activationAttrName = "dist.activation";
inline constexpr llvm::StringLiteral reasonAttrName = "dist.reason";
inline constexpr llvm::StringLiteral shardAttrName = "dist.shard";

/// The SSA name of value `name` on `device`: "ps0.w1", "worker.loss". The
/// device is part of it because a partition's body already uses the bare name,
/// and MLIR would tell the two apart by a number.
std::string placedName(DeviceAttr device, llvm::StringRef name);

} // namespace dtc::dist

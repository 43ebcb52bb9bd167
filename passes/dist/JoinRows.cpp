#include "passes/dist/JoinRows.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace dtc::dist {

RankedTensorType joinedType(RankedTensorType rows, int64_t replicas) {
  SmallVector<int64_t> shape(rows.getShape());
  shape.front() *= replicas;
  return rows.clone(shape);
}

Value divideJoined(OpBuilder &builder, Value joined, int64_t replicas,
                   StringRef name, NameTable &names,
                   function_ref<void(Operation *)> decide) {
  auto type = cast<RankedTensorType>(joined.getType());
  Type element = type.getElementType();
  if (replicas == 1 || !isa<FloatType>(element))
    return joined;
  Location loc = graph::withoutNames(joined.getLoc());
  auto built = [&](Operation *op, StringRef suffix) {
    graph::setName(op, names.take((name + suffix).str()));
    decide(op);
    return op->getResult(0);
  };
  auto cast = [&](Value value, Type to, StringRef suffix) {
    return built(graph::CastOp::create(builder, loc, type.clone(to), value),
                 suffix);
  };
  // As the mean does it: 16 bits may not even hold the number of replicas.
  Type compute = element.isF64() ? element : builder.getF32Type();
  Value rows = compute == element ? joined : cast(joined, compute, ".all.wide");
  Value number = built(
      graph::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(RankedTensorType::get({}, compute),
                                 builder.getFloatAttr(compute, replicas))),
      ".replicas");
  Value mean = built(graph::DivOp::create(builder, loc, rows, number),
                     compute == element ? ".mean" : ".mean.wide");
  return compute == element ? mean : cast(mean, element, ".mean");
}

LogicalResult retypeUsers(graph::FuncOp func, ArrayRef<Value> joined) {
  DenseSet<Value> changed(joined.begin(), joined.end());
  for (Operation &op : func.getBody().front()) {
    auto rule = dyn_cast<InferTypeOpInterface>(op);
    if (!rule || llvm::none_of(op.getOperands(), [&](Value operand) {
          return changed.contains(operand);
        }))
      continue;
    SmallVector<Type> types;
    if (failed(rule.inferReturnTypes(
            op.getContext(), op.getLoc(), op.getOperands(),
            op.getDiscardableAttrDictionary(), op.getPropertiesStorage(),
            op.getRegions(), types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
      if (result.getType() != type) {
        result.setType(type);
        changed.insert(result);
      }
  }
  return success();
}

} // namespace dtc::dist

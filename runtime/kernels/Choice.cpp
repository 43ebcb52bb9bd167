// select and where: x where the condition holds, else y. Bits are copied.

#include "runtime/kernels/Elementwise.h"

using namespace dtc;

static Status checkShapes(const KernelCall &call) {
  const TensorRef &condition = call.operands[0], &x = call.operands[1],
                  &y = call.operands[2];
  if (call.op == "graph.select") {
    DTC_RETURN_IF_ERROR(call.expectShape(x, condition.shape));
    DTC_RETURN_IF_ERROR(call.expectShape(y, condition.shape));
    return call.expectShape(call.results[0], condition.shape);
  }
  std::optional<Shape> shape = commonShape(x.shape, y.shape);
  if (shape)
    shape = commonShape(*shape, condition.shape);
  if (!shape)
    return call.error("shapes do not broadcast, " + typeName(condition) + ", " +
                      typeName(x) + " and " + typeName(y));
  return call.expectShape(call.results[0], *shape);
}

Status dtc::runChoice(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(3, 1));
  const TensorRef &condition = call.operands[0], &x = call.operands[1],
                  &y = call.operands[2], &result = call.results[0];
  DTC_RETURN_IF_ERROR(call.expectElement(condition, ElementType::I1));
  DTC_RETURN_IF_ERROR(call.expectElement(y, x.element));
  DTC_RETURN_IF_ERROR(call.expectElement(result, x.element));
  DTC_RETURN_IF_ERROR(checkShapes(call));
  BroadcastIndex ofCondition(condition.shape, result.shape),
      ofX(x.shape, result.shape), ofY(y.shape, result.shape);
  return visitElement(x.element, [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0, n = elementCount(result.shape); i < n; ++i)
      elements<T>(result)[i] =
          load(elements<Boolean>(condition), ofCondition(i))
              ? elements<T>(x)[ofX(i)]
              : elements<T>(y)[ofY(i)];
    return Status::ok();
  });
}

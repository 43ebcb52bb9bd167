// Operations that move elements without looking at them.

#include "runtime/kernels/Broadcast.h"

#include <cstring>

using namespace dtc;

Status dtc::runConstant(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(0, 1));
  auto it = call.attributes.find("value");
  const auto *data = it == call.attributes.end()
                         ? nullptr
                         : std::get_if<std::vector<std::byte>>(&it->second);
  if (!data)
    return call.error("needs the attribute 'value', its elements' bytes");
  const TensorRef &result = call.results[0];
  size_t size = sizeBytes(result.element);
  size_t bytes = size_t(elementCount(result.shape)) * size;
  // One element stands for all of them (a splat).
  if (data->size() != bytes && data->size() != size)
    return call.error(strCat("data has ", data->size(), " bytes, ",
                             typeName(result), " has ", bytes));
  for (size_t offset = 0; offset < bytes; offset += data->size())
    std::memcpy(result.data + offset, data->data(), data->size());
  return Status::ok();
}

Status dtc::runReshape(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  const TensorRef &from = call.operands[0], &to = call.results[0];
  if (elementCount(from.shape) != elementCount(to.shape))
    return call.error("element counts differ, " + typeName(from) + " and " +
                      typeName(to));
  if (size_t bytes = elementCount(to.shape) * sizeBytes(to.element))
    std::memcpy(to.data, from.data, bytes);
  return Status::ok();
}

Status dtc::runBroadcastTo(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  const TensorRef &from = call.operands[0], &to = call.results[0];
  if (!broadcasts(from.shape, to.shape))
    return call.error(typeName(from) + " does not broadcast to " +
                      typeName(to));
  BroadcastIndex index(from.shape, to.shape);
  size_t size = sizeBytes(to.element);
  for (int64_t i = 0, n = elementCount(to.shape); i < n; ++i)
    std::memcpy(to.data + i * size, from.data + index(i) * size, size);
  return Status::ok();
}

// Operations on rows that indices name. An index outside reads zeros, and
// writes nothing.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/KernelCall.h"

#include <cstring>
#include <map>

using namespace dtc;

namespace {
/// The indices as i64.
Result<std::vector<int64_t>> readIndices(const KernelCall &call,
                                         const TensorRef &tensor) {
  std::vector<int64_t> indices(elementCount(tensor.shape));
  Status status =
      visitElement(tensor.element, [&]<typename T>(std::type_identity<T>) {
        if constexpr (!std::is_integral_v<T>)
          return call.error("indices are integers, not " + typeName(tensor));
        else
          for (size_t i = 0; i < indices.size(); ++i)
            indices[i] = int64_t(load(elements<T>(tensor), int64_t(i)));
        return Status::ok();
      });
  DTC_RETURN_IF_ERROR(status);
  return indices;
}

/// A table's rows, and the rows that go with the indices.
struct Rows {
  int64_t count;  // of the table
  int64_t length; // elements a row
  std::vector<int64_t> indices;
};

Result<Rows> checkRows(const KernelCall &call, const TensorRef &table,
                       const TensorRef &indices, const TensorRef &rows) {
  if (table.shape.empty())
    return call.error("needs a table with rows, got " + typeName(table));
  DTC_RETURN_IF_ERROR(call.expectElement(rows, table.element));
  Shape expected = indices.shape;
  expected.insert(expected.end(), table.shape.begin() + 1, table.shape.end());
  DTC_RETURN_IF_ERROR(call.expectShape(rows, expected));
  Rows result{table.shape[0], splitAt(table.shape, 0).behind, {}};
  DTC_ASSIGN_OR_RETURN(result.indices, readIndices(call, indices));
  return result;
}

/// table[index] += row, in the order of the indices. Sums are kept in
/// Compute<T> and rounded at the end.
template <typename T>
void addRows(const Rows &rows, const TensorRef &updates,
             const TensorRef &table) {
  using C = Compute<T>;
  std::vector<C> sums(elementCount(table.shape));
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = load(elements<T>(table), int64_t(i));
  for (size_t i = 0; i < rows.indices.size(); ++i) {
    int64_t row = rows.indices[i];
    if (row < 0 || row >= rows.count)
      continue;
    for (int64_t k = 0; k < rows.length; ++k) {
      C &sum = sums[row * rows.length + k];
      sum = arithmetic::Add()(
          sum, load(elements<T>(updates), int64_t(i) * rows.length + k));
    }
  }
  for (size_t i = 0; i < sums.size(); ++i)
    store(elements<T>(table), int64_t(i), sums[i]);
}

Status addRows(const KernelCall &call, const Rows &rows,
               const TensorRef &updates, const TensorRef &table) {
  return visitElement(table.element, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Boolean>)
      return call.error("adds numbers, not " + typeName(table));
    else
      addRows<T>(rows, updates, table);
    return Status::ok();
  });
}

size_t bytesOf(const TensorRef &tensor) {
  return size_t(elementCount(tensor.shape)) * sizeBytes(tensor.element);
}
} // namespace

Status dtc::runGather(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  const TensorRef &x = call.operands[0], &ids = call.operands[1],
                  &y = call.results[0];
  DTC_ASSIGN_OR_RETURN(int64_t axis, call.integer("axis"));
  if (axis < 0 || axis >= int64_t(x.shape.size()))
    return call.error(strCat("there is no axis ", axis, " in ", typeName(x)));
  DTC_RETURN_IF_ERROR(call.expectElement(y, x.element));
  Shape shape(x.shape.begin(), x.shape.begin() + axis);
  shape.insert(shape.end(), ids.shape.begin(), ids.shape.end());
  shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
  DTC_RETURN_IF_ERROR(call.expectShape(y, shape));
  DTC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, readIndices(call, ids));
  auto [places, length] = splitAt(x.shape, axis);
  int64_t count = x.shape[axis];
  size_t bytes = size_t(length) * sizeBytes(x.element);
  if (bytes == 0)
    return Status::ok();
  std::byte *to = y.data;
  for (int64_t place = 0; place < places; ++place)
    for (int64_t index : indices) {
      if (index >= 0 && index < count)
        std::memcpy(to, x.data + (place * count + index) * bytes, bytes);
      else
        std::memset(to, 0, bytes);
      to += bytes;
    }
  return Status::ok();
}

Status dtc::runIndexedSlices(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  const TensorRef &table = call.results[0];
  DTC_ASSIGN_OR_RETURN(
      Rows rows, checkRows(call, table, call.operands[0], call.operands[1]));
  if (bytesOf(table))
    std::memset(table.data, 0, bytesOf(table));
  return addRows(call, rows, call.operands[1], table);
}

Status dtc::runScatter(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(3, 1));
  const TensorRef &x = call.operands[0], &updates = call.operands[2],
                  &y = call.results[0];
  DTC_RETURN_IF_ERROR(call.expectElement(y, x.element));
  DTC_RETURN_IF_ERROR(call.expectShape(y, x.shape));
  DTC_ASSIGN_OR_RETURN(Rows rows,
                       checkRows(call, y, call.operands[1], updates));
  if (bytesOf(y))
    std::memcpy(y.data, x.data, bytesOf(y));
  if (call.op == "graph.scatter_add")
    return addRows(call, rows, updates, y);
  size_t bytes = size_t(rows.length) * sizeBytes(y.element);
  for (size_t i = 0; bytes && i < rows.indices.size(); ++i)
    if (rows.indices[i] >= 0 && rows.indices[i] < rows.count)
      std::memcpy(y.data + rows.indices[i] * bytes, updates.data + i * bytes,
                  bytes);
  return Status::ok();
}

Status dtc::runUniqueRows(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 2));
  const TensorRef &ids = call.operands[0], &rows = call.operands[1],
                  &unique = call.results[0], &sums = call.results[1];
  if (ids.shape.size() != 1 || rows.shape.empty() ||
      rows.shape[0] != ids.shape[0])
    return call.error("one index a row, got " + typeName(ids) + " and " +
                      typeName(rows));
  DTC_RETURN_IF_ERROR(call.expectElement(unique, ids.element));
  DTC_RETURN_IF_ERROR(call.expectShape(unique, ids.shape));
  DTC_RETURN_IF_ERROR(call.expectFloat(rows));
  DTC_RETURN_IF_ERROR(call.expectElement(sums, rows.element));
  DTC_RETURN_IF_ERROR(call.expectShape(sums, rows.shape));
  DTC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, readIndices(call, ids));
  // Where each index comes first; later rows are added there.
  std::map<int64_t, int64_t> first;
  Rows target{ids.shape[0], splitAt(rows.shape, 0).behind, {}};
  for (size_t i = 0; i < indices.size(); ++i)
    target.indices.push_back(
        first.try_emplace(indices[i], int64_t(i)).first->second);
  if (bytesOf(sums))
    std::memset(sums.data, 0, bytesOf(sums));
  DTC_RETURN_IF_ERROR(addRows(call, target, rows, sums));
  return visitElement(ids.element, [&]<typename T>(std::type_identity<T>) {
    for (size_t i = 0; i < indices.size(); ++i)
      store(elements<T>(unique), int64_t(i),
            Compute<T>(target.indices[i] == int64_t(i) ? indices[i] : -1));
    return Status::ok();
  });
}

// Operations that join tensors along an axis, and that cut them: each operand
// or result is a run of consecutive bytes for every place before the axis.

#include "runtime/kernels/KernelCall.h"

#include <cstring>

using namespace dtc;

namespace {
/// The whole and its pieces, as bytes a place before the axis.
struct Pieces {
  std::byte *whole;
  size_t wholeBytes; // a place
  int64_t places;
  std::vector<std::pair<std::byte *, size_t>> parts; // bytes a place
};

template <typename Copy>
void forEachRun(const Pieces &pieces, Copy copy) {
  for (int64_t place = 0; place < pieces.places; ++place) {
    std::byte *whole = pieces.whole + place * pieces.wholeBytes;
    for (auto [part, bytes] : pieces.parts) {
      if (bytes)
        copy(whole, part + place * bytes, bytes);
      whole += bytes;
    }
  }
}

/// Checks that the parts, put together along `axis`, are the whole; `isStacked`
/// says that each part lacks the axis.
Result<Pieces> makePieces(const KernelCall &call, const TensorRef &whole,
                          std::span<const TensorRef> parts, bool isStacked) {
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_ASSIGN_OR_RETURN(int64_t axis, call.integer("axis"));
  if (axis < 0 || axis >= int64_t(whole.shape.size()))
    return call.error(
        strCat("there is no axis ", axis, " in ", typeName(whole)));
  auto [places, inner] = splitAt(whole.shape, axis);
  int64_t length = 0;
  size_t size = sizeBytes(whole.element);
  Pieces pieces{whole.data, 0, places, {}};
  for (const TensorRef &part : parts) {
    Shape expected = whole.shape;
    if (isStacked)
      expected.erase(expected.begin() + axis);
    else if (part.shape.size() == expected.size())
      expected[axis] = part.shape[axis];
    DTC_RETURN_IF_ERROR(call.expectShape(part, expected));
    int64_t count = isStacked ? 1 : part.shape[axis];
    length += count;
    pieces.parts.push_back({part.data, size_t(count * inner) * size});
  }
  if (length != whole.shape[axis])
    return call.error(strCat("the pieces have ", length,
                             " elements along axis ", axis, ", ",
                             typeName(whole), " has ", whole.shape[axis]));
  pieces.wholeBytes = size_t(length * inner) * size;
  return pieces;
}

Status join(const KernelCall &call, bool isStacked) {
  DTC_RETURN_IF_ERROR(call.expectCounts(call.operands.size(), 1));
  if (call.operands.empty())
    return call.error("needs at least one operand");
  DTC_ASSIGN_OR_RETURN(Pieces pieces, makePieces(call, call.results[0],
                                                 call.operands, isStacked));
  forEachRun(pieces, [](std::byte *whole, std::byte *part, size_t bytes) {
    std::memcpy(whole, part, bytes);
  });
  return Status::ok();
}

Status cut(const KernelCall &call, bool isStacked) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, call.results.size()));
  DTC_ASSIGN_OR_RETURN(Pieces pieces, makePieces(call, call.operands[0],
                                                 call.results, isStacked));
  forEachRun(pieces, [](std::byte *whole, std::byte *part, size_t bytes) {
    std::memcpy(part, whole, bytes);
  });
  return Status::ok();
}
} // namespace

Status dtc::runConcat(const KernelCall &call) { return join(call, false); }
Status dtc::runStack(const KernelCall &call) { return join(call, true); }
Status dtc::runSplit(const KernelCall &call) { return cut(call, false); }
Status dtc::runUnstack(const KernelCall &call) { return cut(call, true); }

Status dtc::runShape(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  const Shape &shape = call.operands[0].shape;
  DTC_RETURN_IF_ERROR(call.expectElement(call.results[0], ElementType::I64));
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], {int64_t(shape.size())}));
  if (!shape.empty())
    std::memcpy(call.results[0].data, shape.data(),
                shape.size() * sizeof(int64_t));
  return Status::ok();
}

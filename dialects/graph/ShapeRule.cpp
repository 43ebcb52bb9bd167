#include "dialects/graph/ShapeRule.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

LogicalResult Rule::fail(const Twine &message, Code code) const {
  if (!location_)
    return failure();
  InFlightDiagnostic diagnostic = coded(emitError(*location_), code)
                                  << op_ << ": " << message;
  llvm::SmallPtrSet<void *, 4> seen;
  for (Value operand : operands_)
    if (seen.insert(operand.getAsOpaquePointer()).second)
      diagnostic.attachNote(operand.getLoc())
          << "operand of type " << operand.getType() << " is made here";
  return diagnostic;
}

LogicalResult Rule::tensors(SmallVectorImpl<RankedTensorType> &types) const {
  for (Value operand : operands_) {
    if (!isTensor(operand.getType()))
      return fail("operands must be tensors with a static shape, at most "
                  "2^40 elements, and elements of f32, f64, f16, bf16, i1, "
                  "i8, ui8, i32 or i64",
                  Code::OperandType);
    types.push_back(cast<RankedTensorType>(operand.getType()));
  }
  return success();
}

LogicalResult Rule::sameElements(ArrayRef<RankedTensorType> types) const {
  for (RankedTensorType type : types)
    if (type.getElementType() != types[0].getElementType())
      return fail("element types differ, " + text(types[0].getElementType()) +
                      " and " + text(type.getElementType()) +
                      "; graph.cast converts",
                  Code::OperandType);
  return success();
}

LogicalResult Rule::axis(int64_t axis, RankedTensorType x) const {
  if (axis >= 0 && axis < x.getRank())
    return success();
  return fail("there is no axis " + Twine(axis) + " in " +
                  formatShape(x.getShape()) + "; axes count from 0",
              Code::BadAxis);
}

LogicalResult Rule::perDimension(StringRef list, size_t length,
                                 int64_t rank) const {
  if (static_cast<int64_t>(length) == rank)
    return success();
  return fail(list + " has " + Twine(length) + " numbers for " + Twine(rank) +
                  " dimensions; give one for each",
              Code::BadAttribute);
}

LogicalResult Rule::result(ArrayRef<int64_t> shape, Type element,
                           Types &types) const {
  if (!countElements(shape))
    return fail("the result, " + formatShape(shape) +
                    ", would have more than 2^40 elements",
                Code::TooLarge);
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

std::string dtc::graph::both(RankedTensorType lhs, RankedTensorType rhs) {
  return formatShape(lhs.getShape()) + " and " + formatShape(rhs.getShape());
}

std::string dtc::graph::text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

std::string dtc::graph::text(ArrayRef<int64_t> list) {
  return "[" +
         llvm::join(
             llvm::map_range(list, [](int64_t i) { return std::to_string(i); }),
             ", ") +
         "]";
}

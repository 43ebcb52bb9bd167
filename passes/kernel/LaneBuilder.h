// LaneBuilder: builds the scalar and vector operations of a kernel.
//
// A value holds `width` lanes: a scalar when width is 1, else a vector. Lanes
// have the element's compute type, and hold only numbers that the element type
// itself can hold: every graph op rounds its result (round()).
//
//   element   in memory   in lanes
//   f32, f64  same        same
//   f16       f16         f32
//   bf16      i16         f32
//   i1        i8          i8 (0 or 1)
//   integers  same        same, signless
#ifndef DTC_PASSES_KERNEL_LANEBUILDER_H
#define DTC_PASSES_KERNEL_LANEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace dtc::kernel {

mlir::Type memoryType(mlir::Type element);
mlir::Type laneType(mlir::Type element);
int64_t elementBytes(mlir::Type element);
/// Whether integers of that element extend with zeros (ui8, i1).
bool isUnsigned(mlir::Type element);
/// The number of lanes of a value.
int64_t widthOf(mlir::Value lanes);

class LaneBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // Index arithmetic, on i64; constants fold.
  Value index(int64_t value);
  Value addIndex(Value a, Value b);
  Value addIndex(Value a, int64_t b);
  Value mulIndex(Value a, int64_t b);
  Value divIndex(Value a, int64_t b); // a >= 0, b > 0
  Value remIndex(Value a, int64_t b);
  Value minIndex(Value a, Value b);
  Value maxIndex(Value a, Value b);
  /// A scalar of an integer element, as i64.
  Value toIndex(Type element, Value scalar);

  using LoopBody = llvm::function_ref<llvm::SmallVector<Value>(
      Value iv, mlir::ValueRange carried)>;
  /// for (iv = lower; iv < upper; iv += step), with loop-carried values.
  llvm::SmallVector<Value> loop(Value lower, Value upper, int64_t step,
                                mlir::ValueRange initial, LoopBody body);
  void loop(Value lower, Value upper, int64_t step,
            llvm::function_ref<void(Value iv)> body);
  void ifThen(Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);

  // Lanes.
  Type lanes(Type scalar, int64_t width);
  Value splat(Value scalar, int64_t width);
  /// A number of scalar type `type` in every lane.
  Value number(Type type, double value, int64_t width);
  Value integer(Type type, int64_t value, int64_t width);
  /// The bits of a float type given as an integer, in every lane.
  Value bits(Type type, uint64_t pattern, int64_t width);
  /// `value` in front, `pad` (one scalar) behind, up to `width` lanes.
  Value pad(Value value, Value pad, int64_t width);
  /// `lanes` with the scalar in lane `position`.
  Value insert(Value scalar, Value lanes, int64_t position);
  /// Lane i is lane positions[i] of a followed by b.
  Value shuffle(Value a, Value b, llvm::ArrayRef<int64_t> positions);
  /// Lanes [first, first + width).
  Value slice(Value value, int64_t first, int64_t width);

  // Memory: `base` is a pointer, `offset` counts elements.
  Value pointer(Type element, Value base, Value offset);
  Value load(Type element, Value base, Value offset, int64_t width);
  /// Lane i is the element at offset - i.
  Value loadBackwards(Type element, Value base, Value offset, int64_t width);
  void store(Type element, Value value, Value base, Value offset);
  /// The first `count` of `width` lanes; memory beyond is neither read (those
  /// lanes are 0) nor written.
  Value loadMasked(Type element, Value base, Value offset, int64_t width,
                   int64_t count);
  void storeMasked(Type element, Value value, Value base, Value offset,
                   int64_t count);
  /// Uninitialised stack memory for `count` elements, 64-byte aligned; call it
  /// outside of loops.
  Value scratch(Type element, int64_t count);

  /// The lanes rounded to what `element` can hold.
  Value round(Type element, Value lanes);

  // Float arithmetic: one operation, one rounding, no flags.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value fma(Value a, Value b, Value c);
  Value sqrt(Value a);
  Value floor(Value a);
  Value ceil(Value a);
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b);
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b);
  Value select(Value condition, Value a, Value b);
  /// a, unless b is larger or NaN; on integers the larger.
  Value maximum(Type element, Value a, Value b);
  /// a, unless b is smaller or NaN; on integers the smaller.
  Value minimum(Type element, Value a, Value b);
  /// Float multiplication, or wrapping integer multiplication.
  Value product(Value a, Value b);
  /// Float add or subtract, or wrapping integer add or subtract.
  Value sum(Value a, Value b);
  Value difference(Value a, Value b);

private:
  Value toLanes(Type element, Value stored);
  Value toMemory(Type element, Value lanes);
  Value mask(int64_t width, int64_t count);
};

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEBUILDER_H

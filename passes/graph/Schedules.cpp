// The schedules of Attributes.td, in TensorFlow's order of operations.
#include "passes/graph/Schedules.h"

#include "llvm/ADT/TypeSwitch.h"
#include <numbers>

using namespace mlir;
using namespace dtc::graph;

bool dtc::graph::isSchedule(Attribute rate) { return !isa<FloatAttr>(rate); }

static Value makeConstant(Maker &maker, Type element, Attribute value) {
  auto type = RankedTensorType::get({}, element);
  return maker.make<ConstantOp>(DenseElementsAttr::get(type, value));
}

Value dtc::graph::makeNumber(Maker &maker, Type element, double value) {
  llvm::APFloat number(value);
  bool losesInfo = false;
  number.convert(cast<FloatType>(element).getFloatSemantics(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return makeConstant(maker, element, FloatAttr::get(element, number));
}

namespace {

// Builds schedules of one step in one element type.
class ScheduleBuilder {
public:
  ScheduleBuilder(Maker &maker, Value step, Type element)
      : maker_(maker), step_(step), element_(element) {}

  Value build(Attribute rate) {
    return llvm::TypeSwitch<Attribute, Value>(rate)
        .Case<FloatAttr>([&](auto number) { return real(number.getValue()); })
        .Case<PiecewiseConstantAttr, ExponentialDecayAttr, CosineDecayAttr,
              WarmUpAttr>([&](auto schedule) { return schedules(schedule); });
  }

private:
  // Boundaries grow, so the last that the step has passed wins.
  Value schedules(PiecewiseConstantAttr schedule) {
    ArrayRef<double> values = schedule.getValues().asArrayRef();
    int64_t batch = std::max<int64_t>(schedule.getBatch(), 1);
    Value rate = number(values.front());
    for (auto [boundary, value] : llvm::zip_equal(
             schedule.getBoundaries().asArrayRef(), values.drop_front())) {
      Value isPast = make<GreaterOp>(step_, count(boundary / batch));
      rate = make<SelectOp>(isPast, number(value), rate);
    }
    return rate;
  }

  Value schedules(ExponentialDecayAttr schedule) {
    Value exponent = ratio(step_, schedule.getDecaySteps());
    if (schedule.getStaircase())
      exponent = make<FloorOp>(exponent);
    Value factor = make<PowOp>(real(schedule.getDecayRate()), exponent);
    return make<MulOp>(real(schedule.getRate()), factor);
  }

  Value schedules(CosineDecayAttr schedule) {
    int64_t steps = schedule.getDecaySteps();
    Value progress = ratio(make<MinimumOp>(step_, count(steps)), steps);
    Value cosine = make<CosOp>(make<MulOp>(number(std::numbers::pi), progress));
    Value half = make<MulOp>(number(0.5), make<AddOp>(number(1), cosine));
    double alpha = schedule.getAlpha().convertToDouble();
    Value scaled = make<MulOp>(number(1 - alpha), half);
    Value factor = make<AddOp>(scaled, number(alpha));
    return make<MulOp>(real(schedule.getRate()), factor);
  }

  Value schedules(WarmUpAttr schedule) {
    Value first = count(schedule.getSteps());
    Value factor = ratio(make<MinimumOp>(step_, first), schedule.getSteps());
    Value later = make<MaximumOp>(step_, first);
    Value rate =
        ScheduleBuilder(maker_, later, element_).build(schedule.getAfter());
    return make<MulOp>(rate, factor);
  }

  template <typename Op, typename... Arguments>
  Value make(Arguments &&...arguments) {
    return maker_.make<Op>(std::forward<Arguments>(arguments)...);
  }
  // steps / total, in the rate's elements.
  Value ratio(Value steps, int64_t total) {
    Value real = make<CastOp>(RankedTensorType::get({}, element_), steps);
    return make<DivOp>(real, number(double(total)));
  }
  Value number(double value) { return makeNumber(maker_, element_, value); }
  Value real(const llvm::APFloat &value) {
    return number(value.convertToDouble());
  }
  Value count(int64_t value) {
    Type element = getElementTypeOrSelf(step_);
    return makeConstant(maker_, element, IntegerAttr::get(element, value));
  }

  Maker &maker_;
  Value step_;
  Type element_;
};

} // namespace

Value dtc::graph::buildRate(Maker &maker, Attribute rate, Value step,
                            Type element) {
  return ScheduleBuilder(maker, step, element).build(rate);
}

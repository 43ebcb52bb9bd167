// Operations on one tensor, element by element, and relu_grad.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/Elementwise.h"

using namespace dtc;
using namespace dtc::arithmetic;

/// One operand and one result of the same type.
static Status checkUnary(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  return call.expectShape(call.results[0], call.operands[0].shape);
}

namespace {
constexpr std::tuple kNumberFunctions{
    Named{"graph.abs", Abs()}, Named{"graph.neg", Neg()},
    Named{"graph.sign", Sign()},
    Named{"graph.square", [](auto x) { return Mul()(x, x); }}};

constexpr std::tuple kFloatFunctions{
    Named{"graph.ceil", [](auto x) { return std::ceil(x); }},
    Named{"graph.cos", [](auto x) { return std::cos(x); }},
    Named{"graph.elu", [](auto x) { return x > 0 ? x : std::expm1(x); }},
    Named{"graph.erf", [](auto x) { return std::erf(x); }},
    Named{"graph.exp", [](auto x) { return std::exp(x); }},
    Named{"graph.floor", [](auto x) { return std::floor(x); }},
    Named{"graph.log", [](auto x) { return std::log(x); }},
    Named{"graph.relu", Relu()},
    Named{"graph.relu6",
          [](auto x) {
            auto y = Relu()(x);
            return y > 6 ? decltype(x)(6) : y;
          }},
    Named{"graph.rsqrt", [](auto x) { return 1 / std::sqrt(x); }},
    Named{"graph.sigmoid", [](auto x) { return 1 / (1 + std::exp(-x)); }},
    Named{"graph.sin", [](auto x) { return std::sin(x); }},
    Named{"graph.softplus",
          [](auto x) {
            return (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x)));
          }},
    Named{"graph.sqrt", [](auto x) { return std::sqrt(x); }},
    Named{"graph.tanh", [](auto x) { return std::tanh(x); }}};

/// x Phi(x). erfc keeps the digits of Phi where 1 + erf(x) would cancel; in
/// f64, since a rounded x / sqrt(2) costs x² units of the last place.
template <typename C>
C gelu(C x) {
  return C(0.5 * x * std::erfc(double(x) * -0.70710678118654752440));
}

/// x (1 + tanh u) / 2 as x / (1 + exp(-2u)), which does not cancel below 0.
template <typename C>
C geluByTanh(C x) {
  C inner = C(0.79788456080286535588) * (x + C(0.044715) * x * x * x);
  return x / (1 + std::exp(C(-2) * inner));
}
} // namespace

Status dtc::runUnary(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkUnary(call));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    auto map = [&](auto f) { mapUnary<T>(call, f); };
    if (mapNamed(call, kNumberFunctions, map))
      return Status::ok();
    if constexpr (std::is_floating_point_v<Compute<T>>) {
      if (mapNamed(call, kFloatFunctions, map))
        return Status::ok();
      return call.error("is no operation on one tensor");
    } else {
      return call.expectFloat(call.operands[0]);
    }
  });
}

Status dtc::runGelu(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkUnary(call));
  DTC_ASSIGN_OR_RETURN(bool approximate, call.flag("approximate", false));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    using C = Compute<T>;
    mapUnary<T>(call,
                [&](C x) { return approximate ? geluByTanh(x) : gelu(x); });
    return Status::ok();
  });
}

Status dtc::runLeakyRelu(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkUnary(call));
  DTC_ASSIGN_OR_RETURN(double alpha, call.real("alpha"));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    using C = Compute<T>;
    mapUnary<T>(call, [&](C x) { return x > 0 ? x : C(alpha) * x; });
    return Status::ok();
  });
}

Status dtc::runClip(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkUnary(call));
  DTC_ASSIGN_OR_RETURN(double low, call.real("low"));
  DTC_ASSIGN_OR_RETURN(double high, call.real("high"));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    using C = Compute<T>;
    mapUnary<T>(call, [&](C x) {
      C atLeast = x < C(low) ? C(low) : x;
      return atLeast > C(high) ? C(high) : atLeast;
    });
    return Status::ok();
  });
}

Status dtc::runLogicalNot(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(checkUnary(call));
  DTC_RETURN_IF_ERROR(call.expectElement(call.operands[0], ElementType::I1));
  mapUnary<Boolean>(call, [](bool x) { return !x; });
  return Status::ok();
}

Status dtc::runReluGrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.operands[1], call.operands[0].shape));
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], call.operands[0].shape));
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    using C = Compute<T>;
    mapBinary<T, T>(call, [](C dy, C x) { return x > C(0) ? dy : C(0); });
    return Status::ok();
  });
}

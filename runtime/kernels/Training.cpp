// The optimizers' apply operations (TensorFlow's formulas) and replica_mean.

#include "runtime/kernels/KernelCall.h"

#include <cmath>

using namespace dtc;

/// The first `count` operands and all results are float tensors of one type;
/// other operands are scalars of its elements.
static Status checkAlike(const KernelCall &call, size_t count) {
  DTC_RETURN_IF_ERROR(call.expectFloat(call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  for (size_t i = 0; i < call.operands.size(); ++i)
    DTC_RETURN_IF_ERROR(call.expectShape(
        call.operands[i], i < count ? call.operands[0].shape : Shape()));
  for (const TensorRef &tensor : call.results)
    DTC_RETURN_IF_ERROR(call.expectShape(tensor, call.operands[0].shape));
  return Status::ok();
}

namespace {
template <typename F>
Status visitFloat(const KernelCall &call, F f) {
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T> tag) {
                        if constexpr (std::is_floating_point_v<Compute<T>>)
                          f(tag);
                        return Status::ok();
                      });
}

template <typename T>
void descend(const KernelCall &call) {
  const Compute<T> learningRate = load(elements<T>(call.operands[2]), 0);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    Compute<T> var = load(elements<T>(call.operands[0]), i);
    Compute<T> grad = load(elements<T>(call.operands[1]), i);
    store(elements<T>(call.results[0]), i, var - grad * learningRate);
  }
}

struct Momentum {
  double momentum;
  bool isNesterov;
};

template <typename T>
void applyMomentum(const KernelCall &call, const Momentum &attributes) {
  using C = Compute<T>;
  const C rate = load(elements<T>(call.operands[3]), 0);
  const C momentum(attributes.momentum);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    C var = load(elements<T>(call.operands[0]), i);
    C accum = load(elements<T>(call.operands[1]), i);
    C grad = load(elements<T>(call.operands[2]), i);
    accum = rounded<T>(accum * momentum + grad);
    C change = attributes.isNesterov ? grad * rate + accum * momentum * rate
                                     : accum * rate;
    store(elements<T>(call.results[0]), i, var - change);
    store(elements<T>(call.results[1]), i, accum);
  }
}

template <typename T>
void applyAdagrad(const KernelCall &call, double epsilon) {
  using C = Compute<T>;
  const C rate = load(elements<T>(call.operands[3]), 0);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    C var = load(elements<T>(call.operands[0]), i);
    C accum = load(elements<T>(call.operands[1]), i);
    C grad = load(elements<T>(call.operands[2]), i);
    accum = rounded<T>(accum + grad * grad);
    C root = std::sqrt(accum) + C(epsilon);
    store(elements<T>(call.results[0]), i, var - grad * rate / root);
    store(elements<T>(call.results[1]), i, accum);
  }
}

/// The slot, moved toward the sample.
template <typename T>
Compute<T> averaged(Compute<T> slot, Compute<T> sample, double decay) {
  using C = Compute<T>;
  return rounded<T>(slot + (sample - slot) * (C(1) - C(decay)));
}

struct Adam {
  double beta1, beta2, epsilon;
};

template <typename T>
void applyAdam(const KernelCall &call, const Adam &attributes) {
  using C = Compute<T>;
  const C rate = load(elements<T>(call.operands[4]), 0);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    C var = load(elements<T>(call.operands[0]), i);
    C m = load(elements<T>(call.operands[1]), i);
    C v = load(elements<T>(call.operands[2]), i);
    C grad = load(elements<T>(call.operands[3]), i);
    m = averaged<T>(m, grad, attributes.beta1);
    v = averaged<T>(v, grad * grad, attributes.beta2);
    C root = std::sqrt(v) + C(attributes.epsilon);
    store(elements<T>(call.results[0]), i, var - rate * m / root);
    store(elements<T>(call.results[1]), i, m);
    store(elements<T>(call.results[2]), i, v);
  }
}

struct Rmsprop {
  double rho, momentum, epsilon;
};

template <typename T>
void applyRmsprop(const KernelCall &call, const Rmsprop &attributes) {
  using C = Compute<T>;
  const C rate = load(elements<T>(call.operands[4]), 0);
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    C var = load(elements<T>(call.operands[0]), i);
    C ms = load(elements<T>(call.operands[1]), i);
    C mom = load(elements<T>(call.operands[2]), i);
    C grad = load(elements<T>(call.operands[3]), i);
    ms = averaged<T>(ms, grad * grad, attributes.rho);
    C root = std::sqrt(ms + C(attributes.epsilon));
    mom = rounded<T>(mom * C(attributes.momentum) + grad * rate / root);
    store(elements<T>(call.results[0]), i, var - mom);
    store(elements<T>(call.results[1]), i, ms);
    store(elements<T>(call.results[2]), i, mom);
  }
}

template <typename T>
void meanOf(const KernelCall &call) {
  using C = Compute<T>;
  const C count(call.operands.size());
  for (int64_t i = 0, n = elementCount(call.operands[0].shape); i < n; ++i) {
    C sum = load(elements<T>(call.operands[0]), i);
    for (const TensorRef &operand : call.operands.subspan(1))
      sum = sum + load(elements<T>(operand), i);
    store(elements<T>(call.results[0]), i, sum / count);
  }
}
} // namespace

Status dtc::runGradientDescent(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(3, 1));
  DTC_RETURN_IF_ERROR(checkAlike(call, 2));
  return visitFloat(
      call, [&]<typename T>(std::type_identity<T>) { descend<T>(call); });
}

Status dtc::runMomentum(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(4, 2));
  DTC_RETURN_IF_ERROR(checkAlike(call, 3));
  Momentum attributes;
  DTC_ASSIGN_OR_RETURN(attributes.momentum, call.real("momentum"));
  DTC_ASSIGN_OR_RETURN(attributes.isNesterov, call.flag("nesterov", false));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    applyMomentum<T>(call, attributes);
  });
}

Status dtc::runAdagrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(4, 2));
  DTC_RETURN_IF_ERROR(checkAlike(call, 3));
  DTC_ASSIGN_OR_RETURN(double epsilon, call.real("epsilon"));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    applyAdagrad<T>(call, epsilon);
  });
}

Status dtc::runAdam(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(5, 3));
  DTC_RETURN_IF_ERROR(checkAlike(call, 4));
  Adam attributes;
  DTC_ASSIGN_OR_RETURN(attributes.beta1, call.real("beta1"));
  DTC_ASSIGN_OR_RETURN(attributes.beta2, call.real("beta2"));
  DTC_ASSIGN_OR_RETURN(attributes.epsilon, call.real("epsilon"));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    applyAdam<T>(call, attributes);
  });
}

Status dtc::runRmsprop(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(5, 3));
  DTC_RETURN_IF_ERROR(checkAlike(call, 4));
  Rmsprop attributes;
  DTC_ASSIGN_OR_RETURN(attributes.rho, call.real("rho"));
  DTC_ASSIGN_OR_RETURN(attributes.momentum, call.real("momentum"));
  DTC_ASSIGN_OR_RETURN(attributes.epsilon, call.real("epsilon"));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    applyRmsprop<T>(call, attributes);
  });
}

Status dtc::runReplicaMean(const KernelCall &call) {
  if (call.operands.empty())
    return call.error("needs at least one operand");
  DTC_RETURN_IF_ERROR(call.expectCounts(call.operands.size(), 1));
  DTC_RETURN_IF_ERROR(checkAlike(call, call.operands.size()));
  return visitFloat(
      call, [&]<typename T>(std::type_identity<T>) { meanOf<T>(call); });
}

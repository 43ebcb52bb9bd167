#include "tools/dtc/KernelCheck.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tools/dtc/Values.h"

namespace dtc::tool {
namespace {

double largest(const Tensor &tensor) {
  double most = 0;
  for (size_t i = 0; i < elementCount(tensor); ++i)
    if (double value = std::abs(elementAsDouble(tensor, i));
        std::isfinite(value))
      most = std::max(most, value);
  return most;
}

} // namespace

Result<std::unique_ptr<KernelCheck>> KernelCheck::create(Plan::Ptr plan) {
  auto check = std::make_unique<KernelCheck>();
  for (const proto::Kernel &kernel : plan->proto().kernels()) {
    DTC_ASSIGN_OR_RETURN(ReferenceBody body, ReferenceBody::create(kernel));
    check->bodies_.push_back(std::move(body));
  }
  check->plan_ = std::move(plan);
  return check;
}

void KernelCheck::check(const KernelRun &run) {
  uint32_t kernel = run.launch.launch().kernel();
  std::lock_guard lock(mutex_);
  ++seen_[kernel];
  if (difference_.empty())
    difference_ = compare(kernel, run.arguments);
}

std::string KernelCheck::compare(uint32_t number, void *const *arguments) {
  const proto::Kernel &kernel = plan_->proto().kernels(number);
  std::vector<void *> pointers(arguments, arguments + kernel.inputs_size());
  std::vector<Tensor> expected;
  for (const proto::TensorType &output : kernel.outputs()) {
    TensorType type = *TensorType::create(output);
    expected.push_back(
        {type.element, type.shape, std::vector<std::byte>(type.bytes)});
  }
  for (Tensor &tensor : expected)
    pointers.push_back(tensor.bytes.data());
  if (Status status = bodies_[number].run(pointers.data()); !status.isOk())
    return strCat("the reference of kernel '", kernel.name(),
                  "' failed: ", status.message());
  for (size_t i = 0; i < expected.size(); ++i) {
    Tensor actual = expected[i];
    std::memcpy(actual.bytes.data(), arguments[kernel.inputs_size() + i],
                actual.bytes.size());
    std::string difference = compareTensors(actual, expected[i], 0,
                                            tolerance * largest(expected[i]));
    if (!difference.empty())
      return strCat("kernel '", kernel.name(), "', output ", i, ": ",
                    difference, " (reference kernel)");
  }
  return "";
}

} // namespace dtc::tool

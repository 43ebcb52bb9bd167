#include "passes/plan/Initializers.h"

#include <cmath>

#include "dialects/dist/Dist.h"
#include "dialects/graph/Dialect.h"
#include "dialects/plan/Plan.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace dtc::plan {
namespace {

struct Fans {
  double in, out;
};

/// The last two dimensions are inputs and outputs, those before them a
/// receptive field.
Fans fansOf(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.empty())
    return {1, 1};
  if (shape.size() == 1)
    return {double(shape[0]), double(shape[0])};
  double field = 1;
  for (int64_t dim : shape.drop_back(2))
    field *= dim;
  return {field * shape[shape.size() - 2], field * shape.back()};
}

} // namespace

Attribute resolveInitializer(graph::VariableOp variable) {
  MLIRContext *ctx = variable.getContext();
  auto type = cast<RankedTensorType>(variable.getType());
  if (auto part = variable->getAttrOfType<dist::ShardAttr>(dist::shardAttrName))
    type = type.clone(part.getShape());
  Fans fans = fansOf(type);
  return llvm::TypeSwitch<Attribute, Attribute>(variable.getInitializer())
      .Case([&](graph::FillAttr fill) {
        return FillAttr::get(ctx, fill.getValue());
      })
      .Case([&](graph::UniformAttr uniform) {
        return UniformAttr::get(ctx, uniform.getLow(), uniform.getHigh());
      })
      .Case([&](graph::NormalAttr normal) {
        return NormalAttr::get(ctx, normal.getMean(), normal.getStddev(),
                               false);
      })
      .Case([&](graph::TruncatedNormalAttr normal) {
        return NormalAttr::get(ctx, normal.getMean(), normal.getStddev(), true);
      })
      .Case([&](graph::GlorotUniformAttr) {
        double limit = std::sqrt(6 / std::max(1.0, fans.in + fans.out));
        return UniformAttr::get(ctx, APFloat(-limit), APFloat(limit));
      })
      .Case([&](graph::HeNormalAttr) {
        // 0.8796… is the deviation of a unit normal truncated at two of its
        // own.
        double stddev =
            std::sqrt(2 / std::max(1.0, fans.in)) / 0.87962566103423978;
        return NormalAttr::get(ctx, APFloat(0.0), APFloat(stddev), true);
      })
      .Default([](Attribute elements) { return elements; });
}

} // namespace dtc::plan

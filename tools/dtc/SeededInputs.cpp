#include "tools/dtc/SeededInputs.h"

#include <algorithm>
#include <cmath>

#include "runtime/input/Elements.h"

namespace dtc::tool {
namespace {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): one word of state, any seed is a good one.
class Generator {
public:
  explicit Generator(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform on [0, 1).
  double unit() { return (next() >> 11) * 0x1p-53; }

private:
  uint64_t state_;
};

uint64_t mix(uint64_t seed, uint64_t word) {
  return Generator(seed ^ Generator(word).next()).next();
}

uint64_t mix(uint64_t seed, const std::string &text) {
  for (unsigned char c : text)
    seed = mix(seed, c);
  return seed;
}

double drawField(Generator &generator, const proto::Column &column,
                 ElementType element) {
  double low = column.min(), high = std::max(column.min(), column.max());
  if (isFloat(element))
    return (low + generator.unit() * (high - low)) * column.scale();
  double whole =
      std::ceil(low) +
      std::floor(generator.unit() * (std::floor(high) - std::ceil(low) + 1));
  return isRepresentable(element, whole) ? whole : 0;
}

} // namespace

Status fillRows(uint64_t seed, const proto::Input &input, uint64_t step,
                uint32_t replica,
                std::span<const std::span<std::byte>> columns) {
  uint64_t blocks = std::max<int64_t>(1, input.blocks());
  uint64_t rows = mix(mix(mix(seed, input.dataset()), step),
                      replica * blocks + input.block());
  for (size_t i = 0; i < columns.size(); ++i) {
    const proto::Column &column = input.columns(i);
    DTC_ASSIGN_OR_RETURN(TensorType type, TensorType::create(column.type()));
    Generator generator(mix(rows, column.first_field()));
    for (size_t element = 0; element < type.elements; ++element)
      storeElement(type.element, columns[i].data(), element,
                   drawField(generator, column, type.element));
  }
  return Status::ok();
}

/// Is there a loss over one class? Its labels are 0.
static bool hasOneClass(const proto::Plan &plan) {
  auto isOver = [](const proto::Kernel &kernel, const proto::Node &node) {
    constexpr const char *loss = "graph.softmax_cross_entropy";
    if (node.op() != loss || node.operands_size() == 0 ||
        node.operands(0) >= static_cast<uint32_t>(kernel.inputs_size()))
      return false;
    const proto::TensorType &logits = kernel.inputs(node.operands(0));
    return logits.shape_size() > 0 && *logits.shape().rbegin() == 1;
  };
  for (const proto::Kernel &kernel : plan.kernels())
    for (const proto::Node &node : kernel.body())
      if (isOver(kernel, node))
        return true;
  return false;
}

static Tensor seededFeed(uint64_t seed, const proto::Feed &feed,
                         double integers) {
  TensorType type = *TensorType::create(feed.type());
  Tensor tensor{type.element, type.shape, std::vector<std::byte>(type.bytes)};
  Generator generator(mix(seed, feed.name()));
  for (size_t i = 0; i < type.elements; ++i) {
    double unit = generator.unit();
    storeElement(type.element, tensor.bytes.data(), i,
                 isFloat(type.element) ? unit : std::floor(integers * unit));
  }
  return tensor;
}

std::map<std::string, Tensor>
seededFeeds(uint64_t seed, const proto::Plan &plan, const proto::Entry &entry) {
  double integers = hasOneClass(plan) ? 1 : 2;
  std::map<std::string, Tensor> feeds;
  for (const proto::Feed &feed : entry.feeds())
    feeds[feed.name()] = seededFeed(seed, feed, integers);
  return feeds;
}

} // namespace dtc::tool

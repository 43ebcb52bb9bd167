#include "tools/dtc/Values.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "runtime/input/Elements.h"
#include "runtime/input/Npy.h"

namespace dtc::tool {
namespace {

constexpr size_t mostPrinted = 1024;

/// Whether both hold the same dimensions, those of 1 left out.
bool sameButForUnits(const std::vector<int64_t> &a,
                     const std::vector<int64_t> &b) {
  auto withoutUnits = [](std::vector<int64_t> shape) {
    std::erase(shape, 1);
    return shape;
  };
  return withoutUnits(a) == withoutUnits(b);
}

/// Fills `to` with the numbers of `from`; false when one does not fit.
bool convert(const Tensor &from, Tensor &to) {
  for (size_t i = 0, n = elementCount(from); i < n; ++i) {
    double value = elementAsDouble(from, i);
    if (!isRepresentable(to.element, value))
      return false;
    storeElement(to.element, to.bytes.data(), i, value);
  }
  return true;
}

std::string typeOf(const Tensor &tensor) {
  TensorType type;
  type.element = tensor.element;
  type.shape = tensor.shape;
  return type.toString();
}

/// The element of an integer type, exactly: a double would round an i64.
int64_t wholeElement(const Tensor &tensor, size_t index) {
  if (tensor.element != ElementType::I64)
    return static_cast<int64_t>(elementAsDouble(tensor, index));
  int64_t whole;
  std::memcpy(&whole, tensor.bytes.data() + index * sizeof whole, sizeof whole);
  return whole;
}

/// Whether both have the same bits there.
bool isSame(const Tensor &a, const Tensor &b, size_t index) {
  size_t size = sizeBytes(a.element);
  return std::memcmp(a.bytes.data() + index * size,
                     b.bytes.data() + index * size, size) == 0;
}

/// Writes the number that `word` spells; false when the type has no such.
bool parseNumber(const std::string &word, ElementType type, std::byte *to) {
  if (bool isTrue = word == "true";
      type == ElementType::I1 && (isTrue || word == "false")) {
    *to = std::byte(isTrue);
    return true;
  }
  char *rest = nullptr;
  errno = 0;
  if (int64_t whole = std::strtoll(word.c_str(), &rest, 10);
      type == ElementType::I64 && !word.empty() && *rest == '\0') {
    std::memcpy(to, &whole, sizeof whole);
    return errno == 0;
  }
  errno = 0;
  // Rounded once, also to a float.
  double value = type == ElementType::F32 ? std::strtof(word.c_str(), &rest)
                                          : std::strtod(word.c_str(), &rest);
  if (word.empty() || *rest != '\0')
    return false;
  bool isSpecial = !std::isfinite(value) && errno == 0; // "inf", "nan"
  bool mayBeSpecial = type == ElementType::F32 || type == ElementType::F64;
  if (!(isSpecial && mayBeSpecial) && !isRepresentable(type, value))
    return false;
  storeElement(type, to, 0, value);
  return true;
}

std::string elementText(const Tensor &tensor, size_t index) {
  if (tensor.element == ElementType::I64)
    return std::to_string(wholeElement(tensor, index));
  std::ostringstream out;
  out.precision(isFloat(tensor.element)
                    ? (tensor.element == ElementType::F64 ? 17 : 9)
                    : 20);
  out << elementAsDouble(tensor, index);
  return out.str();
}

} // namespace

size_t elementCount(const Tensor &tensor) {
  return tensor.bytes.size() / sizeBytes(tensor.element);
}

double elementAsDouble(const Tensor &tensor, size_t index) {
  return loadElement(tensor.element, tensor.bytes.data(), index);
}

Result<Tensor> loadNpy(const std::string &path) {
  DTC_ASSIGN_OR_RETURN(NpyArray array, readNpy(path));
  return Tensor{array.type, std::move(array.shape), std::move(array.bytes)};
}

Result<Tensor> parseValue(const std::string &text, ElementType numbers) {
  if (text[0] == '@')
    return loadNpy(text.substr(1));
  Tensor tensor{numbers, {}, {}};
  if (text.empty()) {
    tensor.shape = {0};
    return tensor;
  }
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    size_t at = tensor.bytes.size();
    tensor.bytes.resize(at + sizeBytes(numbers));
    if (!parseNumber(word, numbers, tensor.bytes.data() + at))
      return Status::invalidArgument(
          strCat("'", word, "' in '", text, "' is not a number of type ",
                 numbers, "\nhelp: write @FILE.npy, or ",
                 numbers == ElementType::I1 ? "true,false" : "1,2,3"));
    begin = end + 1;
  }
  if (size_t count = elementCount(tensor); count > 1)
    tensor.shape = {static_cast<int64_t>(count)};
  return tensor;
}

Result<Tensor> fitTensor(Tensor tensor, const TensorType &type) {
  auto refuse = [&](const std::string &why) {
    return Status::invalidArgument(strCat("the value is ", typeOf(tensor),
                                          ", the graph says ", type, why));
  };
  if (!sameButForUnits(tensor.shape, type.shape))
    return refuse("; the shapes differ");
  if (tensor.element == type.element) {
    tensor.shape = type.shape;
    return tensor;
  }
  Tensor fitted{type.element, type.shape, std::vector<std::byte>(type.bytes)};
  if (!convert(tensor, fitted))
    return refuse("; the elements cannot be converted");
  return fitted;
}

Tensor asInFile(Tensor tensor) {
  if (tensor.element != ElementType::BF16)
    return tensor;
  return {ElementType::F32, tensor.shape, widenBf16(tensor.bytes)};
}

Status saveNpy(const std::string &path, const Tensor &tensor) {
  return writeNpy(path, tensor.element, tensor.shape, tensor.bytes);
}

std::string valuesText(const Tensor &tensor) {
  std::string text;
  size_t count = elementCount(tensor);
  for (size_t i = 0; i < std::min(count, mostPrinted); ++i)
    text += (i ? " " : "") + elementText(tensor, i);
  return count > mostPrinted ? text + " …" : text;
}

std::optional<Json> valuesJson(const Tensor &tensor) {
  if (elementCount(tensor) > mostPrinted)
    return std::nullopt;
  Json values = Json::array();
  for (size_t i = 0; i < elementCount(tensor); ++i)
    isFloat(tensor.element) ? values.push_back(elementAsDouble(tensor, i))
                            : values.push_back(wholeElement(tensor, i));
  // Inner dimensions first: rows of what is there become one level.
  for (size_t dim = tensor.shape.size(); dim-- > 1;) {
    Json rows = Json::array();
    size_t width = std::max<int64_t>(1, tensor.shape[dim]);
    for (size_t i = 0; i + width <= values.size(); i += width)
      rows.push_back(Json(values.begin() + i, values.begin() + i + width));
    values = std::move(rows);
  }
  return tensor.shape.empty() ? values[0] : values;
}

std::string compareTensors(const Tensor &actual, const Tensor &expected,
                           double rtol, double atol) {
  if (actual.shape != expected.shape || actual.element != expected.element)
    return strCat("it is ", typeOf(actual), ", expected ", typeOf(expected));
  if (actual.bytes == expected.bytes)
    return "";
  size_t worst = 0;
  double worstExcess = 0;
  for (size_t i = 0; i < elementCount(actual); ++i) {
    double a = elementAsDouble(actual, i), e = elementAsDouble(expected, i);
    // Two large integers may be one double, and still not the same.
    bool isEqual = a == e && actual.element != ElementType::I64;
    if (isSame(actual, expected, i) || isEqual ||
        (std::isnan(a) && std::isnan(e)))
      continue;
    double excess = std::abs(a - e) / (atol + rtol * std::abs(e));
    if (std::isnan(excess) || excess > std::max(1.0, worstExcess)) {
      worst = i;
      worstExcess =
          std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess;
    }
  }
  if (worstExcess <= 1)
    return "";
  return strCat("element ", worst, " is ", elementText(actual, worst),
                ", expected ", elementText(expected, worst));
}

} // namespace dtc::tool

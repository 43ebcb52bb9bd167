#include "runtime/input/Npy.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/base/BFloat16.h"
#include "runtime/input/Elements.h"
#include "runtime/input/Files.h"

namespace dtc {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are written as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxDims = 32; // numpy's own limit

struct Descr {
  const char *text; // without byte order
  ElementType type;
};
constexpr Descr kDescrs[] = {
    {"f4", ElementType::F32}, {"f8", ElementType::F64},
    {"f2", ElementType::F16}, {"b1", ElementType::I1},
    {"i1", ElementType::I8},  {"u1", ElementType::U8},
    {"i4", ElementType::I32}, {"i8", ElementType::I64}};

/// Reads the header's Python dict, as much of Python as numpy writes there.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : left_(text) {}

  struct Header {
    std::string descr;
    bool isFortran = false;
    std::vector<int64_t> shape;
  };

  bool parse(Header &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!eat('{'))
      return false;
    while (!eat('}')) {
      std::string key;
      if (!string(key) || !eat(':'))
        return false;
      if (key == "descr" && !hasDescr)
        hasDescr = string(header.descr);
      else if (key == "fortran_order" && !hasOrder)
        hasOrder = boolean(header.isFortran);
      else if (key == "shape" && !hasShape)
        hasShape = tuple(header.shape);
      else
        return false;
      if (!eat(',') && peek() != '}')
        return false;
    }
    return hasDescr && hasOrder && hasShape && peek() == '\0';
  }

private:
  char peek() {
    while (!left_.empty() && (left_[0] == ' ' || left_[0] == '\n'))
      left_.remove_prefix(1);
    return left_.empty() ? '\0' : left_[0];
  }
  bool eat(char c) {
    if (peek() != c || left_.empty())
      return false;
    left_.remove_prefix(1);
    return true;
  }
  bool string(std::string &out) {
    char quote = peek();
    if ((quote != '\'' && quote != '"') || !eat(quote))
      return false;
    size_t end = left_.find(quote);
    if (end == std::string_view::npos)
      return false;
    out = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    return true;
  }
  bool boolean(bool &out) {
    peek();
    out = left_.starts_with("True");
    if (!out && !left_.starts_with("False"))
      return false;
    left_.remove_prefix(out ? 4 : 5);
    return true;
  }
  bool number(int64_t &out) {
    size_t digits = 0;
    out = 0;
    for (peek();
         digits < left_.size() && left_[digits] >= '0' && left_[digits] <= '9';
         ++digits)
      if (__builtin_mul_overflow(out, 10, &out) ||
          __builtin_add_overflow(out, left_[digits] - '0', &out))
        return false;
    left_.remove_prefix(digits);
    return digits > 0;
  }
  bool tuple(std::vector<int64_t> &out) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      int64_t dim;
      if (!number(dim) || out.size() == kMaxDims)
        return false;
      out.push_back(dim);
      if (!eat(',') && peek() != ')')
        return false;
    }
    return true;
  }

  std::string_view left_;
};

/// The element type of a descr like "<f4".
Result<ElementType> typeOf(const std::string &name, const std::string &descr) {
  std::string supported;
  for (const Descr &known : kDescrs) {
    if (descr.size() == 3 && descr.substr(1) == known.text) {
      bool isOneByte = sizeBytes(known.type) == 1;
      if (descr[0] == '<' || descr[0] == '=' || isOneByte)
        return known.type;
      if (descr[0] == '>')
        return Status::invalidArgument(
            strCat(name, ": its elements ('", descr,
                   "') are big-endian, little-endian ones are expected"));
    }
    supported += strCat(supported.empty() ? "" : ", ", known.text);
  }
  return Status::invalidArgument(strCat(name, ": elements of type '", descr,
                                        "' cannot be read, one of ", supported,
                                        " is expected"));
}

/// Cuts the header off `bytes`.
Result<std::string_view> takeHeader(const std::string &name,
                                    std::string_view &bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + 4)
    return Status::invalidArgument(strCat(name, ": is not an .npy file"));
  int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return Status::invalidArgument(strCat(name, ": has version ", version,
                                          " of .npy, 1 to 3 are expected"));
  size_t lengthBytes = version == 1 ? 2 : 4;
  bytes.remove_prefix(8);
  size_t length = 0;
  if (bytes.size() >= lengthBytes)
    for (size_t i = 0; i < lengthBytes; ++i)
      length |= size_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  if (bytes.size() < lengthBytes || bytes.size() - lengthBytes < length)
    return Status::dataLoss(strCat(name, ": the header is cut short"));
  std::string_view header = bytes.substr(lengthBytes, length);
  bytes.remove_prefix(lengthBytes + length);
  return header;
}

std::string shapeText(std::span<const int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += strCat(i ? ", " : "", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

} // namespace

std::optional<int64_t> checkedSizeBytes(ElementType type,
                                        std::span<const int64_t> shape) {
  int64_t bytes = static_cast<int64_t>(sizeBytes(type));
  // A zero anywhere makes the product zero, whatever the rest.
  bool isEmpty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (int64_t dim : shape) {
    if (dim < 0)
      return std::nullopt;
    if (!isEmpty && __builtin_mul_overflow(bytes, dim, &bytes))
      return std::nullopt;
  }
  return isEmpty ? 0 : bytes;
}

Result<NpyArray> parseNpy(const std::string &name, std::string_view bytes) {
  DTC_ASSIGN_OR_RETURN(std::string_view text, takeHeader(name, bytes));
  HeaderParser::Header header;
  if (!HeaderParser(text).parse(header))
    return Status::invalidArgument(strCat(name, ": the header is damaged"));
  NpyArray array;
  DTC_ASSIGN_OR_RETURN(array.type, typeOf(name, header.descr));
  array.shape = header.shape;
  if (header.isFortran && array.shape.size() > 1)
    return Status::invalidArgument(
        strCat(name, ": is in Fortran order, C order is expected "
                     "(numpy.ascontiguousarray)"));
  auto size = checkedSizeBytes(array.type, array.shape);
  if (!size || uint64_t(*size) != bytes.size())
    return Status::dataLoss(
        strCat(name, ": has ", bytes.size(), " bytes of elements, ",
               size ? std::to_string(*size) : std::string("more than can be"),
               " are expected for ", array.type, " of shape ",
               shapeText(array.shape)));
  array.bytes.resize(bytes.size());
  if (!bytes.empty())
    std::memcpy(array.bytes.data(), bytes.data(), bytes.size());
  if (array.type == ElementType::I1)
    for (std::byte b : array.bytes)
      if (b > std::byte(1))
        return Status::invalidArgument(
            strCat(name, ": a boolean is ", int(b), ", 0 or 1 is expected"));
  return array;
}

Result<NpyArray> readNpy(const std::string &path) {
  DTC_ASSIGN_OR_RETURN(std::string bytes, readFile(path));
  return parseNpy(path, bytes);
}

std::vector<std::byte> widenBf16(std::span<const std::byte> bytes) {
  std::vector<std::byte> wide(bytes.size() * 2); // little-endian: zeros first
  for (size_t i = 0; i + 1 < bytes.size(); i += 2)
    std::memcpy(&wide[2 * i + 2], &bytes[i], 2);
  return wide;
}

std::vector<std::byte> narrowToBf16(std::span<const std::byte> bytes) {
  std::vector<std::byte> narrow(bytes.size() / 2);
  packBFloats(bytes, narrow);
  return narrow;
}

Result<std::string> encodeNpy(ElementType type, std::span<const int64_t> shape,
                              std::span<const std::byte> bytes) {
  if (type == ElementType::BF16)
    return encodeNpy(ElementType::F32, shape, widenBf16(bytes));
  const auto *descr =
      std::find_if(std::begin(kDescrs), std::end(kDescrs),
                   [&](const Descr &d) { return d.type == type; });
  auto size = checkedSizeBytes(type, shape);
  if (!size || uint64_t(*size) != bytes.size())
    return Status::invalidArgument(strCat("an array of shape ",
                                          shapeText(shape), " is not ",
                                          bytes.size(), " bytes of ", type));
  std::string header =
      strCat("{'descr': '", sizeBytes(type) == 1 ? '|' : '<', descr->text,
             "', 'fortran_order': False, 'shape': ", shapeText(shape), ", }");
  size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return out;
}

Status writeNpy(const std::string &path, ElementType type,
                std::span<const int64_t> shape,
                std::span<const std::byte> bytes) {
  DTC_ASSIGN_OR_RETURN(std::string out, encodeNpy(type, shape, bytes));
  return writeFile(path, std::as_bytes(std::span(out)));
}

} // namespace dtc

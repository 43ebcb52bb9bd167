#include "runtime/base/Npy.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <sys/stat.h>

namespace dtc {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t maxHeaderBytes = 64 << 10;

constexpr std::pair<std::string_view, ElementType> descriptors[] = {
    {"<f4", ElementType::F32}, {"<f8", ElementType::F64},
    {"<f2", ElementType::F16}, {"|V2", ElementType::BF16},
    {"|b1", ElementType::I1},  {"|i1", ElementType::I8},
    {"|u1", ElementType::U8},  {"<i4", ElementType::I32},
    {"<i8", ElementType::I64}, {"<V2", ElementType::BF16},
};

std::string_view descriptorOf(ElementType element) {
  for (auto [text, type] : descriptors)
    if (type == element)
      return text;
  return "";
}

/// Reads the header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}
/// with its members in any order.
class Header {
public:
  Header(std::string_view text, const std::string &name)
      : text_(text), name_(name) {}

  Result<Tensor> parse() {
    Tensor tensor;
    bool hasType = false, hasOrder = false, hasShape = false;
    if (!eat('{'))
      return bad();
    while (!eat('}')) {
      std::string_view key;
      if (!quoted(key) || !eat(':'))
        return bad();
      if (key == "descr") {
        DTC_RETURN_IF_ERROR(parseType(tensor));
        hasType = true;
      } else if (key == "fortran_order") {
        DTC_RETURN_IF_ERROR(parseOrder());
        hasOrder = true;
      } else if (key == "shape") {
        DTC_RETURN_IF_ERROR(parseShape(tensor));
        hasShape = true;
      } else {
        return bad();
      }
      if (!eat(',') && !peek('}'))
        return bad();
    }
    if (!hasType || !hasOrder || !hasShape)
      return bad();
    return tensor;
  }

private:
  Status error(const std::string &what) const {
    return Status::invalidArgument(strCat(name_, ": ", what));
  }
  Status bad() const {
    return error("the header of this .npy file is damaged");
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
  }
  bool peek(char c) {
    skipSpace();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool eat(char c) { return peek(c) && ++at_; }
  bool quoted(std::string_view &text) {
    char quote = peek('"') ? '"' : '\'';
    if (!eat(quote))
      return false;
    size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos)
      return false;
    text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  Status parseType(Tensor &tensor) {
    std::string_view descriptor;
    if (!quoted(descriptor))
      return error("arrays of records are not supported; save plain numbers");
    for (auto [text, type] : descriptors)
      if (text == descriptor) {
        tensor.element = type;
        return Status::ok();
      }
    return error(
        strCat("element type '", descriptor, "' is not supported",
               "\nhelp: convert it with .astype('<f4') (or f8, f2, b1, "
               "i1, u1, i4, i8)"));
  }
  Status parseOrder() {
    skipSpace();
    for (std::string_view word : {"False", "True"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "False" ? Status::ok()
                               : error("is in Fortran order\nhelp: save "
                                       "numpy.ascontiguousarray(x) instead");
      }
    return bad();
  }
  Status parseShape(Tensor &tensor) {
    if (!eat('('))
      return bad();
    while (!eat(')')) {
      skipSpace();
      int64_t dim = 0;
      size_t begin = at_;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9';
           ++at_)
        if (__builtin_mul_overflow(dim, 10, &dim) ||
            __builtin_add_overflow(dim, text_[at_] - '0', &dim))
          return bad();
      if (at_ == begin || tensor.shape.size() >= 32)
        return bad();
      tensor.shape.push_back(dim);
      if (!eat(',') && !peek(')'))
        return bad();
    }
    return Status::ok();
  }

  std::string_view text_;
  const std::string &name_;
  size_t at_ = 0;
};

Status ioError(const std::string &path, const std::string &what) {
  std::string text = strCat(path, ": ", what, ": ", std::strerror(errno));
  if (errno == ENOENT)
    return Status::notFound(text);
  if (errno == EACCES || errno == EPERM || errno == EROFS)
    return Status::permissionDenied(text);
  return Status(StatusCode::Unknown, text);
}

/// The bytes that the shape needs, or nothing when they do not fit.
bool neededBytes(const Tensor &tensor, size_t &bytes) {
  bytes = sizeBytes(tensor.element);
  for (int64_t dim : tensor.shape)
    if (__builtin_mul_overflow(bytes, static_cast<size_t>(dim), &bytes))
      return false;
  return true;
}

} // namespace

std::string npyBytes(const Tensor &tensor) {
  std::string header = strCat("{'descr': '", descriptorOf(tensor.element),
                              "', 'fortran_order': False, 'shape': (");
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    header += strCat(i ? " " : "", tensor.shape[i],
                     i + 1 < tensor.shape.size() || i == 0 ? "," : "");
  header += "), }";
  // Magic, version, length and header fill a multiple of 64 bytes.
  header.append(63 - (magic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += {1, 0, char(header.size() & 255), char(header.size() >> 8)};
  bytes += header;
  bytes.append(reinterpret_cast<const char *>(tensor.bytes.data()),
               tensor.bytes.size());
  return bytes;
}

Result<Tensor> parseNpy(std::string_view bytes, const std::string &name) {
  auto error = [&](const std::string &what) {
    return Status::invalidArgument(strCat(name, ": ", what));
  };
  if (bytes.substr(0, magic.size()) != magic || bytes.size() < 10)
    return error("is no .npy file");
  int version = bytes[6];
  if (version < 1 || version > 3)
    return error(
        strCat("has .npy version ", version, ", supported are 1 to 3"));
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t begin = 8 + lengthBytes, length = 0;
  if (bytes.size() < begin)
    return error("is cut short");
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  if (length > maxHeaderBytes || length > bytes.size() - begin)
    return error("is cut short");
  DTC_ASSIGN_OR_RETURN(Tensor tensor,
                       Header(bytes.substr(begin, length), name).parse());
  std::string_view data = bytes.substr(begin + length);
  size_t needed = 0;
  if (!neededBytes(tensor, needed) || needed != data.size())
    return error(strCat("has ", data.size(),
                        " bytes of data, which is not what "
                        "its shape needs"));
  auto raw = reinterpret_cast<const std::byte *>(data.data());
  tensor.bytes.assign(raw, raw + data.size());
  return tensor;
}

Result<Tensor> readNpy(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return ioError(path, "cannot read");
  if (!S_ISREG(info.st_mode))
    return Status::notFound(strCat(path, ": is not a file"));
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return ioError(path, "cannot read");
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  return parseNpy(bytes, path);
}

Status writeNpy(const std::string &path, const Tensor &tensor) {
  std::string bytes = npyBytes(tensor);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out)
    return ioError(path, "cannot create");
  out.write(bytes.data(), bytes.size());
  out.close();
  if (!out)
    return ioError(path, "cannot write");
  return Status::ok();
}

} // namespace dtc

// Generated code of ops that move elements, and of ops on rows, against the
// reference kernels, to the bit.
#include "passes/kernel/conformance/TestKernel.h"

#include <gtest/gtest.h>

using namespace dtc;
using namespace dtc::kernel;

namespace {
/// Each test collects kernels; they are compiled and compared at its end.
class CopyCodegen : public testing::Test {
protected:
  /// `graph.op` with operands and results of the types given, in which `$`
  /// stands for each element type in turn.
  void expectMatches(const std::string &op, const std::string &attributes,
                     const std::vector<std::string> &operands,
                     const std::vector<std::string> &results,
                     const std::string &to = "") {
    for (const char *element :
         {"f32", "f64", "f16", "bf16", "i1", "i8", "ui8", "i32", "i64"})
      if (takes(op, element))
        batch_.add(kernel(op, attributes, operands, results, to, element), 0);
  }
  void TearDown() override { batch_.expectMatchesReference(); }

private:
  static bool takes(const std::string &op, const std::string &element) {
    if (op == "indexed_slices" || op == "mirror_pad_grad")
      return element.find('f') != std::string::npos;
    return element != "i1" || (op != "scatter_add" && op != "range");
  }
  static std::string join(const std::vector<std::string> &types,
                          const std::string &prefix) {
    std::string text;
    for (size_t i = 0; i < types.size(); ++i)
      text += (i ? ", " : "") +
              (prefix.empty() ? "" : prefix + std::to_string(i)) +
              (prefix == "%a" ? ": " : "") + (prefix == "%v" ? "" : types[i]);
    return text;
  }
  static std::string kernel(const std::string &op,
                            const std::string &attributes,
                            const std::vector<std::string> &operands,
                            const std::vector<std::string> &results,
                            const std::string &to, const std::string &element) {
    std::string names;
    for (size_t i = 0; i < operands.size(); ++i)
      names += (i ? ", %a" : "%a") + std::to_string(i);
    std::string text = "func.func @k(" + join(operands, "%a") + ") -> (" +
                       join(results, "") + ") {\n " + join(results, "%v") +
                       " = graph." + op + " " + names + " " + attributes +
                       " : " + join(operands.empty() ? results : operands, "") +
                       to + "\n return " + join(results, "%v") + " : " +
                       join(results, "") + "\n}";
    for (size_t at; (at = text.find('$')) != std::string::npos;)
      text.replace(at, 1, element);
    return text;
  }

  TestBatch batch_;
};
} // namespace

TEST_F(CopyCodegen, Transpose) {
  auto transpose = [&](const std::string &x, const std::string &perm,
                       const std::string &y) {
    expectMatches("transpose", "perm [" + perm + "]", {"tensor<" + x + "x$>"},
                  {"tensor<" + y + "x$>"});
  };
  transpose("3x5", "1, 0", "5x3");
  transpose("16x16", "1, 0", "16x16");
  transpose("37x70", "1, 0", "70x37");
  transpose("2x9x65", "0, 2, 1", "2x65x9");
  transpose("2x3x4x5", "0, 2, 1, 3", "2x4x3x5");
  transpose("7x5x33", "2, 0, 1", "33x7x5");
  transpose("4x3x17x2", "3, 1, 0, 2", "2x3x4x17");
  transpose("600x3", "1, 0", "3x600");
  transpose("9x700", "1, 0", "700x9");
  transpose("5x6000", "0, 1", "5x6000");
}

TEST_F(CopyCodegen, Slices) {
  expectMatches("slice", "begin [1, 0] size [2, 5]", {"tensor<4x5x$>"},
                {"tensor<2x5x$>"});
  expectMatches("slice", "begin [0, 3, 2] size [3, 4, 100]",
                {"tensor<3x9x130x$>"}, {"tensor<3x4x100x$>"});
  auto strided = [&](const std::string &x, const std::string &attributes,
                     const std::string &y) {
    std::string whole = "tensor<" + x + "x$>", part = "tensor<" + y + "x$>";
    expectMatches("strided_slice", attributes, {whole}, {part});
    expectMatches("strided_slice_grad", attributes, {part}, {whole},
                  " to " + whole);
  };
  strided("10", "begin [8] end [1] strides [-3]", "3");
  strided("7x200", "begin [-1, 0] end [-9, 200] strides [-2, 1]", "4x200");
  strided("6x150", "begin [1, -1] end [6, -151] strides [2, -1]", "3x150");
  strided("5x9x3", "begin [0, 1, 1] end [5, 9, 2] strides [1, 4, 1]", "5x2x1");
  strided("3x8x5", "begin [2, 6, 0] end [0, 1, 5] strides [-1, -2, 2]",
          "2x3x3");
}

TEST_F(CopyCodegen, Pads) {
  expectMatches("pad", "before [2] after [3] value 1.0", {"tensor<4x$>"},
                {"tensor<9x$>"});
  expectMatches("pad", "before [0, 1, 2, 0] after [0, 2, 1, 0] value 3.0",
                {"tensor<2x5x6x3x$>"}, {"tensor<2x8x9x3x$>"});
  expectMatches("pad", "before [1, 0] after [0, 90] value 0.0",
                {"tensor<3x20x$>"}, {"tensor<4x110x$>"});
  expectMatches("pad", "before [3] after [2] reflect", {"tensor<4x$>"},
                {"tensor<9x$>"});
  expectMatches("pad", "before [0, 2, 3, 1] after [0, 1, 4, 2] reflect",
                {"tensor<2x3x5x3x$>"}, {"tensor<2x6x12x6x$>"});
  expectMatches("pad", "before [0, 70] after [1, 80] reflect",
                {"tensor<2x100x$>"}, {"tensor<3x250x$>"});
}

// Of integers, what does not fit is the nearest number that does.
TEST_F(CopyCodegen, PadsWithAnyNumber) {
  for (const char *value : {"1.0e300", "-1.0e300", "0.3", "0x7FF8000000000000"})
    expectMatches("pad", std::string("before [1] after [0] value ") + value,
                  {"tensor<4x$>"}, {"tensor<5x$>"});
}

TEST_F(CopyCodegen, MirrorPadGrad) {
  auto grad = [&](const std::string &dy, const std::string &attributes,
                  const std::string &dx) {
    expectMatches("mirror_pad_grad", attributes, {"tensor<" + dy + "x$>"},
                  {"tensor<" + dx + "x$>"}, " to tensor<" + dx + "x$>");
  };
  grad("9", "before [3] after [2]", "4");
  grad("5", "before [0] after [0]", "5");
  grad("13", "before [4] after [4]", "5");
  grad("2x6x12x6", "before [0, 2, 3, 1] after [0, 1, 4, 2]", "2x3x5x3");
  grad("5x250", "before [1, 70] after [0, 80]", "4x100");
  grad("1x5", "before [0, 1] after [0, 1]", "1x3");
}

TEST_F(CopyCodegen, Tile) {
  expectMatches("tile", "multiples [3]", {"tensor<5x$>"}, {"tensor<15x$>"});
  expectMatches("tile", "multiples [2, 1, 3]", {"tensor<2x3x7x$>"},
                {"tensor<4x3x21x$>"});
  expectMatches("tile", "multiples [3, 4, 70]", {"tensor<1x5x1x$>"},
                {"tensor<3x20x70x$>"});
}

TEST_F(CopyCodegen, JoinsAndCuts) {
  expectMatches("concat", "axis 0", {"tensor<2x3x$>", "tensor<70x3x$>"},
                {"tensor<72x3x$>"});
  expectMatches("concat", "axis 1",
                {"tensor<3x4x5x$>", "tensor<3x1x5x$>", "tensor<3x40x5x$>"},
                {"tensor<3x45x5x$>"});
  expectMatches("concat", "axis 1", {"tensor<300x1x$>", "tensor<300x2x$>"},
                {"tensor<300x3x$>"});
  std::string small = "tensor<3x5x$>";
  expectMatches("stack", "axis 0", {small, small}, {"tensor<2x3x5x$>"});
  expectMatches("stack", "axis 2", {small, small, small}, {"tensor<3x5x3x$>"});
  expectMatches("split", "axis 1 sizes [2, 90, 1]", {"tensor<5x93x$>"},
                {"tensor<5x2x$>", "tensor<5x90x$>", "tensor<5x1x$>"});
  expectMatches("split", "axis 0 sizes [1, 1]", {"tensor<2x$>"},
                {"tensor<1x$>", "tensor<1x$>"});
  expectMatches("unstack", "axis 0", {"tensor<3x4x$>"},
                {"tensor<4x$>", "tensor<4x$>", "tensor<4x$>"});
  expectMatches("unstack", "axis 1", {"tensor<40x2x3x$>"},
                {"tensor<40x3x$>", "tensor<40x3x$>"});
  expectMatches("unstack", "axis 0", {"tensor<2x$>"},
                {"tensor<$>", "tensor<$>"});
}

// A view that nobody computes with is a copy.
TEST_F(CopyCodegen, Views) {
  expectMatches("expand_dims", "axis 1", {"tensor<3x5x$>"},
                {"tensor<3x1x5x$>"});
  expectMatches("squeeze", "axes [0, 2]", {"tensor<1x9x1x5x$>"},
                {"tensor<9x5x$>"});
  expectMatches("fill", "", {"tensor<$>"}, {"tensor<3x50x$>"},
                " to tensor<3x50x$>");
}

TEST_F(CopyCodegen, Range) {
  expectMatches("range", "from -3.7 by 0.3", {}, {"tensor<50x$>"});
  expectMatches("range", "from 1.0e30 by -1.0e29", {}, {"tensor<21x$>"});
  expectMatches("range", "from 4.0 by -2.5", {}, {"tensor<3x$>"});
  expectMatches("range", "from 0.0 by 3.0", {}, {"tensor<160x$>"});
}

TEST_F(CopyCodegen, Gather) {
  auto gather = [&](const std::string &x, const std::string &indices,
                    const std::string &axis, const std::string &y) {
    expectMatches("gather", "axis " + axis,
                  {"tensor<" + x + "x$>", "tensor<" + indices + ">"},
                  {"tensor<" + y + "x$>"});
  };
  gather("9x20", "7xi64", "0", "7x20");
  gather("9", "50xi32", "0", "50");
  gather("11x1", "3x4xi8", "0", "3x4x1");
  gather("3x10x5", "6xui8", "1", "3x6x5");
  gather("4x12", "2x9xi64", "1", "4x2x9");
  gather("5x12x3", "1xi64", "1", "5x1x3");
  expectMatches("gather", "axis 0", {"tensor<20x3x$>", "tensor<i32>"},
                {"tensor<3x$>"});
}

TEST_F(CopyCodegen, Scatter) {
  auto scatter = [&](const std::string &row, const std::string &rows,
                     const std::string &shape, const std::string &type) {
    std::string x = "tensor<" + rows + row + "x$>",
                indices = "tensor<" + shape + "x" + type + ">",
                updates = "tensor<" + shape + row + "x$>";
    expectMatches("scatter_add", "", {x, indices, updates}, {x});
    expectMatches("scatter_update", "", {x, indices, updates}, {x});
    if (shape.find('x') == std::string::npos)
      expectMatches("indexed_slices", "", {indices, updates}, {x}, " to " + x);
  };
  scatter("x20", "9", "30", "i64");
  scatter("", "9", "50", "i32");
  scatter("x3x50", "11", "2x10", "ui8");
  scatter("x64", "13", "7", "i8");
  scatter("x2", "700", "40", "i64");
}

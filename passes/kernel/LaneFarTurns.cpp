// x = m 2^e with m of 53 bits; x 2/pi modulo 4, in integers: of the bits of
// 2/pi, those above 4 / (m 2^e) make whole turns and fall away, and of those
// that follow 192 are enough. No f64 comes nearer than 2^-62 to a quarter turn,
// and what is cut off is below 2^-130.
//
// The code is long and rarely runs: it is one scalar function a module, called
// by one function for each width, and not part of the kernel's loops.
#include "passes/kernel/LaneFarTurns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/kernel/LaneFormat.h"

using namespace mlir;
using namespace dtc::kernel;

static constexpr double kNear = 0x1p50;

// 2/pi 2^1168, rounded down; the lowest word first, as they lie in memory.
static constexpr int64_t kTwoOverPiBits = 1168;
static constexpr uint64_t kTwoOverPi[] = {
    0x5fb11f8d5d085603, 0x39f78a5292ea6bfb, 0xbac7ebe5f17b3d07,
    0x3f669e5fea2d7527, 0x7ecf27cb09b74f46, 0x118b5a0a6d1f6d36,
    0x97ffde05980fef2f, 0x5f8bbdf9283b1ff8, 0xd639835339f49c84,
    0x7026b45f7e413991, 0x35f52ebb4484e99c, 0xeb1cb129a73ee882,
    0x2eea09d1921cfe1d, 0x6e3a424dd2e00649, 0x63abdebbc561b724,
    0x95993c439041fe51, 0x57d1f534ddc0db62, 0x836e4e441529fc27,
    0x000000000000a2f9};

static ModuleOp moduleOf(LaneBuilder &b) {
  return b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
}

/// The bits of 2/pi in memory.
static Value buildTable(LaneBuilder &b) {
  constexpr StringRef name = "dtc.two_over_pi";
  ModuleOp module = moduleOf(b);
  auto table = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!table) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    int64_t count = std::size(kTwoOverPi);
    auto words = DenseElementsAttr::get(
        RankedTensorType::get({count}, b.getI64Type()), ArrayRef(kTwoOverPi));
    table = LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI64Type(), count), /*isConstant=*/true,
        LLVM::Linkage::Internal, name, words, /*alignment=*/64);
  }
  return LLVM::AddressOfOp::create(b, table);
}

namespace {
/// Scalar integer arithmetic at any width.
class Integers {
public:
  explicit Integers(LaneBuilder &builder) : b(builder) {}

  Value number(Value like, int64_t value) {
    return b.integer(like.getType(), value, 1);
  }
  Value up(Value x, Value count) { return arith::ShLIOp::create(b, x, count); }
  Value up(Value x, int64_t count) { return up(x, number(x, count)); }
  Value down(Value x, int64_t count) {
    return arith::ShRUIOp::create(b, x, number(x, count));
  }
  Value low(Value x, unsigned bits) {
    return arith::TruncIOp::create(b, b.getIntegerType(bits), x);
  }
  Value extend(Value x, unsigned bits) {
    return arith::ExtUIOp::create(b, b.getIntegerType(bits), x);
  }
  Value negative(Value x) { return arith::SubIOp::create(b, number(x, 0), x); }
  Value isNegative(Value x) {
    return b.compare(arith::CmpIPredicate::slt, x, number(x, 0));
  }
  /// Of an integer below 2^53.
  Value toFloat(Value x) {
    return arith::UIToFPOp::create(b, b.getF64Type(), x);
  }

private:
  LaneBuilder &b;
};
} // namespace

/// m 2^e 2/pi modulo 4, in units of 2^-190, for the bits of x >= 2^50.
static Value buildQuarterTurns(LaneBuilder &b, Value bits) {
  Integers i(b);
  Value mantissa = arith::OrIOp::create(
      b, i.number(bits, int64_t(1) << 52),
      arith::AndIOp::create(b, bits, i.number(bits, (int64_t(1) << 52) - 1)));
  Value exponent =
      arith::AndIOp::create(b, i.down(bits, 52), i.number(bits, 0x7ff));
  // e = exponent - 1075. The lowest bit of 2/pi that counts, and the byte that
  // begins there or after; the mantissa moves by the bits between.
  Value lowest =
      arith::SubIOp::create(b, b.index(kTwoOverPiBits - 190 + 1075), exponent);
  Value byte = b.divIndex(b.addIndex(lowest, 7), 8);
  Value shift = arith::SubIOp::create(b, b.mulIndex(byte, 8), lowest);
  Value place = LLVM::GEPOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(),
      buildTable(b), ValueRange{byte}, LLVM::GEPNoWrapFlags::inbounds);
  Value window =
      LLVM::LoadOp::create(b, b.getIntegerType(192), place, /*alignment=*/1);
  return arith::MulIOp::create(b, window, i.extend(i.up(mantissa, shift), 192));
}

/// size 2^-128 pi/2 for an i128 above 0, to the last place.
static Value buildAngle(LaneBuilder &b, Value size) {
  Integers i(b);
  Value zeros = math::CountLeadingZerosOp::create(b, size);
  Value top = i.low(i.down(i.up(size, zeros), 64), 64);
  // Two halves of 32 bits are exact in f64, and so is the first's product.
  Value high =
      b.mul(i.toFloat(i.down(top, 32)), b.number(b.getF64Type(), 0x1p-32, 1));
  Value low = b.mul(i.toFloat(i.extend(i.low(top, 32), 64)),
                    b.number(b.getF64Type(), 0x1p-64, 1));
  Lanes lanes(b, high);
  Value halfPi = lanes.number(0x1.921fb54442d18p+0);
  Value product = b.mul(high, halfPi);
  Value rest = b.fma(high, halfPi, arith::NegFOp::create(b, product));
  rest = b.fma(low, halfPi, rest);
  rest = b.fma(high, lanes.number(0x1.1a62633145c07p-54), rest);
  return b.mul(b.add(product, rest), lanes.power(i.negative(i.low(zeros, 64))));
}

/// sin(x + quarters pi/2) of one f64, |x| >= 2^50.
static Value buildFarSine(LaneBuilder &b, Value x, Value quarters) {
  Integers i(b);
  Lanes lanes(b, x);
  Value turns = buildQuarterTurns(b, lanes.toBits(x));
  // From -1/2 to 1/2 of a quarter turn, in units of 2^-192.
  Value rest = i.up(turns, 2);
  Value isBelow = i.isNegative(rest);
  Value whole =
      arith::AddIOp::create(b, i.low(i.down(turns, 190), 64),
                            arith::ExtUIOp::create(b, b.getI64Type(), isBelow));
  Value size = b.select(isBelow, i.negative(rest), rest);
  Value angle = buildAngle(b, i.low(i.down(size, 64), 128));
  angle = b.select(isBelow, arith::NegFOp::create(b, angle), angle);
  Value isNegative = i.isNegative(lanes.toBits(x));
  whole = b.select(isNegative, i.negative(whole), whole);
  angle = lanes.flipSign(angle, lanes.toBits(x));
  Value sine = buildSineOf(
      b, {angle, arith::AddIOp::create(b, whole, quarters)}, /*isDouble=*/true);
  Value infinity = lanes.number(std::numeric_limits<double>::infinity());
  Value isFinite =
      b.compare(arith::CmpFPredicate::OLT, lanes.absolute(x), infinity);
  return b.select(isFinite, sine, b.sub(x, x));
}

/// The function `name` of the module; `body` makes its result.
static LLVM::LLVMFuncOp
function(LaneBuilder &b, const Twine &name, Type result,
         ArrayRef<Type> operands,
         function_ref<Value(ValueRange arguments)> body) {
  ModuleOp module = moduleOf(b);
  std::string symbol = name.str();
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol))
    return found;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, symbol, LLVM::LLVMFunctionType::get(result, operands),
      LLVM::Linkage::Internal);
  // Cold: its call weighs nothing against the loop around it.
  function.setPassthroughAttr(b.getStrArrayAttr({"cold", "noinline"}));
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  LLVM::ReturnOp::create(b, body(entry->getArguments()));
  return function;
}

static LLVM::LLVMFuncOp scalarFunction(LaneBuilder &b) {
  Type f64 = b.getF64Type();
  return function(b, "dtc.far_sine", f64, {f64, b.getI64Type()},
                  [&](ValueRange in) { return buildFarSine(b, in[0], in[1]); });
}

static Value isFar(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  return b.compare(arith::CmpFPredicate::OGE, lanes.absolute(x),
                   lanes.number(kNear));
}

static Value callScalar(LaneBuilder &b, Value x, Value quarters) {
  return LLVM::CallOp::create(b, scalarFunction(b), ValueRange{x, quarters})
      .getResult();
}

/// (x, near, quarters) -> near, with the lanes of far x replaced.
static LLVM::LLVMFuncOp vectorFunction(LaneBuilder &b, VectorType type) {
  int64_t width = type.getNumElements();
  auto body = [&](ValueRange in) {
    Value x = in[0], quarters = in[2];
    auto replace = [&](Value lane, ValueRange carried) -> SmallVector<Value> {
      Value scalar = vector::ExtractOp::create(b, x, lane);
      Value old = vector::ExtractOp::create(b, carried[0], lane);
      auto choice = scf::IfOp::create(b, b.getF64Type(), isFar(b, scalar),
                                      /*withElseRegion=*/true);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(choice.thenBlock());
        scf::YieldOp::create(b, callScalar(b, scalar, quarters));
        b.setInsertionPointToStart(choice.elseBlock());
        scf::YieldOp::create(b, old);
      }
      return {
          vector::InsertOp::create(b, choice.getResult(0), carried[0], lane)};
    };
    return b.loop(b.index(0), b.index(width), 1, in[1], replace)[0];
  };
  return function(b, "dtc.far_sines" + Twine(width), type,
                  {type, type, b.getI64Type()}, body);
}

Value dtc::kernel::replaceFarSines(LaneBuilder &b, Value x, Value near,
                                   int64_t quarters) {
  Value far = isFar(b, x);
  auto type = dyn_cast<VectorType>(x.getType());
  Value isAny =
      type ? vector::ReductionOp::create(b, vector::CombiningKind::OR, far)
                 .getResult()
           : far;
  auto choice = scf::IfOp::create(b, x.getType(), isAny,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value count = b.index(quarters);
  Value replaced = type ? LLVM::CallOp::create(b, vectorFunction(b, type),
                                               ValueRange{x, near, count})
                              .getResult()
                        : callScalar(b, x, count);
  scf::YieldOp::create(b, replaced);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, near);
  return choice.getResult(0);
}

//===- PtxArithmetic.cpp - What one PTX instruction computes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides the LLVM code for arithmetic of one lane. A modifier that is not
// named here changes the result in a way this file does not know, so the
// instruction is refused; approximate instructions give accurate results.
//
//===----------------------------------------------------------------------===//
#include "Ptx.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace echo::cpudevice {

std::optional<PtxType> PtxType::parse(StringRef Text) {
  PtxType T;
  if (Text == "pred")
    return PtxType{Predicate, 1, 1};
  if (Text.consume_front("bf"))
    T.Kind = BFloat;
  else if (Text.consume_front("f"))
    T.Kind = Float;
  else if (Text.consume_front("s"))
    T.Kind = Signed;
  else if (Text.consume_front("u"))
    T.Kind = Unsigned;
  else if (!Text.consume_front("b"))
    return std::nullopt;
  if (Text.consume_back("x2"))
    T.Lanes = 2;
  if (Text.getAsInteger(10, T.Width) || !isPowerOf2_32(T.Width) ||
      T.Width < 8 || T.Width > 64)
    return std::nullopt;
  return T;
}
namespace {

bool has(ArrayRef<std::string> Mods, StringRef Name) {
  return is_contained(Mods, Name);
}

bool onlyThese(ArrayRef<std::string> Mods, ArrayRef<StringRef> Known) {
  return all_of(Mods, [&](const std::string &M) {
    return is_contained(Known, StringRef(M));
  });
}

} // namespace

Value *PtxArithmetic::unary(Intrinsic::ID ID, Value *V) {
  return B.CreateUnaryIntrinsic(ID, V);
}

Value *PtxArithmetic::extendBFloat(Value *Bits) {
  Value *Wide = B.CreateShl(B.CreateZExt(Bits, B.getInt32Ty()), 16);
  return B.CreateBitCast(Wide, B.getFloatTy());
}

Value *PtxArithmetic::roundToBFloat(Value *V) {
  Value *Bits = B.CreateBitCast(V, B.getInt32Ty());
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, 16), 1);
  Value *Rounded = B.CreateAdd(Bits, B.CreateAdd(Odd, B.getInt32(0x7fff)));
  Value *Result = B.CreateTrunc(B.CreateLShr(Rounded, 16), B.getInt16Ty());
  return B.CreateSelect(B.CreateFCmpUNO(V, V), B.getInt16(0x7fff), Result);
}

Value *PtxArithmetic::emit(StringRef Op, ArrayRef<std::string> Mods,
                           const PtxType &T, ArrayRef<Value *> Args) {
  static const StringMap<unsigned> Counts = {
      {"add", 2},  {"sub", 2}, {"mul", 2},  {"div", 2},     {"rem", 2},
      {"min", 2},  {"max", 2}, {"and", 2},  {"or", 2},      {"xor", 2},
      {"shl", 2},  {"shr", 2}, {"fma", 3},  {"mad", 3},     {"abs", 1},
      {"neg", 1},  {"not", 1}, {"sqrt", 1}, {"rcp", 1},     {"rsqrt", 1},
      {"ex2", 1},  {"lg2", 1}, {"sin", 1},  {"cos", 1},     {"tanh", 1},
      {"popc", 1}, {"clz", 1}, {"brev", 1}, {"copysign", 2}};
  auto It = Counts.find(Op);
  if (It == Counts.end() || It->second != Args.size())
    return nullptr;
  return T.isFloat() ? floating(Op, Mods, Args) : integer(Op, Mods, T, Args);
}

Value *PtxArithmetic::floating(StringRef Op, ArrayRef<std::string> Mods,
                               ArrayRef<Value *> Args) {
  if (!onlyThese(
          Mods, {"rn", "ftz", "approx", "full", "noftz", "sat", "relu", "NaN"}))
    return nullptr;
  Value *X = Args[0], *Y = Args.size() > 1 ? Args[1] : nullptr, *R = nullptr;
  Constant *One = ConstantFP::get(X->getType(), 1.0);
  const bool NaN = has(Mods, "NaN");
  if (Op == "add")
    R = B.CreateFAdd(X, Y);
  else if (Op == "sub")
    R = B.CreateFSub(X, Y);
  else if (Op == "mul")
    R = B.CreateFMul(X, Y);
  else if (Op == "div")
    R = B.CreateFDiv(X, Y);
  else if (Op == "fma" || Op == "mad")
    R = B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, Args);
  else if (Op == "min")
    R = B.CreateBinaryIntrinsic(NaN ? Intrinsic::minimum : Intrinsic::minnum, X,
                                Y);
  else if (Op == "max")
    R = B.CreateBinaryIntrinsic(NaN ? Intrinsic::maximum : Intrinsic::maxnum, X,
                                Y);
  else if (Op == "copysign")
    R = B.CreateBinaryIntrinsic(Intrinsic::copysign, Y, X);
  else if (Op == "abs")
    R = unary(Intrinsic::fabs, X);
  else if (Op == "neg")
    R = B.CreateFNeg(X);
  else if (Op == "sqrt")
    R = unary(Intrinsic::sqrt, X);
  else if (Op == "rcp")
    R = B.CreateFDiv(One, X);
  else if (Op == "rsqrt")
    R = B.CreateFDiv(One, unary(Intrinsic::sqrt, X));
  else if (Op == "ex2")
    R = unary(Intrinsic::exp2, X);
  else if (Op == "lg2")
    R = unary(Intrinsic::log2, X);
  else if (Op == "sin")
    R = unary(Intrinsic::sin, X);
  else if (Op == "cos")
    R = unary(Intrinsic::cos, X);
  else if (Op == "tanh")
    R = unary(Intrinsic::tanh, X);
  if (!R)
    return nullptr;
  // Saturation and relu send NaN to 0.
  Constant *Zero = ConstantFP::get(X->getType(), 0.0);
  if (has(Mods, "sat") || has(Mods, "relu"))
    R = B.CreateBinaryIntrinsic(Intrinsic::maxnum, R, Zero);
  if (has(Mods, "sat"))
    R = B.CreateBinaryIntrinsic(Intrinsic::minnum, R, One);
  return R;
}

Value *PtxArithmetic::product(ArrayRef<std::string> Mods, const PtxType &T,
                              Value *X, Value *Y) {
  if (!has(Mods, "hi") && !has(Mods, "wide"))
    return B.CreateMul(X, Y);
  const bool IsSigned = T.Kind == PtxType::Signed;
  Type *Wide = B.getIntNTy(2 * T.Width);
  Value *P = B.CreateMul(B.CreateIntCast(X, Wide, IsSigned),
                         B.CreateIntCast(Y, Wide, IsSigned));
  if (has(Mods, "wide"))
    return P;
  return B.CreateTrunc(B.CreateLShr(P, T.Width), X->getType());
}

Value *PtxArithmetic::shift(bool Left, const PtxType &T, Value *X, Value *Y) {
  // PTX clamps the count; a signed right shift then keeps the sign.
  Value *Count = B.CreateIntCast(Y, X->getType(), false);
  Value *Limit = ConstantInt::get(X->getType(), T.Width - 1);
  Value *Over = B.CreateICmpUGT(Count, Limit);
  Value *Safe = B.CreateSelect(Over, Limit, Count);
  if (!Left && T.Kind == PtxType::Signed)
    return B.CreateAShr(X, Safe);
  Value *R = Left ? B.CreateShl(X, Safe) : B.CreateLShr(X, Safe);
  return B.CreateSelect(Over, ConstantInt::get(X->getType(), 0), R);
}

// A GPU does not trap, and the predicate of the instruction may be false: PTX
// leaves a division by 0 open, and the smallest number by -1 wraps.
Value *PtxArithmetic::safeDivisor(Value *X, Value *Y, bool IsSigned) {
  Type *T = Y->getType();
  Value *Traps = B.CreateIsNull(Y);
  if (IsSigned) {
    Constant *Least =
        ConstantInt::get(T, APInt::getSignedMinValue(T->getIntegerBitWidth()));
    Traps = B.CreateOr(
        Traps, B.CreateAnd(B.CreateICmpEQ(X, Least),
                           B.CreateICmpEQ(Y, Constant::getAllOnesValue(T))));
  }
  // By 1, the smallest number is itself, and leaves no rest.
  return B.CreateSelect(Traps, ConstantInt::get(T, 1), Y);
}

Value *PtxArithmetic::integer(StringRef Op, ArrayRef<std::string> Mods,
                              const PtxType &T, ArrayRef<Value *> Args) {
  if (!onlyThese(Mods, {"lo", "hi", "wide"}))
    return nullptr;
  const bool IsSigned = T.Kind == PtxType::Signed;
  Value *X = Args[0], *Y = Args.size() > 1 ? Args[1] : nullptr;
  if (Op == "mad") {
    Value *P = product(Mods, T, X, Y);
    return B.CreateAdd(P, B.CreateIntCast(Args[2], P->getType(), IsSigned));
  }
  if (Op == "mul")
    return product(Mods, T, X, Y);
  if (Op == "shl" || Op == "shr")
    return shift(Op == "shl", T, X, Y);
  if (Op == "abs")
    return B.CreateBinaryIntrinsic(Intrinsic::abs, X, B.getFalse());
  if (Op == "clz")
    return B.CreateIntCast(
        B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()),
        B.getInt32Ty(), false);
  if (Op == "popc")
    return B.CreateIntCast(unary(Intrinsic::ctpop, X), B.getInt32Ty(), false);
  if (Op == "brev")
    return unary(Intrinsic::bitreverse, X);
  if (Op == "neg")
    return B.CreateNeg(X);
  if (Op == "not")
    return B.CreateNot(X);
  if (Op == "min")
    return B.CreateBinaryIntrinsic(IsSigned ? Intrinsic::smin : Intrinsic::umin,
                                   X, Y);
  if (Op == "max")
    return B.CreateBinaryIntrinsic(IsSigned ? Intrinsic::smax : Intrinsic::umax,
                                   X, Y);
  auto Opcode =
      StringSwitch<Instruction::BinaryOps>(Op)
          .Case("add", Instruction::Add)
          .Case("sub", Instruction::Sub)
          .Case("and", Instruction::And)
          .Case("or", Instruction::Or)
          .Case("xor", Instruction::Xor)
          .Case("div", IsSigned ? Instruction::SDiv : Instruction::UDiv)
          .Case("rem", IsSigned ? Instruction::SRem : Instruction::URem)
          .Default(Instruction::BinaryOpsEnd);
  if (Opcode == Instruction::BinaryOpsEnd)
    return nullptr;
  if (Op == "div" || Op == "rem")
    Y = safeDivisor(X, Y, IsSigned);
  return B.CreateBinOp(Opcode, X, Y);
}

Value *PtxArithmetic::compare(StringRef Relation, const PtxType &T, Value *L,
                              Value *R) {
  using P = CmpInst::Predicate;
  P Predicate = CmpInst::BAD_ICMP_PREDICATE;
  if (T.isFloat())
    Predicate = StringSwitch<P>(Relation)
                    .Case("eq", P::FCMP_OEQ)
                    .Case("ne", P::FCMP_ONE)
                    .Case("lt", P::FCMP_OLT)
                    .Case("le", P::FCMP_OLE)
                    .Case("gt", P::FCMP_OGT)
                    .Case("ge", P::FCMP_OGE)
                    .Case("equ", P::FCMP_UEQ)
                    .Case("neu", P::FCMP_UNE)
                    .Case("ltu", P::FCMP_ULT)
                    .Case("leu", P::FCMP_ULE)
                    .Case("gtu", P::FCMP_UGT)
                    .Case("geu", P::FCMP_UGE)
                    .Case("num", P::FCMP_ORD)
                    .Case("nan", P::FCMP_UNO)
                    .Default(P::BAD_ICMP_PREDICATE);
  else
    Predicate = StringSwitch<P>(Relation)
                    .Case("eq", P::ICMP_EQ)
                    .Case("ne", P::ICMP_NE)
                    .Cases({"lt", "lo"}, P::ICMP_ULT)
                    .Cases({"le", "ls"}, P::ICMP_ULE)
                    .Cases({"gt", "hi"}, P::ICMP_UGT)
                    .Cases({"ge", "hs"}, P::ICMP_UGE)
                    .Default(P::BAD_ICMP_PREDICATE);
  if (Predicate == P::BAD_ICMP_PREDICATE)
    return nullptr;
  if (T.Kind == PtxType::Signed && CmpInst::isUnsigned(Predicate))
    Predicate = ICmpInst::getSignedPredicate(Predicate);
  return B.CreateCmp(Predicate, L, R);
}

Value *PtxArithmetic::convert(ArrayRef<std::string> Mods, const PtxType &To,
                              const PtxType &From, Value *V) {
  if (!onlyThese(Mods, {"rn", "rni", "rzi", "rmi", "rpi", "ftz", "sat"}))
    return nullptr;
  if (From.isFloat()) {
    Intrinsic::ID Round = has(Mods, "rni")   ? Intrinsic::rint
                          : has(Mods, "rzi") ? Intrinsic::trunc
                          : has(Mods, "rmi") ? Intrinsic::floor
                          : has(Mods, "rpi") ? Intrinsic::ceil
                                             : Intrinsic::not_intrinsic;
    if (Round != Intrinsic::not_intrinsic)
      V = unary(Round, V);
    if (!To.isFloat())
      return saturatedInteger(B, V, To.Width, To.Kind == PtxType::Signed);
  }
  Type *T = To.Kind == PtxType::BFloat || To.Width == 32 ? B.getFloatTy()
            : To.Width == 64                             ? B.getDoubleTy()
                                                         : B.getHalfTy();
  if (!To.isFloat()) {
    if (has(Mods, "sat"))
      return nullptr;
    return B.CreateIntCast(V, B.getIntNTy(To.Width),
                           From.Kind == PtxType::Signed);
  }
  if (!From.isFloat())
    V = From.Kind == PtxType::Signed ? B.CreateSIToFP(V, T)
                                     : B.CreateUIToFP(V, T);
  else
    V = B.CreateFPCast(V, T);
  if (has(Mods, "sat")) {
    V = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, ConstantFP::get(T, 0.0));
    V = B.CreateBinaryIntrinsic(Intrinsic::minnum, V, ConstantFP::get(T, 1.0));
  }
  return V;
}

} // namespace echo::cpudevice

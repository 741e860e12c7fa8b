//===- PtxValues.cpp - Registers of inline PTX ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between PTX's untyped registers and LLVM's typed values.
//
//===----------------------------------------------------------------------===//
#include "PtxValues.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {

Value *PtxValues::as(Value *V, Type *T) {
  if (!V || V->getType() == T)
    return V;
  unsigned From = V->getType()->getPrimitiveSizeInBits();
  unsigned To = T->getPrimitiveSizeInBits();
  if (V->getType()->isPointerTy())
    return as(B.CreatePtrToInt(V, B.getInt64Ty()), T);
  if (T->isPointerTy())
    return From == 64 ? B.CreateIntToPtr(as(V, B.getInt64Ty()), T) : nullptr;
  if (From == To)
    return B.CreateBitCast(V, T);
  if (!V->getType()->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(From));
  return B.CreateBitCast(B.CreateZExtOrTrunc(V, B.getIntNTy(To)), T);
}

Value *PtxValues::immediate(StringRef Text, unsigned Bits) {
  uint64_t N;
  if (Text == "WARP_SZ")
    return B.getIntN(Bits, 32);
  if (Text.starts_with("0f") || Text.starts_with("0F") ||
      Text.starts_with("0d") || Text.starts_with("0D"))
    return Text.substr(2).getAsInteger(16, N) ? nullptr : B.getIntN(Bits, N);
  const bool Negative = Text.consume_front("-");
  Text.consume_back("U");
  if (Text.getAsInteger(0, N))
    return nullptr;
  return ConstantInt::get(B.getIntNTy(Bits), Negative ? -N : N, false, true);
}

Value *PtxValues::read(StringRef Name, unsigned Bits) {
  if (Name.starts_with("%"))
    return special(Name.drop_front(), Bits);
  Value *V = Registers.lookup(Name);
  if (!V)
    return immediate(Name, Bits);
  return as(V, B.getIntNTy(Bits));
}

Value *PtxValues::special(StringRef Name, unsigned Bits) {
  std::string Full = "llvm.nvvm.read.ptx.sreg." + Name.str();
  std::replace(Full.begin(), Full.end(), '_', '.');
  Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Full);
  if (ID == Intrinsic::not_intrinsic)
    return nullptr;
  Function *F = Intrinsic::getOrInsertDeclaration(Unit.Device.get(), ID);
  CallInst *New = B.CreateCall(F);
  return as(keep(New), B.getIntNTy(Bits));
}

Value *PtxValues::keep(CallInst *New) {
  Emitted.push_back(New);
  return New;
}

SmallVector<Value *> PtxValues::lanes(Value *V, const PtxType &T) {
  SmallVector<Value *> Result;
  V = as(V, B.getIntNTy(T.totalBits()));
  for (unsigned Lane = 0; V && Lane != T.Lanes; ++Lane) {
    Value *Bits = B.CreateTrunc(B.CreateLShr(V, uint64_t(Lane) * T.Width),
                                B.getIntNTy(T.Width));
    if (T.Kind == PtxType::BFloat)
      Bits = Arithmetic.extendBFloat(Bits);
    else if (T.Kind == PtxType::Float)
      Bits = B.CreateBitCast(Bits, T.Width == 16   ? B.getHalfTy()
                                   : T.Width == 32 ? B.getFloatTy()
                                                   : B.getDoubleTy());
    Result.push_back(Bits);
  }
  return Result;
}

Value *PtxValues::pack(ArrayRef<Value *> Values, const PtxType &T) {
  if (Values.size() == 1 && T.Kind != PtxType::BFloat)
    return Values[0];
  Type *Whole = B.getIntNTy(T.Width * Values.size());
  Value *Result = ConstantInt::get(Whole, 0);
  for (auto [Lane, V] : enumerate(Values)) {
    Value *Bits = T.Kind == PtxType::BFloat ? Arithmetic.roundToBFloat(V)
                                            : as(V, B.getIntNTy(T.Width));
    Result = B.CreateOr(Result,
                        B.CreateShl(B.CreateZExt(Bits, Whole), Lane * T.Width));
  }
  return Result;
}

bool PtxValues::write(const PtxStatement &S, StringRef Name, Value *V) {
  if (!V)
    return false;
  if (Name == "_")
    return true;
  if (!S.Predicate.empty()) {
    Value *P = Registers.lookup(S.Predicate), *Old = Registers.lookup(Name);
    if (!P)
      return false;
    P = as(P, B.getInt1Ty());
    Old = Old ? as(Old, V->getType()) : Constant::getNullValue(V->getType());
    V = S.Negated ? B.CreateSelect(P, Old, V) : B.CreateSelect(P, V, Old);
  }
  Registers[Name] = V;
  return true;
}

} // namespace echo::cpudevice

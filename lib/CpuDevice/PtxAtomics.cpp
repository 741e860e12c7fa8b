//===- PtxAtomics.cpp - Inline PTX that changes memory at once ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads operation, type and modifiers of atom and red. bf16, of which the host
// has no atomic sum, is refused.
//
//===----------------------------------------------------------------------===//
#include "PtxAtomics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {

static constexpr auto Order = AtomicOrdering::SequentiallyConsistent;

/// What \p Op does with values of type \p T, or BAD_BINOP.
static AtomicRMWInst::BinOp operation(StringRef Op, const PtxType &T) {
  constexpr auto Bad = AtomicRMWInst::BAD_BINOP;
  if (T.isFloat())
    return Op == "add" ? AtomicRMWInst::FAdd : Bad;
  const bool Signed = T.Kind == PtxType::Signed;
  const bool Counts = T.Kind == PtxType::Unsigned && T.Width == 32;
  return StringSwitch<AtomicRMWInst::BinOp>(Op)
      .Case("add", AtomicRMWInst::Add)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("exch", AtomicRMWInst::Xchg)
      .Case("max", Signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
      .Case("min", Signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
      .Case("inc", Counts ? AtomicRMWInst::UIncWrap : Bad)
      .Case("dec", Counts ? AtomicRMWInst::UDecWrap : Bad)
      .Default(Bad);
}

/// The operation that a mnemonic names; empty where a modifier is not known.
static StringRef operationName(const PtxStatement &S) {
  static const StringRef Plain[] = {"global", "generic", "relaxed", "gpu",
                                    "cta",    "sys",     "noftz"};
  StringRef Op;
  for (size_t I = 1; I + 1 < S.Mnemonic.size(); ++I) {
    StringRef M = S.Mnemonic[I];
    if (is_contained(Plain, M))
      continue;
    if (!Op.empty())
      return {};
    Op = M;
  }
  return Op;
}

Value *PtxAtomics::address(const PtxOperand &O) {
  Value *Base = Registers.lookup(O.Parts[0]);
  // A 32-bit address is one of shared memory's own space.
  if (!O.IsAddress || !Base ||
      (Base->getType()->isIntegerTy() && !Base->getType()->isIntegerTy(64)))
    return nullptr;
  return B.CreateConstGEP1_64(B.getInt8Ty(), as(Base, B.getPtrTy()), O.Offset);
}

/// The type that LLVM adds and compares in.
static Type *typeOf(IRBuilder<> &B, const PtxType &T) {
  if (!T.isFloat())
    return B.getIntNTy(T.Width);
  Type *One = T.Width == 16   ? B.getHalfTy()
              : T.Width == 32 ? B.getFloatTy()
                              : B.getDoubleTy();
  return T.Lanes == 1 ? One : FixedVectorType::get(One, T.Lanes);
}

bool PtxAtomics::atomic(const PtxStatement &S) {
  const size_t First = S.Mnemonic[0] == "atom" ? 1 : 0;
  auto T = PtxType::parse(S.Mnemonic.back());
  StringRef Op = operationName(S);
  if (!T || T->Kind == PtxType::BFloat || T->Kind == PtxType::Predicate ||
      (T->Lanes != 1 && !T->isFloat()) || Op.empty() ||
      S.Operands.size() != First + (Op == "cas" ? 3 : 2))
    return false;
  Value *At = address(S.Operands[First]);
  Type *Bits = B.getIntNTy(T->totalBits());
  SmallVector<Value *> Values;
  for (size_t I = First + 1; I != S.Operands.size(); ++I) {
    Value *V = as(read(S.Operands[I].Parts[0], T->totalBits()), Bits);
    if (!V)
      return false;
    Values.push_back(B.CreateBitCast(V, typeOf(B, *T)));
  }
  const Align Natural(T->totalBits() / 8);
  Value *Old;
  if (Op == "cas") {
    if (!At || T->isFloat())
      return false;
    auto *CAS =
        B.CreateAtomicCmpXchg(At, Values[0], Values[1], Natural, Order, Order);
    Old = B.CreateExtractValue(CAS, 0);
  } else {
    AtomicRMWInst::BinOp Kind = operation(Op, *T);
    if (!At || Kind == AtomicRMWInst::BAD_BINOP)
      return false;
    Old = B.CreateAtomicRMW(Kind, At, Values[0], Natural, Order);
  }
  return !First || write(S, S.Operands[0].Parts[0], B.CreateBitCast(Old, Bits));
}

} // namespace echo::cpudevice

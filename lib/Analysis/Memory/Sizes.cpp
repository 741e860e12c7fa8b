//===- Sizes.cpp - Are two byte counts the same? --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SCEVs are unique per expression, so equality is identity. All are brought to
// 64 bits first.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory/Sizes.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace echo {

/// \p V as an expression. LLVM writes (long)(int)(n * 320) as an arithmetic
/// shift of n * (320 << 32), which scalar evolution does not look into.
const SCEV *Sizes::number(Value *V) const {
  using namespace PatternMatch;
  Value *X;
  const APInt *By, *Shift;
  if (!match(V, m_AShr(m_Mul(m_Value(X), m_APInt(By)), m_APInt(Shift))) ||
      Shift->uge(Shift->getBitWidth()) ||
      By->countr_zero() < Shift->getZExtValue())
    return SE.getSCEV(V);
  Type *Low = IntegerType::get(SE.getContext(),
                               Shift->getBitWidth() - Shift->getZExtValue());
  const SCEV *Product = SE.getMulExpr(
      SE.getTruncateOrNoop(SE.getSCEV(X), Low),
      SE.getConstant(By->lshr(*Shift).trunc(Low->getIntegerBitWidth())));
  return SE.getNoopOrSignExtend(Product, V->getType());
}

const SCEV *Sizes::product(ArrayRef<Value *> Factors, uint64_t Constant) const {
  Type *I64 = Type::getInt64Ty(SE.getContext());
  const SCEV *P = SE.getConstant(I64, Constant), *Wide = P;
  for (Value *F : Factors) {
    const SCEV *Plain = SE.getTruncateOrZeroExtend(number(F), I64);
    P = SE.getMulExpr(P, Plain);
    Wide = SE.getMulExpr(Wide, F->getType() == I64 ? wide(F) : Plain);
  }
  return Same.try_emplace(Wide, P).first->second;
}

/// \p V as 64 bits, where int factors are extended before they are multiplied:
/// n * m * sizeof(T) multiplies ints first, sizeof(T) * n * m does not, and an
/// int product that overflows is undefined.
const SCEV *Sizes::wide(Value *V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 6;
  Type *I64 = Type::getInt64Ty(SE.getContext());
  const SCEV *Plain = SE.getNoopOrSignExtend(number(V), I64);
  if (auto *Extend = dyn_cast<SExtInst>(V))
    V = Extend->getOperand(0);
  else if (auto *Extend = dyn_cast<ZExtInst>(V); Extend && Extend->hasNonNeg())
    V = Extend->getOperand(0);
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || Depth == MaxDepth || Op->getType()->getIntegerBitWidth() > 64)
    return Plain;
  // In 64 bits products are the same with and without overflow.
  bool Exact = Op->getType() == I64 ||
               (isa<OverflowingBinaryOperator>(Op) && Op->hasNoSignedWrap());
  auto *By = dyn_cast<ConstantInt>(Op->getOperand(1));
  if (Exact && Op->getOpcode() == Instruction::Mul)
    return SE.getMulExpr(wide(Op->getOperand(0), Depth + 1),
                         wide(Op->getOperand(1), Depth + 1));
  if (Exact && By && Op->getOpcode() == Instruction::Shl &&
      By->getValue().ult(Op->getType()->getIntegerBitWidth() - 1))
    return SE.getMulExpr(wide(Op->getOperand(0), Depth + 1),
                         SE.getConstant(I64, 1ull << By->getZExtValue()));
  return Plain;
}

const SCEV *Sizes::difference(Value *A, Value *B) const {
  auto Number = [&](Value *V) {
    const SCEV *S = SE.getSCEV(V);
    return V->getType()->isPointerTy()
               ? SE.getPtrToIntExpr(S, SE.getEffectiveSCEVType(V->getType()))
               : S;
  };
  const SCEV *NumberA = Number(A), *NumberB = Number(B);
  if (isa<SCEVCouldNotCompute>(NumberA) || isa<SCEVCouldNotCompute>(NumberB))
    return SE.getCouldNotCompute();
  return SE.getMinusSCEV(NumberA, NumberB);
}

/// The constant factor of product \p S, or one.
static APInt constantFactor(const SCEV *S, unsigned Bits) {
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt();
  const auto *M = dyn_cast<SCEVMulExpr>(S);
  return M && isa<SCEVConstant>(M->getOperand(0))
             ? cast<SCEVConstant>(M->getOperand(0))->getAPInt()
             : APInt(Bits, 1);
}

/// \p S without constant factors and conversions: where it is 0, \p S is. With
/// \p Equivalent also the other way around: of 2^k * X only the bits of X
/// matter that are not shifted out.
const SCEV *Sizes::factorThatVaries(const SCEV *S, bool Equivalent) const {
  while (true) {
    if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S) ||
        (isa<SCEVTruncateExpr>(S) && !Equivalent)) {
      S = cast<SCEVCastExpr>(S)->getOperand();
      continue;
    }
    unsigned Bits = SE.getTypeSizeInBits(S->getType());
    APInt Factor(Bits, 0);
    const auto *Sum = dyn_cast<SCEVAddExpr>(S);
    // 8 * (n + 1024) is written as 8 * n + 8192.
    for (const SCEV *Op : Sum ? Sum->operands() : ArrayRef(S))
      Factor = APIntOps::GreatestCommonDivisor(Factor,
                                               constantFactor(Op, Bits).abs());
    if (isa<SCEVConstant>(S) || Factor.isOne())
      return S;
    bool Wraps =
        !isa<SCEVMulExpr>(S) || !cast<SCEVMulExpr>(S)->hasNoUnsignedWrap();
    SmallVector<const SCEV *, 4> Rest;
    for (const SCEV *Op : Sum ? Sum->operands() : ArrayRef(S)) {
      APInt Of = constantFactor(Op, Bits);
      const SCEV *Other = SE.getOne(Op->getType());
      if (const auto *M = dyn_cast<SCEVMulExpr>(Op)) {
        SmallVector<const SCEV *, 4> Factors(M->operands().drop_front());
        Other = SE.getMulExpr(Factors);
      }
      Rest.push_back(SE.getMulExpr(SE.getConstant(Of.sdiv(Factor)), Other));
    }
    S = SE.getAddExpr(Rest);
    unsigned Lost = Factor.countTrailingZeros();
    if (Equivalent && Lost && Wraps)
      S = SE.getTruncateExpr(S, IntegerType::get(SE.getContext(), Bits - Lost));
  }
}

const SCEV *Sizes::offset(Value *Pointer, Value *Base) const {
  const SCEV *Offset = SE.getMinusSCEV(SE.getSCEV(Pointer), SE.getSCEV(Base));
  return isa<SCEVCouldNotCompute>(Offset) ? nullptr : Offset;
}

bool Sizes::sameNumber(Value *A, Value *B) const {
  return A == B || equal(product({A}), product({B}));
}

bool Sizes::isZeroWhereEqual(Value *A, Value *B, const SCEV *Bytes) const {
  if (!A->getType()->isIntegerTy() && !A->getType()->isPointerTy())
    return false;
  const SCEV *Plain = factorThatVaries(Bytes, false);
  const SCEV *Exact = factorThatVaries(Bytes, true);
  for (auto [From, To] : {std::pair(A, B), std::pair(B, A)}) {
    const SCEV *Difference = factorThatVaries(difference(From, To), true);
    if (Difference == Plain || Difference == Exact)
      return true;
  }
  return false;
}

/// new T[n] asks for all ones where n * sizeof(T) overflows, which no
/// allocator grants: where the buffer exists its size is the product.
static Value *withoutOverflow(Value *Size) {
  auto *S = dyn_cast<SelectInst>(Size);
  if (!S)
    return Size;
  if (match(S->getTrueValue(), PatternMatch::m_AllOnes()))
    return S->getFalseValue();
  if (match(S->getFalseValue(), PatternMatch::m_AllOnes()))
    return S->getTrueValue();
  return Size;
}

const SCEV *Sizes::bytes(const MemoryObject &O) const {
  SmallVector<Value *, 2> Factors;
  for (Value *F : O.SizeFactors)
    Factors.push_back(O.What == MemoryObject::New ? withoutOverflow(F) : F);
  const SCEV *Bytes = product(Factors);
  for (const MemoryObject::Site &Other : O.Others) {
    MemoryObject One = O;
    One.Others.clear();
    One.SizeFactors = Other.SizeFactors;
    if (!equal(Bytes, bytes(One)))
      return nullptr;
  }
  return Bytes;
}

bool Sizes::isInvariant(const SCEV *Bytes, const Loop &L) const {
  return Bytes && SE.isLoopInvariant(Bytes, &L);
}

/// The factors of \p S that vary, each as it is before it is extended.
static SmallVector<const SCEV *, 4> factorsOf(const SCEV *S) {
  SmallVector<const SCEV *, 4> Factors;
  auto Add = [&](const SCEV *F) {
    while (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(F))
      F = cast<SCEVCastExpr>(F)->getOperand();
    if (!isa<SCEVConstant>(F))
      Factors.push_back(F);
  };
  if (const auto *M = dyn_cast<SCEVMulExpr>(S))
    llvm::for_each(M->operands(), Add);
  else
    Add(S);
  return Factors;
}

/// The powers of two in the constant factors of \p S.
static unsigned constantPower(const SCEV *S) {
  unsigned Power = 0;
  if (const auto *M = dyn_cast<SCEVMulExpr>(S))
    for (const SCEV *F : M->operands())
      if (const auto *C = dyn_cast<SCEVConstant>(F))
        Power += C->getAPInt().countr_zero();
  return Power;
}

/// Products wrap around: one is 0 where the powers of two in its factors make
/// up its bits. So a product that is not 0 has no factor that is, nor a product
/// of some of its factors. Of \p Bytes, a constant factor 2^k could make it 0
/// only where Other is 2^(64-k) at least: no buffer has 4 TiB, k's limit.
/// \p Other is taken apart as far as it goes; \p Bytes only where it has all
/// bits, as one of fewer bits may be 0 though none of its factors is.
bool Sizes::isNotZeroWith(const SCEV *Bytes, const SCEV *Other) {
  constexpr unsigned SmallPower = 22;
  if (Bytes->isZero() || constantPower(Bytes) > SmallPower)
    return false;
  SmallVector<const SCEV *, 4> Need = factorsOf(Bytes), Has = factorsOf(Other);
  while (true) {
    llvm::erase_if(Need, [&](const SCEV *F) {
      auto *It = llvm::find(Has, F);
      bool Found = It != Has.end();
      if (Found)
        Has.erase(It);
      return Found;
    });
    auto *Product =
        llvm::find_if(Has, [](const SCEV *F) { return isa<SCEVMulExpr>(F); });
    if (Need.empty() || Product == Has.end())
      return Need.empty();
    SmallVector<const SCEV *, 4> Parts = factorsOf(*Product);
    Has.erase(Product);
    Has.append(Parts);
  }
}

std::optional<uint64_t> Sizes::constant(const SCEV *S) {
  if (const auto *C = dyn_cast_or_null<SCEVConstant>(S))
    return C->getAPInt().getZExtValue();
  return std::nullopt;
}

std::string Sizes::text(const SCEV *S) {
  std::string Text;
  if (!S)
    return "? B";
  raw_string_ostream(Text) << *S;
  return Text + " B";
}

} // namespace echo

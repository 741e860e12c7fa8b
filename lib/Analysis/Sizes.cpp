//===- Sizes.cpp - Are two byte counts the same? --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SCEVs are unique per expression, so equality is identity. All are brought to
// 64 bits first.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Sizes.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace echo {

const SCEV *Sizes::product(ArrayRef<Value *> Factors, uint64_t Constant) const {
  Type *I64 = Type::getInt64Ty(SE.getContext());
  const SCEV *P = SE.getConstant(I64, Constant);
  for (Value *F : Factors)
    P = SE.getMulExpr(P, SE.getTruncateOrZeroExtend(SE.getSCEV(F), I64));
  return P;
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
  return product(Factors);
}

std::optional<uint64_t> Sizes::constant(const SCEV *S) {
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().getZExtValue();
  return std::nullopt;
}

std::string Sizes::text(const SCEV *S) {
  std::string Text;
  raw_string_ostream(Text) << *S;
  return Text + " B";
}

} // namespace echo

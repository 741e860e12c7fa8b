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

/// A short text of \p S in its factors, or "" if it has none.
static std::string shortText(const SCEV *S) {
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return std::to_string(C->getAPInt().getZExtValue());
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return shortText(Cast->getOperand());
  if (const auto *U = dyn_cast<SCEVUnknown>(S)) {
    std::string Name = U->getValue()->getName().str();
    return Name.find_first_of(".0123456789") == std::string::npos ? Name : "";
  }
  if (const auto *M = dyn_cast<SCEVMulExpr>(S)) {
    std::string Text;
    for (size_t I = M->getNumOperands(); I-- > 0;) {
      std::string Part = shortText(M->getOperand(I));
      if (Part.empty())
        return "";
      Text += (Text.empty() ? "" : "*") + Part;
    }
    return Text;
  }
  return "";
}

std::string Sizes::text(const SCEV *S) {
  std::string Text = shortText(S);
  return (Text.empty() ? "?" : Text) + " B";
}

} // namespace echo

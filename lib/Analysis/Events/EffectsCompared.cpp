//===- EffectsCompared.cpp - What comparisons of addresses tell -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: the outcome of a comparison of addresses is the same merged
// and not, or the buffers are refused. Questions whose answer changes only
// where two buffers share a block are kept (Effects::asksForOverlap). Where a
// new buffer lies, against one that is gone, CUDA and malloc decide, and a
// merge changes it.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/EffectsBuilder.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace echo {

namespace {
/// An unsigned comparison of two addresses.
struct Below {
  const Value *Low = nullptr, *High = nullptr; ///< is Low < High?
  explicit Below(const Value *V) {
    const auto *Cmp = dyn_cast<ICmpInst>(V);
    if (!Cmp || !Cmp->getOperand(0)->getType()->isPointerTy())
      return;
    unsigned First = Cmp->getPredicate() == ICmpInst::ICMP_UGT;
    if (!First && Cmp->getPredicate() != ICmpInst::ICMP_ULT)
      return;
    Low = Cmp->getOperand(First);
    High = Cmp->getOperand(1 - First);
  }
};
} // namespace

/// True if comparison \p I is but half of the question whether two buffers
/// overlap (a < end of b && b < end of a), as the vectorizer asks it. Wherever
/// they are, they do not; no unknown pointer leads into a buffer.
bool EffectsBuilder::asksForOverlap(const Instruction &I) {
  Below Mine(&I);
  if (!Mine.Low || I.use_empty())
    return false;
  auto IsOne = [&](const Value *V) {
    Target T = Objects.resolve(V);
    return T.none() || T.single();
  };
  SmallVector<Effects::Question, 2> Apart;
  bool Only = llvm::all_of(I.users(), [&](const User *U) {
    const Value *X, *Y;
    if (!match(U, PatternMatch::m_LogicalAnd(PatternMatch::m_Value(X),
                                             PatternMatch::m_Value(Y))))
      return false;
    Below Other(X == &I ? Y : X);
    for (unsigned A : Objects.resolve(Mine.Low).Objects)
      for (unsigned B : Objects.resolve(Other.Low).Objects)
        Apart.push_back({A, B, &I});
    return Other.Low && X != Y && IsOne(Mine.Low) && IsOne(Other.Low) &&
           Objects.resolve(Mine.Low).Objects !=
               Objects.resolve(Other.Low).Objects &&
           sameBase(Mine.Low, Other.High) && sameBase(Other.Low, Mine.High);
  });
  if (Only)
    Result.Apart.append(Apart);
  return Only;
}

/// Null and same-buffer comparisons tell nothing that a merge changes.
void EffectsBuilder::comparison(Instruction &I) {
  Target A = Objects.resolve(I.getOperand(0));
  Target B = Objects.resolve(I.getOperand(1));
  if (A.none() && B.none())
    return;
  if (isa<ConstantPointerNull>(I.getOperand(0)) ||
      isa<ConstantPointerNull>(I.getOperand(1)))
    return;
  if (A.single() && B.single() && A.Objects == B.Objects)
    return;
  if (onlyFeedsChecks(I) || asksForOverlap(I))
    return;
  // Whether two buffers begin at the same place: not while both are there.
  if (cast<ICmpInst>(I).isEquality() && A.single() && B.single() && A.AtBase &&
      B.AtBase) {
    Compared.push_back({A.Objects[0], B.Objects[0], &I});
    return;
  }
  refuse(A, Blocker::PointerCompared, I,
         "a comparison of the buffer's address");
  refuse(B, Blocker::PointerCompared, I,
         "a comparison of the buffer's address");
}

/// True if \p At may run after \p Freed, which frees buffer \p O, and no new
/// one of its site comes between.
static bool mayBeGone(const MemoryObject &O, const Instruction &Freed,
                      const Instruction &At) {
  SmallPtrSet<BasicBlock *, 1> Renewed;
  if (O.Others.empty()) {
    auto *Home = const_cast<BasicBlock *>(O.Alloc->getParent());
    if (Home == At.getParent() && O.Alloc->comesBefore(&At))
      return Home == Freed.getParent() && O.Alloc->comesBefore(&Freed) &&
             Freed.comesBefore(&At);
    if (Home != At.getParent())
      Renewed.insert(Home);
  }
  return isPotentiallyReachable(&Freed, &At, &Renewed);
}

void EffectsBuilder::checkCompared() {
  for (const Effects::Question &Q : Compared) {
    bool Gone = llvm::any_of(Result.Events, [&](const auto &Block) {
      return llvm::any_of(Block.second, [&](const Event &E) {
        return E.Kind == EventKind::Free &&
               (E.Object == static_cast<int>(Q.A) ||
                E.Object == static_cast<int>(Q.B)) &&
               mayBeGone(Objects[E.Object], *E.At, *Q.At);
      });
    });
    if (!Gone) {
      Result.Apart.push_back(Q);
      continue;
    }
    Target Both;
    Both.Objects = {Q.A, Q.B};
    refuse(Both, Blocker::PointerCompared, *Q.At,
           "a comparison of the address of a buffer that may be gone");
  }
}

} // namespace echo

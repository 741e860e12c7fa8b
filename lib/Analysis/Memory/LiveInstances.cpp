//===- LiveInstances.cpp - Does one buffer of a site exist? ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward data-flow to a fixed point. Each fact says where all buffers that
// exist are: nowhere, at one address, or at one of two (between the allocation
// of the next buffer and the free of the last). Freeing something makes no fact
// untrue, so only an allocation and a new value under an old name end facts.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory/LiveInstances.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

LiveInstances::LiveInstances(const Function &F,
                             ArrayRef<const CallBase *> Allocs, FreedBy Freed)
    : Allocs(Allocs.begin(), Allocs.end()), Freed(std::move(Freed)) {
  In[&F.getEntryBlock()].None = true;
  ReversePostOrderTraversal<const Function *> Order(&F);
  SmallPtrSet<const BasicBlock *, 16> Changed; // in what they begin with
  Changed.insert(&F.getEntryBlock());
  while (!Changed.empty())
    for (const BasicBlock *BB : Order) {
      if (!Changed.erase(BB))
        continue;
      State S = In.find(BB)->second;
      for (const Instruction &I : *BB)
        step(I, S);
      for (const BasicBlock *Succ : successors(BB)) {
        State There = alongEdge(S, *BB, *Succ);
        auto [Old, New] = In.try_emplace(Succ, There);
        if (!New)
          meet(There, Old->second);
        if (New || !(There == Old->second))
          Changed.insert(Succ);
        Old->second = std::move(There);
      }
    }
}

/// Keeps what holds in both.
void LiveInstances::meet(State &Into, const State &From) {
  State Both;
  auto IsPair = [](const State &S, const Places &P) {
    return S.isOne(P.first) || S.isOne(P.second) || S.Pairs.count(P);
  };
  Both.None = Into.None && From.None;
  const State *Two[] = {&Into, &From};
  for (auto [A, B] : {std::pair(Two[0], Two[1]), std::pair(Two[1], Two[0])}) {
    for (const Value *V : A->One)
      if (B->isOne(V))
        Both.One.insert(V);
    for (const Places &P : A->Pairs)
      if (IsPair(*B, P))
        Both.Pairs.insert(P);
  }
  Into = std::move(Both);
}

/// The buffer at \p Address, if there is one, goes away.
void LiveInstances::ended(State &S, const Value *Address) {
  S.None |= S.One.count(Address) != 0;
  for (auto [A, B] : S.Pairs)
    if (A == Address || B == Address)
      S.One.insert(A == Address ? B : A);
}

void LiveInstances::allocated(State &S, const Value *Fresh) {
  State Next;
  if (S.None)
    Next.One.insert(Fresh);
  for (const Value *V : S.One)
    if (V != Fresh)
      Next.Pairs.insert(ordered(V, Fresh));
  S = std::move(Next);
}

void LiveInstances::step(const Instruction &I, State &S) const {
  // An invoke that unwinds has allocated nothing: see alongEdge().
  if (Allocs.contains(&I) && !isa<InvokeInst>(I))
    allocated(S, &I);
  if (auto It = Freed.find(&I); It != Freed.end())
    for (const Value *Address : It->second)
      ended(S, Address);
}

LiveInstances::State LiveInstances::alongEdge(const State &Before,
                                              const BasicBlock &From,
                                              const BasicBlock &To) const {
  State S = Before;
  if (const auto *Invoke = dyn_cast<InvokeInst>(From.getTerminator());
      Invoke && Allocs.contains(Invoke) && &To == Invoke->getNormalDest() &&
      &To != Invoke->getUnwindDest())
    allocated(S, Invoke);
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (Branch && Branch->isConditional() &&
      Branch->getSuccessor(0) != Branch->getSuccessor(1))
    if (const auto *Cmp = dyn_cast<ICmpInst>(Branch->getCondition());
        Cmp && Cmp->isEquality() &&
        isa<ConstantPointerNull>(Cmp->getOperand(1)) &&
        (Cmp->getPredicate() == ICmpInst::ICMP_EQ) ==
            (Branch->getSuccessor(0) == &To))
      ended(S, Cmp->getOperand(0));
  if (S.One.empty() && S.Pairs.empty())
    return S;
  // What comes in under the name of a phi; the phi's old value is gone.
  SmallVector<std::pair<const Value *, const Value *>, 8> Names;
  for (const PHINode &Phi : To.phis())
    if (Phi.getType()->isPointerTy())
      Names.push_back({Phi.getIncomingValueForBlock(&From), &Phi});
  if (Names.empty())
    return S;
  auto NamesOf = [&](const Value *V) {
    SmallVector<const Value *, 3> All;
    bool Gone = false;
    for (auto [Value, Phi] : Names) {
      Gone |= Phi == V;
      if (Value == V)
        All.push_back(Phi);
    }
    if (!Gone)
      All.push_back(V);
    return All;
  };
  State There;
  There.None = S.None;
  for (const Value *V : S.One)
    for (const Value *Name : NamesOf(V))
      There.One.insert(Name);
  for (auto [A, B] : S.Pairs)
    for (const Value *First : NamesOf(A))
      for (const Value *Second : NamesOf(B))
        There.Pairs.insert(ordered(First, Second));
  return There;
}

/// Nothing if no way leads to \p At.
std::optional<LiveInstances::State>
LiveInstances::before(const Instruction &At) const {
  auto It = In.find(At.getParent());
  if (It == In.end())
    return std::nullopt;
  State S = It->second;
  for (const Instruction &I : *At.getParent()) {
    if (&I == &At)
      break;
    step(I, S);
  }
  return S;
}

bool LiveInstances::oneAt(const Instruction &At) const {
  auto S = before(At);
  return !S || S->None || !S->One.empty();
}

bool LiveInstances::noneAt(const BasicBlock &BB) const {
  auto It = In.find(&BB);
  return It == In.end() || It->second.None;
}

bool LiveInstances::onlyAt(const Instruction &At, const Value *Address) const {
  auto S = before(At);
  return !S || S->isOne(Address);
}

} // namespace echo

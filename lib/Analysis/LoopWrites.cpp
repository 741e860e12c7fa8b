//===- LoopWrites.cpp - Host loops that write a whole buffer --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store walks through the buffer if its address is an add recurrence whose
// step is what one iteration covers; nested loops multiply.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopWrites.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

namespace {
class Finder {
public:
  Finder(const MemoryObjects &Objects, ScalarEvolution &SE, const LoopInfo &LI,
         const DominatorTree &DT)
      : Objects(Objects), SE(SE), LI(LI), DT(DT) {}

  std::optional<LoopWrite> find(const StoreInst &Store);

private:
  const SCEV *iterations(const Loop &L);

  const MemoryObjects &Objects;
  ScalarEvolution &SE;
  const LoopInfo &LI;
  const DominatorTree &DT;
  bool MayBeNegative = false; ///< a factor counts as signed; one may
  unsigned Bits = 0;          ///< of the product, if no factor is negative
};
} // namespace

/// How often the body of \p L runs, as 64 bits, or null. Only loops whose
/// header decides, and alone, count: then nothing leaves them early.
const SCEV *Finder::iterations(const Loop &L) {
  if (L.getExitingBlock() != L.getHeader() || !L.getExitBlock() ||
      !L.getLoopLatch())
    return nullptr;
  const SCEV *Count = SE.getExitCount(&L, L.getHeader());
  if (isa<SCEVCouldNotCompute>(Count))
    return nullptr;
  Type *I64 = Type::getInt64Ty(SE.getContext());
  // for (int i = 0; i < n; ++i) runs max(0, n) times. A buffer of n elements,
  // n negative, would have about 2^64 bytes: there is none. With two such
  // factors that is no longer so, nor with a product that may wrap around.
  if (const auto *Max = dyn_cast<SCEVSMaxExpr>(Count);
      Max && Max->getNumOperands() == 2 && Max->getOperand(0)->isZero() &&
      !MayBeNegative) {
    MayBeNegative = true;
    Bits += SE.getSignedRange(Max->getOperand(1)).getMinSignedBits();
    return SE.getTruncateOrSignExtend(Max->getOperand(1), I64);
  }
  Bits += SE.getUnsignedRangeMax(Count).getActiveBits();
  return SE.getTruncateOrZeroExtend(Count, I64);
}

std::optional<LoopWrite> Finder::find(const StoreInst &Store) {
  const Value *Address = Store.getPointerOperand();
  Target T = Objects.resolve(Address);
  if (!T.single() || Store.isVolatile())
    return std::nullopt;
  MayBeNegative = false;
  Bits = Log2_64_Ceil(Store.getDataLayout().getTypeStoreSize(
      Store.getValueOperand()->getType()));
  const SCEV *Covers = SE.getConstant(Type::getInt64Ty(SE.getContext()),
                                      Store.getDataLayout().getTypeStoreSize(
                                          Store.getValueOperand()->getType()));
  const SCEV *At = SE.getSCEV(const_cast<Value *>(Address));
  const BasicBlock *Inner = Store.getParent();
  const Loop *Next = LI.getLoopFor(Inner), *Outermost = nullptr;
  while (const auto *Walk = dyn_cast<SCEVAddRecExpr>(At)) {
    const Loop *L = Walk->getLoop();
    // Each iteration passes the store, or the loop inside, which runs to its
    // end.
    if (L != Next || !Walk->isAffine() || !L->getLoopLatch() ||
        Inner == L->getHeader() || !DT.dominates(Inner, L->getLoopLatch()) ||
        Walk->getStepRecurrence(SE) != Covers)
      return std::nullopt;
    const SCEV *Count = iterations(*L);
    if (!Count)
      return std::nullopt;
    Covers = SE.getMulExpr(Count, Covers);
    At = Walk->getStart();
    Outermost = L;
    Inner = L->getHeader();
    Next = L->getParentLoop();
  }
  const MemoryObject &O = Objects[T.Objects[0]];
  if (!Outermost || At != SE.getSCEV(O.Pointer) || (MayBeNegative && Bits > 63))
    return std::nullopt;
  return LoopWrite{T.Objects[0], Outermost, Covers, Outermost->getHeader(),
                   Outermost->getExitBlock()};
}

SmallVector<LoopWrite, 4>
findLoopWrites(Function &F, const MemoryObjects &Objects, ScalarEvolution &SE,
               const LoopInfo &LI, const DominatorTree &DT) {
  SmallVector<LoopWrite, 4> Found;
  Finder Of(Objects, SE, LI, DT);
  for (const Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      if (auto Write = Of.find(*Store))
        Found.push_back(*Write);
  return Found;
}

} // namespace echo

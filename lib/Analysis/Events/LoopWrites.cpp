//===- LoopWrites.cpp - Host loops that write a whole buffer --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store walks through the buffer if its address is an add recurrence whose
// step is what one iteration covers; nested loops multiply.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/LoopWrites.h"
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
  std::optional<LoopWrite> find(const Event &Copy);

private:
  /// What \p By, which writes \p Covers bytes (at most \p MaxBits bits) to
  /// \p Address, covers with the loops around it.
  std::optional<LoopWrite> find(const Instruction &By, Value *Address,
                                unsigned Object, const SCEV *Covers,
                                unsigned MaxBits);
  const SCEV *iterations(const Loop &L);
  void findRereads(const StoreInst &Store, LoopWrite &Write);

  const MemoryObjects &Objects;
  ScalarEvolution &SE;
  const LoopInfo &LI;
  const DominatorTree &DT;
  bool MayBeNegative = false; ///< a factor counts as signed; one may
  unsigned Bits = 0;          ///< of the product, if no factor is negative
};
} // namespace

/// Where control goes from the header of \p L when the loop is over, or null.
static const BasicBlock *exitOfHeader(const Loop &L) {
  const BasicBlock *Exit = nullptr;
  for (const BasicBlock *Succ : successors(L.getHeader()))
    if (!L.contains(Succ)) {
      if (Exit)
        return nullptr;
      Exit = Succ;
    }
  return Exit;
}

/// True if an iteration of \p L may wait for the GPU.
static bool mayWait(const Loop &L, const Effects &E) {
  return llvm::any_of(L.blocks(), [&](const BasicBlock *BB) {
    return llvm::any_of(E.in(BB), [](const Event &Ev) {
      return Ev.Kind != EventKind::Host && Ev.Kind != EventKind::Gpu &&
             Ev.Kind != EventKind::Alloc && Ev.Kind != EventKind::Free;
    });
  });
}

DenseSet<FlowEdge> exitsBehindRounds(const Effects &E, const LoopInfo &LI,
                                     ScalarEvolution &SE) {
  DenseSet<FlowEdge> Exits;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    const BasicBlock *Exit = mayWait(*L, E) ? exitOfHeader(*L) : nullptr;
    const SCEV *Rounds = Exit ? SE.getExitCount(L, L->getHeader()) : nullptr;
    if (Rounds && !isa<SCEVCouldNotCompute>(Rounds) &&
        SE.isKnownNonZero(Rounds))
      Exits.insert({L->getHeader(), Exit});
  }
  return Exits;
}

/// True if control that leaves \p L elsewhere than in its header leaves
/// \p Outermost, too, which then is not over as its header says.
static bool otherExitsLeave(const Loop &L, const Loop &Outermost) {
  return llvm::all_of(L.blocks(), [&](const BasicBlock *BB) {
    return BB == L.getHeader() || llvm::all_of(successors(BB), [&](auto *Succ) {
             return L.contains(Succ) || !Outermost.contains(Succ);
           });
  });
}

/// How often the body of \p L runs, as 64 bits, where its header ends it; null
/// if that is not known.
const SCEV *Finder::iterations(const Loop &L) {
  if (!exitOfHeader(L) || !L.getLoopLatch())
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
  Target T = Objects.resolve(Store.getPointerOperand());
  if (!T.single() || Store.isVolatile())
    return std::nullopt;
  uint64_t Size = Store.getDataLayout().getTypeStoreSize(
      Store.getValueOperand()->getType());
  auto Found =
      find(Store, const_cast<Value *>(Store.getPointerOperand()), T.Objects[0],
           SE.getConstant(Type::getInt64Ty(SE.getContext()), Size),
           Log2_64_Ceil(Size));
  if (Found)
    findRereads(Store, *Found);
  return Found;
}

/// c[i][j] = 0, and then a loop that adds to c[i][j]: each load there comes
/// after the store of the same iteration, and is of the same address.
void Finder::findRereads(const StoreInst &Store, LoopWrite &Write) {
  const Loop *L = LI.getLoopFor(Store.getParent());
  const SCEV *At = SE.getSCEV(const_cast<Value *>(Store.getPointerOperand()));
  TypeSize Size = Store.getDataLayout().getTypeStoreSize(
      Store.getValueOperand()->getType());
  for (const BasicBlock *BB : L->blocks())
    for (const Instruction &I : *BB) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && !Load->isVolatile() && DT.dominates(&Store, Load) &&
          TypeSize::isKnownLE(
              Load->getDataLayout().getTypeStoreSize(Load->getType()), Size) &&
          SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())) == At)
        Write.Rereads.insert(Load);
    }
}

std::optional<LoopWrite> Finder::find(const Event &Copy) {
  if (Copy.Kind != EventKind::Copy || !Copy.InPlace || !Copy.Bytes ||
      Copy.MayFail || Copy.Doubtful)
    return std::nullopt;
  const auto &Call = *cast<CallBase>(Copy.At);
  auto Dst = cudaApiOf(Call)->find(ApiRole::Dst);
  auto Found = find(Call, Call.getArgOperand(*Dst), Copy.Dst, Copy.Bytes,
                    SE.getUnsignedRangeMax(Copy.Bytes).getActiveBits());
  if (Found)
    Found->ByCopies = true;
  return Found;
}

std::optional<LoopWrite> Finder::find(const Instruction &By, Value *Address,
                                      unsigned Object, const SCEV *Covers,
                                      unsigned MaxBits) {
  MayBeNegative = false;
  Bits = MaxBits;
  const SCEV *At = SE.getSCEV(Address);
  const BasicBlock *Inner = By.getParent();
  const Loop *Next = LI.getLoopFor(Inner), *Outermost = nullptr;
  SmallVector<const Loop *, 4> Loops;
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
    Loops.push_back(L);
    Inner = L->getHeader();
    Next = L->getParentLoop();
  }
  const MemoryObject &O = Objects[Object];
  if (!Outermost || At != SE.getSCEV(O.Pointer) || (MayBeNegative && Bits > 63))
    return std::nullopt;
  if (!llvm::all_of(Loops, [&](const Loop *L) {
        return otherExitsLeave(*L, *Outermost);
      }))
    return std::nullopt;
  return LoopWrite{Object, Outermost, Covers, Outermost->getHeader(),
                   exitOfHeader(*Outermost)};
}

SmallVector<LoopWrite, 4> findLoopWrites(Function &F, const Effects &E,
                                         const MemoryObjects &Objects,
                                         ScalarEvolution &SE,
                                         const LoopInfo &LI,
                                         const DominatorTree &DT) {
  SmallVector<LoopWrite, 4> Found;
  Finder Of(Objects, SE, LI, DT);
  for (const Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      if (auto Write = Of.find(*Store))
        Found.push_back(*Write);
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB))
      if (auto Write = Of.find(Ev))
        Found.push_back(*Write);
  return Found;
}

} // namespace echo

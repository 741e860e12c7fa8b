//===- VectorEnds.cpp - Ends of containers as sums -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a number is on an edge comes from the branches before it that compare
// it with a constant.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/VectorEnds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

/// Branches looked at before an edge.
static constexpr unsigned MaxBranches = 8;

static const Value *withoutExtension(const Value *V) {
  while (isa<SExtInst, ZExtInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V;
}

/// True if \p Count is the distance of the two pointers that \p Cmp compares,
/// or that number of elements: 0 where they are equal.
static bool isDistance(const Value *Count, const ICmpInst &Cmp) {
  if (const auto *Shift = dyn_cast<BinaryOperator>(Count);
      Shift && Shift->getOpcode() == Instruction::AShr)
    Count = Shift->getOperand(0);
  const auto *Sub = dyn_cast<BinaryOperator>(Count);
  if (!Sub || Sub->getOpcode() != Instruction::Sub)
    return false;
  auto Is = [&](unsigned Operand, unsigned Compared) {
    const auto *Cast = dyn_cast<PtrToIntInst>(Sub->getOperand(Operand));
    return Cast && Cast->getPointerOperand() == Cmp.getOperand(Compared);
  };
  return (Is(0, 0) && Is(1, 1)) || (Is(0, 1) && Is(1, 0));
}

/// True if \p Count is \p Number where \p V is \p Is: it is V, shifted right.
static bool isShifted(const Value *Count, uint64_t Number, const Value *V,
                      const APInt &Is) {
  const auto *Shift = dyn_cast<BinaryOperator>(Count);
  if (!Shift || Shift->getOpcode() != Instruction::AShr ||
      Shift->getOperand(0) != V)
    return false;
  const auto *By = dyn_cast<ConstantInt>(Shift->getOperand(1));
  return By && By->getValue().ult(Is.getBitWidth()) &&
         Is.ashr(By->getValue()) == Number;
}

/// True if control takes the edge from \p From to \p To only where \p Count is
/// \p Number.
static bool isOnEdge(const Value *Count, uint64_t Number,
                     const BasicBlock *From, const BasicBlock *To) {
  const Value *Core = withoutExtension(Count);
  unsigned Bits = Core->getType()->getIntegerBitWidth();
  // One that is the same whether it counts as signed or not.
  if (Bits > 64 || Number >> (Bits - 1))
    return false;
  for (unsigned I = 0; From && I != MaxBranches; ++I) {
    const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    const auto *Cmp = Branch && Branch->isConditional()
                          ? dyn_cast<ICmpInst>(Branch->getCondition())
                          : nullptr;
    bool Equal = Cmp && Cmp->isEquality() &&
                 Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
                 (Cmp->getPredicate() == ICmpInst::ICMP_EQ) ==
                     (Branch->getSuccessor(0) == To);
    const auto *With =
        Equal ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
    if (With && withoutExtension(Cmp->getOperand(0)) == Core &&
        With->getValue() == Number)
      return true;
    if (With && isShifted(Count, Number, Cmp->getOperand(0), With->getValue()))
      return true;
    if (Equal && Number == 0 && isDistance(Count, *Cmp))
      return true;
    To = From;
    From = From->getSinglePredecessor();
  }
  return false;
}

namespace {
/// Begin + Count elements of Scale bytes each, as one edge gives it.
struct Sum {
  const GetElementPtrInst *End;
  uint64_t Scale;
  Value *count() const { return *End->idx_begin(); }
};
} // namespace

static std::optional<Sum> asSum(const Value *V, const DataLayout &DL) {
  const auto *G = dyn_cast<GetElementPtrInst>(V);
  if (!G || G->getNumIndices() != 1 || isa<Constant>(*G->idx_begin()) ||
      !G->getType()->isPointerTy())
    return std::nullopt;
  TypeSize Scale = DL.getTypeAllocSize(G->getSourceElementType());
  if (Scale.isScalable() || Scale.isZero())
    return std::nullopt;
  return Sum{G, Scale.getFixedValue()};
}

/// True if \p V is \p S, but from \p Begin, where control comes from \p From.
static bool isSum(const Value *V, const Sum &S, const Value *Begin,
                  const BasicBlock *From, const BasicBlock *To,
                  const DataLayout &DL) {
  if (auto Same = asSum(V, DL))
    return Same->Scale == S.Scale && Same->count() == S.count() &&
           Same->End->getPointerOperand() == Begin;
  APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
  if (V != Begin && V->stripAndAccumulateConstantOffsets(
                        DL, Offset, /*AllowNonInbounds=*/true) != Begin)
    return false;
  uint64_t Bytes = Offset.getZExtValue();
  return Bytes % S.Scale == 0 && isOnEdge(S.count(), Bytes / S.Scale, From, To);
}

/// The pointer that \p Phi gets on an edge, perhaps as a number. Null if it
/// gets something else.
static Value *pointerOn(const PHINode &Phi, unsigned Edge) {
  Value *In = Phi.getIncomingValue(Edge);
  if (In->getType()->isPointerTy())
    return In;
  auto *Pointer = PointerType::get(Phi.getContext(), 0);
  const auto *Number = dyn_cast<Constant>(In);
  if (Number && Number->isNullValue())
    return ConstantPointerNull::get(Pointer);
  auto *Cast = dyn_cast<PtrToIntInst>(In);
  bool Whole = Cast && Cast->getPointerOperand()->getType() == Pointer;
  return Whole ? Cast->getPointerOperand() : nullptr;
}

/// What \p S starts from, as a value of \p Phi's block: the same on every edge,
/// or a phi beside it. Null if \p Phi is not \p S from there on every edge.
static Value *commonBegin(PHINode &Phi, unsigned Edge, const Sum &S,
                          const DominatorTree &DT, const DataLayout &DL) {
  BasicBlock *Block = Phi.getParent();
  auto FitsAll = [&](const Value *Begin) {
    const auto *Beside = dyn_cast<PHINode>(Begin);
    bool InBlock = Beside && Beside->getParent() == Block;
    for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
      const BasicBlock *From = Phi.getIncomingBlock(I);
      const Value *Here =
          InBlock ? Beside->getIncomingValueForBlock(From) : Begin;
      const Value *End = pointerOn(Phi, I);
      if (!End || !isSum(End, S, Here, From, Block, DL))
        return false;
    }
    return true;
  };
  Value *Begin = const_cast<Value *>(S.End->getPointerOperand());
  if (DT.dominates(Begin, &*Block->getFirstInsertionPt()) && FitsAll(Begin))
    return Begin;
  for (PHINode &Beside : Block->phis())
    if (&Beside != &Phi && Beside.getType() == Begin->getType() &&
        Beside.getIncomingValueForBlock(Phi.getIncomingBlock(Edge)) == Begin &&
        FitsAll(&Beside))
      return &Beside;
  return nullptr;
}

static bool replaceBySum(PHINode &Phi, const DominatorTree &DT,
                         const DataLayout &DL) {
  BasicBlock::iterator Place = Phi.getParent()->getFirstInsertionPt();
  if (Place == Phi.getParent()->end())
    return false;
  for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
    const Value *Pointer = pointerOn(Phi, I);
    auto S = Pointer ? asSum(Pointer, DL) : std::nullopt;
    if (!S || !DT.dominates(S->count(), &*Place))
      continue;
    Value *Begin = commonBegin(Phi, I, *S, DT, DL);
    if (!Begin)
      continue;
    IRBuilder<> B(Phi.getParent(), Place);
    B.SetCurrentDebugLocation(Phi.getDebugLoc());
    Value *End = B.CreateGEP(S->End->getSourceElementType(), Begin, S->count());
    if (!Phi.getType()->isPointerTy())
      End = B.CreatePtrToInt(End, Phi.getType());
    Phi.replaceAllUsesWith(End);
    Phi.eraseFromParent();
    return true;
  }
  return false;
}

bool mergeVectorEnds(Function &F, const DominatorTree &DT) {
  const DataLayout &DL = F.getDataLayout();
  bool Changed = false;
  for (BasicBlock &BB : F) {
    if (!DT.isReachableFromEntry(&BB))
      continue;
    for (PHINode &Phi : make_early_inc_range(BB.phis()))
      if (Phi.getType()->isPointerTy() ||
          Phi.getType() == DL.getIntPtrType(F.getContext()))
        Changed |= replaceBySum(Phi, DT, DL);
  }
  return Changed;
}

} // namespace echo

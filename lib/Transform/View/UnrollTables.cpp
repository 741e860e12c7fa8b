//===- UnrollTables.cpp - Loops that fill tables of buffers ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's unroller does the work. This finds the tables: local variables through
// which scalar evolution sees an address walk in a loop that allocates. Loops
// that allocate in one iteration and have no other need no table.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/UnrollTables.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace echo {

/// Loops of more iterations stay loops, and so do those that would become
/// longer (instructions), all of a function together.
static constexpr unsigned MaxRounds = 16, MaxUnrolled = 4000;

/// True if \p I allocates a buffer of the device's or the host's.
static bool allocates(const Instruction &I, const ModelTable &Models) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Callee->isIntrinsic() || !Callee->isDeclaration())
    return false;
  if (auto Api = lookupCudaApi(Callee->getName()))
    return Api->Kind == ApiKind::AllocDevice || Api->Kind == ApiKind::AllocHost;
  const FunctionModel *M = Models.lookup(Callee->getName());
  return M && M->Allocates != FunctionModel::NotAlloc;
}

static bool holdsPointer(const Type *T) {
  return T->isPointerTy() || llvm::any_of(T->subtypes(), holdsPointer);
}

/// True if \p Table may hold buffers. Of an object of the heap nobody knows.
static bool mayHoldBuffers(const AllocaInst &Table) {
  return holdsPointer(Table.getAllocatedType()) ||
         Table.getMetadata("echo.object");
}

using Tables = SmallPtrSet<const AllocaInst *, 8>;

/// The variables that may hold buffers and through which an address walks from
/// iteration to iteration of \p L.
static Tables walkedIn(const Loop &L, ScalarEvolution &SE) {
  Tables Found;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (!isa<GetElementPtrInst, PHINode>(I) || !I.getType()->isPointerTy())
        continue;
      const auto *Walk =
          dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Instruction *>(&I)));
      if (!Walk || Walk->getLoop() != &L)
        continue;
      const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Walk));
      if (const auto *Table =
              Base ? dyn_cast<AllocaInst>(Base->getValue()) : nullptr;
          Table && mayHoldBuffers(*Table))
        Found.insert(Table);
    }
  return Found;
}

/// True if the body of \p L runs at most once. A loop that its header ends
/// enters that once more.
static bool runsOnce(const Loop &L, ScalarEvolution &SE) {
  const BasicBlock *Header = L.getHeader();
  return SE.getSmallConstantMaxTripCount(&L) == 1 ||
         (L.isLoopExiting(Header) && !L.isLoopLatch(Header) &&
          SE.getSmallConstantTripCount(&L, Header) == 2);
}

static unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *BB : L.blocks())
    Size += BB->size();
  return Size;
}

/// Writes out the \p N iterations of \p L, a loop of \p F.
static void unrollFully(Loop &L, unsigned N, Function &F,
                        FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  OptimizationRemarkEmitter ORE(&F);
  simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(L, DT, &LI, &SE);
  UnrollLoopOptions Options;
  Options.Count = N;
  Options.Force = true;
  Options.Runtime = false;
  Options.AllowExpensiveTripCount = false;
  Options.UnrollRemainder = false;
  Options.ForgetAllSCEV = true;
  Options.SCEVExpansionBudget = 0;
  UnrollLoop(&L, Options, &LI, &SE, &DT, &AC, &TTI, &ORE,
             /*PreserveLCSSA=*/true);
}

bool unrollTables(Function &F, FunctionAnalysisManager &FAM,
                  const ModelTable &Models) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto Allocates = [&](const BasicBlock *BB) {
    return llvm::any_of(
        *BB, [&](const Instruction &I) { return allocates(I, Models); });
  };
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  if (llvm::none_of(Loops, [&](const Loop *L) {
        return llvm::any_of(L->blocks(), Allocates);
      }))
    return false;
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto Rounds = [&](const Loop *L) {
    unsigned N = SE.getSmallConstantMaxTripCount(L);
    return N <= MaxRounds && L->isSafeToClone() ? N : 0;
  };
  Tables OfBuffers;
  SmallPtrSet<const Loop *, 4> Once;
  for (const Loop *L : Loops) {
    if (!Rounds(L) || llvm::none_of(L->blocks(), Allocates))
      continue;
    if (runsOnce(*L, SE))
      Once.insert(L);
    for (const AllocaInst *Table : walkedIn(*L, SE))
      OfBuffers.insert(Table);
  }
  if (OfBuffers.empty() && Once.empty())
    return false;
  unsigned Total = 0;
  bool Changed = false;
  for (Loop *L : llvm::reverse(Loops)) { // inner ones first
    unsigned N = Rounds(L), Size = sizeOf(*L) * N;
    if (!N || Total + Size > MaxUnrolled ||
        (!Once.contains(L) &&
         llvm::none_of(walkedIn(*L, SE), [&](const AllocaInst *Table) {
           return OfBuffers.contains(Table);
         })))
      continue;
    unrollFully(*L, N, F, FAM);
    Total += Size;
    Changed = true;
  }
  if (Changed)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Changed;
}

} // namespace echo

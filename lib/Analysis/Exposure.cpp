//===- Exposure.cpp - Buffers whose address is in device memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the control flow forward from the exposing calls.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Exposure.h"
#include "Analysis/CallReach.h"
#include "Analysis/CudaApi.h"
#include "Analysis/Models.h"
#include "Analysis/StubArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

BehindExposures::BehindExposures(ArrayRef<Exposure> Exposures,
                                 unsigned Object) {
  SmallVector<const BasicBlock *, 16> Work;
  auto Whole = [&](const BasicBlock *BB) {
    auto [It, New] = First.insert({BB, nullptr});
    if (New || It->second)
      Work.push_back(BB);
    It->second = nullptr;
  };
  for (const Exposure &E : Exposures) {
    if (E.Object != Object)
      continue;
    const BasicBlock *BB = E.By->getParent();
    auto [It, New] = First.insert({BB, E.By});
    if (!New && It->second && E.By->comesBefore(It->second))
      It->second = E.By;
    for (const BasicBlock *Succ : successors(BB))
      Whole(Succ);
  }
  while (!Work.empty())
    for (const BasicBlock *Succ : successors(Work.pop_back_val()))
      Whole(Succ);
}

bool BehindExposures::contains(const Instruction &I) const {
  auto It = First.find(I.getParent());
  return It != First.end() && (!It->second || It->second->comesBefore(&I));
}

/// True if \p F itself, not what it calls, leaves the GPU alone.
static bool isHarmless(const Function &F, const ModelTable &Models) {
  if (F.isIntrinsic())
    return true;
  if (isKernelStub(F))
    return false;
  if (!F.isDeclaration())
    return !F.isInterposable();
  if (auto Api = lookupCudaApi(F.getName()))
    return Api->Kind == ApiKind::Neutral;
  const FunctionModel *Model = Models.lookup(F.getName());
  return Model && !Model->usesGpu() && !Model->callsBack();
}

bool leavesGpuAlone(const CallBase &Call, const ModelTable &Models) {
  SetVector<const Function *> Work;
  // The functions of the program that a modelled function calls.
  auto AddCallbacks = [&](const CallBase &C, const FunctionModel &Model) {
    for (unsigned A = 0; A != C.arg_size(); ++A) {
      bool Named = A < Model.Args.size();
      bool Called =
          Named ? Model.Args[A].What == ArgModel::Callback
                : !Model.VarArgs || Model.VarArgs->What == ArgModel::Callback;
      const auto *F = dyn_cast<Function>(C.getArgOperand(A));
      if (Called && !F)
        return false;
      if (Called)
        Work.insert(F);
    }
    return !Model.usesGpu();
  };
  auto Add = [&](const CallBase &C) {
    const FunctionModel *Model = Models.lookup(outOfSightCallee(C));
    if (Model && Model->callsBack())
      return AddCallbacks(C, *Model);
    const auto *Callee = dyn_cast<Function>(C.getCalledOperand());
    if (Callee)
      Work.insert(Callee);
    return Callee || C.isInlineAsm() || Model;
  };
  if (!Add(Call))
    return false;
  for (unsigned I = 0; I != Work.size(); ++I) {
    if (!isHarmless(*Work[I], Models))
      return false;
    for (const Instruction &Inst : instructions(*Work[I]))
      if (const auto *C = dyn_cast<CallBase>(&Inst); C && !Add(*C))
        return false;
  }
  return true;
}

bool alwaysEnds(const Instruction &From, ArrayRef<const Instruction *> Ends) {
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto Leaves = [&](const BasicBlock &BB, bool Active) {
    for (const Instruction &I : BB) {
      if (Active && is_contained(Ends, &I))
        return false;
      Active |= &I == &From;
    }
    if (isa<ReturnInst, ResumeInst, CleanupReturnInst>(BB.getTerminator()))
      return true;
    for (const BasicBlock *Succ : successors(&BB))
      if (Seen.insert(Succ).second)
        Work.push_back(Succ);
    return false;
  };
  bool Left = Leaves(*From.getParent(), false);
  while (!Left && !Work.empty())
    Left = Leaves(*Work.pop_back_val(), true);
  return !Left;
}

} // namespace echo

//===- CanonicalizeCuda.cpp - CUDA's out-parameters as values -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on calls that Normalize has inlined wrappers around.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/CanonicalizeCuda.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace echo {

namespace {
struct OutParameter {
  unsigned Arg;
  Type *T; ///< of what the call puts there
};
} // namespace

static std::optional<OutParameter> outParameter(const CallBase &Call,
                                                const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return std::nullopt;
  Type *Ptr = PointerType::get(Call.getContext(), 0);
  auto Api = lookupCudaApi(Callee->getName());
  if (!Api) {
    const FunctionModel *M = Models.lookup(Callee->getName());
    if (!M || Call.arg_size() < M->Args.size())
      return std::nullopt;
    if (auto Block = M->allocOut())
      return OutParameter{*Block, Ptr};
    if (!M->CreatesHandle)
      return std::nullopt;
    bool IsInt = M->Args[*M->CreatesHandle].SizeConst == 4;
    return OutParameter{*M->CreatesHandle,
                        IsInt ? Type::getInt32Ty(Call.getContext()) : Ptr};
  }
  for (ApiRole R : {ApiRole::OutDev, ApiRole::OutHost, ApiRole::OutManaged,
                    ApiRole::OutStream, ApiRole::OutEvent})
    if (auto Arg = Api->find(R))
      return OutParameter{*Arg, Ptr};
  return std::nullopt;
}

static void givePrivateVariable(CallInst &Call, OutParameter Out) {
  Function &F = *Call.getFunction();
  Value *Target = Call.getArgOperand(Out.Arg);
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Slot = Entry.CreateAlloca(Out.T, nullptr, "echo.out");
  Slot->setMetadata("echo.out", MDNode::get(F.getContext(), {}));
  IRBuilder<> Before(&Call);
  Before.CreateStore(Before.CreateLoad(Out.T, Target), Slot);
  Call.setArgOperand(Out.Arg, Slot);
  IRBuilder<> After(Call.getNextNode());
  After.SetCurrentDebugLocation(Call.getDebugLoc());
  After.CreateStore(After.CreateLoad(Out.T, Slot), Target);
}

/// True if \p V is memory of the function itself: a variable of its own, or a
/// block of the heap that it allocates.
static bool isOwnMemory(const Value *V, const ModelTable &Models) {
  if (const auto *Slot = dyn_cast<AllocaInst>(V))
    return !Slot->getMetadata("echo.out");
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  const FunctionModel *M = Callee && Callee->isDeclaration()
                               ? Models.lookup(Callee->getName())
                               : nullptr;
  return M && M->returnsNewBlock();
}

bool canonicalizeOutParameters(Function &F, const ModelTable &Models) {
  SmallVector<std::pair<CallInst *, OutParameter>, 8> Work;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto Out = Call ? outParameter(*Call, Models) : std::nullopt;
    if (!Out)
      continue;
    if (isOwnMemory(getUnderlyingObject(Call->getArgOperand(Out->Arg)), Models))
      Work.push_back({Call, *Out});
  }
  for (auto [Call, Out] : Work)
    givePrivateVariable(*Call, Out);
  return !Work.empty();
}

static bool neverUnwinds(const CallBase &Call, const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  if (isKernelStub(*Callee))
    return true;
  if (!Callee->isDeclaration())
    return false;
  if (lookupCudaApi(Callee->getName()))
    return true;
  const FunctionModel *M = Models.lookup(Callee->getName());
  return M && M->NoUnwind;
}

bool dropUnwindOfKnownCalls(Function &F, const ModelTable &Models) {
  SmallVector<InvokeInst *, 16> Work;
  for (BasicBlock &BB : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator()))
      if (neverUnwinds(*Invoke, Models))
        Work.push_back(Invoke);
  for (InvokeInst *Invoke : Work)
    changeToCall(Invoke);
  return !Work.empty();
}

} // namespace echo

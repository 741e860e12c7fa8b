//===- CanonicalizeCuda.cpp - CUDA's out-parameters as values -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on calls that Normalize has inlined wrappers around.
//
//===----------------------------------------------------------------------===//
#include "Transform/CanonicalizeCuda.h"
#include "Analysis/CudaApi.h"
#include "Analysis/Models.h"
#include "Analysis/StubArguments.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace echo {

static std::optional<unsigned> outParameter(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  auto Api = Callee ? lookupCudaApi(Callee->getName()) : std::nullopt;
  if (!Api)
    return std::nullopt;
  for (ApiRole R : {ApiRole::OutDev, ApiRole::OutHost, ApiRole::OutManaged,
                    ApiRole::OutStream, ApiRole::OutEvent})
    if (auto Arg = Api->find(R))
      return Arg;
  return std::nullopt;
}

static void givePrivateVariable(CallInst &Call, unsigned Out) {
  Function &F = *Call.getFunction();
  LLVMContext &C = F.getContext();
  Type *Ptr = PointerType::get(C, 0);
  Value *Target = Call.getArgOperand(Out);
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Slot = Entry.CreateAlloca(Ptr, nullptr, "echo.out");
  Slot->setMetadata("echo.out", MDNode::get(C, {}));
  IRBuilder<> Before(&Call);
  Before.CreateStore(Before.CreateLoad(Ptr, Target), Slot);
  Call.setArgOperand(Out, Slot);
  IRBuilder<> After(Call.getNextNode());
  After.SetCurrentDebugLocation(Call.getDebugLoc());
  After.CreateStore(After.CreateLoad(Ptr, Slot), Target);
}

bool canonicalizeOutParameters(Function &F) {
  SmallVector<std::pair<CallInst *, unsigned>, 8> Work;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto Out = Call ? outParameter(*Call) : std::nullopt;
    if (!Out)
      continue;
    auto *Slot =
        dyn_cast<AllocaInst>(getUnderlyingObject(Call->getArgOperand(*Out)));
    if (Slot && !Slot->getMetadata("echo.out"))
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
  return M && M->NoThrow;
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

//===- StubArguments.cpp - Launch arguments to kernel parameters ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stub stores each parameter in a variable of its own and the variables'
// addresses in the array it gives to cudaLaunchKernel.
//
//===----------------------------------------------------------------------===//
#include "Analysis/StubArguments.h"
#include "Analysis/CudaApi.h"
#include "Analysis/KernelFacts.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

bool isKernelStub(const Function &F) {
  return kernelNameOfStub(F.getName()).has_value();
}

static std::optional<ApiInfo> apiOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? lookupCudaApi(Callee->getName()) : std::nullopt;
}

static const CallBase *launchCall(const Function &Stub) {
  for (const Instruction &I : instructions(Stub))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (auto Api = apiOf(*Call); Api && Api->Kind == ApiKind::Launch)
        return Call;
  return nullptr;
}

static const Value *argumentArray(const Function &Stub) {
  const CallBase *Call = launchCall(Stub);
  return Call ? Call->getArgOperand(*apiOf(*Call)->find(ApiRole::Args))
              : nullptr;
}

bool launchesPerThread(const Function &F) {
  const CallBase *Call = launchCall(F);
  return Call && apiOf(*Call)->PerThread;
}

/// The argument of the stub that \p Slot holds and nothing else, or null.
static const Argument *heldArgument(const Value *Slot) {
  const Argument *Held = nullptr;
  for (const User *U : Slot->users()) {
    const auto *S = dyn_cast<StoreInst>(U);
    if (!S || S->getPointerOperand() != Slot)
      continue;
    const auto *A = dyn_cast<Argument>(S->getValueOperand());
    if (!A || Held)
      return nullptr;
    Held = A;
  }
  return Held;
}

SmallVector<std::optional<unsigned>, 8> stubArgumentMap(const Function &F) {
  SmallVector<std::optional<unsigned>, 8> Map(F.arg_size());
  const Value *Array = argumentArray(F);
  if (!Array)
    return Map;
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (const Instruction &I : instructions(F)) {
    const auto *S = dyn_cast<StoreInst>(&I);
    if (!S || !isa<AllocaInst>(S->getValueOperand()))
      continue;
    APInt Offset(64, 0);
    const Value *Base =
        S->getPointerOperand()->stripAndAccumulateConstantOffsets(
            DL, Offset, /*AllowNonInbounds=*/true);
    if (Base != Array)
      continue;
    const Argument *A = heldArgument(S->getValueOperand());
    if (A && A->getType() ==
                 cast<AllocaInst>(S->getValueOperand())->getAllocatedType())
      Map[A->getArgNo()] = Offset.getZExtValue() / DL.getPointerSize();
  }
  return Map;
}

Value *launchStream(const CallBase &Call) {
  const BasicBlock *BB = Call.getParent();
  const Instruction *From = &Call;
  for (unsigned Blocks = 0; Blocks < 64; ++Blocks) {
    for (auto It = From ? std::next(From->getReverseIterator()) : BB->rbegin();
         It != BB->rend(); ++It) {
      const auto *Push = dyn_cast<CallBase>(&*It);
      if (!Push)
        continue;
      auto Api = apiOf(*Push);
      if (Api && Api->Kind == ApiKind::PushConfig)
        return Push->getArgOperand(*Api->find(ApiRole::Stream));
      if (Push->getCalledFunction() && isKernelStub(*Push->getCalledFunction()))
        return nullptr; // another launch took the configuration before
    }
    BB = BB->getSinglePredecessor();
    From = nullptr;
    if (!BB)
      return nullptr;
  }
  return nullptr;
}

} // namespace echo

//===- CudaStart.cpp - Does the program start CUDA itself? ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CudaStart.h.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decision/CudaStart.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

/// True if \p Call needs a device of CUDA's.
static bool usesCuda(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && isKernelStub(*Callee))
    return true;
  auto Api = cudaApiOf(Call);
  if (!Api)
    return false;
  switch (Api->Kind) {
  case ApiKind::AllocDevice:
  case ApiKind::AllocHost:
  case ApiKind::AllocManaged:
  case ApiKind::Copy:
  case ApiKind::Set:
  case ApiKind::SyncDevice:
  case ApiKind::StreamCreate:
  case ApiKind::EventCreate:
    return true;
  default:
    return false;
  }
}

bool startsCudaAfter(const MemoryObject &Host, RunSearches &Runs) {
  if (Runs.StoresBeforeCuda)
    return false;
  SmallVector<const Instruction *, 16> Work;
  for (const CallBase *Alloc : Host.allocs())
    Work.push_back(Alloc);
  const auto Allocs = Host.allocs();
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    const BasicBlock *BB = I->getParent();
    bool Started = false;
    for (; I && !Started; I = I->getNextNode()) {
      if (isa<ReturnInst, ResumeInst>(I))
        return false; // who called the function may do anything
      const auto *Call = dyn_cast<CallBase>(I);
      if (!Call || is_contained(Allocs, Call))
        continue;
      if (Runs.LateCuda.mayRun(*Call) || Runs.Unseen.mayRun(*Call))
        return false;
      Started = usesCuda(*Call);
    }
    if (Started)
      continue;
    for (const BasicBlock *Succ : successors(BB))
      if (!isNullOn(BB, Succ, Host.Pointer) && Seen.insert(Succ).second)
        Work.push_back(&Succ->front());
  }
  return true;
}

} // namespace echo

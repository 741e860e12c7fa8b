//===- StreamCapture.cpp - Streams that a graph may be made of ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only where a stream is shared is it asked what calls may do.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/StreamCapture.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Events/StreamKeys.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

/// True if \p Call is one of CUDA or of a library that uses it.
static bool isOfCuda(const CallBase &Call, const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  const FunctionModel *M = Models.lookup(Callee->getName());
  return lookupCudaApi(Callee->getName()) || (M && M->usesGpu());
}

/// True if the function may return with both buffers of \p P as they are,
/// though no CUDA call failed.
static bool mayOutlive(const Function &F, const Effects &Events, const Pair &P,
                       const ModelTable &Models) {
  SmallVector<std::pair<const BasicBlock *, const Instruction *>, 8> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB))
      if (P.links(E) || P.mayLink(E))
        Work.push_back({&BB, E.At});
  while (!Work.empty()) {
    auto [BB, From] = Work.pop_back_val();
    bool Behind = !From, Ends = false;
    for (const Event &E : Events.in(BB)) {
      Ends |= Behind && E.Kind == EventKind::Free && !E.Perhaps &&
              !E.isResize() && P.has(E.Object);
      Behind |= E.At == From;
    }
    if (Ends)
      continue;
    if (isa<ReturnInst, ResumeInst>(BB->getTerminator()))
      return true;
    for (const BasicBlock *Succ : successors(BB)) {
      const CallBase *Failed = callThatFailed(BB, Succ);
      bool IsCuda = Failed && isOfCuda(*Failed, Models);
      if (!IsCuda && Seen.insert(Succ).second)
        Work.push_back({Succ, nullptr});
    }
  }
  return false;
}

/// True if \p E may work in the thread's default stream, which all functions
/// know. The legacy one cannot be captured.
static bool isOfThread(const Event &E) {
  const auto *C = dyn_cast_or_null<ConstantExpr>(E.Stream);
  const Value *Number =
      C && C->getOpcode() == Instruction::IntToPtr ? C->getOperand(0) : nullptr;
  const auto *Handle = dyn_cast_or_null<ConstantInt>(Number);
  bool IsLegacy = Handle && Handle->isOne();
  bool IsNull = !E.Stream || isa<ConstantPointerNull>(E.Stream);
  return IsNull ? E.PerThread : isa<Constant>(E.Stream) && !IsLegacy;
}

StreamCapture::StreamCapture(const Function &F, const Effects &Events,
                             const UnitContext &Unit)
    : F(F), Events(Events), Models(Unit.Models) {
  RunSearch &Capturing = Unit.Runs.Capturing;
  const bool UnitCaptures = Capturing.declared();
  InThread = UnitCaptures && Unit.Runs.StartsThreads;
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB)) {
      if (E.Kind == EventKind::StreamDestroy)
        continue;
      bool Named = E.Stream && !isa<Constant>(E.Stream);
      // A stream that waits for a record in one that is captured is so, too.
      bool Joins = E.Kind == EventKind::StreamWait &&
                   !isOwnHandle(E.Handle, ApiKind::EventCreate);
      if (E.StreamUnknown || Joins ||
          (UnitCaptures && E.HasStream && isOfThread(E)) ||
          (Named && !isOwnHandle(E.Stream, ApiKind::StreamCreate, &Models)))
        SharedStream = &E;
      const auto *Call = dyn_cast<CallBase>(E.At);
      if (E.Kind == EventKind::Other && Call && Capturing.mayRun(*Call))
        Captures = &E;
    }
  if (!SharedStream)
    return;
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB)) {
      const auto *Call = dyn_cast<CallBase>(E.At);
      if (E.Kind == EventKind::Other && !E.HasStream &&
          !(Call && leavesGpuAlone(*Call, Models)))
        Unknown = &E;
    }
}

std::optional<Refusal> StreamCapture::check(const Pair &P) const {
  if (isOff(Check::StreamCapture))
    return std::nullopt;
  if (Captures)
    return Refusal{Blocker::StreamCapture, Captures->At,
                   Captures->What + " may capture a stream"};
  if (InThread)
    return Refusal{Blocker::StreamCapture, P.Copies.front()->At,
                   "another thread may capture a stream"};
  if (!SharedStream)
    return std::nullopt;
  if (Unknown)
    return Refusal{Blocker::StreamCapture, Unknown->At,
                   Unknown->What + " may capture a stream"};
  if (mayOutlive(F, Events, P, Models))
    return Refusal{Blocker::StreamCapture, SharedStream->At,
                   "the caller may capture this stream, and the buffers stay"};
  return std::nullopt;
}

} // namespace echo

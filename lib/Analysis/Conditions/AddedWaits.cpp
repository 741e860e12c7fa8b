//===- AddedWaits.cpp - A merge adds no wait that matters -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where GPU work may wait for the host, a wait that only the merged program
// has might never end; where kernels may print, it would write that too early.
// Proof obligation: there, no copy, set or allocation of the pair waits that
// would not wait with two buffers, but where the GPU runs no code.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Conditions/Condition.h"
#include "Analysis/Memory/Exposure.h"

using namespace llvm;

namespace echo {

/// True if the host may wait at \p E where the buffers of \p P are merged, but
/// not where they are not. CUDA asks what memory a copy or set touches: one
/// that is asynchronous with device memory waits where that is pinned or
/// managed, and one with pinned memory does where that is the system's.
/// \p Prints: a copy that waits but does not write what kernels printed counts.
static bool mayAddWait(const Event &E, const Pair &P, const MemoryObject &H,
                       bool Prints) {
  const auto *Call = dyn_cast<CallBase>(E.At);
  auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
  if (!Api || llvm::none_of(E.Accesses, [&](const Access &A) {
        return A.Object == P.Host || A.Object == P.Device;
      }))
    return false;
  if (E.Kind == EventKind::Gpu) {
    bool Sets = Api->Kind == ApiKind::Set || Api->Kind == ApiKind::Set2D;
    return Sets ? !Api->isAsync()
                : Api->Kind != ApiKind::PushConfig &&
                      Api->Kind != ApiKind::Launch;
  }
  if (E.Kind != EventKind::Copy)
    return false;
  bool Waits = E.Direction == CopyDirection::HostToDevice ||
               E.Direction == CopyDirection::DeviceToHost;
  bool Full = llvm::any_of(E.Accesses, [](const Access &A) { return A.Full; });
  // One of no bytes waits for nothing; what stays of it would.
  if (!E.Async)
    return !Waits || !(E.Moves || Full);
  // The pair's own copies run where its device side stays apart at run time. Of
  // a pinned buffer's block, which may be other memory, they then wait. A copy
  // of pageable memory may return at once if it is an upload, and else waits.
  return H.isPinned() || !P.links(E) || Prints ||
         E.Dst == static_cast<int>(P.Device);
}

/// Where merging \p P makes the host wait for the GPU as the program does not:
/// what calloc clears may be in use, a copy or set may wait for other memory
/// (mayAddWait), and a wait is added after one of Unsure that does not say
/// whether it failed. \p StartsIdle: what is in flight is the function's alone,
/// so the pair's own copy waits for nobody where S2 found no code on the GPU.
static std::optional<Refusal>
checkAddedWaits(const PairContext &C, const Candidate &D, bool StartsIdle) {
  const Pair &P = D.P;
  const MemoryObject &H = C.Objects[P.Host];
  const HostDependentWork &Work = C.Unit.Work;
  const char *What = Work.mayWaitForHost()
                         ? "GPU work may wait for the host, which would have "
                           "to wait for it here"
                         : "kernels may print, and a wait here would write it "
                           "too early";
  if (H.clears() && D.First == P.Device)
    return Refusal{Blocker::Concurrency, H.Alloc, What};
  for (const Event *E : D.Unsure)
    if (E->waitsUnseen())
      return Refusal{Blocker::Concurrency, E->At, What};
  auto IsAlone = [&](const Event &E) {
    return StartsIdle && !E.Async && is_contained(D.CopiesWithoutCode, &E);
  };
  for (const BasicBlock &BB : C.F)
    for (const Event &E : C.Events.in(&BB))
      if (mayAddWait(E, P, H, Work.mayPrint()) && !IsAlone(E))
        return Refusal{Blocker::Concurrency, E.At, What};
  return std::nullopt;
}

void AddedWaits::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  if (!C.Unit.Work.mayWaitForHost() && !C.Unit.Work.mayPrint())
    return;
  bool StartsIdle = isMain(C.F) && !C.Unit.OtherThreads &&
                    startLeavesGpuAlone(*C.F.getParent(), C.Unit.Models);
  for (Candidate *D : Left)
    D->Refused = checkAddedWaits(C, *D, StartsIdle);
}

} // namespace echo

//===- S4Lifetimes.cpp - Condition S4: instances and lifetime -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: each activation ties one host buffer to one device buffer
// (Instances), of one size as far as run time does not compare them.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Conditions/Condition.h"
#include "Analysis/Memory/LiveInstances.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace echo {

/// A reason if a buffer of \p P may have partners of several sizes, one after
/// the other. Run time keeps those apart whose size is another one; what their
/// copies leave as it was is needed of the one that merges.
static std::optional<Refusal> checkPartners(const Pair &P,
                                            const MemoryObjects &Objects,
                                            const Sizes &S,
                                            const LoopInfo &LI) {
  const SCEV *HostBytes = S.bytes(Objects[P.Host]);
  const SCEV *DeviceBytes = S.bytes(Objects[P.Device]);
  if (P.Grown || Sizes::equal(HostBytes, DeviceBytes) ||
      (Sizes::constant(HostBytes) && Sizes::constant(DeviceBytes)))
    return std::nullopt;
  for (unsigned O : {P.Host, P.Device}) {
    const CallBase *Alloc = Objects[O].Alloc;
    const SCEV *Bytes = S.bytes(Objects[O]);
    for (const Loop *L = LI.getLoopFor(Alloc->getParent());
         L && !L->contains(Objects[P.partner(O)].Alloc); L = L->getParentLoop())
      if (!Bytes || !S.isInvariant(Bytes, *L))
        return Refusal{
            Blocker::InstanceMismatch, Alloc,
            "each iteration may allocate another size, and the other "
            "buffer stays"};
  }
  return std::nullopt;
}

/// The downloads of \p P that can fail only where no host buffer exists (see
/// Pair): their destination is the only place where one may be, or null.
static SmallVector<const Event *, 1> failWithout(const Function &F,
                                                 const Effects &Events,
                                                 const Pair &P,
                                                 const MemoryObjects &Objects) {
  SmallVector<const Event *, 1> Found;
  std::optional<LiveInstances> Hosts;
  for (const Event *C : P.Copies) {
    if (!C->MayFail || C->Dst != static_cast<int>(P.Host) ||
        Objects[P.Host].Pointer != Objects[P.Host].Alloc)
      continue;
    const auto &Call = cast<CallBase>(*C->At);
    auto Api = cudaApiOf(Call);
    auto Src = Api->find(ApiRole::Src), Dst = Api->find(ApiRole::Dst);
    if (!Src || !Dst ||
        !Objects.resolve(Call.getArgOperand(*Src)).NullIf.empty())
      continue;
    if (!Hosts)
      Hosts = liveInstances(F, Events, Objects, P.Host);
    if (Hosts->onlyAt(Call, Call.getArgOperand(*Dst)))
      Found.push_back(C);
  }
  return Found;
}

void S4Lifetimes::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  for (Candidate *D : Left) {
    S4Result R = C.Lifetimes.check(D->P);
    D->P.Resized = R.Resized;
    D->P.Grown = R.Grown;
    D->P.FailWithout = failWithout(C.F, C.Events, D->P, C.Objects);
    D->EarlyFrees = R.EarlyFrees;
    D->First = R.First.value_or(0);
    D->Refused =
        R.Why ? R.Why : checkPartners(D->P, C.Objects, C.SizesOf, C.LI);
  }
}

} // namespace echo

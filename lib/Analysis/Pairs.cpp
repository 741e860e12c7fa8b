//===- Pairs.cpp - Candidate pairs and their linking copies ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the copies of a function in block order.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Pairs.h"
#include "Analysis/Checks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include <cmath>

using namespace llvm;

namespace echo {

const SCEV *partnerBytes(const Pair &P, const MemoryObjects &Objects,
                         const Sizes &S) {
  const SCEV *Host = S.bytes(Objects[P.Host]);
  const SCEV *Device = S.bytes(Objects[P.Device]);
  if (Host && Sizes::equal(Host, Device))
    return Host;
  auto HostConstant = Sizes::constant(Host);
  auto DeviceConstant = Sizes::constant(Device);
  if (HostConstant && DeviceConstant)
    return *HostConstant < *DeviceConstant ? Host : Device;
  for (const SCEV *Side : {Host, Device})
    if (Side && Sizes::equal(P.Copies.front()->Bytes, Side))
      return Side;
  return nullptr;
}

bool Pair::coversAll(const Event &E) const {
  return Bytes && E.DstAtBase && E.SrcAtBase && E.Bytes &&
         Sizes::equal(E.Bytes, Bytes);
}

bool Pair::copiesAll(const Event &E) const {
  return Prefix || (E.InPlace && isOff(Check::PartCopy)) || coversAll(E);
}

/// True if nothing but the copies of \p P writes buffer \p Object.
static bool onlyCopiesWrite(const Function &F, const Effects &E, const Pair &P,
                            unsigned Object) {
  return llvm::all_of(F, [&](const BasicBlock &BB) {
    return llvm::all_of(E.in(&BB), [&](const Event &Ev) {
      return P.links(Ev) || llvm::none_of(Ev.Accesses, [&](const Access &A) {
               return A.Object == Object && A.Write;
             });
    });
  });
}

bool passesEnd(const Event &C, const Pair &P, const MemoryObjects &Objects,
               const Sizes &S) {
  auto Copied = Sizes::constant(C.Bytes);
  return llvm::any_of(ArrayRef({P.Host, P.Device}), [&](unsigned Object) {
    auto Size = Sizes::constant(S.bytes(Objects[Object]));
    return Copied && Size && *Copied > *Size;
  });
}

/// Where the copies of \p P move the same number of bytes each time while the
/// buffer that they write is there, what lies behind has no content: reading it
/// is undefined, so it does not matter that a merge puts something there.
static bool copiesPrefix(const Function &F, const Effects &E, const Pair &P,
                         const MemoryObjects &Objects, const Sizes &S,
                         const LoopInfo &LI) {
  const Event &First = *P.Copies.front();
  unsigned Written = First.Dst;
  const BasicBlock *Home = Objects[Written].Alloc->getParent();
  auto IsSame = [&](const Event *C) {
    if (C->Dst != First.Dst || !C->DstAtBase || !C->SrcAtBase || C->MayFail ||
        C->Doubtful || !C->Bytes || !Sizes::equal(C->Bytes, First.Bytes))
      return false;
    for (const Loop *L = LI.getLoopFor(C->At->getParent());
         L && !L->contains(Home); L = L->getParentLoop())
      if (!S.isInvariant(C->Bytes, *L))
        return false;
    return true;
  };
  if (!First.Bytes || !Objects[Written].Others.empty())
    return false;
  if (isOff(Check::PrefixContent))
    return llvm::all_of(P.Copies, [](const Event *C) {
      return C->DstAtBase && C->SrcAtBase && C->Bytes;
    });
  return llvm::all_of(P.Copies, IsSame) && onlyCopiesWrite(F, E, P, Written);
}

/// What it saves to leave out copy \p C, in loops as deep as \p Depth.
static double weightOf(const Event &C, unsigned Depth) {
  constexpr double UnknownBytes = 1 << 20, Rounds = 4;
  auto Bytes = Sizes::constant(C.Bytes);
  return (Bytes ? static_cast<double>(*Bytes) : UnknownBytes) *
         std::pow(Rounds, std::min(Depth, 8u));
}

std::vector<Pair> findPairs(const Function &F, const Effects &E,
                            const MemoryObjects &Objects, const Sizes &S,
                            const LoopInfo &LI) {
  std::vector<Pair> Pairs;
  DenseMap<std::pair<unsigned, unsigned>, unsigned> Numbers;
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB)) {
      if (Ev.Kind != EventKind::Copy || Ev.Dst < 0 || Ev.Src < 0)
        continue;
      bool ToDevice = Objects[Ev.Dst].side() == Side::Device;
      if (ToDevice == (Objects[Ev.Src].side() == Side::Device))
        continue;
      unsigned Host = ToDevice ? Ev.Src : Ev.Dst;
      unsigned Device = ToDevice ? Ev.Dst : Ev.Src;
      auto [It, New] = Numbers.try_emplace({Host, Device}, Pairs.size());
      if (New)
        Pairs.push_back(Pair{Host, Device, {}, 0, nullptr, false});
      Pair &P = Pairs[It->second];
      P.Copies.push_back(&Ev);
      P.Weight += weightOf(Ev, LI.getLoopDepth(&BB));
    }
  for (Pair &P : Pairs) {
    P.Bytes = partnerBytes(P, Objects, S);
    auto All = [&](const Event *C) { return P.copiesAll(*C); };
    auto IsPart = [&](const Event *C) {
      return C->InPlace && !passesEnd(*C, P, Objects, S);
    };
    bool Parts = !llvm::all_of(P.Copies, All) && llvm::all_of(P.Copies, IsPart);
    P.Prefix = Parts && copiesPrefix(F, E, P, Objects, S, LI);
    P.Parts = Parts && !P.Prefix;
    // Only buffers of one size are merged then, of which run time makes sure.
    if ((P.Prefix || P.Parts) && !P.Bytes)
      P.Bytes = S.bytes(Objects[P.Host]);
  }
  llvm::stable_sort(
      Pairs, [](const Pair &A, const Pair &B) { return A.Weight > B.Weight; });
  return Pairs;
}

} // namespace echo

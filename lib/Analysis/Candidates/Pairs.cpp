//===- Pairs.cpp - Candidate pairs and their linking copies ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the copies of a function in block order.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Candidates/Pairs.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
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
  const auto &Copies = P.isChosen() ? P.Chosen : P.Copies;
  for (const SCEV *Side : {Host, Device})
    if (Side && !Copies.empty() && Sizes::equal(Copies.front()->Bytes, Side))
      return Side;
  return nullptr;
}

/// Sets what \p P says of its buffers' sizes.
static void setSizes(Pair &P, const MemoryObjects &Objects, const Sizes &S) {
  P.Bytes = partnerBytes(P, Objects, S);
  P.HostBytes = S.bytes(Objects[P.Host]);
  const SCEV *Device = S.bytes(Objects[P.Device]);
  P.SizesKnown = Sizes::equal(P.HostBytes, Device) ||
                 (Sizes::constant(P.HostBytes) && Sizes::constant(Device));
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
/// buffer that they write is there, what follows these bytes has no content:
/// reading it is undefined, so it does not matter that a merge puts something
/// there.
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

/// Adds to \p Pairs those that only copies from or to one of several buffers
/// may link, and no other copy tells which of them belong together.
static void addChosen(std::vector<Pair> &Pairs, const Function &F,
                      const Effects &E, const MemoryObjects &Objects,
                      const Sizes &S, const LoopInfo &LI) {
  const size_t Sure = Pairs.size();
  DenseMap<std::pair<unsigned, unsigned>, unsigned> Numbers;
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB)) {
      if (!Ev.chooses() ||
          llvm::any_of(ArrayRef(Pairs).take_front(Sure),
                       [&](const Pair &P) { return P.mayLink(Ev); }))
        continue;
      bool ToDevice = Ev.Direction == CopyDirection::HostToDevice;
      for (unsigned Host : ToDevice ? Ev.SrcOf : Ev.DstOf)
        for (unsigned Device : ToDevice ? Ev.DstOf : Ev.SrcOf) {
          auto [It, New] = Numbers.try_emplace({Host, Device}, Pairs.size());
          if (New)
            Pairs.push_back(Pair{Host, Device, {}, {}, {}, 0, nullptr});
          Pair &P = Pairs[It->second];
          P.Chosen.push_back(&Ev);
          P.Weight += weightOf(Ev, LI.getLoopDepth(&BB));
        }
    }
  for (Pair &P : MutableArrayRef(Pairs).drop_front(Sure))
    setSizes(P, Objects, S);
  std::erase_if(Pairs, [](const Pair &P) { return P.isChosen() && !P.Bytes; });
}

bool excludeEachOther(const CallBase &A, const CallBase &B) {
  InstructionsBehind Later({&A, &B});
  return !Later.contains(A) && !Later.contains(B);
}

/// True if copy \p C, which may be one between the two of \p P, has no other
/// buffers to choose from wherever both exist.
static bool isSoleChoice(const Event &C, const Pair &P,
                         const MemoryObjects &Objects) {
  auto IsExcluded = [&](unsigned Other) {
    unsigned Mine = Objects[Other].side() == Side::Host ? P.Host : P.Device;
    return Other == Mine || isOff(Check::ChoiceExcludes) ||
           (Objects[Other].Others.empty() && Objects[Mine].Others.empty() &&
            excludeEachOther(*Objects[Other].Alloc, *Objects[Mine].Alloc));
  };
  return llvm::all_of(C.DstOf, IsExcluded) && llvm::all_of(C.SrcOf, IsExcluded);
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
        Pairs.push_back(Pair{Host, Device, {}, {}, {}, 0, nullptr});
      Pair &P = Pairs[It->second];
      P.Copies.push_back(&Ev);
      P.Weight += weightOf(Ev, LI.getLoopDepth(&BB));
    }
  for (Pair &P : Pairs) {
    setSizes(P, Objects, S);
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
  addChosen(Pairs, F, E, Objects, S, LI);
  for (Pair &P : Pairs)
    for (const BasicBlock &BB : F)
      for (const Event &Ev : E.in(&BB))
        if (P.mayLink(Ev) && isSoleChoice(Ev, P, Objects))
          P.Sole.push_back(&Ev);
  llvm::stable_sort(Pairs, [](const Pair &A, const Pair &B) {
    return std::pair(A.isChosen(), B.Weight) <
           std::pair(B.isChosen(), A.Weight);
  });
  return Pairs;
}

} // namespace echo

//===- Pairs.cpp - Candidate pairs and their linking copies ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the copies of a function in block order.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Pairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace echo {

const SCEV *partnerBytes(const Pair &P, const MemoryObjects &Objects,
                         const Sizes &S) {
  const SCEV *Host = S.bytes(Objects[P.Host]);
  const SCEV *Device = S.bytes(Objects[P.Device]);
  if (Sizes::equal(Host, Device))
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
        Pairs.push_back(Pair{Host, Device, {}, 0, nullptr});
      Pair &P = Pairs[It->second];
      P.Copies.push_back(&Ev);
      P.Weight += 1u << std::min(2 * LI.getLoopDepth(&BB), 16u);
    }
  for (Pair &P : Pairs)
    P.Bytes = partnerBytes(P, Objects, S);
  llvm::stable_sort(
      Pairs, [](const Pair &A, const Pair &B) { return A.Weight > B.Weight; });
  return Pairs;
}

} // namespace echo

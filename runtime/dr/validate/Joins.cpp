//===- Joins.cpp - Which two buffers a plan would make one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of a pair waits for its other side at a time (shareBlock and
// releaseSide in optimize/Memory.cpp).
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Joins.h"

namespace echo::dr {

bool Joins::allocated(unsigned Pair, Side Which, uintptr_t Base,
                      uint16_t Thread, bool Zeroed) {
  if (Off[Pair])
    return true;
  if (const unsigned Number = Waiting[Pair]) {
    Waiting[Pair] = 0;
    Block &B = All[Number - 1];
    // Such a pair is as written from here on, but for the blocks that exist.
    if (B.Sides[Which] || B.Thread != Thread || Zeroed)
      Off[Pair] = true;
    else
      B.Sides[Which] = Base;
    return true;
  }
  unsigned I = 0;
  while (I != Used && All[I].inUse())
    ++I;
  if (I == sizeof All / sizeof *All)
    return false;
  Used += I == Used;
  All[I] = {{0, 0}, static_cast<uint16_t>(Pair), Thread};
  All[I].Sides[Which] = Base;
  Waiting[Pair] = I + 1;
  return true;
}

void Joins::freed(Side Which, uintptr_t Base) {
  for (unsigned I = 0; I != Used; ++I) {
    Block &B = All[I];
    if (B.Sides[Which] != Base)
      continue;
    B.Sides[Which] = 0;
    unsigned &Waits = Waiting[B.Pair];
    // The program may allocate this side anew for the buffer that stays.
    if (B.inUse())
      Waits = Waits ? Waits : I + 1;
    else if (Waits == I + 1)
      Waits = 0;
  }
}

uintptr_t Joins::otherSide(unsigned Pair, Side Which, uintptr_t Base) const {
  for (unsigned I = 0; I != Used; ++I)
    if (All[I].Pair == Pair && All[I].Sides[Which] == Base)
      return All[I].Sides[Which == Host ? Device : Host];
  return 0;
}

} // namespace echo::dr

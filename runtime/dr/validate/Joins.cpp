//===- Joins.cpp - Which two buffers a plan would make one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of a pair waits for its thread's next buffer of it at a time
// (shareBlock and releaseSide in optimize/Memory.cpp).
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Joins.h"

namespace echo::dr {

Joins::Block *Joins::waiting(unsigned Pair, uint64_t Thread) {
  for (unsigned I = 0; I != Used; ++I)
    if (All[I].Waits && All[I].Pair == Pair && All[I].Thread == Thread)
      return &All[I];
  return nullptr;
}

bool Joins::isOff(unsigned Pair, uint64_t Thread) const {
  for (unsigned I = 0; I != NumOff; ++I)
    if (Off[I].Pair == Pair && Off[I].Thread == Thread)
      return true;
  return false;
}

bool Joins::allocated(unsigned Pair, Side Which, uintptr_t Base,
                      uint64_t Thread, bool Zeroed) {
  if (isOff(Pair, Thread))
    return true;
  if (Block *B = waiting(Pair, Thread)) {
    B->Waits = false;
    if (!B->Sides[Which] && !Zeroed) {
      B->Sides[Which] = Base;
      Seen[Pair] |= drplan::joinBit(Which == Device);
      return isCertain(Pair);
    }
    // Such a pair is as written from here on, but for the blocks that exist.
    if (NumOff == sizeof Off / sizeof *Off)
      return false;
    Off[NumOff++] = {Thread, static_cast<uint16_t>(Pair)};
    return true;
  }
  unsigned I = 0;
  while (I != Used && All[I].inUse())
    ++I;
  if (I == sizeof All / sizeof *All)
    return false;
  Used += I == Used;
  All[I] = {{0, 0}, Thread, static_cast<uint16_t>(Pair), Thread != 0};
  All[I].Sides[Which] = Base;
  Several[Pair] = Begun[Pair];
  Begun[Pair] = true;
  return isCertain(Pair);
}

void Joins::freed(Side Which, uintptr_t Base, uint64_t Thread) {
  for (unsigned I = 0; I != Used; ++I) {
    Block &B = All[I];
    if (B.Sides[Which] != Base)
      continue;
    B.Sides[Which] = 0;
    FreedByOther[B.Pair] |= B.Waits && B.Thread != Thread;
    B.Waits = false; // the buffer that stays gets no other partner
  }
}

uintptr_t Joins::otherSide(unsigned Pair, Side Which, uintptr_t Base) const {
  for (unsigned I = 0; I != Used; ++I)
    if (All[I].Pair == Pair && All[I].Sides[Which] == Base)
      return All[I].Sides[Which == Host ? Device : Host];
  return 0;
}

} // namespace echo::dr

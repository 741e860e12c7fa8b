//===- Ranges.cpp - Memory in use, by address -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table grows by mapping twice its size. Where the system maps no more,
// new ranges are not known: what is not known is left as it is.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Ranges.h"
#include "runtime/dr/OwnMemory.h"

#include <string.h>

namespace echo::dr {

RangeTable HostRanges, DeviceRanges;

bool findHost(const void *Pointer, Range &Found) {
  return HostRanges.find(Pointer, Found);
}
bool findDevice(const void *Pointer, Range &Found) {
  return DeviceRanges.find(Pointer, Found);
}

size_t RangeTable::after(uintptr_t Address) const {
  size_t Low = 0, High = Count;
  while (Low != High) {
    size_t Middle = Low + (High - Low) / 2;
    if (Sorted[Middle].Base <= Address)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

void RangeTable::erase(size_t From, size_t To) {
  for (size_t I = From; I != To; ++I)
    __atomic_fetch_sub(
        &Filter[slotOf(reinterpret_cast<void *>(Sorted[I].Base))], uint16_t(1),
        __ATOMIC_RELAXED);
  memmove(Sorted + From, Sorted + To, (Count - To) * sizeof(Range));
  Count -= To - From;
}

void RangeTable::add(const Range &R) {
  lock();
  size_t At = after(R.Base);
  size_t From = At, To = At;
  while (From && Sorted[From - 1].Base + Sorted[From - 1].Bytes > R.Base)
    --From;
  while (To != Count && Sorted[To].Base < R.Base + R.Bytes)
    ++To;
  if (From != To)
    erase(From, To);
  bool Fits = Count != Room;
  if (!Fits) {
    size_t Larger = Room ? 2 * Room : 512;
    if (void *Fresh = mapOwn(Larger * sizeof(Range))) {
      if (Count)
        memcpy(Fresh, Sorted, Count * sizeof(Range));
      if (Sorted)
        unmapOwn(Sorted, Room * sizeof(Range));
      Sorted = static_cast<Range *>(Fresh);
      Room = Larger;
      Fits = true;
    }
  }
  if (Fits) {
    memmove(Sorted + From + 1, Sorted + From, (Count - From) * sizeof(Range));
    Sorted[From] = R;
    ++Count;
    __atomic_fetch_add(&Filter[slotOf(reinterpret_cast<void *>(R.Base))],
                       uint16_t(1), __ATOMIC_RELAXED);
  }
  unlock();
}

bool RangeTable::remove(const void *Base, Range &Removed) {
  if (!mayHold(Base))
    return false;
  lock();
  auto Address = reinterpret_cast<uintptr_t>(Base);
  size_t At = after(Address);
  bool Found = At && Sorted[At - 1].Base == Address;
  if (Found) {
    Removed = Sorted[At - 1];
    erase(At - 1, At);
  }
  unlock();
  return Found;
}

bool RangeTable::find(const void *Pointer, Range &Found) {
  lock();
  auto Address = reinterpret_cast<uintptr_t>(Pointer);
  size_t At = after(Address);
  bool Any = At && Address - Sorted[At - 1].Base < Sorted[At - 1].Bytes;
  if (Any)
    Found = Sorted[At - 1];
  unlock();
  return Any;
}

void RangeTable::forEach(void (*Each)(Range &, void *), void *Data) {
  lock();
  forEachLocked(Each, Data);
  unlock();
}

void RangeTable::forEachLocked(void (*Each)(Range &, void *), void *Data) {
  for (size_t I = 0; I != Count; ++I)
    Each(Sorted[I], Data);
}

bool RangeTable::removeMappings(const void *Base, uint64_t Bytes) {
  lock();
  auto Low = reinterpret_cast<uintptr_t>(Base);
  size_t At = after(Low);
  while (At && Sorted[At - 1].Base + Sorted[At - 1].Bytes > Low)
    --At;
  bool Any = false;
  while (At != Count && Sorted[At].Base < Low + Bytes)
    if (Sorted[At].Kind == How::Mmap) {
      erase(At, At + 1);
      Any = true;
    } else {
      ++At;
    }
  unlock();
  return Any;
}

void RangeTable::clear() {
  lock();
  if (Count)
    erase(0, Count);
  unlock();
}

} // namespace echo::dr

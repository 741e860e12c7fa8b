//===- Ranges.cpp - Memory in use, by address -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges never overlap, so the one before an address is the only one that can
// contain it. A node that is full is split on the path down; one that is empty
// is taken out, and others are not filled up: buffers come and go at the same
// places. Where the system maps no more, new ranges are not known: what is not
// known is left as it is.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Ranges.h"
#include "runtime/dr/OwnMemory.h"

#include <new>
#include <string.h>

namespace echo::dr {

RangeTable HostRanges, DeviceRanges;

bool findHost(const void *Pointer, Range &Found) {
  return HostRanges.find(Pointer, Found);
}
bool findDevice(const void *Pointer, Range &Found) {
  return DeviceRanges.find(Pointer, Found);
}

namespace {
constexpr unsigned Fan = 32;
constexpr unsigned MostLevels = 16;

class Reading {
public:
  explicit Reading(pthread_rwlock_t &L) : L(L) { pthread_rwlock_rdlock(&L); }
  ~Reading() { pthread_rwlock_unlock(&L); }
  Reading(const Reading &) = delete;
  Reading &operator=(const Reading &) = delete;

private:
  pthread_rwlock_t &L;
};
} // namespace

/// Level 0 is a leaf. A free node is in a list.
struct RangeTable::Node {
  unsigned Count = 0, Level = 0;
  Node *NextFree = nullptr;
};

struct RangeTable::Leaf : Node {
  Leaf *Before = nullptr, *Behind = nullptr;
  Range At[Fan];
};

/// What Child[I] holds starts at Least[I] or behind, and before Least[I + 1].
/// Least[0] is not looked at: the node's own bound holds.
struct RangeTable::Inner : Node {
  uintptr_t Least[Fan] = {};
  Node *Child[Fan] = {};

  unsigned placeOf(uintptr_t Address) const {
    unsigned Low = 0, High = Count;
    while (High - Low > 1) {
      const unsigned Middle = (Low + High) / 2;
      (Least[Middle] <= Address ? Low : High) = Middle;
    }
    return Low;
  }
  void take(unsigned From) {
    memmove(Least + From, Least + From + 1, (Count - From - 1) * sizeof *Least);
    memmove(Child + From, Child + From + 1, (Count - From - 1) * sizeof *Child);
    --Count;
  }
};

/// From the root to a leaf.
struct RangeTable::Path {
  unsigned Length = 0;
  Inner *At[MostLevels];
  unsigned Place[MostLevels];
};

/// How many of a leaf's ranges start at \p Address or before.
static unsigned countUpTo(const Range *At, unsigned Count, uintptr_t Address) {
  unsigned Low = 0, High = Count;
  while (Low != High) {
    const unsigned Middle = (Low + High) / 2;
    if (At[Middle].Base <= Address)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

template <class T> T *RangeTable::make(Node *&Free) {
  void *At = Free;
  if (At) {
    Free = Free->NextFree;
  } else {
    constexpr size_t Bytes = (sizeof(T) + 63) / 64 * 64, Piece = 256 << 10;
    if (FreshBytes < Bytes) {
      Fresh = static_cast<char *>(mapOwn(Piece));
      FreshBytes = Fresh ? Piece : 0;
      if (!Fresh)
        return nullptr;
    }
    At = Fresh;
    Fresh += Bytes;
    FreshBytes -= Bytes;
  }
  return new (At) T();
}

void RangeTable::drop(Node *N) {
  Node *&Free = N->Level ? FreeInner : FreeLeaves;
  N->NextFree = Free;
  Free = N;
}

RangeTable::Leaf *RangeTable::leafOf(uintptr_t Address, Path *Way) const {
  Node *N = Root;
  while (N && N->Level) {
    auto *I = static_cast<Inner *>(N);
    const unsigned At = I->placeOf(Address);
    if (Way) {
      Way->At[Way->Length] = I;
      Way->Place[Way->Length++] = At;
    }
    N = I->Child[At];
  }
  return static_cast<Leaf *>(N);
}

Range *RangeTable::atOrBefore(uintptr_t Address) const {
  Leaf *L = leafOf(Address, nullptr);
  if (!L)
    return nullptr;
  if (const unsigned N = countUpTo(L->At, L->Count, Address))
    return &L->At[N - 1];
  return L->Before ? &L->Before->At[L->Before->Count - 1] : nullptr;
}

Range *RangeTable::firstBehind(uintptr_t From) const {
  Leaf *L = leafOf(From, nullptr);
  if (!L)
    return nullptr;
  if (Range *Here = atOrBefore(From); Here && From - Here->Base < Here->Bytes)
    return Here;
  const unsigned N = countUpTo(L->At, L->Count, From);
  if (N != L->Count)
    return &L->At[N];
  return L->Behind ? &L->Behind->At[0] : nullptr;
}

/// Parts the full child at \p At of \p Parent, which has room. False: there is
/// no memory, and nothing has changed.
bool RangeTable::split(Inner *Parent, unsigned At) {
  Node *Full = Parent->Child[At];
  constexpr unsigned Half = Fan / 2;
  uintptr_t Bound;
  Node *Second;
  if (Full->Level) {
    auto *Old = static_cast<Inner *>(Full);
    auto *New = make<Inner>(FreeInner);
    if (!New)
      return false;
    memcpy(New->Least, Old->Least + Half, Half * sizeof *New->Least);
    memcpy(New->Child, Old->Child + Half, Half * sizeof *New->Child);
    New->Level = Old->Level;
    Bound = New->Least[0];
    Second = New;
  } else {
    auto *Old = static_cast<Leaf *>(Full);
    auto *New = make<Leaf>(FreeLeaves);
    if (!New)
      return false;
    for (unsigned I = 0; I != Half; ++I)
      New->At[I] = Old->At[Half + I];
    New->Before = Old;
    New->Behind = Old->Behind;
    if (Old->Behind)
      Old->Behind->Before = New;
    Old->Behind = New;
    Bound = New->At[0].Base;
    Second = New;
  }
  Full->Count = Second->Count = Half;
  const unsigned Moved = Parent->Count - At - 1;
  memmove(Parent->Least + At + 2, Parent->Least + At + 1,
          Moved * sizeof *Parent->Least);
  memmove(Parent->Child + At + 2, Parent->Child + At + 1,
          Moved * sizeof *Parent->Child);
  Parent->Least[At + 1] = Bound;
  Parent->Child[At + 1] = Second;
  ++Parent->Count;
  return true;
}

/// Makes room at the root.
bool RangeTable::growRoot() {
  if (!Root) {
    Root = First = make<Leaf>(FreeLeaves);
    return Root;
  }
  if (Root->Count != Fan)
    return true;
  if (Root->Level + 1 == MostLevels)
    return false;
  auto *Top = make<Inner>(FreeInner);
  if (!Top)
    return false;
  Top->Level = Root->Level + 1;
  Top->Count = 1;
  Top->Child[0] = Root;
  if (!split(Top, 0)) {
    drop(Top);
    return false;
  }
  Root = Top;
  return true;
}

void RangeTable::insert(const Range &R) {
  if (!growRoot())
    return;
  Node *N = Root;
  while (N->Level) {
    auto *I = static_cast<Inner *>(N);
    unsigned At = I->placeOf(R.Base);
    if (I->Child[At]->Count == Fan) {
      if (!split(I, At))
        return;
      At = I->placeOf(R.Base);
    }
    N = I->Child[At];
  }
  auto *L = static_cast<Leaf *>(N);
  const unsigned At = countUpTo(L->At, L->Count, R.Base);
  for (unsigned I = L->Count; I != At; --I)
    L->At[I] = L->At[I - 1];
  L->At[At] = R;
  ++L->Count;
  count(reinterpret_cast<void *>(R.Base), 1);
}

/// \p L, at the end of \p Way, holds nothing any more.
void RangeTable::removeEmpty(Leaf *L, const Path &Way) {
  (L->Before ? L->Before->Behind : First) = L->Behind;
  if (L->Behind)
    L->Behind->Before = L->Before;
  Node *Gone = L;
  unsigned Up = Way.Length;
  for (; Up; --Up) {
    drop(Gone);
    Inner *Parent = Way.At[Up - 1];
    Parent->take(Way.Place[Up - 1]);
    Gone = Parent;
    if (Parent->Count)
      break;
  }
  if (!Up) {
    drop(Gone);
    Root = nullptr;
  }
  while (Root && Root->Level && Root->Count == 1) {
    Node *Only = static_cast<Inner *>(Root)->Child[0];
    drop(Root);
    Root = Only;
  }
}

/// There is a range that starts at \p Base.
void RangeTable::erase(uintptr_t Base) {
  Path Way;
  Leaf *L = leafOf(Base, &Way);
  const unsigned At = countUpTo(L->At, L->Count, Base) - 1;
  for (unsigned I = At + 1; I != L->Count; ++I)
    L->At[I - 1] = L->At[I];
  count(reinterpret_cast<void *>(Base), -1);
  if (--L->Count == 0)
    removeEmpty(L, Way);
}

void RangeTable::add(const Range &R) {
  lock();
  while (const Range *Old = firstBehind(R.Base)) {
    if (Old->Base >= R.Base + R.Bytes && Old->Base != R.Base)
      break;
    erase(Old->Base);
  }
  insert(R);
  unlock();
}

bool RangeTable::remove(const void *Base, Range &Removed) {
  if (!mayHold(Base))
    return false;
  lock();
  const auto Address = reinterpret_cast<uintptr_t>(Base);
  const Range *Found = atOrBefore(Address);
  const bool Any = Found && Found->Base == Address;
  if (Any) {
    Removed = *Found;
    erase(Address);
  }
  unlock();
  return Any;
}

bool RangeTable::find(const void *Pointer, Range &Found) {
  const Reading Shared(Lock);
  const auto Address = reinterpret_cast<uintptr_t>(Pointer);
  const Range *Near = atOrBefore(Address);
  const bool Any = Near && Address - Near->Base < Near->Bytes;
  if (Any)
    Found = *Near;
  return Any;
}

bool RangeTable::next(uintptr_t From, Range &Found) {
  const Reading Shared(Lock);
  const Range *Near = firstBehind(From);
  if (Near)
    Found = *Near;
  return Near;
}

void RangeTable::forEach(void (*Each)(Range &, void *), void *Data) {
  lock();
  forEachLocked(Each, Data);
  unlock();
}

void RangeTable::forEachLocked(void (*Each)(Range &, void *), void *Data) {
  for (Leaf *L = First; L; L = L->Behind)
    for (unsigned I = 0; I != L->Count; ++I)
      Each(L->At[I], Data);
}

bool RangeTable::removeMappings(const void *Base, uint64_t Bytes) {
  lock();
  const auto End = reinterpret_cast<uintptr_t>(Base) + Bytes;
  auto From = reinterpret_cast<uintptr_t>(Base);
  bool Any = false;
  for (const Range *R; (R = firstBehind(From)) && R->Base < End;) {
    const Range Here = *R;
    From = Here.Base + Here.Bytes;
    if (Here.Kind != How::Mmap)
      continue;
    erase(Here.Base);
    Any = true;
  }
  unlock();
  return Any;
}

void RangeTable::clear() {
  lock();
  while (First)
    erase(First->At[0].Base);
  unlock();
}

} // namespace echo::dr

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

/// Starts are in order and close together, since look-ups read them; a range
/// stays at one place of All until it is erased.
struct RangeTable::Leaf : Node {
  Leaf *Before = nullptr, *Behind = nullptr;
  uintptr_t Start[Fan] = {};
  uint8_t Place[Fan] = {}; ///< in All
  uint32_t Taken = 0;      ///< places of All, a bit each
  Range All[Fan];

  Range &at(unsigned I) { return All[Place[I]]; }
  /// How many start at \p Address or before.
  unsigned countUpTo(uintptr_t Address) const {
    unsigned Low = 0, High = Count;
    while (Low != High) {
      const unsigned Middle = (Low + High) / 2;
      if (Start[Middle] <= Address)
        Low = Middle + 1;
      else
        High = Middle;
    }
    return Low;
  }
  void put(unsigned I, const Range &R) {
    const auto Free = static_cast<uint8_t>(__builtin_ctz(~Taken));
    memmove(Start + I + 1, Start + I, (Count - I) * sizeof *Start);
    memmove(Place + I + 1, Place + I, Count - I);
    Start[I] = R.Base;
    Place[I] = Free;
    Taken |= 1u << Free;
    All[Free] = R;
    ++Count;
  }
  void take(unsigned I) {
    Taken &= ~(1u << Place[I]);
    --Count;
    memmove(Start + I, Start + I + 1, (Count - I) * sizeof *Start);
    memmove(Place + I, Place + I + 1, Count - I);
  }
};

/// What Child[I] holds starts at Least[I] or after, and before Least[I + 1].
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

/// The first piece is small, the others are huge pages where there are some:
/// with many ranges each look-up would miss the processor's table of pages.
bool RangeTable::freshPiece() {
  constexpr size_t Small = size_t(256) << 10, Huge = size_t(2) << 20;
  const size_t Bytes = HasPiece ? Huge : Small;
  char *Piece = static_cast<char *>(mapOwn(HasPiece ? 2 * Huge : Small));
  if (!Piece)
    return false;
  if (HasPiece) {
    const size_t Lead = -reinterpret_cast<uintptr_t>(Piece) % Huge;
    if (Lead)
      unmapOwn(Piece, Lead);
    unmapOwn(Piece + Lead + Huge, Huge - Lead);
    Piece += Lead;
    syscall(SYS_madvise, Piece, Huge, MADV_HUGEPAGE);
  }
  HasPiece = true;
  Fresh = Piece;
  FreshBytes = Bytes;
  return true;
}

template <class T> T *RangeTable::make(Node *&Free) {
  void *At = Free;
  if (At) {
    Free = Free->NextFree;
  } else {
    constexpr size_t Bytes = (sizeof(T) + 63) / 64 * 64;
    if (FreshBytes < Bytes && !freshPiece())
      return nullptr;
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
    if (I->Level == 1) // the lines of a leaf that are read first, at a time
      for (size_t Line = 0; Line != 5; ++Line)
        __builtin_prefetch(reinterpret_cast<const char *>(N) + Line * 64);
  }
  return static_cast<Leaf *>(N);
}

Range *RangeTable::atOrBefore(uintptr_t Address) const {
  Leaf *L = leafOf(Address, nullptr);
  if (!L)
    return nullptr;
  if (const unsigned N = L->countUpTo(Address))
    return &L->at(N - 1);
  return L->Before ? &L->Before->at(L->Before->Count - 1) : nullptr;
}

Range *RangeTable::firstBehind(uintptr_t From) const {
  Leaf *L = leafOf(From, nullptr);
  if (!L)
    return nullptr;
  if (Range *Here = atOrBefore(From); Here && From - Here->Base < Here->Bytes)
    return Here;
  const unsigned N = L->countUpTo(From);
  if (N != L->Count)
    return &L->at(N);
  return L->Behind ? &L->Behind->at(0) : nullptr;
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
      New->put(I, Old->at(Half + I));
    while (Old->Count != Half)
      Old->take(Old->Count - 1);
    New->Before = Old;
    New->Behind = Old->Behind;
    if (Old->Behind)
      Old->Behind->Before = New;
    Old->Behind = New;
    Bound = New->Start[0];
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
  L->put(L->countUpTo(R.Base), R);
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

/// Takes the range that starts at \p Base out, if there is one.
bool RangeTable::erase(uintptr_t Base, Range *Removed) {
  Path Way;
  Leaf *L = leafOf(Base, &Way);
  const unsigned Upto = L ? L->countUpTo(Base) : 0;
  if (!Upto || L->Start[Upto - 1] != Base)
    return false;
  if (Removed)
    *Removed = L->at(Upto - 1);
  L->take(Upto - 1);
  count(reinterpret_cast<void *>(Base), -1);
  if (!L->Count)
    removeEmpty(L, Way);
  return true;
}

/// Adds \p R where one descent shows that there is room, and that it overlaps
/// nothing. False: nothing has changed.
bool RangeTable::addQuickly(const Range &R) {
  Leaf *L = leafOf(R.Base, nullptr);
  if (!L || L->Count == Fan)
    return false;
  const unsigned At = L->countUpTo(R.Base);
  const Range *Last = At          ? &L->at(At - 1)
                      : L->Before ? &L->Before->at(L->Before->Count - 1)
                                  : nullptr;
  if (Last && (R.Base == Last->Base || R.Base - Last->Base < Last->Bytes))
    return false;
  const uintptr_t Next = At != L->Count ? L->Start[At]
                         : L->Behind    ? L->Behind->Start[0]
                                        : UINTPTR_MAX;
  if (Next - R.Base < R.Bytes)
    return false;
  L->put(At, R);
  count(reinterpret_cast<void *>(R.Base), 1);
  return true;
}

void RangeTable::add(const Range &R) {
  lock();
  if (addQuickly(R))
    return unlock();
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
  const bool Any = erase(reinterpret_cast<uintptr_t>(Base), &Removed);
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
      Each(L->at(I), Data);
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
    erase(First->Start[0]);
  unlock();
}

} // namespace echo::dr

//===- Block.cpp - What one merged block would hold -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Block.h. A side's state says all about versions: what it holds is what
// the block would hold (New), something older (Stale), or nothing yet (None).
// A write makes its own side New and the other one Stale; a linking copy gives
// its destination the state of its source.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Block.h"
#include "runtime/check/Pairs.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace echo::check {

namespace {
enum State : unsigned { None, New, Stale };
}

static State stateOf(uint8_t Both, unsigned S) {
  return State(Both >> (2 * S) & 3);
}
static uint8_t withState(uint8_t Both, unsigned S, State Value) {
  return uint8_t((Both & ~(3u << (2 * S))) | unsigned(Value) << (2 * S));
}
/// While the buffer of the other side is a guess: was \p S stale before that?
static uint8_t before(unsigned S) { return uint8_t(0x10 << S); }
/// What \p S is if the other side was none.
static State withoutGuess(uint8_t Both, unsigned S) {
  State Now = stateOf(Both, S);
  return Now == Stale && !(Both & before(S)) ? New : Now;
}
static Slot other(unsigned S) { return Slot(1 - S); }

// Places are constants of the program, near the library.
static const char PlaceBase = 0;
static int32_t packed(const Place *P) {
  intptr_t Distance = reinterpret_cast<const char *>(P) - &PlaceBase;
  return P && Distance == int32_t(Distance) ? int32_t(Distance) : 0;
}
static const Place *unpacked(int32_t Distance) {
  return Distance ? reinterpret_cast<const Place *>(&PlaceBase + Distance)
                  : nullptr;
}

void Counts::add(const Counts &Other) {
  for (unsigned S : {0, 1}) {
    Bytes[S] += Other.Bytes[S];
    Accesses[S] += Other.Accesses[S];
    Touched[S] += Other.Touched[S];
  }
  EqualBytes += Other.EqualBytes;
  Size += Other.Size;
  Links += Other.Links;
}

//===- Pages --------------------------------------------------------------===//

/// Pages of \p Shift that are not in use.
static std::vector<void *> &unused(unsigned Shift) {
  static auto *Lists = new std::vector<void *>[2]; // outlives destructors
  return Lists[Shift ? 1 : 0];
}

Block::Page *Block::makePage(unsigned Shift) {
  const size_t Granules = PageBytes >> Shift,
               Bytes = sizeof(Page) + Granules * (2 * sizeof(Record) + 1);
  std::vector<void *> &Free = unused(Shift);
  void *Memory;
  if (Free.empty()) {
    Memory = calloc(1, Bytes);
  } else {
    Memory = Free.back();
    Free.pop_back();
    memset(Memory, 0, Bytes);
  }
  auto *P = static_cast<Page *>(Memory);
  P->Shift = Shift;
  P->Records = reinterpret_cast<Record *>(P + 1);
  P->States = reinterpret_cast<uint8_t *>(P->Records + 2 * Granules);
  return P;
}

void Block::dropPage(Page *P) {
  if (!P)
    return;
  free(P->Lost);
  P->Lost = nullptr;
  unused(P->Shift).push_back(P);
}

void Block::grow() {
  const size_t Needed = (Size + PageBytes - 1) / PageBytes;
  if (Needed <= NumPages)
    return;
  auto **More = static_cast<Page **>(calloc(Needed, sizeof(Page *)));
  std::copy_n(Pages, NumPages, More);
  Pages = More; // the old table stays for those who look at it now
  NumPages = Needed;
}

Block::Page &Block::page(size_t Number) {
  Page *&P = Pages[Number];
  if (!P)
    P = makePage(2);
  return *P;
}

Block::Page &Block::split(size_t Number) {
  Page &Old = page(Number);
  if (!Old.Shift)
    return Old;
  Page *P = makePage(0);
  for (size_t I = 0; I != PageBytes; ++I) {
    P->States[I] = Old.States[I >> Old.Shift];
    for (unsigned S : {0, 1})
      P->Records[2 * I + S] = Old.Records[2 * (I >> Old.Shift) + S];
  }
  std::swap(P->Lost, Old.Lost);
  Pages[Number] = P;
  dropPage(&Old);
  return *P;
}

void Block::end() {
  Ended = true;
  const size_t Count = NumPages;
  NumPages = 0;
  for (size_t I = 0; I != Count; ++I)
    dropPage(Pages[I]);
}

Block::Block(const Block &Other, Slot Kept) : Owner(Other.Owner) {
  Members[Kept] = Other.Members[Kept];
  Size = Members[Kept]->Size;
  grow();
  for (size_t I = 0; I != std::min(NumPages, Other.NumPages); ++I) {
    const Page *Old = Other.Pages[I];
    if (!Old)
      continue;
    Page &P = Old->Shift ? page(I) : split(I);
    for (size_t G = 0; G != P.granules(); ++G) {
      P.States[G] = withState(0, Kept, withoutGuess(Old->States[G], Kept));
      P.Records[2 * G + Kept] = Old->Records[2 * G + Kept];
    }
  }
  Seen.Bytes[Kept] = Other.Seen.Bytes[Kept];
  Seen.Accesses[Kept] = Other.Seen.Accesses[Kept];
}

//===- Members ------------------------------------------------------------===//

void Block::join(Slot S, Buffer &B, bool Moved) {
  Members[S] = &B;
  AtJoin[S] = Seen;
  Size = std::max(Size, B.Size);
  grow();
  Met |= Members[HostSlot] && Members[DeviceSlot];
  if (Moved)
    return;
  for (size_t I = 0; I != NumPages; ++I)
    for (size_t G = 0; Pages[I] && G != Pages[I]->granules(); ++G) {
      Page *P = Pages[I];
      uint8_t &Both = P->States[G];
      Both = withState(Both, S, None);
      Both &= uint8_t(~before(other(S)));
      if (stateOf(Both, other(S)) == Stale)
        Both |= before(other(S));
      P->Records[2 * G + S] = Record();
    }
}

void Block::leave(Slot S, bool Moved) {
  if (!Moved) {
    Counts Now = counts();
    for (size_t Number = 0; Number != NumPages; ++Number)
      if (Page *P = Pages[Number])
        for (size_t G = 0; G != P->granules(); ++G) {
          if (stateOf(P->States[G], S) == New &&
              stateOf(P->States[G], other(S)) == Stale)
            save(*P, Number, G, S);
          P->States[G] = withState(P->States[G], S, None);
          // Where the device side of a block goes, echort waits for the GPU.
          if (S == DeviceSlot)
            P->Records[2 * G + S] = Record();
        }
    Seen.Touched[S] = Now.Touched[S];
  }
  Members[S] = nullptr;
  Confirmed = false;
}

void Block::settle() {
  Judged = true;
  if (!Found)
    Found = std::move(Guessed);
  Guessed.reset();
}

void Block::forget(Slot S) {
  Met = Judged;
  Guessed.reset();
  Seen.Touched[S] = AtJoin[S].Touched[S];
  Seen.Bytes[S] = AtJoin[S].Bytes[S];
  Seen.Accesses[S] = AtJoin[S].Accesses[S];
  for (size_t I = 0; I != NumPages; ++I)
    for (size_t G = 0; Pages[I] && G != Pages[I]->granules(); ++G) {
      Page *P = Pages[I];
      P->States[G] = withState(P->States[G], other(S),
                               withoutGuess(P->States[G], other(S)));
      P->Records[2 * G + S] = Record();
    }
}

/// Keeps what the block would hold, which side \p S holds and is about to lose.
void Block::save(Page &P, size_t Number, size_t Granule, Slot S) {
  if (!Members[S])
    return;
  if (!P.Lost)
    P.Lost = static_cast<char *>(calloc(1, PageBytes));
  size_t At = Granule << P.Shift, Bytes = size_t(1) << P.Shift,
         Offset = Number * PageBytes + At;
  if (Offset < Members[S]->Size)
    memcpy(P.Lost + At,
           reinterpret_cast<const char *>(Members[S]->Base) + Offset,
           std::min(Bytes, Members[S]->Size - Offset));
}

/// Side \p S reads stale bytes.
void Block::meetStale(Page &P, size_t Number, size_t Granule, Slot S,
                      const Place *At) {
  size_t Bytes = size_t(1) << P.Shift,
         Offset = Number * PageBytes + (Granule << P.Shift);
  Slot O = other(S);
  const char *Mine = reinterpret_cast<const char *>(Members[S]->Base) + Offset;
  const char *Theirs = nullptr;
  if (stateOf(P.States[Granule], O) == New) {
    if (Members[O] && Offset + Bytes <= Members[O]->Size)
      Theirs = reinterpret_cast<const char *>(Members[O]->Base) + Offset;
  } else if (P.Lost) {
    Theirs = P.Lost + (Granule << P.Shift);
  }
  if (Theirs &&
      !memcmp(Mine, Theirs, std::min(Bytes, Members[S]->Size - Offset))) {
    Seen.EqualBytes += Bytes;
    return;
  }
  if (Guessed)
    return;
  const Record &Other = P.Records[2 * Granule + O];
  refute("S1", {{Owner.sentence(unpacked(Other.WrotePlace), O, true),
                 unpacked(Other.WrotePlace)},
                {Owner.sentence(At, S, false), At}});
}

void Block::touch(Page &P, size_t Number, size_t Granule, Slot S, bool Write,
                  const Place *At, Agent &A) {
  Record &Mine = P.Records[2 * Granule + S];
  const Record &Theirs = P.Records[2 * Granule + other(S)];
  const Segment Now = currentSegment(A);
  uint8_t &Both = P.States[Granule];
  if (!isBefore(Theirs.Wrote, A) || (Write && !isBefore(Theirs.Read, A))) {
    bool Wrote = !isBefore(Theirs.Wrote, A);
    const Place *Earlier =
        unpacked(Wrote ? Theirs.WrotePlace : Theirs.ReadPlace);
    if (!Guessed)
      refute("S2", {{Owner.sentence(At, S, Write), At},
                    {Owner.sentence(Earlier, other(S), Wrote) +
                         ": nothing waits for one of the two before the other",
                     Earlier}});
  }
  if (Write) {
    Mine.Wrote = Now;
    Mine.WrotePlace = packed(At);
    Both = withState(uint8_t(Both & ~before(S)), S, New);
    if (stateOf(Both, other(S)) != None)
      Both = withState(Both, other(S), Stale);
    return;
  }
  if (stateOf(Both, S) == Stale)
    meetStale(P, Number, Granule, S, At);
  if (!holdsNow(Mine.Read, A)) {
    Mine.Read = Mine.Read ? unite(Mine.Read, A) : Now;
    Mine.ReadPlace = packed(At);
  }
}

template <typename Fn>
void Block::forGranules(size_t Low, size_t High, Fn Each) {
  while (Low < High) {
    const size_t Number = Low / PageBytes;
    const size_t End = std::min(High, (Number + 1) * PageBytes);
    // The end of a buffer of odd size is a granule of its own.
    Page &P = (Low | End) & 3 && !(Low % 4 == 0 && End == Size) ? split(Number)
                                                                : page(Number);
    const size_t First = Low % PageBytes >> P.Shift,
                 Last = (End - 1) % PageBytes >> P.Shift;
    for (size_t G = First; G <= Last; ++G)
      Each(P, Number, G);
    Low = End;
  }
}

void Block::access(Slot S, size_t Low, size_t High, bool Write,
                   const Place *At) {
  Agent &A = self();
  Seen.Bytes[S] += High - Low;
  ++Seen.Accesses[S];
  if (Found)
    return;
  forGranules(Low, High, [&](Page &P, size_t Number, size_t G) {
    touch(P, Number, G, S, Write, At, A);
  });
}

void Block::link(Slot From, size_t Low, size_t High) {
  ++Seen.Links;
  forGranules(Low, High, [&](Page &P, size_t Number, size_t G) {
    uint8_t &Both = P.States[G];
    State Source = stateOf(Both, From);
    if (stateOf(Both, other(From)) == New && Source != New)
      save(P, Number, G, other(From));
    Both = withState(Both, other(From), Source);
  });
}

void Block::refute(const char *Condition, std::vector<Act> Because) {
  std::optional<Finding> &Mine = Confirmed ? Found : Guessed;
  if (!Mine)
    Mine = Finding{Condition, std::move(Because)};
}

Counts Block::counts() const {
  Counts C = Seen;
  C.Size = Size;
  uint64_t Touched[2] = {0, 0};
  for (size_t Number = 0; Number != NumPages; ++Number)
    if (const Page *P = Pages[Number])
      for (size_t G = 0; G != P->granules(); ++G) {
        size_t Offset = Number * PageBytes + (G << P->Shift);
        if (Offset >= Size)
          break;
        size_t Bytes = std::min(size_t(1) << P->Shift, Size - Offset);
        for (unsigned S : {0, 1}) {
          const Record &R = P->Records[2 * G + S];
          if (R.Wrote || R.Read)
            Touched[S] += Bytes;
        }
      }
  for (unsigned S : {0, 1})
    C.Touched[S] = std::max(C.Touched[S], Touched[S]);
  return C;
}

} // namespace echo::check

//===- RulesCopies.cpp - Linking copies, and what buffers hold ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which copies link h and d, and the comparisons of what they hold. A fresh d
// is filled with a pattern, so that it shows when the GPU has written it; an h
// that is allocated while a d waits for it gets what d holds, as it would with
// one buffer for both. Neither can be seen by a program that does not read what
// nobody wrote.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Clock.h"
#include "runtime/dr/OwnMemory.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/validate/Rules.h"
#include "runtime/dr/validate/RulesInline.h"
#include "runtime/dr/validate/Sum.h"

#include <string.h>
#include <time.h>

namespace echo::dr {

static unsigned char patternAt(size_t I) {
  return static_cast<unsigned char>((I * 0x9e3779b1u >> 11) | 0x81);
}

unsigned char *Rules::Memory::atLeast(size_t Wanted) {
  if (Wanted <= Bytes)
    return Base;
  if (Base)
    unmapOwn(Base, Bytes);
  Base = static_cast<unsigned char *>(mapOwn(Wanted));
  Bytes = Base ? Wanted : 0;
  if (Base)
    systemCall(SYS_madvise, reinterpret_cast<long>(Base),
               static_cast<long>(Bytes), MADV_HUGEPAGE, 0, 0);
  return Base;
}

void *Rules::scratch(size_t Bytes) { return Room.atLeast(Bytes); }

/// Whether a copy of Echo's in \p Stream waits for nothing that may wait for
/// the program. If not, no pair can be watched.
bool Rules::mayCopy(uint64_t Stream) {
  if (Work.quiescent() || !Ops->queryStream)
    return true;
  if (!hasCandidate()) // nobody asks any more
    return false;
  Inside Own;
  const uint64_t Until = clockNs() / 1000000 + Patience;
  timespec Pause = {0, 20000};
  unsigned Spins = 100; // most kernels end soon
  int Status;
  while ((Status = Ops->queryStream(at(Stream))) == NotReady) {
    if (Spins) {
      --Spins;
      continue;
    }
    if (clockNs() / 1000000 >= Until) {
      rejectAll(Trap::Held, Reason::None);
      return false;
    }
    nanosleep(&Pause, nullptr);
    if (Pause.tv_nsec < 1000000)
      Pause.tv_nsec *= 2;
  }
  return Status == 0;
}

/// Whether a copy of Echo's reads what all work so far has written, in the
/// context that is the program's.
bool Rules::mayRead() {
  uint64_t Now = 0;
  if (!Ops || !Ops->copy ||
      (Ops->currentContext &&
       (Ops->currentContext(&Now) != 0 || (Context && Now != Context))))
    return false;
  return waitBeside() && mayCopy(0);
}

/// True if the beginning of d is certainly not what h was when it was closed.
bool Rules::headDiffers(unsigned Slot) {
  const Buffer &B = Buffers[Slot];
  if (!B.Summed || Watched.bytes(Slot) <= HeadBytes)
    return false;
  return Ops->copy(Room.Base, at(B.Device), HeadBytes) == 0 &&
         sumOf(Room.Base, HeadBytes) != B.HeadSum;
}

/// False also where it cannot be found out.
bool Rules::sameContents(unsigned Slot, bool StaysClosed) {
  const size_t Bytes = Watched.bytes(Slot);
  if (!scratch(Bytes) || !mayRead())
    return false;
  Inside Own;
  if (headDiffers(Slot)) // whether h changed is seen when the window ends
    return false;
  if (Ops->copy(Room.Base, at(Buffers[Slot].Device), Bytes) != 0)
    return false;
  if (!letRead(Slot))
    return false;
  if ((StaysClosed || Buffers[Slot].Summed) && !sumAgain(Slot))
    return false;
  const bool Same = !memcmp(Room.Base, Watched.base(Slot), Bytes);
  const Gate G = Watched.gate(Slot);
  if (G != Gate::Open && !Watched.set(Slot, G)) { // closed to reads again
    lose(Slot, Reason::NotClosed);
    return false;
  }
  return Same;
}

/// Waits for work that a copy in the legacy stream does not wait for. False: it
/// may go on.
bool Rules::waitBeside() {
  uint64_t Streams[Clocks::MaxStreams];
  const int Count = Work.quiescent() ? 0 : Work.beside(Streams);
  for (int I = 0; I < Count; ++I)
    if (!mayCopy(Streams[I]))
      return false;
  return Count >= 0;
}

bool Rules::isFresh(uintptr_t Device, size_t Bytes) {
  if (!scratch(Bytes) || !mayRead())
    return false;
  Inside Own;
  const auto Keeps = [&](size_t From, size_t To) {
    if (Ops->copy(Room.Base, at(Device + From), To - From) != 0)
      return false;
    for (size_t I = From; I != To; ++I)
      if (Room.Base[I - From] != patternAt(I))
        return false;
    return true;
  };
  const size_t First = Bytes < HeadBytes ? Bytes : HeadBytes;
  return Keeps(0, First) && (First == Bytes || Keeps(First, Bytes));
}

/// The device buffers of a pair that are in use, at most 16.
struct Found {
  const PlanPair *Pair;
  unsigned Count;
  uintptr_t Base[16];
};

static void findOf(const PlanPair &P, Found &F) {
  F = {&P, 0, {}};
  DeviceRanges.forEach(
      [](Range &R, void *Data) {
        auto &Out = *static_cast<Found *>(Data);
        if (R.Site == Out.Pair->DeviceSite &&
            R.Bytes == Out.Pair->DeviceBytes && Out.Count != 16)
          Out.Base[Out.Count++] = R.Base;
      },
      &F);
}

bool Rules::freshAt(const PlanPair &P) {
  Found F;
  findOf(P, F);
  if (F.Count == 16) // or more
    return false;
  for (unsigned I = 0; I != F.Count; ++I)
    if (!isFresh(F.Base[I], P.DeviceBytes))
      return false;
  return true;
}

bool Rules::isFreshNow(unsigned Pair) {
  Answer &Kept = FreshNow[Pair];
  if (Kept == Answer::None)
    Kept = freshAt(Plan->Pairs[Pair]) ? Answer::Yes : Answer::No;
  return Kept == Answer::Yes;
}

bool Rules::isLinked(uintptr_t Device) {
  bool Is = false;
  eachBuffer([&](unsigned Slot) { Is |= Buffers[Slot].Device == Device; });
  return Is;
}

bool Rules::usedApart(unsigned Slot, const Range *Freed, bool AtEnd) {
  if (!hasPairLeft(Slot))
    return false;
  collectSlot(Slot);
  const Buffer &B = Buffers[Slot];
  // One that is linked to another d was made one with this, perhaps.
  const bool Asks = B.Device
                        ? Freed || AtEnd
                        : B.WorkAfterTouch || B.TouchAfterWork || B.TouchInWork;
  if (B.Lost || !Asks)
    return false;
  bool Is = false;
  eachPair(Slot, [&](unsigned Pair) {
    const PlanPair &P = Plan->Pairs[Pair];
    if (Verdicts[Pair].What != Trap::None)
      return;
    Found F;
    if (!Freed)
      findOf(P, F);
    else if (Freed->Site == P.DeviceSite && Freed->Bytes == P.DeviceBytes)
      F = {&P, 1, {Freed->Base}};
    else
      F = {&P, 0, {}};
    Is |= F.Count == 16; // there may be more
    for (unsigned I = 0; I != F.Count && !Is; ++I)
      Is = !isLinked(F.Base[I]) && !isFresh(F.Base[I], P.DeviceBytes);
  });
  return Is;
}

void Rules::deviceAllocated(const Event &E) {
  // What it holds is not the program's alone.
  if (static_cast<How>(E.R.Flags) == How::Foreign)
    return;
  bool Wanted = false;
  for (unsigned I = 0; I != Plan->NumPairs; ++I) {
    const PlanPair &P = Plan->Pairs[I];
    Wanted |= isCandidate(P) && P.DeviceSite == E.R.Site &&
              P.DeviceBytes == E.R.Bytes && Verdicts[I].What == Trap::None;
  }
  if (!Wanted || !Ops || !scratch(E.R.Bytes))
    return;
  for (size_t I = 0; I != E.R.Bytes; ++I)
    Room.Base[I] = patternAt(I);
  Inside Own;
  const auto How_ = static_cast<How>(E.R.Flags);
  if (How_ == How::DeviceAsync || How_ == How::DevicePool) {
    if (!mayCopy(E.R.Stream))
      return;
    Ops->waitStream(at(E.R.Stream)); // it is there in the stream's order
  }
  // A failure leaves it not fresh. The copy may still be under way when it
  // returns, and work of a non-blocking stream would not wait for it.
  if (mayCopy(0) && Ops->copy(at(E.R.A), Room.Base, E.R.Bytes) == 0)
    Ops->waitStream(nullptr);
}

void Rules::inherit(unsigned Slot, bool Zeroed) {
  uintptr_t Device = 0;
  unsigned Count = 0;
  uint64_t Site = 0;
  const auto Host = reinterpret_cast<uintptr_t>(Watched.base(Slot));
  eachPair(Slot, [&](unsigned Pair) {
    Found F;
    findOf(Plan->Pairs[Pair], F);
    for (unsigned I = 0; I != F.Count; ++I) {
      if (isLinked(F.Base[I]) || isFresh(F.Base[I], Plan->Pairs[Pair].Bytes))
        continue;
      // A run with the plan makes h one with this d, or with none.
      if (!Zeroed && Blocks.otherSide(Pair, Joins::Host, Host) != F.Base[I])
        continue;
      Device = F.Base[I];
      Site = Plan->Pairs[Pair].DeviceSite;
      ++Count;
    }
  });
  if (!Count)
    return;
  // One buffer for both would be cleared, or it is not known which d is meant.
  if (Zeroed || Count != 1 || !Ops)
    return reject(Slot, Trap::Overwritten);
  open(Slot);
  {
    Inside Own;
    if (!mayCopy(0))
      return;
    if (Ops->copy(Watched.base(Slot), at(Device), Watched.bytes(Slot)) != 0)
      return reject(Slot, Trap::Unwatched);
  }
  Buffers[Slot].Device = Device;
  Buffers[Slot].DeviceSite = Site;
  if (!Work.quiescent()) {
    Buffers[Slot].WorkSince = true;
    close(Slot, Gate::Window);
  }
}

/// True if a copy between h and \p Device would change, in a run with the plan,
/// a buffer that one of the two is one with.
bool Rules::isOverwritten(unsigned Pair, unsigned Slot,
                          uintptr_t Device) const {
  const auto Host = reinterpret_cast<uintptr_t>(Watched.base(Slot));
  const uintptr_t ItsDevice = Blocks.otherSide(Pair, Joins::Host, Host),
                  ItsHost = Blocks.otherSide(Pair, Joins::Device, Device);
  return (ItsDevice && ItsDevice != Device) || (ItsHost && ItsHost != Host);
}

bool Rules::link(unsigned Slot, uintptr_t Device, bool ToDevice) {
  Buffer &B = Buffers[Slot];
  if (!ToDevice)
    orphanUsed(Device);
  if (B.Lost) { // with one buffer for both, h would not be what it is
    reject(Slot, Trap::Undone);
    return true;
  }
  if (B.Device == Device) {
    // The side that is written still has what this copy will overwrite: with
    // one buffer for both, the copy would not bring the old contents back.
    const bool Closed = Watched.gate(Slot) == Gate::Window;
    if ((ToDevice ? Closed && B.WorkSince : !Closed) && !sameContents(Slot))
      reject(Slot, Trap::Undone);
    return true;
  }
  Range D;
  bool Planned = false, Taken = false;
  if (!findDevice(at(Device), D) || D.Base != Device ||
      D.Bytes != Watched.bytes(Slot) || B.Device)
    return false;
  eachPair(Slot, [&](unsigned Pair) {
    Planned |= Plan->Pairs[Pair].DeviceSite == D.Site;
  });
  eachBuffer([&](unsigned Other) {
    if (Buffers[Other].Device != Device)
      return;
    Taken = true;
    reject(Other, Trap::OtherCopy);
  });
  if (!Planned || Taken)
    return false;
  B.DeviceSite = D.Site;
  bool Overwritten = false;
  eachPair(Slot, [&](unsigned Pair) {
    Overwritten |= isOverwritten(Pair, Slot, Device);
  });
  if (Overwritten)
    return false;
  collectSlot(Slot);
  if ((ToDevice ? B.WorkAfterTouch || B.TouchInWork : B.TouchAfterWork) &&
      !isFresh(Device, D.Bytes)) {
    reject(Slot, Trap::Overwritten);
    return true;
  }
  B.Device = Device;
  return true;
}

void Rules::copies(Event &E) {
  E.Private[1] = 0;
  int Linking = -1;
  constexpr bool Ways[] = {false, true};
  for (const bool ToDevice : Ways) {
    const uint64_t Host = ToDevice ? E.R.B : E.R.A;
    const uint64_t Device = ToDevice ? E.R.A : E.R.B;
    for (int I = Watched.overlap(at(Host), E.R.Bytes); I >= 0;
         I = Watched.overlap(at(Host), E.R.Bytes, unsigned(I) + 1)) {
      const auto Slot = static_cast<unsigned>(I);
      if (Watched.base(Slot) == at(Host) && Watched.bytes(Slot) == E.R.Bytes &&
          (E.R.Flags & CopyDirection) == (ToDevice ? CopyH2D : CopyD2H) &&
          link(Slot, Device, ToDevice)) {
        Linking = I;
        E.Private[1] = Slot + 1;
      } else {
        Buffers[Slot].DeviceSite = 0; // h is out, whatever d a pair has
        reject(Slot, Trap::OtherCopy);
      }
    }
  }
  if (Linking >= 0) {
    // The copy itself may use h.
    const auto Slot = static_cast<unsigned>(Linking);
    const bool ToDevice = (E.R.Flags & CopyDirection) == CopyH2D;
    // Another h may be one with this d in a run with the plan.
    Range D;
    if (ToDevice && findDevice(at(E.R.A), D))
      eachBuffer([&](unsigned Other) {
        if (Other != Slot && !Buffers[Other].Device && !Buffers[Other].Lost)
          workBeside(Other, D);
      });
    if ((!ToDevice && landElsewhere(E, Slot)) || !isUnchangedNow(Slot))
      return;
    if (ToDevice)
      sumOpen(Slot);
    else
      open(Slot);
    return;
  }
  // With one buffer for both, h would change; a run with the plan parts them,
  // with what the one buffer then holds.
  Range To;
  if ((E.R.Flags & CopyDirection) == CopyH2D && E.R.Bytes &&
      findDevice(at(E.R.A), To))
    eachBuffer([&](unsigned Slot) {
      if (Buffers[Slot].Device == To.Base)
        reject(Slot, Trap::OtherCopy);
    });
  const uint64_t Ends[] = {E.R.A, E.R.B};
  for (const uint64_t End : Ends) {
    Range D;
    if (findDevice(at(End), D))
      workBegins(D.Base);
  }
}

bool Rules::hasPairLeft(unsigned Slot) {
  bool Left = false;
  eachPair(Slot, [&](unsigned P) { Left |= Verdicts[P].What == Trap::None; });
  return Left;
}

/// Lets the copy to h that is about to run go to memory of Echo's, from where
/// h gets it: h stays closed meanwhile, and d need not be copied once more to
/// compare the two. False where that cannot be.
bool Rules::landElsewhere(Event &E, unsigned Slot) {
  const bool Waits = !(E.R.Flags & CopyAsync);
  if (!Waits || IsLanding || Watched.gate(Slot) != Gate::Window ||
      !hasPairLeft(Slot) || !Landing.atLeast(E.R.Bytes))
    return false;
  IsLanding = true;
  E.Instead[0] = reinterpret_cast<uintptr_t>(Landing.Base);
  return true;
}

/// Brings h what landed elsewhere. True if h is open now and holds what d
/// holds for certain: E.Private[0] is the number of the copy if no work that it
/// does not follow was under way when it began, and it is the last one.
bool Rules::landed(const Event &E, int Status, unsigned Slot) {
  IsLanding = false;
  if (Status || !Watched.live(Slot) || Watched.base(Slot) != at(E.R.A) ||
      Watched.bytes(Slot) != E.R.Bytes)
    return false;
  const bool Kept = openSummed(Slot, Landing.Base);
  return hasPairLeft(Slot) && Work.isLast(E.Private[0]) && Work.quiescent() &&
         Kept;
}

void Rules::copied(const Event &E, int Status) {
  if (!E.Private[1])
    return;
  const auto Slot = static_cast<unsigned>(E.Private[1] - 1);
  const bool Same = E.Instead[0] && landed(E, Status, Slot);
  if (!Watched.live(Slot))
    return;
  if (!hasPairLeft(Slot)) {
    Watched.set(Slot, Gate::Open);
    return;
  }
  Buffer &B = Buffers[Slot];
  const bool ToDevice = (E.R.Flags & CopyDirection) == CopyH2D;
  if (Status)
    return reject(Slot, Trap::Unwatched);
  if (ToDevice)
    forgetOrphan(E.R.A);
  if (!ToDevice && (E.R.Flags & CopyAsync)) {
    // What the GPU still writes to h must not meet closed pages.
    Inside Own;
    if (!Ops->waitStream || Ops->waitStream(at(E.R.Stream)) != 0)
      return reject(Slot, Trap::Unwatched);
  }
  B.Touched = B.WorkAfterTouch = B.TouchAfterWork = B.TouchInWork = false;
  B.WorkSince = !ToDevice && !Same;
  if (Same)
    return roundEnds(Slot);
  if (ToDevice && B.SummedOpen)
    return closeSummed(Slot);
  close(Slot, Gate::Window);
}

} // namespace echo::dr

//===- RulesSeen.cpp - Whether a window was seen in full ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window proves nothing unless its pages did close, stayed closed, and hold
// in the end what they held; unless the process has no way past page
// protection; and unless the program does not watch the GPU at work. What
// cannot be known here rejects the pair.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Bypass.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/Rules.h"
#include "runtime/dr/validate/RulesInline.h"
#include "runtime/dr/validate/Sum.h"

#include <string.h>

namespace echo::dr {

/// Of an h that Echo can read. Where there is \p From, h gets what lies there,
/// once it is summed: piece by piece, each while it is in the processor's
/// cache. False if h did not keep it.
bool Rules::takeSum(unsigned Slot, const unsigned char *From) {
  auto *Base = static_cast<unsigned char *>(Watched.base(Slot));
  const size_t Bytes = Watched.bytes(Slot);
  constexpr size_t Piece = size_t(8) << 10;
  static_assert(HeadBytes % Piece == 0 && Piece % Sum::Step == 0);
  Buffer &B = Buffers[Slot];
  Sum S;
  bool Kept = true;
  for (size_t At = 0; At < Bytes; At += Piece) {
    const size_t Part = Bytes - At < Piece ? Bytes - At : Piece;
    S.add(Base + At, Part);
    if (At + Part <= HeadBytes)
      B.HeadSum = S.value();
    if (!From)
      continue;
    memcpy(Base + At, From + At, Part);
    Kept &= !memcmp(Base + At, From + At, Part);
  }
  B.Sum = S.value();
  return Kept;
}

/// The closed h can be read now. False, and its pairs are rejected, if it is
/// not what it was when it was closed; who has opened it meanwhile is seen as
/// an access.
bool Rules::sumAgain(unsigned Slot) {
  Buffer &B = Buffers[Slot];
  if (Watched.gate(Slot) != Gate::Window)
    return true;
  const uint64_t Was = B.Sum, HeadWas = B.HeadSum;
  takeSum(Slot);
  if (Watched.gate(Slot) != Gate::Window) {
    B.Sum = Was;
    B.HeadSum = HeadWas;
    return true;
  }
  const bool Changed = B.Summed && B.Sum != Was;
  B.Summed = true;
  if (Changed)
    lose(Slot, Reason::Changed);
  return !Changed;
}

/// The same for an h that Echo cannot read yet, and then can.
bool Rules::isUnchangedNow(unsigned Slot) {
  return Watched.gate(Slot) != Gate::Window ||
         (letRead(Slot) && sumAgain(Slot));
}

/// The same, and h closes to reads again.
bool Rules::isUnchanged(unsigned Slot) {
  if (Watched.gate(Slot) != Gate::Window)
    return true;
  if (!isUnchangedNow(Slot))
    return false;
  if (Watched.gate(Slot) == Gate::Open || Watched.set(Slot, Gate::Window))
    return true;
  lose(Slot, Reason::NotClosed);
  return false;
}

void Rules::sumClosed() {
  Unsummed = false;
  eachBuffer([&](unsigned Slot) {
    if (!Buffers[Slot].Summed)
      isUnchanged(Slot);
  });
}

/// What does not close cannot be watched.
void Rules::close(unsigned Slot, Gate G) {
  Moved = true;
  Buffers[Slot].Summed = false;
  Unsummed |= G == Gate::Window;
  if (!Watched.set(Slot, G))
    lose(Slot, Reason::NotClosed);
}

/// The sum of an h that is about to be copied to d, and then closes: what is
/// written in between shows when the window ends. The copy can read it.
void Rules::sumOpen(unsigned Slot) {
  if (!letRead(Slot) || !hasPairLeft(Slot))
    return;
  if (Watched.gate(Slot) != Gate::Window) // else it was summed just now
    takeSum(Slot);
  Buffers[Slot].SummedOpen = true;
}

/// close(Slot, Gate::Window) after sumOpen(): its pages change once.
void Rules::closeSummed(unsigned Slot) {
  Buffer &B = Buffers[Slot];
  const bool WasClosed = Watched.gate(Slot) == Gate::Window;
  close(Slot, Gate::Window);
  B.Summed = true;
  B.SummedOpen = false;
  if (WasClosed && !Watched.isShut(Slot)) // closed to reads again, not anew
    lose(Slot, Reason::NotClosed);
}

/// open(Slot) of a window that has not been looked at yet, and h gets what lies
/// at \p From. Its pages change once: what is written meanwhile is a change,
/// too. False if h does not hold that afterwards.
bool Rules::openSummed(unsigned Slot, const unsigned char *From) {
  const bool WasClosed = Watched.gate(Slot) == Gate::Window;
  const Buffer Was = Buffers[Slot];
  open(Slot);
  collectSlot(Slot);
  const bool Kept = takeSum(Slot, From);
  Buffer &B = Buffers[Slot];
  const bool Changed = WasClosed && Was.Summed && B.Sum != Was.Sum;
  B.Summed = false;
  if (Changed)
    lose(Slot, Reason::Changed);
  return Kept;
}

/// Echo may read what is closed. False if it was not closed any more, or
/// cannot be read; its pairs are rejected then.
bool Rules::letRead(unsigned Slot) {
  const bool Shut = Watched.isShut(Slot);
  if (Shut && Watched.letRead(Slot))
    return true;
  lose(Slot, Shut ? Reason::NotClosed : Reason::Reopened);
  return false;
}

/// The host may use it again. What it held while it was closed was looked at.
void Rules::open(unsigned Slot) {
  Moved = true;
  Buffers[Slot].Summed = false;
  if (!Watched.isShut(Slot))
    lose(Slot, Reason::Reopened);
  Watched.set(Slot, Gate::Open);
}

/// Where a window began or ended: sums of what is closed now, and a look at
/// what could use memory that is closed.
void Rules::endOfEvent(bool All) {
  if (Unsummed)
    sumClosed();
  if (!Moved && !All)
    return;
  Moved = false;
  Inside Own;
  Reason Found = handlesFaults() ? Reason::None : Reason::FaultsTaken;
  if (Found == Reason::None)
    Found = findBypass(
        All,
        [](unsigned Slot, void *Self) {
          static_cast<Rules *>(Self)->lose(Slot, Reason::Unmapped);
        },
        this);
  if (Found != Reason::None)
    rejectAll(Trap::DroppedOut, Found);
}

void Rules::finish() {
  collect();
  if (InChild)
    return;
  eachBuffer([&](unsigned Slot) {
    if (Watched.gate(Slot) == Gate::Window && isUnchanged(Slot) &&
        !Watched.isShut(Slot))
      lose(Slot, Reason::Reopened);
    else if (usedApart(Slot, nullptr, /*AtEnd=*/true))
      reject(Slot, Trap::Overwritten);
  });
  // A program of which nothing was watched has no pair to lose.
  bool Any = false;
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    Any |= Verdicts[I].Rounds && Verdicts[I].What == Trap::None;
  if (Any)
    endOfEvent(/*All=*/true);
}

/// Whether the program looks at the GPU while it works, or the GPU at the host:
/// by queries and host functions, or by a word of memory that both see. Pinned
/// memory that is too small to be a buffer counts as such a word, what the
/// program asked to have mapped, and managed memory.
bool mayPoll(const Event &E) {
  const auto Kept = static_cast<How>(E.R.Flags);
  const bool Small = E.R.Bytes && E.R.Bytes < minBytes();
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::QueryDone:
  case Record::HostFunc:
    return true;
  case Record::HostAlloc:
    return Kept == How::Pinned && (Small || E.Special);
  case Record::DeviceAlloc:
    return Kept == How::Managed;
  default:
    return false;
  }
}

bool Rules::polls(const Event &E) const {
  const auto Kind = static_cast<Record>(E.R.Kind);
  if (!mayPoll(E) ||
      (Kind != Record::HostFunc && IsLibrarysOwn && IsLibrarysOwn()))
    return false;
  // The time between two events is no question where both have passed.
  return Kind != Record::QueryDone || !E.Special || !Work.hasEnded(E.R.A) ||
         !Work.hasEnded(E.R.B);
}

bool Rules::looksBeside(const Event &E) const {
  return static_cast<Record>(E.R.Kind) == Record::Copy &&
         (E.R.Flags & CopyDirection) == CopyD2H && E.R.Bytes &&
         E.R.Bytes < minBytes() && !Work.followsAll() &&
         (!IsLibrarysOwn || !IsLibrarysOwn());
}

} // namespace echo::dr

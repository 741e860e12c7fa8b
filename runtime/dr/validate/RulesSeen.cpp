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

#include <string.h>

namespace echo::dr {

/// A number that differs, but for chance, where contents do.
static uint64_t sumOf(const void *Base, size_t Bytes) {
  constexpr uint64_t Odd = 0x9e3779b97f4a7c15u;
  constexpr unsigned Lanes = 8; // so many multiplications are under way
  uint64_t Sums[Lanes] = {1, 2, 3, 4, 5, 6, 7, 8}, Words[Lanes];
  const auto *At = static_cast<const char *>(Base);
  const auto Mix = [&] {
    for (unsigned I = 0; I != Lanes; ++I) {
      Sums[I] = (Sums[I] ^ Words[I]) * Odd;
      Sums[I] ^= Sums[I] >> 29;
    }
  };
  size_t Left = Bytes;
  for (; Left >= sizeof Words; Left -= sizeof Words, At += sizeof Words) {
    memcpy(Words, At, sizeof Words);
    Mix();
  }
  memset(Words, 0, sizeof Words);
  memcpy(Words, At, Left);
  Mix();
  uint64_t Sum = 0;
  for (const uint64_t Each : Sums)
    Sum = (Sum ^ Each) * Odd;
  return Sum;
}

/// The closed h can be read now. False, and its pairs are rejected, if it is
/// not what it was when it was closed; who has opened it meanwhile is seen as
/// an access.
bool Rules::sumAgain(unsigned Slot) {
  Buffer &B = Buffers[Slot];
  if (Watched.gate(Slot) != Gate::Window)
    return true;
  const uint64_t Sum = sumOf(Watched.base(Slot), Watched.bytes(Slot));
  if (Watched.gate(Slot) != Gate::Window)
    return true;
  const bool Changed = B.Summed && B.Sum != Sum;
  B.Summed = true;
  B.Sum = Sum;
  if (Changed)
    lose(Slot, Reason::Changed);
  return !Changed;
}

bool Rules::isUnchanged(unsigned Slot) {
  if (Watched.gate(Slot) != Gate::Window)
    return true;
  if (!letRead(Slot))
    return false;
  if (!sumAgain(Slot))
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
  });
  // A program of which nothing was watched has no pair to lose.
  bool Any = false;
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    Any |= Verdicts[I].Rounds && Verdicts[I].What == Trap::None;
  if (Any)
    endOfEvent(/*All=*/true);
}

/// Whether the program looks at the GPU while it works, or the GPU at the host:
/// by queries and host functions, or by a word of memory that both see. Only
/// memory that is too small to be a buffer counts as such a word, and what the
/// program asked to have mapped.
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
    return Kept == How::Managed && Small;
  default:
    return false;
  }
}

bool Rules::polls(const Event &E) const {
  return mayPoll(E) && (static_cast<Record>(E.R.Kind) == Record::HostFunc ||
                        !IsLibrarysOwn || !IsLibrarysOwn());
}

} // namespace echo::dr

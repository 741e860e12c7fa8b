//===- Rules.cpp - When the host may use a buffer of a pair ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of memory and of the order of work. Copies and contents are in
// RulesCopies.cpp, whether windows were seen in full in RulesSeen.cpp. The
// caller holds the one lock of validation.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Rules.h"
#include "runtime/dr/Threads.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/RulesInline.h"

#include <string.h>

namespace echo::dr {

void Rules::start(const PlanFile &ThePlan, Listener TheListener) {
  Plan = &ThePlan;
  Tell = TheListener;
}

void Rules::tell(unsigned Pair, const Access &A, Reason Why) {
  Tell(Plan->Pairs[Pair], Verdicts[Pair], A, Why);
}

void Rules::rejectPair(unsigned Pair, const Access &A, Reason Why) {
  if (Verdicts[Pair].What != Trap::None)
    return;
  Verdicts[Pair].What = A.What;
  tell(Pair, A, Why);
}

void Rules::reject(unsigned Slot, const Access &A, Reason Why) {
  eachPair(Slot, [&](unsigned Pair) { rejectPair(Pair, A, Why); });
  Watched.set(Slot, Gate::Open);
}

void Rules::reject(unsigned Slot, Trap What) {
  reject(Slot,
         {What, 0, reinterpret_cast<uintptr_t>(Watched.base(Slot)), false});
}

void Rules::lose(unsigned Slot, Reason Why) {
  const auto Base = reinterpret_cast<uintptr_t>(Watched.base(Slot));
  reject(Slot, {Trap::DroppedOut, 0, Base, false}, Why);
}

void Rules::rejectAll(Trap What, Reason Why) {
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    if (isCandidate(Plan->Pairs[I]))
      rejectPair(I, {What, 0, 0, false}, Why);
  for (unsigned I = 0; I != Watched.used(); ++I)
    if (Watched.live(I))
      Watched.set(I, Gate::Open);
}

void Rules::collectSlot(unsigned Slot) {
  Buffer &B = Buffers[Slot];
  if (Watched.takeTouched(Slot)) {
    B.Touched = true;
    B.TouchAfterWork |= B.WorkSince;
    B.TouchInWork |= !Work.quiescent();
  }
  Access A = Watched.takeAccess(Slot);
  if (A.What == Trap::None)
    return;
  if (InChild)
    A.What = Trap::Child;
  reject(Slot, A);
}

void Rules::collect() {
  for (unsigned I = 0; I != Watched.used(); ++I)
    if (Watched.live(I))
      collectSlot(I);
}

/// Streams have their handles, and waits their meaning, in one context: what
/// goes on in two is not told apart.
void Rules::seeContext() {
  uint64_t Now = 0;
  if (!Ops->currentContext || Ops->currentContext(&Now) != 0 || !Now)
    return;
  // A shared CUDA runtime loads the driver with its first call: what was asked
  // before is no context that anything was done in.
  const bool DriverCame = Context < MaxContextNumber && Now >= MaxContextNumber;
  if (!Context || DriverCame)
    Context = Now;
  if (Context != Now)
    rejectAll(Trap::Unwatched, Reason::None);
}

bool Rules::concerns(const Event &E) const {
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::HostAlloc:
    if (mayPoll(E))
      return true;
    for (unsigned I = 0; I != Plan->NumPairs; ++I)
      if (isCandidate(Plan->Pairs[I]) && Plan->Pairs[I].HostSite == E.R.Site &&
          Plan->Pairs[I].Bytes == E.R.Bytes)
        return true;
    return false;
  case Record::HostFree:
    return Watched.find(at(E.R.A)) >= 0;
  default:
    return true;
  }
}

bool Rules::hasCandidate() const {
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    if (isCandidate(Plan->Pairs[I]) && Verdicts[I].What == Trap::None)
      return true;
  return false;
}

void Rules::launched(uint64_t Stream) {
  for (unsigned I = 0; I != NumLaunched; ++I)
    if (Launched[I] == Stream)
      return;
  // Of another thread its handle would be another stream.
  if (Stream != PerThreadStream &&
      NumLaunched != sizeof Launched / sizeof *Launched)
    Launched[NumLaunched++] = Stream;
  else
    (void)mayCopy(Stream);
}

void Rules::awaitLaunched(bool IsCuda, bool CouldWait) {
  if (!Ops || !(CouldWait || OwesWait) || !NumLaunched || !hasCandidate())
    return;
  OwesWait = !IsCuda && !mayCallCuda();
  if (OwesWait)
    return;
  for (; NumLaunched && mayCopy(Launched[NumLaunched - 1]); --NumLaunched) {
    // A wait also writes what kernels have printed.
    Inside Own;
    if (Ops->waitStream)
      (void)Ops->waitStream(at(Launched[NumLaunched - 1]));
  }
  NumLaunched = 0;
}

Action Rules::before(Event &E) {
  collect();
  const auto Kind = static_cast<Record>(E.R.Kind);
  if (InChild)
    return Kind == Record::HostFree ? frees(E) : Action::Run;
  if (E.Ops) {
    Ops = E.Ops;
    seeContext();
  }
  if (polls(E))
    rejectAll(Trap::DroppedOut, Reason::Polled);
  awaitLaunched(E.Ops != nullptr, Kind != Record::Launch);
  switch (Kind) {
  case Record::HostAlloc: {
    const Action Does = allocates(E);
    endOfEvent(/*All=*/false);
    return Does;
  }
  case Record::HostFree:
    return frees(E);
  case Record::DeviceFree:
    deviceFreed(E.Freed);
    break;
  case Record::Copy:
    copies(E);
    break;
  case Record::Set: {
    Range D;
    if (findDevice(at(E.R.A), D))
      workBegins(D.Base);
    break;
  }
  case Record::Launch:
    workBegins(0);
    break;
  case Record::Capture:
    rejectAll(Trap::DroppedOut, Reason::Graph);
    break;
  default:
    break;
  }
  Work.before(E);
  if (looksBeside(E))
    rejectAll(Trap::DroppedOut, Reason::Polled);
  if (E.Instead[0])
    E.Private[0] = Work.followsAll();
  TheGuard.works(!Work.quiescent());
  endOfEvent(/*All=*/false);
  return Action::Run;
}

void Rules::after(Event &E, int Status) {
  if (InChild)
    return;
  const auto Kind = static_cast<Record>(E.R.Kind);
  if (Kind == Record::DeviceAlloc && !Status) {
    deviceAllocated(E);
    if (static_cast<How>(E.R.Flags) == How::Device)
      joins(E, Joins::Device, E.R.A);
  }
  const bool Ended = Work.after(E, Status);
  if (Kind == Record::Launch && !Status)
    launched(E.R.Stream);
  if (Kind == Record::Copy)
    copied(E, Status);
  if (Ended)
    workEnds();
  TheGuard.works(!Work.quiescent());
  endOfEvent(/*All=*/false);
  if (Kind != Record::Reset || Status)
    return;
  Context = 0; // a fresh one comes
  // One buffer for both might have been CUDA's, and gone with the device's.
  eachBuffer([&](unsigned Slot) { reject(Slot, Trap::Unwatched); });
}

Action Rules::allocates(Event &E) {
  bool Wanted = false;
  for (unsigned I = 0; I != Plan->NumPairs; ++I) {
    const PlanPair &P = Plan->Pairs[I];
    if (!isCandidate(P) || P.HostSite != E.R.Site || P.Bytes != E.R.Bytes)
      continue;
    if (static_cast<How>(E.R.Flags) == How::Pinned)
      rejectPair(I, {Trap::Unwatched, 0, 0, false}, Reason::None);
    Wanted |= Verdicts[I].What == Trap::None;
  }
  if (!Wanted)
    return Action::Run;
  unsigned Slot = 0;
  void *Base = Watched.allocate(E.R.Bytes, E.Align, Slot);
  if (!Base) {
    for (unsigned I = 0; I != Plan->NumPairs; ++I)
      if (Plan->Pairs[I].HostSite == E.R.Site &&
          Plan->Pairs[I].Bytes == E.R.Bytes)
        rejectPair(I, {Trap::Unwatched, 0, 0, false}, Reason::None);
    return Action::Run;
  }
  Buffers[Slot] = Buffer();
  Buffers[Slot].Site = E.R.Site;
  Buffers[Slot].Touched = E.Zeroed;
  // Work that began before it was there may use a d all the same.
  Buffers[Slot].WorkSince = !Work.quiescent();
  close(Slot, Gate::Touch);
  E.R.A = reinterpret_cast<uintptr_t>(Base);
  if (static_cast<How>(E.R.Flags) != How::Mmap && !E.Special)
    joins(E, Joins::Host, E.R.A);
  inherit(Slot, E.Zeroed);
  E.R.Status = 0;
  return Action::Skip;
}

Action Rules::frees(Event &E) {
  const int Slot = Watched.find(at(E.R.A));
  if (Slot < 0 || Watched.base(static_cast<unsigned>(Slot)) != at(E.R.A))
    return Action::Run;
  if (!InChild && Watched.gate(static_cast<unsigned>(Slot)) == Gate::Window)
    isUnchanged(static_cast<unsigned>(Slot));
  if (!InChild && usedApart(static_cast<unsigned>(Slot), nullptr))
    reject(static_cast<unsigned>(Slot), Trap::Overwritten);
  if (!InChild)
    orphan(static_cast<unsigned>(Slot));
  Watched.release(static_cast<unsigned>(Slot));
  parts(Joins::Host, E.R.A);
  E.R.Status = 0;
  return Action::Skip;
}

/// The buffer goes. If it is open, and holds something else than d, the host
/// wrote that since they were last equal.
void Rules::orphan(unsigned Slot) {
  const Buffer &B = Buffers[Slot];
  if (!B.Device || B.Lost || !letsPass(Watched.gate(Slot)) ||
      !hasPairLeft(Slot) || sameContents(Slot) || !hasPairLeft(Slot))
    return;
  for (Orphan &O : Orphans)
    if (!O.Device) {
      O = {B.Device, B.Site, B.DeviceSite};
      return;
    }
  reject(Slot, Trap::Stale); // more than are followed
}

void Rules::orphanUsed(uintptr_t Device) {
  for (Orphan &O : Orphans) {
    if (!O.Device || (Device && O.Device != Device))
      continue;
    for (unsigned I = 0; I != Plan->NumPairs; ++I) {
      const PlanPair &P = Plan->Pairs[I];
      if (isCandidate(P) && P.HostSite == O.HostSite &&
          (!O.DeviceSite || P.DeviceSite == O.DeviceSite))
        rejectPair(I, {Trap::Stale, 0, O.Device, false}, Reason::None);
    }
    O = {};
  }
}

void Rules::forgetOrphan(uintptr_t Device) {
  for (Orphan &O : Orphans)
    if (O.Device == Device)
      O = {};
}

void Rules::deviceFreed(const Range &Freed) {
  const uintptr_t Base = Freed.Base;
  forgetOrphan(Base);
  eachBuffer([&](unsigned Slot) {
    if (usedApart(Slot, &Freed))
      reject(Slot, Trap::Overwritten);
  });
  eachBuffer([&](unsigned Slot) {
    Buffer &B = Buffers[Slot];
    if (B.Device != Base)
      return;
    // h holds what it holds; the next d is a fresh one. What the GPU changed,
    // or still may, one buffer for both would hold: the host must not look.
    const bool Lost = Watched.gate(Slot) == Gate::Window && B.WorkSince &&
                      !(Work.quiescent() && sameContents(Slot));
    if (!Lost && Watched.gate(Slot) == Gate::Window && !isUnchanged(Slot))
      return;
    const uint64_t Site = B.Site, DeviceSite = B.DeviceSite;
    const Buffer Was = B;
    B = Buffer();
    B.Summed = Was.Summed; // while it stays closed
    B.Sum = Was.Sum;
    B.HeadSum = Was.HeadSum;
    B.Lost = Lost;
    B.Site = Site;
    B.DeviceSite = DeviceSite;
    B.Touched = true;
    if (Work.quiescent() && !Lost && !letsPass(Watched.gate(Slot)))
      open(Slot);
  });
  parts(Joins::Device, Base);
}

void Rules::parts(Joins::Side Which, uintptr_t Base) {
  const Thread *Me = thisThread();
  Blocks.freed(Which, Base, Me ? Me->Serial : 0);
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    if (isCandidate(Plan->Pairs[I]) && !Blocks.isCertain(I))
      rejectPair(I, {Trap::Unwatched, 0, Base, false}, Reason::None);
}

/// A run with the plan may make the buffer of \p E one with another one here.
void Rules::joins(const Event &E, Joins::Side Which, uintptr_t Base) {
  const Thread *Me = thisThread();
  for (unsigned I = 0; I != Plan->NumPairs; ++I) {
    const PlanPair &P = Plan->Pairs[I];
    const uint64_t Site = Which == Joins::Host ? P.HostSite : P.DeviceSite;
    if (isCandidate(P) && Site == E.R.Site && P.Bytes == E.R.Bytes &&
        !Blocks.allocated(I, Which, Base, Me ? Me->Serial : 0, E.Zeroed))
      rejectPair(I, {Trap::Unwatched, 0, Base, false}, Reason::None);
    Verdicts[I].Joins = Blocks.seen(I);
  }
}

void Rules::workBegins(uintptr_t OnlyDevice) {
  Range Only;
  if (OnlyDevice && !findDevice(at(OnlyDevice), Only))
    return;
  orphanUsed(Only.Base);
  TheGuard.workBegins();
  memset(FreshNow, 0, sizeof FreshNow);
  eachBuffer([&](unsigned Slot) {
    Buffer &B = Buffers[Slot];
    if (B.Lost)
      return;
    if (B.Device) {
      if (OnlyDevice && B.Device != OnlyDevice)
        return;
      if (letsPass(Watched.gate(Slot))) {
        close(Slot, Gate::Window);
        if (!sameContents(Slot))
          return reject(Slot, Trap::Stale);
      }
      B.WorkSince = true;
      return;
    }
    workBeside(Slot, Only);
  });
}

void Rules::workBeside(unsigned Slot, const Range &Only) {
  Buffer &B = Buffers[Slot];
  bool Mine = !Only.Base, Fresh = true;
  eachPair(Slot, [&](unsigned Pair) {
    Mine |= Plan->Pairs[Pair].DeviceSite == Only.Site;
    Fresh &= isFreshNow(Pair);
  });
  if (!Mine)
    return;
  if (Fresh) // no d that the host's use could have come after
    B.TouchAfterWork = false;
  B.WorkAfterTouch |= B.Touched;
  B.WorkSince = true;
  close(Slot, Gate::Touch);
}

void Rules::workEnds() {
  if (!Work.quiescent())
    return;
  eachBuffer([&](unsigned Slot) {
    Buffer &B = Buffers[Slot];
    if (Watched.gate(Slot) != Gate::Window || B.Lost)
      return;
    if (!B.Device)
      return isUnchanged(Slot) ? open(Slot) : void();
    // What the GPU changed is still to be copied: the host must not look.
    if (!B.WorkSince || !sameContents(Slot, /*StaysClosed=*/false))
      return;
    B.WorkSince = false;
    open(Slot);
    roundEnds(Slot);
  });
}

/// The rules held in a round of the buffer.
void Rules::roundEnds(unsigned Slot) {
  eachPair(Slot, [&](unsigned Pair) {
    const uint32_t Rounds = ++Verdicts[Pair].Rounds;
    if (!(Rounds & (Rounds - 1)))
      tell(Pair, {}, Reason::None);
  });
  if (letsPass(Watched.gate(Slot)) && TheGuard.wants())
    close(Slot, Gate::Guarded);
}

/// What a child does to its parent's memory, and not to its own.
static bool reachesOthers(Reason Why) {
  return Why == Reason::OtherProcess || Why == Reason::MemoryFile;
}

void Rules::dropOut(const void *Pointer, Reason Why) {
  if (InChild && !reachesOthers(Why))
    return;
  if (!InChild)
    awaitLaunched(/*IsCuda=*/false, /*CouldWait=*/false);
  if (!Pointer)
    return rejectAll(Trap::DroppedOut, Why);
  const Access A = {Trap::DroppedOut, 0, reinterpret_cast<uintptr_t>(Pointer),
                    false};
  Range H;
  if (Why == Reason::PinnedByProgram && !findHost(Pointer, H))
    rejectAll(Trap::DroppedOut, Reason::Polled); // a word that both see
  const int Slot = Watched.find(Pointer);
  if (Slot >= 0)
    reject(static_cast<unsigned>(Slot), A, Why);
  Range D;
  if (!findDevice(Pointer, D))
    return;
  eachBuffer([&](unsigned Linked) {
    if (Buffers[Linked].Device == D.Base)
      reject(Linked, A, Why);
  });
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    if (isCandidate(Plan->Pairs[I]) && Plan->Pairs[I].DeviceSite == D.Site &&
        Plan->Pairs[I].DeviceBytes == D.Bytes)
      rejectPair(I, A, Why);
}

void Rules::forked() {
  InChild = true;
  Ops = nullptr;
  Watched.forked();
  for (unsigned I = 0; I != Watched.used(); ++I)
    if (Watched.live(I) && !Watched.set(I, Gate::Window))
      lose(I, Reason::NotClosed);
}

} // namespace echo::dr

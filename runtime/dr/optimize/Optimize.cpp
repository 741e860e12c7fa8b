//===- Optimize.cpp - The mode that follows a plan ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, per allocation and copy, what the plan changes: from the site and
// the size of allocations, and from where copied buffers lie. A plan that is
// not for this program, device or library changes nothing. A pair whose
// buffers do what was not profiled runs as written from then on.
//
// pinned-split: the host buffer is memory of echort's that CUDA pins. Each
// asynchronous copy of it is waited for, so that the host sees what it saw when
// CUDA staged pageable memory; a small upload is made from ordinary memory, for
// which CUDA waits for nothing. One buffer for two: a copy between the two
// sides moves nothing; what it waited for is waited for.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Ranges.h"
#include "runtime/dr/Sites.h"
#include "runtime/dr/optimize/Budget.h"
#include "runtime/dr/optimize/Context.h"
#include "runtime/dr/optimize/Fork.h"
#include "runtime/dr/optimize/LegacyOrder.h"
#include "runtime/dr/optimize/Memory.h"
#include "runtime/dr/optimize/PlanMark.h"
#include "runtime/dr/optimize/PlannedPairs.h"
#include "runtime/dr/optimize/StandIn.h"
#include "runtime/dr/optimize/Uploads.h"
#include "runtime/dr/optimize/Waits.h"
#include "runtime/dr/optimize/Watch.h"
#include "runtime/dr/optimize/WatchSchedule.h"
#include "runtime/dr/trace/Writer.h"
#include "runtime/rt/Pinning.h"

#include <initializer_list>
#include <stdio.h>
#include <stdlib.h>

namespace echo::dr {

static bool GaveUp;   ///< nothing new is served or pinned; atomic
static bool Finished; ///< CUDA must not be called any more; atomic
static bool Tracing;
static int Captures; ///< that are under way; atomic
static uint64_t BytesPinned, CopiesSkipped, BytesSkipped; ///< atomic

static bool set(const bool &Flag) {
  return __atomic_load_n(&Flag, __ATOMIC_ACQUIRE);
}
static void add(uint64_t &Counter, uint64_t N) {
  __atomic_fetch_add(&Counter, N, __ATOMIC_RELAXED);
}

/// True while a stream is captured: copies run as the program wrote them, as
/// they may belong to the graph, and a wait for the device would end the
/// capture.
static bool duringCapture() {
  return __atomic_load_n(&Captures, __ATOMIC_ACQUIRE) > 0;
}

static bool start() {
  const PlanFile *Plan = planOfThisProcess();
  if (!Plan)
    return false;
  if (!takePairs(*Plan))
    return false;
  openBudget();
  rememberPlanFile();
  startWatch(*Plan);
  if (const char *Folder = getenv("ECHO_DR_TRACE"); Folder && *Folder)
    Tracing = prepareTrace();
  stampTimes(Tracing);
  return true;
}

static bool wantsSite(const TraceRecord &R) {
  return Tracing || isOfPlannedSize(R);
}

/// What no pair is of is the C library's alone, unless all is recorded.
static bool wantsBytes(uint64_t Bytes) {
  return Tracing || isPlannedSize(Bytes);
}

static Action serve(Event &E, Served *S, Side Which) {
  if (!S)
    return Action::Run;
  E.R.A = Which == HostSide ? reinterpret_cast<uintptr_t>(S->onHost())
                            : reinterpret_cast<uintptr_t>(S->OnDevice);
  E.R.Status = 0;
  E.Private[0] = reinterpret_cast<uintptr_t>(S);
  return Action::Skip;
}

/// False, and \p P is off, where the program is not all what was validated.
static bool mayShare(Pair &P) {
  if (!processHolds()) {
    turnOff(P, "this process is none that was validated");
    return false;
  }
  if (modulesHold())
    return true;
  turnOff(P, "a library is not one that validation saw");
  return false;
}

static Action beforeHostAlloc(Event &E) {
  auto Kind = static_cast<How>(E.R.Flags);
  if (set(GaveUp) || Kind == How::Pinned || E.Special || E.R.Bytes < minBytes())
    return Action::Run;
  Pair *P = pairOf(E.R, HostSide);
  if (!P)
    return Action::Run;
  if (!drplan::merges(P->Plan->Chosen)) {
    Served *S = makePinned(*P, E.R.Bytes, E.Align, E.Zeroed);
    // The program may change the pages as it likes.
    if (S)
      S->Used = Kind == How::Mmap;
    return serve(E, S, HostSide);
  }
  if (Kind == How::Mmap)
    return Action::Run;
  if (!mayShare(*P))
    return Action::Run;
  // CUDA makes managed memory, and is not started by Echo. The device buffer of
  // a host buffer that has none would be joined with the next one.
  if (P->Plan->Chosen == drplan::Choice::Managed &&
      (!opsInUse() || !mayCallCuda())) {
    turnOff(*P, opsInUse()
                    ? "its host buffer comes where CUDA must not be called"
                    : "its host buffer comes before the program uses CUDA");
    return Action::Run;
  }
  if (P->Plan->Chosen == drplan::Choice::Managed &&
      !deviceFits(*opsInUse(), P->Plan->Chosen)) {
    turnOff(*P, "the device cannot share memory of this kind");
    return Action::Run;
  }
  return serve(E, shareBlock(*P, HostSide, E.Align, E.Zeroed), HostSide);
}

/// True if a call in \p E's stream fails whatever it is asked for: the stream
/// is none, or earlier work has failed.
static bool streamFails(const Event &E) {
  if (!E.Ops->queryStream)
    return false;
  const int Status = E.Ops->queryStream(reinterpret_cast<void *>(E.R.Stream));
  return Status && Status != NotReady;
}

static Action beforeDeviceAlloc(Event &E) {
  if (static_cast<How>(E.R.Flags) != How::Device || set(GaveUp) ||
      E.R.Bytes < minBytes())
    return Action::Run;
  Pair *P = pairOf(E.R, DeviceSide);
  if (!P || !mayShare(*P))
    return Action::Run;
  if (streamFails(E)) // as the allocation will
    return Action::Run;
  if (!deviceFits(*E.Ops, P->Plan->Chosen)) {
    turnOff(*P, "the device cannot share memory of this kind");
    return Action::Run;
  }
  return serve(E, shareBlock(*P, DeviceSide, 256, false), DeviceSide);
}

static Action beforeFree(Event &E, Side Which) {
  if (!E.Freed.Served)
    return Action::Run;
  auto *S = static_cast<Served *>(E.Freed.Owner);
  E.R.Status = 0;
  bool MayCall = !E.Nested && !set(Finished) && mayCallCuda();
  // The wait would end the capture; without it the memory must stay.
  if (Which == DeviceSide && duringCapture())
    return Action::Skip;
  // As the free that it replaces.
  if (Which == DeviceSide && MayCall && E.Ops && E.Ops->waitDevice)
    E.R.Status = E.Ops->waitDevice();
  if (!set(Finished) && !(Which == HostSide && releasesLater(*S)))
    releaseSide(S, Which, MayCall);
  return Action::Skip;
}

namespace {
struct Place {
  Served *Of = nullptr; ///< null: it is no buffer that the plan changes
  uint64_t Offset = 0;
  uint64_t Left = 0; ///< bytes from there to the buffer's end
};
} // namespace

static Place placeOf(uint64_t Address, Side Which) {
  Range Found;
  auto *P = reinterpret_cast<void *>(Address);
  bool Known = Which == HostSide ? findHost(P, Found) : findDevice(P, Found);
  if (!Known || !Found.Served)
    return {};
  const uint64_t Offset = Address - Found.Base;
  return {static_cast<Served *>(Found.Owner), Offset, Found.Bytes - Offset};
}

/// True if a copy of \p Bytes between \p H and \p D would move them to where
/// they are. One that is too long is CUDA's to refuse.
static bool isLinking(const Place &H, const Place &D, uint64_t Bytes) {
  return H.Of && H.Of->Shared && H.Of == D.Of && H.Offset == D.Offset &&
         Bytes <= H.Left;
}

/// True if what \p E does goes into a graph. Then nothing can be waited for.
static bool isCaptured(const Event &E) {
  int Status = 0;
  return duringCapture() && E.Ops->isCapturing &&
         (E.Ops->isCapturing(reinterpret_cast<void *>(E.R.Stream), &Status) ||
          Status);
}

/// The two buffers of \p S are one and cannot be parted, though the program
/// does what it did not do when that was validated.
static void staysShared(Served &S, const char *Why) {
  Pair &P = *S.Of;
  if (__atomic_exchange_n(&P.Unsafe, true, __ATOMIC_ACQ_REL))
    return;
  char Text[256];
  snprintf(Text, sizeof Text, "in a run with the plan: %s", Why);
  const char *Problem = disableInPlan(rememberedPlanFile(), *P.Plan, Text);
  say("pair %llu is one buffer, and %s, which it did not do when that was "
      "validated: results of this run may be wrong; it is left in later "
      "runs%s%s",
      static_cast<unsigned long long>(P.Plan->Id), Why,
      Problem ? ", but not by the plan: " : "", Problem ? Problem : "");
}

/// Whether a copy of memory that both sides see at one address is an upload:
/// its site knows, or else the kind that the program gave.
static bool isUpload(const Event &E, const PlanPair &P) {
  bool Uploads = false, Downloads = false;
  for (unsigned I = 0; I != P.NumCopies; ++I)
    if (P.Copies[I].Site == E.R.Site)
      (P.Copies[I].ToDevice ? Uploads : Downloads) = true;
  return Uploads != Downloads ? Uploads : E.Said != CopyD2H;
}

/// A copy between the two sides of \p S, which is \p Up or down: what it would
/// wait for is waited for, or it fails as it would with two buffers.
static Action beforeLinking(Event &E, Served &S, bool Up) {
  const bool FitsKind = !E.Said || E.Said == (Up ? CopyH2D : CopyD2H);
  bool Fails = E.OddKind || streamFails(E);
  if (!Fails && !FitsKind)
    Fails = standIn(E, Up ? DstDevice | SrcHost : DstHost | SrcDevice);
  if (Fails) {
    // With two buffers one would keep what it holds.
    if (!isApart(S))
      staysShared(S, "copies between its buffers in a way that CUDA refuses");
    return Action::Run;
  }
  E.R.Status = waitAsPlanned(E, *S.Of->Plan, Up);
  if (watchCopy(S, Up, E.R.Bytes)) {
    add(CopiesSkipped, 1);
    add(BytesSkipped, E.R.Bytes);
    return Action::Skip;
  }
  E.Waits = true;
  return Action::Run;
}

/// True if the kind that the program gave says that its host buffer at side
/// \p Which is the device's, which pinned memory may be, but ordinary is not.
static bool takesForDevices(const Event &E, CopySides Which) {
  const uint8_t Wrong = Which == SrcHost ? CopyD2H : CopyH2D;
  return E.Said == Wrong || E.Said == CopyD2D;
}

/// A copy from or to the host buffer \p S alone, at side \p Which.
static void beforePinned(Event &E, Served &S, CopySides Which, bool IsUpload) {
  const uint64_t Address = Which == SrcHost ? E.R.B : E.R.A;
  const bool ByProgram = seenAs(S, Address, E.R.Bytes).How == Seen::Registered;
  if (!ByProgram && isPinnedUnseen(S)) {
    if (takesForDevices(E, Which) && standIn(E, Which))
      return;
    // A synchronous one is read only when the stream's work has ended.
    if (IsUpload && (E.R.Flags & CopyAsync) && E.R.Bytes <= MostTakenAlong &&
        takeAlong(E))
      return;
  }
  // One that is not pinned yet may become so.
  if (!ByProgram && IsUpload && takesQueued(E, *S.Of))
    return;
  E.Private[Which == SrcHost] = reinterpret_cast<uintptr_t>(&S);
  if (beginUse(S, E.R.Bytes, Which == DstHost)) {
    E.Waits |= (E.R.Flags & CopyAsync) != 0 && !ByProgram;
    if (rt::isPinned(*S.Block))
      add(BytesPinned, E.R.Bytes);
  }
}

/// Before a copy or set, not between its two sides, of \p S, which is one
/// buffer: of memory that is the process's, CUDA keeps no order of the stream.
/// It may read it at once. (Seen on an H200 for uploads of pageable memory.)
static void followStream(Event &E, const Served &S) {
  if (S.Of->Plan->Chosen != drplan::Choice::System || isCaptured(E))
    return;
  (void)waitForEarlier(E);
  E.Waits = true; // what is written there, too
}

static Action beforeCopy(Event &E) {
  Place HostTo = placeOf(E.R.A, HostSide), HostFrom = placeOf(E.R.B, HostSide);
  Place DeviceTo = placeOf(E.R.A, DeviceSide),
        DeviceFrom = placeOf(E.R.B, DeviceSide);
  bool Up = isLinking(HostFrom, DeviceTo, E.R.Bytes),
       Down = isLinking(HostTo, DeviceFrom, E.R.Bytes);
  if ((Up || Down) && !duringCapture()) {
    Served &S = *(Up ? HostFrom : HostTo).Of;
    return beforeLinking(E, S, Up && Down ? isUpload(E, *S.Of->Plan) : Up);
  }
  const auto Direction = E.R.Flags & CopyDirection;
  for (const Place &P : {HostTo, HostFrom, DeviceTo, DeviceFrom})
    if (P.Of && P.Of->Shared) {
      // CUDA waits less for copies of memory that both sides see, but between
      // device buffers for none.
      E.Waits |= !isCaptured(E) && Direction != CopyD2D;
      turnOff(*P.Of->Of, Up || Down ? "a stream is captured"
                                    : "it is copied from or to another buffer");
    }
  if (E.Waits && HostFrom.Of && !(DeviceTo.Of && DeviceTo.Of->Shared) &&
      takesQueued(E, *HostFrom.Of->Of))
    E.Waits = false;
  // Where both sides lie at one address the direction says which one it is.
  if (DeviceFrom.Of && DeviceFrom.Of->Shared && Direction != CopyH2D)
    followStream(E, *DeviceFrom.Of);
  if (DeviceTo.Of && DeviceTo.Of->Shared && Direction != CopyD2H)
    followStream(E, *DeviceTo.Of);
  // A copy between this side and another buffer, as between the sides of a
  // pair: the side that it does not write keeps what it holds.
  const Place &To = Direction == CopyH2D ? DeviceTo : HostTo;
  if (!Up && !Down && (Direction == CopyH2D || Direction == CopyD2H) && To.Of &&
      To.Of->Shared && E.R.Bytes && !isApart(*To.Of) && hasBothSides(*To.Of) &&
      !partForCopy(*To.Of))
    staysShared(*To.Of, "is copied to from another buffer");
  for (const Place &P : {HostTo, HostFrom})
    if (P.Of)
      watchOther(*P.Of, Trap::OtherCopy);
  for (const Place &P : {DeviceTo, DeviceFrom})
    if (P.Of)
      watchWork(*P.Of);
  if (set(GaveUp) || E.OddKind || !mayPin(*E.Ops))
    return Action::Run;
  if (HostFrom.Of && !HostFrom.Of->Shared && queueUpload(E, *HostFrom.Of))
    return Action::Skip;
  // Both sides may be host memory; each that is pinned is in use.
  if (HostTo.Of && !HostTo.Of->Shared)
    beforePinned(E, *HostTo.Of, DstHost, false);
  if (HostFrom.Of && !HostFrom.Of->Shared)
    beforePinned(E, *HostFrom.Of, SrcHost, !HostTo.Of);
  return Action::Run;
}

static int afterCopy(Event &E, int Status) {
  if (E.Skipped)
    return Status;
  if (E.Waits && Status == 0)
    Status = E.Ops->waitStream(reinterpret_cast<void *>(E.R.Stream));
  // The two sides of one buffer hold the same without it.
  Status = endStandIn(E, Status, !(E.StandIns & (DstDevice | SrcDevice)));
  for (uint64_t One : E.Private)
    if (One)
      endUse(*reinterpret_cast<Served *>(One));
  return Status;
}

static void unpinRange(Range &R, void *) {
  if (!R.Served)
    return;
  auto *S = static_cast<Served *>(R.Owner);
  if (!S->Shared)
    __atomic_store_n(&S->NeverPin, true, __ATOMIC_SEQ_CST);
}

/// Nothing is pinned any more, and nothing will be.
static void giveUp(const char *Why) {
  if (__atomic_exchange_n(&GaveUp, true, __ATOMIC_ACQ_REL))
    return;
  if (verbose())
    say("the plan is left: %s", Why);
  // First all marks, with the table's lock held; then CUDA, without it.
  HostRanges.forEach(unpinRange, nullptr);
  uintptr_t From = 0;
  for (Range R; HostRanges.next(From, R); From = R.Base + R.Bytes) {
    if (!R.Served)
      continue;
    auto *One = static_cast<Served *>(R.Owner);
    if (One->Shared && One->OnDevice && !isApart(*One))
      staysShared(*One, Why);
    else if (!One->Shared)
      unpinForGood(*One);
  }
}

static Action beforeAny(Event &E) {
  if (!set(Finished))
    meetUpload(E);
  if (E.Ops && !E.Nested && !set(Finished)) {
    useOps(*E.Ops);
    releaseDelayed();
  }
  if (E.Ops)
    noteStreamUse(E);
  watchBefore(E);
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::HostAlloc:
    return E.Ops ? Action::Run : beforeHostAlloc(E);
  case Record::DeviceAlloc:
    return beforeDeviceAlloc(E);
  case Record::HostFree:
    return beforeFree(E, HostSide);
  case Record::DeviceFree:
    return beforeFree(E, DeviceSide);
  case Record::Copy: {
    const Action A = beforeCopy(E);
    if (A == Action::Run)
      watchRuns(E);
    return A;
  }
  case Record::Set:
    if (Served *S = placeOf(E.R.A, HostSide).Of; S && !S->Shared)
      unpinForGood(*S);
    if (Served *S = placeOf(E.R.A, DeviceSide).Of) {
      if (S->Shared)
        followStream(E, *S);
      watchWork(*S);
    }
    return Action::Run;
  case Record::HostFunc:
    noteHostFunction();
    return Action::Run;
  case Record::Reset:
    unpinBeforeReset();
    return Action::Run;
  case Record::Capture:
    giveUp("the program captures a stream");
    if (E.R.Flags == 1)
      __atomic_add_fetch(&Captures, 1, __ATOMIC_ACQ_REL);
    return Action::Run;
  default:
    return Action::Run;
  }
}

/// The program may go another way than those that were validated: as far as is
/// known the device had the memory there.
static void allocationFailed() {
  turnOffMerged("the device has not the memory that was asked for");
}

static int afterAny(Event &E, int Status) {
  if (!set(Finished))
    passUpload(E, Status);
  noteStreamMade(E, Status);
  watchAfter(E, Status);
  const auto Kind = static_cast<Record>(E.R.Kind);
  constexpr int OutOfMemory = 2; // of the runtime and of the driver
  if (Kind == Record::DeviceAlloc && Status == OutOfMemory)
    allocationFailed();
  constexpr int Invalidated = 901; // a capture that ended by another's fault
  // One that did not begin, or one that ended.
  if (Kind == Record::Capture &&
      (E.R.Flags == 1 ? Status != 0 : !Status || Status == Invalidated))
    __atomic_sub_fetch(&Captures, 1, __ATOMIC_ACQ_REL);
  if (Kind != Record::Copy)
    return Status;
  Status = afterCopy(E, Status);
  if (Tracing && E.R.Bytes >= minBytes()) {
    stampEnd(E);
    if (Status == 0)
      writeDevice(*E.Ops);
    writeRecord(E.R);
  }
  return Status;
}

static void lose(const void *Pointer, Reason Why) {
  waitForUpload();
  if (!Pointer)
    return giveUp("the program does what Echo does not follow");
  if (mayCallCuda())
    releaseDelayed();
  for (Side Which : {HostSide, DeviceSide}) {
    Served *S = placeOf(reinterpret_cast<uintptr_t>(Pointer), Which).Of;
    if (!S)
      continue;
    watchOther(*S, Trap::DroppedOut);
    turnOff(*S->Of, reasonText(Why));
    if (!S->Shared)
      unpinForGood(*S);
  }
}

/// The buffer of the host's alone around \p Pointer; null if there is none.
static Served *aloneAt(const void *Pointer, Place &At) {
  At = placeOf(reinterpret_cast<uintptr_t>(Pointer), HostSide);
  return At.Of && !At.Of->Shared ? At.Of : nullptr;
}

static Seen seenByProgram(const void *Pointer) {
  Place At;
  const Served *S = aloneAt(Pointer, At);
  return S ? seenAs(*S, reinterpret_cast<uintptr_t>(Pointer)) : Seen();
}

static bool registerInstead(const void *Pointer, uint64_t Bytes,
                            unsigned Flags) {
  waitForUpload();
  Place At;
  Served *S = aloneAt(Pointer, At);
  if (!S)
    return false;
  turnOff(*S->Of, reasonText(Reason::PinnedByProgram));
  return Bytes <= At.Left &&
         registerUnseen(*S, reinterpret_cast<uintptr_t>(Pointer), Bytes, Flags);
}

static bool unregisterInstead(const void *Pointer) {
  Place At;
  Served *S = aloneAt(Pointer, At);
  return S && unregisterUnseen(*S, reinterpret_cast<uintptr_t>(Pointer));
}

static void useStream(uint64_t Stream) {
  waitForUpload();
  noteOtherUse(Stream);
}

static void armOwnForks() {
  armForkHandlers();
  armWatchForForks();
}

/// Validation looks at no child's own use of CUDA.
static void forked() {
  giveToChild();
  forgetUpload();
  turnOffMerged("this process was made by fork");
  if (Tracing)
    traceForked();
}

/// Managed memory is not the child's: it would see zeros.
static void beforeUnseenChild() {
  partForChild();
  HostRanges.forEach(
      [](Range &R, void *) {
        auto *S = static_cast<Served *>(R.Owner);
        if (R.Served && S->Of->Plan->Chosen == drplan::Choice::Managed)
          staysShared(*S, "makes a child process past fork");
      },
      nullptr);
}

static void finish() {
  __atomic_store_n(&Finished, true, __ATOMIC_RELEASE);
  if (Tracing)
    finishTrace();
  if (verbose())
    say("%llu bytes copied from or to pinned memory, %llu copies of %llu bytes "
        "not made, %llu uploads went on",
        static_cast<unsigned long long>(BytesPinned),
        static_cast<unsigned long long>(CopiesSkipped),
        static_cast<unsigned long long>(BytesSkipped),
        static_cast<unsigned long long>(uploadsQueued()));
  endWatch();
  if (verbose() && watchesAny())
    say("%llu windows of GPU use watched",
        static_cast<unsigned long long>(windowsWatched()));
  closeBudget();
}

const Handlers OptimizeHandlers = {.start = start,
                                   .before = beforeAny,
                                   .after = afterAny,
                                   .dropOut = lose,
                                   .streamUsed = useStream,
                                   .forked = forked,
                                   .finish = finish,
                                   .wantsSite = wantsSite,
                                   .armForks = armOwnForks,
                                   .holdForChild = copyForChild,
                                   .forkedInParent = dropCopies,
                                   .childUnseen = beforeUnseenChild,
                                   .seenAt = seenByProgram,
                                   .registeredInstead = registerInstead,
                                   .unregisteredInstead = unregisterInstead,
                                   .wantsBytes = wantsBytes};

} // namespace echo::dr

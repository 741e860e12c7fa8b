//===- Uploads.cpp - Uploads that go on after their return ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One upload of the process goes on at a time. It is a use of its buffer, as a
// copy under way is: nobody unpins what it reads. An event follows it, so that
// any thread can wait for it, from whatever context.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Uploads.h"
#include "runtime/dr/optimize/Context.h"
#include "runtime/dr/optimize/LegacyOrder.h"
#include "runtime/dr/optimize/WatchedUpload.h"
#include "runtime/rt/Pinning.h"

#include <sched.h>

namespace echo::dr {

namespace {
enum Progress : int { None, Changing, GoesOn };
struct Upload {
  const DeviceOps *Ops = nullptr;
  void *Recorded = nullptr; ///< an event that follows it; null: it has ended
  bool Watched = false;     ///< its buffer is closed to writes
  uint64_t Context = 0;     ///< in whose legacy stream it is
};
} // namespace

static int State; ///< Progress; atomic
/// The buffer that the upload reads, with IsFreed if the program freed it; 0
/// once the upload has ended, whatever State says. Atomic.
static uintptr_t Reads;
static constexpr uintptr_t IsFreed = 1;
static Upload Current;   ///< of the thread that made it Changing, else constant
static uint64_t Serial;  ///< of the last one; atomic
static uint64_t NumMade; ///< atomic

/// The upload that went on when the wait began that this thread is in.
static __thread uint64_t AtBegin;

uint64_t uploadsQueued() { return __atomic_load_n(&NumMade, __ATOMIC_RELAXED); }

static bool goesOn() {
  return __atomic_load_n(&State, __ATOMIC_ACQUIRE) != None;
}

static bool change(Progress From) {
  int Expected = From;
  return __atomic_compare_exchange_n(&State, &Expected,
                                     static_cast<int>(Changing), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static Served *bufferOf(uintptr_t Word) {
  return reinterpret_cast<Served *>(Word & ~IsFreed); // NOLINT
}

/// What the upload reads; null once it has ended.
static const Served *buffer() {
  return bufferOf(__atomic_load_n(&Reads, __ATOMIC_ACQUIRE));
}

/// The calling thread ends the upload: that number \p Ended has ended, or else,
/// if that is 0, the one there is waited for. Until then all threads see what
/// it reads.
static void end(uint64_t Ended) {
  if (!change(GoesOn))
    return; // another thread is at it
  if (Ended && Ended != __atomic_load_n(&Serial, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&State, static_cast<int>(GoesOn), __ATOMIC_RELEASE);
    return; // another one goes on by now
  }
  if (Current.Recorded)
    Current.Ops->dropRecorded(Current.Recorded, /*Waits=*/!Ended);
  Served *Of = bufferOf(__atomic_load_n(&Reads, __ATOMIC_ACQUIRE));
  if (Current.Watched)
    endWatchedUpload(*Of);
  endUse(*Of);
  // Who frees it from here on releases it.
  if (__atomic_exchange_n(&Reads, uintptr_t(0), __ATOMIC_ACQ_REL) & IsFreed)
    releaseSide(Of, HostSide, /*MayCall=*/true);
  __atomic_store_n(&State, static_cast<int>(None), __ATOMIC_RELEASE);
}

void waitForUpload() {
  while (goesOn() && mayCallCuda()) {
    end(0);
    if (__atomic_load_n(&State, __ATOMIC_ACQUIRE) == Changing)
      sched_yield(); // until the other thread is done
  }
}

static uint64_t contextNow(const DeviceOps &Ops) {
  uint64_t Context = 0;
  return Ops.currentContext && !Ops.currentContext(&Context) ? Context : 0;
}

static void *bytesAt(uint64_t Address) {
  return reinterpret_cast<void *>(Address); // NOLINT
}

/// True if the upload comes before \p E whatever happens: by the legacy stream
/// of its context, or because \p E meets no memory of the upload's.
static bool isOrdered(const Event &E) {
  const uint8_t Direction = E.R.Flags & CopyDirection;
  Range Host;
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::HostAlloc:
  case Record::DeviceAlloc:
  case Record::HostFree: // of its own buffer: releasesLater()
    return true;
  case Record::Copy:
    // Its buffer may have to be unpinned before a copy to it.
    if (Direction != CopyD2D &&
        (Direction != CopyD2H ||
         (findHost(bytesAt(E.R.A), Host) && Host.Owner == buffer())))
      return false;
    [[fallthrough]];
  case Record::Launch:
  case Record::Set:
  case Record::SyncStream:
  case Record::EventRecord:
    return isLegacy(E.R.Stream) && E.Ops &&
           contextNow(*E.Ops) ==
               __atomic_load_n(&Current.Context, __ATOMIC_RELAXED);
  default:
    return false;
  }
}

void meetUpload(const Event &E) {
  AtBegin = 0;
  if (!goesOn())
    return;
  if (!isOrdered(E))
    return waitForUpload();
  AtBegin = __atomic_load_n(&Serial, __ATOMIC_ACQUIRE);
}

/// True if \p E returned after all that was in its stream before. A download of
/// no bytes waits for nothing.
static bool waitsForStream(const Event &E) {
  const auto Kind = static_cast<Record>(E.R.Kind);
  return Kind == Record::SyncStream ||
         (Kind == Record::Copy && E.R.Bytes && !(E.R.Flags & CopyAsync) &&
          (E.R.Flags & CopyDirection) == CopyD2H);
}

void passUpload(const Event &E, int Status) {
  if (!AtBegin || Status || E.Skipped || !waitsForStream(E))
    return;
  end(AtBegin);
}

bool releasesLater(Served &S) {
  if (buffer() != &S)
    return false;
  waitForUpload();
  uintptr_t Used = reinterpret_cast<uintptr_t>(&S);
  return __atomic_compare_exchange_n(&Reads, &Used, Used | IsFreed, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void forgetUpload() {
  if (const Served *Of = buffer())
    openForChild(*Of);
  __atomic_store_n(&Reads, uintptr_t(0), __ATOMIC_RELEASE);
  __atomic_store_n(&State, static_cast<int>(None), __ATOMIC_RELEASE);
}

/// True if \p E copies from \p S to where the plan says its partner is, as a
/// copy of one buffer for both would: the same one each time, at one offset.
static bool isToPartner(const Event &E, Served &S) {
  const PlanPair &P = *S.Of->Plan;
  Range Device;
  if (!findDevice(bytesAt(E.R.A), Device) || Device.Kind != How::Device ||
      Device.Site != P.DeviceSite || Device.Bytes != P.DeviceBytes)
    return false;
  const uint64_t Offset = E.R.B - reinterpret_cast<uintptr_t>(S.onHost());
  if (E.R.A - Device.Base != Offset || E.R.Bytes > P.Bytes - Offset)
    return false;
  if (!S.OnDevice)
    S.OnDevice = bytesAt(Device.Base);
  return S.OnDevice == bytesAt(Device.Base);
}

static bool isPlannedUpload(const Event &E, const PlanPair &P) {
  for (unsigned I = 0; I != P.NumCopies; ++I)
    if (P.Copies[I].Site == E.R.Site && P.Copies[I].ToDevice)
      return true;
  return false;
}

bool queueUpload(Event &E, Served &S) {
  Pair &P = *S.Of;
  const bool SaysSo = !E.Said || E.Said == CopyH2D;
  if (P.Plan->Chosen != drplan::Choice::PinnedQueued || !SaysSo ||
      E.R.Flags != CopyH2D || !E.Ops->queueUpload || !isLegacy(E.R.Stream) ||
      __atomic_load_n(&P.Off, __ATOMIC_ACQUIRE) || S.Used ||
      !rt::isPinned(*S.Block) || !isPlannedUpload(E, *P.Plan))
    return false;
  // A copy would wait for other streams, too, and return errors.
  if (!isToPartner(E, S) || mayFollowOthers(E.R.Stream) || !processHolds() ||
      !modulesHold() || (E.Ops->errorPending && E.Ops->errorPending()))
    return false;
  const uint64_t Context = contextNow(*E.Ops);
  if (!Context || E.Ops->waitStream(nullptr))
    return false;
  waitForUpload(); // which the stream has ended
  if (!change(None))
    return false;                                  // another thread's
  if (__atomic_load_n(&P.Off, __ATOMIC_ACQUIRE)) { // by what was seen just now
    __atomic_store_n(&State, static_cast<int>(None), __ATOMIC_RELEASE);
    return false;
  }
  const bool Watches = watchesUpload(P);
  (void)beginUse(S, E.R.Bytes, /*Fills=*/false);
  void *Recorded = nullptr;
  E.R.Status =
      E.Ops->queueUpload(bytesAt(E.R.A), bytesAt(E.R.B), E.R.Bytes, &Recorded);
  bool IsWatched = false;
  if (Recorded && Watches) {
    E.Ops->dropRecorded(Recorded, /*Waits=*/true);
    Recorded = nullptr;
    IsWatched = closeToWrites(S);
  }
  const bool Stays = Recorded || IsWatched;
  if (Stays) {
    Current.Ops = E.Ops;
    Current.Watched = IsWatched;
    Current.Recorded = Recorded;
    __atomic_store_n(&Current.Context, Context, __ATOMIC_RELAXED);
    __atomic_store_n(&Reads, reinterpret_cast<uintptr_t>(&S), __ATOMIC_RELEASE);
    __atomic_add_fetch(&Serial, 1, __ATOMIC_RELEASE);
    __atomic_add_fetch(&NumMade, Recorded ? 1 : 0, __ATOMIC_RELAXED);
  } else { // it has failed, or ended
    endUse(S);
  }
  __atomic_store_n(&State, static_cast<int>(Stays ? GoesOn : None),
                   __ATOMIC_RELEASE);
  return E.R.Status == 0;
}

} // namespace echo::dr

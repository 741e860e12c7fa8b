//===- Watch.cpp - One GPU-use window in N is watched ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock for the state of all watched buffers, never held while CUDA or the
// program's code runs. What a buffer holds is read by the GPU's mapping, so
// that Echo itself never meets closed pages.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Watch.h"

#include "runtime/dr/OwnMemory.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/Sites.h"
#include "runtime/dr/optimize/Context.h"
#include "runtime/dr/optimize/WatchSchedule.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/InFlight.h"
#include "runtime/dr/validate/Pages.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace echo::dr {

/// A buffer that is mapped twice.
struct Watch {
  enum State : uint8_t {
    Idle,
    Armed,  ///< open; Kept is what both sides held when they were last equal
    Closed, ///< Kept is what the host's side held when it was closed
    Apart,
  };
  Watch *Next = nullptr;
  Served *Of = nullptr;
  char *Host = nullptr;   ///< the host's mapping
  char *Device = nullptr; ///< the GPU's
  size_t Bytes = 0, MappedBytes = 0;
  unsigned Slot = 0; ///< of Host in Watched
  uint8_t Sides = 0;
  uint8_t Now = Idle;     ///< a State; atomic
  bool Possible = false;  ///< the device leaves closed pages alone
  bool Linked = false;    ///< copied since its device side was allocated
  bool WorkSince = false; ///< work began since it was closed
  bool Orphan = false;    ///< its h went with what was not copied, taken back
  void *Kept = nullptr;
  void *ForChild = nullptr; ///< during a fork
};

static rt::Mutex Lock; ///< all below
static Watch *All;
static constinit InFlight Work;
static bool InChild;

bool isApart(const Served &S) {
  return S.Watched &&
         __atomic_load_n(&S.Watched->Now, __ATOMIC_ACQUIRE) == Watch::Apart;
}

/// Some pair is still in its first windows. Lock held
static bool Early;

static unsigned InWindows; ///< those that are armed or closed; Lock held
static unsigned Orphans;   ///< Lock held

static bool isInWindow(uint8_t State) {
  return State == Watch::Armed || State == Watch::Closed;
}

static void setState(Watch &W, uint8_t To) {
  InWindows += isInWindow(To);
  InWindows -= isInWindow(W.Now);
  __atomic_store_n(&W.Now, To, __ATOMIC_RELEASE);
}

static void found(Watch &W, const Access &A) { noteUnsafe(*W.Of->Of, A); }

// Windows. The lock is held.

static void forgetKept(Watch &W) {
  if (W.Kept)
    unmapOwn(W.Kept, W.MappedBytes);
  W.Kept = nullptr;
}

static bool keep(Watch &W) {
  if (!W.Kept)
    W.Kept = mapOwn(W.MappedBytes);
  if (W.Kept)
    memcpy(W.Kept, W.Device, W.Bytes);
  return W.Kept;
}

static bool isAsKept(const Watch &W) {
  return !memcmp(W.Kept, W.Device, W.Bytes);
}

/// The fault handler saw \p A, and opened the buffer. Where it took it apart,
/// Kept is the host's side now.
static void taken(Watch &W, const Access &A) {
  Watched.takeInstead(W.Slot);
  if (A.Apart)
    W.Kept = nullptr;
  setState(W, A.Apart ? Watch::Apart : Watch::Idle);
  forgetKept(W);
  found(W, A);
}

/// Before Kept is used: another thread's access may have taken a closed buffer
/// apart since collect(). It stays closed if there was none, and none takes it
/// apart before goOn().
static void settle(Watch &W) {
  if (W.Now != Watch::Closed)
    return;
  Watched.takeInstead(W.Slot);
  if (const Access A = Watched.takeAccess(W.Slot); A.What != Trap::None)
    taken(W, A);
}

/// The window of a buffer that is closed still goes on.
static void goOn(Watch &W) {
  if (W.Now == Watch::Closed)
    Watched.putInstead(W.Slot, W.Kept);
}

/// The window ends, or is not watched any more.
static void open(Watch &W) {
  settle(W);
  if (W.Now == Watch::Apart)
    return;
  Watched.set(W.Slot, Gate::Open);
  setState(W, Watch::Idle);
  forgetKept(W);
}

/// The window begins. What the host's side holds is kept unless it \p IsKept.
static void close(Watch &W, bool IsKept) {
  // Closed first: what the host writes from here on takes it apart.
  if (!handlesFaults() || !Watched.set(W.Slot, Gate::Window)) {
    W.Possible = false;
    static bool Said;
    if (!__atomic_exchange_n(&Said, true, __ATOMIC_RELAXED))
      say("a pair is not watched any more: its pages cannot be closed");
    return open(W);
  }
  if (!IsKept && !keep(W))
    return open(W);
  setState(W, Watch::Closed);
  W.WorkSince = false;
  Watched.putInstead(W.Slot, W.Kept);
}

/// The host's side gets what was kept, the GPU's keeps what it has.
static void takeApart(Watch &W, Trap What) {
  settle(W);
  if (W.Now == Watch::Apart || !W.Kept)
    return;
  Watched.replace(W.Slot, W.Kept);
  W.Kept = nullptr;
  setState(W, Watch::Apart);
  found(W, {What, 0, 0, false, true});
}

/// Takes up what the fault handler saw, before the next event or at the end:
/// the handler may run on a small stack.
static void collect() {
  if (!InWindows)
    return;
  for (Watch *W = All; W; W = W->Next) {
    if (W->Now != Watch::Closed)
      continue;
    if (const Access A = Watched.takeAccess(W->Slot); A.What != Trap::None)
      taken(*W, A);
  }
}

static bool isDue(const Watch &W) {
  const Pair &P = *W.Of->Of;
  return W.Possible && !InChild && W.Sides == (HostSide | DeviceSide) &&
         P.Windows >= P.NextWatched;
}

static bool comesBack(const PlanPair &P) {
  for (unsigned I = 0; I != P.NumCopies; ++I)
    if (!P.Copies[I].ToDevice)
      return true;
  return false;
}

static void windowEnded(Watch &W) {
  open(W);
  Pair &P = *W.Of->Of;
  noteWatched(P);
  // The next upload begins the next one: so what the host does before it is
  // watched, too.
  if (watchesEach(P) && !comesBack(*P.Plan) && keep(W))
    setState(W, Watch::Armed);
}

static void setOrphan(Watch &W, bool To) {
  Orphans += To;
  Orphans -= W.Orphan;
  W.Orphan = To;
}

/// The GPU's side of an orphan is \p Used, or overwritten.
static void orphanEnds(Watch &W, bool Used) {
  if (!W.Orphan)
    return;
  setOrphan(W, false);
  if (Used)
    found(W, {Trap::Stale, 0, 0, false, true});
}

/// The host changed its side, which stays so, and the GPU's is still what was
/// kept.
static void takeHostsChangesApart(Watch &W, Trap What) {
  Watched.replaceChanged(W.Slot, W.Device, static_cast<char *>(W.Kept));
  W.Kept = nullptr;
  setState(W, Watch::Apart);
  found(W, {What, 0, 0, false, true});
}

static void workBegins(Watch &W) {
  orphanEnds(W, /*Used=*/true);
  switch (W.Now) {
  case Watch::Idle:
    if (!W.Linked || !isDue(W))
      return;
    close(W, false);
    break;
  case Watch::Armed:
    if (!isAsKept(W)) // they were not copied
      return takeHostsChangesApart(W, Trap::Stale);
    close(W, true);
    break;
  case Watch::Closed:
  case Watch::Apart:
    break;
  }
  W.WorkSince = true;
}

/// A part is copied: of the rest, one side may have what the other lacks.
static bool copiedPart(Watch &W) {
  const Access Here = {Trap::OtherCopy, 0, 0, false, false};
  if (W.Now == Watch::Armed)
    takeHostsChangesApart(W, Trap::OtherCopy);
  else if (W.Now == Watch::Idle && keep(W)) {
    // Both get what the one buffer holds: the copy can run from here on.
    Watched.replace(W.Slot, W.Kept);
    W.Kept = nullptr;
    setState(W, Watch::Apart);
    found(W, Here);
  } else if (W.Now == Watch::Idle)
    found(W, Here);
  else
    takeApart(W, Trap::OtherCopy);
  return W.Now != Watch::Apart;
}

static bool copied(Watch &W, bool ToDevice) {
  Pair &P = *W.Of->Of;
  W.Linked = true;
  orphanEnds(W, /*Used=*/!ToDevice);
  settle(W);
  switch (W.Now) {
  case Watch::Apart:
    return false;
  case Watch::Closed:
    // An upload would bring back what the GPU has changed since.
    if (ToDevice && W.WorkSince && !isAsKept(W)) {
      takeApart(W, Trap::Undone);
      return false;
    }
    windowEnded(W);
    break;
  case Watch::Armed:
    // A download would bring back what the host has changed since.
    if (!ToDevice && !isAsKept(W)) {
      memcpy(W.Device, W.Kept, W.Bytes);
      takeApart(W, Trap::Undone);
      return false;
    }
    break;
  case Watch::Idle:
    break;
  }
  if (ToDevice != comesBack(*P.Plan))
    ++P.Windows;
  if (!watchesAny() || !isDue(W))
    return true;
  if (ToDevice) {
    close(W, false);
  } else if (keep(W)) {
    setState(W, Watch::Armed);
    if (!Work.quiescent())
      workBegins(W);
  }
  return true;
}

bool watchCopy(Served &S, bool ToDevice, uint64_t Bytes) {
  if (!S.Watched || !Bytes)
    return true;
  rt::Guard G(Lock);
  if (Bytes != S.Watched->Bytes)
    return copiedPart(*S.Watched);
  return copied(*S.Watched, ToDevice);
}

bool partForCopy(Served &S) {
  if (!S.Watched)
    return false;
  rt::Guard G(Lock);
  return !copiedPart(*S.Watched);
}

void watchWork(Served &S) {
  if (!S.Watched)
    return;
  rt::Guard G(Lock);
  workBegins(*S.Watched);
}

void watchOther(Served &S, Trap What) {
  if (!S.Watched)
    return;
  rt::Guard G(Lock);
  if (S.Watched->Now == Watch::Closed)
    takeApart(*S.Watched, What);
  else
    open(*S.Watched);
}

void watchBefore(const Event &E) {
  if (!watchesAny() || E.Nested)
    return;
  rt::Guard G(Lock);
  if (InChild)
    return;
  collect();
  const auto Kind = static_cast<Record>(E.R.Kind);
  // A window that is not open yet begins with a copy, unless each is watched.
  if (Kind == Record::Launch && (InWindows || Orphans || Early)) {
    Early = false;
    for (Watch *W = All; W; W = W->Next) {
      workBegins(*W);
      Early |= watchesEach(*W->Of->Of);
    }
  }
  // A copy that does not run is no work.
  if (Kind != Record::Copy)
    Work.before(E);
}

void watchRuns(const Event &E) {
  if (!watchesAny() || E.Nested)
    return;
  rt::Guard G(Lock);
  Work.before(E);
}

void watchAfter(const Event &E, int Status) {
  if (!watchesAny() || E.Nested || E.Skipped)
    return;
  rt::Guard G(Lock);
  if (InChild)
    return;
  if (!Work.after(E, Status) || !Work.quiescent())
    return;
  collect();
  for (Watch *W = InWindows ? All : nullptr; W; W = W->Next) {
    if (W->Now != Watch::Closed || !W->WorkSince)
      continue;
    settle(*W);
    if (W->Now == Watch::Closed && isAsKept(*W))
      windowEnded(*W);
    goOn(*W);
  }
}

// Memory.

static void beforeFork() {
  Inside Own;
  Lock.lock();
  for (Watch *W = All; W; W = W->Next) {
    settle(*W);
    if (W->Now == Watch::Apart)
      continue;
    W->ForChild = W->Now == Watch::Closed ? W->Kept : mapOwn(W->MappedBytes);
    if (W->ForChild && W->ForChild != W->Kept)
      memcpy(W->ForChild, W->Device, W->Bytes);
  }
}

static void afterForkInParent() {
  Inside Own;
  for (Watch *W = All; W; W = W->Next) {
    if (W->ForChild && W->ForChild != W->Kept)
      unmapOwn(W->ForChild, W->MappedBytes);
    W->ForChild = nullptr;
    goOn(*W);
  }
  Lock.unlock();
}

/// The child's host side is memory of its own, as after any fork.
static void afterForkInChild() {
  Inside Own;
  InChild = true;
  Watched.forked();
  for (Watch *W = All; W; W = W->Next) {
    if (W->Now == Watch::Apart)
      continue;
    Watched.takeInstead(W->Slot);
    if (W->ForChild)
      Watched.replace(W->Slot, W->ForChild);
    W->Kept = nullptr;
    setState(*W, Watch::Apart);
  }
  Lock.unlock();
}

void partForChild() {
  rt::Guard G(Lock);
  for (Watch *W = All; W; W = W->Next) {
    settle(*W);
    if (W->Now == Watch::Apart || (!W->Kept && !keep(*W)))
      continue;
    if (W->Now == Watch::Armed)
      Watched.replaceChanged(W->Slot, W->Device, static_cast<char *>(W->Kept));
    else
      Watched.replace(W->Slot, W->Kept);
    W->Kept = nullptr;
    setState(*W, Watch::Apart);
    turnOff(*W->Of->Of, "a child process is made past fork");
  }
}

void armWatchForForks() {
  static pthread_once_t Once = PTHREAD_ONCE_INIT;
  pthread_once(&Once, [] {
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  });
}

static Watch *makeWatch(Served &S) {
  void *At = Libc.malloc(sizeof(Watch));
  if (!At)
    return nullptr;
  auto *W = new (At) Watch();
  W->Of = &S;
  W->Host = S.HostView;
  W->Device = S.Block->Base;
  W->Bytes = S.Block->Capacity;
  W->MappedBytes = S.Block->Reserved;
  if (Watched.adopt(W->Host, W->MappedBytes, W->Bytes, W->Slot))
    return W;
  Libc.free(W);
  return nullptr;
}

bool watchSide(Served &S, Side Which) {
  if (!S.HostView)
    return true;
  const bool Possible =
      watchesAny() && Which == DeviceSide && leavesPagesAlone();
  rt::Guard G(Lock);
  if (!S.Watched) {
    S.Watched = makeWatch(S);
    if (!S.Watched)
      return false;
    S.Watched->Next = All;
    All = S.Watched;
  }
  Watch &W = *S.Watched;
  W.Sides |= Which;
  if (Which == HostSide)
    return true;
  W.Possible = Possible;
  Early |= Possible && watchesEach(*S.Of);
  W.Linked = false;
  settle(W);
  if (W.Now == Watch::Closed) // since the last device side went
    memcpy(W.Device, W.Kept, W.Bytes);
  open(W);
  return true;
}

void unwatchSide(Served &S, Side Which) {
  if (!S.Watched)
    return;
  rt::Guard G(Lock);
  Watch &W = *S.Watched;
  // With two buffers the GPU's would not have what the host wrote since they
  // were last equal.
  if (Which == HostSide && W.Now == Watch::Armed && W.Sides & DeviceSide &&
      !isAsKept(W)) {
    memcpy(W.Device, W.Kept, W.Bytes);
    setOrphan(W, true);
  }
  // Where the host's outlives the GPU's, it holds what it held.
  settle(W);
  if (Which == HostSide || W.Now != Watch::Closed || isAsKept(W))
    open(W);
  goOn(W);
  W.Sides &= static_cast<uint8_t>(~Which);
}

void unwatch(Served &S) {
  if (!S.Watched)
    return;
  rt::Guard G(Lock);
  Watch **At = &All;
  while (*At != S.Watched)
    At = &(*At)->Next;
  *At = S.Watched->Next;
  settle(*S.Watched);
  setState(*S.Watched, Watch::Idle);
  setOrphan(*S.Watched, false);
  forgetKept(*S.Watched);
  Watched.forget(S.Watched->Slot);
  Libc.free(S.Watched);
  S.Watched = nullptr;
}

bool enterPages(const rt::Block &B, unsigned &Slot) {
  rt::Guard G(Lock);
  return Watched.adopt(B.Memory, B.Reserved, B.Reserved, Slot);
}

void forgetPages(unsigned Slot) {
  rt::Guard G(Lock);
  Watched.forget(Slot);
}

void endWatch() {
  if (!watchesAny())
    return;
  rt::Guard G(Lock);
  collect();
}

} // namespace echo::dr

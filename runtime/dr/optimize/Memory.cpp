//===- Memory.cpp - Buffers that the plan changes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One shared block per pair waits for its other side at a time. Where a second
// one would, or sizes do not fit, the program does not do what was profiled:
// the pair is turned off, which changes no buffer that exists already.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Memory.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/Threads.h"
#include "runtime/dr/optimize/Budget.h"
#include "runtime/dr/optimize/StandIn.h"
#include "runtime/dr/optimize/Watch.h"
#include "runtime/dr/optimize/WatchedUpload.h"
#include "runtime/rt/Memory.h"
#include "runtime/rt/Pinning.h"

#include <new>
#include <pthread.h>
#include <unistd.h>

namespace echo::dr {

static rt::Mutex Lock; ///< Pair::Waiting, Served::Sides, the delayed list

namespace {
/// A block that CUDA has to be asked about once that is possible.
struct Delayed {
  Delayed *Next;
  rt::Block *Block;
  Served *Of; ///< null once it is gone. Lock held
  char *HostView;
  bool Used;
  bool Gone; ///< give it back; else it is unpinned only. Lock held
  bool Busy; ///< a thread unpins it. Lock held
};
} // namespace
static Delayed *Later; ///< Lock held

/// Served::Users and what else is pinning's. Taken last of all.
static rt::Mutex PinLock;
static pthread_cond_t Changed = PTHREAD_COND_INITIALIZER; ///< of PinLock's

static void beforeFork() {
  Lock.lock();
  PinLock.lock();
}
static void afterForkInParent() {
  PinLock.unlock();
  Lock.unlock();
}
static void afterForkInChild() {
  Changed = PTHREAD_COND_INITIALIZER; // nobody waits in the child
  afterForkInParent();
}

void armForkHandlers() {
  static pthread_once_t Once = PTHREAD_ONCE_INIT;
  pthread_once(&Once, [] {
    rt::armForkHandlers();
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  });
}

void turnOff(Pair &P, const char *Why) {
  if (__atomic_exchange_n(&P.Off, true, __ATOMIC_ACQ_REL) || !verbose())
    return;
  say("pair %llu runs as written from now on: %s",
      static_cast<unsigned long long>(P.Plan->Id), Why);
}

static Served *newServed(Pair &P, rt::Block *B) {
  void *At = Libc.malloc(sizeof(Served));
  if (!At)
    return nullptr;
  auto *S = new (At) Served();
  S->Block = B;
  S->Of = &P;
  return S;
}

static bool isAligned(const char *Base, size_t Align) {
  return (reinterpret_cast<uintptr_t>(Base) & (Align ? Align - 1 : 0)) == 0;
}

static Served *makeServed(Pair &P, rt::Backing Kind, size_t Bytes, size_t Align,
                          bool Zeroed) {
  if (Align & (Align - 1))
    return nullptr;
  int Device = 0; // any will do, but for memory of CUDA's own
  if (const DeviceOps *Ops = opsInUse();
      Ops && Ops->currentDevice && Kind == rt::Backing::Managed)
    (void)Ops->currentDevice(&Device);
  if (Bytes > SIZE_MAX - HostSlack)
    return nullptr;
  // A program may map its buffers, and unmap parts of them: whole pages.
  size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  rt::Block *B = rt::makeBlock(Kind, Bytes + HostSlack, Device, Zeroed,
                               Align > Page ? Align : Page);
  if (!B)
    return nullptr;
  Served *S = isAligned(B->Base, Align) ? newServed(P, B) : nullptr;
  if (!S)
    rt::dropBlock(B, /*Idle=*/true);
  return S;
}

Served *makePinned(Pair &P, size_t Bytes, size_t Align, bool Zeroed) {
  Served *S = makeServed(P, rt::Backing::PinnedSplit, Bytes, Align, Zeroed);
  if (S)
    rt::preparePinning(*S->Block, /*Soon=*/true);
  return S;
}

/// Mapped memory is pinned where it lies, as the host side of pinned-split, so
/// that it can be there before the program has started CUDA.
static rt::Backing backingOf(drplan::Choice C) {
  switch (C) {
  case drplan::Choice::Managed:
    return rt::Backing::Managed;
  case drplan::Choice::System:
    return rt::Backing::System;
  case drplan::Choice::Mapped:
  case drplan::Choice::PinnedSplit:
  case drplan::Choice::PinnedQueued:
    return rt::Backing::PinnedSplit;
  case drplan::Choice::Leave:
    break;
  }
  return rt::Backing::Split;
}

/// Where the block that waits for \p Thread's next buffer of \p P is kept, or
/// null at the end of the list. Lock held.
static Served **waitingOf(Pair &P, uint64_t Thread) {
  Served **Link = &P.Waiting;
  while (*Link && (*Link)->Thread != Thread)
    Link = &(*Link)->NextWaiting;
  return Link;
}

/// \p S waits for its other side, unless its thread has a block that does, or
/// nobody knows which thread that is. Lock held.
static void waitForSide(Served &S) {
  Served **Link = waitingOf(*S.Of, S.Thread);
  if (!S.Thread || *Link)
    return;
  S.NextWaiting = nullptr;
  *Link = &S;
}

/// Takes the block that waits for side \p Which of \p P and was begun by
/// \p Thread: whatever other threads do meanwhile, a thread's buffers are
/// joined in the order in which it allocates them. Null and \p Why if the
/// program does not do what was profiled; null alone if none waits.
static Served *joinWaiting(Pair &P, Side Which, size_t Align, bool Zeroed,
                           uint64_t Thread, const char *&Why) {
  rt::Guard G(Lock);
  Served **Link = waitingOf(P, Thread), *S = *Link;
  if (!S)
    return nullptr;
  *Link = S->NextWaiting;
  if (isApart(*S))
    return nullptr;
  if (S->Sides & Which)
    Why = "two of its buffers are in use at a time";
  else if (P.Plan->Joins != drplan::joinBit(Which == DeviceSide))
    Why = "its buffers come together as validation did not see it";
  else if (Zeroed || !isAligned(S->onHost(), Align))
    Why = "its host buffer must be zeroed or aligned";
  if (Why)
    return nullptr;
  S->Sides |= Which;
  return S;
}

/// Whether no thread but \p Thread has allocated buffers of \p P. Which one
/// takes a task of a pool is chance, and so is then what joining by thread
/// makes of two buffers.
static bool allocatesAlone(Pair &P, uint64_t Thread) {
  rt::Guard G(Lock);
  if (!P.Thread)
    P.Thread = Thread;
  return Thread && P.Thread == Thread;
}

/// The same in memory that host and device see at different addresses, as the
/// program's two buffers have them, and that can be closed to the host alone.
static Served *makeTwoViews(Pair &P, size_t Align) {
  char *HostView = nullptr;
  rt::Block *B = makeTwice(P.Plan->Bytes, HostView);
  if (!B)
    return nullptr;
  Served *S = isAligned(HostView, Align) ? newServed(P, B) : nullptr;
  if (S)
    S->HostView = HostView;
  else
    dropTwice(B, HostView);
  return S;
}

static Served *newShared(Pair &P, Side Which, size_t Align, bool Zeroed,
                         uint64_t Thread) {
  Served *S = nullptr;
  if (P.Plan->Chosen == drplan::Choice::Mapped)
    S = makeTwoViews(P, Align);
  else
    S = makeServed(P, backingOf(P.Plan->Chosen), P.Plan->Bytes, Align, Zeroed);
  if (!S)
    return nullptr;
  if (P.Plan->Chosen == drplan::Choice::Mapped)
    rt::preparePinning(*S->Block, /*Soon=*/true);
  S->Shared = true;
  S->Sides = Which;
  S->Thread = Thread;
  return S;
}

/// Finds what the GPU calls the block. False if it cannot use it.
static bool showToDevice(Served &S) {
  if (S.OnDevice)
    return true;
  if (S.Of->Plan->Chosen != drplan::Choice::Mapped) {
    S.OnDevice = S.Block->Base;
    return true;
  }
  const DeviceOps *Ops = opsInUse();
  return Ops && Ops->devicePointer && rt::beforeCopy(*S.Block, 0) &&
         Ops->devicePointer(&S.OnDevice, S.Block->Base) == 0 && S.OnDevice;
}

Served *shareBlock(Pair &P, Side Which, size_t Align, bool Zeroed) {
  // Threads that run the same code have buffers of their own each: only what
  // one thread allocates belongs together.
  const Thread *Me = thisThread();
  const uint64_t Serial = Me ? Me->Serial : 0;
  const char *Why = nullptr;
  // Only two views can be taken apart when a copy shows another partner.
  if (P.Plan->Chosen != drplan::Choice::Mapped && !allocatesAlone(P, Serial))
    Why = "more than one thread allocates its buffers";
  Served *S = Why ? nullptr : joinWaiting(P, Which, Align, Zeroed, Serial, Why);
  bool Joined = S;
  if (!S && !Why)
    S = newShared(P, Which, Align, Zeroed, Serial);
  if (S && Which == DeviceSide && !showToDevice(*S)) {
    releaseSide(S, DeviceSide, /*MayCall=*/true);
    S = nullptr;
  }
  if (!S) {
    turnOff(P, Why ? Why : "there is no memory of its kind");
    return nullptr;
  }
  if (!watchSide(*S, Which)) {
    releaseSide(S, Which, mayCallCuda());
    turnOff(P, "more of its buffers are in use than can be looked after");
    return nullptr;
  }
  if (!Joined) {
    rt::Guard G(Lock);
    waitForSide(*S);
  }
  return S;
}

static void drop(rt::Block *B, char *HostView, bool Used) {
  if (HostView)
    dropTwice(B, HostView);
  else if (Used)
    rt::destroyBlock(B);
  else
    rt::dropBlock(B, /*Idle=*/true);
}

/// The entry of \p B in the list. Lock held.
static Delayed *entryOf(const rt::Block *B) {
  Delayed *D = Later;
  while (D && D->Block != B)
    D = D->Next;
  return D;
}

/// Asks CUDA about \p B later. True if \p B is looked after now; false if it
/// cannot be, and stays.
static bool delay(rt::Block *B, Served *Of, char *HostView, bool Used,
                  bool Gone) {
  void *At = Libc.malloc(sizeof(Delayed));
  rt::Guard G(Lock);
  Delayed *D = entryOf(B);
  if (D) {
    D->Used = true;
    D->Gone |= Gone;
    Libc.free(At);
  } else if (At) {
    D = new (At) Delayed{Later, B, Of, HostView, Used, Gone, false};
    __atomic_store_n(&Later, D, __ATOMIC_RELEASE);
  }
  return D;
}

/// True if \p B is in the list, and goes with it.
static bool goesLater(const rt::Block *B) {
  if (!__atomic_load_n(&Later, __ATOMIC_ACQUIRE))
    return false;
  rt::Guard G(Lock);
  Delayed *D = entryOf(B);
  if (D) {
    D->Gone = D->Used = true;
    D->Of = nullptr;
  }
  return D;
}

static bool startsLeaving(Served &S);
static void hasLeft(Served &S);

static Delayed *takeDelayed(Served *&Of) {
  rt::Guard G(Lock);
  Delayed *D = Later;
  rt::Guard P(PinLock);
  while (D && (D->Busy || (D->Of && !startsLeaving(*D->Of))))
    D = D->Next;
  Of = D ? D->Of : nullptr;
  if (D)
    D->Busy = true;
  return D;
}

static void removeDelayed(Delayed *D) {
  rt::Guard G(Lock);
  Delayed **Link = &Later;
  while (*Link != D)
    Link = &(*Link)->Next;
  __atomic_store_n(Link, D->Next, __ATOMIC_RELEASE);
}

void releaseDelayed() {
  while (__atomic_load_n(&Later, __ATOMIC_ACQUIRE)) {
    Served *Of = nullptr;
    Delayed *D = takeDelayed(Of);
    if (!D)
      return; // another thread is at it, or copies it
    if (Of && rt::unpin(*D->Block))
      __atomic_store_n(&D->Block->Pin, rt::PinState::Never, __ATOMIC_RELEASE);
    if (Of)
      hasLeft(*Of);
    removeDelayed(D); // from here on nobody says that it is gone
    if (D->Gone)
      drop(D->Block, D->HostView, D->Used);
    Libc.free(D);
  }
}

static bool mayBePinned(const rt::Block &B) {
  const auto State = __atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE);
  return State == rt::PinState::Pinned || State == rt::PinState::Busy;
}

/// A thread that unpins \p S has done so.
static void waitUntilLeft(Served &S) {
  rt::Guard G(PinLock);
  while (S.Leaving)
    pthread_cond_wait(&Changed, &PinLock.Handle);
}

bool hasBothSides(const Served &S) {
  rt::Guard G(Lock);
  return S.Sides == (HostSide | DeviceSide);
}

void releaseSide(Served *S, Side Which, bool MayCall) {
  unwatchSide(*S, Which);
  if (S->Shared) {
    rt::Guard G(Lock);
    S->Sides &= ~Which;
    // The buffer that stays gets no other partner: it may hold what is still
    // to be read, while the next two buffers are at work.
    if (S->Sides)
      return;
    if (Served **Link = waitingOf(*S->Of, S->Thread); *Link == S)
      *Link = S->NextWaiting;
  }
  unwatch(*S);
  forgetWrites(*S);
  rt::Block *B = S->Block;
  char *HostView = S->HostView;
  const bool Used = S->Used;
  const bool IsDelayed = goesLater(B);
  waitUntilLeft(*S);
  Libc.free(S);
  if (IsDelayed)
    return;
  // Threads that make no CUDA call may free for long before another one does.
  const bool AsksCuda = rt::isCudas(B->Kind) || mayBePinned(*B);
  if (MayCall || !AsksCuda)
    drop(B, HostView, Used || !MayCall); // the pool might ask CUDA
  else
    delay(B, nullptr, HostView, Used, /*Gone=*/true);
}

// Pinning. A block that the program must see as ordinary memory is unpinned by
// whoever uses it last. Nobody begins to use it while a thread unpins it.

static void unpinNow(Served &S) {
  rt::Block &B = *S.Block;
  if (__atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE) != rt::PinState::Pinned)
    return;
  if (!mayCallCuda()) {
    delay(&B, &S, S.HostView, /*Used=*/true, /*Gone=*/false);
    return;
  }
  if (rt::unpin(B))
    __atomic_store_n(&B.Pin, rt::PinState::Never, __ATOMIC_RELEASE);
}

/// True if the calling thread must unpin \p S now. PinLock held.
static bool startsLeaving(Served &S) {
  if (S.Users || S.Leaving || S.RegisteredBytes ||
      !__atomic_load_n(&S.NeverPin, __ATOMIC_RELAXED))
    return false;
  S.Leaving = true;
  return true;
}

static void hasLeft(Served &S) {
  rt::Guard G(PinLock);
  S.Leaving = false;
  pthread_cond_broadcast(&Changed);
}

static void leave(Served &S) {
  unpinNow(S);
  hasLeft(S);
}

/// Also while another thread pins or unpins it, or will.
static bool mayBePinned(const Served &S) {
  const auto State = __atomic_load_n(&S.Block->Pin, __ATOMIC_ACQUIRE);
  return State == rt::PinState::No
             ? !__atomic_load_n(&S.NeverPin, __ATOMIC_ACQUIRE)
             : State != rt::PinState::Never;
}

bool isPinnedUnseen(const Served &S) {
  return !S.Shared && mayBePinned(S) &&
         !__atomic_load_n(&S.RegisteredBytes, __ATOMIC_RELAXED);
}

/// A buffer of which little is in use would be resident as a whole: it is
/// looked at again when twice as many copies were made. PinLock held.
static bool looksDense(Served &S, size_t Bytes, bool Fills) {
  if (__atomic_load_n(&S.Block->Pin, __ATOMIC_RELAXED) != rt::PinState::No)
    return true;
  if (S.Copies < S.NextLook)
    return false;
  S.NextLook = 2 * S.Copies;
  return isMostlyResident(*S.Block, Fills ? Bytes : 0);
}

bool beginUse(Served &S, size_t Bytes, bool Fills) {
  bool Pins = false;
  {
    rt::Guard G(PinLock);
    while (S.Leaving)
      pthread_cond_wait(&Changed, &PinLock.Handle);
    ++S.Users;
    ++S.Copies;
    Pins = !__atomic_load_n(&S.NeverPin, __ATOMIC_RELAXED) &&
           looksDense(S, Bytes, Fills);
    S.Pinning += Pins;
  }
  if (!Pins)
    return mayBePinned(S);
  rt::beforeCopy(*S.Block, Bytes);
  rt::Guard G(PinLock);
  if (--S.Pinning == 0)
    pthread_cond_broadcast(&Changed);
  return mayBePinned(S);
}

void endUse(Served &S) {
  bool Leaves;
  {
    rt::Guard G(PinLock);
    --S.Users;
    Leaves = startsLeaving(S);
  }
  if (Leaves)
    leave(S);
}

void unpinForGood(Served &S) {
  bool Leaves;
  {
    rt::Guard G(PinLock);
    __atomic_store_n(&S.NeverPin, true, __ATOMIC_RELEASE);
    Leaves = startsLeaving(S);
  }
  if (Leaves)
    leave(S);
}

void unpinBeforeReset() {
  uintptr_t From = 0;
  for (Range R; HostRanges.next(From, R); From = R.Base + R.Bytes)
    if (auto *One = static_cast<Served *>(R.Owner); R.Served && !One->Shared)
      unpinForGood(*One);
  rt::emptyPool(/*Patient=*/false);
}

// What the program asks, and registers.

Seen seenAs(const Served &S, uintptr_t Address, uint64_t Bytes) {
  rt::Guard G(PinLock);
  if (Address - S.Registered < S.RegisteredBytes &&
      Bytes <= S.RegisteredBytes - (Address - S.Registered))
    return {Seen::Registered, nullptr, S.RegisteredFlags};
  if (!mayBePinned(S))
    return {};
  return {Seen::Ordinary, ordinaryPage(), 0};
}

bool registerUnseen(Served &S, uintptr_t Address, uint64_t Bytes,
                    unsigned Flags) {
  constexpr unsigned PortableMapped = 3;
  bool Leaves;
  {
    rt::Guard G(PinLock);
    __atomic_store_n(&S.NeverPin, true, __ATOMIC_RELEASE);
    while (S.Leaving || S.Pinning)
      pthread_cond_wait(&Changed, &PinLock.Handle);
    if (!rt::isPinned(*S.Block) || S.RegisteredBytes)
      return false;
    Leaves = startsLeaving(S);
    // Copies are under way: it stays pinned, as the program wants it.
    if (!Leaves && (!Bytes || Flags & ~PortableMapped))
      return false;
    if (!Leaves) {
      S.Registered = Address;
      S.RegisteredFlags = Flags;
      __atomic_store_n(&S.RegisteredBytes, Bytes, __ATOMIC_RELAXED);
    }
  }
  if (Leaves)
    leave(S);
  return !Leaves;
}

bool unregisterUnseen(Served &S, uintptr_t Address) {
  bool Leaves;
  {
    rt::Guard G(PinLock);
    if (!S.RegisteredBytes || S.Registered != Address)
      return false;
    __atomic_store_n(&S.RegisteredBytes, uint64_t(0), __ATOMIC_RELAXED);
    Leaves = startsLeaving(S);
  }
  if (Leaves)
    leave(S);
  return true;
}

} // namespace echo::dr

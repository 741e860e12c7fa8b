//===- Streams.cpp - Order between streams --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links new operations to what they must wait for. See Streams.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/HandlePool.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/PerThread.h"
#include "runtime/cpu/Printf.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/StreamTable.h"
#include "runtime/cpu/graphs/Capture.h"

#include <algorithm>

namespace echo::cpu {

/// Streams with work; under the scheduler's lock.
static std::vector<Stream *> &active() {
  static auto *List = new std::vector<Stream *>;
  return *List;
}
static HandlePool<Stream> &pool() {
  static auto *P = new HandlePool<Stream>;
  return *P;
}
static std::atomic<uint64_t> NextId{3};

static Stream *makeDefault(bool Legacy, uint64_t Id) {
  auto *S = new Stream;
  S->Legacy = Legacy;
  S->Blocking = Legacy;
  S->Id = Id;
  S->Threads = makeCrew(Id);
  S->Magic.store(Stream::AliveMagic);
  return S;
}

Stream *legacyStream() {
  static Stream *S = makeDefault(true, 1);
  return S;
}

Stream *deviceStream() {
  static Stream *S = makeDefault(false, 0);
  return S;
}

Stream *eventStream() {
  static Stream *S = makeDefault(false, 0);
  return S;
}

Stream *createStream(unsigned Flags, int Priority) {
  Stream *S = pool().take();
  S->Blocking = !(Flags & cudaStreamNonBlocking);
  S->Flags = Flags;
  S->Priority = Priority;
  S->Id = NextId++;
  S->Destroyed = false;
  S->Threads = makeCrew(S->Id);
  S->Magic.store(Stream::AliveMagic, std::memory_order_release);
  return S;
}

/// \p S is destroyed and has no work left.
static void retire(Stream *S) {
  endCrew(std::exchange(S->Threads, nullptr));
  pool().put(S);
}

void destroyStream(Stream *S) {
  dropCapture(*S);
  Scheduler::Lock L(Scheduler::get());
  S->Magic.store(0);
  S->Destroyed = true;
  if (!S->Tail)
    retire(S);
}

void streamQuiet(Stream &S) {
  S.Tail = OpRef();
  auto &List = active();
  if (auto It = std::find(List.begin(), List.end(), &S); It != List.end())
    List.erase(It);
  if (S.Destroyed)
    retire(&S);
}

static Stream *perThreadStream() {
  struct Owner {
    Stream *Mine = createStream(0, 0);
    Owner() { Mine->Id = 2; }
    ~Owner() {
      if (!inForkedChild())
        destroyStream(Mine);
    }
  };
  return PerThread<Owner>::get().Mine;
}

Stream *findStream(cudaStream_t Handle, bool PerThread) {
  if (!Handle)
    return PerThread ? perThreadStream() : legacyStream();
  if (Handle == cudaStreamLegacy)
    return legacyStream();
  if (Handle == cudaStreamPerThread)
    return perThreadStream();
  auto *S = reinterpret_cast<Stream *>(Handle);
  if (reinterpret_cast<uintptr_t>(S) < 4096 ||
      reinterpret_cast<uintptr_t>(S) % alignof(Stream) ||
      S->Magic.load(std::memory_order_acquire) != Stream::AliveMagic)
    return nullptr;
  return S;
}

bool streamIdle(const Stream &S) {
  if (S.Legacy)
    return !Scheduler::get().PendingBlocking.load(std::memory_order_acquire);
  return !S.Pending.load(std::memory_order_acquire);
}

bool runsAtOnce(const Stream &S) {
  return streamIdle(S) && (!S.Blocking || !legacyStream()->Pending.load(
                                              std::memory_order_acquire));
}

bool deviceIdle() {
  return !Scheduler::get().Pending.load(std::memory_order_acquire);
}

/// \p O will not run before \p Before is done.
static void link(Op *O, Op *Before) {
  if (!Before || Before->State == Op::Phase::Done)
    return;
  Before->Dependents.push_back(O);
  Before->retain();
  O->Preds.push_back(Before);
  ++O->NumDeps;
}

static void submitLocked(Scheduler::Lock &L, Stream &S, Op *O, Op *After) {
  Scheduler &Sched = Scheduler::get();
  O->Owner = &S;
  O->Sequence = Sched.NextSequence++;
  link(O, S.Tail.get());
  if (After != S.Tail.get())
    link(O, After);
  orderSubmitted(*O, After);
  if (&S == deviceStream()) {
    for (Stream *Other : active())
      link(O, Other->Tail.get());
  } else if (S.Legacy) {
    for (Stream *Other : active())
      if (Other->Blocking && !Other->Legacy)
        link(O, Other->Tail.get());
  } else if ((S.Blocking && O->FollowsLegacy) || &S == eventStream()) {
    link(O, legacyStream()->Tail.get());
  }
  if (&S != eventStream()) {
    if (!S.Tail && &S != deviceStream())
      active().push_back(&S);
    S.Tail = OpRef::share(O);
  }
  S.Pending.fetch_add(1, std::memory_order_relaxed);
  if (S.Blocking)
    Sched.PendingBlocking.fetch_add(1, std::memory_order_relaxed);
  Sched.Pending.fetch_add(1, std::memory_order_relaxed);
  managedWorkQueued(*O);
  Sched.enqueue(L, O);
}

/// More than this is not queued: the caller waits, as on a GPU.
static constexpr uint32_t MaxQueued = 1 << 16;

void submit(Stream &S, Op *O, Op *After) {
  if (S.Pending.load(std::memory_order_relaxed) >= MaxQueued) {
    OpRef Last;
    {
      Scheduler::Lock L(Scheduler::get());
      Last = S.Tail;
    }
    if (Last)
      Scheduler::get().wait(Last.get());
  }
  O->Caller = ApiCaller;
  Scheduler::Lock L(Scheduler::get());
  submitLocked(L, S, O, After);
}

static OpRef submitMarker(Stream &S, bool WantsTime, Op *After = nullptr,
                          bool FollowsLegacy = true) {
  Op *O = new Op(OpKind::Marker);
  O->TouchesMemory = false;
  O->WantsTime = WantsTime;
  O->FollowsLegacy = FollowsLegacy;
  OpRef Result = OpRef::share(O);
  submit(S, O, After);
  return Result;
}

Op *makeHostOp(cudaHostFn_t Fn, void *Data) {
  Op *O = makeOp(
      [=] {
        if (!deviceFailed())
          Fn(Data);
      },
      OpKind::HostFunc);
  O->TouchesMemory = false;
  return O;
}

OpRef joinInto(Stream &S, Op *After, bool WantsTime) {
  return submitMarker(S, WantsTime, After);
}

OpRef markStream(Stream &S, bool WantsTime) {
  if (!underTsan() && runsAtOnce(S))
    return OpRef();
  return submitMarker(S, WantsTime);
}

OpRef recordStream(Stream &S, bool WantsTime) {
  if (!S.Blocking || S.Legacy)
    return markStream(S, WantsTime);
  bool LegacyIdle =
      !legacyStream()->Pending.load(std::memory_order_acquire) && !underTsan();
  if (streamIdle(S) && LegacyIdle)
    return OpRef();
  OpRef OwnWork = submitMarker(S, WantsTime && LegacyIdle, nullptr,
                               /*FollowsLegacy=*/false);
  if (LegacyIdle)
    return OwnWork;
  return submitMarker(*eventStream(), WantsTime, OwnWork.get());
}

void demandStream(const Stream &S) {
  std::vector<OpRef> Tails;
  {
    Scheduler::Lock L(Scheduler::get());
    for (const Stream *Other : active())
      if (Other == &S || (S.Legacy && Other->Blocking))
        Tails.push_back(Other->Tail);
  }
  for (const OpRef &Tail : Tails)
    if (Tail)
      Scheduler::get().demand(Tail.get());
}

void settleStream(Stream &S) {
  if (!streamIdle(S)) {
    OpRef Last;
    if (S.Legacy) {
      Last = markStream(S, false);
    } else {
      Scheduler::Lock L(Scheduler::get());
      Last = S.Tail;
    }
    if (Last)
      Scheduler::get().wait(Last.get());
  }
  kernelsSeenDone();
}

void settleDevice() {
  if (!deviceIdle()) {
    OpRef Last = submitMarker(*deviceStream(), /*WantsTime=*/false);
    Scheduler::get().wait(Last.get());
  }
  kernelsSeenDone();
}

void waitStream(Stream &S) {
  settleStream(S);
  orderWaitedFor(S);
}

void waitDevice() {
  settleDevice();
  orderWaitedForDevice();
}

} // namespace echo::cpu

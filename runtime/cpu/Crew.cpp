//===- Crew.cpp - A stream's own threads, for ThreadSanitizer -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts and ends a stream's threads, runs its operations on them, and names
// the order to ThreadSanitizer. See Crew.h.
//
// A key stands for finished work. What an operation follows is exactly what
// some keys hold when it starts: its stream's, and, by the rules of the legacy
// stream, the key of all blocking streams or that of the legacy stream. What is
// queued later under these rules waits for the operation, so it cannot have
// added to them yet. An event's marker has a key of its own.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Crew.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace echo::cpu {

/// Keys of what is done in the whole device, in all blocking streams, and in
/// the legacy stream.
static uint64_t AllDone, BlockingDone, LegacyDone;

/// Threads of all streams that run a share of an operation now, under the
/// scheduler's lock, and what is told when one stops.
static unsigned BusyThreads;
static std::condition_variable &oneLessBusy() {
  static auto *Cv = new std::condition_variable; // threads outlive destructors
  return *Cv;
}

namespace {
/// Every crew in use, for the end of the process.
struct CrewList {
  std::mutex Mutex; ///< may be taken under the scheduler's lock
  std::vector<std::shared_ptr<Crew>> All;
  std::vector<pthread_t> Leaving; ///< threads of crews that ended
};
} // namespace
static CrewList &crews() {
  static auto *List = new CrewList;
  return *List;
}

std::shared_ptr<Crew> makeCrew(uint64_t Id) {
  if (!underTsan())
    return nullptr;
  HideSync Hide;
  auto C = std::make_shared<Crew>();
  C->Id = Id;
  std::lock_guard<std::mutex> Guard(crews().Mutex);
  crews().All.push_back(C);
  return C;
}

static void dropFiber(Crew &C) {
  if (C.Fiber)
    __tsan_destroy_fiber(C.Fiber);
  C.Fiber = nullptr;
}

void endCrew(const std::shared_ptr<Crew> &C) {
  if (!C)
    return;
  C->End = true;
  dropFiber(*C);
  C->Cv.notify_all();
  CrewList &List = crews();
  std::lock_guard<std::mutex> Guard(List.Mutex);
  std::erase_if(List.Leaving, [](pthread_t Thread) {
    return pthread_tryjoin_np(Thread, nullptr) == 0;
  });
  List.Leaving.insert(List.Leaving.end(), C->Threads.begin(), C->Threads.end());
  C->Threads.clear();
  std::erase(List.All, C);
}

/// ThreadSanitizer sleeps at exit for a second if there are other threads.
static void endIdleCrews() {
  if (inForkedChild())
    return;
  std::vector<pthread_t> Ended;
  std::vector<std::shared_ptr<Crew>> Stopped;
  HideSync Hide;
  {
    Scheduler::Lock L(Scheduler::get());
    std::lock_guard<std::mutex> Guard(crews().Mutex);
    Ended.swap(crews().Leaving);
    for (auto &C : crews().All) {
      if (C->Head)
        continue;
      C->End = true;
      dropFiber(*C);
      Ended.insert(Ended.end(), C->Threads.begin(), C->Threads.end());
      C->Threads.clear();
      C->Cv.notify_all();
      Stopped.push_back(C);
    }
  }
  for (pthread_t Thread : Ended)
    pthread_join(Thread, nullptr);
  // Destructors of global objects may still use the device.
  Scheduler::Lock L(Scheduler::get());
  for (auto &C : Stopped)
    C->End = false;
}

namespace {
struct NewThread {
  std::shared_ptr<Crew> C;
  unsigned Index;
};
} // namespace

static void *startThread(void *Data) {
  std::unique_ptr<NewThread> N(static_cast<NewThread *>(Data));
  {
    HideSync Hide;
    char Name[16];
    snprintf(Name, sizeof(Name), N->C->Id ? "stream %u" : "device",
             unsigned(N->C->Id));
    pthread_setname_np(pthread_self(), Name);
    Scheduler::get().workForStream(*N->C, N->Index);
    N.reset();
  }
  return nullptr;
}

/// Starts what threads \p C lacks to run \p O.
static void callThreads(const std::shared_ptr<Crew> &C, const Op &O) {
  static bool Registered = atexit(endIdleCrews) == 0;
  (void)Registered;
  sigset_t All, Old;
  sigfillset(&All);
  for (int Fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigdelset(&All, Fault);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  while (C->Threads.size() < O.Shares) {
    auto *N = new NewThread{C, unsigned(C->Threads.size())};
    pthread_t Thread;
    if (pthread_create(&Thread, nullptr, startThread, N))
      configError("cannot start a thread for a stream under ThreadSanitizer");
    C->Threads.push_back(Thread);
  }
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

void Scheduler::makeReadyInCrew(Op *O) {
  std::shared_ptr<Crew> C = O->Owner->Threads;
  C->Head = O;
  callThreads(C, *O);
  C->Cv.notify_all();
}

void Scheduler::workForStream(Crew &C, unsigned Index) {
  Lock L(*this);
  uint64_t Last = 0; // the operation of which this thread has run its share
  for (;;) {
    Op *O = C.Head;
    if (!O && C.End)
      return;
    if (!O || O->Sequence == Last || Index >= O->Shares) {
      C.Cv.wait(L.Guard);
      continue;
    }
    uint64_t Now = config().Sched == Policy::Random ? nowNs() : 0;
    if (!eligible(*O, Now)) {
      if (config().Sched == Policy::Random)
        C.Cv.wait_for(L.Guard, std::chrono::nanoseconds(O->NotBefore - Now));
      else
        C.Cv.wait(L.Guard);
      continue;
    }
    Last = O->Sequence;
    // Of two accesses at the very same time ThreadSanitizer may see neither, so
    // what is short runs one after the other, in no order that it knows of.
    // The blocks of a cooperative grid wait for each other, other work may.
    if (!O->Exclusive)
      oneLessBusy().wait_for(L.Guard, std::chrono::milliseconds(2),
                             [] { return BusyThreads == 0; });
    ++BusyThreads;
    L.Guard.unlock();
    orderStarted(*O);
    {
      ShowSync Show;
      InHostFunction = O->Kind == OpKind::HostFunc;
      __tsan_func_entry(O->Caller);
      O->runShare(Index);
      __tsan_func_exit();
      InHostFunction = false;
    }
    orderShareDone(*O);
    L.Guard.lock();
    --BusyThreads;
    oneLessBusy().notify_all();
    if (++O->SharesDone != O->Shares)
      continue;
    C.Head = nullptr;
    complete(O);
  }
}

/// The key of what \p O follows besides its own stream's work; null if there is
/// none.
static uint64_t *followedKey(const Op &O) {
  const Stream &S = *O.Owner;
  bool Follows = (S.Blocking && O.FollowsLegacy) || &S == eventStream();
  return S.Legacy ? &BlockingDone : Follows ? &LegacyDone : nullptr;
}
/// The key that the work of \p S goes into besides its stream's and the
/// device's.
static uint64_t *sharedKey(const Stream &S) {
  return S.Legacy ? &LegacyDone : S.Blocking ? &BlockingDone : nullptr;
}

void orderSubmitted(Op &O, Op *After) {
  if (!underTsan())
    return;
  if (After)
    After->retain();
  O.After = After;
  ShowSync Show;
  __tsan_release(&O.SubmitKey);
}

void orderStarted(Op &O) {
  ShowSync Show;
  __tsan_acquire(&O.SubmitKey);
  __tsan_acquire(&O.Owner->Threads->Done);
  if (uint64_t *Followed = followedKey(O))
    __tsan_acquire(Followed);
}

void orderShareDone(Op &O) {
  ShowSync Show;
  __tsan_release(&O.DoneKey);
}

/// A wait for the legacy stream covers the blocking streams, and an event of
/// one of these the legacy stream's work (seen on an H200). CUDA's pages do not
/// say so, and merges are judged by what they say.
static bool strict() { return underCheck() && !config().Lenient; }

/// A marker is finished by whatever thread is there, which has nothing to do
/// with the stream: the stream's fiber stands in.
static void orderMarkerDone(Op &O) {
  constexpr unsigned NoSync = 1;
  Stream &S = *O.Owner;
  Crew &C = *S.Threads;
  if (!C.Fiber)
    C.Fiber = __tsan_create_fiber(0);
  void *const Here = __tsan_get_current_fiber(), *const Fiber = C.Fiber;
  uint64_t *const Submit = &O.SubmitKey, *const Done = &O.DoneKey,
                  *const StreamDone = &S == eventStream() ? nullptr : &C.Done,
                  *const Shared = sharedKey(S),
                  *const Followed = strict() ? nullptr : followedKey(O),
                  *const After = O.After ? &O.After->DoneKey : nullptr;
  // The fiber may look at nothing that a lock guards.
  __tsan_switch_to_fiber(Fiber, NoSync);
  for (uint64_t *Key : {Submit, StreamDone, Followed, After})
    if (Key)
      __tsan_acquire(Key);
  for (uint64_t *Key : {Done, StreamDone, &AllDone, Shared})
    if (Key)
      __tsan_release(Key);
  __tsan_switch_to_fiber(Here, NoSync);
}

void orderDone(Op &O) {
  // What waits for the whole device orders nothing in it.
  if (!underTsan() || O.Owner == deviceStream())
    return;
  if (O.Kind == OpKind::Marker)
    return orderMarkerDone(O);
  ShowSync Show;
  __tsan_acquire(&O.DoneKey);
  for (uint64_t *Key : {&O.Owner->Threads->Done, &AllDone, sharedKey(*O.Owner)})
    if (Key)
      __tsan_release(Key);
}

static void acquire(void *Key) {
  if (!underTsan())
    return;
  ShowSync Show;
  __tsan_acquire(Key);
}

void orderWaitedFor(Op &O) { acquire(&O.DoneKey); }

void orderWaitedFor(Stream &S) {
  if (!underTsan())
    return;
  acquire(&S.Threads->Done);
  if (S.Legacy && !strict())
    acquire(&BlockingDone);
}

void orderWaitedForDevice() { acquire(&AllDone); }

void orderLifetime(void *Base, size_t Bytes, Stream &S) {
  // Of huge blocks the start must do.
  constexpr size_t Most = 1 << 20;
  if (!underTsan() || !Bytes)
    return;
  Op *O = makeOp([=] { __tsan_write_range(Base, std::min(Bytes, Most)); });
  O->TouchesMemory = false;
  submit(S, O);
}

} // namespace echo::cpu

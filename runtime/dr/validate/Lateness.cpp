//===- Lateness.cpp - A slower GPU, and slower threads --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's clock of processor time runs only while the thread does. A timer
// of that clock (timer_create(2), SIGEV_THREAD_ID) interrupts it where it
// computes and hardly ever in a system call, which a signal could end.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Lateness.h"
#include "runtime/dr/Clock.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/OwnFile.h"
#include "runtime/dr/validate/Random.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

namespace echo::dr {

// The GPU.

static uint32_t Waiting; ///< pauses that have not ended; atomic

static void pauseInStream(void *Nanoseconds) {
  pauseFor(reinterpret_cast<uintptr_t>(Nanoseconds));
  __atomic_sub_fetch(&Waiting, 1, __ATOMIC_RELEASE);
}

void delayWork(const Event &E) {
  constexpr uint32_t Often = 64, Most = 256;
  constexpr uint64_t AtFirst = 4, Rarely = 32;
  static uint32_t Delays; // atomic
  const uint32_t Before = __atomic_load_n(&Delays, __ATOMIC_RELAXED);
  // One at a time: work that is put in at once is not late by all of them.
  if (!E.Ops || !E.Ops->callInStream || Before >= Most ||
      below(Before < Often ? AtFirst : Rarely) ||
      __atomic_load_n(&Waiting, __ATOMIC_ACQUIRE))
    return;
  auto *Stream = reinterpret_cast<void *>(E.R.Stream); // NOLINT
  int Captures = 0;
  if (!E.Ops->isCapturing || E.Ops->isCapturing(Stream, &Captures) || Captures)
    return;
  __atomic_add_fetch(&Delays, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&Waiting, 1, __ATOMIC_RELAXED);
  auto *Time = reinterpret_cast<void *>(someMilliseconds() * 1000000); // NOLINT
  if (E.Ops->callInStream(Stream, pauseInStream, Time))
    __atomic_sub_fetch(&Waiting, 1, __ATOMIC_RELAXED);
}

// Threads.

static constexpr int NotifyThread = 4; // SIGEV_THREAD_ID
/// What the kernel takes as a sigevent.
namespace {
struct TimerEvent {
  uint64_t Value;
  int32_t Signal, Notify, Thread;
  int32_t Unused[11];
};
} // namespace
static_assert(sizeof(TimerEvent) == 64);

static constexpr unsigned MostTimers = 16;
static int32_t Timers[MostTimers];
static unsigned NumTimers;
static bool Ended;   ///< the program has taken the signal; atomic
static bool InRound; ///< the timers are being set; atomic

static void deleteTimers() {
  while (NumTimers)
    systemCall(SYS_timer_delete, Timers[--NumTimers], 0, 0, 0, 0);
}

/// None of them may reach a handler of the program's.
static void endTimers() {
  if (__atomic_exchange_n(&Ended, true, __ATOMIC_SEQ_CST))
    return;
  while (__atomic_load_n(&InRound, __ATOMIC_SEQ_CST))
    pauseFor(20000);
  deleteTimers();
}

/// The clock of the processor time of \p Thread (clock_getcpuclockid(3) has the
/// same of a process).
static long clockOf(int32_t Thread) {
  constexpr unsigned PerThread = 4, Scheduler = 2;
  return static_cast<int32_t>(~static_cast<uint32_t>(Thread) << 3 | PerThread |
                              Scheduler);
}

static void onTime(int /*Number*/, siginfo_t * /*Info*/, void * /*Context*/) {
  const int Error = errno;
  TheGuard.lingerHere();
  errno = Error;
}

/// Whether \p Thread has \p Signal blocked: it would find one that is pending,
/// or wait for it.
static bool blocks(int32_t Thread, int Signal) {
  constexpr char Title[] = "\nSigBlk:";
  char Path[48], Text[4096];
  nameOf("/proc/self/task/", static_cast<unsigned>(Thread), "/status", Path);
  const OwnFile Status(Path, 0);
  const long Got =
      Status.Fd < 0 ? -1 : Status.get(SYS_read, Text, sizeof Text - 1);
  if (Got <= 0)
    return true;
  Text[Got] = 0;
  const char *At = strstr(Text, Title);
  return !At ||
         (strtoull(At + sizeof Title - 1, nullptr, 16) >> (Signal - 1) & 1);
}

static void setTimer(int32_t Thread) {
  constexpr uint64_t Most = 4000000; // nanoseconds
  TimerEvent Event = {};
  Event.Signal = ownSignal(onTime, endTimers);
  Event.Notify = NotifyThread;
  Event.Thread = Thread;
  int32_t Timer = 0;
  if (!Event.Signal || blocks(Thread, Event.Signal) ||
      systemCall(SYS_timer_create, clockOf(Thread),
                 reinterpret_cast<long>(&Event), reinterpret_cast<long>(&Timer),
                 0, 0) != 0)
    return;
  Timers[NumTimers++] = Timer;
  const itimerspec Once = {{0, 0}, {0, static_cast<long>(1 + below(Most))}};
  systemCall(SYS_timer_settime, Timer, 0, reinterpret_cast<long>(&Once), 0, 0);
}

/// Calls \p setFor with each other thread of the process.
static void forEachOther(void (*setFor)(int32_t)) {
  const OwnFile Folder("/proc/self/task", O_DIRECTORY);
  const auto Own = static_cast<int32_t>(systemCall(SYS_gettid, 0, 0, 0, 0, 0));
  alignas(dirent64) char Entries[2048];
  long Got =
      Folder.Fd < 0 ? 0 : Folder.get(SYS_getdents64, Entries, sizeof Entries);
  for (long At = 0; At < Got;) {
    const auto *Each = reinterpret_cast<const dirent64 *>(Entries + At);
    At += Each->d_reclen;
    const auto Thread = static_cast<int32_t>(strtol(Each->d_name, nullptr, 10));
    if (Thread && Thread != Own && NumTimers != MostTimers)
      setFor(Thread);
  }
}

void delayThreads() {
  constexpr uint64_t Round = 5000000; // nanoseconds
  constexpr uint64_t AtFirst = 2, Rarely = 32;
  constexpr uint32_t Often = 200;
  static uint64_t Last;
  static uint32_t Rounds;
  const uint64_t Now = clockNs();
  if (Now - Last < Round)
    return;
  Last = Now;
  __atomic_store_n(&InRound, true, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&Ended, __ATOMIC_SEQ_CST)) {
    deleteTimers();
    if (TheGuard.mayLingerHere() && !below(Rounds++ < Often ? AtFirst : Rarely))
      forEachOther(setTimer);
  }
  __atomic_store_n(&InRound, false, __ATOMIC_SEQ_CST);
}

} // namespace echo::dr

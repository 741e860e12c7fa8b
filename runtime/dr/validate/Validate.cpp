//===- Validate.cpp - The mode that watches what a plan would merge -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the rules on every event and writes verdicts to the process's trace.
// A plan that cannot be read means that nothing is watched, and no pair passes:
// what was not seen to be safe is not.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Clock.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Sites.h"
#include "runtime/dr/trace/Writer.h"
#include "runtime/dr/validate/Bypass.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/Lateness.h"
#include "runtime/dr/validate/Libraries.h"
#include "runtime/dr/validate/Rules.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

namespace echo::dr {

static constinit Rules TheRules;
static pthread_mutex_t Lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static const PlanFile *Plan;

namespace {
struct Locked {
  Locked() { pthread_mutex_lock(&Lock); }
  ~Locked() { pthread_mutex_unlock(&Lock); }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;
};
} // namespace

static void write(const PlanPair &P, const Verdict &V, const Access &A,
                  Reason Why) {
  keepTrace(); // a child that calls no CUDA has verdicts, too
  TraceRecord R;
  R.Begin = R.End = clockNs();
  R.B = P.Id;
  if (A.What == Trap::None) {
    R.Kind = static_cast<uint8_t>(Record::Rounds);
    R.A = V.Rounds;
    R.Flags = V.Joins;
    return writeRecord(R);
  }
  ModuleInfo Module;
  if (A.Code &&
      moduleOf(reinterpret_cast<void *>(A.Code), Module, R.Bytes)) { // NOLINT
    TraceRecord Named;
    Named.Kind = static_cast<uint8_t>(Record::Module);
    Named.Begin = Named.End = R.Begin;
    Named.A = R.Site = Module.Hash;
    writeText(Named, Module.Path);
  }
  R.Kind = static_cast<uint8_t>(Record::Trap);
  R.Flags = static_cast<uint8_t>(A.What);
  R.A = A.Address;
  R.Stream = A.What == Trap::DroppedOut ? static_cast<uint64_t>(Why) : A.Write;
  writeRecord(R);
}

/// Takes up an access at once, so that no end of the process loses it: it is
/// the program's own code that runs here, with no lock of Echo's.
static void takeUp() {
  if (isInside() || pthread_mutex_trylock(&Lock) != 0)
    return;   // the next event does
  Inside Own; // an unlock of the program's would guard buffers again
  TheRules.collect();
  pthread_mutex_unlock(&Lock);
}

static bool startWatching() {
  const char *Path = getenv("ECHO_DR_PLAN");
  if (!Path || !*Path) {
    say("ECHO_DR_MODE=validate needs the plan's file in ECHO_DR_PLAN: the "
        "program runs unchanged");
    return false;
  }
  const char *Why = nullptr;
  Plan = readPlan(Path, Why);
  if (!Plan) {
    say("%s: no plan, %s: the program runs unchanged", Path, Why);
    return false;
  }
  // A program that this one started has a plan of its own, or none.
  if (Plan->ExecutableHash != executableModule().Hash)
    return false;
  if (!prepareTrace())
    return false;
  if (!installFaultHandler()) {
    say("no handler for SIGSEGV can be installed: the program runs unchanged");
    return false;
  }
  TheRules.IsLibrarysOwn = isLibrarysOwnCall;
  TheRules.start(*Plan, write);
  Watched.OnAccess = takeUp;
  Watched.OnGuarded = [](unsigned Slot, uintptr_t Code) {
    TheGuard.hold(Slot, Code, [](unsigned Each, const void *Base) {
      return Watched.base(Each) == Base && letsPass(Watched.gate(Each));
    });
  };
  return true;
}

static uint64_t Written; ///< modulesLoaded() when they were. Lock held

/// The plan holds for what was loaded while it was validated.
static void writeModules() {
  const uint64_t Now = modulesLoaded();
  if (Now == Written)
    return;
  Written = Now;
  forEachModule(
      [](const ModuleInfo &Info, void *) {
        writeModule(Info);
        return true;
      },
      nullptr);
}

static unsigned Copying; ///< copies that run just now; atomic

static bool isCopy(const Event &E) {
  return static_cast<Record>(E.R.Kind) == Record::Copy;
}

/// Lock held. CUDA may use a buffer that a copy names, which the system would
/// refuse if the buffer closed then.
static void keepGuarding() {
  static bool Keeps;
  if (Keeps || !TheGuard.isUsed())
    return;
  Keeps = true;
  startSampler(
      [] {
        if (pthread_mutex_trylock(&Lock) != 0)
          return false;
        if (!__atomic_load_n(&Copying, __ATOMIC_ACQUIRE))
          return true;
        pthread_mutex_unlock(&Lock);
        return false;
      },
      [] { pthread_mutex_unlock(&Lock); });
}

/// The GPU may use a device buffer.
static bool isWork(const Event &E) {
  const auto Kind = static_cast<Record>(E.R.Kind);
  return Kind == Record::Launch || Kind == Record::Set || isCopy(E);
}

/// What is alike in work that the same place of the program begins again: its
/// kind, the site of a large copy, the size of a small one, the kernel.
static uint64_t likenessOf(const Event &E) {
  const bool Launches = static_cast<Record>(E.R.Kind) == Record::Launch;
  return E.R.Site ^ (Launches ? E.R.A : E.R.Bytes) ^ uint64_t(E.R.Kind) << 56 ^
         uint64_t(E.R.Flags) << 48;
}

static Action watchBefore(Event &E) {
  const bool Concerns = TheRules.concerns(E);
  if (Concerns && isWork(E))
    TheGuard.delay(likenessOf(E));
  if (Concerns && static_cast<Record>(E.R.Kind) == Record::Launch)
    delayWork(E);
  if (isCopy(E)) // before the lock: the sampler holds it when it looks
    __atomic_add_fetch(&Copying, 1, __ATOMIC_ACQ_REL);
  if (!Concerns)
    return Action::Run;
  Locked Own;
  return TheRules.before(E);
}

static bool isWait(const Event &E) {
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::SyncDevice:
  case Record::SyncStream:
  case Record::SyncEvent:
    return true;
  case Record::Copy:
    return !(E.R.Flags & CopyAsync);
  default:
    return false;
  }
}

/// Lets some waits take longer, with what is closed still closed, as on a
/// slower GPU: another thread that uses a buffer at the right time by chance
/// then does it too early. What the program orders after the wait comes later.
static void stretchWait() {
  constexpr uint64_t AllAtFirst = 16, Most = 64;
  constexpr long Milliseconds[] = {1, 4, 16, 40};
  static uint64_t Waits, Stretched; // atomic
  const uint64_t N = __atomic_fetch_add(&Waits, 1, __ATOMIC_RELAXED);
  if (N >= AllAtFirst && N % 64 != 0)
    return;
  const uint64_t Number = __atomic_fetch_add(&Stretched, 1, __ATOMIC_RELAXED);
  if (Number >= Most)
    return;
  timespec Left = {0, Milliseconds[Number % 4] * 1000000};
  while (nanosleep(&Left, &Left) != 0 && errno == EINTR)
    ;
}

static int watchAfter(Event &E, int Status) {
  const auto Kind = static_cast<Record>(E.R.Kind);
  if (Kind == Record::HostAlloc || Kind == Record::HostFree)
    return Status; // all was done before
  if (!E.Nested && isWait(E))
    stretchWait();
  if (isCopy(E))
    __atomic_sub_fetch(&Copying, 1, __ATOMIC_ACQ_REL);
  Locked Own;
  if (E.Ops && Status == 0) {
    writeDevice(*E.Ops);
    writeModules();
    static bool Asked; // lock held
    if (!Asked && watchOfCalls() == CallsAre::Unseen)
      TheRules.dropOut(nullptr, Reason::CallsUnseen);
    Asked = true;
  }
  TheRules.after(E, Status);
  keepGuarding();
  return Status;
}

static void watchDropOut(const void *Pointer, Reason Why) {
  Locked Own;
  TheRules.dropOut(Pointer, Why);
}

static void watchForked() {
  Lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; // its holder is not here
  traceForked();
  TheRules.forked();
  TheGuard.forked();
}

static void watchFinish() {
  Locked Own;
  TheRules.finish();
  if (Written) // the process uses CUDA
    writeModules();
  for (unsigned I = 0; I != Plan->NumPairs; ++I)
    if (TheRules.verdict(I).Rounds)
      write(Plan->Pairs[I], TheRules.verdict(I), {}, Reason::None);
  TraceRecord R;
  R.Kind = static_cast<uint8_t>(Record::Exit);
  writeRecord(R);
  finishTrace();
}

/// A child may copy the parent's memory from now on, by a system call that a
/// closed buffer would fail.
static void watchHoldForChild() {
  Watched.endGuarding();
  TheGuard.forks();
}

/// What such a child does is not seen.
static void watchChildUnseen() { watchDropOut(nullptr, Reason::Forked); }

const Handlers ValidateHandlers = {.start = startWatching,
                                   .before = watchBefore,
                                   .after = watchAfter,
                                   .dropOut = watchDropOut,
                                   .forked = watchForked,
                                   .finish = watchFinish,
                                   .holdForChild = watchHoldForChild,
                                   .childUnseen = watchChildUnseen};

} // namespace echo::dr

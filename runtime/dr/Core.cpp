//===- Core.cpp - What the interposers tell and what the modes answer -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts how deep a thread is inside of counted calls, keeps the tables of
// memory in use, stamps events with time and site, and asks the mode. Memory
// leaves the tables before it is really freed, so that another thread's new
// memory at the same place is never taken for it.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/abi/ByteCount.h"
#include "runtime/abi/QuietWrite.h"
#include "runtime/dr/Clock.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/NotCancelled.h"
#include "runtime/dr/OwnProcess.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/Sites.h"
#include "runtime/dr/Threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace echo::dr {

uint64_t HostThreshold = UINT64_MAX;

static Mode TheMode = Mode::Off;
static uint64_t MinBytes = DrDefaultMinBytes;
static const Handlers *Active; ///< atomic: threads may be there before it is
static bool Verbose;
static bool Stamps = true;
static bool HasOwnMalloc; ///< nothing that it gives may be served
static bool Started;      ///< the constructor has run; atomic
/// Why all buffers drop out once the mode has begun.
static Reason DropsFirst = Reason::None;

Mode mode() { return TheMode; }

bool staysOff() {
  char Name[16];
  return __atomic_load_n(&Started, __ATOMIC_ACQUIRE)
             ? TheMode == Mode::Off
             : !readModeVariable(Name, sizeof Name);
}
uint64_t minBytes() { return MinBytes; }

/// The mode's handlers once they have started, with all that start() wrote.
static const Handlers *active() {
  return __atomic_load_n(&Active, __ATOMIC_ACQUIRE);
}
bool verbose() { return Verbose; }

static __thread bool CallsCuda;
static bool AnyThreadDoes; ///< atomic
void noteCudaCall() {
  if (__builtin_expect(CallsCuda, 1))
    return;
  CallsCuda = true;
  __atomic_store_n(&AnyThreadDoes, true, __ATOMIC_RELAXED);
}
bool mayCallCuda() { return CallsCuda; }
bool processCallsCuda() {
  return __atomic_load_n(&AnyThreadDoes, __ATOMIC_RELAXED);
}

void stampTimes(bool On) { Stamps = On; }
void stampEnd(Event &E) { E.R.End = clockNs(); }
void stampLaunch(Event &E) { E.R.Begin = E.R.End = clockNs(); }

/// What is known of a copy whose kind the program left to CUDA. A copy of
/// memory that may lie with the host, too, waits for nobody knows what.
static uint8_t directionOf(const TraceRecord &R) {
  Range Found;
  auto *Dst = reinterpret_cast<void *>(R.A);
  auto *Src = reinterpret_cast<void *>(R.B);
  auto OnDevice = [&](void *P) {
    return findDevice(P, Found) && liesOnDevice(Found.Kind);
  };
  bool ToDevice = OnDevice(Dst), FromDevice = OnDevice(Src);
  if (ToDevice && FromDevice)
    return CopyD2D;
  if (ToDevice && findHost(Src, Found))
    return CopyH2D;
  if (FromDevice && findHost(Dst, Found))
    return CopyD2H;
  return 0;
}

static bool hasSite(const TraceRecord &R) {
  switch (static_cast<Record>(R.Kind)) {
  case Record::HostAlloc:
  case Record::DeviceAlloc:
  case Record::Copy:
    return R.Bytes >= MinBytes && (!Active->wantsSite || Active->wantsSite(R));
  case Record::StreamCreate:
    return Active->WantsCallers;
  default:
    return false;
  }
}

/// Enters what \p E allocated. What a mode served, it owns by Private[0].
static void note(const Event &E) {
  if (E.R.Status != 0 || !E.R.A || E.R.Bytes < MinBytes)
    return;
  auto Kind = static_cast<Record>(E.R.Kind);
  Range R = {E.R.A, E.R.Bytes, E.R.Site, static_cast<How>(E.R.Flags)};
  R.Served = E.Skipped;
  R.Owner = E.Skipped ? reinterpret_cast<void *>(E.Private[0]) : nullptr;
  if (Kind == Record::HostAlloc)
    HostRanges.add(R);
  else if (Kind == Record::DeviceAlloc)
    DeviceRanges.add(R);
}

/// Launches are what programs call most: a mode may guard less of them.
static bool isGuarded(const Event &E) {
  return static_cast<Record>(E.R.Kind) != Record::Launch ||
         !Active->GuardsLaunches;
}

static int finish(Event &E, int Status) {
  const NotCancelled Here(isGuarded(E));
  const auto Kind = static_cast<Record>(E.R.Kind);
  E.R.Status = Status;
  // How long a free takes is of no use.
  if (Stamps && Kind != Record::Launch)
    E.R.End = Kind == Record::HostFree ? E.R.Begin : clockNs();
  if (Kind == Record::Reset && Status == 0)
    DeviceRanges.clear();
  return Active->after ? Active->after(E, Status) : Status;
}

/// True if CUDA's free of \p Pointer fails, as the memory is none of CUDA's. Of
/// a mode's memory CUDA is asked about some that is ordinary, as the program's.
static bool failsAsFree(Event &E, const void *Pointer) {
  Range R;
  if (!E.Ops || !HostRanges.find(Pointer, R) || R.Kind == How::Pinned)
    return false;
  if (const Seen As = Active->seenAt ? Active->seenAt(Pointer) : Seen();
      As.How == Seen::Ordinary)
    E.Instead[0] = reinterpret_cast<uintptr_t>(As.Instead);
  return true;
}

/// A free of device memory that is given host memory fails, and by that says
/// what memory it is. With one address for both sides it would be the device's.
static void askedByFree(const void *Pointer) {
  if (Range R; Active->dropOut && HostRanges.find(Pointer, R))
    Active->dropOut(Pointer, Reason::Inspected);
}

Action before(Event &E) {
  E.Nested = Depth++ != 0;
  auto Kind = static_cast<Record>(E.R.Kind);
  E.Counted = active() && (!E.Nested || Kind == Record::HostFree);
  if (E.Counted && Kind == Record::HostAlloc && Active->wantsBytes)
    E.Counted = Active->wantsBytes(E.R.Bytes);
  if (!E.Counted)
    return Action::Run;
  const NotCancelled Here(isGuarded(E));
  auto *Pointer = reinterpret_cast<void *>(E.R.A);
  if (Kind == Record::HostFree || Kind == Record::DeviceFree) {
    RangeTable &Table = Kind == Record::HostFree ? HostRanges : DeviceRanges;
    E.Counted = Pointer &&
                !(Kind == Record::HostFree && failsAsFree(E, Pointer)) &&
                Table.remove(Pointer, E.Freed);
    if (!E.Counted && Pointer && Kind == Record::DeviceFree)
      askedByFree(Pointer);
    if (!E.Counted)
      return Action::Run;
  }
  if (hasSite(E.R))
    E.R.Site = siteHere();
  if (Kind == Record::Launch && Active->WantsCallers)
    E.R.B = callingModule();
  E.Said = E.R.Flags & CopyDirection;
  if (Kind == Record::Copy && !E.Said)
    E.R.Flags |= directionOf(E.R);
  if (Stamps && Kind != Record::Launch)
    E.R.Begin = clockNs();
  const bool MayAsk =
      !HasOwnMalloc || Kind != Record::HostAlloc || E.Ops != nullptr;
  E.Skipped = MayAsk && Active->before && Active->before(E) == Action::Skip;
  if (!E.Skipped)
    return Action::Run;
  note(E);
  E.R.Status = finish(E, E.R.Status);
  --Depth;
  return Action::Skip;
}

int after(Event &E, int Status) {
  if (E.Counted) {
    E.R.Status = Status;
    note(E);
    Status = finish(E, Status);
  }
  --Depth;
  return Status;
}

void dropOut(const void *Pointer, Reason Why) {
  if (!Pointer && !__atomic_load_n(&Started, __ATOMIC_ACQUIRE))
    DropsFirst = Why; // for what libraries' constructors do
  if (!active() || !Active->dropOut || Depth)
    return;
  Inside Own;
  Active->dropOut(Pointer, Why);
}

Seen seenAt(const void *Pointer) {
  if (!active() || !Active->seenAt || Depth)
    return {};
  Inside Own;
  return Active->seenAt(Pointer);
}

bool registeredInstead(const void *Pointer, uint64_t Bytes, unsigned Flags) {
  if (!active() || !Active->registeredInstead || Depth)
    return false;
  Inside Own;
  return Active->registeredInstead(Pointer, Bytes, Flags);
}

bool unregisteredInstead(const void *Pointer) {
  if (!active() || !Active->unregisteredInstead || Depth)
    return false;
  Inside Own;
  return Active->unregisteredInstead(Pointer);
}

void streamUsed(uint64_t Stream) {
  if (active() && Active->streamUsed && !Depth)
    Active->streamUsed(Stream);
}

void childUnseen() {
  if (!Active || !Active->childUnseen || Depth)
    return;
  Inside Own;
  Active->childUnseen();
}

// Fork: no lock of this library is held by a thread that the child lacks. A
// malloc of the program's own has its locks meanwhile: nothing is allocated or
// freed here, nor under these locks where the program has one.

static void beforeFork() {
  ++Depth;
  lockThreads();
  lockModules();
  HostRanges.lock();
  DeviceRanges.lock();
  if (Active && Active->holdForChild)
    Active->holdForChild();
}
static void afterForkInParent() {
  DeviceRanges.unlock();
  HostRanges.unlock();
  unlockModules();
  unlockThreads();
  if (Active && Active->forkedInParent)
    Active->forkedInParent();
  --Depth;
}
static void afterForkInChild() {
  DeviceRanges.unlockInChild();
  HostRanges.unlockInChild();
  unlockModules();
  unlockThreads();
  if (Active && Active->forked)
    Active->forked();
  --Depth;
}

/// What ECHO_DR_MODE=\p Name chooses; null if nothing.
static const Handlers *chosenBy(const char *Name, Mode &M) {
  const Handlers *Chosen = nullptr;
  if (!strcmp(Name, "profile")) {
    M = Mode::Profile;
    Chosen = &ProfileHandlers;
  } else if (!strcmp(Name, "validate") && &ValidateHandlers) {
    M = Mode::Validate;
    Chosen = &ValidateHandlers;
  } else if (!strcmp(Name, "optimize")) {
    M = Mode::Optimize;
    Chosen = &OptimizeHandlers;
  }
  return Chosen;
}

void armForks() {
  static bool Armed;
  if (__atomic_load_n(&Armed, __ATOMIC_RELAXED))
    return;
  char Name[16];
  Mode Unused;
  const Handlers *Chosen =
      readModeVariable(Name, sizeof Name) ? chosenBy(Name, Unused) : nullptr;
  if (!Chosen || __atomic_exchange_n(&Armed, true, __ATOMIC_RELAXED))
    return;
  // Before those of what a mode uses: in the child these come first, and the
  // others' may free memory.
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  if (Chosen->armForks)
    Chosen->armForks();
}

static uint64_t readMinBytes() {
  const char *Value = getenv("ECHO_MIN_BYTES");
  if (!Value || !*Value)
    return DrDefaultMinBytes;
  uint64_t Bytes = 0;
  if (!readByteCount(Value, Bytes) || Bytes == 0) {
    say("ECHO_MIN_BYTES=%.64s is not a number of bytes: %llu is used", Value,
        static_cast<unsigned long long>(DrDefaultMinBytes));
    return DrDefaultMinBytes;
  }
  return Bytes;
}

/// Begins the mode that the process's variables name, if there is one.
static void begin(int NumArguments, char **Arguments) {
  rt::SayWith = writeQuietly;
  resolveLibc();
  rt::keepToErrors(); // the program's files may get number 2 later
  const char *Name = getenv("ECHO_DR_MODE");
  if (!Name || !*Name)
    return;
  Inside Own;
  const char *Says = getenv("ECHO_VERBOSE");
  Verbose = Says && !strcmp(Says, "1");
  const Handlers *Chosen = chosenBy(Name, TheMode);
  if (!Chosen) {
    say("ECHO_DR_MODE=%.64s is not profile, validate or optimize: the program "
        "runs unchanged",
        Name);
    return;
  }
  readOwnProcess(NumArguments, Arguments);
  MinBytes = readMinBytes();
  armForks();
  if (Chosen->start && !Chosen->start()) {
    TheMode = Mode::Off;
    return;
  }
  if (TheMode != Mode::Profile && !mallocIsLibcs()) {
    HasOwnMalloc = true;
    say("the program has a malloc of its own: its buffers stay as they are");
  }
  __atomic_store_n(&Active, Chosen, __ATOMIC_RELEASE);
  __atomic_store_n(&HostThreshold, MinBytes, __ATOMIC_RELEASE);
}

/// The C library gives constructors what it gives main.
__attribute__((constructor)) static void start(int NumArguments,
                                               char **Arguments, char **) {
  begin(NumArguments, Arguments);
  __atomic_store_n(&Started, true, __ATOMIC_RELEASE);
  if (DropsFirst != Reason::None)
    dropOut(nullptr, DropsFirst);
}

__attribute__((destructor)) static void finishAll() {
  if (!Active || !Active->finish)
    return;
  Inside Own;
  Active->finish();
}

} // namespace echo::dr

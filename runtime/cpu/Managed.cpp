//===- Managed.cpp - Protecting managed memory ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Protects pages and reports faults. See Managed.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Config.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace echo::cpu {

namespace {
struct Range {
  std::atomic<char *> Start{nullptr};
  std::atomic<size_t> Bytes{0};
  Attach How = Attach::Global;
  Stream *To = nullptr;
  bool Closed = false;
};
} // namespace

static bool Exclusive = false;
/// The fault handler reads the ranges: they never move. Guarded by the
/// scheduler's lock otherwise.
static constexpr size_t MaxRanges = 1 << 16;
static Range *Ranges = nullptr;
static std::atomic<size_t> NumRanges{0};
static unsigned QueuedWork = 0, OpenFor = 0;
static struct sigaction OldAction;

/// Prints one line and lets the fault go where it would have gone.
static void onFault(int Signal, siginfo_t *Info, void *) {
  auto *Address = static_cast<char *>(Info->si_addr);
  for (size_t I = 0, E = NumRanges.load(); I != E; ++I) {
    char *Start = Ranges[I].Start.load();
    size_t Bytes = Ranges[I].Bytes.load();
    if (!Start || Address < Start || Address >= Start + Bytes)
      continue;
    char Line[256];
    int Length = snprintf(
        Line, sizeof(Line),
        "echo-cpu: error: host access to managed memory %p (byte %zu of %zu) "
        "while GPU work is queued or running; concurrentManagedAccess is 0: "
        "synchronize first\n",
        static_cast<void *>(Address), size_t(Address - Start), Bytes);
    if (write(STDERR_FILENO, Line, Length) < 0)
      break;
    break;
  }
  // The access faults again, under the program's own handling.
  sigaction(Signal, &OldAction, nullptr);
}

void startManaged() {
  Exclusive = !attribute(Attr::ConcurrentManagedAccess);
  if (!Exclusive)
    return;
  Ranges = new Range[MaxRanges];
  struct sigaction Action;
  memset(&Action, 0, sizeof(Action));
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &Action, &OldAction);
}

bool managedIsExclusive() { return Exclusive; }

static void setClosed(Range &R, bool Closed) {
  if (R.Closed == Closed)
    return;
  if (mprotect(R.Start, R.Bytes, Closed ? PROT_NONE : PROT_READ | PROT_WRITE))
    configError("mprotect of managed memory failed");
  R.Closed = Closed;
}

/// Closes what the queued work owns, opens the rest.
static void update() {
  for (size_t I = 0, E = NumRanges.load(); I != E; ++I) {
    Range &R = Ranges[I];
    if (!R.Start.load())
      continue;
    bool Owned = R.How == Attach::Global ||
                 (R.How == Attach::Single && R.To->Pending.load() != 0);
    setClosed(R, QueuedWork && !OpenFor && Owned);
  }
}

void addManagedRange(void *Start, size_t Bytes, Attach How) {
  if (!Exclusive)
    return;
  Scheduler::Lock L(Scheduler::get());
  size_t I = 0, E = NumRanges.load();
  while (I != E && Ranges[I].Start.load())
    ++I;
  if (I == MaxRanges)
    configError("too many managed allocations with concurrentManagedAccess=0");
  Ranges[I].Bytes = Bytes;
  Ranges[I].How = How;
  Ranges[I].Closed = false;
  Ranges[I].Start = static_cast<char *>(Start);
  if (I == E)
    NumRanges.store(E + 1);
  // "Unspecified until additional work is launched or the GPU is synchronized":
  // closed, if the GPU works.
  update();
}

static Range *find(void *Start) {
  for (size_t I = 0, E = NumRanges.load(); I != E; ++I)
    if (Ranges[I].Start.load() == Start)
      return &Ranges[I];
  return nullptr;
}

void removeManagedRange(void *Start) {
  if (!Exclusive)
    return;
  Scheduler::Lock L(Scheduler::get());
  if (Range *R = find(Start)) {
    setClosed(*R, false);
    R->Start = nullptr;
  }
}

void attachManagedRange(void *Start, Attach How, Stream *To) {
  if (!Exclusive)
    return;
  Scheduler::Lock L(Scheduler::get());
  if (Range *R = find(Start)) {
    R->How = How;
    R->To = To;
    update();
  }
}

void managedWorkQueued(const Op &O) {
  if (!Exclusive || !O.TouchesMemory)
    return;
  ++QueuedWork;
  update();
}

void managedWorkDone(const Op &O) {
  if (!Exclusive || !O.TouchesMemory)
    return;
  if (--QueuedWork == 0)
    update();
}

void beginManagedWait() {
  if (Exclusive && OpenFor++ == 0)
    update();
}

void endManagedWait() {
  if (Exclusive && --OpenFor == 0)
    update();
}

ManagedAccess::ManagedAccess() {
  if (!Exclusive)
    return;
  Scheduler::Lock L(Scheduler::get());
  beginManagedWait();
}

ManagedAccess::~ManagedAccess() {
  if (!Exclusive)
    return;
  Scheduler::Lock L(Scheduler::get());
  endManagedWait();
}

} // namespace echo::cpu

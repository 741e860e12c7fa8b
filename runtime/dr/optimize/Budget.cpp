//===- Budget.cpp - How much memory may be pinned -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table needs no lock: each process writes its own entry alone. It enters
// what it wants first and adds up all entries then, so two that ask at a time
// can both be refused, but never both get what is there once. The table's pages
// are allocated before they are mapped: a full /dev/shm must not fault.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Budget.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/optimize/MemoryLimit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echo::dr {

namespace {
struct Entry {
  uint64_t Owner; ///< the process; 0: free, Taken: being cleared. Atomic
  uint64_t Since; ///< when that process began, in ticks since the boot; atomic
  uint64_t Bytes; ///< atomic
};
constexpr uint64_t Taken = ~uint64_t(0);
constexpr unsigned NumEntries = 680;
struct Table {
  Entry At[NumEntries];
};
} // namespace

static Table *Shared;       ///< null: this process counts alone
static Entry Alone;         ///< of this process, where there is no table
static uint64_t Most;       ///< of all processes
static uint64_t MostOwn;    ///< of this process
static uint64_t Mine;       ///< pinned by this process; atomic
static Entry *Own;          ///< atomic
static uint64_t OwnerOfOwn; ///< the process that Own is of; atomic
static constinit RangeTable Pinned; ///< what was taken, by address

// Limits.

/// The limit of locked memory does not bind CUDA. It is taken for the user's
/// wish all the same, unless it is what kernels and distributions begin with.
static uint64_t lockedLimit() {
  constexpr rlim_t Defaults[] = {RLIM_INFINITY, rlim_t(64) << 10,
                                 rlim_t(8) << 20};
  rlimit Limit;
  if (getrlimit(RLIMIT_MEMLOCK, &Limit))
    return UINT64_MAX;
  for (const rlim_t Default : Defaults)
    if (Limit.rlim_cur == Default)
      return UINT64_MAX;
  return Limit.rlim_cur;
}

static uint64_t machineMemory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// The table.

static Table *openTable() {
  // Numbers of processes mean something in one namespace of them alone.
  struct stat Space;
  if (stat("/proc/self/ns/pid", &Space))
    return nullptr;
  char Path[96];
  snprintf(Path, sizeof Path, "/dev/shm/echo-pinned-%u-%llx",
           static_cast<unsigned>(geteuid()),
           static_cast<unsigned long long>(Space.st_ino));
  const int Fd =
      open(Path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (Fd < 0)
    return nullptr;
  struct stat Info;
  void *Map = MAP_FAILED;
  if (!fstat(Fd, &Info) && S_ISREG(Info.st_mode) && Info.st_uid == geteuid() &&
      !posix_fallocate(Fd, 0, sizeof(Table)))
    Map =
        mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
  close(Fd);
  return Map == MAP_FAILED ? nullptr : static_cast<Table *>(Map);
}

/// When the process \p Owner began; 0: it cannot be found.
static uint64_t beginOf(uint64_t Owner) {
  char Path[64], Text[1024];
  snprintf(Path, sizeof Path, "/proc/%llu/stat",
           static_cast<unsigned long long>(Owner));
  const int Fd = open(Path, O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return 0;
  const ssize_t N = read(Fd, Text, sizeof Text - 1);
  close(Fd);
  Text[N > 0 ? N : 0] = 0;
  // The name, in parentheses, may have any character; the 20th word after it.
  const char *At = strrchr(Text, ')');
  for (int Words = 0; At && Words != 20; ++Words)
    At = strchr(At + 1, ' ');
  return At ? strtoull(At, nullptr, 10) : 0;
}

static bool isGone(const Entry &E, uint64_t Owner) {
  if (kill(static_cast<pid_t>(Owner), 0) && errno == ESRCH)
    return true;
  const uint64_t Since = __atomic_load_n(&E.Since, __ATOMIC_RELAXED);
  const uint64_t Now = beginOf(Owner);
  return Since && Now && Since != Now;
}

/// Frees the entries of processes that are gone.
static void clearGone() {
  for (Entry &E : Shared->At) {
    uint64_t Owner = __atomic_load_n(&E.Owner, __ATOMIC_ACQUIRE);
    if (!Owner || Owner == Taken || !isGone(E, Owner) ||
        !__atomic_compare_exchange_n(&E.Owner, &Owner, Taken, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    __atomic_store_n(&E.Bytes, uint64_t(0), __ATOMIC_RELAXED);
    __atomic_store_n(&E.Owner, uint64_t(0), __ATOMIC_RELEASE);
  }
}

static Entry *claim(uint64_t Me) {
  for (Entry &E : Shared->At) {
    uint64_t None = 0;
    if (!__atomic_compare_exchange_n(&E.Owner, &None, Me, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    __atomic_store_n(&E.Bytes, uint64_t(0), __ATOMIC_RELAXED);
    __atomic_store_n(&E.Since, beginOf(Me), __ATOMIC_RELAXED);
    return &E;
  }
  return nullptr;
}

/// This process's entry. After a fork the child gets one of its own.
static Entry *ownEntry() {
  const auto Me = static_cast<uint64_t>(getpid());
  if (__atomic_load_n(&OwnerOfOwn, __ATOMIC_ACQUIRE) == Me)
    return __atomic_load_n(&Own, __ATOMIC_RELAXED);
  Entry *E = Shared ? claim(Me) : nullptr;
  if (Shared && !E) {
    clearGone();
    E = claim(Me);
  }
  if (!E)
    E = &Alone;
  // Two threads may be here: the second entry counts nothing.
  __atomic_store_n(&Mine, uint64_t(0), __ATOMIC_RELAXED);
  __atomic_store_n(&Own, E, __ATOMIC_RELAXED);
  __atomic_store_n(&OwnerOfOwn, Me, __ATOMIC_RELEASE);
  return E;
}

static uint64_t inAll() {
  uint64_t Sum = __atomic_load_n(&Alone.Bytes, __ATOMIC_SEQ_CST);
  if (Shared)
    for (const Entry &E : Shared->At)
      Sum += __atomic_load_n(&E.Bytes, __ATOMIC_SEQ_CST);
  return Sum;
}

// Pages.

bool isMostlyResident(const rt::Block &B, size_t Fresh) {
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t Pages = B.Capacity / Page, Needed = Pages - Pages / 8;
  size_t There = Fresh / Page;
  unsigned char Now[4096];
  for (size_t From = 0; From < Pages && There < Needed; From += sizeof Now) {
    const size_t Count = Pages - From < sizeof Now ? Pages - From : sizeof Now;
    char *At = B.Memory + From * Page;
    if (mincore(At, Count * Page, Now))
      return true; // not known: as if it were used as a whole
    for (size_t I = 0; I != Count; ++I)
      There += Now[I] & 1;
  }
  return There >= Needed;
}

void openBudget() {
  const uint64_t Limit = memoryLimit("/proc/self/cgroup", "/sys/fs/cgroup");
  const uint64_t Memory = machineMemory();
  Most = (Limit < Memory ? Limit : Memory) / 2;
  MostOwn = lockedLimit();
  Shared = openTable();
}

bool takePinned(const void *Base, uint64_t Bytes) {
  Entry *E = ownEntry();
  const uint64_t Before = __atomic_fetch_add(&Mine, Bytes, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&E->Bytes, Bytes, __ATOMIC_SEQ_CST);
  bool Fits = Bytes <= MostOwn && Before <= MostOwn - Bytes;
  if (Fits && inAll() > Most) {
    if (Shared)
      clearGone();
    Fits = inAll() <= Most;
  }
  if (Fits) {
    Range R;
    R.Base = reinterpret_cast<uintptr_t>(Base);
    R.Bytes = Bytes;
    Pinned.add(R);
    return true;
  }
  __atomic_fetch_sub(&Mine, Bytes, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(&E->Bytes, Bytes, __ATOMIC_SEQ_CST);
  static bool Said;
  if (verbose() && !__atomic_exchange_n(&Said, true, __ATOMIC_RELAXED))
    say("a buffer of %llu bytes is not pinned: there are limits on memory",
        static_cast<unsigned long long>(Bytes));
  return false;
}

void givePinned(const void *Base) {
  Range R;
  if (!Pinned.remove(Base, R))
    return;
  Entry *E = ownEntry();
  __atomic_fetch_sub(&Mine, R.Bytes, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(&E->Bytes, R.Bytes, __ATOMIC_SEQ_CST);
}

void closeBudget() {
  Entry *E = __atomic_load_n(&Own, __ATOMIC_RELAXED);
  if (!E || E == &Alone ||
      __atomic_load_n(&OwnerOfOwn, __ATOMIC_ACQUIRE) !=
          static_cast<uint64_t>(getpid()))
    return;
  __atomic_store_n(&E->Bytes, uint64_t(0), __ATOMIC_RELAXED);
  __atomic_store_n(&E->Owner, uint64_t(0), __ATOMIC_RELEASE);
  __atomic_store_n(&Own, &Alone, __ATOMIC_RELAXED);
}

} // namespace echo::dr

//===- Memory.cpp - Allocation and the registry ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates memory and keeps the registry of ranges. See Memory.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Sanitizer.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace echo::cpu {

namespace {
struct Registry {
  std::shared_mutex Mutex;
  std::map<uintptr_t, Allocation> Ranges; ///< by base
};
} // namespace

static Registry &registry() {
  static auto *R = new Registry;
  return *R;
}
static std::atomic<size_t> InUse{0};

static constexpr size_t HugeBytes = 2 << 20;
/// Below this, memory comes from malloc: a mapping per tensor is too slow.
static constexpr size_t MapFrom = 256 << 10;
static constexpr size_t DeviceAlign = 512;
/// What fresh device memory holds where poison is on.
static constexpr int PoisonByte = 0xa5;

/// Of a larger block only both ends get it: all of it would make every page.
static constexpr size_t MaxPoisoned = 128 << 20;

void poison(char *Base, size_t Bytes) {
  if (Bytes <= MaxPoisoned) {
    memset(Base, PoisonByte, Bytes);
    return;
  }
  memset(Base, PoisonByte, MaxPoisoned / 2);
  memset(Base + Bytes - MaxPoisoned / 2, PoisonByte, MaxPoisoned / 2);
}

static bool countsAgainstLimit(MemKind K) {
  return K == MemKind::Device || K == MemKind::Managed;
}

static bool reserve(size_t Bytes) {
  size_t Limit = config().MemoryBytes;
  size_t Used = InUse.load();
  do {
    if (Bytes > Limit || Used > Limit - Bytes)
      return false;
  } while (!InUse.compare_exchange_weak(Used, Used + Bytes));
  return true;
}

size_t pageBytes() {
  static const auto Bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return Bytes;
}

/// Maps memory that costs nothing until it is touched.
static char *mapMemory(size_t Bytes, size_t &Mapped) {
  const size_t PageBytes = pageBytes();
  Mapped = (Bytes + PageBytes - 1) / PageBytes * PageBytes;
  size_t Slack = Mapped >= HugeBytes ? HugeBytes : 0;
  void *P = mmap(nullptr, Mapped + Slack, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    return nullptr;
  auto *Start = static_cast<char *>(P);
  if (!Slack)
    return Start;
  size_t Skip = -reinterpret_cast<uintptr_t>(Start) % HugeBytes;
  if (Skip)
    munmap(Start, Skip);
  if (Slack - Skip)
    munmap(Start + Skip + Mapped, Slack - Skip);
  madvise(Start + Skip, Mapped, MADV_HUGEPAGE);
  return Start + Skip;
}

/// The page after the block is one that AddressSanitizer guards.
static char *mapGuarded(size_t Bytes, size_t &Mapped) {
  char *Base = mapMemory(Bytes + pageBytes(), Mapped);
  if (Base)
    __asan_poison_memory_region(Base + Bytes, Mapped - Bytes);
  return Base;
}

static bool getMemory(Allocation &A) {
  bool Map = A.Kind == MemKind::Managed || A.Bytes >= MapFrom;
  // AddressSanitizer puts its zones around what malloc gives.
  if (underAsan() && A.Kind != MemKind::Managed)
    Map = false;
  if (Map) {
    A.Base = underAsan() ? mapGuarded(A.Bytes, A.Mapped)
                         : mapMemory(A.Bytes, A.Mapped);
    // A child process finds zeros in managed memory (seen on an H200).
    if (A.Base && A.Kind == MemKind::Managed)
      madvise(A.Base, A.Mapped, MADV_WIPEONFORK);
    return A.Base;
  }
  void *P = nullptr;
  if (posix_memalign(&P, DeviceAlign, A.Bytes))
    return false;
  A.Base = static_cast<char *>(P);
  return true;
}

/// Pinned memory is resident from the start.
static bool fitsIntoMachine(size_t Bytes) {
  static const size_t Pages = static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
  return Bytes / pageBytes() < Pages;
}

cudaError_t allocate(MemKind Kind, size_t Bytes, unsigned Flags, void *&Out) {
  Out = nullptr;
  if (!Bytes)
    return cudaSuccess;
  // Nor does ThreadSanitizer see an access of the host's in any of this.
  HideSync Hide;
  if (fails(Fails::Alloc))
    return cudaErrorMemoryAllocation;
  if (Kind == MemKind::Pinned && !fitsIntoMachine(Bytes))
    return cudaErrorMemoryAllocation;
  if (countsAgainstLimit(Kind) && !reserve(Bytes))
    return cudaErrorMemoryAllocation;
  Allocation A;
  A.Kind = Kind;
  A.Bytes = Bytes;
  A.Flags = Flags;
  if (Bytes > SIZE_MAX / 4 || !getMemory(A)) {
    if (countsAgainstLimit(Kind))
      InUse.fetch_sub(Bytes);
    return cudaErrorMemoryAllocation;
  }
  if (config().Poison && Kind == MemKind::Device)
    poison(A.Base, Bytes);
  std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
  registry().Ranges[reinterpret_cast<uintptr_t>(A.Base)] = A;
  Out = A.Base;
  if (underCheck() && Kind != MemKind::Managed)
    echo_check_allocated(A.Base, Bytes, Kind == MemKind::Device);
  return cudaSuccess;
}

/// The range that holds \p Address; under the registry's lock.
static std::map<uintptr_t, Allocation>::iterator find(uintptr_t Address) {
  auto &Ranges = registry().Ranges;
  auto It = Ranges.upper_bound(Address);
  if (It == Ranges.begin())
    return Ranges.end();
  --It;
  return Address < It->first + It->second.Bytes ? It : Ranges.end();
}

Allocation findAllocation(const void *P) {
  HideSync Hide;
  std::shared_lock<std::shared_mutex> Guard(registry().Mutex);
  auto It = find(reinterpret_cast<uintptr_t>(P));
  return It == registry().Ranges.end() ? Allocation() : It->second;
}

bool takeAllocation(const void *P, bool (*Accept)(MemKind), Allocation &Out) {
  HideSync Hide;
  std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
  auto It = registry().Ranges.find(reinterpret_cast<uintptr_t>(P));
  if (It == registry().Ranges.end() || !Accept(It->second.Kind))
    return false;
  Out = It->second;
  registry().Ranges.erase(It);
  return true;
}

void releaseMemory(const Allocation &A) {
  HideSync Hide;
  if (underCheck())
    echo_check_freed(A.Base);
  if (countsAgainstLimit(A.Kind))
    InUse.fetch_sub(A.Bytes);
  if (A.Mapped) {
    if (underAsan())
      __asan_unpoison_memory_region(A.Base, A.Mapped);
    munmap(A.Base, A.Mapped);
  } else {
    free(A.Base);
  }
}

bool addRange(const Allocation &A) {
  HideSync Hide;
  std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
  auto &Ranges = registry().Ranges;
  auto Start = reinterpret_cast<uintptr_t>(A.Base);
  auto Next = Ranges.lower_bound(Start);
  if (find(Start) != Ranges.end() ||
      (Next != Ranges.end() && Next->first < Start + A.Bytes))
    return false;
  Ranges[Start] = A;
  return true;
}

void releaseAllMemory() {
  if (underCheck())
    echo_check_reset();
  std::vector<Allocation> Gone;
  {
    HideSync Hide;
    std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
    std::erase_if(registry().Ranges, [&](const auto &Range) {
      MemKind K = Range.second.Kind;
      bool Own = countsAgainstLimit(K) || K == MemKind::Pinned;
      if (Own)
        Gone.push_back(Range.second);
      return Own || K == MemKind::Registered;
    });
  }
  for (const Allocation &A : Gone) {
    if (A.Kind == MemKind::Managed)
      removeManagedRange(A.Base);
    // Fresh pages of a driver show nothing of an earlier life; the C library's
    // memory would.
    if (!A.Mapped)
      memset(A.Base, PoisonByte, A.Bytes);
    releaseMemory(A);
  }
}

size_t memoryInUse() { return InUse.load(); }

} // namespace echo::cpu

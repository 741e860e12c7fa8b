//===- Pool.cpp - Free blocks that are kept for a while -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs allocate and free the same sizes again and again; the pool saves
// the page faults and the driver calls. It keeps at most 16 blocks of a size
// and a 32nd of the machine's memory (64 to 256 MiB) in all, gives everything
// back when an allocation fails or one of the program's own might, and must
// never hand out, or free, memory that a device reset took away: what lies
// there is others'. CUDA's frees wait for the device, so they come only where
// the program waits, too. Nothing here touches a free block.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Block.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/Life.h"
#include "runtime/rt/Memory.h"
#include "runtime/rt/Pinning.h"
#include "runtime/rt/Upload.h"
#include "runtime/rt/Waits.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *,
                                                       size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *,
                                                         size_t);
}

namespace echo::rt {

static constexpr unsigned MaxPerSize = 16;

size_t poolBound() {
  static size_t Cached; // every thread would store the same
  size_t Bound = __atomic_load_n(&Cached, __ATOMIC_RELAXED);
  if (!Bound) {
    size_t Memory = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                    static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t Least = size_t(64) << 20, Most = size_t(256) << 20;
    Bound = Memory / 32 < Least  ? Least
            : Memory / 32 > Most ? Most
                                 : Memory / 32;
    __atomic_store_n(&Cached, Bound, __ATOMIC_RELAXED);
  }
  return Bound;
}

/// The program runs under AddressSanitizer, which then guards what lies after
/// each block; and free blocks are not kept, so that it sees their uses.
static bool underAsan() { return __asan_poison_memory_region; }

static Mutex PoolLock;
static Block *Pool; ///< newest first
// Atomic; changed with the lock held.
static size_t PooledBytes;
static size_t PooledForDevice; ///< of these, all but what serves the host alone
static size_t DoomedBytes;     ///< of these, what is no longer of use

/// Counts \p B in (\p Sign 1) or out (-1). The lock is held.
static void count(const Block &B, int Sign) {
  size_t Change = Sign < 0 ? -B.Reserved : B.Reserved;
  __atomic_fetch_add(&PooledBytes, Change, __ATOMIC_RELAXED);
  if (B.Kind != Backing::PinnedSplit)
    __atomic_fetch_add(&PooledForDevice, Change, __ATOMIC_RELAXED);
  if (B.Doomed)
    __atomic_fetch_add(&DoomedBytes, Change, __ATOMIC_RELAXED);
}

/// Decides that \p B, which is in the pool, is given back. The lock is held.
static void doom(Block &B) {
  count(B, -1);
  B.Doomed = true;
  count(B, 1);
}

void lockPool() { PoolLock.lock(); }
void unlockPool() { PoolLock.unlock(); }

/// CUDA's call that gives the memory of \p B back waits for the device.
static bool waitsToGo(const Block &B) {
  return isCudas(B.Kind) ||
         __atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE) == PinState::Pinned;
}

/// Nothing on the device uses the free block \p B any more.
static bool isUnused(const Block &B) {
  if (B.Kind == Backing::PinnedSplit)
    return uploadHasEnded(__atomic_load_n(&B.LastUpload, __ATOMIC_ACQUIRE));
  return B.Rested || !isCudas(B.Kind);
}

static bool sameClass(const Block &A, Backing Kind, size_t Reserved,
                      int Device) {
  return A.Kind == Kind && A.Reserved == Reserved && A.Device == Device;
}

/// Takes *Link out of the pool. The lock is held.
static Block *unlink(Block **Link) {
  Block *B = *Link;
  *Link = B->Next;
  B->Next = nullptr;
  count(*B, -1);
  return B;
}

void forgetInheritedPool() {
  // The child cannot use or free CUDA's memory, nor what is pinned; other
  // system memory is its own copy.
  for (Block **Link = &Pool; *Link;) {
    if (!isCudas((*Link)->Kind) && (*Link)->Pin == PinState::No)
      Link = &(*Link)->Next;
    else
      free(unlink(Link));
  }
}

/// What became of the memory of \p B.
static Fate fateOf(const Block &B) {
  return isCudas(B.Kind) ? fateOf(B.Device, B.Life) : Fate::Lives;
}

static void destroyBlocks(Block *List) {
  while (List) {
    Block *B = List;
    List = B->Next;
    if (underAsan())
      __asan_unpoison_memory_region(B->Memory, B->Reserved);
    if (unpin(*B) && fateOf(*B) == Fate::Lives)
      freeMemory(B->Kind, B->Memory, B->Reserved);
    free(B);
  }
}

void destroyBlock(Block *B) {
  B->Next = nullptr;
  destroyBlocks(B);
}

static Block *findInPool(Backing Kind, size_t Reserved, int Device,
                         bool &Busy) {
  Guard G(PoolLock);
  for (Block **Link = &Pool; *Link; Link = &(*Link)->Next) {
    const Block &B = **Link;
    if (!sameClass(B, Kind, Reserved, Device) || B.Doomed)
      continue;
    if (isUnused(B))
      return unlink(Link);
    Busy = true;
  }
  return nullptr;
}

static Block *takeFromPool(Backing Kind, size_t Reserved, int Device) {
  for (;;) {
    bool Busy = false;
    Block *B = findInPool(Kind, Reserved, Device, Busy);
    // An upload may have ended that no wait was known to cover.
    if (!B && Busy && Kind == Backing::PinnedSplit && isIdle())
      B = findInPool(Kind, Reserved, Device, Busy);
    if (!B || fateOf(*B) == Fate::Lives)
      return B;
    free(B); // where CUDA does not say, its memory is not given out either
  }
}

bool isPooled(const void *Pointer) {
  Block Found;
  {
    Guard G(PoolLock);
    for (Block *B = Pool; B && !Found.Base; B = B->Next)
      if (B->Base == Pointer)
        Found = *B;
  }
  return isCudas(Found.Kind) && fateOf(Found) != Fate::Gone;
}

/// Takes all blocks out of the pool of which \p Goes says so.
template <class Fn> static Block *takeAll(Fn Goes) {
  Block *All = nullptr;
  Guard G(PoolLock);
  for (Block **Link = &Pool; *Link;) {
    if (!Goes(**Link)) {
      Link = &(*Link)->Next;
      continue;
    }
    Block *B = unlink(Link);
    B->Next = All;
    All = B;
  }
  return All;
}

static Block *takeSystemMemory() {
  return takeAll([](const Block &B) { return !waitsToGo(B); });
}

void emptyPoolOfSystemMemory() { destroyBlocks(takeSystemMemory()); }

bool emptyPool(bool Patient) {
  Block *Ready = takeSystemMemory();
  bool Any = Ready;
  destroyBlocks(Ready);
  if (!__atomic_load_n(&PooledBytes, __ATOMIC_RELAXED) || forkEra() ||
      !(Patient ? becomesIdle() : isIdle()))
    return Any;
  Block *Others = takeAll([](const Block &) { return true; });
  Any |= Others != nullptr;
  destroyBlocks(Others);
  return Any;
}

bool hasDoomed() { return __atomic_load_n(&DoomedBytes, __ATOMIC_RELAXED); }

void deviceRested(int Device) {
  if (!__atomic_load_n(&PooledBytes, __ATOMIC_RELAXED) || forkEra())
    return;
  destroyBlocks(takeAll([Device](Block &B) {
    if (B.Device != Device)
      return false;
    B.Rested = true;
    return B.Doomed;
  }));
}

void makeRoom(size_t Bytes, bool OnDevice) {
  size_t &InTheWay = OnDevice ? PooledForDevice : PooledBytes;
  if (!__atomic_load_n(&InTheWay, __ATOMIC_RELAXED) || forkEra())
    return;
  // What is free on a device may lie in pieces: there should be more.
  size_t Wanted = Bytes < SIZE_MAX / 2 ? 2 * Bytes : SIZE_MAX;
  bool HasRoom;
  if (OnDevice) {
    ErrorScope Errors;
    RelaxedCapture Capture;
    size_t Free = 0, Total = 0;
    HasRoom = cudaMemGetInfo(&Free, &Total) == CudaSuccess && Free >= Wanted;
  } else {
    HasRoom = hostHasRoom(Wanted);
  }
  if (!HasRoom)
    emptyPool();
}

void forgetPooledBefore(int Device, uint32_t Life) {
  Guard G(PoolLock);
  for (Block **Link = &Pool; *Link;) {
    const Block &B = **Link;
    if (isCudas(B.Kind) && B.Device == Device && B.Life < Life)
      free(unlink(Link));
    else
      Link = &(*Link)->Next;
  }
}

static Block *freshBlock(Backing Kind, size_t Reserved, int Device) {
  char *Base = allocateMemory(Kind, Reserved);
  if (!Base && emptyPool(/*Patient=*/false))
    Base = allocateMemory(Kind, Reserved);
  if (!Base)
    return nullptr;
  uint32_t Life = 0;
  if (isCudas(Kind))
    Life = beginLife(Device, forgetBlocksBefore);
  auto *B = static_cast<Block *>(calloc(1, sizeof(Block)));
  // Of memory without a life nobody could say whether a reset took it away.
  if (!B || (isCudas(Kind) && !Life)) {
    freeMemory(Kind, Base, Reserved);
    free(B);
    return nullptr;
  }
  B->Memory = Base;
  B->Reserved = Reserved;
  B->Device = Device;
  B->Kind = Kind;
  B->Dirty = isCudas(Kind);
  B->Life = Life;
  return B;
}

/// Where a block begins in its pages. The C library's large blocks begin 16
/// bytes into a page, and on some processors a copy to or from such a one is
/// many times slower for a partner that begins at a page. 512: for textures.
static constexpr size_t PageOffset = 512;

Block *makeBlock(Backing Kind, size_t Bytes, int Device, bool Zeroed,
                 size_t Alignment) {
  size_t Before = Alignment <= PageOffset ? PageOffset : 0;
  size_t Behind = underAsan() ? 1 : 0;
  if (Bytes > SIZE_MAX - Before - Behind)
    return nullptr;
  size_t Reserved = roundToPages(Before + Bytes + Behind);
  if (!Reserved)
    return nullptr;
  Block *B = takeFromPool(Kind, Reserved, Device);
  if (!B)
    B = freshBlock(Kind, Reserved, Device);
  if (!B)
    return nullptr;
  B->Base = B->Memory + Before;
  if (underAsan()) {
    __asan_poison_memory_region(B->Memory, Reserved);
    __asan_unpoison_memory_region(B->Base, Bytes);
  }
  if (Zeroed && B->Dirty)
    memset(B->Base, 0, Bytes);
  B->Dirty = true;
  B->Rested = false;
  B->LastUpload = 0;
  B->Capacity = Bytes;
  B->Era = forkEra();
  return B;
}

/// Keeps \p B, but not more than 16 of its size, nor more in all than the
/// bound: the oldest go. \p B itself goes if not \p Keep. Returns what may be
/// given back at once.
static Block *putIntoPool(Block *B, bool Keep) {
  Block *Surplus = nullptr;
  Guard G(PoolLock);
  B->Next = Pool;
  Pool = B;
  count(*B, 1);
  // Newest first, so the walk drops the oldest of this size and, once the
  // sum is over the bound, everything older.
  unsigned OfSize = 0;
  size_t Sum = 0;
  for (Block **Link = &Pool; *Link;) {
    Block *Kept = *Link;
    if (!Kept->Doomed) {
      bool Same = sameClass(*Kept, B->Kind, B->Reserved, B->Device);
      if ((Kept == B && !Keep) || (Same && ++OfSize > MaxPerSize) ||
          Sum + Kept->Reserved > poolBound())
        doom(*Kept);
      else
        Sum += Kept->Reserved;
    }
    if (!Kept->Doomed || waitsToGo(*Kept)) {
      Link = &Kept->Next;
      continue;
    }
    Block *Old = unlink(Link);
    Old->Next = Surplus;
    Surplus = Old;
  }
  return Surplus;
}

void dropBlock(Block *B, bool Idle) {
  bool Inherited = B->Era != forkEra();
  if (isCudas(B->Kind) && Inherited) {
    free(B); // a parent's: CUDA cannot free it here
    return;
  }
  // A copy that stayed may still use the host side of a block, if the program
  // pinned that: else a wait follows each, or it read system memory at once.
  bool Waits = B->Group && !(B->Group->flags & ECHO_GROUP_PINNED_HOST);
  B->Rested = Idle || (B->Rested && Waits);
  bool Parents = Inherited && B->Pin != PinState::No;
  if (Parents) {
    destroyBlocks(B);
    return;
  }
  if (underAsan())
    __asan_poison_memory_region(B->Memory, B->Reserved);
  bool Keep = !underAsan() && B->Reserved <= poolBound();
  destroyBlocks(putIntoPool(B, Keep));
  // CUDA's frees wait for the device, and what runs there may wait for the
  // host. So it keeps the memory until the program itself waits; too much of it
  // until it is seen to rest.
  if (__atomic_load_n(&DoomedBytes, __ATOMIC_RELAXED) > poolBound() && isIdle())
    destroyBlocks(takeAll([](const Block &B) { return B.Doomed; }));
}

} // namespace echo::rt

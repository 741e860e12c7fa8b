//===- Memory.cpp - Raw memory of each backing ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System memory is mapped on huge-page boundaries, because a GPU that walks
// the host's page tables misses its TLB on small pages. Mapped memory counts
// only if both sides see it at one address; else the caller gets none. What
// pinned-split uses is system memory, too: it is there before the device is,
// stays through a reset and a fork, and is pinned where it lies (Pinning.h).
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Memory.h"

#include "runtime/rt/CudaScope.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace echo::rt {

static constexpr size_t HugePage = size_t(2) << 20;

static size_t pageSize() {
  static size_t Cached; // every thread would store the same
  size_t Size = __atomic_load_n(&Cached, __ATOMIC_RELAXED);
  if (!Size) {
    Size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    __atomic_store_n(&Cached, Size, __ATOMIC_RELAXED);
  }
  return Size;
}

size_t roundToPages(size_t Bytes) {
  size_t Mask = pageSize() - 1;
  return Bytes + Mask < Bytes ? 0 : (Bytes + Mask) & ~Mask;
}

static char *mapPages(size_t Bytes) {
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return P == MAP_FAILED ? nullptr : static_cast<char *>(P);
}

/// True if the system promises only memory that it has.
static bool overcommitIsOff() {
  static char Asked; // 0: not yet; else 1 + the answer
  char Answer = __atomic_load_n(&Asked, __ATOMIC_RELAXED);
  if (!Answer) {
    char Mode = '0';
    if (FILE *File = fopen("/proc/sys/vm/overcommit_memory", "re")) {
      if (fread(&Mode, 1, 1, File) != 1)
        Mode = '2'; // not known: it may be
      fclose(File);
    }
    Answer = static_cast<char>(1 + (Mode == '2'));
    __atomic_store_n(&Asked, Answer, __ATOMIC_RELAXED);
  }
  return Answer == 2;
}

static bool isBounded(int Resource) {
  rlimit Limit;
  return getrlimit(Resource, &Limit) != 0 || Limit.rlim_cur != RLIM_INFINITY;
}

bool hostHasRoom(size_t Bytes) {
  if (!isBounded(RLIMIT_AS) && !isBounded(RLIMIT_DATA) && !overcommitIsOff())
    return true;
  char *P = mapPages(Bytes);
  if (P)
    munmap(P, Bytes);
  return P;
}

static char *allocateSystem(size_t Bytes) {
  if (Bytes < HugePage)
    return mapPages(Bytes);
  if (Bytes + HugePage < Bytes)
    return nullptr;
  char *Start = mapPages(Bytes + HugePage);
  if (!Start)
    return nullptr;
  size_t Skip = -reinterpret_cast<uintptr_t>(Start) & (HugePage - 1);
  if (Skip)
    munmap(Start, Skip);
  char *Base = Start + Skip;
  if (Skip != HugePage)
    munmap(Base + Bytes, HugePage - Skip);
  madvise(Base, Bytes, MADV_HUGEPAGE); // advice: failure costs speed only
  return Base;
}

static char *allocateMapped(size_t Bytes) {
  void *Host = nullptr, *Device = nullptr;
  if (cudaHostAlloc(&Host, Bytes, HostAllocMapped | HostAllocPortable) !=
      CudaSuccess)
    return nullptr;
  if (cudaHostGetDevicePointer(&Device, Host, 0) == CudaSuccess &&
      Device == Host)
    return static_cast<char *>(Host);
  cudaFreeHost(Host);
  return nullptr;
}

static char *allocateManaged(size_t Bytes) {
  void *P = nullptr;
  if (cudaMallocManaged(&P, Bytes, MemAttachGlobal) != CudaSuccess)
    return nullptr;
  return static_cast<char *>(P);
}

char *allocateMemory(Backing Kind, size_t Bytes) {
  if (!isCudas(Kind))
    return allocateSystem(Bytes);
  // The program's error could not be put back if the allocation failed.
  if (cudaPeekAtLastError() != CudaSuccess)
    return nullptr;
  ErrorScope Errors;
  RelaxedCapture Capture;
  return Kind == Backing::Managed  ? allocateManaged(Bytes)
         : Kind == Backing::Mapped ? allocateMapped(Bytes)
                                   : nullptr;
}

void freeMemory(Backing Kind, char *Base, size_t Bytes) {
  if (!isCudas(Kind)) {
    munmap(Base, Bytes);
    return;
  }
  ErrorScope Errors;
  RelaxedCapture Capture;
  if (Kind == Backing::Managed)
    cudaFree(Base);
  else
    cudaFreeHost(Base);
}

Fate fateOf(Backing Kind, const char *Base) {
  if (!isCudas(Kind))
    return Fate::Lives;
  ErrorScope Errors;
  cudaPointerAttributes Found = {};
  cudaError_t Error = cudaPointerGetAttributes(&Found, Base);
  if (Error)
    return Error == CudaErrorInvalidValue ? Fate::Gone : Fate::Unknown;
  int Type = Kind == Backing::Managed ? MemoryTypeManaged : MemoryTypeHost;
  return Found.type == Type ? Fate::Lives : Fate::Gone;
}

bool isMapped(const void *Base) {
  uintptr_t Page =
      reinterpret_cast<uintptr_t>(Base) & ~uintptr_t(pageSize() - 1);
  unsigned char Resident;
  return mincore(reinterpret_cast<void *>(Page), 1, &Resident) == 0 ||
         errno != ENOMEM;
}

} // namespace echo::rt

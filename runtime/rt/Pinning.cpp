//===- Pinning.cpp - When the host side of a pair is pinned ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is pinned when its copies could have saved three times what pinning
// costs: a program that ends right after it has lost little, and one that goes
// on loses little by the delay. What is copied once is never pinned. A block
// keeps its count and its pin in the pool, so buffers that a loop allocates
// anew get there, too.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Pinning.h"

#include "runtime/rt/Account.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/Memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace echo::rt {

/// What has to be copied before a block of \p Capacity bytes is pinned. On an
/// H200 (x86-64, huge pages) pinning takes 0.15 ms and 0.05 ms per MiB, and a
/// copy of pinned memory takes 0.1 ms per MiB less than one of pageable memory.
/// A third of it, tried there in turns with this, made a program of 7 ms with
/// 4 rounds 1.3 % slower, and one with 8 rounds 9 % faster than this does.
static uint64_t bytesBefore(size_t Capacity) {
  return 3 * ((uint64_t(1) << 20) + Capacity / 2);
}

static uint64_t Pinned;

uint64_t pinnedBytes() { return __atomic_load_n(&Pinned, __ATOMIC_RELAXED); }

/// True if a pinned page stays the parent's when another thread forks: Linux
/// gives the child a copy at once, from 5.12 on. Before, the parent's next
/// write could move the page away from under the device.
static bool forkKeepsPinnedPages() {
  utsname Name;
  if (uname(&Name) != 0)
    return false;
  char *End = nullptr;
  long Major = strtol(Name.release, &End, 10);
  long Minor = *End == '.' ? strtol(End + 1, nullptr, 10) : 0;
  return Major > 5 || (Major == 5 && Minor >= 12);
}

bool isKeptFromChildren(const Block &B) {
  return isCudas(B.Kind) ||
         (__atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE) != PinState::No &&
          !forkKeepsPinnedPages());
}

/// Sees to it that no fork disturbs pinned memory.
static bool shieldFromForks(Block &B) {
  return forkKeepsPinnedPages() ||
         madvise(B.Memory, B.Reserved, MADV_DONTFORK) == 0;
}

/// At most half of the machine's memory is pinned.
static bool reservePinned(size_t Bytes) {
  uint64_t Most = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
  uint64_t Before = __atomic_fetch_add(&Pinned, Bytes, __ATOMIC_RELAXED);
  if (Before + Bytes <= Most)
    return true;
  __atomic_fetch_sub(&Pinned, Bytes, __ATOMIC_RELAXED);
  return false;
}

static PinState::Value pin(Block &B) {
  // The program's error could not be put back if pinning failed.
  if (cudaPeekAtLastError() != CudaSuccess)
    return PinState::No;
  if (!shieldFromForks(B) || !reservePinned(B.Reserved))
    return PinState::Never;
  ErrorScope Errors;
  RelaxedCapture Capture;
  if (cudaHostRegister(B.Memory, B.Reserved, HostRegisterPortable) ==
      CudaSuccess)
    return PinState::Pinned;
  __atomic_fetch_sub(&Pinned, B.Reserved, __ATOMIC_RELAXED);
  return PinState::Never;
}

void preparePinning(Block &B, bool Soon) {
  B.PinAt = Soon ? 0 : bytesBefore(B.Capacity);
}

bool beforeCopy(Block &B, size_t Bytes) {
  uint64_t Copied = __atomic_fetch_add(&B.Copied, Bytes, __ATOMIC_RELAXED);
  PinState::Value State = __atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE);
  if (State == PinState::No && Copied >= B.PinAt &&
      __atomic_compare_exchange_n(&B.Pin, &State, PinState::Busy, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    State = pin(B);
    __atomic_store_n(&B.Pin, State, __ATOMIC_RELEASE);
  }
  if (State == PinState::Pinned)
    countPinned(Bytes);
  return State == PinState::Pinned;
}

bool isPinned(const Block &B) {
  return __atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE) == PinState::Pinned;
}

bool unpin(Block &B) {
  // A parent's is pinned there; where it was kept out of the child, other
  // memory may be at its place.
  if (B.Pin != PinState::No && B.Era != forkEra())
    return false;
  if (B.Pin != PinState::Pinned)
    return true;
  {
    ErrorScope Errors;
    RelaxedCapture Capture;
    int Status = cudaHostUnregister(B.Memory);
    // What is still pinned must stay where it is: CUDA would copy the old pages
    // for whatever comes to lie there. A reset has unpinned it already.
    if (Status != CudaSuccess && Status != CudaErrorHostMemoryNotRegistered)
      return false;
  }
  B.Pin = PinState::No;
  __atomic_fetch_sub(&Pinned, B.Reserved, __ATOMIC_RELAXED);
  return true;
}

} // namespace echo::rt

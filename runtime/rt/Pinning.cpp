//===- Pinning.cpp - When the host side of a pair is pinned ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pinning costs about as much as the two copies that it has to wait for: what
// is copied once or twice is never pinned, and what is copied often loses
// little by the delay. A block keeps its count and its pin in the pool, so
// buffers that a loop allocates anew get there, too.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Pinning.h"
#include "runtime/rt/Account.h"
#include "runtime/rt/CudaScope.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace echo::rt {

/// Whole buffers that have to be copied before one is pinned.
static constexpr uint64_t CopiesBefore = 2;

static uint64_t Pinned;

uint64_t pinnedBytes() { return __atomic_load_n(&Pinned, __ATOMIC_RELAXED); }

bool forkKeepsPinnedPages() {
  utsname Name;
  if (uname(&Name) != 0)
    return false;
  char *End = nullptr;
  long Major = strtol(Name.release, &End, 10);
  long Minor = *End == '.' ? strtol(End + 1, nullptr, 10) : 0;
  return Major > 5 || (Major == 5 && Minor >= 12);
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

static PinState pin(Block &B) {
  // The program's error could not be put back if pinning failed.
  if (cudaPeekAtLastError() != CudaSuccess)
    return PinState::No;
  if (!reservePinned(B.Reserved))
    return PinState::Never;
  ErrorScope Errors;
  RelaxedCapture Capture;
  if (cudaHostRegister(B.Base, B.Reserved, HostRegisterPortable) == CudaSuccess)
    return PinState::Pinned;
  __atomic_fetch_sub(&Pinned, B.Reserved, __ATOMIC_RELAXED);
  return PinState::Never;
}

void beforeCopy(Block &B, size_t Bytes) {
  uint64_t Copied = __atomic_fetch_add(&B.Copied, Bytes, __ATOMIC_RELAXED);
  PinState State = __atomic_load_n(&B.Pin, __ATOMIC_ACQUIRE);
  uint64_t Enough = options().Auto ? CopiesBefore * B.Capacity : 0;
  if (State == PinState::No && Copied >= Enough &&
      __atomic_compare_exchange_n(&B.Pin, &State, PinState::Busy, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    State = pin(B);
    __atomic_store_n(&B.Pin, State, __ATOMIC_RELEASE);
  }
  if (State == PinState::Pinned)
    countPinned(Bytes);
}

void unpin(Block &B) {
  if (B.Pin != PinState::Pinned)
    return;
  B.Pin = PinState::No;
  if (B.Era != forkEra())
    return; // a parent's; pinned there, not here
  __atomic_fetch_sub(&Pinned, B.Reserved, __ATOMIC_RELAXED);
  ErrorScope Errors;
  RelaxedCapture Capture;
  cudaHostUnregister(B.Base);
}

} // namespace echo::rt

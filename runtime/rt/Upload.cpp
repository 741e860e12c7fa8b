//===- Upload.cpp - Uploads that go on after their return ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Upload.h. The legacy stream orders the upload before all later work of
// that stream and of blocking ones; the analysis lets no other work use the
// pair before a wait. Its idleness is asked for first: a synchronous copy would
// have waited for what is in flight, and would have told of its errors.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Upload.h"
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Account.h"
#include "runtime/rt/Block.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/Pinning.h"
#include "runtime/rt/Policy.h"
#include "runtime/rt/Site.h"
#include "runtime/rt/Waits.h"

namespace echo::rt {

static uint64_t Queued, Ended; ///< atomic

uint64_t uploadsQueued() { return __atomic_load_n(&Queued, __ATOMIC_ACQUIRE); }

void noteUploadsEnded(uint64_t Count) {
  uint64_t Old = __atomic_load_n(&Ended, __ATOMIC_RELAXED);
  while (Old < Count &&
         !__atomic_compare_exchange_n(&Ended, &Old, Count, true,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    ;
}

bool uploadHasEnded(uint64_t Number) {
  return __atomic_load_n(&Ended, __ATOMIC_ACQUIRE) >= Number;
}

/// A query does not write what kernels printed, the copy would have: a wait
/// does, at once where nothing is in flight. False where it fails.
static bool writeDevicePrintf() {
  ErrorScope Errors;
  return cudaStreamSynchronize(streamLegacy()) == CudaSuccess;
}

int32_t queueUpload(EchoGroup *group, void *host, void *dst, const void *src,
                    size_t bytes) {
  Block *B = pinnedSplitAt(host);
  if (!B || !isPinned(*B))
    return 0;
  size_t Offset = static_cast<size_t>(static_cast<const char *>(src) - B->Base);
  if (static_cast<const char *>(src) < B->Base || Offset > B->Capacity ||
      !bytes || bytes > B->Capacity - Offset)
    return 0;
  // Copies that return at once say nothing of what pinning is worth.
  Site *S = siteOf(group);
  if (!S || (B->PinAt && !hasMeasuredCopies(*S, bytes)))
    return 0;
  if (!hasOneDevice() || !isIdle() || (B->PinAt && !queueingPays(*S, bytes)) ||
      !writeDevicePrintf())
    return 0;
  uint64_t Number = __atomic_add_fetch(&Queued, 1, __ATOMIC_ACQ_REL);
  __atomic_store_n(&B->LastUpload, Number, __ATOMIC_RELEASE);
  cudaError_t Error =
      cudaMemcpyAsync(dst, src, bytes, MemcpyHostToDevice, streamLegacy());
  countPinned(bytes);
  return 1 + Error;
}

} // namespace echo::rt

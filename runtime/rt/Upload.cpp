//===- Upload.cpp - Uploads that go on behind their return ----------------===//
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
#include "runtime/rt/Site.h"

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

void waitForUploads() {
  uint64_t Count = uploadsQueued();
  if (__atomic_load_n(&Ended, __ATOMIC_ACQUIRE) >= Count || forkEra())
    return;
  ErrorScope Errors;
  RelaxedCapture Capture;
  // Its error is that of the work: the program's next wait reports it, too.
  cudaStreamSynchronize(streamLegacy());
  noteUploadsEnded(Count);
}

/// True if the process sees one device: kernels of another one would not be
/// ordered behind an upload.
static bool hasOneDevice() {
  static int Cached; // every thread would store the same
  int Count = __atomic_load_n(&Cached, __ATOMIC_RELAXED);
  if (!Count) {
    ErrorScope Errors;
    if (cudaGetDeviceCount(&Count) != CudaSuccess)
      return false;
    __atomic_store_n(&Cached, Count, __ATOMIC_RELAXED);
  }
  return Count == 1;
}

/// True if no work of the legacy stream and of blocking streams is in flight,
/// and none has failed. Leaves no error behind.
static bool isIdle() {
  if (cudaPeekAtLastError() != CudaSuccess)
    return false;
  uint64_t Count = uploadsQueued();
  // Errors that stay do so: this call is not the one to take them away.
  cudaError_t State = cudaStreamQuery(streamLegacy());
  if (State == CudaSuccess)
    noteUploadsEnded(Count);
  // Some runtimes keep "not ready" as the last error; the copy would not.
  else if (cudaPeekAtLastError() == State)
    cudaGetLastError();
  return State == CudaSuccess;
}

} // namespace echo::rt

using namespace echo::rt;

extern "C" __attribute__((visibility("default"))) int32_t echort_upload(
    EchoGroup *group, void *host, void *dst, const void *src, size_t bytes) {
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
  if (!hasOneDevice() || !isIdle())
    return 0;
  __atomic_add_fetch(&Queued, 1, __ATOMIC_ACQ_REL);
  cudaError_t Error =
      cudaMemcpyAsync(dst, src, bytes, MemcpyHostToDevice, streamLegacy());
  countPinned(bytes);
  return 1 + Error;
}

//===- Waits.cpp - echort's waits for the device --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's frees wait for the device, also while another thread captures a stream
// for itself, where cudaDeviceSynchronize fails and ends the capture (both seen
// on an H100). So a byte of pinned memory is allocated and freed, which takes
// 3 us there beside the page that stands for the device's life (Life.h).
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Waits.h"
#include "runtime/rt/Block.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/Life.h"
#include "runtime/rt/Upload.h"

#include <unistd.h>

extern "C" __attribute__((weak)) cudaError_t echo_cpu_wait_device();

namespace echo::rt {

cudaError_t waitAsFree(int Device) {
  DeviceScope Current(Device);
  uint64_t Uploads = uploadsQueued();
  void *Byte = nullptr;
  const bool UnderTsan = __tsan_acquire != nullptr;
  if (!UnderTsan) {
    ErrorScope Errors;
    RelaxedCapture Capture;
    beginLife(Device, forgetBlocksBefore);
    if (cudaHostAlloc(&Byte, 1, HostAllocPortable) != CudaSuccess)
      Byte = nullptr;
  }
  // ThreadSanitizer takes a free for no wait. It knows the CPU device alone,
  // where there are no captures.
  cudaError_t Error = UnderTsan && echo_cpu_wait_device ? echo_cpu_wait_device()
                      : Byte ? cudaFreeHost(Byte)
                             : cudaDeviceSynchronize();
  if (!Error)
    noteUploadsEnded(Uploads);
  return Error;
}

bool isCaptureError(cudaError_t Error) {
  return Error >= CudaErrorStreamCaptureUnsupported &&
         Error <= CudaErrorCapturedEvent;
}

bool mayUseLegacyStream() {
  ErrorScope Errors;
  int Status = 0;
  return cudaStreamIsCapturing(streamLegacy(), &Status) == CudaSuccess &&
         Status == 0;
}

bool isIdle() {
  if (cudaPeekAtLastError() != CudaSuccess || !mayUseLegacyStream())
    return false;
  ErrorScope Errors;
  RelaxedCapture Capture;
  uint64_t Count = uploadsQueued();
  // Errors that stay do so: this call is not the one to take them away.
  if (cudaStreamQuery(streamLegacy()) != CudaSuccess)
    return false;
  noteUploadsEnded(Count);
  return true;
}

bool becomesIdle() {
  static constexpr int Pause = 100, Patience = 2000000; // microseconds
  for (int Waited = 0; !isIdle(); Waited += Pause) {
    if (Waited >= Patience || !mayUseLegacyStream() ||
        cudaPeekAtLastError() != CudaSuccess)
      return false;
    usleep(Pause);
  }
  return true;
}

} // namespace echo::rt

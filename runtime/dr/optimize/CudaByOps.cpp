//===- CudaByOps.cpp - CUDA as echort's code finds it here ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function asks the interposer by which the program's first call came.
// What a interposer cannot be asked fails, and echort's code takes that as a
// device that lacks it. Errors and captures are the interposers' business.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/CudaByOps.h"

#include "runtime/dr/Core.h"
#include "runtime/dr/optimize/Budget.h"
#include "runtime/dr/optimize/Memory.h"
#include "runtime/rt/CudaDecls.h"
#include "runtime/rt/Upload.h"
#include "runtime/rt/Waits.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

static const DeviceOps *Interposer; ///< atomic

void useOps(const DeviceOps &Ops) {
  const DeviceOps *None = nullptr;
  __atomic_compare_exchange_n(&Interposer, &None, &Ops, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_RELAXED);
}

const DeviceOps *opsInUse() {
  return __atomic_load_n(&Interposer, __ATOMIC_ACQUIRE);
}

} // namespace echo::dr

using echo::dr::DeviceOps;

static constexpr int Lacking = 34; // cudaErrorStubLibrary

template <class Member, class... Args>
static int ask(Member DeviceOps::*Function, Args... A) {
  const DeviceOps *Ops = echo::dr::opsInUse();
  return Ops && Ops->*Function ? (Ops->*Function)(A...) : Lacking;
}

extern "C" {
int cudaGetDevice(int *Device) {
  return ask(&DeviceOps::currentDevice, Device);
}
int cudaSetDevice(int) { return Lacking; }
int cudaDeviceGetAttribute(int *Value, int Attribute, int Device) {
  return ask(&DeviceOps::attribute, Value, Attribute, Device);
}
int cudaDriverGetVersion(int *Version) {
  int Runtime = 0;
  return ask(&DeviceOps::versions, Version, &Runtime);
}
int cudaDeviceSynchronize() { return ask(&DeviceOps::waitDevice); }
int cudaPeekAtLastError() {
  const DeviceOps *Ops = echo::dr::opsInUse();
  return Ops && Ops->errorPending && Ops->errorPending() ? Lacking : 0;
}
int cudaGetLastError() { return 0; }
int cudaMemGetInfo(size_t *, size_t *) { return Lacking; }
int cudaMallocManaged(void **Pointer, size_t Bytes, unsigned) {
  return ask(&DeviceOps::allocManaged, Pointer, Bytes);
}
int cudaHostAlloc(void **Pointer, size_t Bytes, unsigned) {
  return ask(&DeviceOps::allocMapped, Pointer, Bytes);
}
int cudaHostRegister(void *Pointer, size_t Bytes, unsigned) {
  if (!echo::dr::takePinned(Pointer, Bytes))
    return Lacking;
  const int Status = ask(&DeviceOps::registerHost, Pointer, Bytes, false);
  if (Status)
    echo::dr::givePinned(Pointer);
  return Status;
}
int cudaHostUnregister(void *Pointer) {
  constexpr int NotRegistered = 713; // a reset has unpinned it already
  const int Status = ask(&DeviceOps::unregisterHost, Pointer);
  if (!Status || Status == NotRegistered)
    echo::dr::givePinned(Pointer);
  return Status;
}
int madvise(void *At, size_t Bytes, int Advice) noexcept {
  constexpr size_t MostInHugePages = 64 << 20;
  if (Advice == MADV_HUGEPAGE && Bytes > MostInHugePages)
    return 0;
  return static_cast<int>(syscall(SYS_madvise, At, Bytes, Advice));
}
int cudaHostGetDevicePointer(void **Device, void *Host, unsigned) {
  return ask(&DeviceOps::devicePointer, Device, Host);
}
int cudaPointerGetAttributes(cudaPointerAttributes *, const void *) {
  return Lacking;
}
int cudaFree(void *Pointer) { return ask(&DeviceOps::freeManaged, Pointer); }
int cudaFreeHost(void *Pointer) { return ask(&DeviceOps::freeMapped, Pointer); }
int cudaMemcpy(void *Dst, const void *Src, size_t Bytes, int) {
  return ask(&DeviceOps::copy, Dst, Src, Bytes);
}
int cudaStreamIsCapturing(cudaStream_t, int *) { return Lacking; }
int cudaThreadExchangeStreamCaptureMode(int *) { return Lacking; }
int cudaStreamQuery(cudaStream_t) { return Lacking; }
int cudaStreamSynchronize(cudaStream_t Stream) {
  return ask(&DeviceOps::waitStream, Stream);
}
int cudaEventCreateWithFlags(cudaEvent_t *, unsigned) { return Lacking; }
int cudaEventDestroy(cudaEvent_t) { return Lacking; }
int cudaEventRecord(cudaEvent_t, cudaStream_t) { return Lacking; }
int cudaEventSynchronize(cudaEvent_t) { return Lacking; }
int cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return Lacking; }
}

// The interposers drop a block only after nothing on the device uses it, and
// they queue no uploads of their own.
namespace echo::rt {
bool isIdle() { return true; }
bool becomesIdle() { return true; }
bool uploadHasEnded(uint64_t) { return true; }
} // namespace echo::rt

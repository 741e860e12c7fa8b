//===- Ops.cpp - What Echo asks of CUDA by the driver ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function here runs Inside, so that no interposer counts it, and with
// the thread's capture mode relaxed, so that a capture in progress is not
// broken. The driver keeps no pending error as the runtime does: a failing call
// leaves nothing behind, except after a fault that ends the context anyway.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/driver/Ops.h"
#include "runtime/dr/driver/Resolve.h"

namespace echo::dr {

namespace {

constexpr int NotFound = 500;        // CUDA_ERROR_NOT_FOUND
constexpr int CaptureRelaxed = 2;    // CU_STREAM_CAPTURE_MODE_RELAXED
constexpr uint64_t Portable = 1;     // CU_MEMHOSTREGISTER_, CU_MEMHOSTALLOC_
constexpr uint64_t Mapped = 2;       // both DEVICEMAP
constexpr uint64_t AttachGlobal = 1; // CU_MEM_ATTACH_GLOBAL

uint64_t word(const void *Pointer) {
  return reinterpret_cast<uint64_t>(Pointer);
}

template <class... Words> int ask(const char *Symbol, Words... W) {
  void *Function = realDriverFunction(Symbol);
  const uint64_t Args[] = {static_cast<uint64_t>(W)..., 0};
  return Function ? invokeDriver(Function, sizeof...(W), Args) : NotFound;
}

/// Around what a capture elsewhere in the process would forbid.
class Relaxed {
public:
  Relaxed() { exchange(); }
  ~Relaxed() { exchange(); }
  Relaxed(const Relaxed &) = delete;
  Relaxed &operator=(const Relaxed &) = delete;

private:
  void exchange() { ask("cuThreadExchangeStreamCaptureMode", word(&Mode)); }
  int Mode = CaptureRelaxed;
  Inside Echo;
};

int registerHost(void *Base, size_t Bytes, bool Map) {
  Relaxed Guard;
  return ask("cuMemHostRegister_v2", word(Base), Bytes,
             Portable | (Map ? Mapped : 0));
}

int unregisterHost(void *Base) {
  Relaxed Guard;
  return ask("cuMemHostUnregister", word(Base));
}

int devicePointer(void **Device, void *Host) {
  Relaxed Guard;
  return ask("cuMemHostGetDevicePointer_v2", word(Device), word(Host), 0);
}

int allocDevice(void **Pointer, size_t Bytes) {
  Relaxed Guard;
  return ask("cuMemAlloc_v2", word(Pointer), Bytes);
}

int allocManaged(void **Pointer, size_t Bytes) {
  Relaxed Guard;
  return ask("cuMemAllocManaged", word(Pointer), Bytes, AttachGlobal);
}

int allocMapped(void **Pointer, size_t Bytes) {
  Relaxed Guard;
  return ask("cuMemHostAlloc", word(Pointer), Bytes, Portable | Mapped);
}

int freeManaged(void *Pointer) {
  Relaxed Guard;
  return ask("cuMemFree_v2", word(Pointer));
}

int freeMapped(void *Pointer) {
  Relaxed Guard;
  return ask("cuMemFreeHost", word(Pointer));
}

int copy(void *Dst, const void *Src, size_t Bytes) {
  Relaxed Guard;
  return ask("cuMemcpy", word(Dst), word(Src), Bytes);
}

int waitStream(void *Stream) {
  Inside Echo;
  return ask("cuStreamSynchronize", word(Stream));
}

int waitDevice() {
  Inside Echo;
  return ask("cuCtxSynchronize");
}

/// What a copy in \p Stream would wait for, and more.
int waitForMore(void *Stream) {
  const int Status = waitStream(Stream); // which may be another context's
  return Status ? Status : waitDevice();
}

int waitRecorded(void *Stream, bool InStream) {
  constexpr uint64_t DisableTiming = 2;
  void *Recorded = nullptr;
  int Status;
  {
    Relaxed Guard;
    if (ask("cuEventCreate", word(&Recorded), DisableTiming))
      return waitForMore(Stream);
    Status = ask("cuEventRecord", word(Recorded), word(Stream));
    if (!Status && InStream)
      Status = ask("cuStreamWaitEvent", word(Stream), word(Recorded), 0);
  }
  if (Status)
    Status = waitForMore(Stream);
  else if (!InStream)
    Status = ask("cuEventSynchronize", word(Recorded));
  Relaxed Guard;
  ask("cuEventDestroy_v2", word(Recorded));
  return Status;
}

int queueUpload(void *Dst, const void *Src, size_t Bytes, void **Recorded) {
  constexpr uint64_t DisableTiming = 2;
  Relaxed Guard;
  *Recorded = nullptr;
  const int Status =
      ask("cuMemcpyHtoDAsync_v2", word(Dst), word(Src), Bytes, LegacyStream);
  if (Status)
    return Status;
  if (ask("cuEventCreate", word(Recorded), DisableTiming))
    *Recorded = nullptr;
  else if (ask("cuEventRecord", word(*Recorded), LegacyStream)) {
    ask("cuEventDestroy_v2", word(*Recorded));
    *Recorded = nullptr;
  }
  return *Recorded ? 0 : ask("cuStreamSynchronize", LegacyStream);
}

void dropRecorded(void *Recorded, bool Waits) {
  Relaxed Guard;
  if (Waits)
    ask("cuEventSynchronize", word(Recorded));
  ask("cuEventDestroy_v2", word(Recorded));
}

int queryStream(void *Stream) {
  Relaxed Guard;
  return ask("cuStreamQuery", word(Stream));
}

int callInStream(void *Stream, void (*Function)(void *), void *Data) {
  Relaxed Guard;
  return ask("cuLaunchHostFunc", word(Stream),
             reinterpret_cast<uint64_t>(Function), word(Data));
}

int currentDevice(int *Device) {
  Inside Echo;
  return ask("cuCtxGetDevice", word(Device));
}

int currentContext(uint64_t *Context) {
  // Asked at each call: the loader, which may be busy with a constructor that
  // waits for the caller's lock, is asked once.
  static void *Known;
  Inside Echo;
  *Context = 0;
  void *Function = __atomic_load_n(&Known, __ATOMIC_ACQUIRE);
  if (!Function) {
    Function = realDriverFunction("cuCtxGetCurrent");
    __atomic_store_n(&Known, Function, __ATOMIC_RELEASE);
  }
  const uint64_t Args[] = {word(Context)};
  return Function ? invokeDriver(Function, 1, Args) : NotFound;
}

int attribute(int *Value, int Attribute, int Device) {
  Inside Echo;
  return ask("cuDeviceGetAttribute", word(Value), Attribute, Device);
}

int deviceName(char *Name, size_t Bytes, int Device) {
  Inside Echo;
  return ask("cuDeviceGetName", word(Name), Bytes, Device);
}

int versions(int *Driver, int *Runtime) {
  Inside Echo;
  *Runtime = 0; // the runtime, if there is one, is inside of the program
  return ask("cuDriverGetVersion", word(Driver));
}

bool errorPending() { return false; }

int isCapturing(void *Stream, int *Status) {
  Relaxed Guard;
  return ask("cuStreamIsCapturing", word(Stream), word(Status));
}

/// A launch may name a function or a kernel of a library's.
int kernelName(const char **Name, const void *Function) {
  Inside Echo;
  const int Status = ask("cuFuncGetName", word(Name), word(Function));
  return Status ? ask("cuKernelGetName", word(Name), word(Function)) : Status;
}

} // namespace

const DeviceOps DriverOps = {
    .Api = 2,
    .registerHost = registerHost,
    .unregisterHost = unregisterHost,
    .devicePointer = devicePointer,
    .allocDevice = allocDevice,
    .allocManaged = allocManaged,
    .allocMapped = allocMapped,
    .freeManaged = freeManaged,
    .freeMapped = freeMapped,
    .copy = copy,
    .waitStream = waitStream,
    .waitDevice = waitDevice,
    .waitRecorded = waitRecorded,
    .queueUpload = queueUpload,
    .dropRecorded = dropRecorded,
    .queryStream = queryStream,
    .callInStream = callInStream,
    .currentDevice = currentDevice,
    .currentContext = currentContext,
    .attribute = attribute,
    .deviceName = deviceName,
    .versions = versions,
    .errorPending = errorPending,
    .isCapturing = isCapturing,
    .kernelName = kernelName,
    .isThere = nullptr,
};

} // namespace echo::dr

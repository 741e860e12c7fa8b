//===- RuntimeOps.cpp - What Echo asks of the CUDA runtime ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares by hand what CUDA 11 to 13 agree on. An error of a call from here
// never shows in the program's cudaGetLastError, and no call from here ends a
// stream capture of another thread.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/RuntimeOps.h"
#include "runtime/dr/OwnMemory.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/driver/Ops.h"

#include <dlfcn.h>
#include <string.h>

namespace echo::dr {

namespace {
struct Runtime {
  int (*peek)();
  int (*getLastError)();
  int (*exchangeCaptureMode)(int *);
  int (*hostRegister)(void *, size_t, unsigned);
  int (*hostUnregister)(void *);
  int (*hostGetDevicePointer)(void **, void *, unsigned);
  int (*malloc)(void **, size_t);
  int (*mallocManaged)(void **, size_t, unsigned);
  int (*hostAlloc)(void **, size_t, unsigned);
  int (*free)(void *);
  int (*freeHost)(void *);
  int (*memcpy)(void *, const void *, size_t, int);
  int (*memcpyAsync)(void *, const void *, size_t, int, void *);
  int (*streamSynchronize)(void *);
  int (*streamQuery)(void *);
  int (*launchHostFunc)(void *, void (*)(void *), void *);
  int (*deviceSynchronize)();
  int (*eventCreate)(void **, unsigned);
  int (*eventRecord)(void *, void *);
  int (*eventSynchronize)(void *);
  int (*eventDestroy)(void *);
  int (*streamWaitEvent)(void *, void *, unsigned);
  int (*getDevice)(int *);
  int (*deviceGetAttribute)(int *, int, int);
  int (*getDeviceProperties)(void *, int);
  int (*driverGetVersion)(int *);
  int (*runtimeGetVersion)(int *);
  int (*streamIsCapturing)(void *, int *);
  int (*funcGetName)(const char **, const void *);
};

/// Hides an error of a call in its scope, and lets a capture be.
class Unseen {
public:
  Unseen();
  ~Unseen();
  Unseen(const Unseen &) = delete;
  Unseen &operator=(const Unseen &) = delete;

private:
  Inside Own;
  bool Pending;
  int Mode = 2; // relaxed
  bool Changed;
};
} // namespace

static Runtime Cuda;
static int State; ///< 0 not found, 1 under way, 2 found; atomic

template <class F> static void take(void *Handle, F *&Slot, const char *Name) {
  Slot = reinterpret_cast<F *>(systemDlsym(Handle, Name));
}

void foundRuntime(void *Function) {
  int Expected = 0;
  if (__builtin_expect(__atomic_load_n(&State, __ATOMIC_ACQUIRE) != 0, 1) ||
      !__atomic_compare_exchange_n(&State, &Expected, 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return;
  Inside Own;
  Dl_info Info;
  void *Handle = nullptr;
  if (!exitBegan() && dladdr(Function, &Info) && Info.dli_fname)
    Handle = dlopen(Info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  // Where the program itself is the runtime, search after this library.
  if (!Handle)
    Handle = RTLD_NEXT;
  take(Handle, Cuda.peek, "cudaPeekAtLastError");
  take(Handle, Cuda.getLastError, "cudaGetLastError");
  take(Handle, Cuda.exchangeCaptureMode, "cudaThreadExchangeStreamCaptureMode");
  take(Handle, Cuda.hostRegister, "cudaHostRegister");
  take(Handle, Cuda.hostUnregister, "cudaHostUnregister");
  take(Handle, Cuda.hostGetDevicePointer, "cudaHostGetDevicePointer");
  take(Handle, Cuda.malloc, "cudaMalloc");
  take(Handle, Cuda.mallocManaged, "cudaMallocManaged");
  take(Handle, Cuda.hostAlloc, "cudaHostAlloc");
  take(Handle, Cuda.free, "cudaFree");
  take(Handle, Cuda.freeHost, "cudaFreeHost");
  take(Handle, Cuda.memcpy, "cudaMemcpy");
  take(Handle, Cuda.memcpyAsync, "cudaMemcpyAsync");
  take(Handle, Cuda.streamSynchronize, "cudaStreamSynchronize");
  take(Handle, Cuda.streamQuery, "cudaStreamQuery");
  take(Handle, Cuda.launchHostFunc, "cudaLaunchHostFunc");
  take(Handle, Cuda.deviceSynchronize, "cudaDeviceSynchronize");
  take(Handle, Cuda.eventCreate, "cudaEventCreateWithFlags");
  take(Handle, Cuda.eventRecord, "cudaEventRecord");
  take(Handle, Cuda.eventSynchronize, "cudaEventSynchronize");
  take(Handle, Cuda.eventDestroy, "cudaEventDestroy");
  take(Handle, Cuda.streamWaitEvent, "cudaStreamWaitEvent");
  take(Handle, Cuda.getDevice, "cudaGetDevice");
  take(Handle, Cuda.deviceGetAttribute, "cudaDeviceGetAttribute");
  take(Handle, Cuda.getDeviceProperties, "cudaGetDeviceProperties");
  take(Handle, Cuda.driverGetVersion, "cudaDriverGetVersion");
  take(Handle, Cuda.runtimeGetVersion, "cudaRuntimeGetVersion");
  take(Handle, Cuda.streamIsCapturing, "cudaStreamIsCapturing");
  take(Handle, Cuda.funcGetName, "cudaFuncGetName"); // since 12.3
  __atomic_store_n(&State, 2, __ATOMIC_RELEASE);
}

static constexpr int NotThere = 34; // cudaErrorStubLibrary

static bool pending() { return Cuda.peek && Cuda.peek() != 0; }

Unseen::Unseen()
    : Pending(pending()),
      Changed(Cuda.exchangeCaptureMode && !Cuda.exchangeCaptureMode(&Mode)) {}
Unseen::~Unseen() {
  if (Changed)
    Cuda.exchangeCaptureMode(&Mode);
  if (!Pending && pending() && Cuda.getLastError)
    Cuda.getLastError();
}

template <class F, class... Args> static int ask(F *Function, Args... A) {
  if (__atomic_load_n(&State, __ATOMIC_ACQUIRE) != 2 || !Function)
    return NotThere;
  Unseen Scope;
  return Function(A...);
}

static int registerHost(void *Base, size_t Bytes, bool Mapped) {
  return ask(Cuda.hostRegister, Base, Bytes, Mapped ? 3u : 1u);
}
static int unregisterHost(void *Base) { return ask(Cuda.hostUnregister, Base); }
static int devicePointer(void **Device, void *Host) {
  return ask(Cuda.hostGetDevicePointer, Device, Host, 0u);
}
static int allocDevice(void **Pointer, size_t Bytes) {
  return ask(Cuda.malloc, Pointer, Bytes);
}
static int allocManaged(void **Pointer, size_t Bytes) {
  return ask(Cuda.mallocManaged, Pointer, Bytes, 1u);
}
static int allocMapped(void **Pointer, size_t Bytes) {
  return ask(Cuda.hostAlloc, Pointer, Bytes, 3u);
}
static int freeManaged(void *Pointer) { return ask(Cuda.free, Pointer); }
static int freeMapped(void *Pointer) { return ask(Cuda.freeHost, Pointer); }
static int copy(void *Dst, const void *Src, size_t Bytes) {
  return ask(Cuda.memcpy, Dst, Src, Bytes, 4);
}
/// An error of a wait is the program's: it says what its own work did.
static int waitStream(void *Stream) {
  Inside Own;
  return Cuda.streamSynchronize ? Cuda.streamSynchronize(Stream) : NotThere;
}
static int waitDevice() {
  Inside Own;
  return Cuda.deviceSynchronize ? Cuda.deviceSynchronize() : NotThere;
}

/// What a copy in \p Stream would wait for, and more.
static int waitForMore(void *Stream) {
  const int Status = waitStream(Stream); // which may be another device's
  return Status ? Status : waitDevice();
}

/// Without an event, which a device that is short of memory may refuse, more is
/// waited for than the copy would have.
static int waitRecorded(void *Stream, bool InStream) {
  constexpr unsigned DisableTiming = 2;
  void *Recorded = nullptr;
  if (ask(Cuda.eventCreate, &Recorded, DisableTiming))
    return waitForMore(Stream);
  int Status = ask(Cuda.eventRecord, Recorded, Stream);
  if (!Status && InStream)
    Status = ask(Cuda.streamWaitEvent, Stream, Recorded, 0u);
  if (Status) {
    Status = waitForMore(Stream);
  } else if (!InStream) {
    Inside Own;
    Status = Cuda.eventSynchronize ? Cuda.eventSynchronize(Recorded) : NotThere;
  }
  ask(Cuda.eventDestroy, Recorded);
  return Status;
}

static int queueUpload(void *Dst, const void *Src, size_t Bytes,
                       void **Recorded) {
  constexpr unsigned DisableTiming = 2;
  constexpr int HostToDevice = 1;
  void *const Legacy = nullptr;
  *Recorded = nullptr;
  const int Status =
      ask(Cuda.memcpyAsync, Dst, Src, Bytes, HostToDevice, Legacy);
  if (Status)
    return Status;
  if (ask(Cuda.eventCreate, Recorded, DisableTiming))
    *Recorded = nullptr;
  else if (ask(Cuda.eventRecord, *Recorded, Legacy)) {
    ask(Cuda.eventDestroy, *Recorded);
    *Recorded = nullptr;
  }
  return *Recorded ? 0 : waitStream(Legacy);
}

static void dropRecorded(void *Recorded, bool Waits) {
  if (Waits)
    ask(Cuda.eventSynchronize, Recorded);
  ask(Cuda.eventDestroy, Recorded);
}

/// True for an error after which the device does nothing more: it stays.
static bool isOfDevice(int Error) {
  switch (Error) {
  case 214: // cudaErrorECCUncorrectable
  case 700: // cudaErrorIllegalAddress
  case 702: // cudaErrorLaunchTimeout
  case 710: // cudaErrorAssert
  case 714: // cudaErrorHardwareStackError
  case 715: // cudaErrorIllegalInstruction
  case 716: // cudaErrorMisalignedAddress
  case 717: // cudaErrorInvalidAddressSpace
  case 718: // cudaErrorInvalidPc
  case 719: // cudaErrorLaunchFailure
  case 999: // cudaErrorUnknown
    return true;
  default:
    return false;
  }
}

constexpr int NoDriver = 500; // CUDA_ERROR_NOT_FOUND

/// An answer of "not ready" would take the place of an error of the program's
/// that is pending. The driver's query, where there is a driver, keeps none.
static int queryStream(void *Stream) {
  if (__atomic_load_n(&State, __ATOMIC_ACQUIRE) != 2 || !pending())
    return ask(Cuda.streamQuery, Stream);
  if (const int Status = DriverOps.queryStream(Stream); Status != NoDriver)
    return Status;
  const int Error = Cuda.peek();
  return isOfDevice(Error) ? Error : NotReady;
}
static int currentDevice(int *Device) { return ask(Cuda.getDevice, Device); }
/// Programs change it by the driver, too, where there is one.
static int currentContext(uint64_t *Context) {
  if (const int Status = DriverOps.currentContext(Context); Status != NoDriver)
    return Status;
  int Device = 0;
  const int Status = currentDevice(&Device);
  *Context = static_cast<uint64_t>(Device) + 1;
  return Status;
}
static int attribute(int *Value, int Attribute, int Device) {
  return ask(Cuda.deviceGetAttribute, Value, Attribute, Device);
}

static int deviceName(char *Name, size_t Bytes, int Device) {
  // The name is the first of the structure's members, which other versions
  // made longer. The program's stack may be a small one.
  constexpr size_t Most = 8192;
  auto *Structure = static_cast<char *>(mapOwn(Most));
  if (!Structure)
    return NotThere;
  const int Status =
      ask(Cuda.getDeviceProperties, static_cast<void *>(Structure), Device);
  if (Status == 0) {
    Structure[255] = 0;
    strncpy(Name, Structure, Bytes - 1);
    Name[Bytes - 1] = 0;
  }
  unmapOwn(Structure, Most);
  return Status;
}

static int versions(int *Driver, int *Runtime) {
  int Status = ask(Cuda.driverGetVersion, Driver);
  return Status ? Status : ask(Cuda.runtimeGetVersion, Runtime);
}

static bool errorPending() { return pending(); }

static int callInStream(void *Stream, void (*Function)(void *), void *Data) {
  return ask(Cuda.launchHostFunc, Stream, Function, Data);
}

static int isCapturing(void *Stream, int *Status) {
  return ask(Cuda.streamIsCapturing, Stream, Status);
}

static int kernelName(const char **Name, const void *Function) {
  return ask(Cuda.funcGetName, Name, Function);
}

static bool isThere() { return __atomic_load_n(&State, __ATOMIC_ACQUIRE) == 2; }

static const DeviceOps Ops = {
    /*Interposer=*/1, registerHost,
    unregisterHost,   devicePointer,
    allocDevice,      allocManaged,
    allocMapped,      freeManaged,
    freeMapped,       copy,
    waitStream,       waitDevice,
    waitRecorded,     queueUpload,
    dropRecorded,     queryStream,
    callInStream,     currentDevice,
    currentContext,   attribute,
    deviceName,       versions,
    errorPending,     isCapturing,
    kernelName,       isThere};

const DeviceOps &runtimeOps() { return Ops; }

} // namespace echo::dr

//===- FakeDriver.cpp - A libcuda.so.1 for tests without a GPU ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the CUDA driver that tests of the driver interposer need, on the
// host's memory. Work is queued and runs at the next wait, so a missing wait
// shows: asynchronous copies of registered memory read and write it only then,
// those of pageable memory at once, as CUDA does. A kernel is a FakeKernel of
// the program. It must never be linked into anything but tests.
//
//===----------------------------------------------------------------------===//
#include "FakeDriver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace {

std::recursive_mutex Lock;
std::vector<std::function<void()>> Queue;
std::map<uint64_t, size_t> Device;     // allocations
std::map<uint64_t, size_t> Registered; // pinned host memory
std::map<std::string, int> Calls;

constexpr int Invalid = 1, NotFound = 500;
bool Down; ///< the process ends, and the driver has gone
constexpr int Deinitialized = 4;
constexpr int CaptureForbids = 900, CaptureBroken = 901;

/// Work that a graph runs, each time it is launched.
struct Graph {
  std::vector<std::function<void()>> Work;
  bool Broken = false;
};
Graph *Recording; ///< by the capture that is under way
void *Capturing;  ///< the stream that is captured

/// True if \p Work goes into a graph, not to the device.
bool captured(void *Stream, std::function<void()> Work) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (!Recording || Stream != Capturing)
    return false;
  Recording->Work.push_back(std::move(Work));
  return true;
}

/// A wait that a capture in progress forbids, and that ends it.
bool breaksCapture(void *Stream) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (!Recording || Stream != Capturing)
    return false;
  return Recording->Broken = true;
}

thread_local bool InHostFunc; ///< where no call is allowed

void count(const char *Name) {
  if (InHostFunc) {
    fprintf(stderr, "%s is called in a host function\n", Name);
    abort();
  }
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  ++Calls[Name];
}
#define COUNT count(__func__)

void runAll() {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  auto Work = std::move(Queue);
  Queue.clear();
  for (auto &W : Work)
    W();
}

void enqueue(std::function<void()> Work) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Queue.push_back(std::move(Work));
}

bool inside(const std::map<uint64_t, size_t> &Map, uint64_t Address) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  auto It = Map.upper_bound(Address);
  return It != Map.begin() && Address - (--It)->first < It->second;
}

int allocate(uint64_t *Out, size_t Bytes) {
  if (!Out || !Bytes)
    return Invalid;
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (P == MAP_FAILED)
    return 2;
  *Out = reinterpret_cast<uint64_t>(P);
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Device[*Out] = Bytes;
  return 0;
}

int release(uint64_t Address) {
  if (!Address)
    return 0;
  runAll();
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  auto It = Device.find(Address);
  if (It == Device.end())
    return Invalid;
  munmap(reinterpret_cast<void *>(Address), It->second);
  Device.erase(It);
  return 0;
}

void move(uint64_t Dst, uint64_t Src, size_t Bytes) {
  memcpy(reinterpret_cast<void *>(Dst), reinterpret_cast<void *>(Src), Bytes);
}

int copyNow(uint64_t Dst, uint64_t Src, size_t Bytes) {
  runAll();
  move(Dst, Src, Bytes);
  return 0;
}

int copyLater(uint64_t Dst, uint64_t Src, size_t Bytes) {
  const bool Later = (inside(Device, Dst) || inside(Registered, Dst)) &&
                     (inside(Device, Src) || inside(Registered, Src));
  if (Later) {
    enqueue([=] { move(Dst, Src, Bytes); });
    return 0;
  }
  if (inside(Device, Dst)) { // pageable source: staged
    std::vector<char> Staged(reinterpret_cast<char *>(Src),
                             reinterpret_cast<char *>(Src) + Bytes);
    enqueue(
        [=] { memcpy(reinterpret_cast<void *>(Dst), Staged.data(), Bytes); });
    return 0;
  }
  return copyNow(Dst, Src, Bytes);
}

int launch(const FakeKernel *K, void **Params, void *Stream = nullptr) {
  if (!K)
    return 400;
  std::vector<uint64_t> Values(K->NumParams);
  for (unsigned I = 0; I != K->NumParams; ++I)
    memcpy(&Values[I], Params[I], sizeof(uint64_t));
  auto Run = [K, Values]() mutable { K->Run(Values.data()); };
  if (!captured(Stream, Run))
    enqueue(Run);
  return 0;
}

} // namespace

#define API extern "C" __attribute__((visibility("default"))) int

extern "C"
    __attribute__((visibility("default"))) int fakeCalls(const char *Name) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  return Calls[Name];
}

API cuInit(unsigned) {
  static const bool Registered = atexit([] { Down = true; }) == 0;
  return !Registered;
}
API cuDriverGetVersion(int *V) { return *V = 13000, 0; }
API cuDeviceGetCount(int *N) { return *N = 1, 0; }
API cuDeviceGet(int *D, int) { return *D = 0, 0; }
API cuDeviceGetName(char *Name, int Bytes, int) {
  strncpy(Name, "Fake", static_cast<size_t>(Bytes));
  return 0;
}
/// ECHO_FAKE_UUID: its last digits; without it there is none.
API cuDeviceGetUuid_v2(unsigned char *Uuid, int) {
  memset(Uuid, 0, 16);
  if (const char *Last = getenv("ECHO_FAKE_UUID"))
    Uuid[15] = static_cast<unsigned char>(strtoul(Last, nullptr, 16));
  return 0;
}
API cuDeviceGetAttribute(int *V, int Which, int) {
  // Mapped host memory, unified addresses, registration.
  return *V = Which == 19 || Which == 41 || Which == 99, 0;
}
API cuCtxCreate_v2(void **C, unsigned, int) { return *C = &Queue, 0; }
API cuDevicePrimaryCtxRetain(void **C, int) { return *C = &Queue, 0; }
API cuCtxSetCurrent(void *) { return 0; }
API cuModuleLoadData(void **M, const void *) { return *M = &Queue, 0; }
/// The one kernel of all modules: q[i] = 3 * p[i] + 1, of n numbers.
static const FakeKernel Scale = {
    [](uint64_t *X) {
      const auto *P = reinterpret_cast<uint32_t *>(X[0]);
      auto *Q = reinterpret_cast<uint32_t *>(X[1]);
      for (uint32_t I = 0; I != static_cast<uint32_t>(X[2]); ++I)
        Q[I] = 3 * P[I] + 1;
    },
    3};
API cuModuleGetFunction(const FakeKernel **F, void *, const char *) {
  return *F = &Scale, 0;
}
API cuFuncGetName(const char **Name, const FakeKernel *F) {
  constexpr int InvalidHandle = 400;
  if (F != &Scale)
    return InvalidHandle;
  return *Name = "scale", 0;
}
API cuCtxGetDevice(int *D) { return *D = 0, 0; }
API cuCtxSynchronize() {
  COUNT;
  if (Down)
    return Deinitialized;
  if (breaksCapture(Capturing))
    return CaptureForbids;
  return runAll(), 0;
}
API cuCtxGetCurrent(void **C) { return *C = &Queue, 0; }
/// Another context than the one that there is has no work.
API cuCtxSynchronize_v2(void *C) {
  COUNT;
  return C == &Queue ? runAll() : void(), 0;
}
API cuThreadExchangeStreamCaptureMode(int *) { return 0; }

API cuMemAlloc_v2(uint64_t *P, size_t N) { return COUNT, allocate(P, N); }
API cuMemAlloc(uint32_t *, uint32_t) { return COUNT, Invalid; }
API cuMemAllocAsync(uint64_t *P, size_t N, void *) {
  return COUNT, allocate(P, N);
}
API cuMemAllocAsync_ptsz(uint64_t *P, size_t N, void *) {
  return COUNT, allocate(P, N);
}
API cuMemAllocPitch_v2(uint64_t *P, size_t *Pitch, size_t Width, size_t Height,
                       unsigned) {
  COUNT;
  *Pitch = (Width + 511) / 512 * 512;
  return allocate(P, *Pitch * Height);
}
API cuMemFree_v2(uint64_t P) {
  return COUNT, Down ? Deinitialized : release(P);
}
API cuMemFreeAsync(uint64_t P, void *) { return COUNT, release(P); }
API cuMemHostAlloc(void **P, size_t N, unsigned) {
  COUNT;
  uint64_t Address = 0;
  const int Status = allocate(&Address, N);
  *P = reinterpret_cast<void *>(Address);
  return Status;
}
API cuMemFreeHost(void *P) {
  return COUNT, release(reinterpret_cast<uint64_t>(P));
}
API cuMemHostRegister_v2(void *P, size_t N, unsigned) {
  COUNT;
  if (inside(Registered, reinterpret_cast<uint64_t>(P)))
    return 712;
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  Registered[reinterpret_cast<uint64_t>(P)] = N;
  return 0;
}
API cuMemHostUnregister(void *P) {
  COUNT;
  if (Down)
    return Deinitialized;
  runAll();
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  return Registered.erase(reinterpret_cast<uint64_t>(P)) ? 0 : 713;
}
API cuMemHostGetDevicePointer_v2(uint64_t *D, void *H, unsigned) {
  COUNT;
  *D = reinterpret_cast<uint64_t>(H);
  return inside(Registered, *D) ? 0 : Invalid;
}
API cuMemcpy(uint64_t D, uint64_t S, size_t N) {
  return COUNT, copyNow(D, S, N);
}
API cuMemcpyHtoD_v2(uint64_t D, const void *S, size_t N) {
  return COUNT, copyNow(D, reinterpret_cast<uint64_t>(S), N);
}
API cuMemcpyHtoD_v2_ptds(uint64_t D, const void *S, size_t N) {
  return COUNT, copyNow(D, reinterpret_cast<uint64_t>(S), N);
}
API cuMemcpyDtoH_v2(void *D, uint64_t S, size_t N) {
  return COUNT, copyNow(reinterpret_cast<uint64_t>(D), S, N);
}
API cuMemcpyDtoD_v2(uint64_t D, uint64_t S, size_t N) {
  return COUNT, copyLater(D, S, N);
}
API cuMemcpyAsync(uint64_t D, uint64_t S, size_t N, void *) {
  return COUNT, copyLater(D, S, N);
}
API cuMemcpyAsync_ptsz(uint64_t D, uint64_t S, size_t N, void *) {
  return COUNT, copyLater(D, S, N);
}
API cuMemcpyHtoDAsync_v2(uint64_t D, const void *H, size_t N, void *Stream) {
  COUNT;
  const auto S = reinterpret_cast<uint64_t>(H);
  return captured(Stream, [=] { move(D, S, N); }) ? 0 : copyLater(D, S, N);
}
API cuMemcpyDtoHAsync_v2(void *H, uint64_t S, size_t N, void *Stream) {
  COUNT;
  const auto D = reinterpret_cast<uint64_t>(H);
  return captured(Stream, [=] { move(D, S, N); }) ? 0 : copyLater(D, S, N);
}
API cuMemcpyDtoH_v2_ptds(void *D, uint64_t S, size_t N) {
  return COUNT, copyNow(reinterpret_cast<uint64_t>(D), S, N);
}
/// Rows of host memory to the device.
API cuMemcpy2D_v2(const size_t *C) {
  COUNT;
  runAll();
  const auto *Src = reinterpret_cast<const char *>(C[3]);
  auto *Dst = reinterpret_cast<char *>(C[11]);
  for (size_t Row = 0; Row != C[15]; ++Row)
    memcpy(Dst + Row * C[13], Src + Row * C[6], C[14]);
  return 0;
}
API cuMemsetD8_v2(uint64_t D, unsigned char V, size_t N) {
  COUNT;
  enqueue([=] { memset(reinterpret_cast<void *>(D), V, N); });
  return 0;
}
API cuLaunchKernel(const FakeKernel *F, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, unsigned, void *Stream, void **Params,
                   void **) {
  return COUNT, launch(F, Params, Stream);
}
API cuLaunchKernel_ptsz(const FakeKernel *F, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, unsigned, void *,
                        void **Params, void **) {
  return COUNT, launch(F, Params);
}
API cuLaunchKernelEx(const void *, const FakeKernel *F, void **Params,
                     void **) {
  return COUNT, launch(F, Params);
}
/// On a thread of its own, as the driver does.
API cuLaunchHostFunc(void *, void (*Function)(void *), void *Data) {
  COUNT;
  enqueue([=] {
    std::thread([=] {
      InHostFunc = true;
      Function(Data);
    }).join();
  });
  return 0;
}
API cuStreamCreate(void **S, unsigned) {
  static uint64_t Next = 0x1000;
  return COUNT, *S = reinterpret_cast<void *>(Next += 16), 0;
}
API cuStreamDestroy_v2(void *) { return COUNT, runAll(), 0; }
API cuStreamSynchronize(void *S) {
  COUNT;
  if (breaksCapture(S))
    return CaptureForbids;
  return runAll(), 0;
}
API cuStreamSynchronize_ptsz(void *) { return COUNT, runAll(), 0; }
/// Work ends some time, whether or not it is waited for: by the tenth question.
API cuStreamQuery(void *) {
  static int Asked;
  COUNT;
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (!Queue.empty() && ++Asked % 10 == 0)
    runAll();
  return Queue.empty() ? 0 : 600;
}
API cuEventCreate(void **E, unsigned) { return *E = &Queue, 0; }
API cuEventRecord(void *, void *) { return COUNT, 0; }
API cuEventSynchronize(void *) { return COUNT, runAll(), 0; }
API cuPointerGetAttribute(void *Out, int Which, uint64_t P) {
  COUNT;
  const bool Host = inside(Registered, P);
  if (!Host && !inside(Device, P))
    return Invalid;
  if (Which == 2) // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    *static_cast<unsigned *>(Out) = Host ? 1 : 2;
  return 0;
}
API cuMemcpyPeer(uint64_t D, void *, uint64_t S, void *, size_t N) {
  return COUNT, copyNow(D, S, N);
}
// One stream is captured at a time. A graph is its own executable one.
API cuStreamBeginCapture_v2(void *S, int) {
  COUNT;
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (Recording || !S)
    return CaptureForbids;
  Recording = new Graph;
  Capturing = S;
  return 0;
}
API cuStreamIsCapturing(void *S, int *Status) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  return *Status = Recording && S == Capturing, 0;
}
API cuStreamEndCapture(void *S, Graph **Out) {
  COUNT;
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (!Recording || S != Capturing)
    return Invalid;
  const bool Broken = Recording->Broken;
  *Out = Broken ? nullptr : Recording;
  Recording = nullptr;
  return Broken ? CaptureBroken : 0;
}
API cuGraphCreate(Graph **Out, unsigned) { return *Out = new Graph, 0; }
API cuGraphGetNodes(Graph *G, void **, size_t *Count) {
  return *Count = G->Work.size(), 0;
}
API cuGraphInstantiateWithFlags(Graph **Out, Graph *G, uint64_t) {
  return *Out = G, G ? 0 : Invalid;
}
API cuGraphLaunch(Graph *G, void *) {
  COUNT;
  for (const auto &W : G->Work)
    enqueue(W);
  return 0;
}
// No textures: CUDA_ERROR_NOT_SUPPORTED.
API cuTexObjectCreate(uint64_t *, const void *, const void *, const void *) {
  return 801;
}

API cuGetProcAddress(const char *, void **, int, uint64_t);
API cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);

namespace {

struct Entry {
  const char *Base;
  int Version;
  bool PerThread;
  void *Function;
};
#define ENTRY(base, version, perThread, symbol)                                \
  {#base, version, perThread, reinterpret_cast<void *>(&symbol)}
const Entry Entries[] = {
    ENTRY(cuInit, 2000, false, cuInit),
    ENTRY(cuGetProcAddress, 11030, false, cuGetProcAddress),
    ENTRY(cuGetProcAddress, 12000, false, cuGetProcAddress_v2),
    ENTRY(cuDriverGetVersion, 2020, false, cuDriverGetVersion),
    ENTRY(cuMemAlloc, 2000, false, cuMemAlloc),
    ENTRY(cuMemAlloc, 3020, false, cuMemAlloc_v2),
    ENTRY(cuMemAllocAsync, 11020, false, cuMemAllocAsync),
    ENTRY(cuMemAllocAsync, 11020, true, cuMemAllocAsync_ptsz),
    ENTRY(cuMemFree, 3020, false, cuMemFree_v2),
    ENTRY(cuMemcpyHtoD, 3020, false, cuMemcpyHtoD_v2),
    ENTRY(cuMemcpyHtoD, 7000, true, cuMemcpyHtoD_v2_ptds),
    ENTRY(cuMemcpyDtoH, 3020, false, cuMemcpyDtoH_v2),
    ENTRY(cuMemcpyDtoH, 7000, true, cuMemcpyDtoH_v2_ptds),
    ENTRY(cuLaunchKernel, 7000, true, cuLaunchKernel_ptsz),
    ENTRY(cuMemcpyAsync, 4000, false, cuMemcpyAsync),
    ENTRY(cuMemcpyAsync, 7000, true, cuMemcpyAsync_ptsz),
    ENTRY(cuStreamSynchronize, 2000, false, cuStreamSynchronize),
    ENTRY(cuStreamSynchronize, 7000, true, cuStreamSynchronize_ptsz),
    ENTRY(cuLaunchKernel, 4000, false, cuLaunchKernel),
    // A signature that no toolkit knows yet.
    ENTRY(cuMemcpyAsync, 99000, false, cuInit),
};

} // namespace

API cuGetProcAddress(const char *Name, void **Out, int Version,
                     uint64_t Flags) {
  return cuGetProcAddress_v2(Name, Out, Version, Flags, nullptr);
}

API cuGetProcAddress_v2(const char *Name, void **Out, int Version,
                        uint64_t Flags, int *Found) {
  if (!Name || !Out)
    return Invalid;
  const Entry *Best = nullptr;
  for (const Entry &E : Entries)
    if (!strcmp(E.Base, Name) && E.Version <= Version &&
        (!E.PerThread || Flags == 2) &&
        (!Best || E.Version > Best->Version ||
         (E.Version == Best->Version && E.PerThread)))
      Best = &E;
  *Out = Best ? Best->Function : nullptr;
  if (Found)
    *Found = Best ? 0 : 1;
  return Best ? 0 : NotFound;
}

// The driver looks itself up, as it does on WSL.
#include <dlfcn.h>
extern "C" __attribute__((visibility("default"))) void *
fakeSelfLookUp(const char *Name) {
  return dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), Name);
}
extern "C" __attribute__((visibility("default"))) void *
fakeGlobalLookUp(const char *Name) {
  void *Found = dlsym(RTLD_DEFAULT, Name);
  return Found ? Found : nullptr; // no tail call: the caller is this library
}

//===- FakeCuda.cpp - A scripted CUDA runtime for echort's tests ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FakeCuda.h. Device memory is host memory; the last error and the current
// device are kept per thread, as CUDA does.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "runtime/rt/CudaDecls.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <unistd.h>

namespace {

struct Range {
  int Type; ///< cudaMemoryType
  size_t Bytes;
};

struct World {
  std::mutex Lock;
  fake::Script Script;
  std::vector<std::string> Log;
  std::map<std::string, unsigned> Counts;
  unsigned Calls = 0;
  std::map<const void *, Range> Memory;
  std::vector<const void *> Gone; ///< by resets, in leak checkers' sight
  std::map<void *, int> Events;   ///< event -> device
  std::set<void *> Registered;
  uintptr_t NextEvent = 0x1000;
};

World &world() {
  static World *W = new World; // outlives everything
  return *W;
}

thread_local int Last;
thread_local int Current;

std::string streamName(void *Stream) {
  auto Value = reinterpret_cast<uintptr_t>(Stream);
  return Value == 1   ? "legacy"
         : Value == 2 ? "per-thread"
                      : std::to_string(Value);
}

enum CallKind { Query, Act };

/// Logs a call and returns the scripted failure.
int enter(const std::string &Name, CallKind Kind, const std::string &Arg = "") {
  World &W = world();
  std::lock_guard<std::mutex> G(W.Lock);
  ++W.Calls;
  ++W.Counts[Name];
  if (Kind == Act)
    W.Log.push_back(Arg.empty() ? Name : Name + "(" + Arg + ")");
  auto Failure = W.Script.Fail.find(Name);
  int Error = Failure == W.Script.Fail.end() ? 0 : Failure->second;
  if (W.Calls == W.Script.FailCall)
    Error = 2;
  if (Error)
    Last = Error;
  return Error;
}

int fail(int Error) {
  if (Error)
    Last = Error;
  return Error;
}

/// The system's: echort asks for no less.
size_t pageBytes() {
  static const auto Bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return Bytes;
}

int allocate(void **Pointer, size_t Bytes, int Type) {
  World &W = world();
  std::lock_guard<std::mutex> G(W.Lock);
  if (W.Script.FailAllocations)
    return fail(2);
  *Pointer = aligned_alloc(pageBytes(),
                           (Bytes + pageBytes() - 1) & ~(pageBytes() - 1));
  W.Memory[*Pointer] = {Type, Bytes};
  return 0;
}

int release(void *Pointer) {
  World &W = world();
  std::lock_guard<std::mutex> G(W.Lock);
  if (!W.Memory.erase(Pointer))
    return fail(1);
  free(Pointer);
  return 0;
}

} // namespace

namespace fake {
Script &script() { return world().Script; }
std::vector<std::string> takeLog() {
  std::lock_guard<std::mutex> G(world().Lock);
  return std::move(world().Log);
}
unsigned calls() { return world().Calls; }
unsigned calls(const std::string &Name) {
  std::lock_guard<std::mutex> G(world().Lock);
  return world().Counts[Name];
}
unsigned registered() { return world().Registered.size(); }
unsigned livePages() {
  unsigned Pages = 0;
  for (auto &[Base, R] : world().Memory)
    Pages += R.Bytes <= pageBytes();
  return Pages;
}
unsigned liveAllocations() { return world().Memory.size() - livePages(); }
void resetDevice(bool Reused) {
  // The memory itself is leaked on purpose: a stale use must not crash here.
  for (auto &[Base, R] : world().Memory) {
    world().Gone.push_back(Base);
    if (Reused)
      memset(const_cast<void *>(Base), 0, 64);
  }
  if (!Reused)
    world().Memory.clear();
  world().Events.clear();
  world().Registered.clear();
}
void failAllocations(bool Fail) {
  std::lock_guard<std::mutex> G(world().Lock);
  world().Script.FailAllocations = Fail;
}
void setLastError(int Error) { Last = Error; }
int lastError() { return Last; }
void selectDevice(int Device) { Current = Device; }
int currentDevice() { return Current; }
} // namespace fake

extern "C" {

cudaError_t cudaGetDevice(int *Device) {
  if (int E = enter("cudaGetDevice", Query))
    return E;
  *Device = Current;
  return 0;
}
cudaError_t cudaGetDeviceCount(int *Count) {
  if (int E = enter("cudaGetDeviceCount", Query))
    return E;
  *Count = fake::script().Devices;
  return 0;
}
cudaError_t cudaSetDevice(int Device) {
  if (int E = enter("cudaSetDevice", Act, std::to_string(Device)))
    return E;
  if (Device < 0 || Device >= fake::script().Devices)
    return fail(101);
  Current = Device;
  return 0;
}
cudaError_t cudaDeviceGetAttribute(int *Value, int Attribute, int) {
  if (int E = enter("cudaDeviceGetAttribute", Query))
    return E;
  auto &A = fake::script().Attributes;
  auto It = A.find(Attribute);
  if (It == A.end())
    return fail(1);
  *Value = It->second;
  return 0;
}
cudaError_t cudaDriverGetVersion(int *Version) {
  *Version = 13000;
  return enter("cudaDriverGetVersion", Query);
}
cudaError_t cudaDeviceSynchronize() {
  if (int E = enter("cudaDeviceSynchronize", Act))
    return E;
  return fail(fake::script().SyncError);
}
cudaError_t cudaPeekAtLastError() { return Last; }
cudaError_t cudaGetLastError() {
  int Error = Last;
  Last = 0;
  return Error;
}
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  if (int E = enter("cudaMemGetInfo", Query))
    return E;
  *Free = *Total = fake::script().TotalMemory;
  return 0;
}
cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes, unsigned) {
  if (int E = enter("cudaMallocManaged", Act))
    return E;
  return allocate(Pointer, Bytes, 3);
}
cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned Flags) {
  CallKind Kind = Bytes == 1 ? Query : Act; // of a wait
  if (int E = enter("cudaHostAlloc", Kind, std::to_string(Flags)))
    return E;
  return allocate(Pointer, Bytes, 1);
}
cudaError_t cudaHostRegister(void *Pointer, size_t Bytes, unsigned) {
  if (int E = enter("cudaHostRegister", Act, std::to_string(Bytes)))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  return world().Registered.insert(Pointer).second ? 0 : fail(712);
}
cudaError_t cudaHostUnregister(void *Pointer) {
  if (int E = enter("cudaHostUnregister", Act))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  return world().Registered.erase(Pointer) ? 0 : fail(713);
}
cudaError_t cudaHostGetDevicePointer(void **Device, void *Host, unsigned) {
  if (int E = enter("cudaHostGetDevicePointer", Query))
    return E;
  *Device =
      fake::script().MappedElsewhere ? static_cast<char *>(Host) + 4096 : Host;
  return 0;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Found,
                                     const void *Pointer) {
  if (int E = enter("cudaPointerGetAttributes", Query))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  auto It = world().Memory.find(Pointer);
  Found->type = It == world().Memory.end() ? 0 : It->second.Type;
  return 0;
}
cudaError_t cudaFree(void *Pointer) {
  if (int E = enter("cudaFree", Act))
    return E;
  return release(Pointer);
}
cudaError_t cudaFreeHost(void *Pointer) {
  bool Waits;
  {
    std::lock_guard<std::mutex> G(world().Lock);
    auto It = world().Memory.find(Pointer);
    Waits = It != world().Memory.end() && It->second.Bytes == 1;
  }
  if (Waits) { // echort's own: it is freed for its wait
    if (int E = enter("wait", Act))
      return E;
    if (int E = fail(fake::script().SyncError))
      return E;
    return release(Pointer);
  }
  if (int E = enter("cudaFreeHost", Act))
    return E;
  return release(Pointer);
}
cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Bytes, int) {
  if (int E = enter("cudaMemcpy", Act, std::to_string(Bytes)))
    return E;
  return Dst && Src ? 0 : fail(1);
}
cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Bytes, int,
                            cudaStream_t Stream) {
  if (int E = enter("cudaMemcpyAsync", Act, streamName(Stream)))
    return E;
  return Dst && Src && Bytes ? 0 : fail(1);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, int *Status) {
  if (int E = enter("cudaStreamIsCapturing", Query))
    return E;
  *Status = 0;
  return fake::script().CaptureInProgress ? fail(906) : 0;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(int *Mode) {
  thread_local int Now = 0;
  if (int E = enter("cudaThreadExchangeStreamCaptureMode", Query))
    return E;
  std::swap(Now, *Mode);
  return 0;
}
cudaError_t cudaStreamQuery(cudaStream_t Stream) {
  if (int E = enter("cudaStreamQuery", Act, streamName(Stream)))
    return E;
  return fail(fake::script().Busy ? 600 : fake::script().SyncError);
}
cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  if (int E = enter("cudaStreamSynchronize", Act, streamName(Stream)))
    return E;
  return fail(fake::script().SyncError);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags) {
  if (int E = enter("cudaEventCreateWithFlags", Act, std::to_string(Flags)))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  *Event = reinterpret_cast<void *>(world().NextEvent += 16);
  world().Events[*Event] = Current;
  return 0;
}
cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  if (int E = enter("cudaEventDestroy", Act))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  world().Events.erase(Event);
  return 0;
}
/// Streams with numbers of 1000 and more belong to device number / 1000.
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  if (int E = enter("cudaEventRecord", Act, streamName(Stream)))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  auto It = world().Events.find(Event);
  if (It == world().Events.end())
    return fail(709);
  auto Number = reinterpret_cast<uintptr_t>(Stream);
  int Device = Number < 1000 ? Current : static_cast<int>(Number / 1000);
  return It->second == Device ? 0 : fail(400);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned) {
  if (int E = enter("cudaStreamWaitEvent", Act, streamName(Stream)))
    return E;
  std::lock_guard<std::mutex> G(world().Lock);
  return world().Events.count(Event) ? 0 : fail(400);
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  if (int E = enter("cudaEventSynchronize", Act))
    return E;
  return fail(fake::script().SyncError);
}
}

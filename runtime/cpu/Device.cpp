//===- Device.cpp - Start, failure and fork -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the device's state. See Device.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Faults.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Printf.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

#include <mutex>
#include <pthread.h>

namespace echo::cpu {

std::atomic<int> DeviceState{NotStarted};
thread_local bool InHostFunction = false;
thread_local void *ApiCaller = nullptr;

static std::atomic<bool> Forked{false};
static std::once_flag StartOnce;
static Config TheConfig;
static thread_local cudaError_t LastError = cudaSuccess;

static void start() {
  HideSync Hide; // its own allocations are none of the user's call
  TheConfig = readConfig();
  startFaults();
  startManaged();
  pthread_atfork(nullptr, nullptr, [] {
    Forked.store(true);
    DeviceState.store(cudaErrorInitializationError);
  });
  DeviceState.store(cudaSuccess, std::memory_order_release);
}

cudaError_t enterSlow() {
  if (DeviceState.load() == NotStarted)
    std::call_once(StartOnce, start);
  return cudaError_t(DeviceState.load());
}

/// True once the process has used CUDA (runtime/rt/CudaUse.cpp asks).
extern "C" int echo_cpu_in_use() { return DeviceState.load() != NotStarted; }

/// Waits for the device as cudaDeviceSynchronize does, and writes nothing that
/// kernels printed (runtime/rt/Waits.cpp asks).
extern "C" cudaError_t echo_cpu_wait_device() {
  return riskyApi(Risk::Unsafe, [] {
    waitDevice();
    return endOfWait();
  });
}

const Config &config() { return TheConfig; }

void failDevice(cudaError_t Error) {
  int Working = cudaSuccess;
  kernelsSeenDone();
  DeviceState.compare_exchange_strong(Working, Error);
}

cudaError_t endOfWait() {
  if (waitFails())
    failDevice(cudaErrorLaunchFailure);
  return enter();
}

void clearDeviceFailure() {
  if (!Forked.load() && DeviceState.load() > 0)
    DeviceState.store(cudaSuccess);
}

bool inForkedChild() { return Forked.load(std::memory_order_relaxed); }

cudaError_t recordError(cudaError_t Error) {
  LastError = Error;
  return Error;
}

cudaError_t peekLastError() {
  int State = DeviceState.load();
  return State > 0 ? cudaError_t(State) : LastError;
}

cudaError_t takeLastError() {
  cudaError_t Error = peekLastError();
  LastError = cudaSuccess;
  return Error;
}

} // namespace echo::cpu

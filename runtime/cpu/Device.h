//===- Device.h - The device's state as a whole --------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a call may proceed: it starts the device at the first real
// use, keeps the device's lasting error, and refuses in children of fork. Every
// function of the API enters through api(). It must never start a thread.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_DEVICE_H
#define ECHO_RUNTIME_CPU_DEVICE_H

#include "runtime/cpu/Config.h"
#include "runtime/cpu/CudaTypes.h"
#include "runtime/cpu/Printf.h"
#include "runtime/cpu/Sanitizer.h"

#include <atomic>

namespace echo::cpu {

/// cudaSuccess while the device works; else the error every call must return.
/// Not started counts as an error of its own, so that one load decides.
extern std::atomic<int> DeviceState;
inline constexpr int NotStarted = -1;

cudaError_t enterSlow();
/// Must the calling function fail at once, and how?
inline cudaError_t enter() {
  int State = DeviceState.load(std::memory_order_acquire);
  return State == cudaSuccess ? cudaSuccess : enterSlow();
}

/// The settings; valid once the device is started.
const Config &config();

/// The kernel or a queued operation failed for good: all later calls fail.
void failDevice(cudaError_t Error);
/// cudaDeviceReset: a failed device works again.
void clearDeviceFailure();
inline bool deviceFailed() {
  return DeviceState.load(std::memory_order_relaxed) > 0;
}
/// This process is a child of fork and its parent used the device.
bool inForkedChild();

/// Errors of the calling thread, for cudaGetLastError.
cudaError_t recordError(cudaError_t Error);
cudaError_t takeLastError();
cudaError_t peekLastError();

/// Set while a host function runs on the runtime's thread: it may not call
/// CUDA.
extern thread_local bool InHostFunction;

/// Under ThreadSanitizer: where the program called the API last.
extern thread_local void *ApiCaller;

/// Runs \p Body if the device works; keeps its error for cudaGetLastError.
/// Always inlined, so that the return address is the program's.
template <typename Fn>
[[gnu::always_inline]] inline cudaError_t api(Fn &&Body) {
  if (underTsan())
    ApiCaller = underCheck() ? const_cast<void *>(echo_check_here())
                             : __builtin_return_address(0);
  cudaError_t Error = InHostFunction ? cudaErrorNotPermitted : enter();
  if (Error == cudaSuccess)
    Error = Body();
  return Error == cudaSuccess ? Error : recordError(Error);
}

/// The same for a call that flushes what kernels printed, also where it fails.
template <typename Fn>
[[gnu::always_inline]] inline cudaError_t api(FlushAt Why, Fn &&Body) {
  cudaError_t Error = api(Body);
  if (!InHostFunction && !inForkedChild())
    flushPrintf(Why);
  return Error;
}

/// What a wait that the program asked for returns.
cudaError_t endOfWait();

/// The API serves one device, number 0.
inline bool isDevice(int Device) { return Device == 0; }

} // namespace echo::cpu

#endif

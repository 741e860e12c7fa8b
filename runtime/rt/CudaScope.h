//===- CudaScope.h - echort's own CUDA calls, unseen ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards for calls that the program did not write. An error of such a call
// must not show up in the program's cudaGetLastError, and such a call must not
// end a stream capture of another thread.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_CUDASCOPE_H
#define ECHO_RUNTIME_RT_CUDASCOPE_H

#include "runtime/rt/CudaDecls.h"

namespace echo::rt {

/// Clears, at its end, an error that began inside it. An error that the
/// program had pending stays pending. CUDA has no call to restore its code if a
/// failing call inside replaces it: what may fail asks first and does nothing.
class ErrorScope {
public:
  ErrorScope() : Pending(cudaPeekAtLastError() != CudaSuccess) {}
  ~ErrorScope() {
    if (!Pending && cudaPeekAtLastError() != CudaSuccess)
      cudaGetLastError();
  }
  ErrorScope(const ErrorScope &) = delete;
  ErrorScope &operator=(const ErrorScope &) = delete;

private:
  bool Pending;
};

/// Allows calls that a capture in the default mode would forbid.
class RelaxedCapture {
public:
  RelaxedCapture() : Changed(!cudaThreadExchangeStreamCaptureMode(&Mode)) {}
  ~RelaxedCapture() {
    if (Changed)
      cudaThreadExchangeStreamCaptureMode(&Mode);
  }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  int Mode = CaptureModeRelaxed;
  bool Changed;
};

/// Makes another device current for a while.
class DeviceScope {
public:
  explicit DeviceScope(int Device) {
    if (cudaGetDevice(&Before) != CudaSuccess)
      Before = Device;
    Changed = Before != Device && cudaSetDevice(Device) == CudaSuccess;
  }
  ~DeviceScope() {
    if (Changed)
      cudaSetDevice(Before);
  }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  int Before = 0;
  bool Changed = false;
};

} // namespace echo::rt

#endif

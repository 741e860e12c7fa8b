//===- DeviceBytes.cpp - How much merged device buffers hold --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/DeviceBytes.h"

#include "runtime/rt/CudaScope.h"

namespace echo::rt {

static struct {
  size_t Total; ///< bytes of memory; 0 is unread
  size_t Held;  ///< bytes of merged device buffers
} Devices[MaxDevices];

bool reserveDevice(int Device, size_t Bytes) {
  if (Device < 0 || Device >= MaxDevices)
    return false;
  auto &Entry = Devices[Device];
  size_t Total = __atomic_load_n(&Entry.Total, __ATOMIC_RELAXED);
  if (!Total) {
    ErrorScope Errors;
    size_t Free = 0;
    if (cudaMemGetInfo(&Free, &Total) != CudaSuccess)
      return false;
    __atomic_store_n(&Entry.Total, Total, __ATOMIC_RELAXED);
  }
  // The total, not what is free: that leaves out memory which the system
  // would give back when asked.
  size_t Before = __atomic_fetch_add(&Entry.Held, Bytes, __ATOMIC_RELAXED);
  if (Bytes <= Total && Before <= Total - Bytes)
    return true;
  unreserveDevice(Device, Bytes);
  return false;
}

void unreserveDevice(int Device, size_t Bytes) {
  __atomic_fetch_sub(&Devices[Device].Held, Bytes, __ATOMIC_RELAXED);
}

} // namespace echo::rt

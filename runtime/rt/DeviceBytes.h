//===- DeviceBytes.h - How much merged device buffers hold ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A merged device buffer takes no memory of the device, so that a program could
// allocate more than there is. Decides, from what merged buffers hold and the
// device's total, whether the program's own cudaMalloc runs, and fails as
// written.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_DEVICEBYTES_H
#define ECHO_RUNTIME_RT_DEVICEBYTES_H

#include <stddef.h>

namespace echo::rt {

/// Devices with a higher number are not served.
inline constexpr int MaxDevices = 64;

/// Counts \p Bytes as device memory of the current device \p Device. False if
/// merged device buffers would then be larger than all its memory: the
/// program's own cudaMalloc must run, and fail as written.
bool reserveDevice(int Device, size_t Bytes);
void unreserveDevice(int Device, size_t Bytes);

} // namespace echo::rt

#endif

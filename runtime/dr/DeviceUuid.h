//===- DeviceUuid.h - Which GPU a process uses ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The UUID of a GPU, which tells two of one name apart. The driver is asked,
// whichever interposer the program uses; where there is none, as on the CPU
// device, there is no UUID.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DEVICEUUID_H
#define ECHO_RUNTIME_DR_DEVICEUUID_H

#include "runtime/dr/Core.h"

namespace echo::dr {

inline constexpr size_t UuidBytes = 40;

/// Writes the UUID of the current device, 8-4-4-4-12 digits, or an empty text.
void currentUuid(const DeviceOps &Ops, char (&Out)[UuidBytes]);

} // namespace echo::dr

#endif

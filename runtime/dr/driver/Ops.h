//===- Ops.h - What Echo asks of CUDA by the driver -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver interposer's table of Core.h's DeviceOps: the driver's own
// functions, so that a program whose CUDA runtime is inside of it is served as
// well. A function that the driver lacks gives its error; nothing is tried
// instead.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DRIVER_OPS_H
#define ECHO_RUNTIME_DR_DRIVER_OPS_H

#include "runtime/dr/Core.h"

namespace echo::dr {

extern const DeviceOps DriverOps;

} // namespace echo::dr

#endif

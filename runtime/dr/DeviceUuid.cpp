//===- DeviceUuid.cpp - Which GPU a process uses --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DeviceUuid.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/DeviceUuid.h"
#include "runtime/dr/driver/Resolve.h"

#include <string.h>

namespace echo::dr {

void currentUuid(const DeviceOps &Ops, char (&Out)[UuidBytes]) {
  memset(Out, 0, sizeof Out);
  int Number = 0, Device = 0;
  unsigned char Uuid[16] = {}, None[16] = {};
  Inside Own;
  void *Get = realDriverFunction("cuDeviceGet");
  void *Ask = realDriverFunction("cuDeviceGetUuid_v2"); // of a MIG instance
  if (!Ask)
    Ask = realDriverFunction("cuDeviceGetUuid");
  if (!Get || !Ask || !Ops.currentDevice || Ops.currentDevice(&Number))
    return;
  const uint64_t Which[] = {reinterpret_cast<uint64_t>(&Device),
                            static_cast<uint64_t>(Number)};
  if (invokeDriver(Get, 2, Which))
    return;
  const uint64_t Args[] = {reinterpret_cast<uint64_t>(Uuid),
                           static_cast<uint64_t>(Device)};
  if (invokeDriver(Ask, 2, Args) || memcmp(Uuid, None, sizeof Uuid) == 0)
    return;
  char *At = Out;
  for (unsigned I = 0; I != sizeof Uuid; ++I) {
    if (I == 4 || I == 6 || I == 8 || I == 10)
      *At++ = '-';
    *At++ = "0123456789abcdef"[Uuid[I] >> 4];
    *At++ = "0123456789abcdef"[Uuid[I] & 15];
  }
}

} // namespace echo::dr

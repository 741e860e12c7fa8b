//===- FakeNvml.cpp - A driver's library with three GPUs ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first has a counter, which grows with each question; the second has none;
// the third is no GPU as a whole.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstring>

static unsigned long long Millijoules = 1000;

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetCount_v2(unsigned *Count) {
  *Count = 3;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned Index, void **Device) {
  *Device = reinterpret_cast<void *>(uintptr_t(Index + 1)); // NOLINT
  return 0;
}
int nvmlDeviceGetUUID(void *Device, char *Uuid, unsigned) {
  const char *const Uuids[] = {"GPU-aaaa-01", "GPU-aaaa-02", "MIG-aaaa-03"};
  std::strcpy(Uuid, Uuids[reinterpret_cast<uintptr_t>(Device) - 1]); // NOLINT
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *Device,
                                        unsigned long long *Energy) {
  constexpr int NotSupported = 3;
  if (reinterpret_cast<uintptr_t>(Device) != 1)
    return NotSupported;
  *Energy = Millijoules += 500;
  return 0;
}
}

//===- CudaUse.cpp - Has the program begun to use CUDA? -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CudaUse.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/CudaUse.h"
#include "runtime/rt/OtherUnits.h"

#include <dlfcn.h>

/// Of the CPU device, which has no driver.
extern "C" __attribute__((weak)) int echo_cpu_in_use();

namespace echo::rt {

static constexpr int DriverNotInitialized = 3;

/// What the driver says, if it is loaded.
static bool askDriver() {
  // The runtime loads the driver when it is first used. NOLOAD takes a
  // reference, which is given back.
  void *Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!Driver)
    return false;
  using GetCurrent = int (*)(void **);
  auto Ask = reinterpret_cast<GetCurrent>(dlsym(Driver, "cuCtxGetCurrent"));
  void *Context = nullptr;
  bool InUse = !Ask || Ask(&Context) != DriverNotInitialized;
  dlclose(Driver);
  return InUse;
}

bool cudaIsInUse() {
  static bool Seen; // every thread would store the same
  if (__atomic_load_n(&Seen, __ATOMIC_RELAXED))
    return true;
  if (!(echo_cpu_in_use ? echo_cpu_in_use() != 0 : askDriver()))
    return false;
  __atomic_store_n(&Seen, true, __ATOMIC_RELAXED);
  return true;
}

bool mayStartCuda(uint32_t Flags) {
  return Flags & ECHO_GROUP_CUDA_FOLLOWS ||
         !(Flags & ECHO_GROUP_LATE_CUDA || othersNeedLateCuda()) ||
         cudaIsInUse();
}

} // namespace echo::rt

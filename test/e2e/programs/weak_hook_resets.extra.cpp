// The unit beside weak_hook_resets.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

void hook() { cudaDeviceReset(); }

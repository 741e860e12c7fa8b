// The unit beside rdc_trap_safe.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__device__ void step(int v) {}

// The unit beside rdc_trap.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__device__ void step(int v) {
  if (v)
    __trap();
}

// Whether the GPU rests at all uses of the host buffer says which memory the
// pair gets (flag 1 of a group). A download that fails for want of a host buffer
// leaves the work that it did not wait for to the next host buffer.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -S -emit-llvm %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD
#include "../../Inputs/case.h"

// OK: @echo.group = internal global {{.*}} { i32 15, i32 {{(1|16385)}}, ptr
// BAD: @echo.group = internal global {{.*}} { i32 15, i32 {{(0|16384)}}, ptr
int main(int argc, char **) {
  float seen = 0;
  for (int round = 0; round < argc; ++round) {
    float *d, *h = nullptr;
    if (round & 1)
      h = (float *)malloc(Bytes);
    if (h)
      h[1] = round;
    if (cudaMalloc(&d, Bytes))
      return 2;
    writeOnly<<<1, 1>>>(d);
    cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
    SAFE(cudaDeviceSynchronize();)
    if (h)
      seen += h[1];
    free(h);
  }
  return seen;
}

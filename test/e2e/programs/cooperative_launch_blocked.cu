// As cooperative_launch, but the host looks at what it uploaded when the kernel
// has written the device's copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  int n = N;
  float value = 2;
  void *arguments[] = {&dx, &n, &value};
  CHECK(cudaLaunchKernel((void *)addInPlace, dim3(Blocks), dim3(Threads),
                         arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}

// As destructor_downloads, but the host reads behind the scope only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct Download {
  float *host, *device;
  ~Download() {
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
  }
};

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  {
    Download later{hx, dx};
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
  }
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}

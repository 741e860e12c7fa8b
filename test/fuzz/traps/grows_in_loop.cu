// The device buffer is allocated anew when a frame is larger than all before;
// the host buffer stays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx = nullptr;
  size_t capacity = 0;
  for (int frame = 0; frame < 4; ++frame) {
    size_t wanted = frame == 0 ? Bytes / 2 : Bytes;
    if (wanted > capacity) {
      cudaFree(dx);
      CHECK(cudaMalloc(&dx, Bytes));
      CHECK(cudaMemset(dx, 0, Bytes));
      capacity = wanted;
      fill(hx, N, frame);
      CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    }
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
    printf("%.0f\n", sum(hx, N));
  }
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}

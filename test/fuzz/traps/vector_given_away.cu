// A vector is moved to another name, under which the host reads it as it was.
// What its first name gets then may merge: the download overwrites its fill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
// EXPECT: None dx unified or declined
#include "e2e.h"

#include <utility>

int main() {
  std::vector<float> hx(N, 1.0f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  std::vector<float> kept = std::move(hx);
  hx.assign(N, 2.0f);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(kept.data(), N));
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(kept.data(), N), sum(hx.data(), N));
  cudaFree(dx);
}

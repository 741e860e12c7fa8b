// As signal_reads, but the handler only counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <csignal>

static volatile sig_atomic_t Seen;

static void onSignal(int) { Seen = Seen + 1; }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  signal(SIGUSR1, onSignal);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  raise(SIGUSR1);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", static_cast<int>(Seen), sum(hx, N));
  cudaFree(dx);
  free(hx);
}

// A signal handler reads the host buffer between the kernel and the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-escapes
#include "e2e.h"

#include <csignal>

static const float *Shown;
static double Seen;

static void onSignal(int) { Seen = sum(Shown, N); }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  Shown = hx;
  signal(SIGUSR1, onSignal);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  raise(SIGUSR1);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", Seen, sum(hx, N));
  cudaFree(dx);
  free(hx);
}

// The buffer stays for device buffers of several sizes: what a kernel changed in
// a larger one no later copy overwrites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
// ARGS: 4
#include "e2e.h"

int main(int, char **argv) {
  int part = atoi(argv[1]);
  float *h = nullptr;
  int room = 0;
  for (int round = 0; round < 2; ++round) {
    for (int need = N / 4; need <= N; need *= 2)
      if (room < need) {
        delete[] h;
        h = new float[need];
        room = need;
      }
    int count = round ? N / part : N;
    float *d;
    CHECK(cudaMalloc(&d, count * sizeof(float)));
    iota<<<count / Threads, Threads>>>(d, count);
    CHECK(cudaMemcpy(h, d, count * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(h, N));
    addInPlace<<<count / Threads, Threads>>>(d, count, 1.0f);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
  }
  delete[] h;
}

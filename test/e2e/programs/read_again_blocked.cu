// The global variable shrinks between two reads: the download brings the first
// half only, and the host keeps the rest as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
// ARGS: 70001
#include "e2e.h"

int count;

// It calls itself, so that it stays a call at every level.
void halve(int depth) {
  if (depth)
    return halve(depth - 1);
  count /= 2;
}

void run() {
  float *hx = static_cast<float *>(malloc(count * sizeof(float))), *dx;
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  int all = count;
  fill(hx, all, 2);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<all / Threads + 1, Threads>>>(dx, all, 1.0f);
  halve(2);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%.0f\n", sum(hx, all));
  CHECK(cudaFree(dx));
  free(hx);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  count = std::atoi(argv[1]);
  run();
}

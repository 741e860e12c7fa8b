// The size is in a global variable, a field and an object of the caller's, and
// is read again for each allocation and copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
// EXPECT: hz dz unified
// ARGS: 70001
#include "e2e.h"

struct Options {
  int count, steps;
};
int count;
Options options;

static int blocks(int n) { return n / Threads + 1; }

void readsGlobal() {
  float *hx = static_cast<float *>(malloc(count * sizeof(float))), *dx;
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  fill(hx, count, 2);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<blocks(count), Threads>>>(dx, count, 1.0f);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%.0f\n", sum(hx, count));
  CHECK(cudaFree(dx));
  free(hx);
}

void readsField() {
  float *hy = static_cast<float *>(malloc(options.count * sizeof(float))), *dy;
  CHECK(cudaMalloc(&dy, options.count * sizeof(float)));
  iota<<<blocks(options.count), Threads>>>(dy, options.count);
  for (int step = 0; step < options.steps; ++step) {
    addInPlace<<<blocks(options.count), Threads>>>(dy, options.count, 1.0f);
    CHECK(cudaMemcpy(hy, dy, options.count * sizeof(float),
                     cudaMemcpyDeviceToHost));
    std::printf("%.0f\n", sum(hy, options.count));
  }
  CHECK(cudaFree(dy));
  free(hy);
}

void readsGiven(const Options &given, float *out) {
  float *hz = static_cast<float *>(malloc(given.count * sizeof(float))), *dz;
  CHECK(cudaMalloc(&dz, given.count * sizeof(float)));
  fill(hz, count, 5);
  CHECK(
      cudaMemcpy(dz, hz, given.count * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<blocks(count), Threads>>>(dz, out, count, 2.0f);
  CHECK(cudaFree(dz));
  free(hz);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  count = options.count = std::atoi(argv[1]);
  options.steps = 3;
  readsGlobal();
  readsField();
  Options own = {count, 1};
  float *out, last;
  CHECK(cudaMalloc(&out, count * sizeof(float)));
  readsGiven(own, out);
  CHECK(
      cudaMemcpy(&last, out + count - 1, sizeof(last), cudaMemcpyDeviceToHost));
  std::printf("%.0f\n", last);
  CHECK(cudaFree(out));
}

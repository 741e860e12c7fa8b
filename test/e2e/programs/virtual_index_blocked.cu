// Which object is in the first place, the one that is made there or the one that is made at
// an index, only run time knows: its virtual function is not called directly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

#include <new>

struct Worker {
  virtual ~Worker() {}
  virtual void run(float *h, float *d) = 0;
};
struct OnHost : Worker {
  void run(float *h, float *) override {
    for (int i = 0; i < N; ++i)
      h[i] += 5;
  }
};
struct OnDevice : Worker {
  void run(float *h, float *d) override {
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
    CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  }
};

int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  alignas(16) char places[2][sizeof(OnDevice)];
  if (argc > 1)
    new (places[0]) OnHost;
  new (places[(argc - 1) & 1]) OnDevice;
  Worker *first = std::launder(reinterpret_cast<Worker *>(places[0]));
  first->run(h, d);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 2.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  cudaFree(d);
  free(h);
}

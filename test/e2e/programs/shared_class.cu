// Objects of std::make_shared: the last reference frees the buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

#include <memory>

struct Filter {
  float *host = nullptr, *device = nullptr;
  Filter(int seed) {
    host = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&device, Bytes));
    fill(host, N, seed);
  }
  void run() {
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
  }
  ~Filter() {
    printf("%.0f\n", sum(host, N));
    cudaFree(device);
    free(host);
  }
};

int main() {
  for (int i = 0; i < 3; ++i) {
    std::shared_ptr<Filter> filter = std::make_shared<Filter>(i);
    filter->run();
    filter->run();
  }
}

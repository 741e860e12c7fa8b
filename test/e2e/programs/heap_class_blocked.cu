// As heap_class_ok, but an object lives on in the next iteration: two exist at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

struct Filter {
  float *host, *device;
  Filter *before;
};

int main() {
  Filter *last = nullptr;
  for (int i = 0; i < 3; ++i) {
    Filter *filter = new Filter;
    filter->host = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&filter->device, Bytes));
    filter->before = last;
    fill(filter->host, N, i);
    CHECK(cudaMemcpy(filter->device, filter->host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(filter->device, N, 1.0f);
    CHECK(cudaMemcpy(filter->host, filter->device, Bytes, cudaMemcpyDeviceToHost));
    last = filter;
  }
  while (last) {
    printf("%.0f\n", sum(last->host, N));
    Filter *gone = last;
    last = last->before;
    cudaFree(gone->device);
    free(gone->host);
    delete gone;
  }
}

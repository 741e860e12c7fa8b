// Objects of the heap that own buffers: new and delete, unique_ptr, an owner of an owner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"
#include <memory>

class Filter {
public:
  Filter() : host(new float[N]) { CHECK(cudaMalloc(&device, Bytes)); }
  ~Filter() {
    cudaFree(device);
    delete[] host;
  }
  void run(int seed) {
    fill(host, N, seed);
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(host, N));
  }

private:
  float *host, *device;
};

struct Owner {
  std::unique_ptr<Filter> filter = std::make_unique<Filter>();
};

static void plain() {
  Filter *filter = new Filter;
  filter->run(1);
  filter->run(2);
  delete filter;
}

static void unique() {
  auto filter = std::make_unique<Filter>();
  for (int i = 0; i < 3; ++i)
    filter->run(i);
}

static void nested() {
  auto owner = std::make_unique<Owner>();
  owner->filter->run(5);
}

static void oneEach() {
  for (int i = 0; i < 3; ++i) {
    Filter *filter = new Filter;
    filter->run(i);
    delete filter;
  }
}

int main() {
  plain();
  unique();
  nested();
  oneEach();
}

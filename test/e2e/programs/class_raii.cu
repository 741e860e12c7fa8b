// A class owns both buffers: constructor, methods, destructor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

class Buffer {
public:
  explicit Buffer(int n) : Count(n), Host(new float[n]) {
    CHECK(cudaMalloc(&Device, n * sizeof(float)));
  }
  ~Buffer() {
    cudaFree(Device);
    delete[] Host;
  }
  Buffer(const Buffer &) = delete;
  void up() { CHECK(cudaMemcpy(Device, Host, Count * sizeof(float), cudaMemcpyHostToDevice)); }
  void down() { CHECK(cudaMemcpy(Host, Device, Count * sizeof(float), cudaMemcpyDeviceToHost)); }
  float *host() { return Host; }
  float *device() { return Device; }

private:
  int Count;
  float *Host, *Device;
};

int main() {
  Buffer b(N);
  fill(b.host(), N, 1);
  b.up();
  addInPlace<<<Blocks, Threads>>>(b.device(), N, 1.0f);
  b.down();
  printf("%.0f\n", sum(b.host(), N));
}

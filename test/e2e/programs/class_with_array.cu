// A class whose object holds an array that a copy fills, next to the pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

class Histogram {
public:
  explicit Histogram(int n) : Count(n) {
    Host = (float *)malloc(Count * sizeof(float));
    CHECK(cudaMalloc(&Device, Count * sizeof(float)));
    CHECK(cudaMalloc(&DeviceFirst, sizeof(First)));
  }
  void run() {
    CHECK(cudaMemcpy(Device, Host, Count * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<1, 64>>>(Device, DeviceFirst, 64, 2.0f);
    CHECK(cudaMemcpy(First, DeviceFirst, sizeof(First), cudaMemcpyDeviceToHost));
  }
  void release() {
    cudaFree(Device);
    cudaFree(DeviceFirst);
    free(Host);
  }
  int Count;
  float First[64];
  float *Host, *Device, *DeviceFirst;
};

int main() {
  Histogram h(N);
  for (int frame = 0; frame < 3; ++frame) {
    fill(h.Host, h.Count, frame);
    h.run();
    printf("%.0f %.0f\n", sum(h.Host, h.Count), sum(h.First, 64));
  }
  h.release();
}

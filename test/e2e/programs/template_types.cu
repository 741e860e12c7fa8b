// One template function, two element types: two pairs from the same lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

template <typename T> __global__ void square(T *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * data[i];
}

template <typename T> void run(const char *name) {
  T *hx = (T *)malloc(N * sizeof(T));
  T *dx;
  CHECK(cudaMalloc(&dx, N * sizeof(T)));
  for (int i = 0; i < N; ++i)
    hx[i] = T(i % 30);
  CHECK(cudaMemcpy(dx, hx, N * sizeof(T), cudaMemcpyHostToDevice));
  square<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, N * sizeof(T), cudaMemcpyDeviceToHost));
  double total = 0;
  for (int i = 0; i < N; ++i)
    total += double(hx[i]);
  printf("%s %.0f\n", name, total);
  cudaFree(dx);
  free(hx);
}

int main() {
  run<double>("double");
  run<int>("int");
}

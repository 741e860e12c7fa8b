// A loop with a part that is in a library: step.cpp. One call copies both ways;
// only on the way back there is work to wait for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" int step(const int *h);

__global__ void twice(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= 2;
}

int main() {
  const int n = 1 << 17;
  const size_t bytes = n * sizeof(int);
  int *h = (int *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  long sum = 0;
  for (int f = 0; f < 8; ++f) {
    for (int i = 0; i < n; ++i)
      h[i] = i + f;
    for (volatile bool back = false;; back = true) {
      const bool b = back;
      cudaMemcpy(b ? h : d, b ? d : h, bytes, b ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
      if (b)
        break;
      twice<<<n / 256, 256>>>(d, n);
      sum = sum * 3 + step(h);
    }
    sum += h[n - 1];
  }
  printf("%ld\n", sum);
  cudaFree(d);
  free(h);
}

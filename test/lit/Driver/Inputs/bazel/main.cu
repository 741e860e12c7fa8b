// A pair that merges.
#include "kernel.cuh"
#include <cstdio>
#include <cstdlib>
__global__ void addOne(int *p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] += 1;
}
int main() {
  const int n = 1 << 16;
  int *h = (int *)malloc(n * sizeof(int)), *d, *other;
  for (int i = 0; i < n; ++i)
    h[i] = i;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  addOne<<<1, 64>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMalloc(&other, 64 * sizeof(int));
  cudaMemset(other, 0, 64 * sizeof(int));
  twice(other, 64);
  std::printf("%d %d\n", h[1], h[n - 1]);
  cudaFree(other);
  cudaFree(d);
  free(h);
}

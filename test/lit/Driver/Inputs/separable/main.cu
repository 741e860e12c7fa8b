// A kernel that calls a device function of another file (cmake-separable.test).
#include <cstdio>
__device__ int twice(int x);
__global__ void set(int *p) { *p = twice(*p); }
int main() {
  int h = 21, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  set<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d\n", h);
}

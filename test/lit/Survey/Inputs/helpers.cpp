#include "helpers.h"
#include <cuda_runtime.h>

static void device_alloc(float **p, int n) { cudaMalloc((void **)p, n * sizeof(float)); }
static void upload(float *to, const float *from, int n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
}

int main() {
  const int n = 100;
  float *first = host_alloc(n), *second = host_alloc(2 * n), *d_first, *d_second;
  device_alloc(&d_first, n);
  device_alloc(&d_second, 2 * n);
  upload(d_first, first, n);
  upload(d_second, second, 2 * n);
  cudaMemcpy(second, d_second, 2 * n * sizeof(float), cudaMemcpyDeviceToHost);
}

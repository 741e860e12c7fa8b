// Memory that host and GPU share by name is no buffer of a pair: what is kept
// there escapes, and a launch may change a size that is read from it.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t --report %t.same
// RUN: FileCheck --check-prefix=SAME --input-file=%t.same %s && %t
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t --report %t.changed -DCHANGED
// RUN: FileCheck --check-prefix=CHANGED --input-file=%t.changed %s && %t
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t --report %t.device '-DKEPT=d'
// RUN: FileCheck --check-prefix=KEPT --input-file=%t.device %s && %t
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t --report %t.host '-DKEPT=h'
// RUN: FileCheck --check-prefix=KEPT --input-file=%t.host %s && %t
// SAME: 1 pair: 1 unified
// CHANGED: 1 pair: 1 guarded
// KEPT: S3 pointer-escapes
// KEPT-NEXT: the buffer's address is stored
// KEPT: 1 pair: 1 declined
#include <cstdlib>

__managed__ int Count = 1 << 20;
__managed__ float *Kept;

__global__ void add(float *P, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    P[I] += 1;
}
__global__ void halve() { Count = Count / 2; }

int main() {
  int n = Count;
  float *h = (float *)malloc(n * sizeof(float)), *d;
  for (int i = 0; i < n; i++)
    h[i] = i;
#ifdef CHANGED
  halve<<<1, 1>>>();
  cudaDeviceSynchronize();
  n = Count;
#endif
  cudaMalloc(&d, n * sizeof(float));
#ifdef KEPT
  Kept = KEPT;
#endif
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<n / 256, 256>>>(d, n);
  Count = 5;
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool Good = h[17] == 18 && Count == 5;
  cudaFree(d);
  free(h);
  return !Good;
}

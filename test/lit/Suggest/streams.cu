// A copy on the device is waited for only where work may run in several streams, and no wait follows.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch -c a.cu -o a.o && FileCheck --check-prefix=NONE --input-file=a.patch %s
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch -DMORE -c a.cu -o a.o && FileCheck --check-prefix=WAIT --input-file=a.patch %s
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch -DMORE -DWAITS -c a.cu -o a.o && FileCheck --check-prefix=NONE --input-file=a.patch %s
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *d;
#ifdef MORE
  cudaSetDevice(0);
#endif
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  cudaMalloc(&d, bytes);
  for (int r = 0; r < 3; ++r) {
    h[0] = r;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
#ifdef WAITS
    cudaDeviceSynchronize();
#endif
    twice<<<256, 256>>>(d);
    cudaDeviceSynchronize();
    printf("%g\n", h[1]);
  }
  cudaFree(d);
  free(h);
}
// NONE: cudaMemcpyDeviceToDevice
// NONE-NOT: {{^}}+ {{.*}}cudaDeviceSynchronize
// WAIT: cudaMemcpyDeviceToDevice
// WAIT-NEXT: {{^}}+    cudaDeviceSynchronize();

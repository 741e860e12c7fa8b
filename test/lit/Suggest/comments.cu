// New lines stand behind the comments of the line before them.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch a.cu -o plain && FileCheck --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Where code follows on that line, they stand before it.
// RUN: sed -e 's/^  cudaFree(d);.*/  cudaFree(d); \/\* the picture \*\/ free(h);/' -e '/^ *of the device/d' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu -DFREED --suggest b.patch b.cu -o plain && FileCheck --check-prefix=CODE --input-file=b.patch %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu -DFREED --report - b.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// A declaration that moves takes its comment along.
// RUN: %echo_cc -w -O1 --device=cpu -DMOVES --suggest c.patch -c %s -o c.o && FileCheck --check-prefix=MOVES --input-file=c.patch %s
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void blur(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 0.5f; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
#ifdef MOVES
  float *e;
  cudaMalloc(&e, bytes); // filled by the GPU
  blur<<<256, 256>>>(e);
  std::vector<float> v(65536, 1.0f); // what the GPU found
  cudaMemcpy(v.data(), e, bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", v[1]);
  cudaFree(e);
#else
  float *h = (float *)malloc(bytes), *d;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  cudaMalloc(&d, bytes); // the picture
  for (int r = 0; r < 10; ++r) {
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice); /* each time */ // the same
    blur<<<256, 256>>>(d);
  }
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost); /* the result */
  printf("%g\n", h[65535]);
  cudaFree(d); /* the picture
                  of the device */
#ifndef FREED
  free(h);
#endif
#endif
}
// CHECK: {{^}}   cudaMalloc(&d, bytes); // the picture
// CHECK-NEXT: {{^}}+  float *d{{_}}shared;
// CHECK-NEXT: {{^}}+  cudaMalloc(&d{{_}}shared, bytes);
// CHECK-NEXT: {{^}}+  cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice);
// CHECK-NEXT: {{^}}   for (int r = 0;
// CHECK-NEXT: {{^}}-    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice); /* each time */ // the same
// CHECK-NEXT: {{^}}+    cudaMemcpy(d, d{{_}}shared, bytes, cudaMemcpyDeviceToDevice); /* each time */ // the same
// CHECK-NEXT: {{^}}+    cudaDeviceSynchronize();
// CHECK: {{^}}+  cudaMemcpy(d{{_}}shared, d, bytes, cudaMemcpyDeviceToDevice);
// CHECK-NEXT: {{^}}+  cudaMemcpy(h, d{{_}}shared, bytes, cudaMemcpyDeviceToHost); /* the result */
// CHECK: {{^}}   cudaFree(d); /* the picture
// CHECK-NEXT: {{^}}                   of the device */
// CHECK-NEXT: {{^}}+  cudaFree(d{{_}}shared);
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
// CODE: {{^}}+  cudaFree(d);
// CODE-NEXT: {{^}}+  cudaFree(d{{_}}shared); /* the picture */ free(h);
// MOVES: {{^}}+  std::vector<float> v(65536, 1.0f); // what the GPU found
// MOVES-NEXT: {{^}}   cudaMalloc(&e, bytes); // filled by the GPU
// MOVES-NEXT: {{^}}   blur
// MOVES-NEXT: {{^}}-  std::vector<float> v(65536, 1.0f); // what the GPU found

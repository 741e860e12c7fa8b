// A second device buffer takes part in copies that a loop repeats.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// A download in a loop counts as well; the upload before it goes through the second buffer with it.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DDOWN --suggest b.patch --report - b.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=DOWN --input-file=b.patch %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu -DDOWN --report - b.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// The same copies outside of a loop: nothing would be spared.
// RUN: sed 's/^  for (int r = .*/  {int r = 1;/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=NOT %s && test ! -s c.patch
// RUN: %echo_cc -w -O1 --device=cpu -DDOWN --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=NOT %s && test ! -s c.patch
// A block that runs once does not count as a loop.
// RUN: sed -e 's/^  for (int r = .*/  do {int r = 1;/' -e 's/^  }$/  } while (0);/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=NOT %s && test ! -s d.patch
// Nor does a copy in one iteration only; one in each second iteration counts.
// RUN: sed -e 's/^    h.0. = r;/    if (r == 1) {/' -e 's/^    cudaDeviceSynchronize();/&}/' %s > f.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest f.patch --report - -c f.cu | FileCheck --check-prefix=NOT %s && test ! -s f.patch
// RUN: sed 's/if (r == 1) {/if (r % 2 == 1) {/' f.cu > g.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest g.patch --report - -c g.cu | FileCheck --check-prefix=SOME %s
// Nor does a loop that allocates the buffer anew: each one is filled once.
// RUN: %echo_cc -w -O1 --device=cpu -DANEW --suggest e.patch --report - -c %s | FileCheck --check-prefix=NOT %s && test ! -s e.patch
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *d;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
#ifndef ANEW
  cudaMalloc(&d, bytes);
#endif
#ifdef DOWN
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
#endif
  for (int r = 0; r < 3; ++r) {
#ifdef ANEW
    cudaMalloc(&d, bytes);
#endif
#ifdef DOWN
    twice<<<256, 256>>>(d);
    printf("%g\n", h[1]);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
#else
    h[0] = r;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    twice<<<256, 256>>>(d);
    cudaDeviceSynchronize();
#endif
    printf("%g %g\n", h[1], h[65535]);
#ifdef ANEW
    cudaFree(d);
#endif
  }
#ifndef ANEW
  cudaFree(d);
#endif
  free(h);
}
// CHECK: declined   S1 device-write-live-host
// CHECK: suggested: copy between h and 'd{{_}}shared', and from there on the device
// SOME: suggested: {{upload|copy}}
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
// DOWN: {{^}}+  cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice);
// DOWN: {{^}}+    cudaMemcpy(d{{_}}shared, d, bytes, cudaMemcpyDeviceToDevice);
// DOWN-NEXT: {{^}}+    cudaMemcpy(h, d{{_}}shared, bytes, cudaMemcpyDeviceToHost);
// NOT: declined   S1 device-write-live-host
// NOT-NOT: suggested

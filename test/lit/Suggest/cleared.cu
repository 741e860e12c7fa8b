// A member that is a host pointer until device memory is allocated for it is cleared before.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not where the member has another device buffer, which the program uses where the allocation fails.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DPOOL --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s
// Not where the size is read from the member, a jump leads back, or the structure has another name.
// RUN: sed 's/x, bytes))/x, d.x ? bytes : 1))/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=NOT %s
// RUN: sed 's/^  if (cudaSuccess/again:\n&/; s/^  cudaFree(d.x);/  if (argc > 9) goto again;\n&/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=NOT %s
// RUN: sed 's/^  Graph d = g;/&\n  Graph *also = \&d;\n  if (argc > 9) also->x = 0;/' %s > e.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest e.patch --report - -c e.cu | FileCheck --check-prefix=NOT %s
#include <cstdio>
#include <cstdlib>
struct Graph {
  int size;
  float *x;
};
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main(int argc, char **) {
  const size_t bytes = 65536 * sizeof(float);
  Graph g;
  g.size = 65536;
  g.x = (float *)malloc(bytes);
  for (int i = 0; i < 65536; ++i)
    g.x[i] = i;
  Graph d = g;
#ifdef POOL
  cudaMalloc(&d.x, 1 << 20);
#endif
  if (cudaSuccess != cudaMalloc((void **)&d.x, bytes))
    fprintf(stderr, "no memory\n");
  cudaMemcpy(d.x, g.x, bytes, cudaMemcpyHostToDevice);
  twice<<<256, 256>>>(d.x);
  cudaMemcpy(g.x, d.x, bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", g.x[65535]);
  cudaFree(d.x);
  free(g.x);
}
// CHECK: ambiguous-pointer
// CHECK: suggested: clear 'd.x' before line [[#]], where device memory is allocated for it
// PATCH-LABEL: #endif
// PATCH-NEXT: {{^}}+  d.x = nullptr;
// PATCH-NEXT: {{^}}   if (cudaSuccess
// MERGED: 2 copies removed
// NOT: declined
// NOT-NOT: suggested

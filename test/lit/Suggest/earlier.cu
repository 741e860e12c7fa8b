// A vector that is filled where it is declared is declared before the GPU fills its partner.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not past a change of its size, nor past another variable of its name.
// RUN: sed 's/^  SIZE$/  n += argc - 1;/' %s > b.cu && %echo_cc -w -O1 --device=cpu --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s
// RUN: sed 's/^  SIZE$/  printf("%%d", v);/' %s > b.cu && %echo_cc -w -O1 --device=cpu --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s
#include <cstdio>
#include <vector>
__global__ void fill(float *x) { x[blockIdx.x * 256 + threadIdx.x] = threadIdx.x; }
int v = 3;
#define SIZE
int main(int argc, char **argv) {
  int n = 65536;
  float *d;
  cudaMalloc(&d, 65536 * sizeof(float));
  fill<<<256, 256>>>(d);
  SIZE
  std::vector<float> v(n, 1.0f);
  cudaMemcpy(v.data(), d, 65536 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", v[0], v[65535]);
  cudaFree(d);
}
// CHECK: declined   S1 host-write-live-device
// CHECK: suggested: declare 'v' before line 19
// PATCH: {{^}}+  std::vector<float> v(n, 1.0f);
// PATCH-NEXT: {{^}}   cudaMalloc
// PATCH: {{^}}-  std::vector<float> v(n, 1.0f);
// MERGED: 1 copy removed
// NOT: declined
// NOT-NOT: suggested: declare

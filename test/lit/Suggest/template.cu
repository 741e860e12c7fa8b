// In a function template, what every instantiation does counts; the text is the template's.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not where one instantiation changes the pointer.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DMOVES --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s
#include <cstdio>
#include <cstdlib>
#define CHECK(call) do { if (call) { printf("error\n"); exit(1); } } while (0)
template <class T> __global__ void twice(T *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
void next(float *) {}
#ifdef MOVES
void next(int *&x) { x += 0; }
#else
void next(int *) {}
#endif
template <typename T> void run(int times) {
  const size_t bytes = 65536 * sizeof(T);
  T *h = (T *)malloc(bytes), *g = (T *)malloc(bytes), *d;
  for (int i = 0; i < 65536; ++i)
    h[i] = g[i] = i;
  CHECK(cudaMalloc((void **)&d, bytes));
  for (int r = 0; r < times; ++r) {
    CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    next(d);
    twice<T><<<256, 256>>>(d);
  }
  CHECK(cudaMemcpy(g, d, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", double(g[1]), double(g[65535]));
  CHECK(cudaFree(d));
  free(h);
  free(g);
}
int main() {
  run<float>(3);
  run<int>(2);
}
// CHECK: suggested: {{upload|copy}}
// PATCH: {{^}}+  T *d{{_}}shared;
// PATCH-NEXT: {{^}}+  CHECK(cudaMalloc((void **)&d{{_}}shared, bytes));
// PATCH: {{^}}+ {{.*}}CHECK(cudaMemcpy(d, d{{_}}shared, bytes, cudaMemcpyDeviceToDevice));
// PATCH-NEXT: {{^}}+ {{.*}}CHECK(cudaDeviceSynchronize());
// PATCH: {{^}}+  CHECK(cudaFree(d{{_}}shared));
// MERGED: copy removed
// NOT-NOT: suggested: upload
// NOT-NOT: suggested: copy

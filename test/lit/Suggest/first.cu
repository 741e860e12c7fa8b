// What was uploaded already is copied on the device.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not from a buffer that a kernel has changed, nor one that some paths do not fill.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DCHANGED --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DSOMETIMES --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s
// RUN: test ! -s b.patch
// Where the first merges only if sizes are equal, one upload has to follow the other with nothing that changes them.
// RUN: cp %s c.cu && %echo_cc -w -O1 --device=cpu -DGUARDED --suggest c.patch --report - c.cu -o plain | FileCheck --check-prefix=GUARDED %s
// RUN: patch -s -p0 < c.patch && %echo_cc -w -O1 --device=cpu -DGUARDED --report - c.cu -o merged | FileCheck --check-prefix=ONE %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// RUN: cp %s d.cu && %echo_cc -w -O1 --device=cpu -DGUARDED -DWRITTEN --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=NOT %s
// RUN: cp %s d.cu && %echo_cc -w -O1 --device=cpu -DGUARDED -DCHANGED --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=NOT %s
// From a vector that is filled element by element; not where it gets other memory in between.
// RUN: sed -e 's/h, bytes/h.data(), bytes/' -e 's/float .h = .*malloc.room., /std::vector<float> h; float /' -e 's/h.i. = i/h.push_back(i)/; s/free(h);//' %s > e.cu
// RUN: %echo_cc -w -O1 --device=cpu -DGUARDED --suggest e.patch --report - e.cu -o plain | FileCheck --check-prefix=GUARDED %s
// RUN: patch -s -p0 < e.patch && %echo_cc -w -O1 --device=cpu -DGUARDED e.cu -o merged && ./plain > plain.txt && ./merged | diff plain.txt -
// RUN: sed 's/h.1. = 5;/h.resize(65536); h.front() = 5;/' e.cu > f.cu
// RUN: %echo_cc -w -O1 --device=cpu -DGUARDED -DWRITTEN --suggest f.patch --report - -c f.cu | FileCheck --check-prefix=NOT %s
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
__global__ void add(const float *x, const float *y, float *s) { *s = x[1] + y[1]; }
int main(int argc, char **argv) {
  const size_t bytes = 65536 * sizeof(float);
#ifdef GUARDED
  const size_t room = argc > 1 ? atoi(argv[1]) : bytes;
#else
  const size_t room = bytes;
#endif
  float *h = (float *)malloc(room), *first, *second, *s, sum;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  cudaMalloc(&first, bytes);
  cudaMalloc(&second, bytes);
  cudaMalloc(&s, sizeof(float));
#ifdef SOMETIMES
  if (argc > 1)
#endif
  cudaMemcpy(first, h, bytes, cudaMemcpyHostToDevice);
#ifdef CHANGED
  twice<<<256, 256>>>(first);
#endif
#ifdef WRITTEN
  h[1] = 5;
#endif
  cudaMemcpy(second, h, bytes, cudaMemcpyHostToDevice);
  add<<<1, 1>>>(first, second, s);
  cudaMemcpy(&sum, s, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", sum);
  cudaFree(first);
  cudaFree(second);
  cudaFree(s);
  free(h);
}
// CHECK: declined   rival rival
// CHECK: suggested: copy to 'second' from the device buffer that has the content already
// PATCH: {{^}}+  cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice);
// MERGED: first {{.*}} unified
// MERGED: 1 pair: 1 unified
// NOT-NOT: suggested
// GUARDED: guarded
// GUARDED: suggested: copy to 'second' from the device buffer that has the content already
// ONE-NOT: rival
// ONE: first {{.*}} guarded
// ONE-NOT: rival

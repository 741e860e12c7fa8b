// What passes would fold away in the view is an access of the program, at -O0
// and in functions that clang leaves as calls. While the kernel works with d it
// declines the pair; after the download it does not.
// REQUIRES: cuda-toolkit
// RUN: bash -c "for a in COPY UNUSED MOVED FORTIFIED COMPLEX PURE; do for w in BEFORE AFTER; do %echo_cc -w --device=cpu -O0 --min-bytes=1 -D\$w=\$a -c %s -o %t.o --report %t.\$a.\$w || exit 1; done; done"
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.COPY.BEFORE %s
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.COPY.AFTER %s
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.UNUSED.BEFORE %s
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.UNUSED.AFTER %s
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.MOVED.BEFORE %s
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.MOVED.AFTER %s
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.FORTIFIED.BEFORE %s
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.FORTIFIED.AFTER %s
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.COMPLEX.BEFORE %s
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.COMPLEX.AFTER %s
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.PURE.BEFORE %s
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.PURE.AFTER %s
// DECLINED: declined   S1
// UNIFIED: 1 pair: 1 unified
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Part {
  float x, y;
  int n[6];
};
using Number = std::complex<float>;

#define COPY Part part = *(Part *)(h + 16);
#define UNUSED float value = h[5];
#define MOVED memmove(h + 8, h + 8, 64);
#define FORTIFIED __builtin___memmove_chk(h, h, 256, __builtin_object_size(h, 0));
#define COMPLEX Number number = ((Number *)h)[4];
#define PURE (void)strlen((const char *)h);
#ifndef BEFORE
#define BEFORE
#endif
#ifndef AFTER
#define AFTER
#endif

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main() {
  float *h = (float *)malloc(4096), *d;
  if (cudaMalloc(&d, 4096))
    return 1;
  for (int i = 0; i < 1024; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  twice<<<1, 1024>>>(d);
  BEFORE
  cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);
  AFTER
  printf("%g\n", h[1023]);
  cudaFree(d);
  free(h);
}

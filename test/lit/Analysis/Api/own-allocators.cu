// What allocates and frees may be the program's own, and count.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.*.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.new.bad -DOWN_NEW
// RUN: FileCheck --input-file=%t.new.bad --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.free.bad -DOWN_FREE
// RUN: FileCheck --input-file=%t.free.bad --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.handler.bad -DOWN_HANDLER
// RUN: FileCheck --input-file=%t.handler.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <new>

static size_t bytes = 1 << 20;
void setBytes(size_t n) { bytes = n; }

struct Large {
  double data[5000];
};
extern "C" Large *shown(Large *);

#ifdef OWN_NEW
void *operator new(size_t n) {
  bytes += n;
  return malloc(n);
}
#elif defined(OWN_FREE)
void operator delete(void *p, size_t) noexcept {
  bytes += 8;
  free(p);
}
#elif defined(OWN_HANDLER)
static void more() { bytes += 8; }
void init() { std::set_new_handler(more); }
#endif

// OK: own-allocators.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: own-allocators.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void allocates(float x) {
  float *h = (float *)malloc(bytes), *d;
  Large *large = new Large;
  large->data[(int)x] = x;
  x = large->data[1];
  delete large;
  const size_t all = bytes;
  cudaMalloc(&d, all);
  memset(h, 0, all);
  cudaMemcpy(d, h, all, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, all, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], x);
  FREE;
}

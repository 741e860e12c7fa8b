// Where pairs are found: through helper functions, methods, std::vector and
// structs, and which copies link them.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../Inputs/case.h"
#include <vector>

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(status));
    exit(1);
  }
}

float *allocate(size_t bytes) {
  float *p;
  check(cudaMalloc(&p, bytes));
  return p;
}

void upload(float *to, const float *from, size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

// Helper functions and check macros.
// OK: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
// BAD-NEXT: [[#@LINE+8]]:{{[0-9]+}} 'unknown'
extern "C" void unknown(void *);
void helpers(int *flag) {
  float *h = (float *)malloc(Bytes);
  float *d = allocate(Bytes);
  memset(h, 0, Bytes);
  upload(d, h, Bytes);
  readOnly<<<1, 1>>>(d, flag);
  UNSAFE(unknown(d);)
  FREE;
}

// A class that owns both sides.
class Buffer {
  float *h, *d;
  size_t n;

public:
  explicit Buffer(size_t n) : n(n) {
    h = new float[n];
    check(cudaMalloc(&d, n * sizeof(float)));
  }
  ~Buffer() {
    cudaFree(d);
    delete[] h;
  }
  float *host() { return h; }
  float *device() { return d; }
  void up() {
    check(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  }
  void down() {
    check(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  }
};
float method(size_t n) {
  Buffer b(n);
  memset(b.host(), 0, n * sizeof(float));
  b.up();
  update<<<1, 256>>>(b.device());
  SAFE(b.down();)
  return b.host()[1];
}

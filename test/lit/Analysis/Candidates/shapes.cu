// Where pairs are found: through helper functions, methods, std::vector and
// structs, and which copies link them.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
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
// OK: [[#@LINE+27]]:{{[0-9]+}} b{{.*}} + {{.*}}:[[#@LINE+27]]:{{[0-9]+}} b{{.*}} n*4 B unified 2 copies removed ([[#@LINE+29]]:5 H2D, [[#@LINE+31]]:{{[0-9]+}} D2H){{.*}}, by Buffer [[#@LINE+10]]:{{[0-9]+}}
// BAD: [[#@LINE+26]]:{{[0-9]+}} b{{.*}} + {{.*}}:[[#@LINE+26]]:{{[0-9]+}} b{{.*}} n*4 B declined S1 {{.*}}, by Buffer [[#@LINE+9]]:{{[0-9]+}}
// BAD-NEXT: [[#@LINE+28]]:{{[0-9]+}} kernel 'update' writes b
// BAD-NEXT: [[#@LINE+29]]:{{[0-9]+}} host reads b
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

// std::vector, whose memory is operator new's.
// OK: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} v + {{.*}} declined S1 device-write-live-host
float vector() {
  std::vector<float> v(Count, 1.0f);
  float *d;
  cudaMalloc(&d, Bytes);
  cudaMemcpy(d, v.data(), Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  SAFE(cudaMemcpy(v.data(), d, Bytes, cudaMemcpyDeviceToHost);)
  float seen = v[1];
  cudaFree(d);
  return seen;
}

// Pointers beside an array in a struct that is indexed at run time.
// OK: [[#@LINE+12]]:{{[0-9]+}} s{{.*}} + {{.*}}:[[#@LINE+13]]:{{[0-9]+}} s{{.*}} {{.*}} unified 1 copy removed
// BAD: [[#@LINE+11]]:{{[0-9]+}} s{{.*}} + {{.*}} declined S1 host-write-live-device
// BAD-NEXT: [[#@LINE+15]]:{{[0-9]+}} host writes s
// BAD-NEXT: [[#@LINE+15]]:{{[0-9]+}} kernel 'readOnly' reads s
struct State {
  float *h, *d;
  int counts[8];
};
void fields(int *flag, int i) {
  State s;
  for (int k = 0; k < 8; ++k)
    s.counts[k] = k;
  s.h = (float *)malloc(Bytes);
  cudaMalloc(&s.d, Bytes);
  s.counts[i & 7] = i;
  memset(s.h, s.counts[0], Bytes);
  cudaMemcpy(s.d, s.h, Bytes, cudaMemcpyHostToDevice);
  UNSAFE(s.h[i] = 1;)
  readOnly<<<1, 1>>>(s.d, flag);
  cudaDeviceSynchronize();
  free(s.h);
  cudaFree(s.d);
}

// Early exits, with and without the frees.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
int earlyExits(int n) {
  PAIR;
  if (!h)
    return 1;
  memset(h, 0, Bytes);
  if (UP != cudaSuccess)
    return 2;
  update<<<1, 256>>>(d);
  if (cudaGetLastError() != cudaSuccess) {
    UNSAFE(int seen = h[n];)
    FREE;
    return 3 UNSAFE(+seen);
  }
  DOWN;
  int seen = h[n];
  FREE;
  return seen;
}

// The direction must be known; cudaMemcpyDefault between known buffers is.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage unknown-copy-kind
// BAD-NEXT: [[#@LINE+4]]:3 cudaMemcpy
void direction(cudaMemcpyKind kind) {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpy(d, h, Bytes, SAFE(cudaMemcpyDefault) UNSAFE(kind));
  FREE;
}

// Pinned memory.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S1 host-write-live-device
void pinned(int *flag) {
  float *h, *d;
  cudaHostAlloc(&h, Bytes, cudaHostAllocDefault);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  UNSAFE(h[0] = 1;)
  readOnly<<<1, 1>>>(d, flag);
  cudaFreeHost(h);
  cudaFree(d);
}

// OK: 7 pairs: 7 unified
// BAD: 7 pairs: 7 declined

// S4: which h belongs to which d, and do both live long enough?
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S4 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// One host buffer after the other joins the device's; but not if it is pinned.
// OK: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+3]]:{{[0-9]+}} the device buffer is allocated in another loop
void hostAfterHost(int n) {
  float *d;
  cudaMalloc(&d, Bytes);
  for (int i = 0; i < n; ++i) {
    SAFE(float *h = (float *)malloc(Bytes);)
    UNSAFE(float *h; cudaMallocHost(&h, Bytes);)
    memset(h, i, Bytes);
    UP;
    SAFE(free(h);)
    UNSAFE(cudaFreeHost(h);)
  }
  cudaFree(d);
}

// All of them have one size, which run time compares; or each has its own.
// OK: [[#@LINE+8]]:{{[0-9]+}} h + {{.*}} guarded
// BAD: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: the buffer is allocated in a loop, with another size each time
void hostSizes(const size_t *sizes, int n, size_t size) {
  float *d;
  cudaMalloc(&d, Bytes);
  for (int i = 0; i < n; ++i) {
    UNSAFE(size = sizes[i];)
    float *h = (float *)malloc(size);
    memset(h, i, size);
    cudaMemcpy(d, h, size, cudaMemcpyHostToDevice);
    free(h);
  }
  cudaFree(d);
}

// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} guarded
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: the buffer is allocated in a loop, with another size each time
void deviceSizes(const size_t *sizes, int n, size_t size) {
  float *h = (float *)malloc(Bytes), *d;
  memset(h, 1, Bytes);
  for (int i = 0; i < n; ++i) {
    UNSAFE(size = sizes[i];)
    cudaMalloc(&d, size);
    cudaMemcpy(d, h, size, cudaMemcpyHostToDevice);
    cudaFree(d);
  }
  free(h);
}

// One device buffer after the other joins the host's; but not where the host
// buffer comes with one of them.
// OK: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: the pointer is used in a later iteration
void oneAfterTheOther(int n) {
  for (int k = 0; k < n; ++k) {
    SAFE(float *h = (float *)malloc(Bytes);)
    UNSAFE(float *h;)
    for (int i = 0; i < n; ++i) {
      UNSAFE(if (i == 0) h = (float *)malloc(Bytes);)
      float *d;
      cudaMalloc(&d, Bytes);
      memset(h, i, Bytes);
      UP;
      cudaFree(d);
    }
    free(h);
  }
}

// A pointer that outlives its iteration names two buffers at once.
// OK: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: the pointer is used in a later iteration
float acrossIterations(int n) {
  float sum = 0, *last = nullptr;
  for (int i = 0; i < n; ++i) {
    PAIR;
    DOWN;
    SAFE(sum += h[0];)
    UNSAFE(sum += last ? last[0] : 0;)
    UNSAFE(last = h;)
    cudaFree(d);
    SAFE(free(h);)
  }
  return sum;
}

// OK: [[#@LINE+4]]:8 h + {{.*}} unified
// BAD: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+4]]:{{[0-9]+}} one buffer is freed before the other is allocated
void freedBeforeSecond() {
  SAFE(PAIR;)
  UNSAFE(float *h = (float *)malloc(Bytes);)
  UNSAFE(free(h);)
  UNSAFE(float *d; cudaMalloc(&d, Bytes);)
  UP;
  cudaFree(d);
  SAFE(free(h);)
}

// A reset frees d only.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S4 device-reset
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} cudaDeviceReset
void reset() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  UNSAFE(cudaDeviceReset();)
  FREE;
  SAFE(cudaDeviceReset();)
}

// Frees in either order, early or on one path, are the runtime's business.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S4 device-reset
int freesOnPaths(int *flag, bool early) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  free(h);
  if (early) {
    cudaFree(d);
    return 1;
  }
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaFree(d);)
  cudaDeviceReset();
  return 0;
}

// Rows of a device buffer in a table that is new in each round, too; or the
// table still holds those of the round before.
// OK: [[#@LINE+8]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: the pointer is used in a later iteration than the one that
void rowsAnew(int n, int rounds) {
  float **rows;
  UNSAFE(rows = (float **)malloc(n * sizeof(float *));)
  for (int round = 0; round < rounds; ++round) {
    SAFE(rows = (float **)malloc(n * sizeof(float *));)
    PAIR;
    for (int i = 0; i < n; ++i)
      rows[i] = d + i * 256;
    memset(h, round, Bytes);
    UP;
    for (int i = 0; i < n; ++i)
      update<<<1, 256>>>(rows[i]);
    DOWN;
    LOOK;
    FREE;
    SAFE(free(rows);)
  }
  UNSAFE(free(rows);)
}

// The same with a table of a fixed size.
// OK: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: the pointer is used in a later iteration than the one that
void fewRowsAnew(int n, int rounds) {
  UNSAFE(float **rows = (float **)malloc(4 * sizeof(float *));)
  for (int round = 0; round < rounds; ++round) {
    SAFE(float **rows = (float **)malloc(4 * sizeof(float *));)
    PAIR;
    for (int i = 0; i < n; ++i)
      rows[i] = d + i * 256;
    memset(h, round, Bytes);
    UP;
    for (int i = 0; i < n; ++i)
      update<<<1, 256>>>(rows[i]);
    DOWN;
    LOOK;
    FREE;
    SAFE(free(rows);)
  }
  UNSAFE(free(rows);)
}

// OK: 10 pairs: 8 unified, 2 guarded
// BAD: 10 pairs: 10 declined

// Sizes: constants of which the copies cover the smaller, or the same expression
// over the same values. Others are left to run time, which merges equal ones only.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --min-bytes=204800 --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --min-bytes=205824 --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition copy-shape -w --device=cpu -c --min-bytes=204800 %s
#include "../../Inputs/case.h"
#include <vector>
volatile float seen;

// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+5]]:3 d 1.00 MiB unified 1 copy removed ([[#@LINE+7]]:3 H2D)
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+4]]:3 d {{.*}} declined coverage size-mismatch
// BAD-NEXT: [[#@LINE+5]]:3 cudaMemcpy
void constants() {
  float *h = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, (1 << 20) SAFE(+4) UNSAFE(-4));
  memset(h, 0, 1 << 20);
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice);
  FREE;
}

// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} n B unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} guarded
void runTime(size_t n, size_t m) {
  float *h = (float *)malloc(n), *d;
  cudaMalloc(&d, SAFE(n) UNSAFE(m));
  memset(h, 0, n);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  FREE;
}

// Each product is written in its own way.
// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} guarded
void product(size_t rows, size_t columns) {
  size_t count = rows * columns;
  float *h = (float *)malloc(count * sizeof(float)), *d;
  cudaMalloc(&d, sizeof(float) * rows * (columns UNSAFE(+1)));
  memset(h, 0, count * 4);
  cudaMemcpy(d, h, 4 * columns * rows, cudaMemcpyHostToDevice);
  FREE;
}

// calloc's product and new's guard against overflow are no other size.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} guarded
void callocProduct(size_t n) {
  float *h = (float *)calloc(n, sizeof(float)), *d;
  cudaMalloc(&d, n * (sizeof(float) UNSAFE(-1)));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  FREE;
}

// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} guarded
void newArray(size_t n) {
  float *h = new float[n], *d;
  cudaMalloc(&d, n * sizeof(SAFE(float) UNSAFE(double)));
  memset(h, 0, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  delete[] h;
  cudaFree(d);
}

// A product of 32 bits that may wrap is not the product of 64 bits.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} guarded
void overflow(unsigned n) {
  float *h = (float *)malloc(n * sizeof(float)), *d;
  cudaMalloc(&d, SAFE(n * sizeof(float)) UNSAFE(n * 4u));
  memset(h, 0, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  FREE;
}

// Products of ints do not overflow, those of unsigned numbers may.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void order(SAFE(int) UNSAFE(unsigned) rows, SAFE(int) UNSAFE(unsigned) columns) {
  float *h = (float *)malloc(rows * columns * sizeof(float)), *d;
  cudaMalloc(&d, rows * columns * sizeof(float));
  memset(h, 0, rows * columns * sizeof(float));
  cudaMemcpy(d, h, sizeof(float) * rows * columns, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, sizeof(float) * columns * rows, cudaMemcpyDeviceToHost);
  seen = h[0];
  FREE;
}

// A value that changes between the allocations is another size.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} guarded
void changed(size_t n) {
  float *h = (float *)malloc(n), *d;
  memset(h, 0, n);
  UNSAFE(n += 4;)
  cudaMalloc(&d, n);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  FREE;
}

// A copy that may be smaller leaves a part of what was there before.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified 1 copy removed ([[#@LINE+7]]:5 H2D)
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 host-write-live-device
void copySize(size_t n, size_t m) {
  float *h = (float *)malloc(n), *d;
  cudaMalloc(&d, n);
  for (int i = 0; i < 2; ++i) {
    memset(h, i, n);
    cudaMemcpy(d, h, SAFE(n) UNSAFE(m), cudaMemcpyHostToDevice);
    update<<<1, 256>>>(d);
    cudaDeviceSynchronize();
  }
  FREE;
}

// A vector's size, as its class computes it.
// OK: [[#@LINE+4]]:{{[0-9]+}} v + {{.*}} 1.00 MiB unified
// BAD: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} 512.00 KiB declined coverage size-mismatch
// BAD-NEXT: [[#@LINE+5]]:3 cudaMemcpy
void vectorSize(int *flag) {
  std::vector<float> v(Count);
  float *d;
  cudaMalloc(&d, v.size() * sizeof(SAFE(float) UNSAFE(short)));
  cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(d);
}

// Constant sizes under the threshold are left alone.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} 200.00 KiB unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} 200.00 KiB skipped under 201 KiB
void threshold() {
  float *h = (float *)malloc(200 * 1024), *d;
  cudaMalloc(&d, 200 * 1024);
  memset(h, 0, 200 * 1024);
  cudaMemcpy(d, h, 200 * 1024, cudaMemcpyHostToDevice);
  FREE;
}

// OK: 11 pairs: 11 unified
// BAD: 11 pairs: 6 guarded, 4 declined, 1 skipped (under 201 KiB)

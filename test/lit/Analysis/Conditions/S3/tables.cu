// Pointers that a local table holds, and an index chooses.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// The copy is from one of two device buffers, whichever that is.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
float fromOneOfTwo(float *other, int rounds) {
  PAIR;
  float *second;
  if (cudaMalloc(&second, Bytes) != cudaSuccess)
    exit(1);
  SAFE(float *table[2] = {d, second};)
  UNSAFE(float *table[2] = {d, other};)
  memset(h, 0, Bytes);
  UP;
  int last = 0;
  for (int i = 0; i < rounds; ++i, last = 1 - last)
    update<<<1, 256>>>(table[last]);
  cudaMemcpy(h, table[last], Bytes, cudaMemcpyDeviceToHost);
  float seen = h[0];
  cudaFree(second);
  FREE;
  return seen;
}

// To where no buffer is, it is but a read.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void toElsewhere(float *out, float *other, int i, bool mine) {
  PAIR;
  float *table[2] = {d, other};
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(cudaMemcpy(out, table[i], Bytes, cudaMemcpyDeviceToHost);)
  UNSAFE(cudaMemcpy(mine ? h : out, table[i], Bytes, cudaMemcpyDeviceToHost);)
  FREE;
}

// An upload from elsewhere is a write that may not be of all: what the host
// reads is still needed.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float fromElsewhere(const float *in, int *flag, int i) {
  PAIR;
  float *second;
  cudaMalloc(&second, Bytes);
  float *table[2] = {d, second};
  memset(h, 0, Bytes);
  UP;
  SAFE(float seen = h[0];)
  cudaMemcpy(table[i], in, Bytes, cudaMemcpyHostToDevice);
  readOnly<<<1, 1>>>(d, flag);
  UNSAFE(float seen = h[0];)
  cudaFree(second);
  FREE;
  return seen;
}

// One of two host buffers that goes elsewhere is not followed.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void hostElsewhere(float *to, float *other, int i) {
  PAIR;
  float *table[2] = {h, other};
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaMemcpyAsync(to, h, Bytes, cudaMemcpyHostToDevice);)
  UNSAFE(cudaMemcpyAsync(to, table[i], Bytes, cudaMemcpyHostToDevice);)
  FREE;
}

// A null among them: that copy fails, and the host has what it wrote before.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float nullAmongThem(int i) {
  PAIR;
  float *table[2];
  table[0] = d;
  SAFE(table[1] = d;)
  UNSAFE(table[1] = nullptr;)
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, table[i], Bytes, cudaMemcpyDeviceToHost);
  float seen = h[0];
  FREE;
  return seen;
}

// The same where the table starts as zeroes.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float zeroes(int i, int n) {
  PAIR;
  SAFE(float **table = (float **)malloc(n * sizeof(float *));)
  UNSAFE(float **table = (float **)calloc(n, sizeof(float *));)
  table[0] = d;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, table[i], Bytes, cudaMemcpyDeviceToHost);
  float seen = h[0];
  free(table);
  FREE;
  return seen;
}

// What is copied into the table comes from anywhere.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
float copiedInto(float **others, int i) {
  PAIR;
  float *table[4], *mine[4] = {d, d, d, d};
  SAFE(memcpy(table, mine, sizeof(table));)
  UNSAFE(memcpy(table, others, sizeof(table));)
  table[0] = d;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, table[i], Bytes, cudaMemcpyDeviceToHost);
  float seen = h[0];
  FREE;
  return seen;
}

// Another place in the buffer is not its beginning.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 partial-copy
float insideOf(int i) {
  PAIR;
  SAFE(float *table[2] = {d, d};)
  UNSAFE(float *table[2] = {d, d + 1};)
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(h, table[i], Bytes / 2, cudaMemcpyDeviceToHost);
  float seen = h[0];
  FREE;
  return seen;
}

// A pointer as a number may be any.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
float numbers(long number, int i) {
  PAIR;
  union {
    float *pointers[2];
    long numbers[2];
  } table;
  table.pointers[0] = d;
  SAFE(table.pointers[1] = d;)
  UNSAFE(table.numbers[1] = number;)
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(h, table.pointers[i], Bytes, cudaMemcpyDeviceToHost);
  float seen = h[0];
  FREE;
  return seen;
}

// A free of what the table holds there ends the buffer's life perhaps.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S4 device-reset
void freedByIndex(int i) {
  PAIR;
  float *table[2] = {d, nullptr};
  memset(h, 0, Bytes);
  UP;
  free(h);
  SAFE(cudaFree(d);)
  UNSAFE(cudaFree(table[i]);)
  cudaDeviceReset();
}

// One buffer a round, each in a place of its own: many exist at a time.
// OK: [[#@LINE+5]]:18 h + {{.*}} unified
// BAD: [[#@LINE+4]]:18 h + {{.*}} declined S4 instance-mismatch
void allocatedInLoop(int n, int k) {
  float *h, *table[8];
  for (int i = 0; i < n; ++i) {
    h = (float *)malloc(Bytes);
    if (cudaMalloc(&table[SAFE(0) UNSAFE(i)], Bytes) != cudaSuccess)
      abort();
    memset(h, 0, Bytes);
    cudaMemcpy(table[SAFE(0) UNSAFE(k)], h, Bytes, cudaMemcpyHostToDevice);
    update<<<1, 256>>>(table[SAFE(0) UNSAFE(k)]);
    cudaMemcpy(h, table[SAFE(0) UNSAFE(k)], Bytes, cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    cudaFree(table[SAFE(0) UNSAFE(k)]);
    free(h);
  }
}

// The condition under which the table holds a null is that of then, not of now.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
float nullOfThen(int n, int i) {
  float *h = (float *)malloc(n), *d, *table[2];
  cudaMalloc(&d, n);
  memset(h, 0, n);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  SAFE(table[0] = table[1] = d;)
  UNSAFE(table[0] = table[1] = n ? d : nullptr;)
  update<<<1, 256>>>(d);
  cudaMemcpy(h, table[i], n, cudaMemcpyDeviceToHost);
  float seen = h[0];
  FREE;
  return seen;
}

// cudaMalloc puts its address into a block of the heap.
// OK: [[#@LINE+4]]:23 h + {{.*}} unified
// BAD: [[#@LINE+3]]:23 h + {{.*}} declined S3 pointer-escapes
float *volatile last;
void allocatedInTable(float **given, int i) {
  float *h = (float *)malloc(Bytes);
  SAFE(float **table = (float **)malloc(2 * sizeof(float *));)
  UNSAFE(float **table = given;)
  cudaMalloc(&table[0], Bytes);
  cudaMalloc(&table[1], Bytes);
  memset(h, 0, Bytes);
  cudaMemcpy(table[0], h, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(table[i]);
  cudaFree(table[0]);
  cudaFree(table[1]);
  free(h);
  SAFE(free(table);)
}

__global__ void eachOf(float **table) { *table[threadIdx.x] += 1; }
__global__ void moveOn(float **table) { table[threadIdx.x] += 1; }

// The table itself is a pair; what it points to is none.
// OK: [[#@LINE+3]]:25 h + {{.*}} unified
// BAD: [[#@LINE+2]]:25 h + {{.*}} declined S1 device-write-live-host
void tableItself(size_t n) {
  float **h = (float **)malloc(n * sizeof(float *)), **d;
  for (size_t i = 0; i < n; ++i)
    cudaMalloc(&h[i], Bytes);
  cudaMalloc(&d, n * sizeof(float *));
  cudaMemcpy(d, h, n * sizeof(float *), cudaMemcpyHostToDevice);
  SAFE(eachOf<<<1, 32>>>(d);)
  UNSAFE(moveOn<<<1, 32>>>(d);)
  for (size_t i = 0; i < n; ++i)
    cudaFree(h[i]);
  cudaFree(d);
  free(h);
}

// What changes the meaning of a wait, a stream or a process around the pair:
// another device, a stream capture or a fork out of sight, a reset.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition capture -w --device=cpu -c %s
#include "../../../Inputs/case.h"
#include <unistd.h>

// OK: context.cu:[[#@LINE+6]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+5]]:3 h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
// cudaDeviceSynchronize waits for the current device only.
void otherDevice(int *flag) {
  cudaSetDevice(0);
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaSetDevice(0);)
  UNSAFE(cudaSetDevice(1);)
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

// A guard, as libraries have them, selects the device that is current anyway;
// not if another one was selected since it asked.
struct Guard {
  int device = -1;
  Guard() {
    int now = -1;
    if (cudaGetDevice(&device) || cudaGetDevice(&now))
      abort();
    if (now != device)
      cudaSetDevice(device);
  }
  ~Guard() { cudaSetDevice(device); }
};
// OK: context.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+3]]:3 h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
void guarded(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  {
    Guard guard;
    UNSAFE(cudaSetDevice(1);)
    readOnly<<<1, 1>>>(d, flag);
  }
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

// What a call that failed left in the variable is no device that was current.
// OK: context.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+3]]:3 h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
void guardUnchecked(int *flag) {
  PAIR;
  int device = 0;
  memset(h, 0, Bytes);
  UP;
  SAFE(if (cudaGetDevice(&device)) return;)
  UNSAFE(cudaGetDevice(&device);)
  readOnly<<<1, 1>>>(d, flag);
  cudaSetDevice(device);
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

// It succeeded, and so did another call; or one of them did.
// OK: context.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+3]]:3 h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
void guardOfTwo(int *flag) {
  PAIR;
  int device = 0;
  memset(h, 0, Bytes);
  UP;
  bool found = cudaGetDevice(&device) == cudaSuccess;
  bool clean = cudaGetLastError() == cudaSuccess;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaSetDevice(found & clean ? device : -1);)
  UNSAFE(cudaSetDevice(found | clean ? device : -1);)
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

// Selected in one of two ways, and over before the buffers exist; or the choice
// behind them is that of a way that another one replaced.
// OK: context.cu:[[#@LINE+7]]:{{[0-9]+}} h + {{.*}} unified
// BAD: context.cu:[[#@LINE+6]]:{{[0-9]+}} h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
void chosenEitherWay(int *flag, int n) {
  cudaSetDevice(0);
  if (n)
    cudaSetDevice(n);
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  UNSAFE(cudaSetDevice(0);)
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

// Selected between the two allocations: nothing of the GPU's meets h before.
// OK: context.cu:[[#@LINE+5]]:{{[0-9]+}} h + {{.*}} unified
// BAD: context.cu:[[#@LINE+4]]:{{[0-9]+}} h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
void chosenLate(int *flag, float *other) {
  float *h, *d;
  cudaMallocHost(&h, Bytes);
  memset(h, 0, Bytes);
  UNSAFE(cudaMemcpyAsync(other, h, Bytes, cudaMemcpyHostToDevice);)
  cudaSetDevice(1);
  cudaMalloc(&d, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  cudaFreeHost(h);
  cudaFree(d);
}

// With another device in each round, what the last one left is not waited for.
// OK: context.cu:[[#@LINE+4]]:{{[0-9]+}} h + {{.*}} unified
// BAD: context.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} declined coverage unmodelled-api
// BAD: cudaSetDevice may select another device
void chosenAgain(int *flag, int n) {
  float *h = (float *)malloc(Bytes), *d;
  SAFE(cudaSetDevice(n);)
  for (int i = 0; i < n; ++i) {
    UNSAFE(cudaSetDevice(i);)
    if (cudaMalloc(&d, Bytes))
      exit(1);
    memset(h, i, Bytes);
    UP;
    readOnly<<<1, 1>>>(d, flag);
    cudaDeviceSynchronize();
  }
  free(h);
}

// A stream that a function out of sight is given may record a graph, which
// copies and launches later, and again.
void outOfSight();
void outOfSight(cudaStream_t);
// OK: context.cu:[[#@LINE+6]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+5]]:3 h + {{.*}} declined coverage stream-capture
// BAD: 'outOfSight' may capture a stream
void captured() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  PAIR;
  memset(h, 0, Bytes);
  SAFE(outOfSight();)
  UNSAFE(outOfSight(s);)
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  update<<<1, 1, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%f\n", h[0]);
  FREE;
}

// OK: context.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+4]]:3 h + {{.*}} declined coverage host-concurrency
// BAD: 'fork'
// The child has a copy of h, but not of merged memory.
void forked() {
  PAIR;
  memset(h, 0, Bytes);
  UNSAFE(if (fork() == 0) _exit(h[1] > 0);)
  UP;
  update<<<1, 1>>>(d);
  DOWN;
  printf("%f\n", h[0]);
  FREE;
}

// OK: context.cu:[[#@LINE+6]]:3 h + {{.*}} unified
// BAD: context.cu:[[#@LINE+5]]:3 h + {{.*}} declined S3 pointer-compared
// BAD: an assumption about the buffer's address
#define ASSUME_APART __builtin_assume_separate_storage(h, d)
void assumed() {
  // The assumption is true of the program only.
  PAIR;
  memset(h, 0, Bytes);
  UP;
  UNSAFE(ASSUME_APART;)
  SAFE((void)__builtin_assume_aligned(h, 16);)
  update<<<1, 1>>>(d);
  DOWN;
  printf("%f\n", h[0]);
  FREE;
}

//===- memory.cu - Accesses out of bounds ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What AddressSanitizer must find in kernels, in copies and on the host, and
// what it must not complain about.
//
//===----------------------------------------------------------------------===//
// SANITIZE: address
// MERGED: 2
#include "cases.h"

static const int Extra = SAFE(0) UNSAFE(1);

__global__ void fillTo(int *P, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    P[I] = I; // PLACE: fillTo
}
#define ON_ALL <<<(N + 128) / 128, 128>>>

static long deviceBlock() {
  int *D = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  fillTo ON_ALL(D, N + Extra); // AT: fillTo
  long R = content(D);
  CHECK(cudaFree(D));
  return R;
}

// Large blocks are mappings in other builds.
static long largeBlock() {
  char *D = nullptr;
  const size_t Large = 3 << 20;
  CHECK(cudaMalloc(&D, Large));
  CHECK(cudaMemset(D, 0, Large));
  fillTo<<<1, 1>>>((int *)(D + Large - 4 + 4 * Extra), 1); // AT: fillTo
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(D));
  return 1;
}

static long pinnedBlock() {
  int *H = pinned();
  fillTo ON_ALL(H, N + Extra); // AT: fillTo
  CHECK(cudaDeviceSynchronize());
  return sum(H);
}

static long managedBlock() {
  int *M = nullptr;
  CHECK(cudaMallocManaged((void **)&M, 8192));
  fillTo<<<1, 1>>>(M + 2047 + Extra, 1); // AT: fillTo
  CHECK(cudaDeviceSynchronize());
  long R = M[2047];
  CHECK(cudaFree(M));
  return R;
}

// A texture that is said to be longer than its memory.
__global__ void fetch(cudaTextureObject_t From, int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N + Extra)
    Out[I % N] = tex1Dfetch<int>(From, I); // HERE
}
static long texturedBlock() {
  int *D = device(3), *Out = device();
  cudaResourceDesc Of = {};
  Of.resType = cudaResourceTypeLinear;
  Of.res.linear.devPtr = D;
  Of.res.linear.desc = cudaCreateChannelDesc<int>();
  Of.res.linear.sizeInBytes = Bytes + 4 * Extra;
  cudaTextureDesc How = {};
  cudaTextureObject_t From;
  CHECK(cudaCreateTextureObject(&From, &Of, &How, nullptr));
  fetch ON_ALL(From, Out);
  return content(Out);
}

// A pair that merges, and then the kernel ...
static long pairOnDevice() {
  int *H = (int *)malloc(4096), *D = nullptr;
  CHECK(cudaMalloc(&D, 4096));
  for (int I = 0; I != 1024; ++I)
    H[I] = I;
  CHECK(cudaMemcpy(D, H, 4096, cudaMemcpyHostToDevice));
  fillTo<<<9, 128>>>(D, 1024 + Extra); // AT: fillTo
  CHECK(cudaMemcpy(H, D, 4096, cudaMemcpyDeviceToHost));
  long R = H[0] + H[1023];
  CHECK(cudaFree(D));
  free(H);
  return R;
}

// ... or the host goes too far.
static long pairOnHost() {
  int *H = (int *)malloc(4096), *D = nullptr;
  CHECK(cudaMalloc(&D, 4096));
  for (int I = 0; I != 1024 + Extra; ++I)
    H[I] = I; // HERE
  CHECK(cudaMemcpy(D, H, 4096, cudaMemcpyHostToDevice));
  fillTo<<<9, 128>>>(D, 1024);
  CHECK(cudaMemcpy(H, D, 4096, cudaMemcpyDeviceToHost));
  long R = H[0] + H[1023];
  CHECK(cudaFree(D));
  free(H);
  return R;
}

static long copySource() {
  int *H = (int *)malloc(Bytes), *D = device();
  set(H, 1);
  CHECK(cudaMemcpy(D, H + Extra, Bytes, cudaMemcpyHostToDevice)); // HERE
  free(H);
  return content(D);
}

static long asyncCopyTarget() {
  int *H = (int *)malloc(Bytes), *D = device(1);
  cudaStream_t S = blocking();
  CHECK(
      cudaMemcpyAsync(H + Extra, D, Bytes, cudaMemcpyDeviceToHost, S)); // HERE
  CHECK(cudaStreamSynchronize(S));
  long R = sum(H);
  free(H);
  return R;
}

static long asyncSource() {
  int *H = (int *)malloc(Bytes), *D = device(1);
  cudaStream_t S = blocking();
  set(H, 1);
  CHECK(
      cudaMemcpyAsync(D, H + Extra, Bytes, cudaMemcpyHostToDevice, S)); // HERE
  CHECK(cudaStreamSynchronize(S));
  free(H);
  return content(D);
}

static long usedAfterFree() {
  int *H = pinned(), *D = device(1);
  SAFE(fillTo ON_ALL(D, N));
  CHECK(cudaFree(D));
  UNSAFE(fillTo ON_ALL(D, N)); // AT: fillTo
  CHECK(cudaDeviceSynchronize());
  return sum(H);
}

static long hostUsesAfterFree() {
  int *H = pinned();
  SAFE(long R = sum(H));
  CHECK(cudaFreeHost(H));
  UNSAFE(long R = sum(H)); // HERE
  return R;
}

// Two shared variables and the dynamic part follow one another.
__global__ void shared(int *Out, int Far, int FarDynamic) {
  __shared__ int First[32];
  __shared__ int Second[32];
  extern __shared__ int Dynamic[];
  First[threadIdx.x] = Second[threadIdx.x] = Dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  volatile int *P = threadIdx.x < 16 ? First : Second;
  P[Far + threadIdx.x % 16] += 1;         // PLACE: sharedArray
  Dynamic[FarDynamic + threadIdx.x] += 1; // PLACE: dynamicArray
  __syncthreads();
  Out[threadIdx.x] = First[threadIdx.x] + Second[31 - threadIdx.x] + Dynamic[5];
}
static long sharedArray() {
  int *D = device();
  shared<<<3, 32, 128>>>(D, 16 + Extra, 0); // AT: sharedArray
  return content(D);
}
static long dynamicArray() {
  int *D = device();
  shared<<<3, 32, 128>>>(D, 0, Extra); // AT: dynamicArray
  return content(D);
}

// Arrays on the stacks of threads that wait at barriers.
__device__ __noinline__ int lookUp(const int *P, int I) { return P[I]; }
__global__ void local(int *Out, int Far) {
  int Mine[16];
  for (int I = 0; I != 16; ++I)
    Mine[I] = I + threadIdx.x;
  __syncthreads();
  int X = lookUp(Mine, Far); // HERE
  __syncthreads();
  Out[threadIdx.x] = X + lookUp(Mine, 3);
}
static long localArray() {
  int *D = device();
  local<<<4, 64>>>(D, 15 + Extra);
  return content(D);
}

__device__ int Global[16];
__constant__ int Table[16];
__global__ void globals(int *Out, int Far) {
  Out[threadIdx.x] = lookUp(Global, Far) + lookUp(Table, 3); // HERE
}
static long globalArray() {
  int *D = device();
  globals<<<1, 32>>>(D, 15 + Extra);
  return content(D);
}

CASES(CASE(deviceBlock), CASE(largeBlock), CASE(pinnedBlock),
      CASE(managedBlock), CASE(texturedBlock), CASE(pairOnDevice), CASE(pairOnHost),
      CASE(copySource), CASE(asyncCopyTarget), CASE(asyncSource),
      CASE(usedAfterFree), CASE(hostUsesAfterFree), CASE(sharedArray),
      CASE(dynamicArray), CASE(localArray), CASE(globalArray))

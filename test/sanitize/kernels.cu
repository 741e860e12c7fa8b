//===- kernels.cu - Races of and within kernels ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of every kind are instrumented: plain, with barriers, with warp
// operations, with functions that stay calls. Neighbouring blocks of a grid are
// not ordered, except by atomics.
//
//===----------------------------------------------------------------------===//
// SANITIZE: thread
// ENV: ECHO_CPU_THREADS=4
#include "cases.h"

__global__ void count(int *P) {
  SAFE(atomicAdd(P, 1));
  UNSAFE(++*P);
}
static long blocks() {
  int *D = device();
  count<<<64, 1>>>(D); // HERE
  return content(D);
}

// Each block writes its part; a bad one writes into its neighbour's.
__global__ void parts(int *P) {
  int Last = SAFE(0) UNSAFE(1);
  for (int I = 0; I != 10 + Last; ++I)
    P[blockIdx.x * 10 + I] = I % 10;
}
static long neighbours() {
  int *D = device();
  parts<<<64, 1>>>(D); // HERE
  return content(D);
}

// Parts of a word are places of their own. (Of a word ThreadSanitizer keeps
// four accesses in mind.)
__global__ void halves(short *P) {
  int Last = SAFE(0) UNSAFE(1);
  for (int I = 0; I != 2 + Last; ++I)
    P[blockIdx.x * 2 + I] = 1;
}
static long neighbourShorts() {
  int *D = device();
  halves<<<64, 1>>>((short *)D); // HERE
  return content(D);
}

// Sums a block's numbers in shared memory.
__device__ int sumOfBlock(int X) {
  __shared__ int Parts[128];
  extern __shared__ int Copy[];
  Parts[threadIdx.x] = Copy[threadIdx.x] = X;
  __syncthreads();
  for (int Step = 64; Step; Step /= 2) {
    if (threadIdx.x < Step)
      Parts[threadIdx.x] += Parts[threadIdx.x + Step];
    __syncthreads();
  }
  return Parts[0] + Copy[(threadIdx.x + 1) % 128];
}
__global__ void blockSums(int *To, const int *From) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int S = sumOfBlock(I < N ? From[I] : 0);
  if (I < N)
    To[I] = S;
}
static long barriers() {
  int *H = pinned(), *D = device(1), *Out = device();
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  // Two streams use the same workers' stacks and shared memory, which is none
  // of the program's.
  for (int I = 0; I != 3; ++I) {
    blockSums<<<8, 128, 512, A>>>(H, D); // HERE
    blockSums<<<8, 128, 512, B>>>(Out, D);
  }
  SAFE(CHECK(cudaStreamSynchronize(A)));
  long R = sum(H); // HERE
  return R + content(Out);
}

__global__ void warpSums(int *To, const int *From) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int X = I < N ? From[I] : 0;
  for (int Step = 16; Step; Step /= 2)
    X += __shfl_xor_sync(~0u, X, Step);
  if (I < N)
    To[I] = X;
}
static long warps() {
  int *H = pinned(), *D = device(1);
  warpSums ON(0)(H, D); // HERE
  SAFE(CHECK(cudaStreamSynchronize(0)));
  return sum(H); // HERE
}

struct Vector {
  float X, Y, Z;
};
__device__ __noinline__ Vector scaled(const Vector &V, float By) {
  Vector R = V;
  R.X *= By, R.Y *= By, R.Z *= By;
  return R;
}
__device__ __noinline__ void store(Vector *To, const Vector *From) {
  Vector Local[2] = {scaled(*From, 2), scaled(*From, 3)};
  *To = Local[threadIdx.x % 2];
}
__global__ void scale(Vector *V) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N / 3)
    store(V + I, V + I);
}
static long calls() {
  int *H = pinned(), *K = pinned();
  memset(H, 0, Bytes), memset(K, 0, Bytes);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  scale ON(A)((Vector *)H); // HERE
  SAFE(scale ON(B)((Vector *)K));
  UNSAFE(scale ON(B)((Vector *)H)); // HERE
  CHECK(cudaDeviceSynchronize());
  return sum(H) + sum(K);
}

// The last block to arrive adds up what all have written.
__device__ unsigned Arrived;
__global__ void lastBlock(int *Parts, int *Total) {
  Parts[blockIdx.x] = blockIdx.x;
  __threadfence();
  SAFE(unsigned Ticket = atomicInc(&Arrived, gridDim.x - 1));
  UNSAFE(unsigned Ticket = blockIdx.x);
  if (Ticket != gridDim.x - 1)
    return;
  __threadfence();
  int S = 0;
  for (int I = 0; I != gridDim.x; ++I)
    S += Parts[I];
  *Total = S;
}
static long threadFence() {
  int *D = device(), *Total = device();
  lastBlock<<<32, 1>>>(D, Total); // HERE
  return content(Total);
}

// One block passes a value on through a volatile flag.
__global__ void handOver(int *Value, SAFE(volatile) int *Flag, int *Out) {
  if (blockIdx.x == 0) {
    *Value = 42;
    __threadfence();
    *Flag = 1;
  } else if (*Flag) {
    __threadfence();
    *Out = *Value - 42;
  }
}
static long volatileFlag() {
  int *D = device(), *Flag = device(), *Out = device();
  CHECK(cudaMemset(Flag, 0, Bytes));
  handOver<<<2, 1>>>(D, Flag, Out); // HERE
  return content(D) + content(Out);
}

// All blocks of a cooperative grid run at once and may wait for each other.
__device__ unsigned Gate;
__global__ void wholeGrid(int *P, int *Out) {
  P[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    SAFE(atomicAdd(&Gate, 1));
    while (SAFE(atomicAdd(&Gate, 0) < gridDim.x) UNSAFE(false))
      ;
  }
  __syncthreads();
  Out[blockIdx.x * 32 + threadIdx.x] =
      P[(blockIdx.x + 1) % gridDim.x * 32 + threadIdx.x];
}
static long gridBarrier() {
  int *D = device(), *Out = device();
  void *Args[] = {&D, &Out};
  CHECK(cudaLaunchCooperativeKernel((void *)wholeGrid, 3, 32, Args)); // HERE
  return content(Out);
}

// The host may watch what a kernel writes atomically.
__global__ void publish(int *P) {
  if (threadIdx.x == 0)
    atomicExch_system(P, 5);
}
static long systemAtomic() {
  int *H = pinned();
  publish<<<1, 1>>>(H); // HERE
  SAFE(int Now = __atomic_load_n(H, __ATOMIC_RELAXED));
  UNSAFE(int Now = *H); // HERE
  long R = Now == 5 || Now == 0;
  CHECK(cudaDeviceSynchronize());
  return R + *H;
}

__constant__ int Table[16];
__device__ int *Where;
__global__ void throughGlobal() {
  if (blockIdx.x == 0 && threadIdx.x < 16)
    Where[threadIdx.x] = Table[threadIdx.x];
}
static long deviceGlobal() {
  int *H = pinned(), Values[16] = {1, 2, 3};
  CHECK(cudaMemcpyToSymbol(Table, Values, sizeof(Values)));
  CHECK(cudaMemcpyToSymbol(Where, &H, sizeof(H)));
  throughGlobal<<<1, 32>>>(); // HERE
  SAFE(CHECK(cudaDeviceSynchronize()));
  return sum(H); // HERE
}

CASES(CASE(blocks), CASE(neighbours), CASE(neighbourShorts), CASE(barriers),
      CASE(warps), CASE(calls), CASE(threadFence), CASE(volatileFlag),
      CASE(gridBarrier), CASE(systemAtomic), CASE(deviceGlobal))

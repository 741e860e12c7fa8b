//===- released.cu - Kernels that wait for what the host does next --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in a non-blocking stream waits for a flag that the host raises after
// a copy. No copy here follows that kernel, so each returns before it ends, and
// so must what takes the place of one that is not made. In "queued" an upload
// follows it, but that one returns once CUDA has taken its bytes along; so in
// "anywhere", where the kind is left to CUDA and the memory is managed. The
// kernel gives up in the end and says whether it saw the flag.
//
// CASE: legacy    | skips
// CASE: idle      | skips
// CASE: blocking  | skips
// CASE: elsewhere | skips
// CASE: queued    | skips apart unwatched
// CASE: anywhere  | pins split-only
//
// Validation finds each: a kernel that does not end by itself.
// VALIDATE: legacy    | in=Held
// VALIDATE: elsewhere | in=Held
// VALIDATE: queued    | in=Held
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t N = 1 << 18; // bytes
static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

__global__ void waitFor(volatile int *Flag, int Value, int *Seen) {
  long Left = 1L << 40;
  while (*Flag < Value && --Left)
    ;
  *Seen = Left != 0;
}

__global__ void add(unsigned char *D, size_t Count, int Value) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    D[I] = D[I] * 3 + Value;
}

int main(int, char **Args) {
  Case = Args[1];
  cudaStream_t Beside, Blocking = nullptr;
  cudaStreamCreateWithFlags(&Beside, cudaStreamNonBlocking);
  if (!is("idle")) // in "idle" no stream follows the legacy one
    cudaStreamCreate(&Blocking);
  int *Flag, *Seen, Saw = 0, Sum = 0;
  cudaMallocHost(&Flag, N); // a smaller one would reject the pairs
  *Flag = 0;
  cudaMalloc(&Seen, sizeof *Seen);
  auto *H = static_cast<unsigned char *>(malloc(N));
  unsigned char *D, *Other;
  cudaMalloc(&D, N);
  cudaMalloc(&Other, 2 * N);
  void *Managed = nullptr;
  if (is("anywhere"))
    cudaMallocManaged(&Managed, N);
  // What is loaded when it is first used would wait for the kernel.
  waitFor<<<1, 1, 0, Beside>>>(Flag, 0, Seen);
  add<<<1, 1>>>(D, 0, 0);
  cudaDeviceSynchronize();
  cudaStream_t Adds = is("queued") ? Beside : nullptr;
  for (int Round = 1; Round != 7; ++Round) {
    memset(H, Round, N);
    if (is("blocking"))
      cudaMemcpyAsync(D, H, N, cudaMemcpyHostToDevice, Blocking);
    else if (!is("queued"))
      cudaMemcpy(D, H, N, cudaMemcpyHostToDevice);
    waitFor<<<1, 1, 0, Beside>>>(Flag, Round, Seen);
    if (is("anywhere")) {
      cudaMemcpyAsync(Managed, H, N, cudaMemcpyDefault, Beside);
      *static_cast<volatile int *>(Flag) = Round;
    }
    if (is("queued")) {
      cudaMemcpyAsync(D, H, N, cudaMemcpyHostToDevice, Beside);
      *static_cast<volatile int *>(Flag) = Round;
    }
    add<<<(N + 255) / 256, 256, 0, Adds>>>(D, N, Round);
    if (is("elsewhere"))
      cudaMemcpyAsync(Other, D, N, cudaMemcpyDeviceToDevice, nullptr);
    // In a blocking stream it follows the kernel of the legacy one.
    if (is("blocking"))
      cudaMemcpyAsync(H, D, N, cudaMemcpyDeviceToHost, Blocking);
    else if (is("queued"))
      cudaMemcpyAsync(H, D, N, cudaMemcpyDeviceToHost, Beside);
    else
      cudaMemcpy(H, D, N, cudaMemcpyDeviceToHost);
    *static_cast<volatile int *>(Flag) = Round;
    cudaDeviceSynchronize();
    cudaMemcpy(&Saw, Seen, sizeof Saw, cudaMemcpyDeviceToHost);
    for (size_t I = 0; I < N; I += 1001)
      Sum = Sum * 31 + H[I];
    printf("round %d: %d, the flag was %s\n", Round, Sum,
           Saw ? "seen" : "missed");
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

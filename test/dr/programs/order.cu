//===- order.cu - A copy that orders two other streams --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One stream writes what another one reads, and all that is between them is an
// asynchronous copy in the legacy default stream: blocking streams, and each
// thread's default stream, wait for it and are waited for. Non-blocking streams
// are ordered by events. The order must stay where the copy is not made.
//
// CASE: blocking     | skips no-waits
// CASE: per-thread   | skips-unless-managed no-waits
// CASE: non-blocking | skips no-waits
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t N = 1 << 18; // bytes
static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

__global__ void write(unsigned char *Between, unsigned char Value) {
  *Between = Value;
}

__global__ void read(const unsigned char *Between, const unsigned char *In,
                     unsigned char *Out, size_t Count) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    Out[I] = In[I] + *Between;
}

static unsigned char *Between;
static cudaStream_t Writer, Reader;
static int Round;

static void *launchWriter(void *) {
  write<<<1, 1, 0, Writer>>>(Between, Round * 7 + 1);
  return nullptr;
}

int main(int, char **Args) {
  Case = Args[1];
  if (is("per-thread")) {
    Writer = Reader = cudaStreamPerThread;
  } else {
    const unsigned Kind = is("blocking") ? 0 : cudaStreamNonBlocking;
    cudaStreamCreateWithFlags(&Writer, Kind);
    cudaStreamCreateWithFlags(&Reader, Kind);
  }
  cudaEvent_t Written, Copied;
  cudaEventCreate(&Written);
  cudaEventCreate(&Copied);
  auto *H = static_cast<unsigned char *>(malloc(N));
  auto *O = static_cast<unsigned char *>(malloc(N));
  unsigned char *In, *Out;
  cudaMalloc(&Between, 1);
  cudaMemset(Between, 0, 1);
  cudaDeviceSynchronize();
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  unsigned long long Sum = 0;
  for (Round = 0; Round != 6; ++Round) {
    memset(H, Round, N);
    pthread_t Thread;
    pthread_create(&Thread, nullptr, launchWriter, nullptr);
    pthread_join(Thread, nullptr);
    if (is("non-blocking")) {
      cudaEventRecord(Written, Writer);
      cudaStreamWaitEvent(nullptr, Written, 0);
    }
    cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, nullptr);
    if (is("non-blocking")) {
      cudaEventRecord(Copied, nullptr);
      cudaStreamWaitEvent(Reader, Copied, 0);
    }
    read<<<(N + 255) / 256, 256, 0, Reader>>>(Between, In, Out, N);
    cudaDeviceSynchronize();
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    for (size_t I = 0; I < N; I += 1001)
      Sum = Sum * 31 + O[I];
  }
  printf("%llu %s\n", Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(Between);
  cudaFree(In);
  cudaFree(Out);
  free(H);
  free(O);
}

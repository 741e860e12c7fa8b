//===- streams.cu - Loops beside a library that keeps its own streams -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As tricks.cu: the same loop each time, with a library (keeps.cu) that works
// in streams of its own. What events and waits order with the program's own
// stream passes; its twin, a line apart, does not. A kernel may use any buffer;
// a copy or a set uses what it names, and nobody need wait for one that uses
// the library's own memory.
//
// VALIDATE: starts               | in=pass out=pass
// VALIDATE: ordered              | in=pass out=pass
//
// A kernel on the library's memory:
// VALIDATE: own-alone            | in=HostAccess out=HostAccess
// VALIDATE: own-joined           | in=pass out=pass
// VALIDATE: own-early            | in=HostAccess out=HostAccess
// VALIDATE: own-wrong            | in=HostAccess out=HostAccess
// VALIDATE: own-other-waits      | in=HostAccess out=HostAccess
// VALIDATE: own-blocking         | in=pass out=pass
// VALIDATE: own-host-waits       | in=pass out=pass
// VALIDATE: own-host-waits-other | in=HostAccess out=HostAccess
// VALIDATE: own-waits-event      | in=pass out=pass
//
// The same in the thread's default stream, which the legacy stream orders:
// VALIDATE: thread-legacy        | in=pass out=pass
// VALIDATE: thread-non-blocking  | in=HostAccess out=HostAccess
//
// Copies and sets:
// VALIDATE: set-own              | in=pass out=pass
// VALIDATE: set-theirs           | in=HostAccess out=HostAccess
// VALIDATE: set-theirs-joined    | in=pass out=pass
// VALIDATE: copy-own             | in=pass out=pass
// VALIDATE: copy-theirs          | in=HostAccess out=HostAccess
// VALIDATE: copy-theirs-joined   | in=pass out=pass
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t N = 1 << 18; // bytes, of which the loop uses all but 64

__global__ void work(const unsigned char *In, unsigned char *Out,
                     size_t Count) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    Out[I] = In[I] * 3 + 1;
}

template <class F> static F look(const char *Name) {
  static void *Library = nullptr;
  if (!Library) {
    char Path[4096] = {};
    (void)!readlink("/proc/self/exe", Path, sizeof Path - 16);
    strcpy(strrchr(Path, '/'), "/libkeeps.so");
    Library = dlopen(Path, RTLD_NOW);
  }
  return reinterpret_cast<F>(dlsym(Library, Name));
}

int main(int, char **Args) {
  auto Run = look<bool (*)(const unsigned char *, unsigned char *, size_t)>(
      "libraryRun");
  look<void (*)(const char *)>("libraryStart")(Args[1]);
  auto *H = static_cast<unsigned char *>(malloc(N));
  auto *O = static_cast<unsigned char *>(malloc(N));
  unsigned char *In, *Out;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  cudaStream_t S = nullptr;
  if (!strcmp(Args[1], "thread-non-blocking"))
    cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking);
  unsigned long long Sum = 0;
  for (int I = 0; I != 6; ++I) {
    memset(H, I + 1, N);
    cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, S);
    if (!Run(In, Out, N))
      work<<<(N + 191) / 256, 256, 0, S>>>(In, Out, N - 64);
    cudaMemcpyAsync(O, Out, N, cudaMemcpyDeviceToHost, S);
    cudaStreamSynchronize(S);
    for (size_t J = 0; J < N - 64; J += 1001)
      Sum = Sum * 31 + O[J];
  }
  look<void (*)()>("libraryEnd")();
  cudaDeviceSynchronize();
  printf("%s %llu %s\n", Args[1], Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
  free(O);
}

//===- counted.cu - A program with a cudaMemcpy of its own ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It counts its copies and hands them on. With "looked-up" it copies by the
// runtime's own function, too, which it finds by a handle: no wrapper can stand
// for that one, as two objects have the name.
//
//===----------------------------------------------------------------------===//
#include "runtime-handle.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int);
static int Copies;

using Copy = cudaError_t (*)(void *, const void *, size_t, cudaMemcpyKind);

extern "C" __attribute__((visibility("default"))) cudaError_t
cudaMemcpy(void *Dst, const void *Src, size_t Bytes, cudaMemcpyKind Kind) {
  static auto Real = reinterpret_cast<Copy>(dlsym(RTLD_NEXT, "cudaMemcpy"));
  ++Copies;
  return Real(Dst, Src, Bytes, Kind);
}

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

int main(int, char **Args) {
  Copy Down = cudaMemcpy;
  if (!strcmp(Args[1], "looked-up"))
    Down = reinterpret_cast<Copy>(dlsym(runtimeHandle(), "cudaMemcpy"));
  int *D;
  cudaMalloc(&D, Bytes);
  int *H = static_cast<int *>(malloc(Bytes));
  for (int Round = 0; Round != 8; ++Round) {
    for (int I = 0; I != N; ++I)
      H[I] = Round + I;
    cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D);
    Down(H, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[N - 1]);
  }
  free(H);
  cudaFree(D);
  std::printf("%d copies\n", Copies);
}

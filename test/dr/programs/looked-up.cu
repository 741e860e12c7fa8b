//===- looked-up.cu - A copy that is found by name ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of the program looks cudaMemcpy up in the runtime that the other part
// is linked with. It reads the device's buffer: as the host changed its own and
// wants the device's back (undo), or as both are the same (snapshot). "early" is
// undo by what a library's constructor found, before libecho-dr.so began. That
// library is this file, too, with LIBRARY.
//
// CASE: snapshot     | pins skips
// VALIDATE: snapshot | in=pass
// VALIDATE: undo     | in=Stale
// VALIDATE: early    | in=Stale
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

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

static decltype(&cudaMemcpy) Copy = &cudaMemcpy;

static void lookUp() {
  void *Runtime = runtimeHandle();
  if (!Runtime)
    return;
  Copy = reinterpret_cast<decltype(Copy)>(dlsym(Runtime, "cudaMemcpy"));
  std::printf("%d %d\n", dlsym(Runtime, "cudaNoSuchFunction") == nullptr,
              dlerror() != nullptr);
}

#ifdef LIBRARY
extern "C" {
void *EarlyCopy;
__attribute__((constructor)) static void begin() {
  lookUp();
  EarlyCopy = reinterpret_cast<void *>(Copy);
}
}
#else
extern "C" __attribute__((weak)) void *EarlyCopy; ///< of the library

int main(int, char **Args) {
  const bool Early = !strcmp(Args[1], "early"),
             Undo = Early || !strcmp(Args[1], "undo");
  if (!Early)
    lookUp();
  else if (&EarlyCopy)
    Copy = reinterpret_cast<decltype(Copy)>(EarlyCopy);
  int *D;
  cudaMalloc(&D, Bytes);
  int *H = static_cast<int *>(malloc(Bytes));
  auto *Other = static_cast<int *>(malloc(Bytes + 4096));
  for (int Round = 0; Round != 8; ++Round) {
    for (int I = 0; I != N; ++I)
      H[I] = Round + I;
    cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D);
    cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    if (Undo)
      memset(H, Round, Bytes);
    Copy(Other, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", H[N - 1], Other[N - 1]);
  }
  free(Other);
  free(H);
  cudaFree(D);
}
#endif

//===- anew.cu - Buffers that outlive their partners ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each frame has a device buffer and a host buffer, in this order. The host's
// is summed up and freed at once, but for frames that somebody else keeps, or
// that the host computes alone: which these are may depend on the load. The
// next frame's device buffer must not come to lie in such a host buffer.
//
// CASE: at-once  | skips
// CASE: kept     | as:at-once skips
// CASE: alone    | as:at-once stays
// CASE: device-kept | as:at-once skips
// CASE: one-host | as:at-once
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t N = 1 << 17; // ints
static const size_t Bytes = N * sizeof(int);
static const int Frames = 12;

__global__ void fill(int *D, int Frame) {
  const size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < N)
    D[I] = static_cast<int>(I) * 3 + Frame;
}

static long sum(const int *H) {
  long S = 0;
  for (size_t I = 0; I != N; ++I)
    S = S * 31 + H[I];
  return S;
}

static int *onHost() { return static_cast<int *>(malloc(Bytes)); }

int main(int, char **Args) {
  const char *Case = Args[1];
  const bool OneHost = !strncmp(Case, "one-host", 8);
  int *Kept[Frames] = {}, *OnDevice[Frames] = {}, *One = nullptr;
  for (int I = 0; I != Frames; ++I) {
    const bool Other = I % 3 == 1;
    const bool Alone = Other && !strcmp(Case, "alone");
    int *D = nullptr;
    if (!Alone)
      cudaMalloc(&D, Bytes);
    int *H = One ? One : onHost();
    if (Alone) {
      for (size_t At = 0; At != N; ++At)
        H[At] = static_cast<int>(At) + I;
    } else {
      fill<<<(N + 255) / 256, 256>>>(D, I);
      cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
      if (Other && !strcmp(Case, "device-kept"))
        OnDevice[I] = D;
      else
        cudaFree(D);
    }
    if (OneHost) {
      One = H;
      printf("%d: %ld\n", I, sum(H));
    } else if (Other && (Alone || !strcmp(Case, "kept"))) {
      Kept[I] = H;
    } else {
      printf("%d: %ld\n", I, sum(H));
      free(H);
    }
  }
  int *H = onHost();
  for (int I = 0; I != Frames; ++I) {
    if (OnDevice[I]) {
      cudaMemcpy(H, OnDevice[I], Bytes, cudaMemcpyDeviceToHost);
      printf("%d: %ld\n", I, sum(H));
    }
    if (Kept[I])
      printf("%d: %ld\n", I, sum(Kept[I]));
  }
  free(One);
}

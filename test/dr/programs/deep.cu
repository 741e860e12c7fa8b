// A program that hands buffers to a library which is bound to the C library
// itself (RTLD_DEEPBIND): what that frees, enlarges or makes is as any other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

static int *D;

static void round(int *H, int Value) {
  for (int I = 0; I != N; ++I)
    H[I] = Value + I;
  cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(D);
  cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
  std::printf("%d\n", H[N - 1]);
}

static int *fresh() {
  auto *H = static_cast<int *>(malloc(Bytes));
  round(H, 1);
  round(H, 2);
  return H;
}

static bool isOptimized() {
  const char *Mode = getenv("ECHO_DR_MODE");
  return Mode && (!strcmp(Mode, "optimize") || !strcmp(Mode, "validate"));
}

int main(int, char **Args) {
  cudaMalloc(&D, Bytes);
  int *Buffers[4];
  for (int *&H : Buffers)
    H = fresh();
  // What a plan is made of does not see how the library is bound.
  const int Deep = isOptimized() ? RTLD_DEEPBIND : 0;
  const int When = Args[2][0] == 'l' ? RTLD_LAZY : RTLD_NOW;
  void *Library = dlopen(Args[1], When | RTLD_LOCAL | Deep);
  if (!Library)
    return std::printf("%s\n", dlerror()), 1;
  auto *Make = reinterpret_cast<void *(*)(size_t)>(dlsym(Library, "make"));
  auto *Grow =
      reinterpret_cast<void *(*)(void *, size_t)>(dlsym(Library, "grow"));
  auto *GiveBack =
      reinterpret_cast<void (*)(void *)>(dlsym(Library, "giveBack"));
  auto *Room = reinterpret_cast<size_t (*)(void *)>(dlsym(Library, "room"));
  std::printf("%d\n", Room(Buffers[0]) >= Bytes);
  GiveBack(Buffers[0]);
  Buffers[1] = static_cast<int *>(Grow(Buffers[1], 2 * Bytes));
  Buffers[2] = static_cast<int *>(Grow(Buffers[2], 64));
  std::printf("%d %d\n", Buffers[1][N - 1], Buffers[2][7]);
  round(Buffers[1], 3);
  auto *Theirs = static_cast<int *>(Make(Bytes));
  round(Theirs, 4);
  free(Theirs);
  GiveBack(Make(Bytes));
  free(Buffers[1]);
  GiveBack(Buffers[2]);
  GiveBack(Buffers[3]);
  round(Buffers[0] = fresh(), 5);
  free(Buffers[0]);
  cudaFree(D);
  return 0;
}

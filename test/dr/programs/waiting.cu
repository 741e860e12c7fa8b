//===- waiting.cu - A library whose constructor waits for a thread --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread makes its first calls of CUDA's, from the library that is being
// loaded, or unloaded: the loader's lock is held as long as it runs. Compiled
// twice; with LIBRARY it is that library.
//
// CASE: begin | pins skips-unless-managed
// CASE: end   | pins skips-unless-managed
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <string>
#include <thread>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int);

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

static void work(int First) {
  int *H = static_cast<int *>(malloc(Bytes)), *D;
  cudaMalloc(&D, Bytes);
  for (int Round = 0; Round != 6; ++Round) {
    for (int I = 0; I != N; ++I)
      H[I] = First + Round + I;
    cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D);
    cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[N - 1]);
  }
  free(H);
  cudaFree(D);
}

#ifdef LIBRARY
static bool is(const char *Case) { return !strcmp(getenv("WAITS_AT"), Case); }

__attribute__((constructor)) static void begin() {
  if (is("begin"))
    std::thread([] { work(100); }).join();
}
__attribute__((destructor)) static void end() {
  if (is("end"))
    std::thread([] { work(200); }).join();
}
#else
int main(int, char **Args) {
  setenv("WAITS_AT", Args[1], 1);
  work(0);
  const std::string Program = Args[0];
  const std::string Library =
      Program.substr(0, Program.rfind('/') + 1) + "libwaiting.so";
  void *Handle = dlopen(Library.c_str(), RTLD_NOW);
  std::printf("%s\n", Handle ? "loaded" : dlerror());
  dlclose(Handle);
  std::printf("unloaded\n");
}
#endif

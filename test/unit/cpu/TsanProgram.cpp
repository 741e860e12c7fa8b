//===- TsanProgram.cpp - A program under ThreadSanitizer ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with ThreadSanitizer and linked against the plain archive, as user
// programs are. With "right" it must pass silently, however the device orders
// its work; with "race" it leaves out one wait, which must be reported.
//
//===----------------------------------------------------------------------===//
#include "CudaCalls.h"

#include <cstdio>
#include <cstring>
#include <vector>

static constexpr int N = 1000;

static void increment(const EchoCpuBlock *B) {
  int *Data = *reinterpret_cast<int **>(B->params);
  unsigned Threads = B->blockDim[0];
  for (unsigned T = 0; T != Threads; ++T)
    ++Data[B->blockIdx[0] * Threads + T];
}

static void **registerKernel(const void *Stub) {
  static const uint32_t Offset = 0, Size = 8;
  static EchoCpuKernel Kernel = {};
  Kernel.name = "increment";
  Kernel.block = increment;
  Kernel.numParams = 1;
  Kernel.paramOffsets = &Offset;
  Kernel.paramSizes = &Size;
  Kernel.paramBytes = 8;
  static EchoCpuModule Module = {ECHO_CPU_MODULE_MAGIC,
                                 ECHO_CPU_ABI_VERSION,
                                 1,
                                 0,
                                 &Kernel,
                                 nullptr,
                                 "tsan.cu"};
  static struct {
    int Magic, Version;
    const void *Data;
    void *Unused;
  } Wrapper = {0x466243b1, 1, &Module, nullptr};
  void **Handle = __cudaRegisterFatBinary(&Wrapper);
  __cudaRegisterFunction(Handle, static_cast<const char *>(Stub), nullptr,
                         "increment", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  return Handle;
}

int main(int Argc, char **Argv) {
  bool Race = Argc > 1 && !strcmp(Argv[1], "race");
  static char Stub;
  registerKernel(&Stub);
  int *Device, *Pinned;
  cudaStream_t A, B;
  cudaEvent_t E;
  cudaMalloc(reinterpret_cast<void **>(&Device), N * sizeof(int));
  cudaMallocHost(reinterpret_cast<void **>(&Pinned), N * sizeof(int));
  cudaStreamCreate(&A);
  cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking);
  cudaEventCreate(&E);
  std::vector<int> Host(N);
  long Sum = 0;
  for (int Round = 0; Round != 20; ++Round) {
    for (int &X : Host)
      X = Round;
    void *Args[] = {&Device};
    cudaMemcpyAsync(Device, Host.data(), N * sizeof(int),
                    cudaMemcpyHostToDevice, A);
    cudaLaunchKernel(&Stub, {N / 10}, {10}, Args, 0, A);
    cudaLaunchKernel(&Stub, {N / 10}, {10}, Args, 0, nullptr);
    cudaLaunchKernel(&Stub, {N / 10}, {10}, Args, 0, A);
    cudaEventRecord(E, A);
    cudaStreamWaitEvent(B, E, 0);
    cudaMemcpyAsync(Pinned, Device, N * sizeof(int), cudaMemcpyDeviceToHost, B);
    if (!Race)
      cudaStreamSynchronize(B);
    Sum += Pinned[0] + Pinned[N - 1];
    cudaDeviceSynchronize();
  }
  cudaFree(Device);
  cudaFreeHost(Pinned);
  printf("%ld\n", Sum);
  return Race || Sum == 500 ? 0 : 1;
}

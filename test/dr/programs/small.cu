// Small copies of a large buffer, and copies behind work that waits for the
// host: none may wait longer than one of ordinary memory does. A program that
// hangs is ended by an alarm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CASE: flag        | pins split-only
// CASE: function    | pins split-only
// CASE: event       | pins split-only
// CASE: rewritten   | pins split-only
// CASE: default     | pins split-only
// CASE: largest     | pins split-only
// CASE: many        | pins split-only
// CASE: download    | pins split-only
// CASE: legacy      | pins split-only
// CASE: into-legacy | pins split-only
// CASE: written      | pins split-only
// CASE: written-async | pins split-only
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <mutex>
#include <string>
#include <unistd.h>

static const size_t Bytes = 1 << 20, Most = 64 << 10;
static std::mutex Lock;
static std::condition_variable Changed;
static bool Ready;
static std::string Case;
static bool is(const char *Name) { return Case == Name; }

__global__ void waitFor(const volatile int *Flag) {
  while (!*Flag)
    ;
}
__global__ void add(unsigned char *D, size_t Count) {
  for (size_t I = 0; I < Count; I += 97)
    D[I] += 1;
}

/// A function of a stream that writes what is uploaded after it.
static void writes(void *Part) {
  usleep(2000);
  memset(Part, 5, Most);
}

static void writtenFirst(unsigned char *H, unsigned char *D) {
  auto *Got = static_cast<unsigned char *>(malloc(Bytes));
  for (size_t Part : {size_t(4096), Most, Bytes})
    for (int R = 0; R != 6; ++R) {
      memset(H, R, Bytes);
      cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
      cudaLaunchHostFunc(cudaStreamLegacy, writes, H);
      if (is("written-async"))
        cudaMemcpyAsync(D, H, Part, cudaMemcpyHostToDevice, cudaStreamLegacy);
      else
        cudaMemcpy(D, H, Part, cudaMemcpyHostToDevice);
      cudaDeviceSynchronize();
      cudaMemcpy(Got, D, Bytes, cudaMemcpyDeviceToHost);
      std::printf("%zu %d %d\n", Part, Got[3], Got[Part - 1]);
    }
  free(Got);
}

static void waits(void *) {
  std::unique_lock<std::mutex> L(Lock);
  Changed.wait(L, [] { return Ready; });
  Ready = false;
}

int main(int, char **Args) {
  Case = Args[1];
  alarm(20);
  auto *H = static_cast<unsigned char *>(malloc(Bytes));
  unsigned char *D = nullptr;
  int *Flag = nullptr;
  cudaMalloc(&D, Bytes);
  cudaMallocHost(&Flag, sizeof(int));
  memset(H, 1, Bytes);
  cudaStream_t S, T;
  const bool ByLegacy = is("legacy") || is("into-legacy");
  const unsigned Kind = ByLegacy ? cudaStreamDefault : cudaStreamNonBlocking;
  cudaStreamCreateWithFlags(&S, Kind);
  cudaStreamCreateWithFlags(&T, Kind);
  if (is("written") || is("written-async"))
    return writtenFirst(H, D), 0;
  if (is("into-legacy"))
    S = cudaStreamLegacy;
  cudaEvent_t E;
  cudaEventCreate(&E);
  const size_t Part = is("largest") ? Most : 4096;
  for (int R = 0; R != 12; ++R) {
    *Flag = 0;
    cudaMemcpyAsync(D, H, Bytes, cudaMemcpyHostToDevice, S);
    cudaStreamSynchronize(S);
    const bool ByFunction = is("function") || is("many");
    if (R > 4 && ByFunction)
      cudaLaunchHostFunc(S, waits, nullptr);
    else if (R > 4 && is("event")) { // by another stream
      waitFor<<<1, 1, 0, T>>>(Flag);
      cudaEventRecord(E, T);
      cudaStreamWaitEvent(S, E, 0);
    } else if (R > 4 && ByLegacy) // what S follows, but has not
      waitFor<<<1, 1, 0, is("legacy") ? cudaStreamLegacy : T>>>(Flag);
    else if (R > 4 && !is("download"))
      waitFor<<<1, 1, 0, S>>>(Flag);
    for (int I = 0; I != (is("many") ? 20 : 1); ++I) {
      H[3] += 1;
      if (is("download"))
        cudaMemcpyAsync(H, D, Part, cudaMemcpyDeviceToHost, S);
      else
        cudaMemcpyAsync(
            D, H, Part,
            is("default") ? cudaMemcpyDefault : cudaMemcpyHostToDevice, S);
      if (is("download")) // it is complete
        std::printf("%d\n", H[3]);
    }
    if (is("rewritten")) // its bytes were taken along
      memset(H, 77, Part);
    *const_cast<volatile int *>(Flag) = 1;
    if (R > 4 && ByFunction) {
      std::lock_guard<std::mutex> L(Lock);
      Ready = true;
      Changed.notify_one();
    }
    add<<<1, 1, 0, S>>>(D, Bytes);
    cudaStreamSynchronize(S);
    cudaMemcpyAsync(H, D, Bytes, cudaMemcpyDeviceToHost, S);
    cudaStreamSynchronize(S);
    std::printf("%d %d\n", H[3], H[97 * 50]);
  }
  std::printf("end %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(D);
  cudaFreeHost(Flag);
  free(H);
}

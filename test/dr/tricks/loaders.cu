//===- loaders.cu - Another thread fills what was uploaded ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loader fills the input again once it was uploaded and the loop has said so.
// The loop uses the device's copy a second time, by a kernel, a copy on the
// device, or a download into another buffer: before it says so, or afterwards,
// but long before the loader is ready. With one buffer the second would read
// the next input if the loop came late.
//
// VALIDATE: kernel-first     | in=pass
// VALIDATE: kernel-after     | in=HostAccess|Stale
// VALIDATE: copy-first       | in=pass
// VALIDATE: copy-after       | in=HostAccess|Stale
// VALIDATE: download-first   | in=pass
// VALIDATE: download-after   | in=HostAccess|Stale
// VALIDATE: warmed-download-first | in=pass
// VALIDATE: warmed-download-after | in=HostAccess|Stale
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

static bool has(const char *What) { return strstr(Case, What) != nullptr; }

static void take(sem_t &S) {
  while (sem_wait(&S) != 0) {
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  auto *H = static_cast<unsigned char *>(malloc(N));
  auto *Kept = static_cast<unsigned char *>(malloc(N / 2));
  unsigned char *In = nullptr, *Out = nullptr;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N / 2); // smaller than a buffer that counts, as Kept is
  cudaMemset(Out, 0, N / 2);
  const int Warm = has("warmed") ? 160 : 0, Rounds = Warm + (Warm ? 24 : 40);
  sem_t Full, Free;
  sem_init(&Full, 0, 0);
  sem_init(&Free, 0, Warm ? 0 : 1);
  const int Null = open("/dev/null", O_WRONLY);
  std::thread Loader([&] {
    for (int R = Warm; R < Rounds; ++R) {
      take(Free);
      usleep(8000); // it decodes
      memset(H, R + 1, N);
      sem_post(&Full);
    }
  });
  const bool First = has("first");
  unsigned long long Sum = 0;
  for (int R = 0; R < Rounds; ++R) {
    if (R < Warm)
      memset(H, R + 1, N);
    else
      take(Full);
    cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    work<<<(N / 2 + 255) / 256, 256>>>(In, Out, N / 2);
    cudaDeviceSynchronize();
    if (R < Warm && write(Null, "", 1) != 1)
      return 1;
    if (R + 1 >= Warm && !First)
      sem_post(&Free);
    usleep(1000); // what the loop does else
    if (has("kernel"))
      work<<<(N / 2 + 255) / 256, 256>>>(In, Out, N / 2);
    else if (has("copy"))
      cudaMemcpy(Out, In, N / 2, cudaMemcpyDeviceToDevice);
    else
      cudaMemcpy(Kept, In, N / 2, cudaMemcpyDeviceToHost);
    if (R + 1 >= Warm && First) {
      cudaDeviceSynchronize();
      sem_post(&Free);
    }
    if (has("download"))
      Sum = Sum * 31 + Kept[R];
  }
  Loader.join();
  cudaMemcpy(Kept, Out, N / 2, cudaMemcpyDeviceToHost);
  for (size_t I = 0; I < N / 2; I += 1001)
    Sum = Sum * 31 + Kept[I];
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
  free(Kept);
  close(Null);
}

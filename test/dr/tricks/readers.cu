//===- readers.cu - Another thread reads what was downloaded --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop hands its output to a reader, and waits for it before it launches
// again, or only before it downloads again: no copy disturbs the reader in
// either, but with one buffer the next launch would. The reader is quick, so
// that it is done by then in any run that does not hold it. "own-" is what the
// loop's thread reads itself, before it hands over.
//
// VALIDATE: before-launch       | out=pass
// VALIDATE: before-copy         | out=HostAccess
// VALIDATE: own-before-launch   | out=pass
// VALIDATE: own-before-copy     | out=HostAccess
// VALIDATE: mutex-before-launch | out=pass
// VALIDATE: mutex-before-copy   | out=HostAccess
// VALIDATE: write-before-copy   | out=HostAccess|SystemCall
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

/// A count that a thread waits for: a semaphore, or a mutex with a condition.
class Turn {
public:
  Turn() { sem_init(&Count, 0, 0); }

  void give() {
    if (strncmp(Case, "mutex-", 6) != 0) {
      sem_post(&Count);
      return;
    }
    {
      const std::lock_guard<std::mutex> Hold(M);
      ++Given;
    }
    Changed.notify_one();
  }

  void take() {
    if (strncmp(Case, "mutex-", 6) != 0) {
      while (sem_wait(&Count) != 0) {
      }
      return;
    }
    std::unique_lock<std::mutex> Hold(M);
    Changed.wait(Hold, [this] { return Given != 0; });
    --Given;
  }

private:
  sem_t Count;
  std::mutex M;
  std::condition_variable Changed;
  unsigned Given = 0;
};

static constexpr int Rounds = 40;

static unsigned long long sumOf(const unsigned char *O) {
  unsigned long long Sum = 0;
  for (size_t I = 0; I < N; I += 1001)
    Sum = Sum * 31 + O[I];
  return Sum;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  auto *O = static_cast<unsigned char *>(malloc(N));
  unsigned char *In = nullptr, *Out = nullptr;
  cudaMalloc(&In, N / 2); // smaller than a buffer that counts
  cudaMalloc(&Out, N);
  cudaMemset(In, 7, N / 2);
  cudaMemset(Out, 0, N);
  Turn Full, Read;
  unsigned long long Sum = 0, Own = 0;
  std::thread Reader([&] {
    const int Null = open("/dev/null", O_WRONLY);
    for (int R = 0; R < Rounds; ++R) {
      Full.take();
      if (is("write-before-copy") && write(Null, O, N) < 0)
        abort();
      Sum = Sum * 31 + sumOf(O);
      Read.give();
    }
    close(Null);
  });
  const bool BeforeLaunch = strstr(Case, "before-launch") != nullptr;
  for (int R = 0; R < Rounds; ++R) {
    if (R && BeforeLaunch)
      Read.take();
    cudaMemset(In, R, N / 2);
    work<<<(N / 2 + 255) / 256, 256>>>(In, Out, N / 2);
    cudaDeviceSynchronize();
    if (R && !BeforeLaunch)
      Read.take();
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    if (!strncmp(Case, "own-", 4))
      Own += sumOf(O);
    Full.give();
    usleep(2000); // what the loop does else
  }
  Reader.join();
  printf("%s %llu %llu %s\n", Case, Sum, Own,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(O);
}

//===- glances.cu - What a load alone says of others ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop looks once at what another one has done, and takes its answer as it
// comes: a worker, by a variable ("load-"; "sleeps-": it waits at a semaphore)
// or by a future that is new in each round ("future-"), and a kernel, by a word
// at the head of pinned memory whose rest is copied ("word-"). Whoever is quick
// has done it in any run that makes nobody late. Where it has not, the loop
// uses its buffer beside a kernel, which one buffer would disturb, or before or
// after it ("order"). With "new-" each round has a reader of its own, which a
// few late rounds wait for after the next launch only.
//
// VALIDATE: load-use     | out=HostAccess
// VALIDATE: load-order   | out=pass
// VALIDATE: sleeps-load-use   | out=HostAccess
// VALIDATE: sleeps-load-order | out=pass
// VALIDATE: future-use   | out=HostAccess
// VALIDATE: future-order | out=pass
// VALIDATE: word-use     | in=HostAccess
// VALIDATE: word-order   | in=pass
// VALIDATE: new-use      | out=HostAccess
// VALIDATE: new-order    | out=pass
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <atomic>
#include <chrono>
#include <future>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <vector>

static bool has(const char *What) { return strstr(Case, What) != nullptr; }

static unsigned long long sumOf(const unsigned char *O) {
  unsigned long long Sum = 0;
  for (size_t I = 0; I < N; I += 1001)
    Sum = Sum * 31 + O[I];
  return Sum;
}

/// What the host does else, without a call.
static void compute(int Count = 1500000) {
  static volatile double Sink;
  for (int I = 0; I < Count; ++I)
    Sink = Sink + I;
}

static unsigned char *In, *Out; ///< of the device

static void launch(int R) {
  cudaMemset(In, R, N / 2);
  work<<<(N / 2 + 255) / 256, 256>>>(In, Out, N / 2);
}

/// A worker that sums copies, and says by a variable when it is idle.
class Worker {
public:
  Worker() : Copy(N) {
    sem_init(&Given, 0, 0);
    Runs = std::thread([this] { run(); });
  }
  /// The sum of all that it took.
  unsigned long long finish() {
    while (Job.load() >= 0) {
    }
    Job = -2;
    sem_post(&Given);
    Runs.join();
    return Sum;
  }
  bool take(const unsigned char *O, int R) {
    if (Job.load(std::memory_order_acquire) != -1)
      return false;
    memcpy(Copy.data(), O, N);
    Job.store(R, std::memory_order_release);
    sem_post(&Given);
    return true;
  }

private:
  int next() {
    if (has("sleeps-"))
      sem_wait(&Given);
    return Job.load(std::memory_order_acquire);
  }
  void run() {
    for (int R; (R = next()) != -2;)
      if (R >= 0) {
        Sum += sumOf(Copy.data()) * (2 * R + 1);
        Job.store(-1, std::memory_order_release);
      }
  }
  std::vector<unsigned char> Copy;
  unsigned long long Sum = 0;
  std::atomic<int> Job{-1};
  sem_t Given;
  std::thread Runs;
};

/// \p take takes the output, or says that it is busy: then the loop sums it.
template <class F> static unsigned long long share(unsigned char *O, F take) {
  unsigned long long Own = 0;
  for (int R = 0; R < 60; ++R) {
    launch(R);
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    const bool Mine = !take(R), Before = Mine && has("order");
    if (Before)
      Own += sumOf(O) * (2 * R + 1);
    launch(R + 1);
    if (Mine && !Before)
      Own += sumOf(O) * (2 * R + 1);
    else
      compute();
    cudaDeviceSynchronize();
  }
  return Own;
}

static unsigned long long shareWithTasks(unsigned char *O) {
  std::vector<unsigned char> Copy(N);
  std::future<unsigned long long> Last;
  unsigned long long Sum = 0;
  Sum += share(O, [&](int R) {
    if (Last.valid()) {
      if (Last.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return false;
      Sum += Last.get();
    }
    memcpy(Copy.data(), O, N);
    Last = std::async(std::launch::async, [&Copy, R] {
      return sumOf(Copy.data()) * (2 * R + 1);
    });
    return true;
  });
  return Sum + (Last.valid() ? Last.get() : 0);
}

__global__ void tell(volatile int *Word, int R) {
  __threadfence_system();
  *Word = R;
}

/// The input is filled anew when the kernel says that it was used up.
static unsigned long long refill(unsigned char *H) {
  unsigned char *D = nullptr, *Pinned = nullptr;
  cudaMalloc(&D, N);
  cudaMallocHost(&Pinned, 2 * N);
  memset(Pinned, 0, 2 * N);
  auto *Word = reinterpret_cast<volatile int *>(Pinned);
  *Word = -1;
  unsigned long long Sum = 0;
  memset(H, 1, N);
  for (int R = 0; R < 40; ++R) {
    cudaMemcpy(D, H, N, cudaMemcpyHostToDevice);
    work<<<(N / 2 + 255) / 256, 256>>>(D, Out, N / 2);
    tell<<<1, 1>>>(Word, R);
    compute();
    const bool Done = *Word == R;
    if (Done || has("order"))
      cudaDeviceSynchronize();
    memset(H, R + 2, N);
    if (!Done)
      cudaDeviceSynchronize();
    cudaMemcpy(Pinned + 4096, Out, N / 2, cudaMemcpyDeviceToHost);
    Sum = Sum * 31 + sumOf(Pinned + 4096);
  }
  cudaFreeHost(Pinned);
  cudaFree(D);
  return Sum;
}

static unsigned long long readByNewThreads(unsigned char *O) {
  unsigned long long Sum = 0;
  for (int R = 0; R < 60; ++R) {
    launch(R);
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    unsigned long long Read = 0;
    std::thread Reader([&] { Read = sumOf(O); });
    const bool Late = has("use") && R > 40 && R % 3 == 0;
    if (!Late)
      Reader.join();
    compute();
    launch(R + 1);
    cudaDeviceSynchronize();
    if (Late)
      Reader.join();
    Sum = Sum * 31 + Read;
  }
  return Sum;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  auto *H = static_cast<unsigned char *>(malloc(N));
  cudaMalloc(&In, N / 2); // smaller than a buffer that counts
  cudaMalloc(&Out, N);
  cudaMemset(Out, 0, N);
  unsigned long long Sum = 0;
  if (has("load-")) {
    Worker W;
    Sum = share(H, [&](int R) { return W.take(H, R); });
    Sum += W.finish();
  } else if (has("future-")) {
    Sum = shareWithTasks(H);
  } else if (has("word-")) {
    Sum = refill(H);
  } else {
    Sum = readByNewThreads(H);
  }
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
}

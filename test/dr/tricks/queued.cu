// Uploads that go on after their return (pinned-queued), and a host that writes what they may still read: each case
// does something from one round on. Where that is a write and its window is watched, the output is the plain run's and
// the pair is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CASE: plain        | stays
// CASE: reads        | stays
// CASE: read-by-call | left
// CASE: writes       | left
// CASE: writes-late  | left watched-all
// CASE: last-byte    | left
// CASE: other-thread | left
// CASE: system-call  | left
// CASE: forks        | stays
// CASE: frees        | stays
// CASE: copied-into  | stays
// CASE: protects     | stays as-written
// CASE: takes-faults | stays watched-all
#include "../inline-call.h"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static constexpr int N = 1 << 16;
static constexpr size_t Bytes = N * sizeof(float);
static std::string Case;
static bool is(const char *Name) { return Case == Name; }

__global__ void scale(const float *X, float *Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = 2 * X[I] + 1;
}

static float *In, *Out, *DevIn, *DevOut;

static double sum(const float *X) {
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += X[I] * double(I % 7 + 1);
  return Sum;
}

/// Between the upload and the wait.
static void meet(int Round) {
  const int From = is("writes-late") ? 9 : 1;
  if (Round < From)
    return;
  if (is("takes-faults") && Round == 3) { // past the C library; the default
    const long Action[4] = {};
    inlineCall(SYS_rt_sigaction, SIGSEGV, reinterpret_cast<long>(Action), 0, 8);
  }
  if (is("takes-faults") && Round > 3)
    In[5] = -1;
  if (is("reads"))
    std::printf("%.0f\n", sum(In));
  if (is("writes") || is("writes-late"))
    for (int I = 0; I < N; I += 512)
      In[I] = -1;
  if (is("last-byte"))
    In[N - 1] = -1;
  if (is("read-by-call")) {
    int Ends[2];
    if (pipe(Ends) || write(Ends[1], In, 64) != 64)
      std::puts("cannot write");
    close(Ends[0]);
    close(Ends[1]);
  }
  if (is("system-call")) {
    int Ends[2];
    char Text[64] = {};
    if (pipe(Ends) || write(Ends[1], Text, 64) != 64 || read(Ends[0], In, 64) != 64)
      std::puts("cannot read");
    close(Ends[0]);
    close(Ends[1]);
  }
  if (is("forks")) {
    std::fflush(stdout);
    int Status = 0;
    if (pid_t Child = fork()) {
      waitpid(Child, &Status, 0);
    } else {
      In[0] += 5;
      _exit(In[0] == Round + 5);
    }
    std::printf("child %d\n", WEXITSTATUS(Status));
  }
  if (is("frees")) {
    std::free(In);
    In = static_cast<float *>(std::malloc(Bytes));
  }
  if (is("copied-into"))
    cudaMemcpy(In, DevIn, Bytes, cudaMemcpyDeviceToHost);
  if (is("protects")) {
    mprotect(In, 4096, PROT_READ);
    mprotect(In, 4096, PROT_READ | PROT_WRITE);
    In[1] = 2;
  }
}

static double round(int Round) {
  for (int I = 0; I < N; ++I)
    In[I] = float(Round + I % 13);
  std::atomic<bool> Done{false}, Began{false};
  cudaMemcpy(DevIn, In, Bytes, cudaMemcpyHostToDevice);
  std::thread Other;
  if (is("other-thread"))
    Other = std::thread([&] {
      for (int I = 0; !Done; I = (I + 512) % N, Began = true)
        In[I] = -1;
    });
  while (Other.joinable() && !Began)
    std::this_thread::yield();
  meet(Round);
  scale<<<N / 256, 256>>>(DevIn, DevOut, N);
  cudaMemcpy(Out, DevOut, Bytes, cudaMemcpyDeviceToHost);
  Done = true;
  if (Other.joinable())
    Other.join();
  return sum(Out);
}

int main(int, char **Words) {
  Case = Words[1] ? Words[1] : "plain";
  In = static_cast<float *>(std::malloc(Bytes));
  Out = static_cast<float *>(std::malloc(Bytes));
  cudaMalloc(&DevIn, Bytes);
  cudaMalloc(&DevOut, Bytes);
  for (int I = 0; I < 12; ++I)
    std::printf("%d %.0f\n", I, round(I));
  std::free(In);
  std::free(Out);
  cudaFree(DevIn);
  cudaFree(DevOut);
  return 0;
}

// Uploads that may go on after their return, and what may meet them: with pinned-queued all must be as plain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CASE: steady       | pins queues
// CASE: twice        | pins queues
// CASE: freed        | pins queues
// CASE: freed-alone  | pins queues
// CASE: freed-beside | pins queues
// CASE: freed-beside-alone | pins queues
// CASE: side-stream  | pins queues
// CASE: other-side   | pins queues
// CASE: blocking     | pins queues-none
// CASE: async        | pins queues-none
// CASE: asks         | pins queues
// CASE: times        | pins queues
// CASE: registers    | pins
// CASE: forks        | pins queues
// CASE: onward       | pins queues
// CASE: into-host    | pins queues
// CASE: wrong-kind   | pins queues split-only
// CASE: reset        | pins
// CASE: reset-pending | pins queues
// CASE: no-bytes     | pins queues
// CASE: exits        | pins queues
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int N = 1 << 16;
static size_t Bytes;
static std::string Case;
static bool is(const char *Name) { return Case == Name; }

__global__ void scale(const float *X, float *Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = 2 * X[I] + 1;
}

static void say(const char *What, cudaError_t Status) {
  std::printf("%s: %s\n", What, cudaGetErrorName(Status));
}

static float *In, *Out, *DevIn, *DevOut, *DevMore;
static cudaStream_t Side;
static cudaEvent_t Before, After;

/// What comes between the upload and the wait that covers it.
static void meet(int Round) {
  if (is("twice")) {
    In[Round] += 1; // read again by the next upload alone
    cudaMemcpy(DevIn, In, Bytes, cudaMemcpyHostToDevice);
  }
  if (is("freed-beside-alone")) // new memory is pinned at its first upload
    cudaMemcpy(DevIn, In, Bytes, cudaMemcpyHostToDevice);
  if (is("no-bytes")) { // it waits for nothing
    cudaMemcpy(Out, DevOut, 0, cudaMemcpyDeviceToHost);
    std::free(In);
    In = static_cast<float *>(std::malloc(Bytes));
    std::memset(In, 1, Bytes);
  }
  if (is("asks")) { // the answer is the device's
    (void)cudaStreamQuery(0);
    (void)cudaGetLastError();
  }
  if (is("times"))
    cudaEventRecord(After);
  if (is("registers")) {
    say("registered", cudaHostRegister(In, Bytes, 0));
    say("unregistered", cudaHostUnregister(In));
  }
  if (is("forks")) {
    std::fflush(stdout);
    if (pid_t Child = fork()) {
      int Status = 0;
      waitpid(Child, &Status, 0);
      std::printf("child %d\n", WEXITSTATUS(Status));
    } else {
      _exit(In[5] == Round + 5 ? 3 : 4);
    }
  }
  if (is("onward"))
    cudaMemcpy(DevMore, DevIn, Bytes, cudaMemcpyDeviceToDevice);
  if (is("into-host"))
    cudaMemcpy(In, DevIn, Bytes, cudaMemcpyDeviceToHost);
  if (is("reset"))
    say("reset", cudaDeviceReset());
}

/// The next buffer, from the same place, which may be the last one's memory.
static void renew() {
  std::free(In);
  In = static_cast<float *>(std::malloc(Bytes));
  std::memset(In, 0, Bytes);
}

/// The same while another thread waits for the upload.
static void renewBeside() {
  std::thread Waits([] { cudaDeviceSynchronize(); });
  usleep(300);
  if (is("freed-beside"))
    renew();
  else
    std::thread(renew).join(); // it makes no call of CUDA's
  Waits.join();
}

static void make() {
  cudaMalloc(&DevIn, Bytes);
  cudaMalloc(&DevOut, Bytes);
  cudaMalloc(&DevMore, Bytes);
}

static double round(int Round) {
  for (int I = 0; I < N; ++I)
    In[I] = Round + I;
  if (is("times"))
    cudaEventRecord(Before);
  if (is("async"))
    cudaMemcpyAsync(DevIn, In, Bytes, cudaMemcpyHostToDevice, 0);
  else
    cudaMemcpy(DevIn, In, Bytes,
               is("wrong-kind") && Round == 3 ? cudaMemcpyDeviceToHost
                                              : cudaMemcpyHostToDevice);
  say("upload", cudaGetLastError());
  meet(Round);
  if (is("reset"))
    make();
  cudaStream_t Where = is("side-stream") ? Side : 0;
  scale<<<N / 256, 256, 0, Where>>>(is("onward") ? DevMore : DevIn, DevOut, N);
  if (is("side-stream"))
    cudaStreamSynchronize(Side);
  if (is("freed"))
    renew();
  if (Case.rfind("freed-beside", 0) == 0)
    renewBeside();
  if (is("freed-alone") && Round == 7)
    std::thread(renew).join(); // it makes no call of CUDA's
  if (is("exits") && Round == 7) {
    std::printf("exits\n");
    std::exit(5);
  }
  cudaMemcpy(Out, DevOut, Bytes, cudaMemcpyDeviceToHost);
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Out[I] * double(I % 7 + 1);
  return Sum;
}

int main(int, char **Words) {
  Case = Words[1] ? Words[1] : "steady";
  if (Case.rfind("freed-beside", 0) == 0)
    N = 1 << 22; // the upload takes longer than the other thread's start
  Bytes = N * sizeof(float);
  if (is("side-stream") || is("other-side"))
    cudaStreamCreateWithFlags(&Side, cudaStreamNonBlocking);
  if (is("blocking"))
    cudaStreamCreate(&Side);
  cudaEventCreate(&Before);
  cudaEventCreate(&After);
  In = static_cast<float *>(std::malloc(Bytes));
  Out = static_cast<float *>(std::malloc(Bytes));
  make();
  for (int I = 0; I < 12; ++I) {
    std::printf("%d %.0f\n", I, round(I));
    if (is("other-side")) {
      scale<<<N / 256, 256, 0, Side>>>(DevMore, DevMore, N);
      cudaStreamSynchronize(Side);
    }
  }
  if (is("times")) {
    float Time = -1;
    say("elapsed", cudaEventElapsedTime(&Time, Before, After));
    std::printf("%d\n", Time >= 0);
  }
  if (is("reset-pending")) { // no error of Echo's takes the program's place
    say("reset", cudaDeviceReset());
    say("too much", cudaMalloc(&DevIn, size_t(1) << 60));
    say("register", cudaHostRegister(In, Bytes, 0));
    say("last", cudaGetLastError());
    return 0;
  }
  std::free(In);
  std::free(Out);
  cudaFree(DevIn);
  cudaFree(DevOut);
  return 0;
}

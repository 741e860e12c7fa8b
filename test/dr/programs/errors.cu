// Copies that fail: of a wrong kind, in a stream that is gone, after work has
// failed. What each call returns, and what is pending then, is printed: it must
// be the same where the copy is of pinned memory, or is not made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CASE: none            | pins skips-unless-managed
// CASE: up-back         | pins skips-unless-managed
// CASE: up-odd          | pins skips-unless-managed
// CASE: up-device       | pins skips-unless-managed
// CASE: up-host         | pins skips-unless-managed
// CASE: up-default      | pins skips-unless-managed
// CASE: up-stream       | pins skips-unless-managed
// CASE: down-back       | pins skips-unless-managed
// CASE: down-odd        | pins skips-unless-managed
// CASE: down-device     | pins skips-unless-managed
// CASE: down-stream     | pins skips-unless-managed
// CASE: fault           | pins skips-unless-managed as:none
// CASE: fault-waited    | pins skips-unless-managed as:none
// CASE: sync-none       | pins skips-unless-managed
// CASE: sync-up-back    | pins skips-unless-managed
// CASE: sync-up-odd     | pins skips-unless-managed
// CASE: sync-down-back  | pins skips-unless-managed
// CASE: sync-fault      | pins skips-unless-managed as:sync-none
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int);
static const int At = 6;
static std::string Case;
static bool Sync;

__global__ void add(int *D, int Value) {
  D[blockIdx.x * blockDim.x + threadIdx.x] += Value;
}
__global__ void fail(int *D) { *(volatile int *)D = 1; }

static bool is(const char *Name) { return Case == Name; }

static void say(int Round, const char *What, cudaError_t Status) {
  if (Round >= At - 1 && Round <= At + 1)
    std::printf("%d: %s %s, last %s\n", Round, What, cudaGetErrorName(Status),
                cudaGetErrorName(cudaGetLastError()));
}

/// The kind that is given for a copy of the kind \p Right.
static cudaMemcpyKind kindOf(const std::string &Way, cudaMemcpyKind Right,
                             cudaMemcpyKind Back) {
  if (Case == Way + "-back")
    return Back;
  if (Case == Way + "-odd")
    return static_cast<cudaMemcpyKind>(9);
  if (Case == Way + "-device")
    return cudaMemcpyDeviceToDevice;
  if (Case == Way + "-host")
    return cudaMemcpyHostToHost;
  if (Case == Way + "-default")
    return cudaMemcpyDefault;
  return Right;
}

/// One copy of each direction has one call site.
__attribute__((noinline)) static cudaError_t
up(int *D, int *H, cudaMemcpyKind K, cudaStream_t S) {
  return Sync ? cudaMemcpy(D, H, Bytes, K) : cudaMemcpyAsync(D, H, Bytes, K, S);
}
__attribute__((noinline)) static cudaError_t
down(int *H, int *D, cudaMemcpyKind K, cudaStream_t S) {
  return Sync ? cudaMemcpy(H, D, Bytes, K) : cudaMemcpyAsync(H, D, Bytes, K, S);
}

int main(int, char **Args) {
  Case = Args[1];
  Sync = Case.compare(0, 5, "sync-") == 0;
  if (Sync)
    Case = Case.substr(5);
  auto *H = static_cast<int *>(malloc(Bytes));
  int *D = nullptr;
  cudaMalloc(&D, Bytes);
  memset(H, 0, Bytes);
  cudaStream_t S, Gone;
  cudaStreamCreate(&S);
  cudaStreamCreate(&Gone);
  cudaStreamDestroy(Gone);
  for (int R = 0; R != 10; ++R) {
    const bool Here = R == At;
    cudaMemcpyKind Up = cudaMemcpyHostToDevice, Down = cudaMemcpyDeviceToHost;
    if (Here) {
      Up = kindOf("up", Up, Down);
      Down = kindOf("down", Down, cudaMemcpyHostToDevice);
    }
    if (Here && (is("fault") || is("fault-waited"))) {
      fail<<<1, 1, 0, S>>>(reinterpret_cast<int *>(64));
      if (is("fault-waited"))
        say(R, "wait", cudaStreamSynchronize(S));
    }
    // Where a failing kernel is in flight, only a call that waits must tell.
    const cudaError_t First = up(D, H, Up, Here && is("up-stream") ? Gone : S);
    if (!is("fault"))
      say(R, "up", First);
    add<<<N / 256, 256, 0, S>>>(D, R);
    const cudaError_t Second =
        down(H, D, Down, Here && is("down-stream") ? Gone : S);
    if (!is("fault"))
      say(R, "down", Second);
    say(R, "wait", cudaStreamSynchronize(S));
  }
  // Where a copy failed, the two sides of one buffer hold the same all the
  // same.
  std::printf("%d\n", is("none") ? H[5] : 0);
  std::printf("free %s\n", cudaGetErrorName(cudaFree(D)));
  free(H);
}

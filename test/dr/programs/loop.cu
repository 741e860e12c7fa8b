// Loops that upload, compute and download, in the ways that programs do it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "pins": copies of pinned memory are made; "skips": copies are not made.
// CASE: sync       | pins skips
// CASE: async      | pins skips
// CASE: anew       | pins skips
// CASE: calloc     | pins
// CASE: aligned    | pins skips
// CASE: vector     | pins skips
// CASE: host-first | pins skips-unless-managed
// CASE: default    | pins skips
// CASE: stream     | pins skips
// CASE: parts      | pins
// CASE: rewritten  | pins split-only
// CASE: early-read | pins split-only
// CASE: rows       | split-only
// CASE: resized    | pins
// CASE: inspected  | split-only
// CASE: registered | split-only
// CASE: mmap           | pins
// CASE: mmap-anew      | pins
// CASE: mmap-moved     | pins
// CASE: mmap-part      | pins
// CASE: mmap-raw       | pins
// CASE: mmap-populated | leaves split-only
// CASE: set        | split-only
// CASE: discarded  | pins split-only
// CASE: mapped     | pins split-only
// CASE: overrun    | pins skips
// CASE: realloc    | pins
// CASE: null       | pins skips
// CASE: threads    | pins
// CASE: reset      | pins split-only
// CASE: free-by-cuda | pins skips
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(float);
static int Rounds = 6;
static std::string Case;
static double Sum;

static bool is(const char *Name) { return Case == Name; }

static void check(cudaError_t Status, const char *What) {
  if (Status != cudaSuccess)
    std::printf("%s: %s\n", What, cudaGetErrorName(Status));
}

__global__ void scale(const float *X, float *Y, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Y[I] = 2 * X[I] + 1;
}

static bool isMapped() { return Case.rfind("mmap", 0) == 0; }

static float *hostBuffer() {
  if (is("calloc"))
    return static_cast<float *>(calloc(N, sizeof(float)));
  if (is("aligned") || is("discarded") || is("mapped"))
    return static_cast<float *>(aligned_alloc(4096, Bytes));
  return static_cast<float *>(malloc(Bytes));
}

static float *map() {
  int Flags = is("mmap-populated") ? MAP_POPULATE : 0;
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | Flags, -1, 0);
  // Fresh memory is zero, whatever became of the pages that were here before.
  std::printf("%d", static_cast<float *>(P)[N / 2] == 0);
  return static_cast<float *>(P);
}

static void loop() {
  bool Async = is("async") || is("rewritten") || is("stream");
  cudaStream_t Stream = nullptr;
  if (is("stream"))
    check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking), "create");
  float *Dx, *Dy;
  float *First = is("host-first") ? hostBuffer() : nullptr;
  check(cudaMalloc(&Dx, Bytes), "malloc");
  check(cudaMalloc(&Dy, Bytes), "malloc");
  // Managed memory can be shared only once the program uses CUDA.
  if (is("null"))
    std::printf(
        "%d %d %d %d %d\n", cudaMalloc(static_cast<void **>(nullptr), Bytes),
        cudaFree(nullptr), cudaMallocHost(static_cast<void **>(nullptr), Bytes),
        cudaMemcpy(nullptr, nullptr, Bytes, cudaMemcpyHostToDevice),
        cudaStreamCreate(nullptr));
  cudaGetLastError();
  float *X = is("vector") ? nullptr
             : First      ? First
             : isMapped() ? map()
                          : hostBuffer();
  std::vector<float> V(is("vector") ? N : 0);
  if (is("vector"))
    X = V.data();
  float *Y = is("anew") ? nullptr : isMapped() ? map() : hostBuffer();
  double Local = 0;
  for (int Round = 0; Round != Rounds; ++Round) {
    if (is("sync"))
      std::printf("%d\n", nvtxRangePushA("a round of the loop, with a name of "
                                         "more than forty characters"));
    if (is("mmap-anew") && Round) {
      mprotect(X, Bytes, PROT_NONE);
      std::printf("%d\n", munmap(X, Bytes));
      X = map();
    }
    if (is("mmap-raw") && Round) { // past the C library's munmap
      std::printf("%ld\n", syscall(SYS_munmap, X, Bytes));
      X = map();
    }
    if (is("mmap-moved") && Round == Rounds / 2)
      X = static_cast<float *>(mremap(X, Bytes, 4 * Bytes, MREMAP_MAYMOVE));
    if (is("mmap-part") && Round == Rounds / 2) { // other pages in its middle
      std::printf("%d\n", munmap(X + N / 4, Bytes / 4));
      mmap(X + N / 4, Bytes / 4, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    }
    int Count = is("resized") && Round >= Rounds / 2 ? N - 100 : N;
    size_t Size = Count * sizeof(float);
    for (int I = 0; I != Count; ++I)
      X[I] = static_cast<float>(I % 100 + Round);
    if (is("anew"))
      Y = hostBuffer();
    if (is("inspected") && Round) {
      cudaPointerAttributes A;
      check(cudaPointerGetAttributes(&A, X), "attributes");
      std::printf("type %d\n", static_cast<int>(A.type));
    }
    if (is("registered") && Round == Rounds / 2) {
      check(cudaHostRegister(X, Bytes, 0), "register");
      check(cudaHostUnregister(X), "unregister");
    }
    if (is("discarded") && Round == Rounds / 2) {
      int Status = madvise(X, Bytes, MADV_DONTNEED);
      std::printf("%d %.0f\n", Status, X[0] + X[N - 1]);
    }
    if (is("mapped") && Round == Rounds / 2) // over what malloc gave
      std::printf("%d\n",
                  mmap(X, Bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == X);
    if (is("set") && Round == Rounds / 2) {
      cudaError_t Status = cudaMemset(X, 0, 16);
      std::printf("set %s\n", cudaGetErrorName(Status));
      cudaGetLastError();
    }
    if (is("overrun")) // by a little, into what malloc has rounded up
      memset(reinterpret_cast<char *>(Y) + Bytes, 85, 8);
    if (is("parts"))
      for (int Part = 0; Part != 4; ++Part)
        check(cudaMemcpyAsync(Dx + Part * N / 4, X + Part * N / 4, Bytes / 4,
                              cudaMemcpyHostToDevice),
              "part");
    else if (is("rows"))
      check(cudaMemcpy2DAsync(Dx, 1024, X, 1024, 1024, Bytes / 1024,
                              cudaMemcpyHostToDevice),
            "rows");
    else if (Async)
      check(cudaMemcpyAsync(Dx, X, Size, cudaMemcpyHostToDevice, Stream), "up");
    else
      check(cudaMemcpy(Dx, X, Size,
                       is("default") ? cudaMemcpyDefault
                                     : cudaMemcpyHostToDevice),
            "up");
    // CUDA has read pageable memory when the call returns.
    if (is("rewritten") || is("parts") || is("rows"))
      memset(X, 0, Bytes);
    scale<<<(Count + 255) / 256, 256, 0, Stream>>>(Dx, Dy, Count);
    if (is("early-read"))
      Local += X[Round]; // while the kernel may run
    if (Async)
      check(cudaMemcpyAsync(Y, Dy, Size, cudaMemcpyDeviceToHost, Stream),
            "down");
    else
      check(cudaMemcpy(Y, Dy, Size, cudaMemcpyDefault), "down");
    // A download to pageable memory is complete.
    for (int I = 0; I < Count; I += 7)
      Local += Y[I];
    if (is("anew"))
      free(Y);
    if (is("sync"))
      std::printf("%d\n", nvtxRangePop());
    if (is("kill") && Round == 4)
      raise(SIGKILL);
    if (is("realloc") && Round == 2) {
      X = static_cast<float *>(realloc(X, 2 * Bytes));
      Y = static_cast<float *>(realloc(Y, Bytes / 2));
      Y = static_cast<float *>(realloc(Y, Bytes));
    }
    // What is none of CUDA's stays, and is used on.
    if (is("free-by-cuda") && Round == 3) {
      std::printf("%d", cudaFreeHost(X));
      std::printf(" %d", cudaFreeHost(Y));
      std::printf(" %d\n", cudaGetLastError());
    }
    if (is("reset") && Round == 2) {
      check(cudaDeviceReset(), "reset");
      check(cudaMalloc(&Dx, Bytes), "malloc");
      check(cudaMalloc(&Dy, Bytes), "malloc");
    }
  }
  check(cudaFree(Dx), "free");
  if (isMapped())
    std::printf("%d\n", munmap(X, Bytes));
  else if (!is("vector"))
    free(X);
  if (isMapped())
    std::printf("%d\n", munmap(Y, Bytes));
  else if (!is("anew"))
    free(Y);
  check(cudaFree(Dy), "free");
  if (Stream)
    check(cudaStreamDestroy(Stream), "destroy");
  static std::mutex Lock;
  std::lock_guard<std::mutex> Guard(Lock);
  Sum += Local;
}

int main(int, char **Args) {
  Case = Args[1];
  if (is("long"))
    Rounds = 500;
  if (is("threads")) {
    // Half of them one after the other, half at the same time.
    std::vector<std::thread> All;
    for (int I = 0; I != 4; ++I) {
      All.emplace_back(loop);
      if (I < 2)
        All.back().join();
    }
    for (int I = 2; I != 4; ++I)
      All[I].join();
  } else {
    loop();
  }
  std::printf("%.1f %s\n", Sum, cudaGetErrorName(cudaGetLastError()));
}

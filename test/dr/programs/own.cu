// What checks of their own run: how a program finds its buffers, what it
// starts, and how it frees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" void sdallocx(void *, size_t, int) __attribute__((weak));

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int);

__global__ void twice(int *D) { D[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

static void rounds(int *H, int *D, int Count) {
  for (int R = 0; R != Count; ++R) {
    for (int I = 0; I != N; ++I)
      H[I] = R + I;
    cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D);
    cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[N - 1]);
  }
}

/// A large buffer of which a part is copied.
static void limits(const std::string &Case) {
  const size_t Large = size_t(256) << 20;
  int *D = nullptr;
  auto *H = static_cast<char *>(malloc(Case == "sparse" ? Large : Bytes));
  cudaMalloc(&D, Bytes);
  if (Case == "sparse")
    for (size_t I = 0; I < Large; I += size_t(2) << 20)
      H[I] = 1;
  for (int R = 0; R != 20; ++R) {
    if (Case != "fresh") {
      memset(H, R, Bytes);
      cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
    } else
      cudaMemset(D, R, Bytes);
    cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[77]);
  }
  rusage U;
  getrusage(RUSAGE_SELF, &U);
  std::fprintf(stderr, "peak %ld MiB\n", U.ru_maxrss >> 10);
  free(H);
  cudaFree(D);
}

extern "C" {
extern char *AtForkBuffer __attribute__((weak));
extern size_t AtForkBytes __attribute__((weak));
extern bool AtForkFrees __attribute__((weak));
}

/// A library's handlers of fork use the buffer (handlers.cpp).
static void handlers(bool Frees) {
  int *D = nullptr, *H = static_cast<int *>(malloc(Bytes));
  cudaMalloc(&D, Bytes);
  rounds(H, D, 3);
  AtForkBuffer = reinterpret_cast<char *>(H);
  AtForkBytes = Bytes;
  AtForkFrees = Frees;
  const pid_t Child = fork();
  if (!Child)
    _exit(Frees ? 7 : H[N - 1] & 127);
  int Status = 0;
  waitpid(Child, &Status, 0);
  std::printf("child %d\n", Status);
  if (!Frees)
    std::printf("%d\n", H[N - 1]);
  AtForkBuffer = nullptr;
  if (Frees)
    H = static_cast<int *>(malloc(Bytes));
  rounds(H, D, 3);
  free(H);
  cudaFree(D);
}

static void registry(const std::string &Case) {
  struct Info {
    size_t Bytes;
    bool OnDevice;
  };
  std::map<void *, Info> Known;
  int *D = nullptr, *H = static_cast<int *>(malloc(Bytes));
  Known[H] = {Bytes, false};
  cudaMalloc(&D, Bytes);
  Known[D] = {Bytes, true};
  rounds(H, D, 4);
  std::printf("%zu %d\n", Known.size(), H == D);
  if (Case == "order") { // neither lies in the other
    auto *A = reinterpret_cast<char *>(H), *B = reinterpret_cast<char *>(D);
    std::printf("%d\n", A < B + Bytes && B < A + Bytes);
  }
  if (Case == "fork") { // the child's changes are its own
    const pid_t Child = fork();
    if (!Child) {
      const int First = H[0];
      memset(H, 9, Bytes);
      _exit(First == 6 ? 5 : 6);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    std::printf("child %d, %d\n", WEXITSTATUS(Status), H[0]);
    cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[N - 1]);
  }
  for (auto &Each : Known)
    Each.second.OnDevice ? (void)cudaFree(Each.first) : free(Each.first);
  std::printf("end %s\n", cudaGetErrorName(cudaGetLastError()));
}

int main(int Count, char **Args) {
  const std::string Case = Count > 1 ? Args[1] : "plain";
  setvbuf(stdout, nullptr, _IONBF, 0);
  if (Case == "sparse" || Case == "dense" || Case == "fresh") {
    limits(Case);
    return 0;
  }
  if (Case == "handlers" || Case == "frees") {
    handlers(Case == "frees");
    return 0;
  }
  if (Case == "registry" || Case == "order" || Case == "fork") {
    registry(Case);
    return 0;
  }
  int *D = nullptr, *H = nullptr;
  cudaMalloc(&D, Bytes);
  for (int I = 0; I != 3; ++I) {
    H = static_cast<int *>(malloc(Bytes));
    rounds(H, D, 3);
    if (Case == "sized" && sdallocx)
      sdallocx(H, Bytes, 0);
    else
      free(H);
  }
  cudaFree(D);
  if (Case == "start") {
    const pid_t Child = fork();
    if (!Child) {
      execl(Args[2], Args[2], static_cast<char *>(nullptr));
      _exit(9);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    std::printf("child %d\n", Status);
  }
  return 0;
}

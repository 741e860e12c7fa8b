// Processes that fork, start others, catch signals and end in odd ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CASE: fork       | pins skips
// CASE: fork-linux-5.10 | pins skips
// CASE: fork-many  | pins skips
// CASE: exec       | pins skips
// CASE: exit-order | pins skips
// CASE: quick-exit | pins skips
// CASE: crash      | pins skips
// CASE: handler    | pins skips
// CASE: callback   | pins split-only
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int);
static sigjmp_buf Back;

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

/// Frees both buffers behind main, when other handlers have run already.
struct Buffers {
  int *H = nullptr, *D = nullptr;
  void make() {
    cudaMalloc(&D, Bytes);
    H = static_cast<int *>(malloc(Bytes));
  }
  void round(int Value) {
    for (int I = 0; I != N; ++I)
      H[I] = Value + I;
    cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D);
    cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[N - 1]);
  }
  ~Buffers() {
    free(H);
    cudaFree(D);
  }
};

static Buffers Global;

/// The system's name, and in one case a kernel whose fork moves pinned pages.
static bool Old;
extern "C" int uname(utsname *Name) {
  int Status = int(syscall(SYS_uname, Name));
  if (Old)
    std::strcpy(Name->release, "5.10.120-tegra");
  return Status;
}

static void fault(int) { siglongjmp(Back, 1); }

/// Forks while many large buffers are in use and some were given back.
static void forkAmongMany() {
  {
    Buffers Some[6];
    for (Buffers &B : Some) {
      B.make();
      B.round(1);
    }
  }
  std::vector<void *> Many;
  for (int I = 0; I != 3000; ++I)
    Many.push_back(malloc(Bytes)); // not touched: address space alone
  pid_t Child = fork();
  if (!Child) {
    alarm(20);
    for (void *P : Many)
      free(P);
    free(malloc(Bytes));
    _exit(5);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  std::printf("child %d %d\n", WEXITSTATUS(Status), WTERMSIG(Status));
  for (void *P : Many)
    free(P);
}

int main(int, char **Args) {
  std::string Case = Args[1];
  setvbuf(stdout, nullptr, _IONBF, 0);
  if (Case == "child")
    return std::printf("child\n") == 6 ? 3 : 1;
  Old = Case == "fork-linux-5.10";
  Global.make();
  for (int I = 0; I != 4; ++I) {
    Global.round(I);
    if (Case.substr(0, 4) == "fork") {
      pid_t Child = fork();
      if (!Child) {
        // The child reads what it inherited, frees it, and allocates anew.
        int First = Global.H[0];
        free(Global.H);
        void *More = malloc(Bytes);
        memset(More, 1, Bytes);
        free(More);
        _exit(First == 2 * I ? 5 : 6);
      }
      int Status = 0;
      waitpid(Child, &Status, 0);
      std::printf("child %d\n", WEXITSTATUS(Status));
    }
    if (Case == "callback") {
      cudaLaunchHostFunc(
          nullptr,
          [](void *) {
            void *Inner = malloc(Bytes);
            memset(Inner, 0, Bytes);
            free(Inner);
          },
          nullptr);
      cudaDeviceSynchronize();
    }
    if (Case == "handler") {
      signal(SIGSEGV, fault);
      if (!sigsetjmp(Back, 1))
        *reinterpret_cast<volatile int *>(8) = 1;
      else
        std::printf("caught\n");
    }
  }
  if (Case == "fork-many")
    forkAmongMany();
  if (Case == "exec") {
    int Status = system((std::string(Args[0]) + " child").c_str());
    std::printf("status %d\n", WEXITSTATUS(Status));
    execl(Args[0], Args[0], "child", nullptr);
  }
  if (Case == "quick-exit")
    quick_exit(4);
  if (Case == "crash")
    raise(SIGABRT);
  return 7;
}

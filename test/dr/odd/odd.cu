//===- odd.cu - Programs that do odd things to their process --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same loop of one pair, with something odd before it, or in the middle of
// it (a second argument), or in each round. What it writes must not depend on
// what is preloaded.
//
// ODD: plain closefrom chdir setsid unset-environment
// ODD: seccomp no-files little-locked little-space short-files
// ODD: vfork spawn clone clone-shared raw-fork
// ODD: threads small-stack signals
// ODD: fault fault-stack fault-no-stack fault-no-defer fault-thread
//
//===----------------------------------------------------------------------===//
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int);
static std::string Case;
static bool is(const char *Name) { return Case == Name; }

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

static int *H, *D;

static void round(int Value) {
  for (int I = 0; I != N; ++I)
    H[I] = Value + I;
  cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(D);
  cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
  std::printf("%d\n", H[N - 1]);
}

static int statusOf(pid_t Child) {
  int Status = 0;
  if (Child > 0)
    waitpid(Child, &Status, __WALL);
  return Child > 0 && WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

// Signals.

static sigjmp_buf Back;
static volatile long Seen;

/// What a handler of a fault can look at.
static void inspect(int, siginfo_t *Info, void *Context) {
  auto *C = static_cast<ucontext_t *>(Context);
  Seen += Info->si_addr == reinterpret_cast<void *>(16);
#ifdef __x86_64__
  Seen += 2 * (C->uc_mcontext.gregs[REG_RIP] != 0) +
          4 * ((C->uc_mcontext.gregs[REG_ERR] & 2) != 0);
#endif
  sigset_t Now;
  pthread_sigmask(SIG_BLOCK, nullptr, &Now);
  Seen += 8 * sigismember(&Now, SIGSEGV) + 16 * sigismember(&Now, SIGUSR1);
  stack_t S;
  sigaltstack(nullptr, &S);
  Seen += 32 * ((S.ss_flags & SS_ONSTACK) != 0);
  siglongjmp(Back, 1);
}

static void fault(int Flags) {
  struct sigaction A = {};
  A.sa_sigaction = inspect;
  A.sa_flags = SA_SIGINFO | Flags;
  sigaddset(&A.sa_mask, SIGUSR1);
  sigaction(SIGSEGV, &A, nullptr);
  if (!sigsetjmp(Back, 1))
    *reinterpret_cast<volatile int *>(16) = 1;
  std::printf("seen %ld\n", Seen);
  Seen = 0;
}

// Limits.

/// Lets these system calls fail from here on.
static bool deny(const std::vector<int> &Calls) {
  std::vector<sock_filter> F = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
  for (int C : Calls) {
    F.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned(C), 0, 1));
    F.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1));
  }
  F.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog P = {static_cast<unsigned short>(F.size()), F.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &P) == 0;
}

static void limit(int What, rlim_t Most) {
  rlimit L = {Most, Most};
  setrlimit(static_cast<__rlimit_resource>(What), &L);
}

static void before() {
  if (is("closefrom"))
    for (int F = 3; F < 1024; ++F)
      close(F);
  else if (is("chdir"))
    std::printf("%d\n", chdir("/"));
  else if (is("unset-environment"))
    clearenv();
  else if (is("seccomp"))
    deny({SYS_openat, SYS_mremap, SYS_madvise, SYS_flock, SYS_getrandom});
  else if (is("no-files"))
    limit(RLIMIT_NOFILE, 3);
  else if (is("little-locked"))
    limit(RLIMIT_MEMLOCK, 65536);
  else if (is("little-space"))
    limit(RLIMIT_AS, rlim_t(3) << 30);
  else if (is("short-files"))
    limit(RLIMIT_FSIZE, 0);
  else if (is("setsid"))
    if (pid_t Child = fork())
      _exit(statusOf(Child));
    else
      setsid();
}

// Processes and threads.

static char Stack[1 << 16];

static int inClone(int Flags) {
  const auto Body = [](void *) { return (H[0] += 3) & 63; };
  return statusOf(clone(Body, Stack + sizeof Stack, Flags, nullptr));
}

static void manyThreads() {
  for (int Wave = 0; Wave != 5; ++Wave) {
    std::vector<std::thread> All;
    for (int T = 0; T != 20; ++T)
      All.emplace_back([] {
        free(memset(malloc(Bytes), 1, Bytes));
        cudaStreamSynchronize(cudaStreamPerThread);
      });
    for (std::thread &T : All)
      T.join();
  }
}

static void *upload(void *) {
  cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
  return nullptr;
}

static int smallStack() {
  pthread_attr_t A;
  pthread_attr_init(&A);
  pthread_attr_setstacksize(&A, 32768);
  pthread_t T;
  int Error = pthread_create(&T, &A, upload, nullptr);
  return Error ? Error : pthread_join(T, nullptr);
}

static void inside() {
  if (is("vfork")) {
    pid_t Child = vfork();
    if (!Child) {
      execl("/bin/true", "true", nullptr);
      _exit(9);
    }
    std::printf("%d\n", statusOf(Child));
  } else if (is("spawn")) {
    char *Words[] = {const_cast<char *>("true"), nullptr};
    pid_t Child = 0;
    posix_spawn(&Child, "/bin/true", nullptr, nullptr, Words, environ);
    std::printf("%d\n", statusOf(Child));
  } else if (is("clone")) {
    std::printf("%d %d\n", inClone(0), H[0]);
  } else if (is("clone-shared")) {
    std::printf("%d %d\n", inClone(CLONE_VM), H[0]);
  } else if (is("raw-fork")) {
    auto Child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    if (!Child)
      _exit((H[0] += 3) & 63);
    std::printf("%d %d\n", statusOf(Child), H[0]);
  } else if (is("threads")) {
    manyThreads();
  } else if (is("small-stack")) {
    std::printf("%d\n", smallStack());
  } else if (is("signals")) {
    signal(SIGUSR1, [](int) { siglongjmp(Back, 1); });
    if (!sigsetjmp(Back, 1))
      raise(SIGUSR1);
  } else if (is("fault")) {
    fault(0);
  } else if (is("fault-stack")) {
    static char Other[1 << 15];
    stack_t S = {Other, 0, sizeof Other};
    sigaltstack(&S, nullptr);
    fault(SA_ONSTACK);
  } else if (is("fault-no-stack")) {
    fault(SA_ONSTACK);
  } else if (is("fault-no-defer")) {
    fault(SA_NODEFER);
  } else if (is("fault-thread")) {
    std::thread([] { fault(0); }).join();
  }
}

int main(int Count, char **Args) {
  Case = Args[1];
  const int Begin = Count > 2 ? 3 : 0;
  setvbuf(stdout, nullptr, _IONBF, 0);
  if (!Begin)
    before();
  H = static_cast<int *>(malloc(Bytes));
  cudaMalloc(&D, Bytes);
  for (int I = 0; I != 6; ++I) {
    if (Begin && I == Begin)
      before();
    round(I);
    inside();
  }
  free(H);
  cudaFree(D);
  std::printf("end %s\n", cudaGetErrorName(cudaGetLastError()));
  return 5;
}

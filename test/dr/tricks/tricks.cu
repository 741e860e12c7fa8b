//===- tricks.cu - Loops that look alike, and what hides in them ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each case is the same loop, input to the GPU and output back, with one thing
// more, that validation must see or must not mind. "in" and "out" are the pairs
// of the input and of the output; they pass, or are rejected for what is named.
// "-" is a pair that is not watched at all; "lost" one of which not all was
// recorded.
//
// VALIDATE: plain            | in=pass out=pass
// VALIDATE: async            | in=pass out=pass
// VALIDATE: anew             | in=pass out=pass
// VALIDATE: anew-both        | in=pass out=pass
// VALIDATE: anew-in-order    | in=DroppedOut out=pass
// VALIDATE: read             | in=HostAccess out=pass
// VALIDATE: read-once        | in=HostAccess out=pass
// VALIDATE: read-after-wait  | in=pass out=pass
// VALIDATE: reads-count      | in=pass out=pass
// VALIDATE: reads-none       | in=HostAccess out=pass
// VALIDATE: small-set        | in=pass out=pass
// VALIDATE: small-copy       | in=pass out=pass
// VALIDATE: alias            | in=HostAccess out=pass
// VALIDATE: output-early     | in=pass out=HostAccess
// VALIDATE: output-changed   | in=pass out=Stale
// VALIDATE: read2            | in=SystemCall out=pass
// VALIDATE: fread            | in=SystemCall out=pass
// VALIDATE: told-folder      | in=SystemCall out=pass
// VALIDATE: told-file        | in=SystemCall out=pass
// VALIDATE: told-child       | in=SystemCall out=pass
// VALIDATE: protects         | in=DroppedOut out=pass
// VALIDATE: no-wait          | in=HostAccess
// VALIDATE: other-stream     | in=HostAccess
// VALIDATE: legacy-wait      | in=HostAccess
// VALIDATE: event-waits      | in=pass out=pass
// VALIDATE: event-again      | in=HostAccess out=pass
// VALIDATE: stream-again     | in=HostAccess out=pass
// VALIDATE: thread-waits     | in=pass out=pass
// VALIDATE: thread-again     | in=HostAccess out=pass
// VALIDATE: grows            | in=OtherCopy out=pass
// VALIDATE: thread           | in=HostAccess out=pass
// VALIDATE: thread-after     | in=pass out=pass
// VALIDATE: freed            | in=pass out=pass
// VALIDATE: frees-host       | in=DroppedOut out=pass
// VALIDATE: frees-inside     | in=DroppedOut out=pass
// VALIDATE: frees-none       | in=pass out=pass
// VALIDATE: fork             | in=Child out=pass
// VALIDATE: fork-exit        | in=Child out=pass
// VALIDATE: fork-no-files    | in=lost out=lost
// VALIDATE: fork-quiet       | in=pass out=pass
// VALIDATE: fork-raw         | in=DroppedOut|Child out=DroppedOut|Child
// VALIDATE: fork-clone       | in=DroppedOut|Child out=DroppedOut|Child
// VALIDATE: handler          | in=pass out=pass
// VALIDATE: blocks           | in=pass out=pass
// VALIDATE: blocks-in-signal | in=pass out=pass
// VALIDATE: ignores          | in=pass out=pass
// VALIDATE: spins            | in=Held out=Held
// VALIDATE: spins-told       | in=pass out=pass
// VALIDATE: crash            | in=any out=any
// VALIDATE: exec             | in=pass out=pass
// VALIDATE: joins            | in=pass
// VALIDATE: joins-not        | in=pass
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void waitFor(const volatile int *Flag) {
  while (!*Flag)
    ;
}

/// Work that ends only once the host, which goes on, says so.
static void spin(const unsigned char *In, unsigned char *Out) {
  int *Flag;
  cudaMallocHost(&Flag, N); // a smaller one would reject the pairs
  *Flag = is("spins-told"); // before the kernel begins
  waitFor<<<1, 1>>>(Flag);
  work<<<(N + 255) / 256, 256>>>(In, Out, N);
  *static_cast<volatile int *>(Flag) = 1;
  cudaDeviceSynchronize();
  cudaFreeHost(Flag);
}

static void *look(void *P) {
  auto *H = static_cast<unsigned char *>(P);
  H[N / 2] = H[N / 2 + 1];
  return nullptr;
}

/// Waits for the work by an event; or for nothing, by another event that is new
/// and most likely has the first one's handle.
static void waitForEvent() {
  cudaEvent_t E;
  cudaEventCreate(&E);
  cudaEventRecord(E);
  if (is("event-again")) {
    cudaEventDestroy(E);
    cudaEventCreate(&E);
  }
  cudaEventSynchronize(E);
  cudaEventDestroy(E);
}

static cudaStream_t freshStream() {
  cudaStream_t S;
  cudaStreamCreate(&S);
  return S;
}

/// Runs \p Body in a thread, whose stack and number the next thread gets.
static void inOtherThread(void *(*Body)(void *), void *Data) {
  pthread_t T;
  pthread_create(&T, nullptr, Body, Data);
  pthread_join(T, nullptr);
}

struct Buffers {
  unsigned char *In, *Out;
};

static void *launch(void *Data) {
  auto *B = static_cast<Buffers *>(Data);
  work<<<(N + 255) / 256, 256, 0, cudaStreamPerThread>>>(B->In, B->Out, N);
  if (is("thread-waits"))
    cudaStreamSynchronize(cudaStreamPerThread);
  return nullptr;
}

static void *waitForOwn(void *) {
  cudaStreamSynchronize(cudaStreamPerThread);
  return nullptr;
}

/// The work is one thread's, the wait another one's.
static void inThreads(unsigned char *In, unsigned char *Out) {
  Buffers B = {In, Out};
  inOtherThread(launch, &B);
  inOtherThread(waitForOwn, nullptr);
}

/// In a process that no handler of fork's is called for.
static int inClone(unsigned char *H) {
  static char Stack[1 << 16];
  const auto Body = [](void *H) { return static_cast<char *>(H)[100] & 63; };
  const pid_t Child = clone(Body, Stack + sizeof Stack, SIGCHLD, H);
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WEXITSTATUS(Status);
}

static int inChild(unsigned char *H, bool Looks) {
  pid_t Child = is("fork-raw") ? pid_t(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) : fork();
  const bool Handlers = is("fork-exit"); // of exit run in the child, too
  const rlimit None = {0, 0};
  if (!Child && is("fork-no-files"))
    setrlimit(RLIMIT_NOFILE, &None);
  if (!Child)
    (Handlers ? exit : _exit)(Looks ? H[100] : 5);
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WEXITSTATUS(Status);
}

static sigjmp_buf Back;
static void onFault(int) { siglongjmp(Back, 1); }

/// True if the program's own handler sees a fault of its own.
static bool faults() {
  signal(SIGSEGV, onFault);
  auto *Guard = static_cast<volatile char *>(
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  bool Seen = sigsetjmp(Back, 1) != 0;
  if (!Seen)
    *Guard = 1;
  return Seen;
}

static bool isBlocked(const sigset_t &S) { return sigismember(&S, SIGSEGV); }

/// Blocks all signals, and sees that they are.
static void blockAll() {
  sigset_t All, Was;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Was);
  printf("%d", isBlocked(Was));
  sigprocmask(SIG_BLOCK, nullptr, &Was);
  printf("%d\n", isBlocked(Was));
}

static unsigned char *Filled;
static void fill(int) { memset(Filled, 9, N); }

/// Fills h in a handler that blocks all signals.
static void signalFills(unsigned char *H) {
  struct sigaction A = {}, Was;
  A.sa_handler = fill;
  sigfillset(&A.sa_mask);
  sigaction(SIGUSR1, &A, nullptr);
  sigaction(SIGUSR1, nullptr, &Was);
  printf("%d %d\n", isBlocked(Was.sa_mask), Was.sa_handler == fill);
  Filled = H;
  raise(SIGUSR1);
}

/// A signal that is sent and ignored, and a handler for one fault.
static void ignores() {
  signal(SIGSEGV, SIG_IGN);
  raise(SIGSEGV);
  struct sigaction A = {}, Was;
  A.sa_handler = onFault;
  A.sa_flags = SA_RESETHAND;
  sigaction(SIGSEGV, &A, nullptr);
  if (!sigsetjmp(Back, 1))
    raise(SIGSEGV);
  sigaction(SIGSEGV, nullptr, &Was);
  printf("%d\n", Was.sa_handler == SIG_DFL);
}

static void readFile(unsigned char *H) {
  FILE *F = fopen("/proc/self/exe", "rb");
  size_t Got =
      is("read2") ? size_t(read(fileno(F), H, 4096)) : fread(H, 1, N / 2, F);
  if (Got < 4096)
    printf("short: %zu\n", Got);
  fclose(F);
}

/// The system writes an answer there, and nobody looks whether it did.
static void askSystem(unsigned char *H) {
  if (is("told-folder") && !getcwd(reinterpret_cast<char *>(H), 4096))
    return;
  if (is("told-file") && stat("/", reinterpret_cast<struct stat *>(H)))
    return;
  if (is("told-child"))
    waitpid(-1, reinterpret_cast<int *>(H), 0); // there is none
}

/// A pair after the other: the second device buffer comes while the first host
/// buffer, whose own is gone, is still read later, and must not join it. Or it
/// was freed, too.
static void onePairAfterTheOther() {
  static volatile int Turns = 2;
  unsigned char *H[2], *D[2];
  unsigned long long Sum = 0;
  const auto Add = [&](const unsigned char *P) {
    for (size_t J = 0; J < N; J += 1001)
      Sum = Sum * 31 + P[J];
  };
  for (int Turn = 0; Turn < Turns; ++Turn) {
    if (Turn) {
      cudaFree(D[0]);
      if (is("joins-not"))
        free(H[0]);
    }
    cudaMalloc(&D[Turn], N);
    H[Turn] = static_cast<unsigned char *>(malloc(N));
    for (int I = 0; I < 6; ++I) {
      memset(H[Turn], 7 * Turn + I + 1, N);
      cudaMemcpy(D[Turn], H[Turn], N, cudaMemcpyHostToDevice);
      work<<<(N + 255) / 256, 256>>>(D[Turn], D[Turn], N);
      cudaMemcpy(H[Turn], D[Turn], N, cudaMemcpyDeviceToHost);
      Add(H[Turn]);
    }
  }
  if (is("joins"))
    Add(H[0]);
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(D[1]);
  free(H[1]);
}

int main(int argc, char **argv) {
  Case = argc > 1 ? argv[1] : "plain";
  const int First = argc > 2 ? atoi(argv[2]) : 0;
  if (!strncmp(Case, "joins", 5)) {
    onePairAfterTheOther();
    return 0;
  }
  unsigned long long Sum = 0;
  auto *H = static_cast<unsigned char *>(malloc(N));
  auto *O = static_cast<unsigned char *>(malloc(N));
  unsigned char *In, *Out;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  cudaStream_t S = nullptr, Other = nullptr;
  const bool WrongWait = is("other-stream") || is("legacy-wait");
  if (is("no-wait") || WrongWait) {
    cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking);
    if (!is("legacy-wait"))
      cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking);
  }
  const int Rounds = is("grows") ? 60 : 6;
  if (is("blocks"))
    blockAll();
  if (!strncmp(Case, "spins", 5))
    spin(In, Out);
  for (int I = First; I < Rounds; ++I) {
    if (!strncmp(Case, "anew", 4)) {
      free(H);
      H = static_cast<unsigned char *>(malloc(N));
    }
    if (is("anew-both"))
      cudaFree(In);
    if (is("anew-in-order"))
      cudaFreeAsync(In, nullptr);
    if (!strncmp(Case, "anew-", 5))
      cudaMalloc(&In, N);
    if (is("blocks-in-signal"))
      signalFills(H);
    else
      memset(H, I + 1, N);
    if (is("ignores"))
      ignores();
    if (is("async")) {
      cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, S);
    } else if (is("no-wait") || WrongWait) {
      if (is("legacy-wait"))
        cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
      else
        cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, S);
      work<<<(N + 255) / 256, 256, 0, S>>>(In, Out, N);
      if (WrongWait)
        cudaStreamSynchronize(Other);
      continue;
    } else if (is("grows") && I >= 50) {
      cudaMemcpy(In, H, N / 2 + 1, cudaMemcpyHostToDevice);
    } else {
      cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    }
    if (is("stream-again"))
      S = freshStream();
    if (is("thread-waits") || is("thread-again"))
      inThreads(In, Out);
    else
      work<<<(N + 255) / 256, 256, 0, S>>>(In, Out, N);
    if (!strncmp(Case, "event-", 6))
      waitForEvent();
    if (is("stream-again")) {
      cudaStreamDestroy(S);
      S = freshStream();
      cudaStreamSynchronize(S);
    }
    if (is("event-waits") || is("event-again") || is("stream-again") ||
        is("thread-waits") || is("thread-again"))
      Sum += H[I];
    if (is("stream-again")) {
      cudaStreamDestroy(S);
      S = nullptr;
      cudaDeviceSynchronize();
    }
    if (is("read") || (is("read-once") && I == 4))
      Sum += H[I];
    if (is("protects")) { // the page's start: malloc aligns less
      mprotect(H - uintptr_t(H) % 4096, N, PROT_READ | PROT_WRITE);
      Sum += H[I];
    }
    if (is("alias")) {
      unsigned char *Alias = H + (Sum & 1) + N / 2;
      Alias[7] = 9;
    }
    if (is("read2") || is("fread"))
      readFile(H);
    if (!strncmp(Case, "told-", 5))
      askSystem(H);
    if (is("thread"))
      inOtherThread(look, H);
    if (is("fork-clone"))
      Sum += inClone(H);
    else if (!strncmp(Case, "fork", 4))
      Sum += inChild(H, !is("fork-quiet") && I == 4);
    if (is("freed") && I == Rounds - 1) {
      free(H);
      H = nullptr;
    }
    // Fails: so it asks whether memory is the device's.
    if (!strncmp(Case, "frees-", 6) && I == 3) {
      cudaFree(is("frees-none") ? nullptr : is("frees-host") ? H : H + 4096);
      cudaGetLastError();
    }
    if (is("crash") && I == 4)
      abort();
    if (!strncmp(Case, "small-", 6)) {
      // Little work on a large buffer, and the copy alone waits for it.
      cudaDeviceSynchronize();
      if (is("small-set"))
        cudaMemset(Out, I + 77, 16);
      else
        cudaMemcpy(Out, Out + 500, 16, cudaMemcpyDeviceToDevice);
    }
    if (is("read-after-wait") || is("thread-after") || is("output-early"))
      cudaDeviceSynchronize();
    // A copy back is a wait, but for one of no bytes.
    unsigned char Few[16];
    if (is("reads-count") || is("reads-none"))
      cudaMemcpy(Few, Out, is("reads-none") ? 0 : sizeof Few,
                 cudaMemcpyDeviceToHost);
    if (is("read-after-wait") || is("reads-count") || is("reads-none"))
      Sum += H[I];
    if (is("thread-after"))
      inOtherThread(look, H);
    if (is("output-early") && I)
      Sum += O[3];
    if (is("async")) {
      cudaMemcpyAsync(O, Out, N, cudaMemcpyDeviceToHost, S);
      cudaStreamSynchronize(S);
    } else {
      cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    }
    if (is("handler"))
      Sum += faults();
    for (size_t J = 0; J < N; J += 1001)
      Sum = Sum * 31 + O[J];
    if (is("output-changed"))
      O[5] = 0;
    if (is("exec") && I == 2 && First == 0) {
      printf("%llu\n", Sum);
      fflush(stdout);
      execl("/proc/self/exe", argv[0], "exec", "3", nullptr);
    }
  }
  cudaDeviceSynchronize();
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
  free(O);
  return 0;
}

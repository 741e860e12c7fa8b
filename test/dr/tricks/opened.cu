//===- opened.cu - The loop's own use of what was downloaded --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop uses its output in ways that a buffer which closes again meanwhile
// would disturb: the C library writes a long text from where it lies, handlers
// of signals read it while a call has blocked all signals but theirs, a handler
// that comes at any time hands over to another thread, a timer's thread and a
// context read it with all signals blocked, as does a loop that blocked them by
// one of the C library's older calls or by a system call's number, and the C
// library fills it by random numbers. All is right with one buffer, and validation must not change what the
// program does.
//
// VALIDATE: fputs    | out=pass
// VALIDATE: puts     | out=pass
// VALIDATE: printf   | out=pass
// VALIDATE: fprintf  | out=pass
// VALIDATE: dprintf  | out=pass
// VALIDATE: suspend  | out=pass
// VALIDATE: ppoll    | out=pass
// VALIDATE: pselect  | out=pass
// VALIDATE: ticker   | out=pass
// VALIDATE: timer    | out=pass
// VALIDATE: context  | out=pass
// VALIDATE: random   | in=pass
// VALIDATE: sigblock   | out=pass
// VALIDATE: sigsetmask | out=pass
// VALIDATE: sighold    | out=pass
// VALIDATE: sigset     | out=pass
// VALIDATE: numbered   | out=pass
// VALIDATE: handler    | out=pass
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static unsigned char *O;
static unsigned long long Sum;
static volatile int Came;
static int Ends[2];
static std::mutex Rows;

static void addUp(int) {
  for (size_t I = 0; I < N; I += 1001)
    Sum = Sum * 31 + O[I];
  Came = 1;
}

/// A timer's thread adds up; the loop waits for it.
static sem_t Added;
static void expire(sigval) {
  addUp(0);
  sem_post(&Added);
}

static void waitForTimer() {
  static timer_t Timer;
  if (!Timer) {
    sigevent Event{};
    Event.sigev_notify = SIGEV_THREAD;
    Event.sigev_notify_function = expire;
    timer_create(CLOCK_MONOTONIC, &Event, &Timer);
  }
  itimerspec T{};
  T.it_value.tv_nsec = 100000;
  timer_settime(Timer, 0, &T, nullptr);
  while (sem_wait(&Added) != 0) {
  }
}

/// A context that blocks all signals adds up.
static void enterContext() {
  static ucontext_t Caller, Inner;
  static char Stack[1 << 18];
  getcontext(&Inner);
  Inner.uc_stack.ss_sp = Stack;
  Inner.uc_stack.ss_size = sizeof Stack;
  Inner.uc_link = &Caller;
  sigfillset(&Inner.uc_sigmask);
  makecontext(
      &Inner, [] { addUp(0); }, 0);
  swapcontext(&Caller, &Inner);
}

static void tick(int) {
  if (write(Ends[1], "", 1) < 0)
    Came = 1; // the pipe is full
}

/// Adds up with all signals blocked by a call of the case's name.
static void addUpBlocked() {
  sigset_t All, Before;
  sigfillset(&All);
  sigprocmask(SIG_BLOCK, nullptr, &Before);
  if (is("sigblock"))
    sigblock(~0);
  else if (is("sigsetmask"))
    sigsetmask(~0);
  else if (is("sighold"))
    sighold(SIGSEGV);
  else if (is("sigset"))
    sigset(SIGSEGV, SIG_HOLD);
  else
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &All, nullptr, 8);
  addUp(0);
  sigset_t Now;
  sigprocmask(SIG_SETMASK, &Before, &Now);
  Sum = Sum * 31 + sigismember(&Now, SIGSEGV);
}

/// The handler runs with all signals blocked, by the call's number.
static void blockInHandler() {
  struct {
    void (*Handler)(int);
    unsigned long Flags;
    void (*Restorer)();
    unsigned long Mask;
  } A;
  syscall(SYS_rt_sigaction, SIGALRM, nullptr, &A, 8);
  A.Mask = ~0ul;
  syscall(SYS_rt_sigaction, SIGALRM, &A, nullptr, 8);
}

/// All signals but SIGALRM.
static sigset_t others() {
  sigset_t Set;
  sigfillset(&Set);
  sigdelset(&Set, SIGALRM);
  return Set;
}

static void every(int Microseconds, bool Once) {
  itimerval T{};
  T.it_value.tv_usec = Microseconds;
  if (!Once)
    T.it_interval.tv_usec = Microseconds;
  setitimer(ITIMER_REAL, &T, nullptr);
}

/// The output is a text: letters, and the end.
__global__ void letters(unsigned char *Out, int Round, size_t Bytes) {
  const size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (I < Bytes)
    Out[I] = I + 1 < Bytes ? 'a' + (I * 7 + Round) % 26 : 0;
}

static void useOutput() {
  const sigset_t Mask = others();
  const timespec Most = {1, 0};
  const char *Text = reinterpret_cast<const char *>(O);
  if (is("fputs"))
    fputs(Text, stdout);
  else if (is("puts"))
    puts(Text);
  else if (is("printf"))
    printf("%d %5.1f%s%ld\n", 1, 2.0, Text, 3L);
  else if (is("fprintf"))
    fprintf(stdout, "%*d %.*s %Lg %c\n", 8, 4, static_cast<int>(N), Text,
            2.0L, 'x');
  else if (is("dprintf"))
    dprintf(1, "%s\n", Text);
  else if (is("suspend") || is("handler"))
    sigsuspend(&Mask);
  else if (is("ppoll"))
    ppoll(nullptr, 0, &Most, &Mask);
  else if (is("pselect"))
    pselect(0, nullptr, nullptr, nullptr, &Most, &Mask);
  else if (is("timer"))
    waitForTimer();
  else if (is("context"))
    enterContext();
  else if (is("random"))
    arc4random_buf(O, N);
  else if (is("sigblock") || is("sigsetmask") || is("sighold") ||
           is("sigset") || is("numbered"))
    addUpBlocked();
  else
    for (size_t I = 0; I < 4000; ++I) {
      const std::lock_guard<std::mutex> Own(Rows);
      Sum = Sum * 31 + O[I * 17 % N];
    }
}

int main(int argc, char **argv) {
  if (argc != 2 || pipe(Ends) != 0)
    return 2;
  Case = argv[1];
  fcntl(Ends[1], F_SETFL, O_NONBLOCK);
  const bool Waits = is("suspend") || is("handler") || is("ppoll") || is("pselect");
  struct sigaction A {};
  A.sa_handler = is("ticker") ? tick : addUp;
  A.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &A, nullptr);
  if (is("handler"))
    blockInHandler();
  sigset_t Mine;
  sigemptyset(&Mine);
  sigaddset(&Mine, SIGALRM);
  if (Waits)
    sigprocmask(SIG_BLOCK, &Mine, nullptr);
  if (is("ticker"))
    every(300, /*Once=*/false);
  O = static_cast<unsigned char *>(malloc(N));
  unsigned char *Out = nullptr;
  cudaMalloc(&Out, N);
  cudaMemset(Out, 0, N);
  for (int R = 0; R < 8; ++R) {
    letters<<<(N + 255) / 256, 256>>>(Out, R, N);
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    if (Waits)
      every(3000, /*Once=*/true);
    useOutput();
    if (is("random"))
      cudaMemcpy(Out, O, N, cudaMemcpyHostToDevice);
  }
  every(0, /*Once=*/false);
  printf("%s %llu %s\n", Case, is("ticker") ? 0 : Sum,
          cudaGetErrorString(cudaGetLastError()));
  cudaFree(Out);
  free(O);
}

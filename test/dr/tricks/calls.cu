//===- calls.cu - Loops whose buffers system calls use unseen -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As bypass.cu, with what the preloaded library cannot see: system calls that
// the program makes by an instruction of its own, and what another program
// does to its memory. echo-run is asked about these calls (CallWatch.h). Each
// way is gone again before the library looks, and what fails says nothing.
//
// UNSEEN: plain            | passes
// UNSEEN: ring             | io_uring
// UNSEEN: ring-in-helper   | passes
// UNSEEN: aio              | asynchronous I/O
// UNSEEN: aio-in-helper    | passes
// UNSEEN: faults           | userfaultfd
// UNSEEN: splices          | a system call of its own
// UNSEEN: writes-itself    | a system call of its own
// UNSEEN: helper-itself    | passes
// UNSEEN: memory-file      | /proc/PID/mem
// UNSEEN: memory-link      | /proc/PID/mem
// UNSEEN: status-file      | passes
// UNSEEN: takes            | takes a descriptor
// UNSEEN: by-handle        | by its handle
// UNSEEN: asks-filters     | is another thing where echo-run runs it
// UNSEEN: asks-end         | is another thing where echo-run runs it
// UNSEEN: asks-name        | passes
// UNSEEN: child-traces     | ptrace
// UNSEEN: child-waits      | passes
// UNSEEN: helper-traces    | ptrace
// UNSEEN: helper-file      | /proc/PID/mem
// UNSEEN: helper-own-file  | passes
// UNSEEN: helper-reads     | another process
// UNSEEN: helper-writes    | another process
// UNSEEN: helper-says      | passes
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void shut(long Fd) {
  if (Fd >= 0)
    inlineCall(SYS_close, Fd);
}

static void ring() {
  static io_uring_params P;
  shut(inlineCall(SYS_io_uring_setup, 4, word(&P)));
}

static void context() {
  aio_context_t Context = 0;
  if (inlineCall(SYS_io_setup, 4, word(&Context)) == 0)
    inlineCall(SYS_io_destroy, long(Context));
}

/// Bytes at \p Address of a process, read or written.
static void copyOf(long Number, pid_t Process, long Address) {
  static char Bytes[100];
  iovec Here = {Bytes, sizeof Bytes};
  iovec There = {reinterpret_cast<void *>(Address), sizeof Bytes};
  inlineCall(Number, Process, word(&Here), 1, word(&There), 1);
}

static void readAt(const char *Path, long Address) {
  static char Bytes[100];
  const long Fd = inlineCall(SYS_openat, AT_FDCWD, word(Path), O_RDONLY);
  inlineCall(SYS_pread64, Fd, word(Bytes), sizeof Bytes, Address);
  shut(Fd);
}

static void trace(pid_t Process) {
  if (inlineCall(SYS_ptrace, PTRACE_ATTACH, Process) != 0)
    return;
  inlineCall(SYS_wait4, Process, 0, __WALL);
  inlineCall(SYS_ptrace, PTRACE_DETACH, Process);
}

/// Another program, beside the one whose buffer lies at \p Address.
static int help(const char *What, long Address) {
  static char Own[100];
  const pid_t Parent = getppid();
  char Path[64];
  snprintf(Path, sizeof Path, "/proc/%d/mem", int(Parent));
  if (!strcmp(What, "ring-in-helper"))
    ring();
  if (!strcmp(What, "aio-in-helper"))
    context();
  if (!strcmp(What, "helper-itself"))
    copyOf(SYS_process_vm_writev, getpid(), word(Own));
  if (!strcmp(What, "helper-traces"))
    trace(Parent);
  if (!strcmp(What, "helper-file"))
    readAt(Path, Address);
  if (!strcmp(What, "helper-own-file"))
    readAt("/proc/self/mem", word(Own));
  if (!strcmp(What, "helper-reads"))
    copyOf(SYS_process_vm_readv, Parent, Address);
  if (!strcmp(What, "helper-writes"))
    copyOf(SYS_process_vm_writev, Parent, Address);
  return 0;
}

/// Starts the helper, a copy of this program, without anything of Echo's.
static void startHelper(const unsigned char *H) {
  char Address[32];
  snprintf(Address, sizeof Address, "%ld", word(H) + 1000);
  const pid_t Child = fork();
  if (Child == 0) {
    char *const None[] = {nullptr};
    char Path[4096] = {};
    (void)!readlink("/proc/self/exe", Path, sizeof Path - 32);
    strcat(Path, ".helper");
    char *const Words[] = {Path, const_cast<char *>("help"),
                           const_cast<char *>(Case), Address, nullptr};
    execve(Path, Words, None);
    _exit(1);
  }
  waitpid(Child, nullptr, 0);
}

static void startChild() {
  const pid_t Child = fork(), Parent = getppid();
  if (Child == 0) {
    if (is("child-traces"))
      trace(Parent);
    _exit(0);
  }
  waitpid(Child, nullptr, 0);
}

/// While the GPU could use the buffers, in one iteration.
static void during(unsigned char *H) {
  if (is("ring"))
    ring();
  if (is("aio"))
    context();
  if (is("faults"))
    shut(inlineCall(SYS_userfaultfd, O_CLOEXEC));
  if (is("splices")) {
    int Ends[2];
    iovec Part = {H, 100};
    if (pipe(Ends) == 0) {
      inlineCall(SYS_vmsplice, Ends[1], word(&Part), 1, 0);
      shut(Ends[0]);
      shut(Ends[1]);
    }
  }
  if (is("writes-itself"))
    copyOf(SYS_process_vm_writev, getpid(), word(H) + 1000);
  if (is("memory-file"))
    readAt("/proc/self/mem", word(H) + 1000);
  if (is("memory-link")) {
    char Name[64];
    snprintf(Name, sizeof Name, "/tmp/echo-calls-%d", int(getpid()));
    inlineCall(SYS_symlinkat, word("/proc/self/mem"), AT_FDCWD, word(Name));
    readAt(Name, word(H) + 1000);
    unlink(Name);
  }
  if (is("by-handle")) {
    struct {
      file_handle Begin;
      char Room[128];
    } Handle = {};
    Handle.Begin.handle_bytes = sizeof Handle.Room;
    int Mount = 0;
    inlineCall(SYS_name_to_handle_at, AT_FDCWD, word("/"), word(&Handle),
               word(&Mount), 0);
    shut(inlineCall(SYS_open_by_handle_at, AT_FDCWD, word(&Handle), O_RDONLY));
  }
  if (is("takes")) {
    const long Own = inlineCall(SYS_pidfd_open, getpid());
    shut(inlineCall(SYS_pidfd_getfd, Own, STDIN_FILENO));
    shut(Own);
  }
  if (is("asks-filters"))
    prctl(PR_GET_SECCOMP);
  if (is("asks-end")) {
    int Signal = 0;
    prctl(PR_GET_PDEATHSIG, &Signal);
  }
  if (is("asks-name")) {
    char Name[16];
    prctl(PR_GET_NAME, Name);
  }
  if (is("status-file"))
    readAt("/proc/self/status", 0);
  if (!strncmp(Case, "child-", 6))
    startChild();
  if (!strncmp(Case, "helper-", 7) || strstr(Case, "-in-helper"))
    startHelper(H);
}

int main(int argc, char **argv) {
  if (argc > 3)
    return help(argv[2], strtol(argv[3], nullptr, 10));
  Case = argc > 1 ? argv[1] : "plain";
  unsigned long long Sum = 0;
  auto *H = static_cast<unsigned char *>(malloc(N));
  auto *O = static_cast<unsigned char *>(malloc(N));
  unsigned char *In, *Out;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  for (int I = 0; I < 6; ++I) {
    memset(H, I + 1, N);
    cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    work<<<(N + 255) / 256, 256>>>(In, Out, N);
    if (I == 3)
      during(H);
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    for (size_t J = 0; J < N; J += 1001)
      Sum = Sum * 31 + O[J];
    cudaDeviceSynchronize();
  }
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
  return 0;
}

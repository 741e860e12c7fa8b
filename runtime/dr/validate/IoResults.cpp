//===- IoResults.cpp - Results of system calls in watched buffers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls by which the system writes its answer into the program's memory: a
// folder's name, a child's status, what a socket is. As with read() (Io.cpp)
// the kernel does not fault on a closed page; the call fails, which a program
// may never look at. Those that other files interpose (stat, ioctl, uname) ask
// kernelUses().
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/IoUse.h"

#include <dirent.h>
#include <initializer_list>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>

using namespace echo::dr;

// Files and pipes.
IO(char *, getcwd, (char *P, size_t N) noexcept, (P, N), P, N)
IO(int, pipe, (int *P) noexcept, (P), P, 2 * sizeof *P)
IO(int, pipe2, (int *P, int Flags) noexcept, (P, Flags), P, 2 * sizeof *P)
IO(int, socketpair, (int Family, int Type, int Protocol, int *P) noexcept,
   (Family, Type, Protocol, P), P, 2 * sizeof *P)
#define LISTS(name, params, args, ...)                                         \
  IO_FOR(Watched.used() || isRecorded(__builtin_return_address(0)), ssize_t,   \
         name, params noexcept, args, (void)0, folderListed(Fd, By.Code),      \
         __VA_ARGS__)
LISTS(getdents64, (int Fd, void *P, size_t N), (Fd, P, N), P, N)
LISTS(getdirentries, (int Fd, char *P, size_t N, off_t *At), (Fd, P, N, At), P,
      N, RESULT(At))
LISTS(getdirentries64, (int Fd, char *P, size_t N, off64_t *At), (Fd, P, N, At),
      P, N, RESULT(At))
#define XATTR(name)                                                            \
  IO(ssize_t, name,                                                            \
     (const char *Path, const char *Name, void *P, size_t N) noexcept,         \
     (Path, Name, P, N), P, N, RESULT(Name), RESULT(Path))
XATTR(getxattr)
XATTR(lgetxattr)
IO(ssize_t, fgetxattr, (int Fd, const char *Name, void *P, size_t N) noexcept,
   (Fd, Name, P, N), P, N, RESULT(Name))

// Children and signals.
IO(pid_t, wait, (int *P), (P), RESULT(P))
IO_ASKED(USED_BY(Flags &WNOHANG), pid_t, waitpid,
         (pid_t Child, int *P, int Flags), (Child, P, Flags), RESULT(P))
IO_ASKED(USED_BY(Flags &WNOHANG), pid_t, wait3,
         (int *P, int Flags, rusage *R) noexcept, (P, Flags, R), RESULT(P),
         RESULT(R))
IO_ASKED(USED_BY(Flags &WNOHANG), pid_t, wait4,
         (pid_t Child, int *P, int Flags, rusage *R) noexcept,
         (Child, P, Flags, R), RESULT(P), RESULT(R))
IO_ASKED(USED_BY(Flags &WNOHANG), int, waitid,
         (idtype_t What, id_t Id, siginfo_t *P, int Flags),
         (What, Id, P, Flags), RESULT(P))
IO_ASKED(USED_BY(true), int, sigpending, (sigset_t * P) noexcept, (P), P,
         _NSIG / 8)
IO_ASKED(USED_BY(true), int, sigtimedwait,
         (const sigset_t *S, siginfo_t *P, const timespec *Most), (S, P, Most),
         RESULT(P))
IO(int, sigwaitinfo, (const sigset_t *S, siginfo_t *P), (S, P), RESULT(P))

// Events.
// Whether a standard output is ready depends on what kind of file it is.

static bool polls(const pollfd *P, nfds_t N, bool InTime, const void *By) {
  if (__builtin_expect(P && isRecorded(By), 0))
    for (nfds_t I = 0; I < N; ++I)
      outputAsked(P[I].fd, By);
  return usedBy(InTime, By);
}

static bool selects(int N, std::initializer_list<const fd_set *> Sets,
                    bool InTime, const void *By) {
  if (__builtin_expect(isRecorded(By), 0))
    for (int Fd = 0; Fd < N && Fd < FD_SETSIZE; ++Fd)
      for (const fd_set *Set : Sets)
        if (Set && FD_ISSET(Fd, Set))
          outputAsked(Fd, By);
  return usedBy(InTime, By);
}

IO_ASKED(polls(P, N, Most >= 0, __builtin_return_address(0)), int, poll,
         (pollfd * P, nfds_t N, int Most), (P, N, Most), P, N * sizeof *P)
IO_ASKED(polls(P, N, Most != nullptr, __builtin_return_address(0)), int, ppoll,
         (pollfd * P, nfds_t N, const timespec *Most, const sigset_t *S),
         (P, N, Most, Unblocked(S)), P, N * sizeof *P)
IO_ASKED(selects(N, {R, W, E}, Most != nullptr, __builtin_return_address(0)),
         int, select, (int N, fd_set *R, fd_set *W, fd_set *E, timeval *Most),
         (N, R, W, E, Most), RESULT(R), RESULT(W), RESULT(E))
IO_ASKED(selects(N, {R, W, E}, Most != nullptr, __builtin_return_address(0)),
         int, pselect,
         (int N, fd_set *R, fd_set *W, fd_set *E, const timespec *Most,
          const sigset_t *S),
         (N, R, W, E, Most, Unblocked(S)), RESULT(R), RESULT(W), RESULT(E))
IO_ASKED(USED_BY(Most >= 0), int, epoll_wait,
         (int Fd, epoll_event *P, int N, int Most), (Fd, P, N, Most), P,
         N > 0 ? size_t(N) * sizeof *P : 0)
IO_ASKED(USED_BY(Most >= 0), int, epoll_pwait,
         (int Fd, epoll_event *P, int N, int Most, const sigset_t *S),
         (Fd, P, N, Most, Unblocked(S)), P, N > 0 ? size_t(N) * sizeof *P : 0)

// Sockets and messages.
static bool asks(int Fd, const void *By) {
  outputAsked(Fd, By);
  return Watched.used();
}
IO_ASKED(asks(Fd, __builtin_return_address(0)), int, getsockname,
         (int Fd, sockaddr *P, socklen_t *N) noexcept, (Fd, P, N), P,
         AddressBytes, RESULT(N))
IO_ASKED(asks(Fd, __builtin_return_address(0)), int, getpeername,
         (int Fd, sockaddr *P, socklen_t *N) noexcept, (Fd, P, N), P,
         AddressBytes, RESULT(N))
IO_ASKED(USED_ON(Fd, 0), int, accept, (int Fd, sockaddr *P, socklen_t *N),
         (Fd, P, N), P, AddressBytes, RESULT(N))
IO_ASKED(USED_ON(Fd, 0), int, accept4,
         (int Fd, sockaddr *P, socklen_t *N, int Flags), (Fd, P, N, Flags), P,
         AddressBytes, RESULT(N))
IO(int, bind, (int Fd, const sockaddr *P, socklen_t N) noexcept, (Fd, P, N),
   static_cast<const void *>(P), N)
IO(int, connect, (int Fd, const sockaddr *P, socklen_t N), (Fd, P, N),
   static_cast<const void *>(P), N)
IO_ASKED(asks(Fd, __builtin_return_address(0)), int, getsockopt,
         (int Fd, int Level, int Name, void *P, socklen_t *N) noexcept,
         (Fd, Level, Name, P, N), P, sizeof(uint64_t), RESULT(N))
IO_ASKED(USED_BY(Flags &IPC_NOWAIT), ssize_t, msgrcv,
         (int Id, void *P, size_t N, long Type, int Flags),
         (Id, P, N, Type, Flags), P, N + sizeof(long))

// The process and the time.
IO(int, getrusage, (__rusage_who_t Who, rusage *P) noexcept, (Who, P),
   RESULT(P))
IO(int, getrlimit, (__rlimit_resource_t Which, rlimit *P) noexcept, (Which, P),
   RESULT(P))
IO(int, getrlimit64, (__rlimit_resource_t Which, rlimit64 *P) noexcept,
   (Which, P), RESULT(P))
IO(int, sysinfo, (struct sysinfo * P) noexcept, (P), RESULT(P))
IO(int, sched_getaffinity, (pid_t Who, size_t N, cpu_set_t *P) noexcept,
   (Who, N, P), static_cast<const void *>(P), N)
IO(int, clock_gettime, (clockid_t Which, timespec *P) noexcept, (Which, P),
   RESULT(P))
IO(int, nanosleep, (const timespec *For, timespec *P), (For, P), RESULT(P))
IO(int, clock_nanosleep,
   (clockid_t Which, int Flags, const timespec *For, timespec *P),
   (Which, Flags, For, P), RESULT(P))
IO(int, getitimer, (__itimer_which_t Which, itimerval *P) noexcept, (Which, P),
   RESULT(P))
IO(int, getgroups, (int N, gid_t *P) noexcept, (N, P), P,
   N > 0 ? size_t(N) * sizeof *P : 0)

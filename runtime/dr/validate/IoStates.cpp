//===- IoStates.cpp - States that the system writes into buffers ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As IoResults.cpp, for calls that ask for the state of a timer, a queue, a
// process or a thread, or set one and answer with the old one, and for offsets
// that a call moves. Of calls that copy their answer in the C library's code
// (sigaction, times, gettimeofday) there is none here: that faults as any
// store.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/IoUse.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/xattr.h>
#include <threads.h>
#include <time.h>

using namespace echo::dr;

extern "C" int capget(void *Header, void *Data) noexcept;

static constexpr size_t PageBytes = 4096; // the smallest there is

// Random bytes, and the system's log.
IO(int, getentropy, (void *P, size_t N), (P, N), P, N)
IO_VOID(arc4random_buf, (void *P, size_t N) noexcept, (P, N), P, N)
IO(int, klogctl, (int What, char *P, int N) noexcept, (What, P, N), P,
   N > 0 ? size_t(N) : 0)

// Times and timers.
IO(int, setitimer,
   (__itimer_which_t Which, const itimerval *To, itimerval *P) noexcept,
   (Which, To, P), RESULT(To), RESULT(P))
IO(int, timer_gettime, (timer_t T, itimerspec *P) noexcept, (T, P), RESULT(P))
IO(int, timer_settime,
   (timer_t T, int Flags, const itimerspec *To, itimerspec *P) noexcept,
   (T, Flags, To, P), RESULT(To), RESULT(P))
IO(int, timerfd_gettime, (int Fd, itimerspec *P) noexcept, (Fd, P), RESULT(P))
IO(int, timerfd_settime,
   (int Fd, int Flags, const itimerspec *To, itimerspec *P) noexcept,
   (Fd, Flags, To, P), RESULT(To), RESULT(P))
IO(int, clock_getres, (clockid_t Which, timespec *P) noexcept, (Which, P),
   RESULT(P))
IO(int, adjtimex, (timex * P) noexcept, (P), RESULT(P))
IO(int, ntp_adjtime, (timex * P) noexcept, (P), RESULT(P))
IO(int, clock_adjtime, (clockid_t Which, timex *P) noexcept, (Which, P),
   RESULT(P))

IO(int, thrd_sleep, (const timespec *For, timespec *P), (For, P), RESULT(P))

// Processes and threads.
IO(int, arch_prctl, (int What, unsigned long *P), (What, P), RESULT(P))
IO(int, prlimit,
   (pid_t Who, __rlimit_resource Which, const rlimit *To, rlimit *P) noexcept,
   (Who, Which, To, P), RESULT(To), RESULT(P))
IO(int, prlimit64,
   (pid_t Who, __rlimit_resource Which, const rlimit64 *To,
    rlimit64 *P) noexcept,
   (Who, Which, To, P), RESULT(To), RESULT(P))
IO(int, setrlimit, (__rlimit_resource_t Which, const rlimit *To) noexcept,
   (Which, To), RESULT(To))
IO(int, setrlimit64, (__rlimit_resource_t Which, const rlimit64 *To) noexcept,
   (Which, To), RESULT(To))
IO(int, getresuid, (uid_t * R, uid_t *E, uid_t *S) noexcept, (R, E, S),
   RESULT(R), RESULT(E), RESULT(S))
IO(int, getresgid, (gid_t * R, gid_t *E, gid_t *S) noexcept, (R, E, S),
   RESULT(R), RESULT(E), RESULT(S))
IO(int, setgroups, (size_t N, const gid_t *P) noexcept, (N, P), P,
   N * sizeof *P)
IO(int, capget, (void *Header, void *Data) noexcept, (Header, Data), Header, 8,
   Data, 24)
IO(int, sigaltstack, (const stack_t *To, stack_t *P) noexcept, (To, P),
   RESULT(To), RESULT(P))
IO(int, sched_getparam, (pid_t Who, sched_param *P) noexcept, (Who, P),
   RESULT(P))
IO(int, sched_setparam, (pid_t Who, const sched_param *P) noexcept, (Who, P),
   RESULT(P))
IO(int, sched_setscheduler, (pid_t Who, int How, const sched_param *P) noexcept,
   (Who, How, P), RESULT(P))
IO(int, sched_rr_get_interval, (pid_t Who, timespec *P) noexcept, (Who, P),
   RESULT(P))
IO(int, sched_setaffinity, (pid_t Who, size_t N, const cpu_set_t *P) noexcept,
   (Who, N, P), static_cast<const void *>(P), N)
IO(int, pthread_getaffinity_np,
   (pthread_t Who, size_t N, cpu_set_t *P) noexcept, (Who, N, P),
   static_cast<const void *>(P), N)
IO(int, pthread_setaffinity_np,
   (pthread_t Who, size_t N, const cpu_set_t *P) noexcept, (Who, N, P),
   static_cast<const void *>(P), N)
IO(int, pthread_getname_np, (pthread_t Who, char *P, size_t N), (Who, P, N), P,
   N)
IO(int, pthread_setname_np, (pthread_t Who, const char *P) noexcept, (Who, P),
   P, 16)
IO(int, mlock, (const void *P, size_t N) noexcept, (P, N), P, N)
IO(int, mlock2, (const void *P, size_t N, unsigned Flags) noexcept,
   (P, N, Flags), P, N)
IO(int, mincore, (void *Base, size_t N, unsigned char *P) noexcept,
   (Base, N, P), P, (N + PageBytes - 1) / PageBytes)

// File systems and files.
IO(int, fstatfs, (int Fd, struct statfs *P) noexcept, (Fd, P), RESULT(P))
IO(int, fstatfs64, (int Fd, struct statfs64 *P) noexcept, (Fd, P), RESULT(P))
IO(int, quotactl, (int What, const char *Which, int Id, caddr_t P) noexcept,
   (What, Which, Id, P), P, sizeof(dqblk))
IO(int, name_to_handle_at,
   (int Folder, const char *Path, file_handle *P, int *Mount,
    int Flags) noexcept,
   (Folder, Path, P, Mount, Flags), P, sizeof(file_handle) + MAX_HANDLE_SZ,
   RESULT(Mount), RESULT(Path))
#define LISTXATTR(name)                                                        \
  IO(ssize_t, name, (const char *Path, char *P, size_t N) noexcept,            \
     (Path, P, N), P, N, RESULT(Path))
LISTXATTR(listxattr)
LISTXATTR(llistxattr)
IO(ssize_t, flistxattr, (int Fd, char *P, size_t N) noexcept, (Fd, P, N), P, N)
// In a profile, that the name changed, too.
#define IO_CHANGE(name, params, args, noted, ...)                              \
  IO_FOR(Watched.used() || isRecorded(__builtin_return_address(0)), int, name, \
         params, args, (void)0, noted, __VA_ARGS__)
#define SETXATTR(name)                                                         \
  IO_CHANGE(name,                                                              \
            (const char *Path, const char *Name, const void *P, size_t N,      \
             int Flags) noexcept,                                              \
            (Path, Name, P, N, Flags),                                         \
            nameChanged(AT_FDCWD, Path, Result, By.Code), P, N, RESULT(Name),  \
            RESULT(Path))
SETXATTR(setxattr)
SETXATTR(lsetxattr)
IO_CHANGE(fsetxattr,
          (int Fd, const char *Name, const void *P, size_t N,
           int Flags) noexcept,
          (Fd, Name, P, N, Flags), descriptorChanged(Fd, Result, By.Code), P, N,
          RESULT(Name))
IO_CHANGE(futimens, (int Fd, const timespec *P) noexcept, (Fd, P),
          descriptorChanged(Fd, Result, By.Code), static_cast<const void *>(P),
          2 * sizeof *P)
IO(int, chroot, (const char *Path) noexcept, (Path), RESULT(Path))
IO(ssize_t, sendfile, (int To, int From, off_t *P, size_t N) noexcept,
   (To, From, P, N), RESULT(P))
IO(ssize_t, sendfile64, (int To, int From, off64_t *P, size_t N) noexcept,
   (To, From, P, N), RESULT(P))
IO(ssize_t, splice,
   (int From, off64_t *P, int To, off64_t *Q, size_t N, unsigned Flags),
   (From, P, To, Q, N, Flags), RESULT(P), RESULT(Q))
IO(ssize_t, copy_file_range,
   (int From, off64_t *P, int To, off64_t *Q, size_t N, unsigned Flags),
   (From, P, To, Q, N, Flags), RESULT(P), RESULT(Q))

// Sockets, queues and shared memory.
IO(int, setsockopt,
   (int Fd, int Level, int Name, const void *P, socklen_t N) noexcept,
   (Fd, Level, Name, P, N), P, N)
IO_ASKED(USED_BY(Most != nullptr), int, epoll_pwait2,
         (int Fd, epoll_event *P, int N, const timespec *Most,
          const sigset_t *S),
         (Fd, P, N, Most, Unblocked(S)), P, N > 0 ? size_t(N) * sizeof *P : 0)
IO(int, msgsnd, (int Id, const void *P, size_t N, int Flags), (Id, P, N, Flags),
   P, N + sizeof(long))
IO(int, msgctl, (int Id, int What, msqid_ds *P) noexcept, (Id, What, P),
   RESULT(P))
IO(int, shmctl, (int Id, int What, shmid_ds *P) noexcept, (Id, What, P),
   RESULT(P))
IO(int, mq_getattr, (mqd_t Q, mq_attr *P) noexcept, (Q, P), RESULT(P))
IO(int, mq_setattr, (mqd_t Q, const mq_attr *To, mq_attr *P) noexcept,
   (Q, To, P), RESULT(To), RESULT(P))
IO_ASKED(USED_ON(Q, 0), ssize_t, mq_receive,
         (mqd_t Q, char *P, size_t N, unsigned *Rank), (Q, P, N, Rank), P, N,
         RESULT(Rank))
IO_ASKED(USED_BY(true), ssize_t, mq_timedreceive,
         (mqd_t Q, char *P, size_t N, unsigned *Rank, const timespec *Most),
         (Q, P, N, Rank, Most), P, N, RESULT(Rank))
IO(int, mq_send, (mqd_t Q, const char *P, size_t N, unsigned Rank),
   (Q, P, N, Rank), P, N)
IO_ASKED(USED_BY(true), int, mq_timedsend,
         (mqd_t Q, const char *P, size_t N, unsigned Rank,
          const timespec *Most),
         (Q, P, N, Rank, Most), P, N)

// What _FORTIFY_SOURCE and others call by other names, and which make the
// system call themselves.
IO_ASKED(USED_ON(Fd, 0), int, eventfd_read, (int Fd, eventfd_t *P), (Fd, P),
         RESULT(P))
IO(char *, __getcwd_chk, (char *P, size_t N, size_t Room) noexcept,
   (P, N, Room), P, N)
IO(char *, __getwd_chk, (char *P, size_t Room) noexcept, (P, Room), P, PATH_MAX)
IO(int, __getgroups_chk, (int N, gid_t *P, size_t Room) noexcept, (N, P, Room),
   P, N > 0 ? size_t(N) * sizeof *P : 0)
IO_ASKED(USED_BY(Most >= 0), int, __poll_chk,
         (pollfd * P, nfds_t N, int Most, size_t Room), (P, N, Most, Room), P,
         N * sizeof *P)
IO_ASKED(USED_BY(Most != nullptr), int, __ppoll_chk,
         (pollfd * P, nfds_t N, const timespec *Most, const sigset_t *S,
          size_t Room),
         (P, N, Most, Unblocked(S), Room), P, N * sizeof *P)
// Names that the C library has as well, without a header.
IO_ASKED(USED_ON(Fd, 0), ssize_t, __read, (int Fd, void *P, size_t N),
         (Fd, P, N), P, N)
IO(ssize_t, __write, (int Fd, const void *P, size_t N), (Fd, P, N), P, N)
IO(ssize_t, __pwrite64, (int Fd, const void *P, size_t N, off64_t At),
   (Fd, P, N, At), P, N)
IO_LASTING(ssize_t, __send, (int Fd, const void *P, size_t N, int Flags),
           (Fd, P, N, Flags), loseIf(Flags &ZeroCopy, P, N), P, N)
IO(ssize_t, __pread64, (int Fd, void *P, size_t N, off64_t At), (Fd, P, N, At),
   P, N)
IO_ASKED(USED_BY(Most >= 0), int, __poll, (pollfd * P, nfds_t N, int Most),
         (P, N, Most), P, N * sizeof *P)
IO_ASKED(USED_BY(Most != nullptr), int, __select,
         (int N, fd_set *R, fd_set *W, fd_set *E, timeval *Most),
         (N, R, W, E, Most), RESULT(R), RESULT(W), RESULT(E))
IO(int, __statfs, (const char *Path, struct statfs *P), (Path, P), RESULT(P))
IO(int, __sched_getparam, (pid_t Who, sched_param *P), (Who, P), RESULT(P))
IO(int, __adjtimex, (timex * P), (P), RESULT(P))
IO(int, __nanosleep, (const timespec *For, timespec *P), (For, P), RESULT(P))
IO(pid_t, __wait, (int *P), (P), RESULT(P))
IO_ASKED(USED_BY(Flags &WNOHANG), pid_t, __waitpid,
         (pid_t Child, int *P, int Flags), (Child, P, Flags), RESULT(P))
IO(int, __pipe, (int *P), (P), static_cast<const void *>(P), 2 * sizeof *P)

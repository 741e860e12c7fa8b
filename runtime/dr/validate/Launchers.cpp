//===- Launchers.cpp - What the threads that launch do --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file "syscall" of a thread below /proc says which call the thread is in,
// and that call's arguments; or that it runs (proc(5)). The C library's waits
// of one thread for another end in futex(2).
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Launchers.h"
#include "runtime/dr/validate/OwnFile.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace echo::dr {

static constexpr unsigned Most = 16;
static int32_t Threads[Most]; ///< their kernel's numbers; 0: free; atomic
static bool TooMany;          ///< atomic

static __thread int32_t Own __attribute__((tls_model("initial-exec")));

void noteLauncher() {
  if (__builtin_expect(Own != 0, 1))
    return;
  Own = static_cast<int32_t>(systemCall(SYS_gettid, 0, 0, 0, 0, 0));
  for (int32_t &Thread : Threads) {
    int32_t Free = 0;
    if (__atomic_compare_exchange_n(&Thread, &Free, Own, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
  }
  __atomic_store_n(&TooMany, true, __ATOMIC_RELAXED);
}

void forgetLaunchers() {
  for (int32_t &Thread : Threads)
    Thread = 0;
  TooMany = false;
  Own = 0;
}

namespace {
/// A call in which a thread waits for others, unless its limit says otherwise.
struct WaitingCall {
  long Number;
  int Limit;       ///< the place of what limits it; -1: nothing does
  bool IsNegative; ///< whether no limit is a negative number; else it is null
};
} // namespace

static constexpr WaitingCall Calls[] = {
    {SYS_futex, 3, false},
#ifdef SYS_poll
    {SYS_poll, 2, true},      {SYS_epoll_wait, 3, true},
    {SYS_select, 4, false},
#endif
    {SYS_ppoll, 2, false},    {SYS_epoll_pwait, 3, true},
    {SYS_pselect6, 4, false}, {SYS_read, -1, false},
    {SYS_readv, -1, false},   {SYS_recvfrom, -1, false},
    {SYS_recvmsg, -1, false}, {SYS_accept4, -1, false},
    {SYS_wait4, -1, false},   {SYS_waitid, -1, false},
    {SYS_semop, -1, false},   {SYS_msgrcv, -1, false}};

/// Files are read without anybody's help.
static bool isOfFile(int Fd) {
  struct stat S;
  return !ownLook(Fd, S) || S_ISREG(S.st_mode) || S_ISBLK(S.st_mode);
}

/// Whether \p Line, of such a file, is of a call that waits for others without
/// a limit.
static bool isUnlimitedWait(const char *Line) {
  char *At = nullptr;
  const long Number = strtol(Line, &At, 10);
  if (At == Line)
    return false;
  unsigned long Arguments[5];
  for (unsigned long &Argument : Arguments)
    Argument = strtoul(At, &At, 16);
  for (const WaitingCall &Call : Calls)
    if (Call.Number == Number) {
      if (Call.Limit >= 0)
        return Call.IsNegative ? static_cast<int>(Arguments[Call.Limit]) < 0
                               : Arguments[Call.Limit] == 0;
      return (Number != SYS_read && Number != SYS_readv) ||
             !isOfFile(static_cast<int>(Arguments[0]));
    }
  return false;
}

static Launching whatDoes(int32_t Thread) {
  char Path[48], Line[160];
  nameOf("/proc/self/task/", static_cast<unsigned>(Thread), "/syscall", Path);
  const OwnFile File(Path, 0);
  const long Got = File.Fd < 0 ? -1 : File.get(SYS_read, Line, sizeof Line - 1);
  if (Got <= 0) // a thread that is gone has no such file
    return Got < 0 && (errno == ENOENT || errno == ESRCH) ? Launching::Wait
                                                          : Launching::Unknown;
  Line[Got] = 0;
  return isUnlimitedWait(Line) ? Launching::Wait : Launching::GoOn;
}

Launching whatLaunchersDo() {
  if (__atomic_load_n(&TooMany, __ATOMIC_RELAXED))
    return Launching::Unknown;
  const int Error = errno;
  Launching All = Launching::Wait;
  for (unsigned I = 0; I != Most && All == Launching::Wait; ++I) {
    const int32_t Thread = __atomic_load_n(&Threads[I], __ATOMIC_RELAXED);
    if (Thread && Thread != Own)
      All = whatDoes(Thread);
  }
  errno = Error;
  return All;
}

} // namespace echo::dr

//===- QuietWrite.h - Writing without a signal ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of Echo's where nobody reads any more must not end the program:
// SIGPIPE of this write is taken back, one of the program's own stays. System
// calls by number, as the C library's functions may be interposed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_QUIETWRITE_H
#define ECHO_RUNTIME_ABI_QUIETWRITE_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace echo {

/// As write(2), whose signal it leaves out.
inline ssize_t writeQuietly(int Fd, const void *Text, size_t Bytes) {
  constexpr uint64_t Pipe = uint64_t(1) << (SIGPIPE - 1); // the kernel's sets
  uint64_t Before = 0, Pending = 0;
  const bool Blocked =
      syscall(SYS_rt_sigprocmask, SIG_BLOCK, &Pipe, &Before, sizeof Pipe) == 0;
  syscall(SYS_rt_sigpending, &Pending, sizeof Pending);
  const ssize_t Written = write(Fd, Text, Bytes);
  const int Error = errno;
  if (!Blocked)
    return Written;
  const timespec Now = {0, 0};
  if (Written < 0 && Error == EPIPE && !(Pending & Pipe))
    syscall(SYS_rt_sigtimedwait, &Pipe, nullptr, &Now, sizeof Pipe);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &Before, nullptr, sizeof Before);
  errno = Error;
  return Written;
}

} // namespace echo

#endif

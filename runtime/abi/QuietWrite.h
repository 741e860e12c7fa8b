//===- QuietWrite.h - Writing without a signal ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of Echo's where nobody reads any more must not end the program:
// SIGPIPE of this write is taken back, one of the program's own stays. Not for
// echort: a program that holds it would ask for functions that set masks, and
// break a premise of its own pairs (Premises.def).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_QUIETWRITE_H
#define ECHO_RUNTIME_ABI_QUIETWRITE_H

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace echo {

/// As write(2), whose signal it leaves out.
inline ssize_t writeQuietly(int Fd, const void *Text, size_t Bytes) {
  sigset_t Pipe, Before, Pending;
  sigemptyset(&Pipe);
  sigaddset(&Pipe, SIGPIPE);
  if (pthread_sigmask(SIG_BLOCK, &Pipe, &Before) != 0)
    return write(Fd, Text, Bytes);
  const bool Was = sigpending(&Pending) != 0 || sigismember(&Pending, SIGPIPE);
  const ssize_t Written = write(Fd, Text, Bytes);
  const int Error = errno;
  const timespec Now = {0, 0};
  if (Written < 0 && Error == EPIPE && !Was)
    sigtimedwait(&Pipe, nullptr, &Now);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  errno = Error;
  return Written;
}

} // namespace echo

#endif

//===- QuietWrite.h - Writing without a signal ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of Echo's must neither end nor stop the program where nobody reads any
// more, a file has reached its limit, or a terminal is another job's. The
// signal of this write is taken back, one of the program's own stays. Not for
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
  sigset_t Ours, Before, Pending, Came;
  sigemptyset(&Ours);
  sigaddset(&Ours, SIGPIPE);
  sigaddset(&Ours, SIGXFSZ);
  sigaddset(&Ours, SIGTTOU); // a terminal lets pass who blocks it
  if (pthread_sigmask(SIG_BLOCK, &Ours, &Before) != 0)
    return write(Fd, Text, Bytes);
  const bool Known = sigpending(&Pending) == 0;
  const ssize_t Written = write(Fd, Text, Bytes);
  const int Error = errno;
  const int Signal = Written >= 0     ? 0
                     : Error == EPIPE ? SIGPIPE
                     : Error == EFBIG ? SIGXFSZ
                                      : 0;
  const timespec Now = {0, 0};
  if (Signal && Known && !sigismember(&Pending, Signal)) {
    sigemptyset(&Came);
    sigaddset(&Came, Signal);
    sigtimedwait(&Came, nullptr, &Now);
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  errno = Error;
  return Written;
}

} // namespace echo

#endif

//===- QuietThread.h - A thread that gets no signals ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals are for the thread that waits for the program: none that another
// thread got would end its wait.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_QUIETTHREAD_H
#define ECHO_PROFILE_QUIETTHREAD_H

#include <signal.h>

#include <thread>
#include <utility>

namespace echo::drtool {

/// A thread that runs \p Body with all signals blocked.
template <class F> std::thread quietThread(F Body) {
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  std::thread Thread(std::move(Body));
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  return Thread;
}

} // namespace echo::drtool

#endif

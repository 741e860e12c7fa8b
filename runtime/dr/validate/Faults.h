//===- Faults.h - Who is told of a fault ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SIGSEGV handler of validation. A fault in a closed buffer is Echo's; any
// other goes to the handler that the program has, now or later, as if Echo
// were not there: sigaction and signal show and change the program's one.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_FAULTS_H
#define ECHO_RUNTIME_DR_VALIDATE_FAULTS_H

#include <signal.h>

namespace echo::dr {

/// Installs Echo's handler, which runs before the program's. False if that
/// failed.
bool installFaultHandler();

/// True once it is there.
bool seesFaults();

/// False if another handler took its place past the C library's functions.
bool handlesFaults();

/// A signal whose handler is \p Handler: one that the program has left alone,
/// from the first call on. 0: there is none, or the program took it since; \p
/// taken was called right before.
int ownSignal(void (*Handler)(int, siginfo_t *, void *), void (*taken)());

/// The mask \p S for a call that sets it for others' code: without the signal
/// of closed buffers, as that may use one, where \p MayFault.
class Unblocked {
public:
  explicit Unblocked(const sigset_t *S, bool MayFault = seesFaults()) : At(S) {
    if (!S || !MayFault || sigismember(S, SIGSEGV) != 1)
      return;
    Set = *S;
    sigdelset(&Set, SIGSEGV);
    At = &Set;
  }
  Unblocked(const Unblocked &) = delete;
  Unblocked &operator=(const Unblocked &) = delete;
  operator const sigset_t *() const { return At; } // NOLINT(*-explicit-*)

private:
  sigset_t Set;
  const sigset_t *At;
};

/// What sigprocmask() does, where a program calls it by another name.
int setProcessMask(int How, const sigset_t *Set, sigset_t *Old);

/// The C library's pthread_sigmask.
int setThreadMask(int How, const sigset_t *Set, sigset_t *Old);

} // namespace echo::dr

#endif

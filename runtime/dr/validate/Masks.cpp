//===- Masks.cpp - SIGSEGV is never blocked -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault that is blocked ends the process, so a program that blocks all
// signals could not touch a closed buffer. While Echo's handler is there, no
// thread blocks SIGSEGV: masks are set without it, and shown with it where the
// program has put it in.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Interposers.h"
#include "runtime/dr/driver/Resolve.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/IoUse.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

namespace echo::dr {

using SetMask = int (*)(int, const sigset_t *, sigset_t *);

static SetMask Real[2]; ///< pthread_sigmask, sigprocmask
static __thread bool Blocked;

/// When the library is loaded: a signal handler may be the first to call them.
__attribute__((constructor)) static void find() {
  Real[0] =
      reinterpret_cast<SetMask>(realDlsym()(RTLD_NEXT, "pthread_sigmask"));
  Real[1] = reinterpret_cast<SetMask>(realDlsym()(RTLD_NEXT, "sigprocmask"));
}

static int setMask(unsigned Which, const char *Name, int How,
                   const sigset_t *Set, sigset_t *Old) {
  if (!Real[Which]) // another library's constructor comes first
    Real[Which] = reinterpret_cast<SetMask>(realDlsym()(RTLD_NEXT, Name));
  if (!seesFaults())
    return Real[Which](How, Set, Old);
  sigset_t Without;
  const bool Was = Blocked;
  const bool Named = Set && sigismember(Set, SIGSEGV);
  if (Set) {
    Without = *Set;
    if (How != SIG_UNBLOCK)
      sigdelset(&Without, SIGSEGV);
  }
  const int Status = Real[Which](How, Set ? &Without : nullptr, Old);
  if (Status)
    return Status;
  if (Old && Was)
    sigaddset(Old, SIGSEGV);
  if (Set && (Named || How == SIG_SETMASK))
    Blocked = Named && How != SIG_UNBLOCK;
  return 0;
}

int setThreadMask(int How, const sigset_t *Set, sigset_t *Old) {
  return Real[0](How, Set, Old);
}

} // namespace echo::dr

using namespace echo::dr;

/// The kernel writes the old mask.
static void answersAt(const sigset_t *Old, const void *By) {
  if (Old)
    kernelWrites(Old, _NSIG / 8, By);
}

INTERPOSED int pthread_sigmask(int How, const sigset_t *Set, sigset_t *Old) {
  answersAt(Old, __builtin_return_address(0));
  return setMask(0, "pthread_sigmask", How, Set, Old);
}

INTERPOSED int sigprocmask(int How, const sigset_t *Set, sigset_t *Old) {
  answersAt(Old, __builtin_return_address(0));
  return setMask(1, "sigprocmask", How, Set, Old);
}

REAL(int, pthread_attr_setsigmask_np, (pthread_attr_t *, const sigset_t *))

/// The mask that a thread begins with. It is set before the handler may be
/// there, so it is without the signal in all of validation.
INTERPOSED int pthread_attr_setsigmask_np(pthread_attr_t *Attributes,
                                          const sigset_t *Set) {
  return real(&Real_pthread_attr_setsigmask_np, "pthread_attr_setsigmask_np")(
      Attributes, Unblocked(Set, mode() == Mode::Validate));
}

REAL(int, sigsuspend, (const sigset_t *))

INTERPOSED int sigsuspend(const sigset_t *Set) {
  return real(&Real_sigsuspend, "sigsuspend")(Unblocked(Set));
}

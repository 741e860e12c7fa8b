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
#include <time.h>
#include <ucontext.h>

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

/// \p Context is the program's, which does not see the difference.
static void unblockIn(const ucontext_t *Context) {
  if (Context && seesFaults() && sigismember(&Context->uc_sigmask, SIGSEGV))
    sigdelset(&const_cast<ucontext_t *>(Context)->uc_sigmask, SIGSEGV);
}

/// What a timer's thread calls.
struct TimerCall {
  void (*Function)(sigval);
  sigval With;
};

/// A copy of \p Call that lasts, as its timer may: equal calls share one.
/// nullptr if there are too many different ones.
static const TimerCall *remember(TimerCall Call) {
  static TimerCall Calls[256];
  static unsigned Lock;
  const TimerCall *Found = nullptr;
  while (__atomic_exchange_n(&Lock, 1, __ATOMIC_ACQUIRE)) {
  }
  for (TimerCall &C : Calls) {
    if (!C.Function)
      C = Call;
    if (C.Function == Call.Function &&
        C.With.sival_ptr == Call.With.sival_ptr) {
      Found = &C;
      break;
    }
  }
  __atomic_store_n(&Lock, 0, __ATOMIC_RELEASE);
  return Found;
}

/// The signal of faults alone.
static sigset_t ofFaults() {
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, SIGSEGV);
  return Set;
}

static void callUnblocked(sigval With) {
  const auto *Call = static_cast<const TimerCall *>(With.sival_ptr);
  const sigset_t Fault = ofFaults();
  Real[0](SIG_UNBLOCK, &Fault, nullptr);
  Blocked = true;
  Call->Function(Call->With);
}

int setProcessMask(int How, const sigset_t *Set, sigset_t *Old) {
  return setMask(1, "sigprocmask", How, Set, Old);
}

int setThreadMask(int How, const sigset_t *Set, sigset_t *Old) {
  return Real[0](How, Set, Old);
}

} // namespace echo::dr

using namespace echo::dr;

/// The kernel writes the old mask.
static void answersAt(const sigset_t *Old, const void *By) {
  if (Old)
    kernelUses(Old, _NSIG / 8, By);
}

INTERPOSED int pthread_sigmask(int How, const sigset_t *Set, sigset_t *Old) {
  answersAt(Old, __builtin_return_address(0));
  return setMask(0, "pthread_sigmask", How, Set, Old);
}

INTERPOSED int sigprocmask(int How, const sigset_t *Set, sigset_t *Old) {
  answersAt(Old, __builtin_return_address(0));
  return setProcessMask(How, Set, Old);
}

// The older calls, whose masks are of the first 32 signals.

static int setFirst(int How, int Mask) {
  sigset_t Set, Old;
  sigemptyset(&Set);
  for (int Number = 1; Number <= 32; ++Number)
    if (static_cast<unsigned>(Mask) >> (Number - 1) & 1)
      sigaddset(&Set, Number);
  if (setProcessMask(How, &Set, &Old))
    return -1;
  unsigned Was = 0;
  for (int Number = 1; Number <= 32; ++Number)
    if (sigismember(&Old, Number) == 1)
      Was |= 1u << (Number - 1);
  return static_cast<int>(Was);
}

REAL(int, sigblock, (int))

INTERPOSED int sigblock(int Mask) noexcept {
  return seesFaults() ? setFirst(SIG_BLOCK, Mask)
                      : real(&Real_sigblock, "sigblock")(Mask);
}

REAL(int, sigsetmask, (int))

INTERPOSED int sigsetmask(int Mask) noexcept {
  return seesFaults() ? setFirst(SIG_SETMASK, Mask)
                      : real(&Real_sigsetmask, "sigsetmask")(Mask);
}

REAL(int, sighold, (int))

INTERPOSED int sighold(int Number) noexcept {
  const sigset_t Fault = ofFaults();
  return Number == SIGSEGV && seesFaults()
             ? setProcessMask(SIG_BLOCK, &Fault, nullptr)
             : real(&Real_sighold, "sighold")(Number);
}

REAL(int, sigrelse, (int))

INTERPOSED int sigrelse(int Number) noexcept {
  const sigset_t Fault = ofFaults();
  return Number == SIGSEGV && seesFaults()
             ? setProcessMask(SIG_UNBLOCK, &Fault, nullptr)
             : real(&Real_sigrelse, "sigrelse")(Number);
}

REAL(sighandler_t, sigset, (int, sighandler_t))

INTERPOSED sighandler_t sigset(int Number, sighandler_t Handler) noexcept {
  if (Number != SIGSEGV || !seesFaults())
    return real(&Real_sigset, "sigset")(Number, Handler);
  const sigset_t Fault = ofFaults();
  sigset_t Old;
  struct sigaction New = {}, Was;
  New.sa_handler = Handler;
  const bool Holds = Handler == SIG_HOLD;
  if (setProcessMask(Holds ? SIG_BLOCK : SIG_UNBLOCK, &Fault, &Old) ||
      sigaction(SIGSEGV, Holds ? nullptr : &New, &Was))
    return SIG_ERR;
  return sigismember(&Old, SIGSEGV) == 1 ? SIG_HOLD : Was.sa_handler;
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

// A context begins, or goes on, with a mask of its own.
REAL(int, swapcontext, (ucontext_t *, const ucontext_t *))

INTERPOSED int swapcontext(ucontext_t *From, const ucontext_t *To) noexcept {
  unblockIn(To);
  return real(&Real_swapcontext, "swapcontext")(From, To);
}

REAL(int, setcontext, (const ucontext_t *))

INTERPOSED int setcontext(const ucontext_t *To) noexcept {
  unblockIn(To);
  return real(&Real_setcontext, "setcontext")(To);
}

REAL(int, timer_create, (clockid_t, sigevent *, timer_t *))

/// The C library blocks all signals in the thread that a timer begins.
INTERPOSED int timer_create(clockid_t Clock, sigevent *Event,
                            timer_t *Timer) noexcept {
  auto *Real = real(&Real_timer_create, "timer_create");
  const TimerCall *Call = nullptr;
  if (mode() == Mode::Validate && Event && Event->sigev_notify == SIGEV_THREAD)
    Call = remember({Event->sigev_notify_function, Event->sigev_value});
  if (!Call)
    return Real(Clock, Event, Timer);
  sigevent Mine = *Event;
  Mine.sigev_notify_function = callUnblocked;
  Mine.sigev_value.sival_ptr = const_cast<TimerCall *>(Call);
  return Real(Clock, &Mine, Timer);
}

//===- Faults.cpp - Who is told of a fault --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program would have installed is kept in Program and called in the
// way that its flags ask for. The default action is taken by giving it back to
// the kernel: the access is repeated and ends the process as it would have.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/driver/Resolve.h"
#include "runtime/dr/validate/Pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

namespace echo::dr {

using Sigaction = int (*)(int, const struct sigaction *, struct sigaction *);
using Signal = sighandler_t (*)(int, sighandler_t);

static struct sigaction Program; ///< what the program installed
static unsigned ProgramLock;
static bool Installed;

static Sigaction realSigaction() {
  static Sigaction Real;
  Sigaction Found = __atomic_load_n(&Real, __ATOMIC_ACQUIRE);
  if (!Found) {
    Found = reinterpret_cast<Sigaction>(realDlsym()(RTLD_NEXT, "sigaction"));
    __atomic_store_n(&Real, Found, __ATOMIC_RELEASE);
  }
  return Found;
}

static Signal realSignal() {
  static Signal Real;
  Signal Found = __atomic_load_n(&Real, __ATOMIC_ACQUIRE);
  if (!Found) {
    Found = reinterpret_cast<Signal>(realDlsym()(RTLD_NEXT, "signal"));
    __atomic_store_n(&Real, Found, __ATOMIC_RELEASE);
  }
  return Found;
}

static Signal realSystemVSignal() {
  static Signal Real;
  Signal Found = __atomic_load_n(&Real, __ATOMIC_ACQUIRE);
  if (!Found) {
    Found = reinterpret_cast<Signal>(realDlsym()(RTLD_NEXT, "__sysv_signal"));
    __atomic_store_n(&Real, Found, __ATOMIC_RELEASE);
  }
  return Found;
}

/// When the library is loaded: a signal handler may be the first to call them.
__attribute__((constructor)) static void find() {
  realSigaction();
  realSignal();
  realSystemVSignal();
}

static void lockProgram() {
  while (__atomic_exchange_n(&ProgramLock, 1, __ATOMIC_ACQUIRE)) {
  }
}
static void unlockProgram() {
  __atomic_store_n(&ProgramLock, 0, __ATOMIC_RELEASE);
}

static uintptr_t codeOf(const ucontext_t *Context) {
#if defined(__x86_64__)
  return static_cast<uintptr_t>(Context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return Context->uc_mcontext.pc;
#else
  return 0;
#endif
}

static bool isWrite(const ucontext_t *Context) {
#if defined(__x86_64__)
  return (Context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  return false; // not told apart
#endif
}

/// As the kernel would have called it.
static void chain(int Number, siginfo_t *Info, void *Context) {
  lockProgram();
  struct sigaction To = Program;
  if (To.sa_flags & static_cast<int>(SA_RESETHAND))
    Program.sa_handler = SIG_DFL;
  unlockProgram();
  const bool Caused = Info->si_code > 0;
  if (To.sa_handler == SIG_IGN && !Caused)
    return;
  if (To.sa_handler == SIG_DFL || To.sa_handler == SIG_IGN) {
    struct sigaction Default;
    memset(&Default, 0, sizeof Default);
    Default.sa_handler = SIG_DFL; // an ignored fault ends the process, too
    realSigaction()(Number, &Default, nullptr);
    if (!Caused) // sent: nothing is repeated
      raise(Number);
    return;
  }
  sigset_t Mask = To.sa_mask, Old;
  if (!(To.sa_flags & SA_NODEFER))
    sigaddset(&Mask, Number);
  setThreadMask(SIG_BLOCK, &Mask, &Old);
  if (To.sa_flags & SA_SIGINFO)
    To.sa_sigaction(Number, Info, Context);
  else
    To.sa_handler(Number);
  setThreadMask(SIG_SETMASK, &Old, nullptr);
}

static void onFault(int Number, siginfo_t *Info, void *Context) {
  const int Error = errno;
  const auto *Where = static_cast<const ucontext_t *>(Context);
  const bool Caused = Info->si_code > 0;
  if (!Caused ||
      !Watched.accessed(reinterpret_cast<uintptr_t>(Info->si_addr),
                        codeOf(Where), isWrite(Where), Trap::HostAccess))
    chain(Number, Info, Context);
  errno = Error;
}

bool seesFaults() { return __atomic_load_n(&Installed, __ATOMIC_ACQUIRE); }

bool handlesFaults() {
  struct sigaction Now;
  return realSigaction()(SIGSEGV, nullptr, &Now) == 0 &&
         (Now.sa_flags & SA_SIGINFO) && Now.sa_sigaction == onFault;
}

bool installFaultHandler() {
  struct sigaction Mine;
  memset(&Mine, 0, sizeof Mine);
  Mine.sa_sigaction = onFault;
  // Not blocked while it runs: the program's handler may fault itself.
  Mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  Sigaction Real = realSigaction();
  if (!Real || Real(SIGSEGV, &Mine, &Program) != 0)
    return false;
  __atomic_store_n(&Installed, true, __ATOMIC_RELEASE);
  return true;
}

/// Whether nothing was ever said about signal \p Number.
static bool isFree(int Number) {
  struct sigaction Now;
  return realSigaction()(Number, nullptr, &Now) == 0 &&
         !(Now.sa_flags & SA_SIGINFO) && Now.sa_handler == SIG_DFL;
}

static int Chosen; ///< signal of Echo's; 0: none
static void (*ChosenFor)(int, siginfo_t *, void *);
static void (*Taken)();

static bool isOwn(const struct sigaction &Action) {
  return (Action.sa_flags & SA_SIGINFO) && Action.sa_sigaction == ChosenFor;
}

/// What the program is told of that signal: nothing was ever said about it.
static void hideOwn(int Number, struct sigaction *Old) {
  if (Old && Number == Chosen && isOwn(*Old))
    memset(Old, 0, sizeof *Old);
}

/// The program is about to say what becomes of signal \p Number.
static void giveUp(int Number) {
  if (Chosen && Number == Chosen)
    Taken();
}

int ownSignal(void (*Handler)(int, siginfo_t *, void *), void (*taken)()) {
  struct sigaction Mine;
  if (Chosen) {
    const bool Stays =
        realSigaction()(Chosen, nullptr, &Mine) == 0 && isOwn(Mine);
    return Stays ? Chosen : 0;
  }
  ChosenFor = Handler;
  Taken = taken;
  memset(&Mine, 0, sizeof Mine);
  Mine.sa_sigaction = Handler;
  Mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (int Number = SIGRTMAX; Number > SIGRTMIN && !Chosen; --Number)
    if (isFree(Number) && realSigaction()(Number, &Mine, nullptr) == 0)
      Chosen = Number;
  return Chosen;
}

} // namespace echo::dr

using namespace echo::dr;

/// Signals whose handlers the program runs with SIGSEGV blocked (Masks.cpp).
static bool Masks[_NSIG];

/// sigaction for a signal that is none of Echo's, while Echo needs SIGSEGV.
static int setOther(int Number, const struct sigaction *Action,
                    struct sigaction *Old) {
  if (Number <= 0 || Number >= _NSIG)
    return realSigaction()(Number, Action, Old);
  if (Action)
    giveUp(Number);
  const bool Was = __atomic_load_n(&Masks[Number], __ATOMIC_RELAXED);
  struct sigaction Without;
  bool Named = false;
  if (Action) {
    Without = *Action;
    Named = sigismember(&Without.sa_mask, SIGSEGV) == 1;
    sigdelset(&Without.sa_mask, SIGSEGV);
  }
  const int Status = realSigaction()(Number, Action ? &Without : nullptr, Old);
  if (!Status)
    hideOwn(Number, Old);
  if (!Status && Action)
    __atomic_store_n(&Masks[Number], Named, __ATOMIC_RELAXED);
  if (!Status && Old && Was)
    sigaddset(&Old->sa_mask, SIGSEGV);
  return Status;
}

INTERPOSED int sigaction(int Number, const struct sigaction *Action,
                         struct sigaction *Old) {
  if (!seesFaults())
    return realSigaction()(Number, Action, Old);
  if (Number != SIGSEGV)
    return setOther(Number, Action, Old);
  lockProgram();
  const struct sigaction Was = Program;
  if (Action)
    Program = *Action;
  unlockProgram();
  if (Old)
    *Old = Was;
  return 0;
}

/// Sets a handler with the flags that one of signal's names has.
static sighandler_t setHandler(sighandler_t Handler, int Flags) {
  struct sigaction New, Was;
  memset(&New, 0, sizeof New);
  New.sa_handler = Handler;
  New.sa_flags = Flags;
  sigaction(SIGSEGV, &New, &Was);
  return Was.sa_handler;
}

/// What \p Real does of the signals that are not Echo's, as setOther.
static sighandler_t otherSignal(Signal Real, int Number, sighandler_t Handler) {
  giveUp(Number);
  const sighandler_t Old = Real(Number, Handler);
  const bool IsOwn =
      Chosen && Number == Chosen &&
      reinterpret_cast<void *>(Old) == reinterpret_cast<void *>(ChosenFor);
  return IsOwn ? SIG_DFL : Old;
}

INTERPOSED sighandler_t signal(int Number, sighandler_t Handler) {
  if (Number != SIGSEGV || !seesFaults())
    return otherSignal(realSignal(), Number, Handler);
  return setHandler(Handler, SA_RESTART);
}

// What signal is where a program asks for the X/Open standard.
extern "C" sighandler_t __sysv_signal(int, sighandler_t) noexcept;

INTERPOSED sighandler_t __sysv_signal(int Number,
                                      sighandler_t Handler) noexcept {
  if (Number != SIGSEGV || !seesFaults())
    return otherSignal(realSystemVSignal(), Number, Handler);
  return setHandler(Handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
}

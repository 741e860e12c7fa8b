//===- Numbered.cpp - System calls by their number ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's syscall and prctl. What a call uses of watched buffers is
// seen from its arguments; of one that is not known, only the arguments
// themselves are looked at. What gives the program a way past page protection,
// or forbids it the calls that open a page, makes all buffers drop out before
// it runs. Both are entered by a jump: a call may return twice.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/Bypass.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/IoUse.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace echo::dr {

namespace {
struct Words {
  long At[6];
};
} // namespace

/// True if the call makes a process with memory of its own.
static bool forks(long Number, const Words &W) {
  if (Number == SYS_clone)
    return !(W.At[0] & CLONE_VM);
  if (Number ==
      SYS_clone3) // the flags are the first of its structure's members
    return W.At[0] && !(*reinterpret_cast<uint64_t *>(W.At[0]) & CLONE_VM);
#ifdef SYS_fork
  if (Number == SYS_fork)
    return true;
#endif
  return false;
}

/// Whether what the call opens uses memory past page protection.
static Reason comesBy(long Number, const Words &W) {
  const auto PathAt = [&](unsigned Place) {
    const auto *Path = reinterpret_cast<const char *>(W.At[Place]); // NOLINT
    return isReadable(Path) ? bypassNamed(Path) : Reason::None;
  };
  switch (Number) {
  case SYS_io_uring_setup:
    return Reason::Ring;
  case SYS_io_setup:
    return Reason::AioContext;
  case SYS_userfaultfd:
    return Reason::UserFaults;
  case SYS_process_vm_readv:
  case SYS_process_vm_writev: // whether it fails is not seen
    return W.At[0] == getpid() ? Reason::None : Reason::OtherProcess;
#ifdef SYS_open
  case SYS_open:
    return PathAt(0);
#endif
  case SYS_openat:
#ifdef SYS_openat2
  case SYS_openat2:
#endif
    return PathAt(1);
  default:
    return Reason::None;
  }
}

/// Files that are opened, and descriptors that may come, by a call's number. In
/// a profile.
static void noteNumbered(long Number, const Words &W) {
  const auto Open = [&](int At, unsigned Place, long Flags) {
    const long Access = Flags & O_ACCMODE;
    const auto *Path = reinterpret_cast<const char *>(W.At[Place]); // NOLINT
    if (isReadable(Path))
      fileAsked(At, Path,
                Access == O_RDONLY   ? FileRead
                : Access == O_WRONLY ? FileWritten
                                     : FileRead | FileWritten);
  };
  switch (Number) {
#ifdef SYS_open
  case SYS_open:
    return Open(AT_FDCWD, 0, W.At[1]);
  case SYS_creat:
    return Open(AT_FDCWD, 0, O_WRONLY);
#endif
  case SYS_openat:
    return Open(static_cast<int>(W.At[0]), 1, W.At[2]);
  case SYS_chdir: // where names begin then is not seen
  case SYS_fchdir:
  case SYS_openat2:
  case SYS_pidfd_getfd:
  case SYS_recvmsg:
  case SYS_recvmmsg: // what comes of it is not seen
    return fileAsked(AT_FDCWD, "", FileRead);
  default:
    return;
  }
}

/// A filter of system calls is about to be set, which may refuse what opens a
/// closed buffer again. In mode optimize the windows that are watched just now
/// are given up; later ones begin only where pages still close.
static void beforeFilter() {
  if (mode() == Mode::Validate)
    dropOut(nullptr, Reason::Sandboxed);
  else
    Watched.openAll();
}

/// Those words that are addresses in closed buffers are used.
static void useWords(Words W, Caller By) {
  if (__builtin_expect(Watched.used() == 0, 1) || !Watched.anyClosed())
    return;
  for (const long Word : W.At)
    if (Word)
      use(reinterpret_cast<const void *>(Word), 1, By); // NOLINT
}

static void useNumbered(long Number, Words W, Caller By) {
  if (forks(Number, W))
    return childUnseen();
  if (__builtin_expect(Watched.used(), 0))
    TheGuard.linger(By.Code);
  constexpr long SetFilter = 1; // SECCOMP_SET_MODE_FILTER; 0: strict
  if (Number == SYS_futex)      // a wake, perhaps
    TheGuard.handOver(By.Code);
  // A wait's fourth argument is its limit; of other futex calls a number.
  const long Futex = W.At[1] & FUTEX_CMD_MASK;
  if (Number == SYS_futex && W.At[3] &&
      (Futex == FUTEX_WAIT || Futex == FUTEX_WAIT_BITSET ||
       Futex == FUTEX_LOCK_PI))
    (void)usedBy(true, By.Code);
  if ((Number == SYS_seccomp && W.At[0] <= SetFilter) ||
      (Number == SYS_prctl && W.At[0] == PR_SET_SECCOMP))
    beforeFilter();
  if (const Reason Why = comesBy(Number, W); Why != Reason::None)
    dropOut(nullptr, Why);
  const auto *Parts = reinterpret_cast<const iovec *>(W.At[1]); // NOLINT
  if (Number == SYS_vmsplice)
    lose(Parts, size_t(W.At[2]));
  if (!Watched.anyClosed())
    return;
  switch (Number) {
  case SYS_process_vm_readv:
  case SYS_process_vm_writev:
    return use(pid_t(W.At[0]), Parts, size_t(W.At[2]),
               reinterpret_cast<const iovec *>(W.At[3]), // NOLINT
               size_t(W.At[4]), By);
  case SYS_sendmsg:
  case SYS_recvmsg:
    return use(reinterpret_cast<const msghdr *>(Parts), By);
  case SYS_sendmmsg:
  case SYS_recvmmsg:
    return use(reinterpret_cast<const mmsghdr *>(Parts), unsigned(W.At[2]), By);
  case SYS_read:
  case SYS_write:
  case SYS_pread64:
  case SYS_pwrite64:
    return use(static_cast<const void *>(Parts), size_t(W.At[2]), By);
  case SYS_readv:
  case SYS_writev:
  case SYS_preadv:
  case SYS_pwritev:
  case SYS_preadv2:
  case SYS_pwritev2:
    return use(Parts, size_t(W.At[2]), By);
  default:
    useWords(W, By);
  }
}

/// rt_sigaction of another signal than SIGSEGV, which its handler's mask does
/// not block.
static long setNumberedAction(const Words &W) {
  struct {
    uintptr_t Handler;
    unsigned long Flags;
    uintptr_t Restorer;
    uint64_t Mask;
  } Without;
  memcpy(&Without, reinterpret_cast<const void *>(W.At[1]),
         sizeof Without); // NOLINT
  Without.Mask &= ~(uint64_t(1) << (SIGSEGV - 1));
  return systemCall(SYS_rt_sigaction, W.At[0], reinterpret_cast<long>(&Without),
                    W.At[2], W.At[3], 0);
}

/// rt_sigprocmask, whose sets have the size that the last argument says.
static long setNumberedMask(const Words &W) {
  constexpr size_t Size = _NSIG / 8;
  if (static_cast<size_t>(W.At[3]) != Size) {
    errno = EINVAL;
    return -1;
  }
  sigset_t Set, Old;
  sigemptyset(&Set);
  sigemptyset(&Old);
  if (W.At[1])
    memcpy(&Set, reinterpret_cast<const void *>(W.At[1]), Size); // NOLINT
  if (setProcessMask(static_cast<int>(W.At[0]), W.At[1] ? &Set : nullptr,
                     W.At[2] ? &Old : nullptr))
    return -1;
  if (W.At[2])
    memcpy(reinterpret_cast<void *>(W.At[2]), &Old, Size); // NOLINT
  return 0;
}

} // namespace echo::dr

using namespace echo::dr;

// All words are handed on, whatever the option takes.
REAL(int, prctl, (long, long, long, long, long))

extern "C" __attribute__((visibility("default"))) int
echo_dr_prctl(long Option, long A, long B, long C, long D) __asm__("prctl");
int echo_dr_prctl(long Option, long A, long B, long C, long D) {
  if (__builtin_expect(Watched.used() != 0, 0) &&
      static_cast<int>(Option) == PR_SET_SECCOMP)
    beforeFilter();
  useWords({{A, B, C, D, 0, 0}}, {__builtin_return_address(0)});
  MUST_TAIL return real(&Real_prctl, "prctl")(Option, A, B, C, D);
}

// Its fourth argument is a number, or an address.
REAL(int, semctl, (int, int, int, long))

extern "C" __attribute__((visibility("default"))) int
echo_dr_semctl(int Id, int Which, int What, long A) __asm__("semctl");
int echo_dr_semctl(int Id, int Which, int What, long A) {
  useWords({{A, 0, 0, 0, 0, 0}}, {__builtin_return_address(0)});
  MUST_TAIL return real(&Real_semctl, "semctl")(Id, Which, What, A);
}

// A system call by its number. Arguments that are addresses are seen; what
// they point to is not, but for the usual calls. Entered by a jump: a call may
// return twice.
REAL(long, syscall, (long, long, long, long, long, long, long))

long echo::dr::systemCall(long Number, long A, long B, long C, long D, long E) {
  return real(&Real_syscall, "syscall")(Number, A, B, C, D, E, 0);
}

extern "C" __attribute__((visibility("default"))) long
echo_dr_syscall(long Number, long A, long B, long C, long D, long E,
                long F) __asm__("syscall");
long echo_dr_syscall(long Number, long A, long B, long C, long D, long E,
                     long F) {
  const Words Given = {{A, B, C, D, E, F}};
  const void *By = __builtin_return_address(0);
  if (__builtin_expect(isRecorded(By), 0))
    noteNumbered(Number, Given);
  if (__builtin_expect(Number == SYS_rt_sigprocmask && seesFaults(), 0))
    return setNumberedMask(Given);
  if (__builtin_expect(Number == SYS_rt_sigaction && seesFaults(), 0) &&
      A != SIGSEGV && isReadable(reinterpret_cast<void *>(B))) // NOLINT
    return setNumberedAction(Given);
  beforeMappingCall(Number, Given.At);
  // Echo's own calls use no buffer, but a word that none was given for may be
  // one's address by chance.
  if (__builtin_expect(Watched.used() != 0, 0) && !isOwnCode(By))
    useNumbered(Number, Given, {By});
  MUST_TAIL return real(&Real_syscall, "syscall")(Number, A, B, C, D, E, F);
}

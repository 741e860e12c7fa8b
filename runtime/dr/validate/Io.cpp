//===- Io.cpp - System calls on watched buffers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel does not fault on a closed buffer: read() and its like fail, or
// end early. So the C library's I/O functions come through here, and a buffer
// that one of them is given is opened first, as an access of the host. One that
// is closed while the call waits is found when it returns. What the kernel
// still uses behind the call's return cannot be watched: the buffer drops out.
// Where no buffer is closed a call costs a load and a jump more.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Doors.h"
#include "runtime/dr/driver/Resolve.h"
#include "runtime/dr/validate/Bypass.h"
#include "runtime/dr/validate/Pages.h"

#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace echo::dr {

namespace {
/// Who calls, and whether the call failed because of a closed buffer.
struct Caller {
  const void *Code;
  bool Failed = false;
};
} // namespace

static void use(const void *Base, size_t Bytes, Caller By) {
  if (Bytes)
    Watched.accessedRange(Base, Bytes, reinterpret_cast<uintptr_t>(By.Code),
                          By.Failed);
}

static void use(const iovec *Parts, size_t Count, Caller By) {
  for (size_t I = 0; I < Count; ++I)
    use(Parts[I].iov_base, Parts[I].iov_len, By);
}

static void use(const msghdr *Message, Caller By) {
  if (Message)
    use(Message->msg_iov, Message->msg_iovlen, By);
}

static void use(const mmsghdr *Messages, unsigned Count, Caller By) {
  for (unsigned I = 0; I < Count; ++I)
    use(&Messages[I].msg_hdr, By);
}

/// This process's parts of what another one's memory is copied from or to.
static void use(pid_t Other, const iovec *Here, size_t NumHere,
                const iovec *There, size_t NumThere, Caller By) {
  use(Here, NumHere, By);
  if (Other == getpid())
    use(There, NumThere, By);
}

/// A copy of another process's memory ended early: a buffer there is closed,
/// and that process does not see who could not use it.
static void otherFailed(pid_t Other, ssize_t Copied, int Error,
                        const iovec *There, size_t NumThere) {
  if (Other == getpid() || mode() != Mode::Validate)
    return;
  size_t Wanted = 0;
  for (size_t I = 0; I < NumThere && Copied >= 0; ++I)
    Wanted += There[I].iov_len;
  if (Copied < 0 ? Error == EFAULT : static_cast<size_t>(Copied) < Wanted)
    dropOut(nullptr, Reason::OtherProcess);
}

/// The kernel keeps the pages behind the call's return.
static void lose(const iovec *Parts, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    if (Watched.overlap(Parts[I].iov_base, Parts[I].iov_len) >= 0)
      dropOut(Parts[I].iov_base, Reason::Lasting);
}

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
  case SYS_seccomp:
    return Reason::Sandboxed;
  case SYS_prctl:
    return W.At[0] == PR_SET_SECCOMP ? Reason::Sandboxed : Reason::None;
  case SYS_process_vm_readv:
  case SYS_process_vm_writev: // whether it fails is not seen
    return W.At[0] == getpid() ? Reason::None : Reason::OtherProcess;
#ifdef SYS_open
  case SYS_open:
    return PathAt(0);
#endif
  case SYS_openat:
  case SYS_openat2:
    return PathAt(1);
  default:
    return Reason::None;
  }
}

static void useNumbered(long Number, Words W, Caller By) {
  if (forks(Number, W))
    return childUnseen();
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
    for (const long Word : W.At)
      if (Word)
        use(reinterpret_cast<const void *>(Word), 1, By); // NOLINT
  }
}

static constexpr int ZeroCopy = 0x4000000; // MSG_ZEROCOPY

static void loseIf(bool Lasting, const void *Base, size_t Bytes) {
  const iovec Part = {const_cast<void *>(Base), Bytes};
  if (__builtin_expect(Lasting, 0))
    lose(&Part, 1);
}

template <class F> static F *real(F **Place, const char *Name) {
  F *Found = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  if (!Found) {
    Found = reinterpret_cast<F *>(realDlsym()(RTLD_NEXT, Name));
    __atomic_store_n(Place, Found, __ATOMIC_RELEASE);
  }
  return Found;
}

} // namespace echo::dr

using namespace echo::dr;

/// An exported \p name that says what it uses, then calls the real one. That is
/// looked up when the library is loaded: a signal handler may be the first
/// caller.
#define REAL(result, name, params)                                             \
  static result(*Real_##name) params;                                          \
  __attribute__((constructor)) static void find_##name() {                     \
    real(&Real_##name, #name);                                                 \
  }
#define IO(result, name, params, args, ...)                                    \
  IO_LASTING(result, name, params, args, (void)0, __VA_ARGS__)
/// \p lasting: what the kernel uses for longer.
#define IO_LASTING(result, name, params, args, lasting, ...)                   \
  IO_BOTH(result, name, params, args, lasting, (void)0, __VA_ARGS__)
/// \p behind: what the call's Result and Error say.
#define IO_BOTH(result, name, params, args, lasting, behind, ...)              \
  REAL(result, name, params)                                                   \
  DOOR result name params {                                                    \
    Caller By = {__builtin_return_address(0)};                                 \
    if (__builtin_expect(!Watched.used(), 1))                                  \
      return real(&Real_##name, #name) args;                                   \
    lasting;                                                                   \
    if (Watched.anyClosed())                                                   \
      use(__VA_ARGS__, By);                                                    \
    const int Before = errno;                                                  \
    errno = 0;                                                                 \
    const auto Result = real(&Real_##name, #name) args;                        \
    const int Error = errno;                                                   \
    By.Failed = Error == EFAULT;                                               \
    if (By.Failed || Watched.anyClosed())                                      \
      use(__VA_ARGS__, By);                                                    \
    behind;                                                                    \
    errno = Error ? Error : Before;                                            \
    return Result;                                                             \
  }

IO(ssize_t, read, (int Fd, void *P, size_t N), (Fd, P, N), P, N)
IO(ssize_t, write, (int Fd, const void *P, size_t N), (Fd, P, N), P, N)
IO(ssize_t, pread, (int Fd, void *P, size_t N, off_t At), (Fd, P, N, At), P, N)
IO(ssize_t, pread64, (int Fd, void *P, size_t N, off64_t At), (Fd, P, N, At), P,
   N)
IO(ssize_t, pwrite, (int Fd, const void *P, size_t N, off_t At), (Fd, P, N, At),
   P, N)
IO(ssize_t, pwrite64, (int Fd, const void *P, size_t N, off64_t At),
   (Fd, P, N, At), P, N)
IO(ssize_t, readv, (int Fd, const iovec *V, int N), (Fd, V, N), V, N)
IO(ssize_t, writev, (int Fd, const iovec *V, int N), (Fd, V, N), V, N)
IO(ssize_t, preadv, (int Fd, const iovec *V, int N, off_t At), (Fd, V, N, At),
   V, N)
IO(ssize_t, preadv64, (int Fd, const iovec *V, int N, off64_t At),
   (Fd, V, N, At), V, N)
IO(ssize_t, pwritev, (int Fd, const iovec *V, int N, off_t At), (Fd, V, N, At),
   V, N)
IO(ssize_t, pwritev64, (int Fd, const iovec *V, int N, off64_t At),
   (Fd, V, N, At), V, N)
IO(ssize_t, preadv2, (int Fd, const iovec *V, int N, off_t At, int Flags),
   (Fd, V, N, At, Flags), V, N)
IO(ssize_t, preadv64v2, (int Fd, const iovec *V, int N, off64_t At, int Flags),
   (Fd, V, N, At, Flags), V, N)
IO(ssize_t, pwritev2, (int Fd, const iovec *V, int N, off_t At, int Flags),
   (Fd, V, N, At, Flags), V, N)
IO(ssize_t, pwritev64v2, (int Fd, const iovec *V, int N, off64_t At, int Flags),
   (Fd, V, N, At, Flags), V, N)
#define IO_OTHER(name)                                                         \
  IO_BOTH(ssize_t, name,                                                       \
          (pid_t Other, const iovec *V, unsigned long N, const iovec *W,       \
           unsigned long M, unsigned long Flags),                              \
          (Other, V, N, W, M, Flags), (void)0,                                 \
          otherFailed(Other, Result, Error, W, M), Other, V, N, W, M)
IO_OTHER(process_vm_readv)
IO_OTHER(process_vm_writev)
IO(ssize_t, getrandom, (void *P, size_t N, unsigned Flags), (P, N, Flags), P, N)
IO(ssize_t, recv, (int Fd, void *P, size_t N, int Flags), (Fd, P, N, Flags), P,
   N)
IO(ssize_t, recvfrom,
   (int Fd, void *P, size_t N, int Flags, sockaddr *From, socklen_t *Size),
   (Fd, P, N, Flags, From, Size), P, N)
IO(ssize_t, recvmsg, (int Fd, msghdr *M, int Flags), (Fd, M, Flags), M)
IO(int, recvmmsg, (int Fd, mmsghdr *M, unsigned N, int Flags, timespec *Most),
   (Fd, M, N, Flags, Most), M, N)
IO_LASTING(ssize_t, send, (int Fd, const void *P, size_t N, int Flags),
           (Fd, P, N, Flags), loseIf(Flags &ZeroCopy, P, N), P, N)
IO_LASTING(ssize_t, sendto,
           (int Fd, const void *P, size_t N, int Flags, const sockaddr *To,
            socklen_t Size),
           (Fd, P, N, Flags, To, Size), loseIf(Flags &ZeroCopy, P, N), P, N)
IO_LASTING(ssize_t, sendmsg, (int Fd, const msghdr *M, int Flags),
           (Fd, M, Flags),
           if (M && (Flags & ZeroCopy)) lose(M->msg_iov, M->msg_iovlen), M)
IO_LASTING(int, sendmmsg, (int Fd, mmsghdr *M, unsigned N, int Flags),
           (Fd, M, N, Flags),
           for (unsigned I = 0; I < N && (Flags & ZeroCopy); ++I)
               lose(M[I].msg_hdr.msg_iov, M[I].msg_hdr.msg_iovlen),
           M, N)
IO_LASTING(ssize_t, vmsplice,
           (int Fd, const iovec *V, size_t N, unsigned Flags),
           (Fd, V, N, Flags), lose(V, N), V, N)
#define AIO(name, block)                                                       \
  IO_LASTING(int, name, (block * A), (A),                                      \
             loseIf(A, const_cast<void *>(A->aio_buf), A->aio_nbytes),         \
             const_cast<const void *>(A->aio_buf), A->aio_nbytes)
AIO(aio_read, aiocb)
AIO(aio_read64, aiocb64)
AIO(aio_write, aiocb)
AIO(aio_write64, aiocb64)
IO(size_t, fread, (void *P, size_t S, size_t N, FILE *F), (P, S, N, F), P, S *N)
IO(size_t, fread_unlocked, (void *P, size_t S, size_t N, FILE *F), (P, S, N, F),
   P, S *N)
IO(size_t, fwrite, (const void *P, size_t S, size_t N, FILE *F), (P, S, N, F),
   P, S *N)
IO(size_t, fwrite_unlocked, (const void *P, size_t S, size_t N, FILE *F),
   (P, S, N, F), P, S *N)
// What _FORTIFY_SOURCE makes of them.
IO(ssize_t, __read_chk, (int Fd, void *P, size_t N, size_t Room),
   (Fd, P, N, Room), P, N)
IO(ssize_t, __pread_chk, (int Fd, void *P, size_t N, off_t At, size_t Room),
   (Fd, P, N, At, Room), P, N)
IO(ssize_t, __pread64_chk, (int Fd, void *P, size_t N, off64_t At, size_t Room),
   (Fd, P, N, At, Room), P, N)
IO(ssize_t, __recv_chk, (int Fd, void *P, size_t N, size_t Room, int Flags),
   (Fd, P, N, Room, Flags), P, N)
IO(ssize_t, __recvfrom_chk,
   (int Fd, void *P, size_t N, size_t Room, int Flags, sockaddr *From,
    socklen_t *Size),
   (Fd, P, N, Room, Flags, From, Size), P, N)
IO(size_t, __fread_chk, (void *P, size_t Room, size_t S, size_t N, FILE *F),
   (P, Room, S, N, F), P, S *N)
IO(size_t, __fread_unlocked_chk,
   (void *P, size_t Room, size_t S, size_t N, FILE *F), (P, Room, S, N, F), P,
   S *N)

// A filter of system calls may refuse what opens a closed buffer again. Entered
// by a jump, as all words are handed on.
REAL(int, prctl, (long, long, long, long, long))

extern "C" __attribute__((visibility("default"))) int
echo_dr_prctl(long Option, long A, long B, long C, long D) __asm__("prctl");
int echo_dr_prctl(long Option, long A, long B, long C, long D) {
  if (__builtin_expect(Watched.used() != 0, 0) &&
      static_cast<int>(Option) == PR_SET_SECCOMP)
    dropOut(nullptr, Reason::Sandboxed);
  MUST_TAIL return real(&Real_prctl, "prctl")(Option, A, B, C, D);
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
  beforeMappingCall(Number, Given.At);
  if (__builtin_expect(Watched.used() != 0, 0))
    useNumbered(Number, Given, {__builtin_return_address(0)});
  MUST_TAIL return real(&Real_syscall, "syscall")(Number, A, B, C, D, E, F);
}

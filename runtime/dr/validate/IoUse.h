//===- IoUse.h - What a system call uses of watched buffers -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the C library's functions (Io.cpp) and by system calls that are
// made by their number (Numbered.cpp): ranges that a call uses while it lasts,
// and ranges that the kernel keeps after its return.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_IOUSE_H
#define ECHO_RUNTIME_DR_VALIDATE_IOUSE_H

#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/driver/Resolve.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/Pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace echo::dr {

/// The most that the kernel writes of a socket's address.
inline constexpr size_t AddressBytes = sizeof(sockaddr_storage);

/// Who calls, when, and whether the call failed because of a closed buffer.
struct Caller {
  const void *Code;
  Use When = Use::Once;
  UsedSlots *Slots = nullptr; ///< where the use Begins
  bool Failed = false;
};

inline void use(const void *Base, size_t Bytes, Caller By) {
  if (Bytes)
    Watched.accessedRange(Base, Bytes, reinterpret_cast<uintptr_t>(By.Code),
                          By.Failed, By.When, By.Slots);
}

/// Two or three results of one call.
inline void use(const void *A, size_t N, const void *B, size_t M, Caller By) {
  use(A, N, By);
  use(B, M, By);
}
inline void use(const void *A, size_t N, const void *B, size_t M, const void *C,
                size_t L, Caller By) {
  use(A, N, B, M, By);
  use(C, L, By);
}

inline void use(const iovec *Parts, size_t Count, Caller By) {
  for (size_t I = 0; I < Count; ++I)
    use(Parts[I].iov_base, Parts[I].iov_len, By);
}

inline void use(const msghdr *Message, Caller By) {
  if (!Message)
    return;
  use(Message->msg_iov, Message->msg_iovlen, By);
  use(Message->msg_name, Message->msg_name ? Message->msg_namelen : 0,
      Message->msg_control, Message->msg_control ? Message->msg_controllen : 0,
      By);
}

inline void use(const mmsghdr *Messages, unsigned Count, Caller By) {
  for (unsigned I = 0; I < Count; ++I)
    use(&Messages[I].msg_hdr, By);
}

/// This process's parts of what another one's memory is copied from or to.
inline void use(pid_t Other, const iovec *Here, size_t NumHere,
                const iovec *There, size_t NumThere, Caller By) {
  use(Here, NumHere, By);
  if (Other == getpid())
    use(There, NumThere, By);
}

/// The kernel keeps the pages after the call's return.
inline void lose(const iovec *Parts, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    if (Watched.overlap(Parts[I].iov_base, Parts[I].iov_len) >= 0)
      dropOut(Parts[I].iov_base, Reason::Lasting);
}

/// The calling thread asks whether something is so, and goes on at once, or
/// after a limited time, if it is not (Attempts.cpp).
/// For the code at \p By.
void attempts(const void *By);
/// The same, of \p Fd by a call with \p Flags of recv, if it does not wait.
void attemptsOn(int Fd, int Flags, const void *By);

/// What IO_FOR asks first, of a call that may not wait.
inline bool usedBy(bool Attempts, const void *By) {
  if (Attempts && TheGuard.minds())
    attempts(By);
  return Watched.used() != 0;
}
inline bool usedOn(int Fd, int Flags, const void *By) {
  if (TheGuard.minds())
    attemptsOn(Fd, Flags, By);
  return Watched.used() != 0;
}

inline constexpr int ZeroCopy = 0x4000000; // MSG_ZEROCOPY

inline void loseIf(bool Lasting, const void *Base, size_t Bytes) {
  const iovec Part = {const_cast<void *>(Base), Bytes};
  if (__builtin_expect(Lasting, 0))
    lose(&Part, 1);
}

template <class F>
[[gnu::noinline, gnu::cold]] F *findReal(F **Place, const char *Name) {
  F *Found = reinterpret_cast<F *>(realDlsym()(RTLD_NEXT, Name));
  __atomic_store_n(Place, Found, __ATOMIC_RELEASE);
  return Found;
}

template <class F> F *real(F **Place, const char *Name) {
  F *Found = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  return __builtin_expect(Found != nullptr, 1) ? Found : findReal(Place, Name);
}

} // namespace echo::dr

/// Looks up the real \p name when the library is loaded: a signal handler may
/// be the first caller.
#define REAL(result, name, params)                                             \
  static result(*Real_##name) params;                                          \
  __attribute__((constructor)) static void find_##name() {                     \
    real(&Real_##name, #name);                                                 \
  }

/// What a call uses at \p P, of the type that it points to.
#define RESULT(P) static_cast<const void *>(P), sizeof *(P)

/// An exported \p name that says what it uses, then calls the real one.
#define IO(result, name, params, args, ...)                                    \
  IO_LASTING(result, name, params, args, (void)0, __VA_ARGS__)
/// \p lasting: what the kernel uses for longer.
#define IO_LASTING(result, name, params, args, lasting, ...)                   \
  IO_FOR(Watched.used(), result, name, params, args, lasting, (void)0,         \
         __VA_ARGS__)
/// \p matters: whether there is anything to see. \p behind: what the call's
/// Result and Error say.
#define IO_FOR(matters, result, name, params, args, lasting, behind, ...)      \
  REAL(result, name, params)                                                   \
  INTERPOSED result name params {                                              \
    IO_BEGIN(matters, name, args, lasting, __VA_ARGS__)                        \
    const auto Result = real(&Real_##name, #name) args;                        \
    IO_END(behind, __VA_ARGS__)                                                \
    return Result;                                                             \
  }
#define USED_BY(attempts) usedBy(attempts, __builtin_return_address(0))
#define USED_ON(fd, flags) usedOn(fd, flags, __builtin_return_address(0))
/// One that may not wait: \p asked is USED_BY or USED_ON.
#define IO_ASKED(asked, result, name, params, args, ...)                       \
  IO_FOR(asked, result, name, params, args, (void)0, (void)0, __VA_ARGS__)
/// A function that returns nothing.
#define IO_VOID(name, params, args, ...)                                       \
  REAL(void, name, params)                                                     \
  INTERPOSED void name params {                                                \
    IO_BEGIN(Watched.used(), name, args, (void)0, __VA_ARGS__)                 \
    real(&Real_##name, #name) args;                                            \
    IO_END((void)0, __VA_ARGS__)                                               \
  }
#define IO_BEGIN(matters, name, args, lasting, ...)                            \
  UsedSlots Slots;                                                             \
  Caller By = {__builtin_return_address(0), Use::Begins, &Slots};              \
  if (__builtin_expect(!(matters), 1))                                         \
    return real(&Real_##name, #name) args;                                     \
  lasting;                                                                     \
  TheGuard.linger(By.Code);                                                    \
  TheGuard.handOver(By.Code); /* what it writes may tell another thread */     \
  if (Watched.anyCloses())                                                     \
    use(__VA_ARGS__, By);                                                      \
  const int Before = errno;                                                    \
  errno = 0;
#define IO_END(behind, ...)                                                    \
  const int Error = errno;                                                     \
  By = {By.Code, Use::Ended, nullptr, Error == EFAULT};                        \
  if (By.Failed || Watched.anyClosed())                                        \
    use(__VA_ARGS__, By);                                                      \
  Watched.endUse(Slots);                                                       \
  behind;                                                                      \
  errno = Error ? Error : Before;

#endif

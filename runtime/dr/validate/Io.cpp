//===- Io.cpp - System calls on watched buffers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel does not fault on a closed buffer: read() and its like fail, or
// end early. So the C library's I/O functions come through here, and a buffer
// that one of them is given is opened first, as an access of the host. Where
// no buffer is closed a call costs a load and a jump more.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Doors.h"
#include "runtime/dr/driver/Resolve.h"
#include "runtime/dr/validate/Pages.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

namespace echo::dr {

static void use(const void *Base, size_t Bytes, const void *Code) {
  if (Bytes)
    Watched.accessedRange(Base, Bytes, reinterpret_cast<uintptr_t>(Code));
}

static void use(const iovec *Parts, int Count, const void *Code) {
  for (int I = 0; I < Count; ++I)
    use(Parts[I].iov_base, Parts[I].iov_len, Code);
}

static void use(const msghdr *Message, const void *Code) {
  if (Message)
    use(Message->msg_iov, static_cast<int>(Message->msg_iovlen), Code);
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
#define IO(result, name, params, args, ...)                                    \
  static result(*Real_##name) params;                                          \
  __attribute__((constructor)) static void find_##name() {                     \
    real(&Real_##name, #name);                                                 \
  }                                                                            \
  DOOR result name params {                                                    \
    if (Watched.anyClosed())                                                   \
      use(__VA_ARGS__, __builtin_return_address(0));                           \
    return real(&Real_##name, #name) args;                                     \
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
IO(ssize_t, recv, (int Fd, void *P, size_t N, int Flags), (Fd, P, N, Flags), P,
   N)
IO(ssize_t, send, (int Fd, const void *P, size_t N, int Flags),
   (Fd, P, N, Flags), P, N)
IO(ssize_t, recvfrom,
   (int Fd, void *P, size_t N, int Flags, sockaddr *From, socklen_t *Size),
   (Fd, P, N, Flags, From, Size), P, N)
IO(ssize_t, sendto,
   (int Fd, const void *P, size_t N, int Flags, const sockaddr *To,
    socklen_t Size),
   (Fd, P, N, Flags, To, Size), P, N)
IO(ssize_t, recvmsg, (int Fd, msghdr *M, int Flags), (Fd, M, Flags), M)
IO(ssize_t, sendmsg, (int Fd, const msghdr *M, int Flags), (Fd, M, Flags), M)
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
IO(size_t, __fread_chk, (void *P, size_t Room, size_t S, size_t N, FILE *F),
   (P, Room, S, N, F), P, S *N)
IO(size_t, __fread_unlocked_chk,
   (void *P, size_t Room, size_t S, size_t N, FILE *F), (P, Room, S, N, F), P,
   S *N)

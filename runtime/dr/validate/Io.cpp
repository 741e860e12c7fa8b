//===- Io.cpp - System calls on watched buffers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel does not fault on a closed buffer: read() and its like fail, or
// end early. So the C library's I/O functions come through here, and a buffer
// that one of them is given is opened first, as an access of the host. One that
// is closed while the call waits is found when it returns. What the kernel
// still uses after the call's return cannot be watched: the buffer drops out.
// Where no buffer is closed a call costs a load and a jump more.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/IoUse.h"

#include <aio.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>

namespace echo::dr {

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

/// A descriptor came by \p M, after a call that succeeded. What is read from it
/// somebody else has opened: no key can name that. Handles of devices, which
/// CUDA's own libraries pass on, have no contents.
static void descriptorsCame(const msghdr *M, const void *Caller) {
  if (__builtin_expect(!isRecorded(Caller), 1))
    return;
  for (cmsghdr *C = CMSG_FIRSTHDR(M); C;
       C = CMSG_NXTHDR(const_cast<msghdr *>(M), C)) {
    if (C->cmsg_level != SOL_SOCKET || C->cmsg_type != SCM_RIGHTS)
      continue;
    const unsigned char *At = CMSG_DATA(C);
    const unsigned char *End =
        reinterpret_cast<unsigned char *>(C) + C->cmsg_len;
    for (int Fd; At + sizeof Fd <= End; At += sizeof Fd) {
      memcpy(&Fd, At, sizeof Fd);
      struct stat S;
      if (syscall(SYS_fstat, Fd, &S) == 0 &&
          (S_ISREG(S.st_mode) || S_ISFIFO(S.st_mode) || isatty(Fd)))
        fileAsked(AT_FDCWD, "", FileRead);
    }
  }
}

/// The same of \p Count messages; negative: the call failed.
static void descriptorsCame(const mmsghdr *M, int Count, const void *Caller) {
  for (int I = 0; I < Count; ++I)
    descriptorsCame(&M[I].msg_hdr, Caller);
}

void kernelUses(const void *Base, size_t Bytes, const void *Caller) {
  if (__builtin_expect(Watched.used(), 0) && Watched.anyClosed())
    use(Base, Bytes, {Caller});
}

void kernelMissed() {
  if (Watched.used() && Watched.anyClosed())
    dropOut(nullptr, Reason::Lasting);
}

} // namespace echo::dr

using namespace echo::dr;

IO_ASKED(USED_ON(Fd, 0), ssize_t, read, (int Fd, void *P, size_t N), (Fd, P, N),
         P, N)
IO(ssize_t, write, (int Fd, const void *P, size_t N), (Fd, P, N), P, N)
IO(ssize_t, pread, (int Fd, void *P, size_t N, off_t At), (Fd, P, N, At), P, N)
IO(ssize_t, pread64, (int Fd, void *P, size_t N, off64_t At), (Fd, P, N, At), P,
   N)
IO(ssize_t, pwrite, (int Fd, const void *P, size_t N, off_t At), (Fd, P, N, At),
   P, N)
IO(ssize_t, pwrite64, (int Fd, const void *P, size_t N, off64_t At),
   (Fd, P, N, At), P, N)
IO_ASKED(USED_ON(Fd, 0), ssize_t, readv, (int Fd, const iovec *V, int N),
         (Fd, V, N), V, N)
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
  IO_FOR(Watched.used() || mode() == Mode::Validate, ssize_t, name,            \
         (pid_t Other, const iovec *V, unsigned long N, const iovec *W,        \
          unsigned long M, unsigned long Flags),                               \
         (Other, V, N, W, M, Flags), (void)0,                                  \
         otherFailed(Other, Result, Error, W, M), Other, V, N, W, M)
IO_OTHER(process_vm_readv)
IO_OTHER(process_vm_writev)
IO(ssize_t, getrandom, (void *P, size_t N, unsigned Flags), (P, N, Flags), P, N)
IO_ASKED(USED_ON(Fd, Flags), ssize_t, recv,
         (int Fd, void *P, size_t N, int Flags), (Fd, P, N, Flags), P, N)
IO_ASKED(USED_ON(Fd, Flags), ssize_t, recvfrom,
         (int Fd, void *P, size_t N, int Flags, sockaddr *From,
          socklen_t *Size),
         (Fd, P, N, Flags, From, Size), P, N, static_cast<const void *>(From),
         From ? AddressBytes : 0, RESULT(Size))
#define IO_RECEIVE(result, name, params, args, came, ...)                      \
  IO_FOR(USED_ON(Fd, Flags) || isRecorded(__builtin_return_address(0)),        \
         result, name, params, args, (void)0, came, __VA_ARGS__)
IO_RECEIVE(ssize_t, recvmsg, (int Fd, msghdr *M, int Flags), (Fd, M, Flags),
           if (Result >= 0) descriptorsCame(M, By.Code), M)
IO_RECEIVE(int, recvmmsg,
           (int Fd, mmsghdr *M, unsigned N, int Flags, timespec *Most),
           (Fd, M, N, Flags, Most), descriptorsCame(M, Result, By.Code), M, N)
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
IO_LASTING(int, lio_listio, (int Mode, aiocb *const *A, int N, sigevent *Told),
           (Mode, A, N, Told),
           for (int I = 0; I < N; ++I)
               loseIf(A[I], A[I] ? const_cast<void *>(A[I]->aio_buf) : nullptr,
                      A[I] ? A[I]->aio_nbytes : 0),
           static_cast<const void *>(nullptr), size_t(0))
IO_LASTING(int, lio_listio64,
           (int Mode, aiocb64 *const *A, int N, sigevent *Told),
           (Mode, A, N, Told),
           for (int I = 0; I < N; ++I)
               loseIf(A[I], A[I] ? const_cast<void *>(A[I]->aio_buf) : nullptr,
                      A[I] ? A[I]->aio_nbytes : 0),
           static_cast<const void *>(nullptr), size_t(0))
// Later calls of stdio read and write there by themselves.
IO_LASTING(int, setvbuf, (FILE * F, char *P, int Mode, size_t N),
           (F, P, Mode, N), loseIf(P, P, N), static_cast<const void *>(P),
           size_t(0))

INTERPOSED void setbuf(FILE *F, char *P) {
  setvbuf(F, P, P ? _IOFBF : _IONBF, BUFSIZ);
}

INTERPOSED void setbuffer(FILE *F, char *P, size_t N) {
  setvbuf(F, P, P ? _IOFBF : _IONBF, N);
}

IO(size_t, fread, (void *P, size_t S, size_t N, FILE *F), (P, S, N, F), P, S *N)
IO(size_t, fread_unlocked, (void *P, size_t S, size_t N, FILE *F), (P, S, N, F),
   P, S *N)
IO(size_t, fwrite, (const void *P, size_t S, size_t N, FILE *F), (P, S, N, F),
   P, S *N)
IO(size_t, fwrite_unlocked, (const void *P, size_t S, size_t N, FILE *F),
   (P, S, N, F), P, S *N)
// What _FORTIFY_SOURCE makes of them.
IO_ASKED(USED_ON(Fd, 0), ssize_t, __read_chk,
         (int Fd, void *P, size_t N, size_t Room), (Fd, P, N, Room), P, N)
IO(ssize_t, __pread_chk, (int Fd, void *P, size_t N, off_t At, size_t Room),
   (Fd, P, N, At, Room), P, N)
IO(ssize_t, __pread64_chk, (int Fd, void *P, size_t N, off64_t At, size_t Room),
   (Fd, P, N, At, Room), P, N)
IO_ASKED(USED_ON(Fd, Flags), ssize_t, __recv_chk,
         (int Fd, void *P, size_t N, size_t Room, int Flags),
         (Fd, P, N, Room, Flags), P, N)
IO_ASKED(USED_ON(Fd, Flags), ssize_t, __recvfrom_chk,
         (int Fd, void *P, size_t N, size_t Room, int Flags, sockaddr *From,
          socklen_t *Size),
         (Fd, P, N, Room, Flags, From, Size), P, N,
         static_cast<const void *>(From), From ? AddressBytes : 0, RESULT(Size))
IO(size_t, __fread_chk, (void *P, size_t Room, size_t S, size_t N, FILE *F),
   (P, Room, S, N, F), P, S *N)
IO(size_t, __fread_unlocked_chk,
   (void *P, size_t Room, size_t S, size_t N, FILE *F), (P, Room, S, N, F), P,
   S *N)

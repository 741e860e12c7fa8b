//===- Process.cpp - The C library's interposer: mappings, modules --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Anonymous private mappings are host memory as what malloc gives; a part of
// one that is unmapped, remapped or mapped over ends that. Libraries that go
// away take with them what was looked up for them. fork is seen by the core's
// own handlers; exec starts afresh with the same environment.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/interposers/NextFunctions.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace echo::dr;

// Until they are found the loader may still be at work: the kernel is called.
// clang-format off
#define FOR_ALL(each)                                                          \
  each(mmap) each(munmap) each(madvise) each(mprotect) each(pkey_mprotect)     \
  each(shmat) each(mremap) each(_Fork) each(clone)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

static void *realMmap(void *At, size_t Bytes, int Protection, int Flags, int Fd,
                      off_t Offset) {
  if (Real.mmap)
    return Real.mmap(At, Bytes, Protection, Flags, Fd, Offset);
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, At, Bytes, Protection, Flags, Fd, Offset));
}

static int realMunmap(void *At, size_t Bytes) {
  return Real.munmap ? Real.munmap(At, Bytes)
                     : static_cast<int>(syscall(SYS_munmap, At, Bytes));
}

/// True if a mode has begun and the call is the program's.
static bool isSeen() { return HostThreshold != UINT64_MAX && !isInside(); }

/// The buffers that share a byte with [\p At, \p At + \p Bytes) drop out.
static void dropOverlaps(void *At, size_t Bytes, Reason Why) {
  auto From = reinterpret_cast<uintptr_t>(At);
  const uintptr_t To = From + Bytes;
  for (Range R; From < To && HostRanges.next(From, R) && R.Base < To;
       From = R.Base + R.Bytes)
    dropOut(reinterpret_cast<void *>(R.Base > From ? R.Base : From), Why);
}

/// [\p At, \p At + \p Bytes) is about to become something else.
static void losePart(void *At, size_t Bytes) {
  dropOverlaps(At, Bytes, Reason::Unmapped);
  HostRanges.removeMappings(At, Bytes);
}

/// Advice that leaves what the pages hold, whose they are and what an access
/// to them does. After other advice they may be other pages: a device that has
/// the old ones pinned would not see what is written then.
static bool leavesPages(int Advice) {
  constexpr int PageOut = 21, Collapse = 25; // of newer kernels
  switch (Advice) {
  case MADV_NORMAL:
  case MADV_RANDOM:
  case MADV_SEQUENTIAL:
  case MADV_WILLNEED:
  case MADV_HUGEPAGE:
  case MADV_NOHUGEPAGE:
  case MADV_DONTDUMP:
  case MADV_DODUMP:
  case PageOut - 1: // cold
  case PageOut:
  case Collapse:
    return true;
  default:
    return false;
  }
}

/// Pages that are about to be closed or opened by the program.
static void beforeProtection(void *At, size_t Bytes) {
  if (isSeen())
    dropOverlaps(At, Bytes, Reason::Protected);
}

INTERPOSED int madvise(void *At, size_t Bytes, int Advice) {
  if (isSeen() && !leavesPages(Advice))
    dropOverlaps(At, Bytes, Reason::Unmapped);
  return Real.madvise
             ? Real.madvise(At, Bytes, Advice)
             : static_cast<int>(syscall(SYS_madvise, At, Bytes, Advice));
}

INTERPOSED int mprotect(void *At, size_t Bytes, int Protection) {
  beforeProtection(At, Bytes);
  return Real.mprotect
             ? Real.mprotect(At, Bytes, Protection)
             : static_cast<int>(syscall(SYS_mprotect, At, Bytes, Protection));
}

INTERPOSED int pkey_mprotect(void *At, size_t Bytes, int Protection, int Key) {
  beforeProtection(At, Bytes);
  if (Real.pkey_mprotect)
    return Real.pkey_mprotect(At, Bytes, Protection, Key);
  errno = ENOSYS;
  return -1;
}

/// Shared memory takes the place of what lies there.
INTERPOSED void *shmat(int Id, const void *At, int Flags) {
  if (At && Flags & SHM_REMAP && isSeen()) {
    shmid_ds Is;
    const bool Known = shmctl(Id, IPC_STAT, &Is) == 0;
    losePart(const_cast<void *>(At), Known ? Is.shm_segsz : 1);
  }
  if (Real.shmat)
    return Real.shmat(Id, At, Flags);
  errno = ENOSYS;
  return reinterpret_cast<void *>(-1);
}

INTERPOSED void *mmap(void *At, size_t Bytes, int Protection, int Flags, int Fd,
                      off_t Offset) {
  if (Flags & MAP_FIXED && isSeen())
    losePart(At, Bytes);
  if (Bytes < __atomic_load_n(&HostThreshold, __ATOMIC_RELAXED) || isInside())
    return realMmap(At, Bytes, Protection, Flags, Fd, Offset);
  constexpr int Wanted = MAP_PRIVATE | MAP_ANONYMOUS;
  if ((Flags & (Wanted | MAP_FIXED)) != Wanted || !(Protection & PROT_WRITE))
    return realMmap(At, Bytes, Protection, Flags, Fd, Offset);
  Event E;
  E.R.Kind = static_cast<uint8_t>(Record::HostAlloc);
  E.R.Flags = static_cast<uint8_t>(How::Mmap);
  E.R.Bytes = Bytes;
  E.Zeroed = true;
  E.Special = At || Flags != Wanted || Protection != (PROT_READ | PROT_WRITE);
  if (before(E) == Action::Skip)
    return reinterpret_cast<void *>(E.R.A);
  void *Got = realMmap(At, Bytes, Protection, Flags, Fd, Offset);
  int Error = errno;
  bool Failed = Got == MAP_FAILED;
  E.R.A = Failed ? 0 : reinterpret_cast<uintptr_t>(Got);
  after(E, Failed ? Error : 0);
  errno = Error;
  return Got;
}

INTERPOSED void *mmap64(void *At, size_t Bytes, int Protection, int Flags,
                        int Fd, off_t Offset) {
  return mmap(At, Bytes, Protection, Flags, Fd, Offset);
}

INTERPOSED int munmap(void *At, size_t Bytes) {
  if (!isSeen())
    return realMunmap(At, Bytes);
  Range Whole;
  bool Known = findHost(At, Whole) && Whole.Kind == How::Mmap;
  if (!Known || Whole.Base != reinterpret_cast<uintptr_t>(At) ||
      Whole.Bytes > Bytes) {
    losePart(At, Bytes);
    return realMunmap(At, Bytes);
  }
  if (Whole.Bytes < Bytes)
    losePart(static_cast<char *>(At) + Whole.Bytes, Bytes - Whole.Bytes);
  Event E;
  E.R.Kind = static_cast<uint8_t>(Record::HostFree);
  E.R.A = Whole.Base;
  if (before(E) == Action::Skip)
    return E.R.Status;
  int Status = realMunmap(At, Bytes), Error = errno;
  after(E, Status);
  errno = Error;
  return Status;
}

INTERPOSED void *mremap(void *At, size_t OldBytes, size_t NewBytes, int Flags,
                        ...) {
  void *Target = nullptr;
  if (Flags & MREMAP_FIXED) {
    va_list Args;
    va_start(Args, Flags);
    Target = va_arg(Args, void *);
    va_end(Args);
  }
  if (isSeen()) {
    losePart(At, OldBytes);
    if (Target)
      losePart(Target, NewBytes);
  }
  if (Real.mremap)
    return Real.mremap(At, OldBytes, NewBytes, Flags, Target);
  return reinterpret_cast<void *>(
      syscall(SYS_mremap, At, OldBytes, NewBytes, Flags, Target));
}

void echo::dr::beforeMappingCall(long Number, const long *Words) {
  if (!isSeen())
    return;
  constexpr long AdviseProcess = 440, SealMapping = 462; // of newer kernels
  auto *At = reinterpret_cast<void *>(Words[0]);         // NOLINT
  const auto Bytes = static_cast<size_t>(Words[1]);
  switch (Number) {
  case SYS_mprotect:
  case SYS_pkey_mprotect:
  case SealMapping:
    return dropOverlaps(At, Bytes, Reason::Protected);
  case SYS_madvise:
    if (!leavesPages(static_cast<int>(Words[2])))
      dropOverlaps(At, Bytes, Reason::Unmapped);
    return;
  case AdviseProcess:
    if (!leavesPages(static_cast<int>(Words[3])))
      for (long I = 0; I < Words[2]; ++I) {
        const iovec &Part = reinterpret_cast<const iovec *>(Words[1])[I];
        dropOverlaps(Part.iov_base, Part.iov_len, Reason::Unmapped);
      }
    return;
  case SYS_remap_file_pages:
    return losePart(At, Bytes);
  case SYS_mmap:
    if (Words[3] & MAP_FIXED)
      losePart(At, Bytes);
    return;
  case SYS_mremap:
    if (Words[3] & MREMAP_FIXED)
      losePart(reinterpret_cast<void *>(Words[4]), // NOLINT
               static_cast<size_t>(Words[2]));
    return losePart(At, Bytes);
  case SYS_munmap:
    return losePart(At, Bytes);
  default:
    return;
  }
}

// Children that have memory of their own, but that no handler of fork's is
// called for.

INTERPOSED pid_t _Fork() {
  childUnseen();
  if (Real._Fork)
    return Real._Fork();
  errno = ENOSYS;
  return -1;
}

INTERPOSED int clone(int (*Body)(void *), void *Stack, int Flags, void *Data,
                     ...) {
  va_list Args;
  va_start(Args, Data); // those that Flags ask for; others are not looked at
  void *ParentId = va_arg(Args, void *), *Tls = va_arg(Args, void *),
       *ChildId = va_arg(Args, void *);
  va_end(Args);
  if (!(Flags & CLONE_VM))
    childUnseen();
  if (Real.clone)
    return Real.clone(Body, Stack, Flags, Data, ParentId, Tls, ChildId);
  errno = ENOSYS;
  return -1;
}

INTERPOSED int dlclose(void *Handle) {
  int Status = systemDlclose(Handle);
  forgetCallers();
  return Status;
}

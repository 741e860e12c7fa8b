//===- Process.cpp - The C library's door: mappings and modules -----------===//
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
#include "runtime/dr/Doors.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/Real.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace echo::dr;

static void *realMmap(void *At, size_t Bytes, int Protection, int Flags, int Fd,
                      off_t Offset) {
  using Mmap = void *(void *, size_t, int, int, int, off_t);
  static Mmap *Real; // every thread would store the same
  Mmap *Found = __atomic_load_n(&Real, __ATOMIC_RELAXED);
  // Until the mode has begun the loader may still be at work.
  if (!Found && HostThreshold != UINT64_MAX) {
    Inside Own;
    Found = nextFunction<Mmap>("mmap");
    __atomic_store_n(&Real, Found, __ATOMIC_RELAXED);
  }
  if (Found)
    return Found(At, Bytes, Protection, Flags, Fd, Offset);
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, At, Bytes, Protection, Flags, Fd, Offset));
}

/// [\p At, \p At + \p Bytes) is about to change.
static void losePart(void *At, size_t Bytes) {
  Range Found;
  if (findHost(At, Found) && Found.Kind == How::Mmap)
    dropOut(At, Reason::Unmapped);
  HostRanges.removeOverlaps(At, Bytes);
}

/// Advice after which pages are other pages: a device that has the old ones
/// pinned would not see what is written then.
static bool replacesPages(int Advice) {
  constexpr int DontNeedLocked = 24; // of newer kernels
  return Advice == MADV_DONTNEED || Advice == MADV_FREE ||
         Advice == MADV_REMOVE || Advice == DontNeedLocked;
}

namespace {
struct Overlap {
  uintptr_t From, To;
  uintptr_t Found;
};
} // namespace

DOOR int madvise(void *At, size_t Bytes, int Advice) {
  if (HostThreshold != UINT64_MAX && !isInside() && replacesPages(Advice)) {
    auto From = reinterpret_cast<uintptr_t>(At);
    Overlap O = {From, From + Bytes, 0};
    do {
      O.Found = 0;
      HostRanges.forEach(
          [](Range &R, void *Data) {
            auto &O = *static_cast<Overlap *>(Data);
            if (!O.Found && R.Base < O.To && R.Base + R.Bytes > O.From)
              O.Found = R.Base > O.From ? R.Base : O.From,
              O.From = R.Base + R.Bytes;
          },
          &O);
      if (O.Found)
        dropOut(reinterpret_cast<void *>(O.Found), Reason::Unmapped);
    } while (O.Found && O.From < O.To);
  }
  return static_cast<int>(syscall(SYS_madvise, At, Bytes, Advice));
}

DOOR void *mmap(void *At, size_t Bytes, int Protection, int Flags, int Fd,
                off_t Offset) {
  if (Bytes < __atomic_load_n(&HostThreshold, __ATOMIC_RELAXED) || isInside())
    return realMmap(At, Bytes, Protection, Flags, Fd, Offset);
  if (Flags & MAP_FIXED)
    losePart(At, Bytes);
  constexpr int Wanted = MAP_PRIVATE | MAP_ANONYMOUS;
  if ((Flags & (Wanted | MAP_FIXED)) != Wanted || !(Protection & PROT_WRITE))
    return realMmap(At, Bytes, Protection, Flags, Fd, Offset);
  Event E;
  E.R.Kind = static_cast<uint8_t>(Record::HostAlloc);
  E.R.Flags = static_cast<uint8_t>(How::Mmap);
  E.R.Bytes = Bytes;
  E.Zeroed = true;
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

DOOR void *mmap64(void *At, size_t Bytes, int Protection, int Flags, int Fd,
                  off_t Offset) {
  return mmap(At, Bytes, Protection, Flags, Fd, Offset);
}

DOOR int munmap(void *At, size_t Bytes) {
  auto *Real = nextFunction<int(void *, size_t)>;
  static int (*Cached)(void *, size_t);
  auto *Found = __atomic_load_n(&Cached, __ATOMIC_RELAXED);
  if (!Found && HostThreshold != UINT64_MAX) {
    Inside Own;
    Found = Real("munmap");
    __atomic_store_n(&Cached, Found, __ATOMIC_RELAXED);
  }
  auto Run = [&] {
    return Found ? Found(At, Bytes)
                 : static_cast<int>(syscall(SYS_munmap, At, Bytes));
  };
  if (HostThreshold == UINT64_MAX || isInside())
    return Run();
  Range Whole;
  bool Known = findHost(At, Whole) && Whole.Kind == How::Mmap;
  if (!Known || Whole.Base != reinterpret_cast<uintptr_t>(At) ||
      Whole.Bytes > Bytes) {
    losePart(At, Bytes);
    return Run();
  }
  Event E;
  E.R.Kind = static_cast<uint8_t>(Record::HostFree);
  E.R.A = Whole.Base;
  if (before(E) == Action::Skip)
    return E.R.Status;
  int Status = Run(), Error = errno;
  after(E, Status);
  errno = Error;
  return Status;
}

DOOR void *mremap(void *At, size_t OldBytes, size_t NewBytes, int Flags, ...) {
  void *Target = nullptr;
  if (Flags & MREMAP_FIXED) {
    va_list Args;
    va_start(Args, Flags);
    Target = va_arg(Args, void *);
    va_end(Args);
  }
  if (HostThreshold != UINT64_MAX && !isInside()) {
    losePart(At, OldBytes);
    if (Target)
      losePart(Target, NewBytes);
  }
  return reinterpret_cast<void *>(
      syscall(SYS_mremap, At, OldBytes, NewBytes, Flags, Target));
}

DOOR int dlclose(void *Handle) {
  auto *Real = nextFunction<int(void *)>("dlclose");
  if (!Real)
    return -1;
  int Status = Real(Handle);
  forgetCallers();
  return Status;
}

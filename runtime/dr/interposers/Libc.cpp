//===- Libc.cpp - The C library's interposer: memory ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc and its family, for memory at or over the threshold; what asks for
// less is in Malloc.cpp. What a mode served never reaches the real free,
// realloc or malloc_usable_size.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/Malloc.h"

#include <errno.h>
#include <string.h>

using namespace echo::dr;

static bool isLarge(size_t Bytes) {
  return __builtin_expect(
      Bytes >= __atomic_load_n(&HostThreshold, __ATOMIC_RELAXED), 0);
}

static Event allocation(How Kind, size_t Bytes, size_t Align, bool Zeroed) {
  Event E;
  E.R.Kind = static_cast<uint8_t>(Record::HostAlloc);
  E.R.Flags = static_cast<uint8_t>(Kind);
  E.R.Bytes = Bytes;
  E.Align = Align;
  E.Zeroed = Zeroed;
  return E;
}

static Event release(void *Pointer) {
  Event E;
  E.R.Kind = static_cast<uint8_t>(Record::HostFree);
  E.R.A = reinterpret_cast<uintptr_t>(Pointer);
  return E;
}

/// Runs \p Real, which returns memory or null, as an event.
template <class F>
static void *allocate(How Kind, size_t Bytes, size_t Align, bool Zeroed,
                      F Real) {
  int Error = errno;
  Event E = allocation(Kind, Bytes, Align, Zeroed);
  if (before(E) == Action::Skip) {
    errno = Error;
    return reinterpret_cast<void *>(E.R.A);
  }
  void *Pointer = Real();
  if (!Pointer)
    Error = errno;
  E.R.A = reinterpret_cast<uintptr_t>(Pointer);
  after(E, Pointer ? 0 : ENOMEM);
  errno = Error;
  return Pointer;
}

void *echo::dr::mallocLarge(size_t Bytes) {
  return allocate(How::Malloc, Bytes, 0, false,
                  [=] { return Libc.malloc(Bytes); });
}

void *echo::dr::callocLarge(size_t Count, size_t Size) {
  return allocate(How::Calloc, Count * Size, 0, true,
                  [=] { return Libc.calloc(Count, Size); });
}

INTERPOSED void *memalign(size_t Align, size_t Bytes) {
  if (!isLarge(Bytes))
    return Libc.memalign(Align, Bytes);
  return allocate(How::Memalign, Bytes, Align, false,
                  [=] { return Libc.memalign(Align, Bytes); });
}

static bool isPowerOf2(size_t N) { return N && !(N & (N - 1)); }

INTERPOSED void *aligned_alloc(size_t Align, size_t Bytes) {
  if (!isLarge(Bytes) || !isPowerOf2(Align)) // or it may be refused
    return Libc.aligned_alloc(Align, Bytes);
  return allocate(How::Memalign, Bytes, Align, false,
                  [=] { return Libc.aligned_alloc(Align, Bytes); });
}

INTERPOSED int posix_memalign(void **Out, size_t Align, size_t Bytes) {
  if (!isLarge(Bytes) || !isPowerOf2(Align) ||
      Align % sizeof(void *)) // or it is refused
    return Libc.posix_memalign(Out, Align, Bytes);
  int Status = 0;
  void *Pointer = allocate(How::Memalign, Bytes, Align, false, [&] {
    void *Fresh = nullptr;
    Status = Libc.posix_memalign(&Fresh, Align, Bytes);
    return Status ? nullptr : Fresh;
  });
  if (!Status)
    *Out = Pointer;
  return Status;
}

void echo::dr::freeLarge(void *Pointer) {
  if (isBootstrap(Pointer))
    return;
  int Error = errno;
  Event E = release(Pointer);
  if (before(E) == Action::Run) {
    Libc.free(Pointer);
    after(E, 0);
  }
  errno = Error;
}

static void *reallocKnown(void *Pointer, size_t Bytes) {
  Range Old;
  bool Known = HostRanges.mayHold(Pointer) && findHost(Pointer, Old) &&
               Old.Base == reinterpret_cast<uintptr_t>(Pointer);
  if (!Known && !isLarge(Bytes))
    return Libc.realloc(Pointer, Bytes);
  if (Bytes == 0) {
    free(Pointer);
    return nullptr;
  }
  size_t Held = Known ? Old.Bytes : Libc.malloc_usable_size(Pointer);
  size_t Kept = Held < Bytes ? Held : Bytes;
  if (Known && Old.Served) {
    void *Fresh = malloc(Bytes);
    if (!Fresh)
      return nullptr;
    memcpy(Fresh, Pointer, Kept);
    free(Pointer);
    return Fresh;
  }
  bool Large = isLarge(Bytes);
  Event New = allocation(How::Realloc, Bytes, 0, false);
  if (Large && before(New) == Action::Skip) {
    void *Fresh = reinterpret_cast<void *>(New.R.A);
    memcpy(Fresh, Pointer, Kept);
    free(Pointer);
    return Fresh;
  }
  Event E = release(Pointer);
  if (Known)
    before(E); // never skipped: no mode served it
  void *Fresh = Libc.realloc(Pointer, Bytes);
  int Error = errno;
  if (Known)
    after(E, 0);
  if (Known && !Fresh)
    HostRanges.add(Old); // it stays as it is
  if (Large) {
    New.R.A = reinterpret_cast<uintptr_t>(Fresh);
    after(New, Fresh ? 0 : ENOMEM);
  }
  errno = Error;
  return Fresh;
}

void *echo::dr::reallocLarge(void *Pointer, size_t Bytes) {
  if (!Pointer)
    return malloc(Bytes);
  if (__builtin_expect(isBootstrap(Pointer), 0)) {
    void *Fresh = malloc(Bytes);
    size_t Held = Libc.malloc_usable_size(Pointer);
    if (Fresh)
      memcpy(Fresh, Pointer, Held < Bytes ? Held : Bytes);
    return Fresh;
  }
  return reallocKnown(Pointer, Bytes);
}

// The C library's free and realloc have second names, for programs that
// interpose their own. What is served is none of theirs.
#define SECOND_NAME(result, name, first, params, args)                         \
  extern "C" __attribute__((visibility("default"))) result name params {       \
    static result(*Known) params; /* every thread would store the same */      \
    auto *Real = __atomic_load_n(&Known, __ATOMIC_RELAXED);                    \
    if (__builtin_expect(HostRanges.mayHold(Pointer), 0))                      \
      return first args;                                                       \
    if (!Real) {                                                               \
      Real = nextFunction<result params>(#name);                               \
      __atomic_store_n(&Known, Real, __ATOMIC_RELAXED);                        \
    }                                                                          \
    return Real ? Real args : first args;                                      \
  }
SECOND_NAME(void, __libc_free, free, (void *Pointer), (Pointer))
SECOND_NAME(void *, __libc_realloc, realloc, (void *Pointer, size_t Bytes),
            (Pointer, Bytes))

// reallocarray is not here: the C library's calls whatever realloc the program
// has, which may be one of its own.

INTERPOSED size_t malloc_usable_size(void *Pointer) {
  Range Found;
  if (__builtin_expect(HostRanges.mayHold(Pointer), 0) &&
      findHost(Pointer, Found) && Found.Served &&
      Found.Base == reinterpret_cast<uintptr_t>(Pointer))
    return Found.Bytes;
  return Libc.malloc_usable_size(Pointer);
}

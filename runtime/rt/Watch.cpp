//===- Watch.cpp - Do the copies of an assumed pair show it? --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two buffers are known by the distance between them, which is the same for all
// in-place copies of a pair. Contents do not tell who wrote last: where both
// sides changed a byte, that counts as a difference. No CUDA call is made with
// the lock held; a child process watches nothing.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Watch.h"
#include "runtime/rt/Account.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/Site.h"
#include "runtime/rt/Support.h"
#include "runtime/rt/Waits.h"

#include <new>
#include <stdlib.h>
#include <string.h>

namespace echo::rt {

namespace {
/// Two buffers that are watched.
struct Watched {
  Watched *Next = nullptr;
  EchoGroup *Group = nullptr;
  uintptr_t Distance = 0; ///< from a host byte to the device's
  uintptr_t Begin = 0;    ///< host address of the first byte that is kept
  size_t Length = 0;
  uint8_t *Held = nullptr;     ///< what both held after the last copy
  uint8_t *Known = nullptr;    ///< nonzero: of that byte there was one
  uintptr_t Low = 0, High = 0; ///< host addresses that copies moved so far
  unsigned Copies = 0;
  bool Busy = false; ///< a thread compares it
  bool Gone = false; ///< to be forgotten when it does no more
};

/// One copy between two watched buffers.
struct Copy {
  uintptr_t Host, Device;
  size_t Bytes;
  bool Up;
  void *Stream;
};

struct Difference {
  bool Found = false;
  size_t At = 0; ///< offset in the copy
  uint8_t Before = 0, Changed = 0, Other = 0;
};
} // namespace

static Watched *All;
static size_t NumWatched; ///< atomic
static Mutex WatchLock;

static const char *nameOf(const EchoGroup &Group) {
  return Group.name ? Group.name : "(unnamed pair)";
}

static void destroy(Watched *W) {
  free(W->Held);
  free(W->Known);
  free(W);
}

/// Forgets those for which \p Test says so. The lock is held.
template <typename Fn> static void forgetIf(Fn Test) {
  for (Watched **Link = &All; *Link;) {
    Watched *W = *Link;
    if (!Test(*W)) {
      Link = &W->Next;
    } else if (W->Busy) {
      W->Gone = true;
      Link = &W->Next;
    } else {
      *Link = W->Next;
      __atomic_fetch_sub(&NumWatched, 1, __ATOMIC_RELAXED);
      destroy(W);
    }
  }
}

static void forgetGroup(const EchoGroup &Group) {
  forgetIf([&](const Watched &W) { return W.Group == &Group; });
}

const char *staysApart(EchoGroup &Group, size_t Bytes, const void *Partner) {
  const uint32_t Every = options().Watch;
  if (!Every || forkEra())
    return nullptr;
  Site *S = siteOf(&Group);
  if (!S)
    return nullptr;
  Guard G(WatchLock);
  if (S->Differs)
    return "a run showed that it is not one buffer";
  // Asked for all, none merges.
  const char *Always =
      Every == 1 ? "ECHO_WATCH=1 merges no assumed pair" : nullptr;
  if (S->Unwatched)
    return Always;
  if (Group.flags & ECHO_GROUP_UNWATCHED) {
    S->Unwatched = true;
    say("%s: not watched: its copies move rows, or may be of other buffers",
        nameOf(Group));
    return Always;
  }
  if (S->LargestBuffer < Bytes)
    S->LargestBuffer = Bytes;
  if (Partner)
    return "its other side stays apart";
  if (S->Allocations++ % Every)
    return nullptr;
  ++S->Awaited;
  countWatched();
  return "ECHO_WATCH compares its copies";
}

/// The two buffers of \p C, made busy; null if they are not watched, or another
/// thread compares them. The lock is held.
static Watched *findWatched(EchoGroup &Group, Site &S, const Copy &C) {
  for (Watched *W = All; W; W = W->Next)
    if (W->Group == &Group && W->Distance == C.Device - C.Host &&
        C.Host >= W->Begin && C.Host + C.Bytes <= W->Begin + W->Length &&
        !W->Gone)
      return W->Busy ? nullptr : W;
  if (!S.Awaited)
    return nullptr;
  // Where the buffer starts is not known: at most its size before the last byte
  // of the copy.
  const size_t Size = S.LargestBuffer > C.Bytes ? S.LargestBuffer : C.Bytes;
  const size_t Before = Size - C.Bytes;
  auto *Memory = static_cast<Watched *>(malloc(sizeof(Watched)));
  auto *Held = static_cast<uint8_t *>(malloc(Size + Before));
  auto *Known = static_cast<uint8_t *>(calloc(Size + Before, 1));
  if (!Memory || !Held || !Known) {
    free(Memory);
    free(Held);
    free(Known);
    return nullptr;
  }
  auto *W = new (Memory) Watched;
  --S.Awaited;
  W->Group = &Group;
  W->Distance = C.Device - C.Host;
  W->Begin = C.Host - Before;
  W->Length = Size + Before;
  W->Low = C.Host;
  W->High = C.Host + C.Bytes;
  W->Held = Held;
  W->Known = Known;
  W->Next = All;
  All = W;
  __atomic_fetch_add(&NumWatched, 1, __ATOMIC_RELAXED);
  return W;
}

/// Reads what the device side of \p C holds once all work before the copy is
/// done. False if that cannot be: a stream is being captured, or CUDA has an
/// error.
static bool readDevice(const Copy &C, void *To) {
  if (cudaPeekAtLastError() != CudaSuccess || !mayUseLegacyStream())
    return false;
  ErrorScope Errors;
  RelaxedCapture Capture;
  return cudaStreamSynchronize(C.Stream) == CudaSuccess &&
         cudaMemcpy(To, reinterpret_cast<void *>(C.Device), C.Bytes,
                    MemcpyDeviceToHost) == CudaSuccess;
}

/// The first byte of \p C that its destination changed and its source does not
/// hold. Then keeps what both hold after the copy.
static Difference compare(Watched &W, const Copy &C, const uint8_t *Device) {
  const auto *Host = reinterpret_cast<const uint8_t *>(C.Host);
  const uint8_t *To = C.Up ? Device : Host, *From = C.Up ? Host : Device;
  uint8_t *Held = W.Held + (C.Host - W.Begin);
  uint8_t *Known = W.Known + (C.Host - W.Begin);
  Difference D;
  for (size_t I = 0; I != C.Bytes && !D.Found; ++I)
    if (Known[I] && To[I] != Held[I] && To[I] != From[I])
      D = {true, I, Held[I], To[I], From[I]};
  memcpy(Held, From, C.Bytes);
  memset(Known, 1, C.Bytes);
  return D;
}

/// Says what \p D is, of copy number \p Number of two buffers.
static void sayDifference(const EchoGroup &Group, const Copy &C,
                          const Difference &D, unsigned Number) {
  say("%s: one block would differ: before copy %u of these buffers, %s, the "
      "%s had changed byte %zu of it from %02x to %02x, and the %s holds %02x; "
      "kept apart from now on",
      nameOf(Group), Number, C.Up ? "an upload" : "a download",
      C.Up ? "GPU" : "host", D.At, D.Before, D.Changed,
      C.Up ? "host buffer" : "device buffer", D.Other);
}

/// Whether a copy of \p Order to \p Dst is an upload; nothing is answered where
/// that cannot be known.
static bool findDirection(uint32_t Order, const void *Dst, bool &Up) {
  switch (Order & ECHO_COPY_KIND_MASK) {
  case ECHO_COPY_H2D_SYNC:
  case ECHO_COPY_H2D_ASYNC_PAGEABLE:
    Up = true;
    return true;
  case ECHO_COPY_D2H_SYNC:
  case ECHO_COPY_D2H_ASYNC_PAGEABLE:
    Up = false;
    return true;
  default:
    break;
  }
  if (cudaPeekAtLastError() != CudaSuccess)
    return false;
  ErrorScope Errors;
  cudaPointerAttributes Found = {};
  if (cudaPointerGetAttributes(&Found, Dst) != CudaSuccess)
    return false;
  Up = Found.type == MemoryTypeDevice;
  return true;
}

/// Compares \p W, which is busy. False if that cannot be.
static bool look(Watched &W, const Copy &C, Difference &D) {
  auto *Device = static_cast<uint8_t *>(malloc(C.Bytes));
  const bool Read = Device && readDevice(C, Device);
  if (Read)
    D = compare(W, C, Device);
  free(Device);
  return Read;
}

void watchCopy(EchoGroup &Group, uint32_t Order, void *Stream, void *Dst,
               const void *Src, size_t Bytes) {
  if (!options().Watch || !(Group.flags & ECHO_GROUP_ASSUMED) || !Bytes ||
      !Dst || !Src || forkEra())
    return;
  Site *S = siteOf(&Group);
  bool Up = false;
  if (!S || !findDirection(Order, Dst, Up))
    return;
  if (!Stream)
    Stream = Order & ECHO_COPY_PER_THREAD ? streamPerThread() : streamLegacy();
  const auto To = reinterpret_cast<uintptr_t>(Dst);
  const auto From = reinterpret_cast<uintptr_t>(Src);
  const Copy C{Up ? From : To, Up ? To : From, Bytes, Up, Stream};
  Watched *W = nullptr;
  {
    Guard G(WatchLock);
    if (S->Differs || S->Unwatched)
      return;
    W = findWatched(Group, *S, C);
    if (!W)
      return;
    W->Busy = true;
    W->Low = C.Host < W->Low ? C.Host : W->Low;
    W->High = C.Host + Bytes > W->High ? C.Host + Bytes : W->High;
  }
  Difference D;
  const bool Read = look(*W, C, D);
  const unsigned Number = ++W->Copies;
  bool Says = false;
  {
    Guard G(WatchLock);
    W->Busy = false;
    if (D.Found || !Read) {
      Says = !S->Differs && !S->Unwatched;
      (D.Found ? S->Differs : S->Unwatched) = true;
      forgetGroup(Group);
    } else if (W->Gone) {
      forgetIf([&](const Watched &Each) { return &Each == W; });
    }
  }
  if (Says && D.Found)
    sayDifference(Group, C, D, Number);
  else if (Says)
    say("%s: not watched any more: the device buffer could not be read before "
        "a copy",
        nameOf(Group));
}

void forgetWatched(const void *Pointer) {
  if (!__atomic_load_n(&NumWatched, __ATOMIC_RELAXED) || forkEra())
    return;
  const auto P = reinterpret_cast<uintptr_t>(Pointer);
  Guard G(WatchLock);
  // A buffer begins at or before its first byte that was copied, and not more
  // than its size before the last one.
  forgetIf([&](const Watched &W) {
    const size_t Size = (W.Length + (W.High - W.Low)) / 2;
    const auto MayStart = [&](uintptr_t Low, uintptr_t High) {
      return P <= Low && P + Size >= High;
    };
    return MayStart(W.Low, W.High) ||
           MayStart(W.Low + W.Distance, W.High + W.Distance);
  });
}

} // namespace echo::rt

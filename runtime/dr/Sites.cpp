//===- Sites.cpp - Where in the program a call comes from -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks are unwound by unwind tables: most code keeps no frame pointers. That
// costs microseconds, so each thread keeps the stacks it saw last, with the
// places of their return addresses. On x86-64 a stack is known again if each
// of these places, from the innermost outwards, still holds the same address.
// A stack may have gone since (a fiber's), or end before its tables say: pages
// are read only after the kernel read them.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Sites.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/NotCancelled.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/Threads.h"
#include "runtime/dr/validate/Pages.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unwind.h>

namespace echo::dr {

static SiteListener Listener; ///< atomic

void listenToSites(SiteListener L) {
  __atomic_store_n(&Listener, L, __ATOMIC_RELEASE);
}

namespace {
/// A thread's own stack, which ends where its tables say.
struct OwnStack {
  uintptr_t Low = 0, High = 0;

  bool holds(uintptr_t Address) const {
    return Address >= Low && Address < High;
  }
};

struct Stack {
  OwnStack Own;
  unsigned Count = 0;
  bool Simple = true; ///< no signal frame in it
  uintptr_t Return[SiteFrames];
  uintptr_t Top[SiteFrames]; ///< stack pointer there; Return[I] lies just below
};

struct KnownStack {
  uint64_t Site;
  uint32_t Unloads;
  unsigned Count;
  uintptr_t Return[SiteFrames];
  const uintptr_t *Place[SiteFrames];
};
} // namespace

namespace {
struct KnownAddress {
  uintptr_t Return;
  uint32_t Unloads;
  Frame Where;
};
} // namespace

struct SiteCache {
  /// Each launch asks for its caller's, and a framework has one per kernel.
  static constexpr unsigned AddressBits = 11;
  static constexpr unsigned NumAddresses = 1u << AddressBits;
  KnownAddress Addresses[NumAddresses];
  static constexpr unsigned Size = 256;
  KnownStack Known[Size];
  OwnStack Own;
};

static constexpr uintptr_t PageBytes = 4096; // the smallest there is

static bool isReadable(uintptr_t Address) {
  return isReadable(reinterpret_cast<const void *>(Address)); // NOLINT
}

/// The calling thread's own stack; empty where the C library cannot say.
static OwnStack ownStack() {
  OwnStack S;
  pthread_attr_t Attributes;
  void *Low = nullptr;
  size_t Bytes = 0;
  const int Error = errno;
  if (!pthread_getattr_np(pthread_self(), &Attributes)) {
    if (!pthread_attr_getstack(&Attributes, &Low, &Bytes)) {
      S.Low = reinterpret_cast<uintptr_t>(Low);
      S.High = S.Low + Bytes;
    }
    (void)pthread_attr_destroy(&Attributes);
  }
  errno = Error;
  return S;
}

static _Unwind_Reason_Code visit(_Unwind_Context *Context, void *Data) {
  auto &S = *static_cast<Stack *>(Data);
  int BeforeInstruction = 0;
  uintptr_t Return = _Unwind_GetIPInfo(Context, &BeforeInstruction);
  if (!Return)
    return _URC_END_OF_STACK;
  if (S.Count || !isOwnCode(reinterpret_cast<void *>(Return))) {
    if (BeforeInstruction)
      S.Simple = false;
    S.Return[S.Count] = Return;
    const uintptr_t Top = S.Top[S.Count] = _Unwind_GetCFA(Context);
    if (++S.Count == SiteFrames)
      return _URC_END_OF_STACK;
    // The next frame would be looked for past the end of another stack.
    if (!S.Own.holds(Top) && !(isReadable(Top) && isReadable(Top + PageBytes)))
      return _URC_END_OF_STACK;
  }
  return _URC_NO_REASON;
}

/// Where the call before \p Return stands. Code of no module (made at run time)
/// moves from run to run: it counts as one frame whatever its address.
static Frame frameOf(uintptr_t Return, SiteCache *C) {
  KnownAddress *K = C ? &C->Addresses[(Return * 0x9e3779b97f4a7c15ull) >>
                                      (64 - SiteCache::AddressBits)]
                      : nullptr;
  if (K && K->Return == Return && K->Unloads == unloads())
    return K->Where;
  const NotCancelled Here; // files of a module may be read
  uint32_t Before = unloads();
  ModuleInfo Info;
  uint64_t Offset = 0;
  if (!moduleOf(reinterpret_cast<void *>(Return - 1), Info, Offset))
    return {0, 0};
  Frame Found = {Info.Hash, Offset + 1};
  if (K)
    *K = {Return, Before, Found};
  return Found;
}

static uint64_t hashOf(const Stack &S, SiteCache *C) {
  Frame Frames[SiteFrames];
  uint64_t Hash = FnvBasis;
  for (unsigned I = 0; I != S.Count; ++I) {
    Frames[I] = frameOf(S.Return[I], C);
    Hash = fnv1a(&Frames[I], sizeof(Frame), Hash);
  }
  if (SiteListener L = __atomic_load_n(&Listener, __ATOMIC_ACQUIRE))
    L(Hash, Frames, S.Count);
  return Hash;
}

/// The innermost return address outside of this library. All of this library's
/// frames keep frame pointers.
static const uintptr_t *firstPlace() {
  auto *Frame = static_cast<const uintptr_t *>(__builtin_frame_address(0));
  for (unsigned I = 0; I != 32; ++I) {
    if (!isOwnCode(reinterpret_cast<void *>(Frame[1])))
      return Frame + 1;
    Frame = reinterpret_cast<const uintptr_t *>(Frame[0]);
  }
  return nullptr;
}

#ifdef __x86_64__
static KnownStack *slotFor(SiteCache &C, const uintptr_t *Place) {
  uintptr_t Key = *Place ^ reinterpret_cast<uintptr_t>(Place) << 16;
  return &C.Known[(Key * 0x9e3779b97f4a7c15ull) >> 56];
}

static bool stillSame(const KnownStack &K, const uintptr_t *Place) {
  if (!K.Count || K.Place[0] != Place || K.Unloads != unloads())
    return false;
  const auto Page = [](const uintptr_t *P) {
    return reinterpret_cast<uintptr_t>(P) / PageBytes;
  };
  uintptr_t Read = Page(Place); // the caller's own frame is there
  for (unsigned I = 0; I != K.Count; ++I) {
    const auto At = reinterpret_cast<uintptr_t>(K.Place[I]);
    if (Page(K.Place[I]) != Read) {
      if (!isReadable(At))
        return false;
      Read = Page(K.Place[I]);
    }
    if (*K.Place[I] != K.Return[I])
      return false;
  }
  return true;
}

static void keep(KnownStack &K, const Stack &S, const uintptr_t *Place,
                 uint64_t Site) {
  K.Count = 0;
  if (!S.Simple || !S.Count || S.Return[0] != *Place)
    return;
  for (unsigned I = 0; I != S.Count; ++I) {
    K.Place[I] = reinterpret_cast<const uintptr_t *>(S.Top[I]) - 1;
    K.Return[I] = S.Return[I];
    if (*K.Place[I] != K.Return[I])
      return;
  }
  if (K.Place[0] != Place)
    return;
  K.Site = Site;
  K.Unloads = unloads();
  K.Count = S.Count;
}
#endif

static SiteCache *cacheOf(Thread &T) {
  if (!T.Sites) {
    void *At = mmap(nullptr, sizeof(SiteCache), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    T.Sites = At == MAP_FAILED ? nullptr : static_cast<SiteCache *>(At);
    if (T.Sites)
      T.Sites->Own = ownStack();
  }
  return T.Sites;
}

void dropSiteCache(Thread &T) {
  if (T.Sites)
    munmap(T.Sites, sizeof(SiteCache));
  T.Sites = nullptr;
}

uint64_t callingModule() {
  Inside Own;
  Thread *T = thisThread();
  const uintptr_t *Place = firstPlace();
  return Place ? frameOf(*Place, T ? cacheOf(*T) : nullptr).Module : 0;
}

uint64_t siteHere() {
  Inside Own;
  Thread *T = thisThread();
  SiteCache *C = T ? cacheOf(*T) : nullptr;
#ifdef __x86_64__
  const uintptr_t *Place = firstPlace();
  KnownStack *K = C && Place ? slotFor(*C, Place) : nullptr;
  if (K && stillSame(*K, Place))
    return K->Site;
#endif
  Stack S;
  if (C)
    S.Own = C->Own;
  _Unwind_Backtrace(visit, &S);
  uint64_t Site = hashOf(S, C);
#ifdef __x86_64__
  if (K)
    keep(*K, S, Place, Site);
#endif
  return Site;
}

} // namespace echo::dr

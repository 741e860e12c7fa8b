//===- Real.cpp - The interposed functions --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each look-up goes past this library: never RTLD_DEFAULT, and never through a
// dlsym that this library exports. What callers of CUDA get is kept by return
// address, in a table that needs no lock: a slot's two words prove each other.
// A function that one object alone exports is found without the loader, whose
// lock a thread may hold that waits for this one (in a library's constructor).
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Real.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/DynamicSection.h"
#include "runtime/dr/Objects.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/driver/Resolve.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" {
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
}

extern "C" int __cxa_atexit(void (*Run)(void *), void *Argument, void *Object);

namespace echo::dr {

bool isOwnCode(const void *Address) {
  auto *P = static_cast<const char *>(Address);
  return P >= __ehdr_start && P < _end;
}

// The bootstrap pool.

static constexpr size_t PoolBytes = 64 << 10;
alignas(16) static char Pool[PoolBytes];
static size_t PoolUsed;

bool isBootstrap(const void *Pointer) {
  auto *P = static_cast<const char *>(Pointer);
  return P >= Pool && P < Pool + PoolBytes;
}

/// Zeroed memory, preceded by its size, for realloc. Never given back.
static void *fromPool(size_t Align, size_t Bytes) {
  if (Align < 16)
    Align = 16;
  size_t Room = Bytes + Align + 16;
  if (Bytes > PoolBytes || Room > PoolBytes)
    return nullptr;
  size_t At = __atomic_fetch_add(&PoolUsed, (Room + 15) & ~size_t(15),
                                 __ATOMIC_RELAXED);
  if (At + Room > PoolBytes)
    return nullptr;
  auto Address = reinterpret_cast<uintptr_t>(Pool + At) + 16;
  Address = (Address + Align - 1) / Align * Align;
  auto *P = reinterpret_cast<char *>(Address);
  memcpy(P - sizeof Bytes, &Bytes, sizeof Bytes);
  HostRanges.suspect(P); // so that free looks closer
  return P;
}

static size_t poolSize(const void *Pointer) {
  size_t Bytes;
  memcpy(&Bytes, static_cast<const char *>(Pointer) - sizeof Bytes,
         sizeof Bytes);
  return Bytes;
}

// Before the first look-up: each function looks all of them up, then calls the
// real one. One that is asked for by the look-up itself gets the pool.

static int Resolving; ///< 0 not begun, 1 under way, 2 done; atomic

static bool ready() {
  resolveLibc();
  return __atomic_load_n(&Resolving, __ATOMIC_ACQUIRE) == 2;
}

static void *firstMalloc(size_t Bytes) {
  return ready() ? Libc.malloc(Bytes) : fromPool(16, Bytes);
}
static void *firstCalloc(size_t Count, size_t Bytes) {
  if (ready())
    return Libc.calloc(Count, Bytes);
  return Bytes && Count > PoolBytes / Bytes ? nullptr
                                            : fromPool(16, Count * Bytes);
}
static void *firstRealloc(void *Pointer, size_t Bytes) {
  if (ready())
    return Libc.realloc(Pointer, Bytes);
  void *Fresh = fromPool(16, Bytes);
  if (Fresh && isBootstrap(Pointer)) {
    size_t Old = poolSize(Pointer);
    memcpy(Fresh, Pointer, Old < Bytes ? Old : Bytes);
  }
  return Fresh;
}
static void firstFree(void *Pointer) {
  if (Pointer && !isBootstrap(Pointer) && ready())
    Libc.free(Pointer);
}
static void *firstMemalign(size_t Align, size_t Bytes) {
  return ready() ? Libc.memalign(Align, Bytes) : fromPool(Align, Bytes);
}
static void *firstAlignedAlloc(size_t Align, size_t Bytes) {
  return ready() ? Libc.aligned_alloc(Align, Bytes) : fromPool(Align, Bytes);
}
static int firstPosixMemalign(void **Out, size_t Align, size_t Bytes) {
  if (ready())
    return Libc.posix_memalign(Out, Align, Bytes);
  *Out = fromPool(Align, Bytes);
  return *Out ? 0 : 12 /* ENOMEM */;
}
static size_t firstUsableSize(void *Pointer) {
  if (isBootstrap(Pointer))
    return poolSize(Pointer);
  return Pointer && ready() ? Libc.malloc_usable_size(Pointer) : 0;
}

LibcFunctions Libc = {firstMalloc,        firstCalloc,    firstRealloc,
                      firstFree,          firstMemalign,  firstAlignedAlloc,
                      firstPosixMemalign, firstUsableSize};

void *systemDlsym(void *Handle, const char *Name) {
  DlsymFunction Find = realDlsym();
  return Find ? Find(Handle, Name) : nullptr;
}

void *next(const char *Name) {
  void *Found = systemDlsym(RTLD_NEXT, Name);
  return isOwnCode(Found) ? nullptr : Found;
}

template <class F> static void take(F *&Slot, const char *Name) {
  if (void *Found = next(Name))
    __atomic_store_n(&Slot, reinterpret_cast<F *>(Found), __ATOMIC_RELAXED);
}

static pthread_t Resolver;

void resolveLibc() {
  int Expected = 0;
  if (!__atomic_compare_exchange_n(&Resolving, &Expected, 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    // Another thread waits; the look-up's own calls do not.
    while (__atomic_load_n(&Resolving, __ATOMIC_ACQUIRE) == 1 &&
           !pthread_equal(Resolver, pthread_self()))
      usleep(10);
    return;
  }
  Resolver = pthread_self();
  LibcFunctions Found = {};
  take(Found.malloc, "malloc");
  take(Found.calloc, "calloc");
  take(Found.realloc, "realloc");
  take(Found.free, "free");
  take(Found.memalign, "memalign");
  take(Found.aligned_alloc, "aligned_alloc");
  take(Found.posix_memalign, "posix_memalign");
  take(Found.malloc_usable_size, "malloc_usable_size");
  Libc = Found;
  __atomic_store_n(&Resolving, 2, __ATOMIC_RELEASE);
}

bool mallocIsLibcs() {
  struct {
    const char *Name;
    void *Next;
  } const Family[] = {
      {"malloc", reinterpret_cast<void *>(Libc.malloc)},
      {"free", reinterpret_cast<void *>(Libc.free)},
      {"calloc", reinterpret_cast<void *>(Libc.calloc)},
      {"realloc", reinterpret_cast<void *>(Libc.realloc)},
      {"posix_memalign", reinterpret_cast<void *>(Libc.posix_memalign)}};
  void *Handle = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!Handle)
    return false;
  bool Same = true;
  for (const auto &F : Family)
    Same &= F.Next == systemDlsym(Handle, F.Name) &&
            isOwnCode(systemDlsym(RTLD_DEFAULT, F.Name));
  (void)systemDlclose(Handle); // it stays loaded
  // Of jemalloc: programs that find it free what malloc gave by it.
  Same &= !systemDlsym(RTLD_DEFAULT, "sdallocx");
  (void)dlerror(); // the program has asked for nothing yet
  return Same;
}

// CUDA's functions, by caller.

static constexpr size_t NumSlots = 1024;
struct Slot {
  uintptr_t Key;   ///< (caller ^ name) ^ value
  uintptr_t Value; ///< the function
};
static Slot Slots[NumSlots];
static uint32_t Unloads;

uint32_t unloads() { return __atomic_load_n(&Unloads, __ATOMIC_ACQUIRE); }

void forgetCallers() {
  __atomic_fetch_add(&Unloads, 1, __ATOMIC_ACQ_REL);
  for (Slot &S : Slots) {
    __atomic_store_n(&S.Key, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&S.Value, 0, __ATOMIC_RELAXED);
  }
}

int systemDlclose(void *Handle) {
  static int (*Known)(void *); // every thread would store the same
  auto *Real = __atomic_load_n(&Known, __ATOMIC_RELAXED);
  if (!Real) {
    Real = nextFunction<int(void *)>("dlclose");
    __atomic_store_n(&Known, Real, __ATOMIC_RELAXED);
  }
  return Real ? Real(Handle) : -1;
}

/// \p Name as an object of this process and what it depends on have it.
static void *inObject(const char *Object, const char *Name) {
  void *Handle = dlopen(Object, RTLD_LAZY | RTLD_NOLOAD);
  if (!Handle)
    return nullptr;
  void *Found = systemDlsym(Handle, Name);
  // The caller keeps its object loaded, so nothing is unloaded here.
  (void)systemDlclose(Handle);
  return isOwnCode(Found) ? nullptr : Found;
}

static bool isCudart(const dl_phdr_info &Info) {
  return isNamed(Info, "libcudart.so") || isNamed(Info, "libcudart-");
}

struct Search {
  char Path[1024];
};

/// The first CUDA runtime that is loaded, in whatever scope.
static int findCudart(dl_phdr_info *Info, size_t, void *Data) {
  auto *S = static_cast<Search *>(Data);
  if (!isCudart(*Info))
    return 0;
  strncpy(S->Path, Info->dlpi_name, sizeof S->Path - 1);
  return 1;
}

static bool Ends; ///< atomic

bool exitBegan() { return __atomic_load_n(&Ends, __ATOMIC_ACQUIRE); }

static void noteEnd(void *) { __atomic_store_n(&Ends, true, __ATOMIC_RELEASE); }

/// Has the end noted before the loader's own part of it, which runs libraries'
/// destructors: what is registered once the program runs comes before that.
/// What the loader calls earlier registers in vain, so that this is done again.
static void awaitEnd() {
  if (!exitBegan())
    (void)__cxa_atexit(noteEnd, nullptr, nullptr);
}

namespace {
/// Who exports a function of this name.
struct Definitions {
  const char *Name;
  void *Ours = nullptr; ///< this library's
  void *Sole = nullptr; ///< of the one other object that does; null: several
  bool Others = false;
};
} // namespace

/// Does not enter the loader: only its list of objects is read.
static Definitions definitionsOf(const char *Name) {
  Definitions All = {Name};
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto &D = *static_cast<Definitions *>(Data);
        void *Its = DynamicSection(*Info).function(D.Name);
        if (isOwnCode(Its)) {
          D.Ours = Its;
        } else if (Its) {
          D.Sole = D.Others ? nullptr : Its;
          D.Others = true;
        }
        return 0;
      },
      &All);
  return All;
}

/// \p Name as the code at \p Caller would find it. The program itself has the
/// empty name: its scope begins with the preloaded libraries, so for it the
/// next function is the one.
static void *inScopeOf(const void *Caller, const char *Name) {
  Dl_info Info;
  void *Found = nullptr;
  if (!isOwnCode(Caller) && dladdr(Caller, &Info) && Info.dli_fname)
    Found = inObject(Info.dli_fname, Name);
  return Found ? Found : next(Name);
}

/// A handle's function becomes this library's, as in linked calls, where one
/// object alone has the name: then this library's calls it, whoever calls. What
/// another one does only the driver's interposer sees. This library's symbol
/// stands for another only where there is one.
bool runtimeDlsym(void *Handle, const char *Name, const void *Caller,
                  void *&Answer) {
  if (Handle == RTLD_NEXT)
    return false; // depends on the caller's place
  bool Unseen = false;
  {
    Inside Own;
    const Definitions D = definitionsOf(Name);
    const bool Anywhere = Handle == RTLD_DEFAULT;
    if (!D.Ours || (Anywhere && inScopeOf(Caller, Name)))
      return false; // the real one sees this library's first
    if (!Anywhere)
      Answer = systemDlsym(Handle, Name);
    if (Anywhere || (Answer == D.Ours && !next(Name)))
      Answer = systemDlsym(RTLD_NEXT, Name); // null, with dlerror's message
    else if (Answer && Answer == D.Sole && !staysOff())
      Answer = D.Ours;
    else if (Answer && Answer != D.Ours && !staysOff())
      Unseen = !realDriverFunction("cuInit");
  }
  if (Unseen)
    dropOut(nullptr, Reason::External);
  return true;
}

static void *lookUp(const char *Name, void *Caller) {
  awaitEnd();
  if (void *Sole = definitionsOf(Name).Sole)
    return Sole;
  void *Found = exitBegan() ? next(Name) : nullptr;
  if (Found)
    return Found;
  Found = inScopeOf(Caller, Name);
  Search S = {};
  if (!Found && dl_iterate_phdr(findCudart, &S))
    Found = inObject(S.Path, Name);
  // It must stay as long as this library may call it.
  Dl_info Info;
  if (Found && dladdr(Found, &Info) && Info.dli_fname)
    (void)dlopen(Info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  return Found;
}

void *realFunction(const char *Name, void *Caller) {
  uintptr_t Who = reinterpret_cast<uintptr_t>(Caller) ^
                  (reinterpret_cast<uintptr_t>(Name) << 20);
  Slot &S = Slots[(Who * 0x9e3779b97f4a7c15ull) >> 54];
  // Who finds another thread's answer sees that library as it was loaded.
  uintptr_t Key = __atomic_load_n(&S.Key, __ATOMIC_ACQUIRE);
  uintptr_t Value = __atomic_load_n(&S.Value, __ATOMIC_RELAXED);
  if (Value && (Key ^ Value) == Who)
    return reinterpret_cast<void *>(Value);
  Inside Own;
  void *Found = lookUp(Name, Caller);
  if (Found) {
    Value = reinterpret_cast<uintptr_t>(Found);
    __atomic_store_n(&S.Value, Value, __ATOMIC_RELAXED);
    __atomic_store_n(&S.Key, Who ^ Value, __ATOMIC_RELEASE);
  }
  return Found;
}

} // namespace echo::dr

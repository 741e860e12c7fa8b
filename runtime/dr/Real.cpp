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

static bool isCudart(const char *Path) {
  const char *Slash = strrchr(Path, '/');
  return !strncmp(Slash ? Slash + 1 : Path, "libcudart.so", 12) ||
         !strncmp(Slash ? Slash + 1 : Path, "libcudart-", 10);
}

struct Search {
  char Path[1024];
};

/// The first CUDA runtime that is loaded, in whatever scope.
static int findCudart(dl_phdr_info *Info, size_t, void *Data) {
  auto *S = static_cast<Search *>(Data);
  if (!Info->dlpi_name || !isCudart(Info->dlpi_name))
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
struct Definitions {
  const char *Name;
  void *Found; ///< null if several objects have one
  bool Any;
};
} // namespace

static const ElfW(Dyn) * dynamicSection(const dl_phdr_info &Info) {
  for (unsigned I = 0; I != Info.dlpi_phnum; ++I)
    if (Info.dlpi_phdr[I].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn) *>(Info.dlpi_addr +
                                                 Info.dlpi_phdr[I].p_vaddr);
  return nullptr;
}

static int findDefinition(dl_phdr_info *Info, size_t, void *Data) {
  auto &D = *static_cast<Definitions *>(Data);
  const ElfW(Dyn) *Section = dynamicSection(*Info);
  void *Its = Section
                  ? DynamicSection(Info->dlpi_addr, Section).function(D.Name)
                  : nullptr;
  if (!Its || isOwnCode(Its))
    return 0;
  D.Found = D.Any ? nullptr : Its;
  D.Any = true;
  return D.Found == nullptr; // the second one ends the search
}

void *soleDefinition(const char *Name) {
  Definitions D = {Name, nullptr, false};
  dl_iterate_phdr(findDefinition, &D);
  return D.Found;
}

static int findOwn(dl_phdr_info *Info, size_t, void *Data) {
  const ElfW(Dyn) *Section = dynamicSection(*Info);
  if (!Section || !isOwnCode(Section))
    return 0;
  auto &D = *static_cast<Definitions *>(Data);
  D.Found = DynamicSection(Info->dlpi_addr, Section).function(D.Name);
  return 1;
}

/// The function of this name that this library exports, or null.
static void *ownDefinition(const char *Name) {
  Definitions D = {Name, nullptr, false};
  dl_iterate_phdr(findOwn, &D);
  return D.Found;
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

namespace {
enum class FoundBy { Real, Ours, Unseen };
} // namespace

/// Who the program calls by what the real look-up in \p Handle finds, which
/// \p Answer gets; by Unseen what it calls is seen only by its driver.
static FoundBy lookUpIn(void *Handle, const char *Name, void *Ours,
                        void *&Answer) {
  Inside Own;
  Answer = systemDlsym(Handle, Name);
  if (Answer == Ours && !next(Name))
    Answer = systemDlsym(RTLD_NEXT, Name); // null, with dlerror's message
  if (!Answer || Answer == Ours || staysOff())
    return FoundBy::Real;
  if (soleDefinition(Name) == Answer)
    return FoundBy::Ours;
  return realDriverFunction("cuInit") ? FoundBy::Real : FoundBy::Unseen;
}

/// A handle's function becomes this library's, as in linked calls, where one
/// object alone has the name: then this library's calls it, whoever calls. This
/// library's symbol stands for another only where there is one.
bool runtimeDlsym(void *Handle, const char *Name, const void *Caller,
                  void *&Answer) {
  void *Ours = Handle == RTLD_NEXT ? nullptr : ownDefinition(Name);
  if (!Ours)
    return false; // or depends on the caller's place
  if (Handle == RTLD_DEFAULT) {
    Inside Own;
    if (inScopeOf(Caller, Name))
      return false; // the real one sees this library's first
    Answer = systemDlsym(RTLD_NEXT, Name); // null, with dlerror's message
    return true;
  }
  const FoundBy By = lookUpIn(Handle, Name, Ours, Answer);
  if (By == FoundBy::Ours)
    Answer = Ours;
  else if (By == FoundBy::Unseen)
    dropOut(nullptr, Reason::External);
  return true;
}

static void *lookUp(const char *Name, void *Caller) {
  awaitEnd();
  if (void *Sole = soleDefinition(Name))
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

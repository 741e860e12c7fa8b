//===- Resolve.cpp - Whom the program would have called -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules, each from a hook that got it wrong:
//   - a handle names an object of the program's choice: what the real look-up
//     finds there decides, and only the driver's own functions are wrapped;
//   - a runtime's function by a handle becomes Echo's, as the program's linked
//     calls do, unless two runtimes have the name;
//   - RTLD_NEXT and RTLD_DEFAULT depend on the caller's place: the real dlsym
//     is entered by a jump, so that it sees the program's return address;
//   - the driver itself looks up its own names (on WSL it is two libraries):
//     what it asks for is answered as without Echo;
//   - one name has many signatures (version) and variants (flags); a version
//     that the table does not know is passed on, and every buffer drops out;
//   - null arguments and empty names are the program's right.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/driver/Resolve.h"
#include "runtime/abi/Variables.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Objects.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/Surroundings.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

namespace echo::dr {

static DlsymFunction RealDlsym;
/// The driver's function of each entry, once the program or Echo found it.
void *DriverFunctions[NumDriverRows][2];

static void *load(void **Place) {
  return __atomic_load_n(Place, __ATOMIC_ACQUIRE);
}

DlsymFunction realDlsym() {
  DlsymFunction F = __atomic_load_n(&RealDlsym, __ATOMIC_ACQUIRE);
  if (F)
    return F;
  // In the order of the platforms' base versions; 2.34 moved it to libc.
  static const char *const Versions[] = {"GLIBC_2.34", "GLIBC_2.17",
                                         "GLIBC_2.2.5"};
  for (const char *Version : Versions) {
    F = reinterpret_cast<DlsymFunction>(dlvsym(RTLD_NEXT, "dlsym", Version));
    if (F)
      break;
  }
  __atomic_store_n(&RealDlsym, F, __ATOMIC_RELEASE);
  return F;
}

/// True for the driver, and for WSL's and Tegra's second parts of it.
static bool isDriver(const dl_phdr_info &Info) {
  return isNamed(Info, "libcuda.so") || isNamed(Info, "libcuda_");
}

/// True if \p Address lies in a loaded object that \p Is true for. Not by
/// dladdr, whose lock another thread may hold that waits for this one.
template <bool (*Is)(const dl_phdr_info &)>
static bool liesIn(const void *Address) {
  return Address && dl_iterate_phdr(
                        [](dl_phdr_info *Info, size_t, void *Data) {
                          if (!holds(*Info, reinterpret_cast<uintptr_t>(Data)))
                            return 0;
                          return Is(*Info) ? 1 : -1;
                        },
                        const_cast<void *>(Address)) == 1;
}

bool isDriverAddress(const void *Address) { return liesIn<isDriver>(Address); }

/// The driver, if it is loaded. The handle is kept: the driver never leaves.
/// Where it is not there, the loader is not asked: it would look for it in many
/// folders, and wait for a library's constructor that waits for this thread.
/// The list is read again only once something else was loaded.
static void *driverHandle() {
  static void *Handle;
  static unsigned long long ReadAt; ///< objects that had ever been loaded
  void *Found = load(&Handle);
  if (Found || exitBegan())
    return Found;
  unsigned long long Now = 0;
  const int Is = dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Now) {
        *static_cast<unsigned long long *>(Now) = Info->dlpi_adds;
        if (Info->dlpi_adds == __atomic_load_n(&ReadAt, __ATOMIC_RELAXED))
          return -1;
        return isDriver(*Info) ? 1 : 0;
      },
      &Now);
  if (!Is)
    __atomic_store_n(&ReadAt, Now, __ATOMIC_RELAXED);
  if (Is != 1)
    return nullptr;
  Found = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (Found)
    __atomic_store_n(&Handle, Found, __ATOMIC_RELEASE);
  return Found;
}

void *realDriverFunction(const char *Symbol) {
  void *Handle = driverHandle();
  DlsymFunction Find = realDlsym();
  return Handle && Find ? Find(Handle, Symbol) : nullptr;
}

void *realDriverFunction(DriverEntry Entry) {
  void **Place = &DriverFunctions[Entry.Row][Entry.PerThread];
  if (void *Known = load(Place))
    return Known;
  char Name[96];
  void *Found = realDriverFunction(driverSymbol(Entry, Name, sizeof Name));
  if (Found)
    __atomic_store_n(Place, Found, __ATOMIC_RELEASE);
  return Found;
}

/// Notes that \p Function is the driver's for \p Entry; the first one stays.
static void *wrap(DriverEntry Entry, void *Function) {
  void *Wrapper = driverWrapper(Entry);
  void *Expected = nullptr;
  // A driver that is bound to Echo's symbols itself may answer with them.
  if (Function != Wrapper)
    __atomic_compare_exchange_n(&DriverFunctions[Entry.Row][Entry.PerThread],
                                &Expected, Function, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
  return Wrapper;
}

} // namespace echo::dr

using namespace echo::dr;

namespace {

using ProcAddress = int (*)(const char *, void **, int, uint64_t);
using ProcAddress2 = int (*)(const char *, void **, int, uint64_t, int *);

constexpr int NotFound = 500; // CUDA_ERROR_NOT_FOUND
constexpr uint64_t PerThreadFlag = 2;
constexpr int NewestKnown = 13000;

ProcAddress RealProcAddress;
ProcAddress2 RealProcAddress2;

template <class F> F knownOr(F *Place, const char *Symbol) {
  F Known = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  if (Known)
    return Known;
  Known = reinterpret_cast<F>(realDriverFunction(Symbol));
  if (Known)
    __atomic_store_n(Place, Known, __ATOMIC_RELEASE);
  return Known;
}

} // namespace

INTERPOSED int cuGetProcAddress(const char *, void **, int, uint64_t);
INTERPOSED int cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);

/// The two look-ups themselves, which the table does not hold.
static void *wrapLookUp(const char *Symbol, void *Function) {
  const bool Second = !strcmp(Symbol, "cuGetProcAddress_v2");
  void *Own = Second ? reinterpret_cast<void *>(&cuGetProcAddress_v2)
                     : reinterpret_cast<void *>(&cuGetProcAddress);
  if (Function == Own)
    return Own;
  if (Second)
    __atomic_store_n(&RealProcAddress2,
                     reinterpret_cast<ProcAddress2>(Function),
                     __ATOMIC_RELEASE);
  else
    __atomic_store_n(&RealProcAddress, reinterpret_cast<ProcAddress>(Function),
                     __ATOMIC_RELEASE);
  return Own;
}

/// Whether the driver answered a look-up with the per-thread variant: told by
/// the address where the variants differ, else by the flags.
static bool isPerThread(DriverEntry Legacy, const void *Function,
                        uint64_t Flags) {
  char Name[96];
  DriverEntry Other{Legacy.Row, true};
  if (DriverRows[Legacy.Row].Suffix == Variant::none)
    return false;
  void *A = realDriverFunction(driverSymbol(Legacy, Name, sizeof Name));
  void *B = realDriverFunction(driverSymbol(Other, Name, sizeof Name));
  if (A != B && (Function == A || Function == B))
    return Function == B;
  return Flags & PerThreadFlag;
}

/// What the program gets for the driver's answer \p Function.
template <class Again>
static void *answer(const char *Base, int Version, uint64_t Flags,
                    void *Function, Again AskAgain) {
  if (!strcmp(Base, "cuGetProcAddress"))
    return wrapLookUp(
        Version < 12000 ? "cuGetProcAddress" : "cuGetProcAddress_v2", Function);
  DriverEntry Entry = driverEntryByProc(Base, Version, Flags & PerThreadFlag);
  if (!Entry)
    return Function;
  if (Version > NewestKnown && AskAgain(NewestKnown) != Function) {
    dropOut(nullptr, Reason::Unknown); // a signature of a newer CUDA
    return Function;
  }
  Entry.PerThread = isPerThread({Entry.Row, false}, Function, Flags);
  return wrap(Entry, Function);
}

INTERPOSED int cuGetProcAddress(const char *Symbol, void **Function,
                                int Version, uint64_t Flags) {
  ProcAddress Find = knownOr(&RealProcAddress, "cuGetProcAddress");
  if (!Find)
    return NotFound;
  const int Status = Find(Symbol, Function, Version, Flags);
  if (Status || staysOff() || !Symbol || !Function || !*Function ||
      isDriverAddress(__builtin_return_address(0)))
    return Status;
  *Function = answer(Symbol, Version, Flags, *Function, [&](int Older) {
    void *Again = nullptr;
    return Find(Symbol, &Again, Older, Flags) ? nullptr : Again;
  });
  return Status;
}

INTERPOSED int cuGetProcAddress_v2(const char *Symbol, void **Function,
                                   int Version, uint64_t Flags, int *Found) {
  ProcAddress2 Find = knownOr(&RealProcAddress2, "cuGetProcAddress_v2");
  if (!Find)
    return NotFound;
  const int Status = Find(Symbol, Function, Version, Flags, Found);
  if (Status || staysOff() || !Symbol || !Function || !*Function ||
      isDriverAddress(__builtin_return_address(0)))
    return Status;
  *Function = answer(Symbol, Version, Flags, *Function, [&](int Older) {
    void *Again = nullptr;
    int Ignored = 0;
    return Find(Symbol, &Again, Older, Flags, &Ignored) ? nullptr : Again;
  });
  return Status;
}

/// True if Echo's answer to a look-up of \p Name may differ from the real one.
static bool concerns(const char *Name) {
  return Name && Name[0] == 'c' && Name[1] == 'u' &&
         (driverEntryBySymbol(Name) || !strcmp(Name, "cuGetProcAddress") ||
          !strcmp(Name, "cuGetProcAddress_v2"));
}

static bool isRuntimeName(const char *Name) {
  return Name && !strncmp(Name, "cuda", 4);
}

/// True if \p Name is one of the C library's list of variables.
static bool isEnviron(const char *Name) {
  return Name && (*Name == '_' || *Name == 'e') &&
         (!strcmp(Name, "environ") || !strcmp(Name, "_environ") ||
          !strcmp(Name, "__environ"));
}

static bool isLibc(const dl_phdr_info &Info) {
  return isNamed(Info, "libc.so");
}

/// What the program gets that asked the C library itself for \p Name, and would
/// get \p Found: Echo's own of that name, but for what allocates.
static void *insteadOfLibcs(const char *Name, void *Found) {
  if (staysOff() || !Name || isOwnCode(Found) || strstr(Name, "alloc") ||
      strstr(Name, "free") || strstr(Name, "memalign") ||
      !liesIn<isLibc>(Found))
    return Found;
  static void *Own;
  void *Here = load(&Own);
  if (!Here) {
    Dl_info Info;
    if (!dladdr(reinterpret_cast<void *>(&insteadOfLibcs), &Info))
      return Found;
    Here = dlopen(Info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    __atomic_store_n(&Own, Here, __ATOMIC_RELEASE);
  }
  void *Mine = Here ? realDlsym()(Here, Name) : nullptr;
  return Mine && isOwnCode(Mine) ? Mine : Found;
}

/// True for a handle of one library, which Echo's symbols are not found by.
static bool isOfLibrary(const void *Handle) {
  return Handle != RTLD_DEFAULT && Handle != RTLD_NEXT;
}

INTERPOSED void *dlsym(void *Handle, const char *Name) {
  DlsymFunction Find = realDlsym();
  if (__builtin_expect(isEnviron(Name), 0))
    variableAsked(AllVariablesName, __builtin_return_address(0));
  void *Answer = nullptr;
  if (isRuntimeName(Name) &&
      runtimeDlsym(Handle, Name, __builtin_return_address(0), Answer))
    return Answer;
  if (!concerns(Name) && isOfLibrary(Handle) &&
      !isDriverAddress(__builtin_return_address(0)))
    return insteadOfLibcs(Name, Find(Handle, Name));
  // The real one finds Echo's exported wrappers by itself where the program's
  // search order has them, and must see who asks.
  if (!concerns(Name) || Handle == RTLD_NEXT)
    MUST_TAIL return Find(Handle, Name);
  void *Found = Find(Handle, Name);
  if (!Found || staysOff())
    return Found;
  if (isDriverAddress(__builtin_return_address(0)))
    return isDriverAddress(Found) ? Found : realDriverFunction(Name);
  DriverEntry Entry = driverEntryBySymbol(Name);
  if (isDriverAddress(Found))
    return Entry ? wrap(Entry, Found) : wrapLookUp(Name, Found);
  // RTLD_DEFAULT, or a handle of the whole program: Echo's own symbol, which
  // stands for the driver's only where there is one.
  void *Own = Entry      ? driverWrapper(Entry)
              : Name[16] ? reinterpret_cast<void *>(&cuGetProcAddress_v2)
                         : reinterpret_cast<void *>(&cuGetProcAddress);
  if (Found == Own && !realDriverFunction(Name))
    return Find(RTLD_NEXT, Name); // null, with the message for dlerror
  return Found;
}

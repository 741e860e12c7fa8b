//===- OwnFunctions.cpp - Functions under a library's name ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the dynamic linker in which file each function is. In a program that is
// linked statically all of them are the program's own.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/OwnFunctions.h"
#include "runtime/abi/SystemFiles.h"
#include "runtime/rt/CudaDecls.h"

#include <link.h>
#include <string.h>

// The sanitizers define the library's functions again, and call those.
#define SANITIZER(init) extern "C" __attribute__((weak)) void init()
SANITIZER(__asan_init);
SANITIZER(__hwasan_init);
SANITIZER(__msan_init);
SANITIZER(__tsan_init);
SANITIZER(__lsan_init);
SANITIZER(__rtsan_init);

namespace echo::rt {

/// True if \p Path lies in the folder of the process's C library.
static bool isBesideC(const char *Path) {
  struct Places {
    const char *Path;
    bool Beside;
  } P = {Path, false};
  dl_iterate_phdr(
      [](dl_phdr_info *File, size_t, void *Data) {
        auto *P = static_cast<Places *>(Data);
        static const char *const C[] = {"libc"};
        const char *End = strrchr(File->dlpi_name, '/');
        const char *Mine = strrchr(P->Path, '/');
        if (!End || !isLibraryOf(C, File->dlpi_name))
          return 0;
        const size_t Length = End - File->dlpi_name;
        P->Beside = Mine && size_t(Mine - P->Path) == Length &&
                    !strncmp(P->Path, File->dlpi_name, Length);
        return 1;
      },
      &P);
  return P.Beside;
}

bool isOfSystem(const char *Path) {
  // The processor's name follows.
  static const char *const Starts[] = {"ld-linux-", "ld-linux.so", "ld-musl-",
                                       "libc.musl-", "libclang_rt."};
  const char *Slash = strrchr(Path, '/');
  const char *File = Slash ? Slash + 1 : Path;
  for (const char *Start : Starts)
    if (!strncmp(File, Start, strlen(Start)))
      return true;
  return isLibraryOf(SystemLibraries, Path) ||
         (isLibraryOf(LibrariesBesideC, Path) &&
          (isInSystemFolder(Path) || isBesideC(Path)));
}

namespace {
struct Search {
  const EchoFunction *Functions;
  bool Wrapped, WithNew;
  const char *Own;
};
} // namespace

/// True if \p Function lies in \p File.
static bool isIn(const dl_phdr_info &File, const void *Function) {
  auto At = reinterpret_cast<uintptr_t>(Function) - File.dlpi_addr;
  for (int I = 0; I != File.dlpi_phnum; ++I) {
    const auto &Part = File.dlpi_phdr[I];
    if (Part.p_type == PT_LOAD && At - Part.p_vaddr < Part.p_memsz)
      return true;
  }
  return false;
}

/// Looks for the functions in one file of the process; ends with the first.
static int lookInto(dl_phdr_info *File, size_t, void *Data) {
  auto *S = static_cast<Search *>(Data);
  if (isOfSystem(File->dlpi_name) ||
      isLibraryOf(CudaLibraries, File->dlpi_name))
    return 0;
  // The runtime and CUDA's libraries may be linked statically. Then the linker
  // lets nobody else define what one of their objects does.
  const bool HasCuda =
      !S->Wrapped &&
      isIn(*File, reinterpret_cast<const void *>(&cudaDeviceGetAttribute));
  bool LeftOut = false;
  for (const EchoFunction *F = S->Functions; F->name; ++F) {
    LeftOut |= !*F->name;
    const bool MayBeCudas = HasCuda && (!strncmp(F->name, "cu", 2) ||
                                        !strncmp(F->name, "__cuda", 6));
    const bool IsUnused = !S->WithNew && (!strncmp(F->name, "_Zn", 3) ||
                                          !strncmp(F->name, "_Zd", 3));
    const bool NoMatter = LeftOut && (MayBeCudas || IsUnused);
    if (*F->name && !NoMatter && isIn(*File, F->address)) {
      S->Own = F->name;
      return 1;
    }
  }
  return 0;
}

const char *ownFunction(const EchoFunction *Functions, bool Wrapped,
                        bool WithNew) {
  bool Sanitized = __asan_init || __hwasan_init || __msan_init || __tsan_init ||
                   __lsan_init || __rtsan_init;
  if (!Functions || Sanitized)
    return nullptr;
  Search S = {Functions, Wrapped, WithNew, nullptr};
  dl_iterate_phdr(lookInto, &S);
  return S.Own;
}

} // namespace echo::rt

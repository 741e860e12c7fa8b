//===- OwnFunctions.cpp - Functions under a library's name ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the dynamic linker in which file each function is. In a program that is
// linked statically all of them are the program's own.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/OwnFunctions.h"

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

/// True if \p Rest, which follows the name of a library, begins with its suffix
/// or its version, as in libm.so.6 and libm-2.36.so.
static bool endsName(const char *Rest) {
  return !strncmp(Rest, ".so", 3) ||
         (Rest[0] == '-' && Rest[1] >= '0' && Rest[1] <= '9');
}

bool isOfSystem(const char *Path) {
  static const char *const Names[] = {
      "libc",        "libm",         "libmvec",
      "libpthread",  "librt",        "libdl",
      "libresolv",   "libutil",      "ld",
      "linux-vdso",  "linux-gate",   "libstdc++",
      "libc++",      "libc++abi",    "libgcc_s",
      "libjemalloc", "libtcmalloc",  "libtcmalloc_minimal",
      "libmimalloc", "libtbbmalloc", "libtbbmalloc_proxy",
      "libasan",     "libtsan",      "libhwasan",
      "liblsan"};
  // The processor's name follows.
  static const char *const Starts[] = {"ld-linux-", "ld-linux.so", "ld-musl-",
                                       "libc.musl-", "libclang_rt."};
  const char *Slash = strrchr(Path, '/');
  const char *File = Slash ? Slash + 1 : Path;
  for (const char *Name : Names)
    if (!strncmp(File, Name, strlen(Name)) && endsName(File + strlen(Name)))
      return true;
  for (const char *Start : Starts)
    if (!strncmp(File, Start, strlen(Start)))
      return true;
  return false;
}

namespace {
struct Search {
  const EchoFunction *Functions;
  const char *Own;
};
} // namespace

/// Looks for the functions in one file of the process; ends with the first.
static int lookInto(dl_phdr_info *File, size_t, void *Data) {
  auto *S = static_cast<Search *>(Data);
  if (isOfSystem(File->dlpi_name))
    return 0;
  for (const EchoFunction *F = S->Functions; F->name; ++F) {
    auto At = reinterpret_cast<uintptr_t>(F->address) - File->dlpi_addr;
    for (int I = 0; I != File->dlpi_phnum; ++I) {
      const auto &Part = File->dlpi_phdr[I];
      if (Part.p_type == PT_LOAD && At - Part.p_vaddr < Part.p_memsz) {
        S->Own = F->name;
        return 1;
      }
    }
  }
  return 0;
}

const char *ownFunction(const EchoFunction *Functions) {
  bool Sanitized = __asan_init || __hwasan_init || __msan_init || __tsan_init ||
                   __lsan_init || __rtsan_init;
  if (!Functions || Sanitized)
    return nullptr;
  Search S = {Functions, nullptr};
  dl_iterate_phdr(lookInto, &S);
  return S.Own;
}

} // namespace echo::rt

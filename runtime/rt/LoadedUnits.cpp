//===- LoadedUnits.cpp - What the files of the process may do -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the dynamic symbols of each file, once for each set of files.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/LoadedUnits.h"
#include "runtime/abi/EchoRt.h"
#include "runtime/abi/SystemFiles.h"
#include "runtime/rt/CudaDecls.h"
#include "runtime/rt/OwnFunctions.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

// LinkedBy.cpp, which echo-cc adds, takes the place of this one.
extern "C" const unsigned char echort_linked_by;
__attribute__((weak)) const unsigned char echort_linked_by = 0;

namespace echo::rt {

Linked howLinked() { return static_cast<Linked>(echort_linked_by); }

namespace {
struct Name {
  const char *Text;
  uint32_t Broken;
};

/// What one file asks the dynamic linker for.
struct Imports {
  uint32_t Broken = 0;
  bool Cuda = false;    ///< functions of CUDA's runtime
  bool Lookups = false; ///< functions by their names
};
} // namespace

/// Sorted by text.
static constexpr Name Names[] = {
#define ECHO_BREAKS(Text, Flags) {Text, Flags},
#include "runtime/abi/PremiseNames.def"
};

/// All but that of --wrap, which OwnFunctions.h sees.
static constexpr uint32_t All = ~0u & ~ECHO_RELIES_wrapped;

static int compareNames(const void *Text, const void *Row) {
  return strcmp(static_cast<const char *>(Text),
                static_cast<const Name *>(Row)->Text);
}

/// What a CUDA runtime inside of a file may do, which no symbol shows.
static uint32_t brokenByHiddenCuda() {
  uint32_t Broken = 0;
  for (const Name &N : Names)
    if (!strncmp(N.Text, "cu", 2))
      Broken |= N.Broken;
  return Broken;
}

static void addName(const char *Text, bool Undefined, Imports &I) {
  if (Undefined) {
    I.Cuda |= !strncmp(Text, "cuda", 4) || !strncmp(Text, "__cuda", 6);
    I.Lookups |= !strcmp(Text, "dlsym") || !strcmp(Text, "dlvsym");
  }
  // What is defined counts, too: a program has copies of others' variables.
  const void *Row = bsearch(Text, Names, sizeof Names / sizeof *Names,
                            sizeof *Names, compareNames);
  if (Row)
    I.Broken |= static_cast<const Name *>(Row)->Broken;
}

/// How many symbols the table has that GNU hash table \p Hash is of.
static uint32_t countHashed(const uint32_t *Hash) {
  const uint32_t NumBuckets = Hash[0], First = Hash[1], BloomWords = Hash[2];
  const auto *Buckets =
      Hash + 4 + BloomWords * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t *Chains = Buckets + NumBuckets;
  uint32_t Last = 0;
  for (uint32_t I = 0; I != NumBuckets; ++I)
    Last = Buckets[I] > Last ? Buckets[I] : Last;
  if (Last < First)
    return First;
  while (!(Chains[Last - First] & 1))
    ++Last;
  return Last + 1;
}

/// Reads what \p File asks for; false if it has no table of that.
static bool readImports(const dl_phdr_info &File, Imports &I) {
  const ElfW(Dyn) *Dynamic = nullptr;
  for (int P = 0; P != File.dlpi_phnum; ++P)
    if (File.dlpi_phdr[P].p_type == PT_DYNAMIC)
      Dynamic = reinterpret_cast<const ElfW(Dyn) *>(File.dlpi_addr +
                                                    File.dlpi_phdr[P].p_vaddr);
  if (!Dynamic)
    return false;
  // The dynamic linker has made addresses of these, where it may write.
  auto At = [&](ElfW(Addr) Value) {
    return Value < File.dlpi_addr ? Value + File.dlpi_addr : Value;
  };
  const ElfW(Sym) *Symbols = nullptr;
  const char *Strings = nullptr;
  uint32_t Count = 0;
  for (; Dynamic->d_tag != DT_NULL; ++Dynamic) {
    const ElfW(Addr) Value = At(Dynamic->d_un.d_ptr);
    if (Dynamic->d_tag == DT_SYMTAB)
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Value);
    else if (Dynamic->d_tag == DT_STRTAB)
      Strings = reinterpret_cast<const char *>(Value);
    else if (Dynamic->d_tag == DT_GNU_HASH)
      Count = countHashed(reinterpret_cast<const uint32_t *>(Value));
    else if (Dynamic->d_tag == DT_HASH)
      Count = reinterpret_cast<const uint32_t *>(Value)[1];
  }
  if (!Symbols || !Strings || !Count)
    return false;
  for (uint32_t S = 1; S < Count; ++S)
    addName(Strings + Symbols[S].st_name, Symbols[S].st_shndx == SHN_UNDEF, I);
  return true;
}

static bool holds(const dl_phdr_info &File, const void *Address) {
  const auto Offset = reinterpret_cast<uintptr_t>(Address) - File.dlpi_addr;
  for (int P = 0; P != File.dlpi_phnum; ++P) {
    const auto &Part = File.dlpi_phdr[P];
    if (Part.p_type == PT_LOAD && Offset - Part.p_vaddr < Part.p_memsz)
      return true;
  }
  return false;
}

static bool isTrusted(const char *Path) {
  char Real[PATH_MAX];
  return isOfSystem(Path) || isLibraryOf(CudaLibraries, Path) ||
         (*Path && realpath(Path, Real) && isInSystemFolder(Real));
}

static int lookInto(dl_phdr_info *File, size_t, void *Data) {
  auto &Broken = *static_cast<uint32_t *>(Data);
  if (isTrusted(File->dlpi_name))
    return 0;
  const bool Own = holds(*File, &echort_linked_by);
  if (Own && howLinked() != Linked::ByOthers)
    return 0; // the link looked
  Imports I;
  if (!readImports(*File, I)) {
    Broken |= All;
    return 0;
  }
  Broken |= I.Broken;
  // A static CUDA runtime looks the driver's functions up. echort does, too,
  // but has the runtime's from elsewhere.
  if (holds(*File, reinterpret_cast<const void *>(&cudaFree)) ||
      (I.Lookups && !I.Cuda && howLinked() != Linked::AsProgram))
    Broken |= brokenByHiddenCuda();
  return 0;
}

/// Changes with each file that is loaded or unloaded.
static int askFiles(dl_phdr_info *File, size_t, void *Data) {
  *static_cast<uint32_t *>(Data) =
      static_cast<uint32_t>(File->dlpi_adds + File->dlpi_subs) + 1;
  return 1;
}

uint32_t brokenByLoaded() {
  static uint64_t Known; // the files' number, then what they break
  uint32_t Files = 0;
  dl_iterate_phdr(askFiles, &Files);
  const uint64_t Before = __atomic_load_n(&Known, __ATOMIC_RELAXED);
  if (Before >> 32 == Files)
    return static_cast<uint32_t>(Before);
  uint32_t Broken = 0;
  dl_iterate_phdr(lookInto, &Broken);
  __atomic_store_n(&Known, uint64_t(Files) << 32 | Broken, __ATOMIC_RELAXED);
  return Broken;
}

} // namespace echo::rt

//===- Modules.cpp - The objects that code of a process lies in -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names modules by their build-id. What was learnt of one is kept for good, by
// where it was loaded and its name; the loader is asked each time whether it
// is still there, so that a module that took another's place is not mistaken.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/FileHash.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Objects.h"
#include "runtime/dr/Sites.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace echo::dr {

namespace {
struct Known {
  uintptr_t Base;
  uintptr_t Low;
  ModuleInfo Info;
  char Path[1024];
  char BuildId[64];
};
} // namespace

static constexpr size_t MaxKnown = 2048;
static Known *Table;    ///< mapped once; entries never change once counted
static size_t NumKnown; ///< atomic
static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;

/// The GNU build-id among the notes of \p Info; its length, or 0.
static size_t buildId(const dl_phdr_info &Info, const unsigned char *&Id) {
  for (unsigned I = 0; I != Info.dlpi_phnum; ++I) {
    const auto &P = Info.dlpi_phdr[I];
    if (P.p_type != PT_NOTE)
      continue;
    auto At = static_cast<uintptr_t>(Info.dlpi_addr + P.p_vaddr);
    uintptr_t End = At + P.p_memsz;
    size_t Align = P.p_align == 8 ? 8 : 4;
    auto Round = [&](size_t N) { return (N + Align - 1) & ~(Align - 1); };
    while (At + sizeof(ElfW(Nhdr)) <= End) {
      auto *N = reinterpret_cast<const ElfW(Nhdr) *>(At);
      auto *Name = reinterpret_cast<const char *>(N + 1);
      auto Desc = reinterpret_cast<uintptr_t>(Name) + Round(N->n_namesz);
      if (Desc + N->n_descsz > End)
        break;
      if (N->n_type == NT_GNU_BUILD_ID && N->n_namesz == 4 &&
          !memcmp(Name, "GNU", 4)) {
        Id = reinterpret_cast<const unsigned char *>(Desc);
        return N->n_descsz;
      }
      At = Desc + Round(N->n_descsz);
    }
  }
  return 0;
}

/// Of all of the file, where there is no build-id, as echo-run does: two
/// libraries may differ in their middle alone. Large ones are hashed once, by
/// the records that echo-run names.
static uint64_t hashOfFile(const char *Path) {
  static unsigned char Buffer[1 << 16]; // the lock is held
  if (const uint64_t Hash =
          contentHash(Path, getenv("ECHO_DR_HASHES"), Buffer, sizeof Buffer))
    return Hash;
  const char *Slash = strrchr(Path, '/');
  const char *Name = Slash ? Slash + 1 : Path;
  return fnv1a(Name, strlen(Name));
}

static void learn(Known &K, const dl_phdr_info &Info) {
  K.Base = Info.dlpi_addr;
  const char *Name = Info.dlpi_name ? Info.dlpi_name : "";
  if (*Name)
    strncpy(K.Path, Name, sizeof K.Path - 1);
  else if (readlink("/proc/self/exe", K.Path, sizeof K.Path - 1) < 0)
    K.Path[0] = 0;
  const unsigned char *Id = nullptr;
  size_t Length = buildId(Info, Id);
  for (size_t I = 0; I != Length && 2 * I + 2 < sizeof K.BuildId; ++I)
    snprintf(K.BuildId + 2 * I, 3, "%02x", Id[I]);
  K.Info.Hash = Length ? fnv1a(Id, Length) : hashOfFile(K.Path);
  K.Info.Path = K.Path;
  K.Info.BuildId = K.BuildId;
}

namespace {
struct Query {
  uintptr_t Address;
  const ModuleInfo *Found;
  uint64_t Offset;
};
} // namespace

static const Known *known(const dl_phdr_info &Info, uintptr_t Low) {
  const char *Name = Info.dlpi_name ? Info.dlpi_name : "";
  auto Find = [&](size_t From) -> const Known * {
    size_t Count = __atomic_load_n(&NumKnown, __ATOMIC_ACQUIRE);
    for (size_t I = From; I < Count; ++I)
      if (Table[I].Base == Info.dlpi_addr && Table[I].Low == Low &&
          (!*Name || !strncmp(Table[I].Path, Name, sizeof Table[I].Path - 1)))
        return &Table[I];
    return nullptr;
  };
  if (const Known *K = Find(0))
    return K;
  pthread_mutex_lock(&Lock);
  const Known *K = Find(0);
  if (!K) {
    if (!Table) {
      void *At = mmap(nullptr, MaxKnown * sizeof(Known), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      Table = At == MAP_FAILED ? nullptr : static_cast<Known *>(At);
    }
    if (Table && NumKnown != MaxKnown) {
      Known &New = Table[NumKnown];
      New.Low = Low;
      learn(New, Info);
      __atomic_store_n(&NumKnown, NumKnown + 1, __ATOMIC_RELEASE);
      K = &New;
    }
  }
  pthread_mutex_unlock(&Lock);
  return K;
}

/// Where the first of its segments lies; 0 if it has none.
static uintptr_t lowest(const dl_phdr_info &Info) {
  for (unsigned I = 0; I != Info.dlpi_phnum; ++I)
    if (Info.dlpi_phdr[I].p_type == PT_LOAD)
      return Info.dlpi_addr + Info.dlpi_phdr[I].p_vaddr;
  return 0;
}

static int visit(dl_phdr_info *Info, size_t, void *Data) {
  auto &Q = *static_cast<Query *>(Data);
  if (!holds(*Info, Q.Address))
    return 0;
  if (const Known *K = known(*Info, lowest(*Info))) {
    Q.Found = &K->Info;
    Q.Offset = Q.Address - Info->dlpi_addr;
  }
  return 1;
}

bool moduleOf(const void *Address, ModuleInfo &Info, uint64_t &Offset) {
  Inside Own;
  Query Q = {reinterpret_cast<uintptr_t>(Address), nullptr, 0};
  dl_iterate_phdr(visit, &Q);
  if (!Q.Found)
    return false;
  Info = *Q.Found;
  Offset = Q.Offset;
  return true;
}

namespace {
struct Visit {
  bool (*Each)(const ModuleInfo &, void *);
  void *Data;
  bool First;
};
} // namespace

bool forEachModule(bool (*Each)(const ModuleInfo &, void *), void *Data) {
  Inside Own;
  Visit V = {Each, Data, true};
  return dl_iterate_phdr(
             [](dl_phdr_info *Info, size_t, void *Data) {
               auto &V = *static_cast<Visit *>(Data);
               const char *Name = Info->dlpi_name ? Info->dlpi_name : "";
               const bool Program = V.First;
               V.First = false;
               // The kernel's has no file.
               if (!Program && !strchr(Name, '/'))
                 return 0;
               const Known *K = known(*Info, lowest(*Info));
               return K && V.Each(K->Info, V.Data) ? 0 : 1;
             },
             &V) == 0;
}

uint64_t modulesLoaded() {
  Inside Own;
  uint64_t Count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        *static_cast<uint64_t *>(Data) = Info->dlpi_adds;
        return 1;
      },
      &Count);
  return Count;
}

bool moduleByHash(uint64_t Hash, ModuleInfo &Info) {
  size_t Count = __atomic_load_n(&NumKnown, __ATOMIC_ACQUIRE);
  for (size_t I = 0; I < Count; ++I)
    if (Table[I].Info.Hash == Hash) {
      Info = Table[I].Info;
      return true;
    }
  return false;
}

void lockModules() { pthread_mutex_lock(&Lock); }
void unlockModules() { pthread_mutex_unlock(&Lock); }

namespace {
struct Program {
  bool Found;
  ModuleInfo Info;
};
} // namespace

ModuleInfo executableModule() {
  Inside Own;
  Program P = {};
  // The loader lists the program itself first.
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto &P = *static_cast<Program *>(Data);
        if (const Known *K = known(*Info, lowest(*Info))) {
          P.Found = true;
          P.Info = K->Info;
        }
        return 1;
      },
      &P);
  return P.Found ? P.Info : ModuleInfo{0, "", ""};
}

ModuleInfo ownModule() {
  ModuleInfo Info = {0, "", ""};
  uint64_t Offset;
  moduleOf(reinterpret_cast<void *>(&ownModule), Info, Offset);
  return Info;
}

} // namespace echo::dr

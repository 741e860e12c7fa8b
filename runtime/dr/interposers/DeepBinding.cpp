//===- DeepBinding.cpp - Libraries that would free past this one ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library opened with RTLD_DEEPBIND calls the C library's free and realloc
// themselves, which end the process where they are given memory that a mode
// served. What such a library and those loaded with it have bound to these
// functions is bound to this library's, when it was loaded: only slots that
// hold the C library's function, or still the stub that would look it up, and
// only where the rest of the program calls this library's.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/DynamicSection.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void __libc_free(void *);
extern "C" void *__libc_realloc(void *, size_t);

namespace echo::dr {

namespace {

#if defined(__x86_64__)
constexpr uint32_t Lazy = R_X86_64_JUMP_SLOT;
constexpr uint32_t Slots[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT,
                              R_X86_64_64};
#elif defined(__aarch64__)
constexpr uint32_t Lazy = R_AARCH64_JUMP_SLOT;
constexpr uint32_t Slots[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT,
                              R_AARCH64_ABS64};
#else
constexpr uint32_t Lazy = 0;
constexpr uint32_t Slots[] = {0}; // nothing is bound anew
#endif

struct Function {
  const char *Name;
  void *Own, *Real;
};

/// Where an object lies, and which part is read-only once it was bound.
struct Extent {
  uintptr_t Base, Low = ~uintptr_t(0), High = 0, SealedLow = 0, SealedHigh = 0;
};

int findExtent(dl_phdr_info *Info, size_t, void *Data) {
  auto &E = *static_cast<Extent *>(Data);
  if (Info->dlpi_addr != E.Base)
    return 0;
  for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
    const auto &P = Info->dlpi_phdr[I];
    const uintptr_t From = E.Base + P.p_vaddr, To = From + P.p_memsz;
    if (P.p_type == PT_LOAD) {
      E.Low = From < E.Low ? From : E.Low;
      E.High = To > E.High ? To : E.High;
    } else if (P.p_type == PT_GNU_RELRO) {
      E.SealedLow = From;
      E.SealedHigh = To;
    }
  }
  return 1;
}

/// Past this library's own mprotect.
bool protect(uintptr_t Page, size_t Bytes, int Protection) {
  return syscall(SYS_mprotect, Page, Bytes, Protection) == 0;
}

void store(const Extent &E, void **Slot, void *Value) {
  const auto At = reinterpret_cast<uintptr_t>(Slot);
  const bool Sealed = At >= E.SealedLow && At < E.SealedHigh;
  const auto Bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t Page = At & ~(Bytes - 1);
  if (Sealed && !protect(Page, Bytes, PROT_READ | PROT_WRITE))
    return;
  __atomic_store_n(Slot, Value, __ATOMIC_RELEASE);
  if (Sealed)
    protect(Page, Bytes, PROT_READ);
}

bool isSlot(uint32_t Type) {
  for (const uint32_t S : Slots)
    if (S && S == Type)
      return true;
  return false;
}

template <size_t N>
void bind(const link_map &L, const Function (&Functions)[N]) {
  const DynamicSection D(L.l_addr, L.l_ld);
  Extent E = {L.l_addr};
  dl_iterate_phdr(findExtent, &E);
  for (const auto &Table : D.Tables)
    for (size_t I = 0; I != Table.Bytes / sizeof(ElfW(Rela)); ++I) {
      const ElfW(Rela) &R = Table.First[I];
      const auto Type = static_cast<uint32_t>(ELF64_R_TYPE(R.r_info));
      const ElfW(Sym) &S = D.Symbols[ELF64_R_SYM(R.r_info)];
      if (!isSlot(Type) || S.st_shndx != SHN_UNDEF || R.r_addend)
        continue;
      auto **Slot = reinterpret_cast<void **>(L.l_addr + R.r_offset);
      const auto Held = reinterpret_cast<uintptr_t>(*Slot);
      const bool Stub = Type == Lazy && Held >= E.Low && Held < E.High;
      for (const Function &F : Functions)
        if ((*Slot == F.Real || Stub) && !strcmp(D.Names + S.st_name, F.Name))
          store(E, Slot, F.Own);
    }
}

const link_map *program() {
  void *Handle = dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
  return static_cast<const link_map *>(Handle);
}

} // namespace

const void *lastObject() {
  Inside Own;
  const link_map *L = program();
  while (L && L->l_next)
    L = L->l_next;
  return L;
}

void bindFrees(const void *Last, void *Handle) {
  Inside Own;
  Function Bound[] = {
      {"free", reinterpret_cast<void *>(&free), nullptr},
      {"realloc", reinterpret_cast<void *>(&realloc), nullptr},
      {"malloc_usable_size", reinterpret_cast<void *>(&malloc_usable_size),
       nullptr},
      {"__libc_free", reinterpret_cast<void *>(&__libc_free), nullptr},
      {"__libc_realloc", reinterpret_cast<void *>(&__libc_realloc), nullptr}};
  for (Function &F : Bound) {
    F.Real = next(F.Name);
    // What the library itself brings, or the program does, stays.
    if (systemDlsym(RTLD_DEFAULT, F.Name) != F.Own ||
        systemDlsym(Handle, F.Name) != F.Real)
      F.Name = "";
  }
  const auto *L = static_cast<const link_map *>(Last);
  while (L && (L = L->l_next))
    bind(*L, Bound);
}

} // namespace echo::dr

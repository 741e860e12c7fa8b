//===- DynamicSection.cpp - What an object defines and is bound to --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two hash tables are as the System V ABI (DT_HASH) and the GNU linkers
// (DT_GNU_HASH) lay them out.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/DynamicSection.h"

#include <string.h>

namespace echo::dr {

DynamicSection::DynamicSection(uintptr_t Base, const ElfW(Dyn) * Section)
    : Base(Base) {
  bool Known = true; // relocations are those that the callers read
  // Some loaders add the base to these addresses, some do not.
  const auto Address = [&](const ElfW(Dyn) & D) {
    return reinterpret_cast<void *>(D.d_un.d_ptr < Base ? D.d_un.d_ptr + Base
                                                        : D.d_un.d_ptr);
  };
  for (const ElfW(Dyn) *D = Section; D && D->d_tag != DT_NULL; ++D)
    switch (D->d_tag) {
    case DT_SYMTAB:
      Symbols = static_cast<const ElfW(Sym) *>(Address(*D));
      break;
    case DT_STRTAB:
      Names = static_cast<const char *>(Address(*D));
      break;
    case DT_GNU_HASH:
      GnuHash = static_cast<const uint32_t *>(Address(*D));
      break;
    case DT_HASH:
      Hash = static_cast<const uint32_t *>(Address(*D));
      break;
    case DT_RELA:
      Tables[0].First = static_cast<const ElfW(Rela) *>(Address(*D));
      break;
    case DT_RELASZ:
      Tables[0].Bytes = D->d_un.d_val;
      break;
    case DT_JMPREL:
      Tables[1].First = static_cast<const ElfW(Rela) *>(Address(*D));
      break;
    case DT_PLTRELSZ:
      Tables[1].Bytes = D->d_un.d_val;
      break;
    case DT_PLTREL:
      Known = D->d_un.d_val == DT_RELA;
      break;
    default:
      break;
    }
  if (!Known || !Symbols || !Names)
    Tables[0].Bytes = Tables[1].Bytes = 0;
  if (!Symbols || !Names)
    GnuHash = Hash = nullptr;
}

static const ElfW(Dyn) * sectionOf(const dl_phdr_info &Info) {
  for (unsigned I = 0; I != Info.dlpi_phnum; ++I)
    if (Info.dlpi_phdr[I].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn) *>(Info.dlpi_addr +
                                                 Info.dlpi_phdr[I].p_vaddr);
  return nullptr;
}

DynamicSection::DynamicSection(const dl_phdr_info &Info)
    : DynamicSection(Info.dlpi_addr, sectionOf(Info)) {}

/// True if \p S is a function of this name that \p D's object defines.
static bool defines(const DynamicSection &D, const ElfW(Sym) & S,
                    const char *Name) {
  return S.st_shndx != SHN_UNDEF && S.st_value &&
         ELF64_ST_TYPE(S.st_info) == STT_FUNC &&
         !strcmp(D.Names + S.st_name, Name);
}

/// The symbol in DT_GNU_HASH: a filter, buckets, and for each bucket the hashes
/// of its symbols in order, the last of which has its lowest bit set.
static const ElfW(Sym) * inGnuHash(const DynamicSection &D, const char *Name) {
  uint32_t Code = 5381;
  for (const char *C = Name; *C; ++C)
    Code = Code * 33 + static_cast<unsigned char>(*C);
  const uint32_t Buckets = D.GnuHash[0], First = D.GnuHash[1],
                 Words = D.GnuHash[2], Shift = D.GnuHash[3];
  if (!Buckets || !Words)
    return nullptr;
  const auto *Filter = reinterpret_cast<const ElfW(Addr) *>(D.GnuHash + 4);
  constexpr unsigned Bits = 8 * sizeof(ElfW(Addr));
  const ElfW(Addr) Both = (ElfW(Addr)(1) << Code % Bits) |
                          (ElfW(Addr)(1) << (Code >> Shift) % Bits);
  if ((Filter[Code / Bits % Words] & Both) != Both)
    return nullptr;
  const auto *Bucket = reinterpret_cast<const uint32_t *>(Filter + Words);
  const uint32_t *Chain = Bucket + Buckets;
  for (uint32_t I = Bucket[Code % Buckets]; I >= First && I; ++I) {
    const uint32_t Its = Chain[I - First];
    const ElfW(Sym) &S = D.Symbols[I];
    if ((Its | 1) == (Code | 1) && defines(D, S, Name))
      return &S;
    if (Its & 1)
      break;
  }
  return nullptr;
}

/// The symbol among those that DT_HASH counts in its second word.
static const ElfW(Sym) * inHash(const DynamicSection &D, const char *Name) {
  for (uint32_t I = 1; I < D.Hash[1]; ++I)
    if (defines(D, D.Symbols[I], Name))
      return &D.Symbols[I];
  return nullptr;
}

void *DynamicSection::function(const char *Name) const {
  const ElfW(Sym) *Found = GnuHash ? inGnuHash(*this, Name)
                           : Hash  ? inHash(*this, Name)
                                   : nullptr;
  return Found ? reinterpret_cast<void *>(Base + Found->st_value) : nullptr;
}

} // namespace echo::dr

//===- DynamicSection.h - What an object defines and is bound to *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the dynamic section of a loaded object: its symbols, the hash tables
// that find them by name, and its relocations. The object must stay loaded
// meanwhile. Takes no lock and allocates nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DYNAMICSECTION_H
#define ECHO_RUNTIME_DR_DYNAMICSECTION_H

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

struct DynamicSection {
  uintptr_t Base;
  const ElfW(Sym) *Symbols = nullptr;
  const char *Names = nullptr;
  const uint32_t *GnuHash = nullptr; ///< null without DT_GNU_HASH
  const uint32_t *Hash = nullptr;    ///< null without DT_HASH
  /// DT_RELA's and DT_JMPREL's; none where they have another form.
  struct {
    const ElfW(Rela) *First = nullptr;
    size_t Bytes = 0;
  } Tables[2];

  /// Of an object that the loader lists; empty if it has none.
  explicit DynamicSection(const dl_phdr_info &Info);
  /// \p Section is the object's, which was loaded at \p Base; null: empty.
  DynamicSection(uintptr_t Base, const ElfW(Dyn) * Section);

  /// The address of the function \p Name that the object exports; null if it
  /// defines none of that name.
  void *function(const char *Name) const;
};

} // namespace echo::dr

#endif

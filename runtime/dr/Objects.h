//===- Objects.h - What the loader lists of an object -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For callbacks of dl_iterate_phdr: where an object lies, and what its file is
// called.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OBJECTS_H
#define ECHO_RUNTIME_DR_OBJECTS_H

#include <link.h>
#include <stdint.h>
#include <string.h>

namespace echo::dr {

/// True if \p Address is in one of the object's segments.
inline bool holds(const dl_phdr_info &Info, uintptr_t Address) {
  for (unsigned I = 0; I != Info.dlpi_phnum; ++I) {
    const auto &P = Info.dlpi_phdr[I];
    if (P.p_type == PT_LOAD &&
        Address - (Info.dlpi_addr + P.p_vaddr) < P.p_memsz)
      return true;
  }
  return false;
}

/// The object's file, without its folder; empty for the program itself.
inline const char *fileName(const dl_phdr_info &Info) {
  const char *Path = Info.dlpi_name ? Info.dlpi_name : "";
  const char *Slash = strrchr(Path, '/');
  return Slash ? Slash + 1 : Path;
}

/// True if its file's name begins with \p Begins.
inline bool isNamed(const dl_phdr_info &Info, const char *Begins) {
  return !strncmp(fileName(Info), Begins, strlen(Begins));
}

} // namespace echo::dr

#endif

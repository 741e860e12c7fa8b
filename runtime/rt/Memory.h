//===- Memory.h - Raw memory of each backing --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gets and gives back the memory under a block. A failure is a null pointer
// and nothing else: no CUDA error of echort's own is left behind.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_MEMORY_H
#define ECHO_RUNTIME_RT_MEMORY_H

#include "runtime/rt/Support.h"

#include <stddef.h>

namespace echo::rt {

/// True if CUDA makes and frees memory of \p Kind.
constexpr bool isCudas(Backing Kind) {
  return Kind == Backing::Managed || Kind == Backing::Mapped;
}

/// \p Bytes rounded up to what allocateMemory hands out, or 0 on overflow.
size_t roundToPages(size_t Bytes);

/// Memory of \p Kind on the current device, page-aligned; null on failure.
/// \p Bytes is a result of roundToPages. System memory reads as zero.
char *allocateMemory(Backing Kind, size_t Bytes);

/// True if the system would map \p Bytes more now. Cheap where nothing bounds
/// what a process maps.
bool hostHasRoom(size_t Bytes);

void freeMemory(Backing Kind, char *Base, size_t Bytes);

/// What became of memory. CUDA may not answer: its last work failed.
enum class Fate : uint8_t { Lives, Gone, Unknown };

/// Gone if \p Base no longer is memory of \p Kind: a device reset takes CUDA's
/// memory away without telling.
Fate fateOf(Backing Kind, const char *Base);

/// True if some memory is mapped at \p Base.
bool isMapped(const void *Base);

} // namespace echo::rt

#endif

//===- Accesses.h - What a library's work reads and writes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under --check a library says what it accesses, as kernels do by their code:
// host memory at the call, device memory when the work runs. A function that
// does is marked, so that the program's code takes it for followed. What is
// said must be what is accessed, no more: a byte that is not read cannot be
// stale.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_COMMON_ACCESSES_H
#define ECHO_RUNTIME_CPU_LIBS_COMMON_ACCESSES_H

#include "runtime/abi/CpuLibrary.h"

#include <cstddef>

/// All that \p Function accesses is said; inside extern "C". Code that is built
/// with --check looks for this name (lib/Transform/Check/CheckCalls.cpp).
#define ECHO_FOLLOWED(Function)                                                \
  extern const char echo_checked_##Function;                                   \
  const char echo_checked_##Function = 1;

namespace echo::cpulibs {

enum class Does : bool { Read, Write };

/// \p Rows rows of \p Bytes each are accessed, \p Pitch bytes apart.
inline void noteRows(Does What, const void *At, size_t Bytes, size_t Pitch,
                     size_t Rows) {
  if (Bytes && Rows)
    echo_cpu_note_access(At, Bytes, Pitch, Rows, What == Does::Write);
}

inline void note(Does What, const void *At, size_t Bytes) {
  noteRows(What, At, Bytes, 0, 1);
}

} // namespace echo::cpulibs

#endif
